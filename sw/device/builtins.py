#!/usr/bin/env python3
"""Writes the overloads of the OpenCL C 1.2 builtins as OpenCL C: the scalar functions by their definition, the vector ones by wrapping
the scalar ones component by component (the machine has no vector unit: what looks like a vector is scalars after inlining).

    builtins.py float OUT.cl       all that has no double in it
    builtins.py double OUT.cl      all that has

What is not here: work-item functions (workitem.c), barriers (sync.cl), exact and native float functions (math.cl), special.cl, those of double (double.cl), and
libclc's scalar functions (libclc.py), which are only declared here.
"""
import sys
from libclc import DOUBLES, FUNCTIONS as LIBCLC

SIGNED = ["char", "short", "int", "long"]
UNSIGNED = ["uchar", "ushort", "uint", "ulong"]
INTEGERS = [t for pair in zip(SIGNED, UNSIGNED) for t in pair]
TYPES = INTEGERS + ["float"]
BITS = {"char": 8, "short": 16, "int": 32, "long": 64}
BITS.update({"u" + t: b for t, b in list(BITS.items())})
BITS.update({"float": 32, "double": 64})
SIGNED_OF = dict(zip(UNSIGNED, SIGNED)) | {t: t for t in SIGNED} | {"float": "int", "double": "long"}
UNSIGNED_OF = dict(zip(SIGNED, UNSIGNED)) | {t: t for t in UNSIGNED} | {"float": "uint", "double": "ulong"}
WIDER = {"char": "short", "short": "int", "int": "long", "uchar": "ushort", "ushort": "uint", "uint": "ulong"}
VECTORS = [2, 3, 4, 8, 16]
SPACES = ["__global", "__local", "__private"]
LANES = "0123456789abcdef"

out = []


def emit(ret, name, params, body):
    """One function. params is a list of (type, name)."""
    signature = ", ".join(f"{t} {n}" for t, n in params) or "void"
    out.append(f"FN {ret} {name}({signature}) {{ {body} }}")


def declare(ret, name, types):
    out.append(f"{ret} __attribute__((overloadable)) {name}({', '.join(types)});")


def vec(t, n):
    return t if n == 1 else f"{t}{n}"


def build(t, n, parts):
    """A vector value from its components."""
    return f"return ({vec(t, n)})({', '.join(parts)});"


def wrap(ret, name, types, sizes=VECTORS, call=None, fixed=()):
    """The vector forms of a scalar function; parameters whose index is in `fixed` stay scalar."""
    for n in sizes:
        params = [(t if i in fixed else vec(t, n), f"a{i}") for i, t in enumerate(types)]
        parts = []
        for k in range(n):
            arguments = ", ".join(f"a{i}" if i in fixed else f"a{i}.s{LANES[k]}" for i in range(len(types)))
            parts.append(f"{call or name}({arguments})")
        emit(vec(ret, n), name, params, build(ret, n, parts))


def both(ret, name, types, expression):
    """Scalar definition over a, b, c and the vector forms."""
    emit(ret, name, list(zip(types, "abc")), f"return {expression};")
    wrap(ret, name, types)


def minimum(t):
    return {"char": "((char)-128)", "short": "((short)-32768)", "int": "((int)0x80000000)",
            "long": "((long)0x8000000000000000)"}.get(t, f"(({t})0)")


def maximum(t):
    if t in SIGNED:
        return f"(({t}){hex((1 << (BITS[t] - 1)) - 1)})"
    return f"(({t}){hex((1 << BITS[t]) - 1)})"


