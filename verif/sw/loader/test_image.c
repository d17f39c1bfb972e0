/* The image loader: accepted files, and a refusal of every bad field, with its own sentence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "sw/runtime/vellum.h"
#include "verif/sw/loader/image_maker.h"
#include "verif/sw/loader/tests.h"

static made good(void)
{
    const uint32_t text[] = {a_beq(2), A_NOP, A_EXIT, A_EXIT};
    return make_image(text, 4, 3);
}

/* Parses an exact-size copy, so that the sanitizer sees any read beyond the end. */
static int parse(const unsigned char *bytes, size_t size, vl_image **img, vl_error *err)
{
    unsigned char *copy = malloc(size ? size : 1);
    memcpy(copy, bytes, size);
    *err = (vl_error){0};
    int e = vl_image_parse(img, copy, size, err);
    free(copy);
    return e;
}

static void good_image_is_taken(void **s)
{
    (void)s;
    made m = good();
    vl_image *img;
    vl_error err;
    if (parse(m.bytes, m.size, &img, &err))
        fail_msg("%s", err.text);
    free(m.bytes);
    assert_int_equal(vl_image_kernels(img), 2);
    const vl_kernel_info *k = vl_image_kernel(img, 0);
    assert_string_equal(k->name, "first");
    assert_int_equal(k->entry, MAKER_TEXT);
    assert_int_equal(k->n_args, 4);
    assert_int_equal(k->block_bytes, 0xb0);
    assert_string_equal(k->args[0].name, "x");
    assert_string_equal(k->args[0].type, "float*");
    assert_int_equal(k->args[0].kind, VL_ARG_GLOBAL);
    assert_string_equal(k->args[1].type, "int");
    assert_int_equal(k->args[1].offset, 0x88);
    assert_int_equal(k->args[2].kind, VL_ARG_LOCAL);
    assert_string_equal(k->args[3].name, "v");
    assert_int_equal(k->args[3].size, 16);
    k = vl_image_kernel(img, 1);
    assert_string_equal(k->name, "second");
    assert_int_equal(k->entry, MAKER_TEXT + 12);
    assert_int_equal(k->local_bytes, 32);
    assert_int_equal(k->stack_bytes, 48);
    assert_int_equal(k->reqd_local[1], 2);
    assert_null(vl_image_kernel(img, 2));
    size_t n;
    const vl_reconv *r = vl_image_reconv(img, &n);
    assert_int_equal(n, 1);
    assert_int_equal(r->target, MAKER_TEXT + 8);
    vl_image_info x;
    vl_image_get_info(img, &x);
    assert_int_equal(x.text_bytes, 16);
    assert_int_equal(x.instructions, 4);
    assert_int_equal(x.image_bytes, MAKER_DATA + MAKER_DATA_BYTES + MAKER_BSS_BYTES - MAKER_TEXT);
    const char *compiler, *options;
    assert_true(vl_image_source(img, 0, &compiler, &options));
    assert_string_equal(compiler, "clang 19");
    assert_string_equal(options, "-O2 -x cl");
    assert_false(vl_image_source(img, 1, &compiler, &options));
    vl_image_free(img);
}

/* ---- one field at a time ---- */

typedef struct abuse {
    const char *what;
    size_t at;     /* file offset */
    unsigned size; /* bytes written */
    uint64_t value;
    const char *says; /* part of the sentence */
} abuse;

#define EH(field) offsetof(Elf64_Ehdr, field), sizeof(((Elf64_Ehdr *)0)->field)
#define PH(i, field) MAKER_PHOFF + (i) * sizeof(Elf64_Phdr) + offsetof(Elf64_Phdr, field), sizeof(((Elf64_Phdr *)0)->field)

static void refuse(const abuse *a, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        made m = good();
        vl_image *img = (vl_image *)&m;
        vl_error err;
        memcpy(m.bytes + a[i].at, &a[i].value, a[i].size);
        int e = parse(m.bytes, m.size, &img, &err);
        if (e != VL_EELF)
            fail_msg("%s: code %d, \"%s\"", a[i].what, e, err.text);
        if (!strstr(err.text, a[i].says))
            fail_msg("%s: \"%s\" says nothing of \"%s\"", a[i].what, err.text, a[i].says);
        assert_null(img);
        assert_int_equal(err.code, VL_EELF);
        assert_null(strchr(err.text, '\n'));
        free(m.bytes);
    }
}

