#!/usr/bin/env python3
"""Takes the scalar functions of float or double out of Debian's libclc and turns them into code for our target.

    libclc.py LLVM_SUFFIX float|double libclc.bc OUT.ll

The input is the nvptx64 library: of all libclc targets it assumes least (no target intrinsics in these functions). Only the functions of
the table are taken, with what they call; layout, triple and target attributes are dropped, so that each function takes those of the kernel
that it is inlined into. Its vector functions are never used: vectors are passed otherwise on that target. Functions of double are calls, not inlined:
each of their operations is a call already (double.c), and one has a hundred of them.
"""
import re
import subprocess
import sys

F, I = "float", "int"
FUNCTIONS = {name: (F, [F]) for name in
             "acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt cos cosh erf erfc expm1 lgamma log log10 log1p log2 logb sin sinh tan tanh".split()}
FUNCTIONS.update({name: (F, [F, F]) for name in "atan2 atan2pi hypot maxmag minmag pow powr".split()})
FUNCTIONS.update({name: (F, [F, I]) for name in "pown rootn".split()})
FUNCTIONS.update({"ilogb": (I, [F]), "frexp": (F, [F, "__private int *"]), "lgamma_r": (F, [F, "__private int *"])})
RENAMED = {"erfc": "vl_erfc", "rootn": "vl_rootn"}  # special.cl wraps these

D = "double"
DOUBLES = {name: (D, [D]) for name in "acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt cos cosh cospi erf erfc exp exp2 exp10 expm1 lgamma log log10 log1p log2 "
           "sin sinh sinpi tan tanh tanpi".split()}
DOUBLES.update({name: (D, [D, D]) for name in "atan2 atan2pi hypot pow powr".split()})
DOUBLES.update({name: (D, [D, I]) for name in "pown rootn".split()})
DOUBLES.update({"lgamma_r": (D, [D, "__private int *"])})
DOUBLES_RENAMED = {name: "vl_" + name for name in "atan atanpi cospi erf expm1 sin sinpi tan tanpi".split()}  # double.cl wraps these

LAYOUT = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
PRIVATE = {"Pi": "PU9CLprivatei"}  # a private pointer is unqualified there and qualified here


def mangled(name, types):
    code = {F: "f", D: "d", I: "i", "__private int *": "Pi"}
    return f"_Z{len(name)}{name}" + "".join(code[t] for t in types)


def main():
    suffix, kind, source, target = sys.argv[1:5]
    functions, renamed = (FUNCTIONS, RENAMED) if kind == F else (DOUBLES, DOUBLES_RENAMED)
    symbols = [mangled(name, types) for name, (_, types) in functions.items()]
    command = ["llvm-extract" + suffix, "--recursive", *("--func=" + s for s in symbols), "-S", source, "-o", "-"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    tables = re.findall(r"^@(\S+) = external", text, flags=re.M)
    command[2:2] = ["--glob=" + t for t in tables]  # llvm-extract follows calls, but not the uses of data
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    text = re.sub(r'^target datalayout = .*$', f'target datalayout = "{LAYOUT}"', text, flags=re.M)
    text = re.sub(r'^target triple = .*$', 'target triple = "riscv64-unknown-unknown-elf"', text, flags=re.M)
    text = re.sub(r' "target-(features|cpu)"="[^"]*"', "", text)
    text = re.sub(r"\bconvergent ", "", text)
    text = re.sub(r"^!(llvm\.ident|llvm\.module\.flags) = .*\n", "", text, flags=re.M)
    for name, (_, types) in functions.items():
        if types[-1] == "__private int *":
            old = mangled(name, types)
            text = re.sub(re.escape("@" + old) + r"\b", "@" + old[:-2] + PRIVATE["Pi"], text)
    for name, new in renamed.items():
        text = re.sub(re.escape("@" + mangled(name, functions[name][1])) + r"\b", "@" + mangled(new, functions[name][1]), text)
        symbols = [mangled(new, functions[name][1]) if s == mangled(name, functions[name][1]) else s for s in symbols]
    missing = [s for s in symbols if f"@{s[:-2] + PRIVATE['Pi'] if s.endswith('Pi') else s}(" not in text]
    if missing:
        sys.exit(f"libclc.py: not in {source}: {' '.join(missing)}")
    if kind == F and re.search(r"\bdouble\b", text):
        sys.exit("libclc.py: a function of float needs double precision, which the machine does not have")
    if kind == D:
        text = re.sub(r"\balwaysinline\b", "noinline", text).replace(' "frame-pointer"="all"', "")
        text = re.sub(r"^(@PIBITS_TBL = .*), align 1$", r"\1, align 16", text, flags=re.M)  # read in pieces of 16 bytes, which have to be aligned
    with open(target, "w") as f:
        f.write(text)


if __name__ == "__main__":
    main()