# ---------------------------------------------------------------------------------------------------- integers
def integers():
    for t in INTEGERS:
        u, s, b = UNSIGNED_OF[t], SIGNED_OF[t], BITS[t]
        signed = t in SIGNED
        both(u, "abs", [t], f"({u})(a < 0 ? ({u})0 - ({u})a : ({u})a)" if signed else "a")
        both(u, "abs_diff", [t, t], f"({u})(a > b ? ({u})a - ({u})b : ({u})b - ({u})a)")
        both(t, "max", [t, t], "a < b ? b : a")
        both(t, "min", [t, t], "b < a ? b : a")
        both(t, "clamp", [t, t, t], "a < b ? b : a > c ? c : a")
        wrap(t, "max", [t, t], fixed=(1,))
        wrap(t, "min", [t, t], fixed=(1,))
        wrap(t, "clamp", [t, t, t], fixed=(1, 2))
        both(t, "hadd", [t, t], f"({t})((a >> 1) + (b >> 1) + (a & b & 1))")
        both(t, "rhadd", [t, t], f"({t})((a >> 1) + (b >> 1) + ((a | b) & 1))")
        if b < 64:
            wide = "long" if signed else "ulong"
            narrow = f"w > ({wide}){maximum(t)} ? {maximum(t)} : " + (f"w < ({wide}){minimum(t)} ? {minimum(t)} : " if signed else "") + f"({t})w"
            for name, expression, arity in (("add_sat", f"({wide})a + b", 2), ("mad_sat", f"({wide})a * b + c", 3)):
                emit(t, name, list(zip([t] * arity, "abc")), f"{wide} w = {expression}; return {narrow};")
                wrap(t, name, [t] * arity)
            if signed:
                emit(t, "sub_sat", [(t, "a"), (t, "b")], f"{wide} w = ({wide})a - b; return {narrow};")
            else:
                emit(t, "sub_sat", [(t, "a"), (t, "b")], f"return a > b ? ({t})(a - b) : ({t})0;")
            wrap(t, "sub_sat", [t, t])
            both(t, "mul_hi", [t, t], f"({t})((({wide})a * b) >> {b})")
        else:
            wide = "__int128" if signed else "unsigned __int128"
            both(t, "mul_hi", [t, t], f"({t})((({wide})a * b) >> 64)")
            if signed:
                for name, builtin in (("add_sat", "add"), ("sub_sat", "sub")):
                    sign = "b < 0" if name == "add_sat" else "b > 0"
                    emit(t, name, [(t, "a"), (t, "b")], f"long r; return __builtin_{builtin}_overflow(a, b, &r) ? ({sign} ? {minimum(t)} : {maximum(t)}) : r;")
                    wrap(t, name, [t, t])
                emit(t, "mad_sat", list(zip([t] * 3, "abc")),
                     f"__int128 w = (__int128)a * b + c; return w > (__int128){maximum(t)} ? {maximum(t)} : w < (__int128){minimum(t)} ? {minimum(t)} : (long)w;")
            else:
                both(t, "add_sat", [t, t], "a + b < a ? ~0ul : a + b")
                both(t, "sub_sat", [t, t], "a > b ? a - b : 0ul")
                emit(t, "mad_sat", list(zip([t] * 3, "abc")),
                     "unsigned __int128 w = (unsigned __int128)a * b + c; return (ulong)(w >> 64) ? ~0ul : (ulong)w;")
            wrap(t, "mad_sat", [t] * 3)
        both(t, "mad_hi", [t, t, t], f"({t})(({u})mul_hi(a, b) + ({u})c)")
        if b == 64:
            both(t, "clz", [t], "a ? __builtin_clzl(a) : 64")
        else:
            both(t, "clz", [t], f"({t})(({u})a ? __builtin_clz(({u})a) - {32 - b} : {b})")
        both(t, "popcount", [t], f"({t})__builtin_popcountl(({u})a)")
        both(t, "rotate", [t, t], f"({t})((({u})a << (b & {b - 1})) | (({u})a >> (-b & {b - 1})))")
        if t in WIDER:
            w = WIDER[t]
            both(w, "upsample", [t, u], f"({w})((({UNSIGNED_OF[w]})a << {b}) | b)")
    for t in ("int", "uint"):
        # 24-bit operands: a full product has the same low 32 bits.
        both(t, "mul24", [t, t], f"({t})((uint)a * (uint)b)")
        both(t, "mad24", [t, t, t], f"({t})((uint)a * (uint)b + (uint)c)")


# ---------------------------------------------------------------------------------------------------- float functions
# Scalar functions that are defined in OpenCL C (math.cl, special.cl; double.cl), by the number of their operands.
OWN = {"float":
       {1: "exp exp2 exp10 erfc sinpi cospi tanpi tgamma sqrt rsqrt fabs floor ceil trunc rint round native_recip native_sqrt native_rsqrt native_exp native_exp2 native_exp10 native_log native_log2 "
           "native_log10 native_sin native_cos native_tan half_recip half_sqrt half_rsqrt half_exp half_exp2 half_exp10 half_log half_log2 half_log10 "
           "half_sin half_cos half_tan",
        2: "fmod remainder nextafter fmin fmax copysign fdim native_divide native_powr half_divide half_powr", 3: "fma mad"},
       "double":
       {1: "sqrt rsqrt fabs floor ceil trunc rint round logb tgamma", 2: "fmod remainder nextafter fmin fmax copysign fdim maxmag minmag", 3: "fma mad"}}