static void every_header_field_is_checked(void **s)
{
    (void)s;
    const abuse a[] = {
        {"magic", 0, 1, 0x7e, "not an ELF"},
        {"magic end", 3, 1, 'G', "not an ELF"},
        {"class 32", EI_CLASS, 1, ELFCLASS32, "64-bit"},
        {"class 0", EI_CLASS, 1, 0, "64-bit"},
        {"big-endian", EI_DATA, 1, ELFDATA2MSB, "little-endian"},
        {"no endianness", EI_DATA, 1, 0, "little-endian"},
        {"ident version", EI_VERSION, 1, 2, "version 2"},
        {"OS", EI_OSABI, 1, ELFOSABI_FREEBSD, "another system"},
        {"ABI version", EI_ABIVERSION, 1, 1, "another system"},
        {"object file", EH(e_type), ET_REL, "object file"},
        {"shared object", EH(e_type), ET_DYN, "executable"},
        {"core file", EH(e_type), ET_CORE, "executable"},
        {"x86", EH(e_machine), EM_X86_64, "RISC-V"},
        {"no machine", EH(e_machine), 0, "RISC-V"},
        {"version", EH(e_version), 0, "version"},
        {"version 2", EH(e_version), 2, "version"},
        {"odd entry", EH(e_entry), MAKER_TEXT + 2, "entry point"},
        {"entry in data", EH(e_entry), MAKER_DATA, "entry point"},
        {"entry behind text", EH(e_entry), MAKER_TEXT + 16, "entry point"},
        {"program headers beyond the end", EH(e_phoff), 0x10000000, "program headers"},
        {"program headers far beyond", EH(e_phoff), UINT64_MAX - 8, "program headers"},
        {"program headers over the end", EH(e_phoff), 0x3170, "program headers"},
        {"sections beyond the end", EH(e_shoff), 0x10000000, "section headers"},
        {"sections far beyond", EH(e_shoff), UINT64_MAX - 63, "section headers"},
        {"no section table but sections", EH(e_shoff), 0, "section headers"},
        {"compressed", EH(e_flags), 1, "compressed"},
        {"float ABI single", EH(e_flags), 2, "soft-float"},
        {"float ABI double", EH(e_flags), 4, "soft-float"},
        {"RVE", EH(e_flags), 8, "flags"},
        {"TSO", EH(e_flags), 16, "flags"},
        {"strange flags", EH(e_flags), 0x80000000, "flags"},
        {"header size", EH(e_ehsize), 63, "header size"},
        {"header size 0", EH(e_ehsize), 0, "header size"},
        {"program header size", EH(e_phentsize), 32, "program header size"},
        {"no program headers", EH(e_phnum), 0, "no program headers"},
        {"many program headers", EH(e_phnum), 65, "more than"},
        {"extended program headers", EH(e_phnum), 0xffff, "more than"},
        {"section header size", EH(e_shentsize), 40, "section header size"},
        {"no sections but a table", EH(e_shnum), 0, "section headers"},
        {"many sections", EH(e_shnum), 0xfeff, "section headers"},
        {"string section", EH(e_shstrndx), 2, "section name"},
        {"extended string section", EH(e_shstrndx), 0xffff, "section name"},
    };
    refuse(a, sizeof a / sizeof *a);
}

