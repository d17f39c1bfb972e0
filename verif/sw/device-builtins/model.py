"""The expected results of the builtins, in Python integers and fractions: independent of the library's C. expected(overload) returns a function of the
scalar operands of one component, or None when another test judges (float mathematics: verif/sw/device-math)."""
import math
import re
import struct

from overloads import BITS

REAL = ("float", "double")
INVALID = object()  # operands for which the standard leaves the result open


def signed(t):
    return not t.startswith("u")


def wrap(v, t):
    b = BITS[t]
    v &= (1 << b) - 1
    return v - (1 << b) if signed(t) and v >> (b - 1) else v


def limits(t):
    b = BITS[t]
    return (-(1 << (b - 1)), (1 << (b - 1)) - 1) if signed(t) else (0, (1 << b) - 1)


def sat(v, t):
    low, high = limits(t)
    return low if v < low else high if v > high else v


def bits(v, t):
    """The pattern of a value."""
    if t == "float":
        return struct.unpack("<I", struct.pack("<f", v))[0] if v == v else 0x7fc00000
    if t == "double":
        return struct.unpack("<Q", struct.pack("<d", v))[0] if v == v else 0x7ff8000000000000
    return v & ((1 << BITS[t]) - 1)


def from_bits(p, t):
    if t in REAL:
        return struct.unpack("<f", struct.pack("<I", p & 0xffffffff))[0] if t == "float" else struct.unpack("<d", struct.pack("<Q", p & (1 << 64) - 1))[0]
    return wrap(p, t)


def to_float(a, mode):
    """A double in float, by rounding mode: the nearest, or its neighbour on the other side."""
    if a != a or math.isinf(a) or a == 0:
        return a
    try:
        n = struct.unpack("<f", struct.pack("<f", a))[0]
    except OverflowError:
        n = math.copysign(math.inf, a)
    up = mode == "rtp" or (mode == "rtz" and a < 0)
    if n == a or mode in ("", "rte") or (n > a) == up:
        return n
    p = bits(n, "float")
    p += 1 if (n > 0 or (n == 0 and a > 0)) == up else -1
    return from_bits(p, "float")


def round_float(v, mode, places=24):
    """An integer in float or double, by rounding mode."""
    if v == 0:
        return 0.0
    a = abs(v)
    shift = max(0, a.bit_length() - places)
    low = a >> shift << shift
    if low != a:
        up = low + (1 << shift)
        away = (mode in ("rtp",) and v > 0) or (mode == "rtn" and v < 0)
        half = 1 << (shift - 1)
        nearest = a - low > half or (a - low == half and (low >> shift) & 1)
        low = up if away or (mode in ("", "rte") and nearest) else low
    return float(low if v > 0 else -low)


def round_integer(x, mode):
    return {"rte": lambda: round(x), "rtz": lambda: math.trunc(x), "rtp": lambda: math.ceil(x), "rtn": lambda: math.floor(x)}[mode or "rtz"]()


def convert(src, dst, saturate, mode):
    def f(a):
        if dst in REAL:
            return round_float(a, mode, 24 if dst == "float" else 53) if src not in REAL else to_float(a, mode) if dst == "float" else a
        if src in REAL:
            if a != a:
                return 0 if saturate else INVALID
            if math.isinf(a):
                return limits(dst)[a > 0] if saturate else INVALID
            v = round_integer(a, mode)
            low, high = limits(dst)
            return sat(v, dst) if saturate else v if low <= v <= high else INVALID
        return sat(a, dst) if saturate else wrap(a, dst)
    return f


def lanes_of_24(t, a, b):
    return (-(1 << 23) <= a < 1 << 23 and -(1 << 23) <= b < 1 << 23) if signed(t) else (a < 1 << 24 and b < 1 << 24)


def fmag(a):
    return a == 0 or not math.isnan(a)