def floats(f):
    c = "f" if f == "float" else ""  # the suffix of clang's functions and of constants
    for arity, names in OWN[f].items():
        for name in names.split():
            declare(f, name, [f] * arity)
            wrap(f, name, [f] * arity)
    if f == "float":
        scalars = LIBCLC | {"ldexp": (f, [f, "int"]), "rootn": (f, [f, "int"]), "remquo": (f, [f, f, "__private int *"])}
        del scalars["erfc"]  # wrapped, above
    else:
        scalars = DOUBLES | {"ldexp": (f, [f, "int"]), "ilogb": ("int", [f]), "frexp": (f, [f, "__private int *"]), "remquo": (f, [f, f, "__private int *"])}
    for name, (ret, types) in scalars.items():
        declare(ret, name, types)
        if not any("*" in t for t in types):
            wrap(ret, name, types)
    declare(f, "nan", [UNSIGNED_OF[f]])
    wrap(f, "nan", [UNSIGNED_OF[f]])
    for name in ("fmin", "fmax"):
        wrap(f, name, [f, f], fixed=(1,))
    wrap(f, "ldexp", [f, "int"], fixed=(1,))

    both(f, "degrees", [f], "a * 57.2957795f" if c else "a * 57.295779513082321")
    both(f, "radians", [f], "a * 0.0174532925f" if c else "a * 0.017453292519943296")
    both(f, "sign", [f], f"a > 0.0{c} ? 1.0{c} : a < 0.0{c} ? -1.0{c} : a == 0.0{c} ? a : 0.0{c}")
    both(f, "max", [f, f], "a < b ? b : a")
    both(f, "min", [f, f], "b < a ? b : a")
    both(f, "clamp", [f, f, f], f"__builtin_fmin{c}(__builtin_fmax{c}(a, b), c)")
    both(f, "step", [f, f], f"b < a ? 0.0{c} : 1.0{c}")
    both(f, "mix", [f, f, f], f"__builtin_fma{c}(b - a, c, a)")
    emit(f, "smoothstep", [(f, "a"), (f, "b"), (f, "c")],
         f"{f} t = __builtin_fmin{c}(__builtin_fmax{c}((c - a) / (b - a), 0.0{c}), 1.0{c}); return t * t * (3.0{c} - 2.0{c} * t);")
    wrap(f, "smoothstep", [f, f, f])
    wrap(f, "max", [f, f], fixed=(1,))
    wrap(f, "min", [f, f], fixed=(1,))
    wrap(f, "clamp", [f, f, f], fixed=(1, 2))
    wrap(f, "mix", [f, f, f], fixed=(2,))
    wrap(f, "step", [f, f], fixed=(0,))
    wrap(f, "smoothstep", [f, f, f], fixed=(0, 1))

    # Two results, the second through a pointer.
    declare(f, "vl_fract", [f])
    declare(f, "vl_modf", [f])
    for name in ("frexp", "remquo", "lgamma_r"):
        _, types = scalars[name]
        params = [(t, "ab"[i]) for i, t in enumerate(types[:-1])]
        for space in SPACES:
            if space != "__private":
                emit(f, name, params + [(f"{space} int *", "p")], f"int e; {f} r = {name}({', '.join(n for _, n in params)}, &e); *p = e; return r;")
            for n in VECTORS:
                vparams = [(vec(t, n), x) for t, x in params]
                body = f"{vec('int', n)} e; {vec(f, n)} r; int k; " + " ".join(
                    f"r.s{LANES[k]} = {name}({', '.join(f'{x}.s{LANES[k]}' for _, x in params)}, &k); e.s{LANES[k]} = k;" for k in range(n))
                emit(vec(f, n), name, vparams + [(f"{space} {vec('int', n)} *", "p")], body + " *p = e; return r;")
    for name, first, second in (("fract", "vl_fract(a)", "floor(a)"), ("modf", "vl_modf(a)", "trunc(a)"), ("sincos", "sin(a)", "cos(a)")):
        if name != "sincos":
            wrap(f, "vl_" + name, [f])
        for space in SPACES:
            for n in [1] + VECTORS:
                emit(vec(f, n), name, [(vec(f, n), "a"), (f"{space} {vec(f, n)} *", "p")], f"*p = {second}; return {first};")