static void every_program_header_field_is_checked(void **s)
{
    (void)s;
    const abuse a[] = {
        {"interpreter", PH(1, p_type), PT_INTERP, "dynamically linked"},
        {"dynamic", PH(1, p_type), PT_DYNAMIC, "dynamically linked"},
        {"thread-local", PH(1, p_type), PT_TLS, "thread-local"},
        {"no text", PH(0, p_type), PT_NULL, "no text"},
        {"no notes", PH(2, p_type), PT_NULL, "no kernels"},
        {"text not executable", PH(0, p_flags), PF_R, "no text"},
        {"text writable", PH(0, p_flags), PF_R | PF_W | PF_X, "writable and executable"},
        {"unreadable", PH(1, p_flags), PF_W, "readable"},
        {"strange flags", PH(1, p_flags), PF_R | 8, "unknown flags"},
        {"second text", PH(1, p_flags), PF_R | PF_X, "text"},
        {"text beyond the end", PH(0, p_offset), 0x10001000, "beyond"},
        {"text far beyond", PH(0, p_offset), UINT64_MAX & ~0xfffull, "beyond"},
        {"notes beyond the end", PH(2, p_offset), 0x10000000, "beyond"},
        {"notes longer than the file", PH(2, p_filesz), 0x10000, "beyond"},
        {"text offset off the page", PH(0, p_offset), MAKER_TEXT_AT + 4, "alignment"},
        {"text at 0", PH(0, p_vaddr), 0, "image range"},
        {"text below", PH(0, p_vaddr), 0x0ffff000, "image range"},
        {"text above", PH(0, p_vaddr), 0x30000000, "image range"},
        {"text at the top of everything", PH(0, p_vaddr), UINT64_MAX & ~0xfffull, "image range"},
        {"text not at an instruction", PH(0, p_vaddr), MAKER_TEXT + 2, ""},
        {"data over text", PH(1, p_vaddr), MAKER_TEXT, "overlap"},
        {"file larger than memory", PH(1, p_memsz), MAKER_DATA_BYTES - 1, "in memory"},
        {"file size beyond the end", PH(1, p_filesz), 0x100000, "beyond"},
        {"file size over everything", PH(1, p_filesz), UINT64_MAX, "beyond"},
        {"bss over the image range", PH(1, p_memsz), 0x20000000, "image range"},
        {"bss over everything", PH(1, p_memsz), UINT64_MAX - MAKER_DATA + 1, "image range"},
        {"text with bss", PH(0, p_memsz), 20, "wholly"},
        {"text with half an instruction", PH(0, p_filesz), 14, ""},
        {"empty text", PH(0, p_memsz), 0, "in memory"},
        {"odd alignment", PH(1, p_align), 0x1001, "power of two"},
        {"alignment that address and offset do not have", PH(1, p_align), 0x20000000, "alignment"},
    };
    refuse(a, sizeof a / sizeof *a);
}

static void physical_address_and_empty_segments_do_not_matter(void **s)
{
    (void)s;
    made m = good();
    vl_image *img;
    vl_error err;
    uint64_t x = 0x1234;
    memcpy(m.bytes + MAKER_PHOFF + offsetof(Elf64_Phdr, p_paddr), &x, 8);
    Elf64_Phdr *p = (Elf64_Phdr *)(m.bytes + MAKER_PHOFF) + 1;
    p->p_filesz = p->p_memsz = 0;
    p->p_vaddr = 0;
    if (parse(m.bytes, m.size, &img, &err))
        fail_msg("%s", err.text);
    vl_image_free(img);
    free(m.bytes);
}

