"""The overloads of OpenCL C 1.2 builtins, read from clang's own header: the list that the library is held against."""
import re
import subprocess
import sys

EXTENSIONS = ("-cl-ext=-all,+cl_khr_global_int32_base_atomics,+cl_khr_global_int32_extended_atomics,+cl_khr_local_int32_base_atomics,"
              "+cl_khr_local_int32_extended_atomics,+cl_khr_byte_addressable_store,+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics,+cl_khr_fp64")
TARGET = ["--target=riscv64-unknown-elf", "-mabi=lp64", "-ffreestanding", "-x", "cl", "-cl-std=CL1.2", "-Xclang", "-ffake-address-space-map", "-Xclang", EXTENSIONS]
BITS = {"char": 8, "uchar": 8, "short": 16, "ushort": 16, "int": 32, "uint": 32, "long": 64, "ulong": 64, "size_t": 64, "float": 32, "double": 64}
SPACES = ("__global", "__local", "__constant", "__private")


class Type:
    """base is a scalar type, n the vector size; pointers have a space."""

    def __init__(self, text):
        words = text.replace("*", " * ").split()
        self.text = " ".join(words)
        self.pointer = "*" in words
        self.space = next((w for w in words if w in SPACES), "__private" if self.pointer else None)
        self.const = "const" in words
        name = [w for w in words if w not in SPACES and w not in ("const", "volatile", "*")]
        name = " ".join(name)
        name = {"cl_mem_fence_flags": "uint", "size_t": "ulong"}.get(name, name)
        m = re.fullmatch(r"([a-z_]+?)(2|3|4|8|16)?", name)
        if not m:
            raise SystemExit(f"overloads.py: what type is '{text}'?")
        self.base = m.group(1)
        self.n = int(m.group(2) or 1)
        self.value = name

    def known(self):
        return self.base in BITS or self.base in ("void", "event_t", "half")


class Overload:
    def __init__(self, ret, name, params):
        self.ret, self.name, self.params = ret, name, params

    def __str__(self):
        return f"{self.ret.text} {self.name}({', '.join(p.text for p in self.params)})"

    def largest(self):
        return max([self.ret.n] + [p.n for p in self.params])


def parameter(text):
    """Drops a parameter's name, if the header gives one."""
    words = text.replace("*", " * ").split()
    if len(words) > 1 and words[-1] != "*" and not Type(words[-1]).known():
        words = words[:-1]
    elif len(words) > 1 and words[-1] in ("event",):
        words = words[:-1]
    return Type(" ".join(words))


def read(kind, clang="clang-19"):
    """kind: "double" for the overloads that have a double, "float" for the others."""
    text = subprocess.run([clang, *TARGET, "-cl-no-stdinc", "-E", "-P", "-"], input="#include <opencl-c.h>\n", capture_output=True, text=True, check=True).stdout
    found = {}
    for statement in re.sub(r"^#.*$", "", text, flags=re.M).split(";"):
        statement = " ".join(statement.split())
        if "overloadable" not in statement:
            continue
        statement = re.sub(r"__attribute__\(\([^)]*(\([^)]*\))?[^)]*\)\)", " ", statement)
        m = re.fullmatch(r"\s*(.*?)\s*\b([a-z_][a-z_0-9]*)\s*\((.*)\)\s*", statement)
        if not m or "image" in statement or "sampler" in statement:
            continue
        params = [] if m.group(3).strip() in ("", "void") else [parameter(p) for p in m.group(3).split(",")]
        o = Overload(Type(m.group(1)), m.group(2), params)
        if all(t.known() for t in [o.ret] + params):
            if any(t.base == "double" for t in [o.ret] + params) == (kind == "double"):
                found[str(o)] = o
        else:
            raise SystemExit(f"overloads.py: what is {o}?")
    return list(found.values())


if __name__ == "__main__":
    for overload in read(sys.argv[1]):
        print(overload)