# ---------------------------------------------------------------------------------------------------- relational
def comparisons(f):
    compare = {"isequal": "a == b", "isnotequal": "a != b", "isgreater": "a > b", "isgreaterequal": "a >= b", "isless": "a < b",
               "islessequal": "a <= b", "islessgreater": "a < b || a > b", "isordered": "a == a && b == b", "isunordered": "a != a || b != b"}
    if f == "float":
        test = {"isfinite": "(as_uint(a) & 0x7f800000u) != 0x7f800000u", "isinf": "(as_uint(a) & 0x7fffffffu) == 0x7f800000u", "isnan": "a != a",
                "isnormal": "(as_uint(a) & 0x7fffffffu) - 0x800000u < 0x7f000000u", "signbit": "as_int(a) < 0"}
    else:
        infinity = "0x7ff0000000000000ul"
        test = {"isfinite": f"(as_ulong(a) & {infinity}) != {infinity}", "isinf": f"as_ulong(a) << 1 == {infinity} << 1", "isnan": f"as_ulong(a) << 1 > {infinity} << 1",
                "isnormal": "(as_ulong(a) & ~0ul >> 1) - 0x10000000000000ul < 0x7fe0000000000000ul", "signbit": "as_long(a) < 0"}
    s = SIGNED_OF[f]
    for arity, table in ((2, compare), (1, test)):
        for name, expression in table.items():
            params = list(zip([f] * arity, "ab"))
            emit("int", name, params, f"return {expression};")
            for n in VECTORS:  # a vector result is 0 or -1
                parts = [f"-{name}({', '.join(f'{x}.s{LANES[k]}' for _, x in params)})" for k in range(n)]
                emit(f"{s}{n}", name, [(f"{f}{n}", x) for _, x in params], build(s, n, parts))


def any_all():
    for t in SIGNED:
        for name, op in (("any", "|"), ("all", "&")):
            emit("int", name, [(t, "a")], "return a < 0;")
            for n in VECTORS:
                emit("int", name, [(f"{t}{n}", "a")], f"return ({t})({f' {op} '.join(f'a.s{LANES[k]}' for k in range(n))}) < 0;")


def selections(types):
    for t in types:
        u, s = UNSIGNED_OF[t], SIGNED_OF[t]
        both(t, "bitselect", [t, t, t], f"as_{t}(({u})((as_{u}(a) & ~as_{u}(c)) | (as_{u}(b) & as_{u}(c))))")
        for c in (s, u):
            emit(t, "select", [(t, "a"), (t, "b"), (c, "c")], "return c ? b : a;")
            for n in VECTORS:  # by the most significant bit
                parts = [f"as_{s}(c.s{LANES[k]}) < 0 ? b.s{LANES[k]} : a.s{LANES[k]}" for k in range(n)]
                emit(vec(t, n), "select", [(vec(t, n), "a"), (vec(t, n), "b"), (vec(c, n), "c")], build(t, n, parts))