static void every_note_field_is_checked(void **s)
{
    (void)s;
    made m = good();
    size_t k = m.kernel_note[0], j = m.kernel_note[1], n = MAKER_NOTE_AT;
    free(m.bytes);
    const abuse a[] = {
        {"name longer than the segment", n, 4, 0x1000, "longer than the segment"},
        {"name of 4 GB", n, 4, 0xffffffff, "longer than the segment"},
        {"descriptor longer than the segment", n + 4, 4, 0x1000, "longer than the segment"},
        {"descriptor of 4 GB", n + 4, 4, 0xffffffff, "longer than the segment"},
        {"name without an end", n + 12 + 6, 1, 'x', "no end"},
        {"descriptor too short", n + 4, 4, 0x2c, ""},
        {"version 0", k, 4, 0, "version"},
        {"version 2", k, 4, 2, "version"},
        {"flags", k + 4, 4, 8, "flags"},
        {"all flags", k + 4, 4, 0xffffffff, "flags"},
        {"odd entry", k + 8, 8, MAKER_TEXT + 2, "multiple of 4"},
        {"entry behind the text", k + 8, 8, MAKER_TEXT + 16, "outside of the text"},
        {"entry before the text", k + 8, 8, MAKER_TEXT - 4, "outside of the text"},
        {"entry in data", k + 8, 8, MAKER_DATA, "outside of the text"},
        {"entry 2^64-4", k + 8, 8, UINT64_MAX - 3, "outside of the text"},
        {"scratchpad", k + 0x10, 4, 0x10001, "scratchpad"},
        {"scratchpad of 4 GB", k + 0x10, 4, 0xffffffff, "scratchpad"},
        {"stack not a multiple of 16", k + 0x14, 4, 8, "stack"},
        {"stack of 4 GB", k + 0x14, 4, 0xfffffff0, "stack"},
        {"half a group size", k + 0x18, 4, 4, "group size"},
        {"group size with a 0", j + 0x1c, 4, 0, "group size"},
        {"fewer arguments", k + 0x24, 4, 3, "launch block"},
        {"more arguments than the note holds", k + 0x24, 4, 6, "too short"},
        {"4 G arguments", k + 0x24, 4, 0xffffffff, "too short"},
        {"arguments that are no arguments", k + 0x24, 4, 5, ""},
        {"launch block too short", k + 0x28, 4, 0xa0, "launch block"},
        {"launch block too long", k + 0x28, 4, 0xb4, "launch block"},
        {"launch block of nothing", j + 0x28, 4, 0, "launch block"},
        {"name in the head", k + 0x2c, 4, 0, "name"},
        {"name behind the note", k + 0x2c, 4, 0x1000, "name"},
        {"name just behind the note", k + 0x2c, 4, 0x30 + 4 * 24 + 36, "name"},
        {"name at 4 G", k + 0x2c, 4, 0xffffffff, "name"},
        {"empty name", k + 0x2c, 4, 0x95, "name"},
        {"name that is no name", k + 0x90, 1, '%', "name"},
        {"name with a '/'", k + 0x91, 1, '/', "name"},
        {"name with a ':'", k + 0x91, 1, ':', "name"},
        {"name with a '@'", k + 0x91, 1, '@', "name"},
        {"name with a '['", k + 0x91, 1, '[', "name"},
        {"name with a '`'", k + 0x91, 1, '`', "name"},
        {"name with a '{'", k + 0x91, 1, '{', "name"},
        {"name with a line end", k + 0x91, 1, '\n', "name"},
        {"argument's name behind the note", k + 0x30, 4, 0x1000, "name"},
        {"argument's name with an escape", k + 0x96, 1, 27, "name"},
        {"argument's type behind the note", k + 0x34, 4, 0xffffffff, "type"},
        {"argument's type with an escape", k + 0x98, 1, 27, "type"},
        {"kind 4", k + 0x38, 4, 4, "kind"},
        {"kind -1", k + 0x38, 4, 0xffffffff, "kind"},
        {"qualifier 8", k + 0x39, 1, 8, "qualifiers"},
        {"a qualifier of a value", k + 0x48 + 9, 1, 1, "qualifiers"},
        {"pointer of 4 bytes", k + 0x3c, 4, 4, "pointer"},
        {"value of 0 bytes", k + 0x48 + 12, 4, 0, "0 bytes"},
        {"value of 4 GB", k + 0x48 + 12, 4, 0xffffffff, "bytes"},
        {"alignment 0", k + 0x40, 4, 0, "alignment"},
        {"alignment 3", k + 0x48 + 16, 4, 3, "alignment"},
        {"alignment 256", k + 0x48 + 16, 4, 256, "alignment"},
        {"pointer alignment 4", k + 0x40, 4, 4, "pointer"},
        {"offset in the head", k + 0x44, 4, 0x78, "offset"},
        {"offset over another argument", k + 0x48 + 20, 4, 0x84, "offset"},
        {"offset with a gap", k + 0x48 + 20, 4, 0x8c, "offset"},
        {"offset of 4 GB", k + 0x44, 4, 0xfffffff8, "offset"},
    };
    refuse(a, sizeof a / sizeof *a);
}

static void edges_of_the_possible_are_taken(void **s)
{
    (void)s;
    made m = good();
    vl_image *img;
    vl_error err;
    Elf64_Phdr *p = (Elf64_Phdr *)(m.bytes + MAKER_PHOFF) + 1;
    p->p_vaddr = 0x2ffff000; /* bss to the last byte */
    p->p_memsz = 0x1000;
    memcpy(m.bytes + m.kernel_note[0] + 0x90, "_0z9A", 5);
    uint32_t most[2] = {0x10000, 0x100000};
    memcpy(m.bytes + m.kernel_note[0] + 0x10, most, 8);
    if (parse(m.bytes, m.size, &img, &err))
        fail_msg("%s", err.text);
    assert_string_equal(vl_image_kernel(img, 0)->name, "_0z9A");
    vl_image_free(img);
    memcpy(m.bytes + m.kernel_note[0] + 0x90, "0z9A_", 5);
    assert_int_equal(parse(m.bytes, m.size, &img, &err), VL_EELF);
    memcpy(m.bytes + m.kernel_note[0] + 0x90, "first", 5);
    p[1].p_filesz += 12; /* zeros behind the notes: one more, empty note */
    if (parse(m.bytes, m.size, &img, &err))
        fail_msg("%s", err.text);
    vl_image_free(img);
    free(m.bytes);
}

