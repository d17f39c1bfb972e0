#!/usr/bin/env python3
"""The command `vellum cc`: images of good sources, and messages for bad ones. test.py COMMAND [NAME...]; COMMAND is a program, e.g. build/vellum-cc."""
import glob
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import image

COMMAND = [os.path.abspath(sys.argv[1].split()[0])] + sys.argv[1].split()[1:]
TESTS = []


def test(f):
    TESTS.append(f)
    return f


class Failure(Exception):
    pass


def want(condition, message):
    if not condition:
        raise Failure(message)


def cc(*arguments, status=0, error=None, env=None):
    """Runs it in the current directory. status and error (a text in the messages) are the expected results."""
    before = set(os.listdir("."))
    temporary = tempfile.mkdtemp(dir="..")
    r = subprocess.run(COMMAND + list(arguments), capture_output=True, text=True, stdin=subprocess.DEVNULL, env={**os.environ, "TMPDIR": temporary, **(env or {})})
    left = os.listdir(temporary)
    shutil.rmtree(temporary)
    want(r.returncode == status, f"status {r.returncode} instead of {status}: {r.stderr}")
    want(not left, f"left in the temporary directory: {left}")
    want(error is None or error in r.stderr, f"'{error}' is not in: {r.stderr}")
    if status == 2:
        want(r.stderr.startswith("vellum cc: ") and r.stderr.count("\n") == 1, f"not one clear line: {r.stderr!r}")
    if status:
        new = set(os.listdir(".")) - before
        want(not new, f"left behind: {new}")
    return r


def write(name, text):
    with open(name, "w") as f:
        f.write(text)


def compiled(name, text, *options):
    write(name, text)
    cc(name, "-o", "k.elf", *options)
    wrong = image.check("k.elf")
    want(not wrong, "; ".join(wrong))
    return image.Image("k.elf")


VECADD = "__kernel void vecadd(__global const float *a, __global const float *b, __global float *c, uint n)\n{\n    size_t i = get_global_id(0);\n    if (i < n)\n        c[i] = a[i] + b[i];\n}\n"


# ----------------------------------------------------------------------------------------------------------- good sources
@test
def arguments_are_described_with_type_kind_and_place():
    k = compiled("a.cl", """
typedef struct { char c; float f; ulong u; } pair_t;
typedef float real;
enum choice { one, two };
__kernel __attribute__((reqd_work_group_size(8, 4, 2)))
void k(char c, float3 v, __global const volatile int *restrict g, __constant float *k, __local uchar4 *l, pair_t p, real r, ulong16 w, enum choice e, uchar last)
{
    g == 0 ? 0 : (l[0].x = c + last + e + w.sf + r + p.u + v.z + k[0] + g[0]);
}
__kernel void none(void) { }
""").kernels
    want(set(k) == {"k", "none"}, f"kernels {set(k)}")
    want(k["k"]["reqd"] == (8, 4, 2) and k["none"]["reqd"] == (0, 0, 0), "reqd_work_group_size")
    want(k["none"]["args"] == [] and k["none"]["end"] == 0x80, "kernel without arguments")
    want([a[0] for a in k["k"]["args"]] == "c v g k l p r w e last".split(), "names")
    got = [(a[1], a[2], a[3], a[4], a[5]) for a in k["k"]["args"]]
    expect = [("char", 0, 1, 1, 0x80), ("float3", 0, 16, 16, 0x90), ("int*", 1, 8, 8, 0xa0), ("float*", 2, 8, 8, 0xa8), ("uchar4*", 3, 8, 8, 0xb0), ("pair_t", 0, 16, 8, 0xb8),
              ("real", 0, 4, 4, 0xc8), ("ulong16", 0, 128, 128, 0x100), ("enum choice", 0, 4, 4, 0x180), ("uchar", 0, 1, 1, 0x184)]
    want(got == expect, f"{got}")
    got = [a[6] for a in k["k"]["args"]]    # 1 const, 2 restrict, 4 volatile
    want(got == [0, 0, 7, 1, 0, 0, 0, 0, 0, 0], f"qualifiers {got}")


@test
def local_arrays_lie_in_the_aperture_and_kernels_overlay():
    m = compiled("a.cl", """
__kernel void first(__global int *p) { __local int a[10]; __local long b[3]; a[p[0]] = 1; b[p[1]] = 2; barrier(1); p[2] = a[p[3]] + b[p[4]]; }
__kernel void second(__global int *p) { __local char c[100]; c[p[0]] = 1; barrier(1); p[2] = c[p[3]]; }
__kernel void third(__global int *p) { p[get_local_id(0)] = 1; }
""")
    k = m.kernels
    want((k["first"]["local"], k["second"]["local"], k["third"]["local"]) == (64, 100, 0), f"sizes {[v['local'] for v in k.values()]}")
    want([v["flags"] for v in k.values()] == [1, 1, 0], "barrier flags")
    want(sum(n.startswith(".vl_local") for n in m.sections) == 2, "one section a kernel")


@test
def a_kernel_that_calls_a_kernel_has_the_local_arrays_of_both():
    k = compiled("a.cl", """
__kernel void inner(__global int *p) { __local int a[4]; a[p[0]] = 1; barrier(1); p[1] = a[p[2]]; }
__kernel void outer(__global int *p) { __local int b[8]; b[p[0]] = 1; inner(p); barrier(1); p[1] = b[p[2]]; }
__kernel void other(__global int *p) { __local int c[2]; c[p[0]] = 1; barrier(1); p[1] = c[p[2]]; }
""").kernels
    want(k["outer"]["local"] == 48 and k["inner"]["local"] == 48, f"{k['outer']['local']}")
    want(k["other"]["local"] == 8, "an unrelated kernel")