# ---------------------------------------------------------------------------------------------------- geometry
def geometry(f):
    c = "f" if f == "float" else ""
    # Scale when the sum of squares leaves the range: the larger factor squared times the smallest subnormal squared is normal again.
    tiny, up, down, shrink, grow = ("0x1p-100f", "0x1p86f", "0x1p-86f", "0x1p-66f", "0x1p66f") if c else ("0x1p-900", "0x1p563", "0x1p-563", "0x1p-514", "0x1p514")

    def dot(a, b, n):
        if n == 1:
            return f"{a} * {b}"
        e = f"{a}.s0 * {b}.s0"
        for k in range(1, n):
            e = f"__builtin_fma{c}({a}.s{k}, {b}.s{k}, {e})"
        return e

    for n in (1, 2, 3, 4):
        v = vec(f, n)
        emit(f, "dot", [(v, "a"), (v, "b")], f"return {dot('a', 'b', n)};")
        emit(f, "length", [(v, "a")],
             "return fabs(a);" if n == 1 else
             f"{f} s = dot(a, a), k = 1.0{c}; if (s < {tiny}) {{ a *= {up}; s = dot(a, a); k = {down}; }} "
             f"else if (s == INFINITY) {{ a *= {shrink}; s = dot(a, a); k = {grow}; }} return __builtin_sqrt{c}(s) * k;")
        emit(f, "distance", [(v, "a"), (v, "b")], "return length(a - b);")
        if n == 1:
            emit(v, "normalize", [(v, "a")], f"return sign(a) + (a != a ? a : 0.0{c});")
        else:
            infinite = ", ".join(f"__builtin_copysign{c}(__builtin_isinf(a.s{k}) ? 1.0{c} : 0.0{c}, a.s{k})" for k in range(n))
            emit(v, "normalize", [(v, "a")],
                 f"{f} s = dot(a, a); if (s == INFINITY) {{ if (any(isinf(a))) a = ({v})({infinite}); else a *= {shrink}; s = dot(a, a); }} "
                 f"else if (s < {tiny}) {{ a *= {up}; s = dot(a, a); }} return s == 0.0{c} ? a : a * ({v})(1.0{c} / __builtin_sqrt{c}(s));")
        if f == "float":
            emit(f, "fast_length", [(v, "a")], "return __builtin_sqrtf(dot(a, a));" if n > 1 else "return fabs(a);")
            emit(f, "fast_distance", [(v, "a"), (v, "b")], "return fast_length(a - b);")
            emit(v, "fast_normalize", [(v, "a")], "return sign(a) + (a != a ? a : 0.0f);" if n == 1 else f"float s = dot(a, a); return s == 0.0f ? a : a * ({v})(1.0f / __builtin_sqrtf(s));")
    emit(f"{f}3", "cross", [(f"{f}3", "a"), (f"{f}3", "b")], "return a.yzx * b.zxy - a.zxy * b.yzx;")
    emit(f"{f}4", "cross", [(f"{f}4", "a"), (f"{f}4", "b")], f"return ({f}4)(a.yzx * b.zxy - a.zxy * b.yzx, 0.0{c});")


# ---------------------------------------------------------------------------------------------------- conversions
def conversions():
    """convert_TYPE[_sat][_rounding]. From float the instruction itself saturates and takes the rounding mode; only NaN (0 here) needs help."""
    modes = {"": None, "_rte": "rne", "_rtz": "rtz", "_rtp": "rup", "_rtn": "rdn"}
    fcvt = {"int": "w", "uint": "wu", "long": "l", "ulong": "lu"}
    for rm in ("rne", "rtz", "rup", "rdn"):
        for t, code in fcvt.items():
            emit(t, f"vl_{t}_{rm}", [("float", "a")], f't_{t} r; __asm__("fcvt.{code}.s %0, %1, {rm}" : "=r"(r) : "r"(a)); return a == a ? ({t})r : ({t})0;')
            if rm != "rne":
                emit("float", f"vl_float_{rm}", [(t, "a")], f'float r; __asm__("fcvt.s.{code} %0, %1, {rm}" : "=r"(r) : "r"(t_{t})a); return r;'.replace('"r"(t_', '"r"((t_').replace(')a)', ')a))'))
    for dst in TYPES:
        for src in TYPES:
            for mode, rm in modes.items():
                for sat in ("", "_sat"):
                    name = f"convert_{dst}{sat}{mode}"
                    if dst == "float":
                        if sat:
                            continue
                        if src == "float" or rm in (None, "rne") or BITS[src] < 32:
                            body = "return (float)a;"
                        else:
                            body = f"return vl_float_{rm}(a);"
                    elif src == "float":
                        if not sat and rm in (None, "rtz"):
                            body = f"return ({dst})a;" if BITS[dst] >= 32 else f"return ({dst})({'int' if dst in SIGNED else 'uint'})(int)a;"
                        else:
                            wide = dst if BITS[dst] >= 32 else "int"
                            value = f"vl_{wide}_{rm or 'rtz'}(a)"
                            if BITS[dst] < 32 and sat:
                                value = f"clamp({value}, (int){minimum(dst)}, (int){maximum(dst)})"
                            body = f"return ({dst}){value};"
                    elif sat:
                        body = "return " + saturate(dst, src) + ";"
                    else:
                        body = f"return ({dst})a;"
                    convert(dst, src, sat, mode, body)


def convert(dst, src, sat, mode, body):
    name = f"convert_{dst}{sat}{mode}"
    emit(dst, name, [(src, "a")], body)
    for n in VECTORS:
        emit(f"{dst}{n}", f"convert_{dst}{n}{sat}{mode}", [(f"{src}{n}", "a")], build(dst, n, [f"{name}(a.s{LANES[k]})" for k in range(n)]))