static void hints_are_behind_the_name(void **s)
{
    (void)s;
    made m = good();
    const size_t k = m.kernel_note[0], j = m.kernel_note[1];
    const uint32_t told = 4;
    vl_image *img;
    vl_error err;
    memcpy(m.bytes + k + 4, &told, 4);
    memcpy(m.bytes + j + 4, &told, 4);
    if (parse(m.bytes, m.size, &img, &err))
        fail_msg("%s", err.text);
    assert_string_equal(vl_image_kernel(img, 0)->hints, "x");
    assert_string_equal(vl_image_kernel(img, 1)->hints, "");
    vl_image_free(img);
    m.bytes[k + 0x96] = 27; /* an escape */
    assert_int_equal(parse(m.bytes, m.size, &img, &err), VL_EELF);
    assert_non_null(strstr(err.text, "first: no proper hints"));
    m.bytes[k + 0x96] = 'x';
    m.bytes[j + 0x36] = 'A'; /* the name ends where the note does */
    assert_int_equal(parse(m.bytes, m.size, &img, &err), VL_EELF);
    assert_non_null(strstr(err.text, "secondA: no proper hints"));
    free(m.bytes);
}

static void two_kernels_of_one_name(void **s)
{
    (void)s;
    made m = good();
    memcpy(m.bytes + m.kernel_note[1] + 0x30, "first\0", 7);
    vl_image *img;
    vl_error err;
    assert_int_equal(parse(m.bytes, m.size, &img, &err), VL_EELF);
    assert_non_null(strstr(err.text, "two kernels named first"));
    free(m.bytes);
}

static void notes_of_others_are_passed_over(void **s)
{
    (void)s;
    made m = good();
    vl_image *img;
    vl_error err;
    memcpy(m.bytes + m.kernel_note[1] - 8, "Vortex", 7);
    if (parse(m.bytes, m.size, &img, &err))
        fail_msg("%s", err.text);
    assert_int_equal(vl_image_kernels(img), 1);
    vl_image_free(img);
    uint32_t type = 77;
    memcpy(m.bytes + m.kernel_note[1] - 8, "Vellum", 7);
    memcpy(m.bytes + m.kernel_note[1] - 12, &type, 4);
    if (parse(m.bytes, m.size, &img, &err))
        fail_msg("%s", err.text);
    assert_int_equal(vl_image_kernels(img), 1);
    vl_image_free(img);
    free(m.bytes);
}

static void source_note_must_hold_two_strings(void **s)
{
    (void)s;
    made m = good();
    vl_image *img;
    vl_error err;
    unsigned char *d = m.bytes + MAKER_NOTE_AT + m.note_bytes - 20;
    assert_string_equal((char *)d, "clang 19");
    memset(d + 9, 'x', 11);
    assert_int_equal(parse(m.bytes, m.size, &img, &err), VL_EELF);
    memset(d, 'x', 20);
    assert_int_equal(parse(m.bytes, m.size, &img, &err), VL_EELF);
    free(m.bytes);
}

static void every_truncation_is_refused(void **s)
{
    (void)s;
    made m = good();
    for (size_t n = 0; n < m.size; n++) {
        vl_image *img;
        vl_error err;
        if (parse(m.bytes, n, &img, &err) != VL_EELF)
            fail_msg("%zu of %zu bytes were taken", n, m.size);
        if (n >= 4 && n < 64)
            assert_non_null(strstr(err.text, "truncated"));
    }
    free(m.bytes);
}

/* Whatever one byte becomes, the loader answers. */
static void every_byte_may_become_anything(void **s)
{
    (void)s;
    made m = good();
    for (size_t i = 0; i < m.size; i++) {
        unsigned char was = m.bytes[i];
        const unsigned char values[] = {
            0, 0xff, 0x80, 0x7f, (unsigned char)(was + 1), (unsigned char)(was - 1), (unsigned char)(was ^ 0x10)};
        if (i >= 0x300 && i < MAKER_NOTE_AT && m.bytes[i] == 0 && i % 64)
            continue; /* padding */
        for (size_t v = 0; v < sizeof values; v++) {
            vl_image *img;
            vl_error err;
            m.bytes[i] = values[v];
            int e = parse(m.bytes, m.size, &img, &err);
            if (e == 0)
                vl_image_free(img);
            else if (e != VL_EELF || !*err.text)
                fail_msg("byte %#zx = %#x: code %d, \"%s\"", i, values[v], e, err.text);
        }
        m.bytes[i] = was;
    }
    free(m.bytes);
}

