"""Reads a kernel image by itself (no libelf, nothing of the loader): sections, symbols, notes, text. check(path) gives the list of errors."""
import struct

EXIT, BARRIER, RET, CSRR_SP = 0x0000000b, 0x0010000b, 0x00008067, 0xccd02173
APERTURE = 0x30000000


class Image:
    def __init__(self, path):
        with open(path, "rb") as f:
            self.data = d = f.read()
        assert d[:7] == b"\x7fELF\x02\x01\x01", "not an ELF64, little-endian"
        (self.type, self.machine, _, _, phoff, shoff, self.flags, _, phsize, phnum, shsize, shnum, names) = struct.unpack_from("<HHIQQQIHHHHHH", d, 16)
        self.segments = [struct.unpack_from("<IIQQQQQQ", d, phoff + i * phsize) for i in range(phnum)]  # type flags offset vaddr paddr filesz memsz align
        raw = [struct.unpack_from("<IIQQQQIIQQ", d, shoff + i * shsize) for i in range(shnum)]
        text = lambda table, at: d[raw[table][4] + at:d.index(b"\0", raw[table][4] + at)].decode()
        self.sections = {text(names, s[0]): s for s in raw}
        self.symbols = {}
        for s in raw:
            if s[1] == 2:
                for at in range(s[4], s[4] + s[5], 24):
                    name, info, other, index, value, size = struct.unpack_from("<IBBHQQ", d, at)
                    self.symbols[text(s[6], name)] = (value, size, index)
        self.kernels = {}
        self.compiler = None
        if ".note.vellum" in self.sections:
            self.read_notes()

    def content(self, name):
        s = self.sections[name]
        return self.data[s[4]:s[4] + s[5]]

    def read_notes(self):
        d, at = self.content(".note.vellum"), 0
        while at < len(d):
            namesz, descsz, kind = struct.unpack_from("<III", d, at)
            assert d[at + 12:at + 12 + namesz] == b"Vellum\0"
            start = at + 12 + (namesz + 3) // 4 * 4
            desc = d[start:start + descsz]
            at = start + (descsz + 3) // 4 * 4
            if kind == 2:
                self.compiler = desc.split(b"\0")[:2]
                continue
            string = lambda o: desc[o:desc.index(b"\0", o)].decode()
            version, flags, entry, local, stack, x, y, z, n, end, name = struct.unpack_from("<IIQIIIIIIII", desc, 0)
            args = []
            for i in range(n):
                a = struct.unpack_from("<6I", desc, 0x30 + 24 * i)
                args.append((string(a[0]), string(a[1]), a[2] & 0xff) + a[3:] + (a[2] >> 8,))
            self.kernels[string(name)] = dict(version=version, flags=flags, entry=entry, local=local, stack=stack, reqd=(x, y, z), end=end, args=args)

    def words(self, address, size):
        s = self.sections[".text"]
        at = s[4] + address - s[3]
        return struct.unpack_from(f"<{size // 4}I", self.data, at)


def check(path):
    """What every image must satisfy (docs/abi.md, docs/kernels.md)."""
    wrong = []
    m = Image(path)
    say = wrong.append
    if (m.type, m.machine, m.flags) != (2, 243, 0):
        say(f"type {m.type}, machine {m.machine}, flags {m.flags:#x}")
    if not m.kernels:
        say("no kernels")
    if not m.compiler:
        say("no compiler note")
    for t, flags, offset, address, _, filesz, memsz, _ in m.segments:
        if t == 1:
            if flags not in (5, 4, 6):
                say(f"segment at {address:#x} has flags {flags}")
            if not 0x10000000 <= address <= address + memsz <= 0x30000000:
                say(f"segment at {address:#x} is outside of the image")
            if address % 4096:
                say(f"segment at {address:#x} does not begin a page")
    text = m.sections[".text"]
    for w in struct.unpack(f"<{text[5] // 4}I", m.content(".text")):
        if w & 0x7f == 0x67 and w != RET:
            say(f"indirect jump {w:#010x}")
        if w & 0x707f == 0x0b and w not in (EXIT, BARRIER, 0x0020000b):
            say(f"unknown custom instruction {w:#010x}")
        if w & 3 != 3:
            say(f"compressed instruction {w:#06x}")
    for name, k in m.kernels.items():
        value, size, _ = m.symbols.get(f"__vellum_entry_{name}", (0, 0, 0))
        if value != k["entry"] or not text[3] <= value < text[3] + text[5]:
            say(f"{name}: entry {k['entry']:#x}, symbol {value:#x}")
            continue
        w = m.words(value, size)
        if k["stack"] and w[0] != CSRR_SP:
            say(f"{name}: has a stack and does not begin with csrr sp")
        if CSRR_SP in w[1:]:
            say(f"{name}: csrr sp not at the entry")
        if w.count(EXIT) != 1:
            say(f"{name}: {w.count(EXIT)} exits")
        if RET in w:
            say(f"{name}: returns")
        offset = 0x80
        for arg, kind_name, kind, bytes_, align, at, qualifiers in k["args"]:
            offset = (offset + align - 1) // align * align
            if at != offset or not bytes_ or align & (align - 1) or kind > 3 or (kind and (bytes_, align) != (8, 8)):
                say(f"{name}: argument {arg} at {at:#x}, expected {offset:#x}")
            if qualifiers > (7 if kind else 0):
                say(f"{name}: argument {arg} has qualifiers {qualifiers:#x}")
            offset = at + bytes_
        if k["end"] != offset or k["version"] != 1 or k["stack"] % 16:
            say(f"{name}: end {k['end']:#x}, stack {k['stack']}")
    for name, s in m.sections.items():
        if name.startswith(".vl_local") and (s[3] != APERTURE or s[1] != 8):
            say(f"{name} is at {s[3]:#x}")
        if name.startswith((".bss.", ".vellum")):
            say(f"section {name} is left over")
    return wrong