def double_conversions():
    """By double.c, which saturates; 0 for NaN."""
    modes = {"": None, "_rte": 0, "_rtz": 1, "_rtp": 2, "_rtn": 3}
    for mode, rm in modes.items():
        for src in TYPES + ["double"]:  # exact, except for 64-bit integers
            sign = "signed" if src in SIGNED else "unsigned"
            convert("double", src, "", mode, f"return vl_double_of_{sign}(a, {rm});" if rm and src in ("long", "ulong") else "return (double)a;")
        convert("float", "double", "", mode, f"return vl_double_to_float(a, {rm});" if rm else "return (float)a;")
        for dst in INTEGERS:
            sign = "signed" if dst in SIGNED else "unsigned"
            for sat in ("", "_sat"):
                exact = f"return ({dst})vl_double_to_{sign}(a, {1 if rm is None else rm}, {BITS[dst]});"
                convert(dst, "double", sat, mode, f"return ({dst})({'int' if BITS[dst] < 32 else dst})a;" if not sat and rm in (None, 1) else exact)


def saturate(dst, src):
    """An integer conversion that clamps only at the ends that can be passed."""
    lowest = {t: -(1 << (BITS[t] - 1)) if t in SIGNED else 0 for t in (dst, src)}
    highest = {t: (1 << (BITS[t] - (t in SIGNED))) - 1 for t in (dst, src)}
    e = f"({dst})a"
    if highest[src] > highest[dst]:
        e = f"a > ({src}){maximum(dst)} ? {maximum(dst)} : {e}"
    if lowest[src] < lowest[dst]:
        e = f"a < ({src}){minimum(dst)} ? {minimum(dst)} : {e}"
    return e


# ---------------------------------------------------------------------------------------------------- memory
def loads_and_stores(types):
    for t in types:
        for n in VECTORS:
            for space in SPACES + ["__constant"]:
                emit(f"{t}{n}", f"vload{n}", [("ulong", "i"), (f"const {space} {t} *", "p")],
                     f"p += i * {n}; " + build(t, n, [f"p[{k}]" for k in range(n)]))
            for space in SPACES:
                emit("void", f"vstore{n}", [(f"{t}{n}", "a"), ("ulong", "i"), (f"{space} {t} *", "p")],
                     f"p += i * {n}; " + " ".join(f"p[{k}] = a.s{LANES[k]};" for k in range(n)))


def half_loads():
    declare("float", "vl_half_to_float", ["ushort"])
    declare("ushort", "vl_float_to_half", ["float", "int"])
    for n in [1] + VECTORS:
        f, suffix = vec("float", n), "" if n == 1 else str(n)
        for space in SPACES + ["__constant"]:
            for name, stride in (("vload_half", n), ("vloada_half", 4 if n == 3 else n)):
                if n == 1 and name == "vloada_half":
                    stride = 1
                parts = [f"vl_half_to_float(q[{k}])" for k in range(n)]
                emit(f, name + suffix, [("ulong", "i"), (f"const {space} half *", "p")],
                     f"const {space} ushort *q = (const {space} ushort *)p + i * {stride}; " + (build("float", n, parts)))


def half_stores(t):
    for n in [1] + VECTORS:
        f, suffix = vec(t, n), "" if n == 1 else str(n)
        for space in SPACES:
            for mode, number in (("", 0), ("_rte", 0), ("_rtz", 1), ("_rtp", 2), ("_rtn", 3)):
                for name, stride in (("vstore_half", n), ("vstorea_half", 4 if n == 3 else n)):
                    stores = " ".join(f"q[{k}] = vl_{t}_to_half({'a' if n == 1 else f'a.s{LANES[k]}'}, {number});" for k in range(n))
                    emit("void", name + suffix + mode, [(f, "a"), ("ulong", "i"), (f"{space} half *", "p")],
                         f"{space} ushort *q = ({space} ushort *)p + i * {stride}; {stores}")