@test
def program_scope_tables_and_constants_are_in_the_image():
    m = compiled("a.cl", "__constant int table[4] = {1, 2, 3, 4};\n__kernel void k(__global int *p) { p[0] = table[p[1] & 3]; }\n")
    want(".rodata" in m.sections and m.kernels["k"]["local"] == 0, "table")


@test
def private_stack_is_counted_over_calls():
    k = compiled("a.cl", """
__attribute__((noinline)) int leaf(__global int *p) { int a[64]; for (int i = 0; i < 64; i++) a[i] = p[i]; return a[p[70] & 63]; }
__attribute__((noinline)) int middle(__global int *p) { int a[16]; for (int i = 0; i < 16; i++) a[i] = p[i]; return a[p[70] & 15] + leaf(p); }
__kernel void deep(__global int *p) { int a[32]; for (int i = 0; i < 32; i++) a[i] = p[i] * 3; p[0] = middle(p) + a[p[71] & 31]; }
__kernel void flat(__global int *p) { p[get_global_id(0)] += 1; }
""").kernels
    want(256 + 64 + 128 <= k["deep"]["stack"] <= 256 + 64 + 128 + 256, f"{k['deep']['stack']}")
    want(k["flat"]["stack"] == 0, "a kernel without stack")


@test
def registers_are_not_saved_in_the_entry():
    text = "__kernel void k(__global float *p) { float s = 0; " + "".join(f"float v{i} = p[{i}]; " for i in range(20)) + "for (int i = 0; i < p[99]; i++) { " + \
        "".join(f"v{i} = v{i} * v{(i + 1) % 20} + s; " for i in range(20)) + "s += 1; } " + "".join(f"p[{i}] = v{i}; " for i in range(20)) + "}\n"
    m = compiled("a.cl", text)
    w = m.words(m.kernels["k"]["entry"], m.symbols["__vellum_entry_k"][1])
    saves = [x for x in w[:20] if x & 0x707f == 0x3023 and x >> 15 & 31 == 2]  # sd ..(sp)
    want(not saves and m.kernels["k"]["stack"] == 0, f"{len(saves)} saves")


@test
def no_stack_is_seen_where_an_instruction_has_its_number():
    """fcvt.s.l has 2, the number of sp, where others have their second register."""
    k = compiled("long.cl", "__kernel void k(__global const long *in, __global float *out) { size_t i = get_global_id(0); out[i] = (float)in[i]; }\n").kernels["k"]
    want(k["stack"] == 0, f"stack {k['stack']}")


@test
def compare_and_swap_is_one_instruction():
    m = compiled("a.cl", "__kernel void k(volatile __global int *p, volatile __global ulong *q) { atomic_cmpxchg(p, 1, 2); p[1] = atomic_cmpxchg(p, 3, p[4]); q[1] = atom_cmpxchg(q, 5, 6); }\n")
    w = m.words(m.kernels["k"]["entry"], m.symbols["__vellum_entry_k"][1])
    want(sum(x & 0xf800707f == 0x2800202f for x in w) == 2 and sum(x & 0xf800707f == 0x2800302f for x in w) == 1, "amocas")
    want(not any(x & 0xf800007f == 0x1800002f for x in w) and sum(x & 0xf800007f == 0x1000002f for x in w) == 1, "LR and SC, but for p[4]")


@test
def c_kernels():
    m = compiled("a.c", """
#include "vellum.h"
typedef struct { float x, y; } point_t;
VL_LOCAL float tile[64];
VL_LOCAL int counts[4][4], more;
static int twice(int v) { static int calls; calls++; return 2 * v + calls; }
int initialised = 5;
VL_KERNEL void k(const float *restrict in, float *out, VL_LOCAL_ARG int *scratch, point_t p, const unsigned n, float (*rows)[4])
{
    unsigned i = vl_global_id(0), l = vl_local_id(0);
    tile[l] = in[i];
    counts[l & 3][l >> 2 & 3] = twice(l);
    scratch[l] = initialised++;
    vl_barrier();
    if (i < n)
        out[i] = tile[l ^ 1] * p.x + sinf(p.y) + counts[1][2] + scratch[l ^ 1] + more + rows[i][2];
    __atomic_fetch_add((int *)out, 1, __ATOMIC_RELAXED);
}
VL_KERNEL void other(int n) { if (n) more = 1; }
""")
    k = m.kernels["k"]
    want([a[2] for a in k["args"]] == [1, 1, 3, 0, 0, 1], f"{k['args']}")
    want([a[3:6] for a in k["args"]] == [(8, 8, 0x80), (8, 8, 0x88), (8, 8, 0x90), (8, 4, 0x98), (4, 4, 0xa0), (8, 8, 0xa8)], f"{k['args']}")
    want(k["local"] == 256 + 64 + 4 and k["flags"] == 1, f"local {k['local']}")
    want(".bss" in m.sections and m.sections[".bss"][5] == 4, "a function's static variable is ordinary memory")
    want(".data" in m.sections, "initialised data")
    want(m.kernels["other"]["local"] == k["local"], "kernels that share a local array have one layout")