def integer(name, t):
    b = BITS[t]
    u = t if not signed(t) else "u" + t
    mask = (1 << b) - 1
    table = {
        "abs": lambda a: abs(a),
        "abs_diff": lambda x, y: abs(x - y),
        "add_sat": lambda x, y: sat(x + y, t),
        "sub_sat": lambda x, y: sat(x - y, t),
        "hadd": lambda x, y: (x + y) >> 1,
        "rhadd": lambda x, y: (x + y + 1) >> 1,
        "clz": lambda x: b - (x & mask).bit_length(),
        "popcount": lambda x: bin(x & mask).count("1"),
        "rotate": lambda x, y: wrap((x & mask) << (y % b) | (x & mask) >> (b - y % b), t),
        "mul_hi": lambda x, y: (x * y) >> b,
        "mad_hi": lambda x, y, z: wrap(((x * y) >> b) + z, t),
        "mad_sat": lambda x, y, z: sat(x * y + z, t),
        "mul24": lambda x, y: wrap(x * y, t) if lanes_of_24(t, x, y) else INVALID,
        "mad24": lambda x, y, z: wrap(x * y + z, t) if lanes_of_24(t, x, y) else INVALID,
        "min": lambda x, y: min(x, y),
        "max": lambda x, y: max(x, y),
        "clamp": lambda x, y, z: min(max(x, y), z) if y <= z else INVALID,
        "upsample": lambda x, y: x << b | (y & mask),
    }
    return table.get(name)


def number(x, *others):
    return all(v == v for v in (x,) + others)


FLOAT_TESTS = {
    "isequal": lambda x, y: x == y, "isnotequal": lambda x, y: x != y, "isgreater": lambda x, y: x > y, "isgreaterequal": lambda x, y: x >= y,
    "isless": lambda x, y: x < y, "islessequal": lambda x, y: x <= y, "islessgreater": lambda x, y: x < y or x > y,
    "isordered": lambda x, y: number(x, y), "isunordered": lambda x, y: not number(x, y), "isfinite": lambda x: math.isfinite(x),
    "isinf": lambda x: math.isinf(x), "isnan": lambda x: x != x, "isnormal": lambda x: math.isfinite(x) and abs(x) >= 2.0 ** -126,
    "signbit": lambda x: math.copysign(1, x) < 0,
}
FLOAT_PICKS = {
    "min": lambda x, y: (y if y < x else x) if number(x, y) else INVALID,
    "max": lambda x, y: (y if x < y else x) if number(x, y) else INVALID,
    "clamp": lambda x, y, z: min(max(x, y), z) if number(x, y, z) and y <= z and not x == y == 0 and not x == z == 0 and not y == z == 0 else INVALID,
    "fabs": lambda x: abs(x) if x == x else INVALID,
}


def expected(o):
    name, t = o.name, o.params[0].base if o.params else None
    m = re.fullmatch(r"convert_([a-z]+?)(?:2|3|4|8|16)?(_sat)?(?:_(rte|rtz|rtp|rtn))?", name)
    if m:
        return convert(t, m.group(1), bool(m.group(2)), m.group(3) or "")
    if name in FLOAT_TESTS:
        true = 1 if o.ret.n == 1 else -1
        if name == "isnormal" and t == "double":
            return lambda x: true if math.isfinite(x) and abs(x) >= 2.0 ** -1022 else 0
        return lambda *a: true if FLOAT_TESTS[name](*a) else 0
    if name == "bitselect":
        return lambda x, y, z: from_bits((bits(x, t) & ~bits(z, t)) | (bits(y, t) & bits(z, t)), t)
    if name == "select":
        c = o.params[2]
        if o.ret.n == 1:
            return lambda x, y, z: y if z else x
        return lambda x, y, z: y if z >> (BITS[c.base] - 1) & 1 else x
    if t in REAL:
        return FLOAT_PICKS.get(name)
    return integer(name, t) if t in BITS else None


def half_to_float(h):
    return struct.unpack("<e", struct.pack("<H", h))[0]


def float_to_half(x, mode):
    """By search over all halves: the neighbours of x, then the rule."""
    if x != x:
        return INVALID
    sign = 0x8000 if math.copysign(1, x) < 0 else 0
    a = abs(x)
    if math.isinf(a):
        return sign | 0x7c00
    low, high = 0, 0x7c00  # the largest half not above a
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if half_to_float(middle) <= a else (low, middle)
    if half_to_float(low) == a:
        return sign | low
    above = 65536.0 if low == 0x7bff else half_to_float(low + 1)
    up = {"": None, "rte": None, "rtz": False, "rtp": not sign, "rtn": bool(sign)}[mode]
    if up is None:
        d, e = a - half_to_float(low), above - a
        up = d > e or (d == e and low & 1)
    return sign | (low + 1 if up else low)
