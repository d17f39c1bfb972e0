/* The report of a fault: the object at its address, its place in the source, and its work-item (docs/runtime.md, Faults). */
#include <stdio.h>
#include <stdlib.h>

#include "verif/sw/vm/lib.h"

/* An access that faults, and what vl_fault_text says of it, "%s" in `says` standing for the words of p. */
__attribute__((format(printf, 4, 5))) static void faults(const char *memory, vl_device *d, probe p, const char *says,
                                                         ...)
{
    vl_result r;
    char want[200], text[VL_FAULT_TEXT];
    va_list ap;
    va_start(ap, says);
    vsnprintf(want, sizeof want, says, ap);
    va_end(ap);
    access_one(d, p.address, p.kind, 0, VL_EFAULT, &r);
    vl_fault_text(&r.fault, text, sizeof text);
    if (!strstr(text, want))
        fail_msg("%s: '%s', wanted '%s'", memory, text, want);
}

/* A device ends with its fault: each has its own. */
static void what_is_at_the_address(void **state)
{
    (void)state;
    static const char *const modes[] = {"paged", "demand"};
    static const uint32_t constant[4] = {1, 2, 3, 4};
    uint32_t *mine = malloc(4 * sizeof *mine);
    for (unsigned m = 0; m < 2; m++)
        for (unsigned i = 0; i < 11; i++) {
            vl_device *d = open_device(modes[m], 0);
            vl_ptr p = buffer(d, 4 * 4096), hole, q;
            assert_int_equal(vl_reserve(d, 4 * 4096, 0, &hole), 0);
            q = buffer(d, 4096);
            const unsigned long long at = p, after = q;
            switch (i) {
            case 0: /* what lies behind q is the list of the access */
                faults(modes[m], d, (probe){q + 4096 + 8192, LOAD, 0},
                       "page fault, address %#llx: in no buffer: 4096 bytes behind the buffer at %#llx of 4096 bytes",
                       after + 4096 + 8192, after + 4096);
                break;
            case 1:
                faults(modes[m], d, (probe){p - 64, STORE, 0},
                       ": in no buffer: 64 bytes before the buffer at %#llx of 16384 bytes", at);
                break;
            case 2: faults(modes[m], d, (probe){8, ADD, 0}, ": a null pointer"); break;
            case 3:
                faults(modes[m], d, (probe){(uintptr_t)mine, LOAD, 0},
                       ": memory of the program, in no buffer, and not registered (vl_register)");
                break;
            case 4:
                faults(modes[m], d, (probe){hole + 4100, LOAD, 0},
                       ": byte 4100 of the buffer at %#llx of 16384 bytes, whose page is not mapped",
                       (unsigned long long)hole);
                break;
            case 5:
                assert_int_equal(vl_protect(d, p + 8192, 4096, VL_READ), 0);
                faults(modes[m], d, (probe){p + 8200, STORE, 0},
                       ": byte 8200 of the buffer at %#llx of 16384 bytes, whose page is read-only", at);
                break;
            case 6:
                assert_int_equal(vl_register(d, (void *)(uintptr_t)constant, sizeof constant), 0);
                faults(modes[m], d, (probe){(uintptr_t)&constant[1], STORE, 0},
                       ": byte 4 of registered memory at %#llx of 16 bytes, whose page is read-only, as it is for the "
                       "program",
                       (unsigned long long)(uintptr_t)constant);
                break;
            case 7:
                faults(modes[m], d, (probe){0x10000000, STORE, 0}, ": in the kernel's image, whose page is read-only");
                break;
            case 8:
                faults(modes[m], d, (probe){0x3000f000, LOAD, 0},
                       ": in the scratchpad, of which the group has 0 bytes");
                break;
            case 9:
                faults(modes[m], d, (probe){p + 2, LOAD, 0},
                       "misaligned load, address %#llx: byte 2 of the buffer at %#llx of 16384 bytes, at", at + 2, at);
                break;
            case 10:
                assert_int_equal(vl_protect(d, p, 4096, 0), 0);
                faults(modes[m], d, (probe){p, LOAD, 0}, "whose page may not be touched (vl_protect)");
                break;
            }
            close_device(d);
        }
    vl_device *d = open_device("bare,shared", 0);
    vl_ptr p = buffer(d, 4096);
    faults("bare", d, (probe){(uintptr_t)mine, LOAD, 0},
           ": memory of the program, in no buffer; the device's memory is bare, at addresses of its own");
    vl_close(d);
    d = open_device("bare,shared", 0);
    p = buffer(d, 4096);
    /* Behind the list of the access, counted from the bytes that were asked for. */
    faults("bare", d, (probe){0x90000000, STORE, 0}, ": in no buffer: %llu bytes behind the buffer at",
           0x90000000 - (unsigned long long)p - 4096 - 16);
    vl_close(d);
    free(mine);
}

/* A work-item of the third warp of a group, in three dimensions with offsets; and the function and line that were inlined into it. */
static void where_it_was(void **state)
{
    (void)state;
    vl_error err;
    vl_image *img;
    for (unsigned i = 0; i < 2; i++) {
        vl_device *d = open_device(i ? "paged" : "bare,shared", 0);
        vl_kernel *k;
        vl_result r;
        char text[VL_FAULT_TEXT];
        assert_int_equal(vl_image_read(&img, elf_path, &err), 0);
        assert_int_equal(vl_load(d, img), 0);
        assert_int_equal(vl_kernel_open(&k, img, "blame", &err), 0);
        const uint32_t guilty[3] = {6, 5, 4};
        for (unsigned a = 0; a < 3; a++)
            assert_int_equal(vl_kernel_set(k, a, &guilty[a], 4, &err), 0);
        assert_int_equal(vl_kernel_set(k, 3, &(uint64_t){64}, 8, &err), 0);
        const vl_range range = {.dims = 3, .global = {6, 4, 6}, .local = {3, 2, 2}, .offset = {1, 2, 3}};
        assert_int_equal(vl_launch(d, k, &range, &r), VL_EFAULT);
        assert_true(r.fault.has_item);
        for (unsigned a = 0; a < 3; a++)
            assert_int_equal(r.fault.global[a], guilty[a]);
        assert_true(r.fault.group[0] == 1 && r.fault.group[1] == 1 && r.fault.group[2] == 0);
        vl_fault_text(&r.fault, text, sizeof text);
        if (!strstr(text, "verif/sw/vm/kernels.cl:99 in do_it (called at verif/sw/vm/kernels.cl:104), work-item 6,5,4 "
                          "(group 1,1,0)"))
            fail_msg("%s", text);
        vl_source s;
        assert_true(vl_image_place(img, r.fault.pc, &s));
        assert_int_equal(s.line, 99);
        assert_string_equal(s.function, "do_it");
        assert_false(vl_image_place(img, 0x10, &s));
        assert_int_equal(s.line, 0);
        assert_false(vl_image_place(NULL, r.fault.pc, &s));
        vl_kernel_close(k);
        load_image(d);
        vl_close(d);
        vl_image_free(img);
    }
}

const struct CMUnitTest place_tests[] = {
    cmocka_unit_test(what_is_at_the_address),
    cmocka_unit_test(where_it_was),
};
const size_t n_place_tests = sizeof place_tests / sizeof *place_tests;