@test
def a_local_scalar_is_no_register():
    for name, text in (("a.c", '#include "vellum.h"\nVL_LOCAL int shared;\nVL_KERNEL void k(int *p) { if (vl_local_id(0) == 0) shared = p[0]; vl_barrier(); p[vl_global_id(0)] = shared; }\n'),
                       ("a.cl", "__kernel void k(__global int *p) { __local int shared; if (get_local_id(0) == 0) shared = p[0]; barrier(1); p[get_global_id(0)] = shared; }\n")):
        k = compiled(name, text).kernels["k"]
        want(k["local"] == 4, f"{name}: {k['local']} bytes")


@test
def memcpy_of_a_large_struct_is_linked():
    m = compiled("a.cl", "typedef struct { int a[200]; } big_t;\n__kernel void k(__global big_t *a, __global big_t *b) { *a = *b; }\n")
    want(m.kernels["k"]["stack"] == 0 or m.kernels["k"]["stack"] % 16 == 0, "stack")


@test
def options_reach_the_compiler():
    os.makedirs("inc/deep", exist_ok=True)
    write("inc/deep/h.h", "#define VALUE 7\n")
    m = compiled("a.cl", '#include "h.h"\n#if N != 3 || VALUE != 7 || defined(GONE)\n#error no\n#endif\n' + VECADD, "-DN=3", "-D", "GONE=1", "-UGONE", "-I", "inc/deep", "-O1", "-g", "-Wall", "-cl-mad-enable")
    want(b"-O1" in m.compiler[1] and b"-DN=3" in m.compiler[1] and b"clang version" in m.compiler[0], f"{m.compiler}")
    for level in "0123s":
        compiled("a.cl", VECADD, "-O", level)


@test
def every_option_builds():
    """Kernels with all that the generated text has: arguments of each kind, none, local arrays, printf."""
    kernels = "typedef struct { int a; float4 b; } s_t;\nint h(int x) { return x + 1; }\n__kernel void none(void) { }\n" \
        "__kernel void k(__global int *a, s_t s, __local float *l, __constant int *c)\n{\n  __local int t[4];\n  t[get_local_id(0) & 3] = h(s.a);\n  barrier(CLK_LOCAL_MEM_FENCE);\n" \
        "  a[0] = t[1] + c[0] + (int)(s.b.x * l[0]);\n#if __OPENCL_C_VERSION__ >= 120\n  printf(\"%d\", a[0]);\n#endif\n}\n"
    for options in ["-cl-std=CL1.0 -cl-mad-enable -cl-no-signed-zeros -cl-denorms-are-zero -O0", "-cl-std=CL1.1 -cl-unsafe-math-optimizations -cl-finite-math-only -cl-opt-disable -O1 -Werror",
                    "-cl-std=CL1.2 -cl-fast-relaxed-math -cl-strict-aliasing -cl-uniform-work-group-size -Os -g", "-std=CL1.1 -cl-single-precision-constant -fno-unroll-loops -Wall -w",
                    "-std=cl1.2 -cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info -W -Wextra -Wno-unused"]:
        compiled("a.cl", kernels, *options.split())
    write("a.cl", kernels)
    cc("-c", "a.cl", "-cl-std=CL1.1")
    cc("a.bc", "-o", "k.elf")
    for standard in ["c89", "c99", "gnu23"]:
        compiled("a.c", '#include "vellum.h"\nVL_LOCAL int t[4];\nVL_KERNEL void k(int *p, float f) { t[0] = f; vl_barrier(); p[vl_global_id(0)] = t[0]; printf("%d", p[0]); }\n', "-std=" + standard, "-Werror")


@test
def volatile_and_atomic_loads_of_global_memory_are_lr():
    """Every type of verif/sw/device-run/volatile.*, at each level, through the loop step and without; what loads remain read arguments."""
    def reserved(x):
        return x & 0xf9f0607f == 0x1000202f
    for source, want_lr in (("volatile.cl", {"copy": 165, "elsewhere": 0}), ("volatile.c", {"copy": 15, "atomic": 12, "elsewhere": 0})):
        shutil.copy(os.path.join(ROOT, "verif/sw/device-run", source), source)
        for level in ["-O0", "-O1 -g", "-O2"]:
            cc(source, "-o", "k.elf", *level.split())
            m = image.Image("k.elf")
            words = {k: m.words(v["entry"], m.symbols[f"__vellum_entry_{k}"][1]) for k, v in m.kernels.items()}
            got = {k: sum(map(reserved, words[k])) for k in want_lr}
            want(level == "-O0" or got == want_lr, f"{source} {level}: {got}")
            loads = sum(x & 0x7f == 3 for x in words["copy"])
            want(level == "-O0" or loads <= 4, f"{source} {level}: {loads} loads besides")
            everywhere = m.words(m.sections[".text"][3], m.sections[".text"][5])
            want(sum(map(reserved, everywhere)) >= sum(want_lr.values()) and not any(x & 0xf800607f == 0x1800202f for x in everywhere), f"{source} {level}: SC, or too few LR")