def group_copies(types):
    # A copy by the whole group: each thread takes every n-th element from its linear index on.
    loop = ("ulong step = get_local_size(0) * get_local_size(1) * get_local_size(2); "
            "for (ulong i = get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2)); i < n; i += step) ")
    for t in types:
        for n in [1] + VECTORS:
            v = vec(t, n)
            for to, source in (("__local", "__global"), ("__global", "__local")):
                emit("event_t", "async_work_group_copy", [(f"{to} {v} *", "d"), (f"const {source} {v} *", "s"), ("ulong", "n"), ("event_t", "e")],
                     loop + "d[i] = s[i]; return e;")
                index = "d[i] = s[i * stride]" if to == "__local" else "d[i * stride] = s[i]"
                emit("event_t", "async_work_group_strided_copy",
                     [(f"{to} {v} *", "d"), (f"const {source} {v} *", "s"), ("ulong", "n"), ("ulong", "stride"), ("event_t", "e")], loop + index + "; return e;")
            # Never a load: `lw zero` does not wait, but faults like any load, and a hint past the end of memory must not (docs/kernels.md).
            emit("void", "prefetch", [(f"const __global {v} *", "p"), ("ulong", "n")], "")


def shuffles(types):
    for t in types:
        mask = UNSIGNED_OF[t]
        for n in (2, 4, 8, 16):
            for m in (2, 4, 8, 16):
                parts = [f"x[i.s{LANES[k]} & {m - 1}]" for k in range(n)]
                emit(f"{t}{n}", "shuffle", [(f"{t}{m}", "x"), (f"{mask}{n}", "i")], build(t, n, parts))
                parts = [f"(i.s{LANES[k]} & {m} ? y : x)[i.s{LANES[k]} & {m - 1}]" for k in range(n)]
                emit(f"{t}{n}", "shuffle2", [(f"{t}{m}", "x"), (f"{t}{m}", "y"), (f"{mask}{n}", "i")], build(t, n, parts))


# ---------------------------------------------------------------------------------------------------- atomics
def atomics():
    """Relaxed: one AMO instruction each (OpenCL 1.2 atomics order nothing else)."""
    for space in ("__global", "__local"):
        for t in ("int", "uint", "long", "ulong"):
            p = (f"volatile {space} {t} *", "p")
            for prefix in ("atom_", "atomic_") if BITS[t] == 32 else ("atom_",):
                for op in ("add", "sub", "and", "or", "xor", "min", "max"):
                    emit(t, prefix + op, [p, (t, "v")], f"return __atomic_fetch_{op}(p, v, __ATOMIC_RELAXED);")
                emit(t, prefix + "inc", [p], f"return __atomic_fetch_add(p, ({t})1, __ATOMIC_RELAXED);")
                emit(t, prefix + "dec", [p], f"return __atomic_fetch_sub(p, ({t})1, __ATOMIC_RELAXED);")
                emit(t, prefix + "xchg", [p, (t, "v")], "return __atomic_exchange_n(p, v, __ATOMIC_RELAXED);")
                emit(t, prefix + "cmpxchg", [p, (t, "expected"), (t, "v")],
                     "__atomic_compare_exchange_n(p, &expected, v, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED); return expected;")
        for name in ("atom_xchg", "atomic_xchg"):
            emit("float", name, [(f"volatile {space} float *", "p"), ("float", "v")],
                 f"return as_float(__atomic_exchange_n((volatile {space} int *)p, as_int(v), __ATOMIC_RELAXED));")


def main():
    kind, path = sys.argv[1:3]
    out.append("/* Generated by sw/device/builtins.py. */")
    out.append("#include <opencl-c-base.h>")
    out.append("#define FN __attribute__((overloadable, always_inline))")
    for t in ("int", "uint", "long", "ulong"):
        # a 32-bit result of fcvt is sign-extended: read the register as a long
        out.append(f"typedef {'long' if t in SIGNED else 'ulong'} t_{t};")
    for name in ("get_local_id", "get_local_size"):
        declare("ulong", name, ["uint"])
    types = TYPES if kind == "float" else ["double"]
    if kind == "float":
        integers()
        any_all()
    else:
        out.append("long vl_double_to_signed(double, int, int);\nulong vl_double_to_unsigned(double, int, int);\ndouble vl_double_of_signed(long, int);\n"
                   "double vl_double_of_unsigned(ulong, int);\nfloat vl_double_to_float(double, int);\nushort vl_double_to_half(double, int);")
        for n in VECTORS[:3]:
            declare("int", "any", [f"long{n}"])
    comparisons(kind)
    selections(types)
    floats(kind)
    geometry(kind)
    if kind == "float":
        conversions()
        half_loads()
        atomics()
    else:
        double_conversions()
    loads_and_stores(types)
    half_stores(kind)
    group_copies(types)
    shuffles(types)
    with open(path, "w") as f:
        f.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
