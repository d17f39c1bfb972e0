/* An image on the machine: its segments in memory, its reconvergence points in the table. */
#include <stdlib.h>

#include "verif/sw/loader/image_maker.h"
#include "verif/sw/loader/recorder.h"
#include "verif/sw/loader/tests.h"

static void load_writes_segments_and_clears_bss(void **s)
{
    (void)s;
    vl_device *d = device();
    vl_image *img = image();
    memset(last->image, 0xee, IMAGE_BYTES);
    assert_int_equal(vl_load(d, img), 0);
    assert_int_equal(word(last->image, 4), a_beq(2));
    assert_int_equal(last->image[16], 0xee);
    const unsigned char *data = last->image + (MAKER_DATA - MAKER_TEXT);
    assert_int_equal(data[0], 0xd0);
    assert_int_equal(data[15], 0xdf);
    for (int i = 16; i < 64; i++)
        assert_int_equal(data[i], 0);
    assert_int_equal(data[64], 0xee);
    assert_int_equal(last->table[0].pc, MAKER_TEXT);
    assert_int_equal(last->table[0].target, MAKER_TEXT + 8);
    for (int i = 1; i < ENTRIES; i++)
        assert_int_equal(last->table[i].pc, 0);
    assert_int_equal(vl_load(d, NULL), VL_EINVAL);
    vl_close(d);
    vl_image_free(img);
}

/* Two kernels with two branches each, all of one set of the table: it holds those of the kernel that runs. */
static void small_table(bool text_first)
{
    enum { N = 32, SECOND = N / 2 };
    uint32_t text[N];
    for (int i = 0; i < N; i++)
        text[i] = i % (ENTRIES / 2) ? i % SECOND == SECOND - 1 ? A_EXIT : A_NOP : a_beq(2);
    made m = make_image(text, N, SECOND);
    const uint64_t text_at = MAKER_TEXT + (text_first ? 0 : 0x1000);
    if (!text_first) {
        Elf64_Phdr *p = (Elf64_Phdr *)(m.bytes + MAKER_PHOFF);
        Elf64_Ehdr *h = (Elf64_Ehdr *)m.bytes;
        p[0].p_vaddr = ((Elf64_Shdr *)(m.bytes + h->e_shoff))[1].sh_addr = text_at;
        p[1].p_vaddr = MAKER_TEXT;
        for (int i = 0; i < 2; i++) {
            uint64_t entry = text_at + (i ? 4 * SECOND : 0);
            memcpy(m.bytes + m.kernel_note[i] + 8, &entry, 8);
        }
    }
    vl_image *img;
    assert_int_equal(vl_image_parse(&img, m.bytes, m.size, NULL), 0);
    free(m.bytes);
    assert_int_equal(img->n_reconv, 4);
    vl_device *d = device();
    vl_kernel *first = ready(d, img), *second;
    assert_int_equal(vl_kernel_open(&second, img, "second", NULL), 0);
    vl_result r;
    for (int round = 0; round < 4; round++) {
        bool one = round % 2 == 0;
        const vl_range range = one ? (vl_range){.dims = 1, .global = {4}, .local = {4}}
                                   : (vl_range){.dims = 2, .global = {4, 2}, .local = {4, 2}};
        assert_int_equal(vl_launch(d, one ? first : second, &range, &r), 0);
        uint64_t base = text_at + (one ? 0 : 4 * SECOND);
        assert_int_equal(last->table[0].pc, base);
        assert_int_equal(last->table[1].pc, base + 4 * (ENTRIES / 2));
        assert_int_equal(last->table[1].target, base + 4 * (ENTRIES / 2) + 8);
        assert_int_equal(vl_result_value(&r, "reconv_left_out", 99), 0);
        assert_int_equal(vl_result_value(&r, "reconv_used", 99), 2);
    }
    vl_kernel_close(first);
    vl_kernel_close(second);
    vl_close(d);
    vl_image_free(img);
}

static void table_that_is_too_small_serves_the_kernel_that_runs(void **s)
{
    (void)s;
    small_table(true);
    small_table(false);
}

/* A table that is not of two ways. */
static void an_odd_table_is_refused(void **s)
{
    (void)s;
    vl_device *d = device_with(ENTRIES + 1);
    vl_image *img = image();
    assert_int_equal(vl_load(d, img), VL_ECONFIG);
    assert_non_null(strstr(vl_detail(d), "a reconvergence table of"));
    vl_close(d);
    vl_image_free(img);
}

int load_tests(unsigned *count)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(load_writes_segments_and_clears_bss),
        cmocka_unit_test(table_that_is_too_small_serves_the_kernel_that_runs),
        cmocka_unit_test(an_odd_table_is_refused),
    };
    *count += sizeof tests / sizeof *tests;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