@test
def what_a_configuration_has_no_room_for_is_refused():
    source = "__kernel void k(__global int *p)\n{\n  __local char c[3]; __local int a[%d];\n  c[p[4]] = 1; a[p[2]] = p[0]; barrier(1);\n  p[1] = a[p[3]] + c[p[5]];\n}\n"
    spad = 16384
    k = compiled("a.cl", source % (spad // 4 - 1), "--config", "small").kernels["k"]
    want(k["local"] == spad, f"{k['local']} bytes")
    write("a.cl", source % (spad // 4))
    cc("a.cl", "--config=small", status=1, error=f"a.cl: kernel k has {spad + 4} bytes of __local arrays, and a core of small has {spad}")
    cc("a.cl", "--config", "opencl", "-o", "k.elf")
    cc("a.cl", "--config", "nosuch", status=2, error="no configuration 'nosuch'")
    cc("a.cl", "--config=", status=2, error="needs a value")
    cc("a.cl", "--config", status=2, error="needs a value")


@test
def debugging_information_is_that_of_the_source():
    source = "int twice(int x)\n{\n  return 2 * x;\n}\n" + VECADD + "__kernel void most(__global float *p, uint n)\n{\n  float most = 0;\n  for (uint i = 0; i < n; i++)\n    most = fmax(most, p[i]);\n  p[0] = twice(most);\n}\n"
    write("a.cl", source)
    r = cc("a.cl", "-g", "-o", "k.elf")
    want(not r.stderr, f"messages: {r.stderr}")
    debug = image.Image("k.elf")
    want(b"vellum-cc." not in debug.data, "names of temporary files")
    want({".debug_line", ".debug_info", ".debug_abbrev"} <= set(debug.sections), f"sections {list(debug.sections)}")
    plain = compiled("b.cl", source)
    want(plain.content(".text") == debug.content(".text"), "the code is another with -g")


@test
def includes_are_found_beside_the_source():
    os.makedirs("sub dir", exist_ok=True)
    write("sub dir/part.h", "float4 part(float4 x) { return exp(x); }\n")
    write("sub dir/a\"b.cl", '#include "part.h"\n__kernel void k(__global float4 *p) { p[0] = part(p[1]); }')
    cc('sub dir/a"b.cl', "-o", "k.elf")
    want(not image.check("k.elf"), "image")


@test
def odd_but_right_sources():
    write("bom.cl", "\ufeff" + VECADD)
    cc("bom.cl")
    write("crlf.cl", VECADD.replace("\n", "\r\n"))
    cc("crlf.cl")
    write("-dash.cl", VECADD + "// no newline \\")
    cc("--", "-dash.cl")
    want(os.path.exists("bom.elf") and os.path.exists("crlf.elf") and os.path.exists("-dash.elf"), "default names")


@test
def temporaries_are_kept_on_request_only():
    compiled("a.cl", VECADD, "--save-temps")
    want({"kernel.cl", "kernel.s", "kernel.o"} <= set(os.listdir("k.elf.temps")), "temporaries")


@test
def the_same_source_gives_the_same_image():
    write("a.cl", VECADD)
    cc("a.cl", "-o", "1.elf")
    cc("a.cl", "-o", "2.elf")
    want(open("1.elf", "rb").read() == open("2.elf", "rb").read(), "images differ")


@test
def warnings_are_shown_once():
    write("a.cl", "__kernel void k(__global int *p) { int unused; p[0] = 1; }\n")
    r = cc("a.cl", "-Wall", "-o", "k.elf")
    want(r.stderr.count("unused variable") == 1 and "a.cl:1:" in r.stderr, r.stderr)


@test
def the_projects_workloads_compile():
    for source in sorted(glob.glob(os.path.join(ROOT, "sw/workloads/*/*.cl"))):
        cc(source, "-o", "k.elf")
        wrong = image.check("k.elf")
        want(not wrong, f"{source}: {wrong}")


@test
def with_clang_22():
    if not shutil.which("clang-22"):
        return "clang-22 is not installed"
    write("a.cl", open(os.path.join(ROOT, "sw/workloads/mersenne_twister/mersenne_twister.cl")).read() + "__kernel void inner(__global int *p) { __local int a[4]; a[p[0]] = 1; barrier(1); p[1] = a[p[2]]; }\n"
          "__kernel void outer(__global int *p, float4 f) { inner(p); p[2] = atomic_cmpxchg(p, 1, 2); p[3] = sin(f).x; }\n")
    r = cc("a.cl", "--clang", "clang-22", "-o", "k.elf")
    want(not r.stderr, r.stderr)
    wrong = image.check("k.elf")
    want(not wrong, f"{wrong}")
    m = image.Image("k.elf")
    want(b"version 22" in m.compiler[0] and m.kernels["outer"]["local"] == 16, "compiler")
    write("a.c", '#include "vellum.h"\nVL_LOCAL int t[4];\nVL_KERNEL void k(float *p) { t[vl_local_id(0)] = 1; vl_barrier(); p[0] = expf(p[1]) + t[1]; }\n')
    cc("a.c", "--clang=clang-22", "-o", "k.elf")
    want(not image.check("k.elf"), "C")


# ----------------------------------------------------------------------------------------------------------- bad sources: status 1
@test
def a_syntax_error_keeps_name_and_line():
    write("a.cl", VECADD + "\n__kernel void k(int n)\n{\n    int x = ;\n}\n")
    cc("a.cl", status=1, error="a.cl:10:13: error:")
    os.makedirs("d", exist_ok=True)
    write("d/b.cl", "\n\nint f( { }\n")
    cc("d/b.cl", status=1, error="d/b.cl:3:")


@test
def a_failed_compilation_leaves_the_old_image():
    write("a.cl", VECADD)
    cc("a.cl")
    old = open("a.elf", "rb").read()
    write("a.cl", "broken")
    cc("a.cl", status=1)
    want(open("a.elf", "rb").read() == old, "the old image was touched")


@test
def double_is_linked_where_it_is_used():
    plain = compiled("a.cl", "__kernel void k(__global float *p) { p[0] = p[1] * 0.1f + p[2]; } /* double */\n")
    used = compiled("b.cl", "__kernel void k(__global double *p) { p[0] = p[1] * 0.1 + p[2]; }\n")
    want(not any(n.startswith("__") and n.endswith("df3") for n in plain.symbols), "a kernel without double has its arithmetic")
    want({"__muldf3", "__adddf3"} <= set(used.symbols) and "__divdf3" not in used.symbols, f"symbols {sorted(used.symbols)}")
    want(used.kernels["k"]["stack"], "calls need a stack")


@test
def constants_without_a_suffix_are_double_and_the_first_that_costs_is_told():
    def said(text, *options):
        write("a.cl", text)
        return cc("a.cl", "-o", "k.elf", *options).stderr.splitlines()
    def calls():
        return "__muldf3" in image.Image("k.elf").symbols
    kernel = "__kernel void k(__global float *p, float4 v) { float h = 0.5, w = 2 * 1e-3; p[0] += v.s0 * h + w + 1.f + 0x1p3f + p[1]%s; } // it's 0.5\n"
    want(said(kernel % " * 1.f") == [] and not calls(), "a constant that becomes a float costs nothing")
    for constant in ["1e3", "0x1p-30"]:
        got = said("\n#define C " + constant + "\n" + kernel % " + 2 * C * p[2]" + kernel.replace(" k(", " m(") % "* 0.7")
        want(len(got) == 1 and got[0].startswith("a.cl:3: note: an operation of double") and calls(), got)
    for operation in ["p[1] > 0.1", "sin(p[1] + 0.1)", "(int)p[2] * 0.1"]:
        want(len(said(kernel % (" + " + operation))) == 1, operation)
    write("h.h", "#define C 0.3\nfloat f(float x)\n{\n  return C * x;\n}\n")
    want(said('#include "h.h"\n' + kernel % "")[0].startswith("./h.h:4: note:"), "in a header")
    want(said(kernel % " * C", "-DC=2.5")[0].startswith("a.cl:1: note:"), "an option")
    want(said(kernel % " * 0.1", "-cl-single-precision-constant") == [] and not calls(), "single precision")
    want(said(kernel % " * 0.1", "-cl-single-precision-constant", "-DT=double") == [] and not calls(), "single precision, with double named")
    want(said(kernel % " * 0.1", "-w") == [] and calls(), "-w")
    want(said("/* double */" + kernel % " * 0.1") == [] and calls(), "who writes double knows it")
    want(said(kernel % '; printf("%f", p[0])') == [], "printf's conversion is none of these")
    write("a.cl", kernel % " * 0.1 +")
    want("note:" not in cc("a.cl", status=1).stderr, "of a source that does not compile")


@test
def what_the_loop_step_spoils_is_compiled_without_it_and_said():
    device = os.path.join(ROOT, "build/device")
    os.mkdir("device")
    for name in os.listdir(device):
        if name != "vellum-loops":
            os.symlink(os.path.join(device, name), os.path.join("device", name))
    text = "__kernel void k(__global int *p, int n) { for (int i = 0; i < n; i++) p[i] += i; }\n"
    write("a.cl", text)
    write("asm.cl", text.replace("p[i] += i", '__asm__("nonsense")'))
    for stub, why in [('echo garbage >"$2"', "(expected top-level entity)"), ('head -c 400 "$1" >"$2"', "(")]:
        write("device/vellum-loops", "#!/bin/sh\n" + stub + "\n")
        os.chmod("device/vellum-loops", 0o755)
        r = cc("a.cl", "-o", "k.elf", env={"VELLUM_DEVICE": "device"}, error="a.cl: warning: clang-19 did not take what the loop step made of it " + why)
        want(r.stderr.count("\n") == 1 and not image.check("k.elf"), r.stderr)
        want(not cc("a.cl", "-w", "-o", "k.elf", env={"VELLUM_DEVICE": "device"}).stderr, "-w")
    want(not cc("a.cl", "-o", "k.elf").stderr, "the step as it is")
    for env in [{}, {"VELLUM_DEVICE": "device"}]:
        want("loop step" not in cc("asm.cl", status=1, error="asm.cl:1", env=env).stderr, "it is the source that is wrong")
    write("device/vellum-loops", '#!/bin/sh\n: >"$2"\n')
    cc("a.cl", "-o", "x.elf", status=1, env={"VELLUM_DEVICE": "device"}, error="the object lacks the argument layout of kernel k")


@test
def a_function_of_opencl_c_defined_again_is_told():
    write("a.cl", "__attribute__((overloadable)) float sin(float x) { return x; }\n__attribute__((overloadable)) int sin(int x) { return x; }\nint cos(int x) { return x; }\n__kernel void k(__global float *p) { p[0] = sin(p[1]) + sin(1) + cos(2); }\n")
    r = cc("a.cl", "-o", "k.elf")
    want(r.stderr.count("\n") == 1 and r.stderr.startswith("a.cl: note: OpenCL C has a function sin with these arguments"), r.stderr)
    want(not cc("a.cl", "-w", "-o", "k.elf").stderr, "-w")


@test
def a_librarys_name_is_shared_by_objects():
    write("a.cl", "int memcpy(int a) { return a + 1; }\n")
    write("b.cl", "int memcpy(int a);\n__kernel void k(__global int *p) { p[0] = memcpy(p[1]); }\n")
    for name in "ab":
        cc("-c", "--no-kernels", "-w", name + ".cl", "-o", name + ".bc")
    cc("a.bc", "b.bc", "-o", "k.elf")


@test
def objects_are_linked():
    write("a.cl", "int twice(int x);\nstatic int mine(void) { return 1; }\n__kernel void k(__global int *p) { __local int l[4]; l[get_local_id(0) & 3] = mine(); barrier(CLK_LOCAL_MEM_FENCE); p[0] = twice(p[1]) + l[1]; }\n")
    write("b.cl", "static int mine(void) { return 2; }\nint twice(int x) { return x * mine(); }\n__kernel void m(__global int *p) { p[0] = twice(3); }\n")
    cc("-c", "a.cl")
    cc("-c", "-O1", "b.cl", "-o", "other.bc")
    cc("a.bc", "other.bc", "-o", "k.elf")
    want(not image.check("k.elf"), image.check("k.elf"))
    linked = image.Image("k.elf")
    want(sorted(linked.kernels) == ["k", "m"] and linked.kernels["k"]["local"] == 16, linked.kernels)
    want(not any("twice" in n for n in linked.symbols), "a function of another file is a call")
    cc("-c", "a.bc", "other.bc", "-o", "lib.bc")
    cc("lib.bc", "-o", "l.elf")
    want(image.Image("l.elf").content(".text") == linked.content(".text"), "a library is linked otherwise than what is in it")
    cc("a.bc", "-o", "x.elf", status=1, error="kernel k uses twice, which is not defined")
    cc("other.bc", "other.bc", "-o", "x.elf", status=1, error="twice")
    cc("a.cl", "other.bc", status=2, error="compiled with -c")
    cc("none.bc", status=2, error="cannot read none.bc")
    write("c.c", "int x;\n")
    cc("-c", "c.c", status=2, error="-c takes OpenCL C alone")
    write("bad.bc", "this is none")
    cc("bad.bc", "-o", "x.elf", status=1, error="error")


@test
def double_in_c_is_warned_of_where_it_is_not_written():
    write("a.c", '#include "vellum.h"\nVL_KERNEL void k(float *p, double *q, int n) { p[0] = p[0] * 1.5 + n; q[0] = sin(q[1]); }\n')
    r = cc("a.c", "-o", "k.elf", error="a.c:2:")
    want("increases floating-point precision" in r.stderr, r.stderr)
    want(not image.check("k.elf"), image.check("k.elf"))


def refused(name, source, error, label):
    def body():
        write(name, source)
        cc(name, status=1, error=error)
    body.__name__ = label
    TESTS.append(body)


refused("a.cl", "", "there is no kernel", "an_empty_file_is_refused")
refused("a.cl", "#ifdef cl_khr_fp16\n__kernel void k(__global half *p) { }\n#endif\n", "under #ifdef cl_khr_fp16 is left out", "an_extension_that_is_missing_is_named")
refused("a.cl", "int f(int x) { return x; }\n", "there is no kernel", "a_source_without_kernels_is_refused")
refused("a.c", "void k(int *p) { *p = 1; }\n", "VL_KERNEL", "a_c_source_without_kernels_is_refused")
refused("a.cl", "__kernel void k(__read_only image2d_t picture, __global int *p) { p[0] = 1; }\n", "argument 'picture': the device is one of OpenCL 1.2 that has no image2d_t", "images_are_refused")
refused("a.cl", "__kernel void k(sampler_t s, __global int *p) { p[0] = 1; }\n", "argument 's'", "samplers_are_refused")
refused("a.cl", "__kernel void k(__global int *p) { (printf)(\"%d\", p[0]); }\n", "taking address of function", "printf_in_parentheses_is_refused")
refused("a.c", '#include "vellum.h"\nVL_KERNEL void k(double *p) { p[0] = (double)((long double)p[0] * p[1] + p[2]); }\n', "more than double precision (__", "long_double_is_refused")
for word, source in (("half", "__kernel void k(__global half *p) { half h = p[0]; p[1] = h; }"), ("work_group_reduce_add", "__kernel void k(__global int *p) { p[0] = work_group_reduce_add(p[0]); }"),
                     ("to_global", "__kernel void k(__global int *p) { int *q = p; p[1] = *to_global(q); }"), ("pipe", "__kernel void k(read_only pipe int p) { }"),
                     ("read_imagef", "__constant sampler_t s = 0;\n__kernel void k(__global float4 *o) { o[0] = read_imagef(x, s, (int2)(0)); }"),
                     *((w, f"__kernel void k(__global int *p) {{ {c}; }}") for w, c in (("half4", "half4 h"), ("get_num_sub_groups", "p[0] = get_num_sub_groups()"), ("atomic_init", "atomic_int i; atomic_init(&i, 1)"),
                                                                                       ("sampler_t", "sampler_t s = 0"), ("get_enqueued_local_size", "p[0] = get_enqueued_local_size(0)"), ("ndrange_t", "ndrange_t n"))),
                     ("atomic_fetch_add_explicit", "__kernel void k(__global int *p) { atomic_fetch_add_explicit(p, 1, 0); }")):
    refused("a.cl", source, f": {word}: the device is one of OpenCL 1.2; this needs ", f"{word}_is_told_with_the_version")
refused("a.cl", "__kernel void k(__read_only image2d_t picture) { }\n", "the device is one of OpenCL 1.2 that has no image2d_t", "an_image_is_told_with_the_version")
refused("a.c", '#include "vellum.h"\n#pragma clang diagnostic ignored "-Watomic-alignment"\ntypedef unsigned __int128 u;\nVL_KERNEL void k(u *p, u *e) { __atomic_compare_exchange_n(p, e, 7, 0, 0, 0); }\n', "__atomic_compare_exchange_16",
        "a_16_byte_atomic_is_refused_by_name")
refused("a.cl", "int missing(int);\n__kernel void k(__global int *p) { p[0] = missing(1); }\n", "a.cl:2: kernel k uses missing, which is not defined", "an_undefined_function_is_named_with_its_line")
refused("a.c", '#include "vellum.h"\nint missing(int);\nVL_KERNEL void k(int *p)\n{\n  p[0] = missing(1);\n}\n', "a.c:5: kernel k uses missing, which is not defined", "so_it_is_in_c")
refused("a.cl", "__attribute__((noinline)) int f(__global int *p, int n) { return n ? p[f(p, n - 1)] + f(p, n - 2) : 1; }\n__kernel void k(__global int *p) { p[0] = f(p, p[1]); }\n", "a.cl:1: kernel k is recursive (f)",
        "recursion_is_refused")
refused("a.cl", "int g(__global int *p, int n);\nint f(__global int *p, int n)\n{\n  return n ? g(p, n - 1) + 1 : 2;\n}\nint g(__global int *p, int n)\n{\n  return p[f(p, n - 2)];\n}\n__kernel void k(__global int *p) { p[0] = f(p, p[1]); }\n", "a.cl:",
        "so_it_is_by_way_of_another_function")
refused("a.cl", "__kernel void k(__global int *p)\n{\n  __local int a[32768];\n  a[p[2]] = p[0]; barrier(1);\n  p[1] = a[p[3]];\n}\n", "kernel k has 131072 bytes of __local arrays, and no core has more than 65536", "more_local_memory_than_there_is_is_refused")
for word, line in (("generic", "generic int *q = p; p[0] = *q;"), ("image2d_t", "image2d_t x;"), ("atomic_fetch_add", "atomic_fetch_add(p, 1);"), ("enqueue_kernel", "enqueue_kernel(p);")):
    refused("a.cl", "__kernel void k(__global int *p)\n{\n  " + line + "\n}\n", f": {word}: the device is one of OpenCL 1.2; this needs ", f"{word}_is_refused_by_the_name_of_the_standard")
refused("a.c", '#include "vellum.h"\nint (*table[2])(int);\nVL_KERNEL void k(int *p) { p[0] = table[p[1] & 1](p[2]); }\n', "jumps through a pointer", "calls_through_pointers_are_refused")
refused("a.c", '#include "vellum.h"\nVL_KERNEL int k(int *p) { return *p; }\n', "must return void", "a_kernel_returns_void")
refused("a.c", '#include "vellum.h"\nVL_KERNEL void k(VL_LOCAL_ARG int n) { }\n', "no pointer", "a_local_argument_is_a_pointer")
refused("a.c", '#include "vellum.h"\nVL_KERNEL void k(int *p, int n) { int a[n]; for (int i = 0; i < n; i++) a[i] = p[i]; p[0] = a[p[1]]; }\n', "a.c:2:", "variable_length_arrays_are_refused")
refused("a.c", '#include "vellum.h"\nVL_KERNEL void k(void (*f)(int)) { f(1); }\n', "argument 'f'", "function_pointer_arguments_are_refused")
refused("a.cl", '#include "nowhere.h"\n' + VECADD, "a.cl:1:", "a_missing_include_is_shown")
refused("a.cl", "__kernel void k(__global int *p) { __asm__(\"nonsense %0\" :: \"r\"(p)); }\n", "a.cl:1", "bad_assembly_keeps_name_and_line")
refused("a.cl", "/* open", "unterminated", "an_open_comment_is_shown")


# ----------------------------------------------------------------------------------------------------------- wrong use: status 2, one line
def wrong_use(label, arguments, error, prepare=None):
    def body():
        write("a.cl", VECADD)
        if prepare:
            prepare()
        cc(*arguments, status=2, error=error)
    body.__name__ = label
    TESTS.append(body)


wrong_use("no_source", [], "no source file")
wrong_use("missing_file", ["nothere.cl"], "nothere.cl: No such file")
wrong_use("source_is_a_directory", ["d.cl"], "it is a directory", lambda: os.makedirs("d.cl", exist_ok=True))
wrong_use("source_is_a_pipe", ["p.cl"], "no ordinary file", lambda: os.mkfifo("p.cl"))
wrong_use("two_sources", ["a.cl", "b.cl"], "one source at a time: a.cl and b.cl")
wrong_use("unknown_kind_of_source", ["a.cpp"], "a.cpp: a source's name ends in")
wrong_use("unknown_option", ["--frobnicate", "a.cl"], "unknown option '--frobnicate'")
wrong_use("options_for_other_tools_do_not_pass", ["-Wl,-T,x", "a.cl"], "unknown option")
wrong_use("output_twice", ["-o", "1", "-o", "2", "a.cl"], "-o is given twice")
wrong_use("output_without_value", ["a.cl", "-o"], "-o needs a value")
wrong_use("output_empty", ["a.cl", "-o", ""], "-o has an empty value")
wrong_use("define_without_value", ["a.cl", "-D"], "-D needs a value")
wrong_use("bad_level", ["-O", "9", "a.cl"], "not '9'")
wrong_use("later_opencl", ["-cl-std=CL2.0", "a.cl"], "OpenCL C 1.0, 1.1 and 1.2")
wrong_use("later_opencl_by_std", ["-std=cl3.0", "a.cl"], "OpenCL C 1.0, 1.1 and 1.2")
wrong_use("level_without_value", ["a.cl", "-O"], "-O needs a value")
wrong_use("output_is_a_directory", ["-o", "out", "a.cl"], "it is a directory", lambda: os.makedirs("out", exist_ok=True))
wrong_use("output_in_a_missing_directory", ["-o", "no/such/k.elf", "a.cl"], "cannot write no/such/k.elf")
wrong_use("output_over_the_source", ["-o", "./a.cl", "a.cl"], "it is the source")
wrong_use("output_below_a_file", ["-o", "a.cl/k.elf", "a.cl"], "cannot write")
wrong_use("compiler_missing", ["--clang", "no-such-clang", "a.cl"], "cannot run no-such-clang")
wrong_use("compiler_is_none", ["--clang", "true", "a.cl"], "true is not a clang")
wrong_use("compiler_too_old", ["--clang", "./old", "a.cl"], "version 14", lambda: (write("old", "#!/bin/sh\necho clang version 14.0.6\n"), os.chmod("old", 0o755)))
wrong_use("compiler_twice", ["--clang", "clang-19", "--clang=clang-19", "a.cl"], "--clang is given twice")


@test
def a_full_disk_is_one_line_that_names_the_file():
    """The image's, and that of the temporary files, at several steps: the free space grows."""
    os.mkdir("disk")
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", "disk"], capture_output=True, check=False).returncode:
        return "no file system can be mounted here"
    try:
        write("a.cl", VECADD.replace("const float *a", "const volatile float *a"))
        for left, output, directory in ((0, "disk/k.elf", None), (4, "disk/k.elf", None), (0, "k.elf", "disk"), (8, "k.elf", "disk"), (24, "k.elf", "disk"), (40, "k.elf", "disk")):
            with open("disk/fill", "wb") as f:
                f.write(bytes((64 - left) * 1024))
            r = cc("a.cl", "-o", output, status=1, env={"TMPDIR": os.path.abspath(directory)} if directory else {})
            named = "disk/k.elf." if not directory else os.path.abspath("disk") + "/vellum-cc."
            want(r.stderr.startswith("vellum cc: cannot write " + named) and r.stderr.lower().endswith(": no space left on device\n") and r.stderr.count("\n") == 1, f"{left} KB left: {r.stderr[:500]}")
            want(os.listdir("disk") == ["fill"], f"left on the disk: {os.listdir('disk')}")
    finally:
        subprocess.run(["umount", "disk"], check=False)


@test
def help_is_no_error():
    r = cc("--help")
    want(r.stdout.startswith("usage: vellum cc") and not r.stderr, r.stdout)


@test
def the_device_library_must_be_there():
    write("a.cl", VECADD)
    cc("a.cl", status=1, env={"VELLUM_DEVICE": "/nonexistent"})


@test
def an_interrupt_leaves_nothing():
    write("a.cl", "".join(f"__kernel void k{i}(__global float16 *p) {{ p[0] = pow(sin(p[1]), exp(p[2])) + tan(p[3]); }}\n" for i in range(12)))
    os.makedirs("tmp", exist_ok=True)
    p = subprocess.Popen(COMMAND + ["a.cl", "-o", "k.elf"], stderr=subprocess.DEVNULL, env={**os.environ, "TMPDIR": os.path.abspath("tmp")})
    deadline = time.time() + 10
    while not os.listdir("tmp") and time.time() < deadline:
        time.sleep(0.01)
    time.sleep(0.3)
    p.send_signal(signal.SIGTERM)
    want(p.wait(20) == -signal.SIGTERM, f"status {p.returncode}")
    want(not os.listdir("tmp") and sorted(os.listdir(".")) == ["a.cl", "tmp"], f"left: {os.listdir('.')} {os.listdir('tmp')}")


# -----------------------------------------------------------------------------------------------------------
ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))


def main():
    chosen = [t for t in TESTS if len(sys.argv) < 3 or t.__name__ in sys.argv[2:]]
    passed = failed = skipped = 0
    for t in chosen:
        with tempfile.TemporaryDirectory() as top:
            os.mkdir(os.path.join(top, "work"))
            os.chdir(os.path.join(top, "work"))
            try:
                reason = t()
                passed += not reason
                skipped += bool(reason)
                if reason:
                    print(f"skip {t.__name__}: {reason}")
            except (Failure, AssertionError, KeyError, subprocess.TimeoutExpired) as e:
                failed += 1
                print(f"FAILED {t.__name__}: {e}\n  again: verif/sw/cc/run {t.__name__}")
            os.chdir(ROOT)
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return failed != 0


sys.exit(main())