static void files_that_are_no_files(void **s)
{
    (void)s;
    vl_image *img;
    vl_error err;
    assert_int_equal(vl_image_read(&img, "build/test/no-such-file", &err), VL_EIO);
    assert_non_null(strstr(err.text, "build/test/no-such-file"));
    assert_int_equal(vl_image_read(&img, "build", &err), VL_EIO);
    assert_non_null(strstr(err.text, "not a regular file"));
    assert_int_equal(vl_image_read(&img, "/dev/zero", &err), VL_EIO);
    assert_int_equal(vl_image_read(&img, "Makefile", &err), VL_EELF);
    assert_non_null(strstr(err.text, "Makefile: not an ELF file"));
    assert_int_equal(vl_image_read(NULL, "Makefile", &err), VL_EINVAL);
    assert_int_equal(vl_image_read(&img, NULL, NULL), VL_EINVAL);
    assert_int_equal(vl_image_parse(&img, NULL, 1, NULL), VL_EINVAL);
    assert_int_equal(vl_image_parse(&img, "", 0, NULL), VL_EELF);
  /* the program that runs these tests: a foreign ELF */
    assert_int_equal(vl_image_read(&img, "/proc/self/exe", &err), VL_EELF);
    assert_non_null(strstr(err.text, "RISC-V"));
}

static void file_is_read_like_memory(void **s)
{
    (void)s;
    made m = good();
    char path[] = "build/test/image.XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, m.bytes, m.size), m.size);
    vl_image *img;
    vl_error err;
    if (vl_image_read(&img, path, &err))
        fail_msg("%s", err.text);
    assert_int_equal(vl_image_kernels(img), 2);
    vl_image_free(img);
    assert_int_equal(ftruncate(fd, (off_t)m.size - 1), 0);
    assert_int_equal(vl_image_read(&img, path, &err), VL_EELF);
    close(fd);
    unlink(path);
    free(m.bytes);
}

static void every_code_has_words(void **s)
{
    (void)s;
    for (int code = 0; code >= VL_EDEAD; code--)
        assert_string_not_equal(vl_strerror(code), "unknown error");
    assert_string_equal(vl_strerror(VL_EDEAD - 1), "unknown error");
    assert_string_equal(vl_strerror(1), "unknown error");
    for (uint32_t c = 0; c <= VL_FAULT_STORE_PAGE; c++) /* 8 is free */
        if (c != 8)
            assert_string_not_equal(vl_fault_name(c), "unknown fault");
    const struct {
        vl_fault fault;
        const char *says;
    } faults[] = {
        {{.cause = VL_FAULT_STORE_ACCESS, .value = 0x20}, "store outside memory, address 0x20"},
        {{.cause = VL_FAULT_ILLEGAL, .value = 0x1234}, "illegal instruction, instruction 0x1234"},
        {{.cause = VL_FAULT_STORE_PAGE, .value = 0x5000}, "store page fault, address 0x5000"},
        {{.cause = VL_FAULT_BARRIER},
         "barrier that cannot complete: a thread of the warp has ended or waits at another barrier (divergent: every "
         "thread of a "
         "workgroup has to reach the same barriers)"},
        {{.cause = VL_FAULT_BARRIER, .value = 1},
         "barrier that cannot complete: a warp of the workgroup has ended (divergent: every thread of a workgroup has "
         "to reach "
         "the "
         "same barriers)"},
        {{.cause = 13, .value = 1}, "unknown fault, value 0x1"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        char text[200];
        vl_fault_text(&faults[i].fault, text, sizeof text);
        assert_string_equal(text, faults[i].says);
    }
    assert_string_equal(vl_fault_name(8), "unknown fault");
    assert_string_equal(vl_fault_name(13), "unknown fault");
}

int image_tests(unsigned *count)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_image_is_taken),
        cmocka_unit_test(every_header_field_is_checked),
        cmocka_unit_test(every_program_header_field_is_checked),
        cmocka_unit_test(physical_address_and_empty_segments_do_not_matter),
        cmocka_unit_test(every_note_field_is_checked),
        cmocka_unit_test(edges_of_the_possible_are_taken),
        cmocka_unit_test(hints_are_behind_the_name),
        cmocka_unit_test(two_kernels_of_one_name),
        cmocka_unit_test(notes_of_others_are_passed_over),
        cmocka_unit_test(source_note_must_hold_two_strings),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(every_byte_may_become_anything),
        cmocka_unit_test(files_that_are_no_files),
        cmocka_unit_test(file_is_read_like_memory),
        cmocka_unit_test(every_code_has_words),
    };
    *count += sizeof tests / sizeof *tests;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
