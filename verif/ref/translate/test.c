/* Directed tests of ref_translate(), a rule at a time at every level it has, and random.c. Arguments: SEED [ROUNDS] of the random part. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
/* cmocka.h needs those above first */
#include <cmocka.h>

#include "sim_c/ref/translate.h"
#include "verif/ref/translate/random.h"

enum { V = 1, R = 2, W = 4, X = 8, U = 16, G = 32, A = 64, D = 128, FULL = V | R | W | X | U | A | D };
#define PPN(n) ((uint64_t)(n) << 10)
#define GB 0x40000000ull

/* One walk: a table of each level, the PTE of each on the way of `va`, and a leaf at `leaf`. Any other address must not be read. */
typedef struct {
    ref_space space;
    uint64_t va, table[REF_LEVELS], pte[REF_LEVELS];
    unsigned leaf, next;
} walk;

static uint64_t pte_address(const walk *w, unsigned level)
{
    static const unsigned lowest_bit[REF_LEVELS] = {12, 21, 30, 39};
    return (w->table[level] << 12) + (w->va >> lowest_bit[level] & 0x1ff) * 8;
}

/* A frame of a leaf at this level. */
static uint64_t frame_of(unsigned level)
{
    return 0x8000000ull | (0x5a5a5a5ull & ~0ull << 9 * level);
}

static walk walk_to(unsigned leaf)
{
    walk w = {.space = {.root = 0x80000, .base = 2 * GB, .limit = 1024 * GB},
              .va = 0x59ull << 39 | 0x10cull << 30 | 0x1acull << 21 | 0x103ull << 12 | 0xabc,
              .table = {0x80fff, 0x80abc, 0x80123, 0x80000},
              .leaf = leaf};
    for (unsigned level = REF_LEVELS - 1; level > leaf; level--)
        w.pte[level] = PPN(w.table[level - 1]) | V;
    w.pte[leaf] = PPN(frame_of(leaf)) | FULL;
    return w;
}

static uint64_t read_pte(void *user, uint64_t addr)
{
    walk *w = user;
    assert_true(w->next > 0);
    w->next--;
    assert_int_equal(addr, pte_address(w, w->next));
    return w->pte[w->next];
}

static ref_translation go(walk *w, ref_use use)
{
    w->next = REF_LEVELS;
    ref_translation t = ref_translate(&w->space, w->va, use, read_pte, w);
    assert_int_equal(t.reads, REF_LEVELS - w->next);
    for (unsigned k = 0; k < t.reads; k++) {
        assert_int_equal(t.read[k].addr, pte_address(w, REF_LEVELS - 1 - k));
        assert_int_equal(t.read[k].value, w->pte[REF_LEVELS - 1 - k]);
    }
    return t;
}

/* A fault at this level: its PTE is the last that was read. REF_LEVELS: none was. */
static void faults(walk *w, ref_use use, ref_verdict verdict, unsigned level)
{
    ref_translation t = go(w, use);
    assert_int_equal(t.verdict, verdict);
    assert_int_equal(t.reads, REF_LEVELS - level);
}

static void every_use_faults(walk *w, ref_verdict verdict, unsigned level)
{
    for (unsigned use = REF_USE_LOAD; use <= REF_USE_FETCH; use++)
        faults(w, use, verdict, level);
}

static void translates(walk *w, ref_use use, uint64_t pa)
{
    ref_translation t = go(w, use);
    assert_int_equal(t.verdict, REF_TRANSLATED);
    assert_int_equal(t.reads, REF_LEVELS - w->leaf);
    assert_int_equal(t.level, w->leaf);
    assert_int_equal(t.pa, pa);
}

static void every_use_translates(walk *w, uint64_t pa)
{
    for (unsigned use = REF_USE_LOAD; use <= REF_USE_FETCH; use++)
        translates(w, use, pa);
}

/* ---- addresses ---------------------------------------------------------------------------------------------------- */

static const uint64_t page_mask[REF_LEVELS] = {0xfff, 0x1fffff, 0x3fffffff, 0x7fffffffff};

static void a_leaf_of_each_size_keeps_the_offset(void **state)
{
    (void)state;
    for (unsigned leaf = 0; leaf < REF_LEVELS; leaf++) {
        walk w = walk_to(leaf);
        every_use_translates(&w, frame_of(leaf) << 12 | (w.va & page_mask[leaf]));
        w.va &= ~page_mask[leaf];
        every_use_translates(&w, frame_of(leaf) << 12);
        w.va |= page_mask[leaf];
        every_use_translates(&w, frame_of(leaf) << 12 | page_mask[leaf]);
    }
}

static void every_bit_of_the_page_number_chooses_a_pte(void **state)
{
    (void)state;
    for (unsigned bit = 12; bit < 48; bit++)
        for (unsigned leaf = 0; leaf < REF_LEVELS; leaf++) {
            walk w = walk_to(leaf);
            w.va = 1ull << bit | (bit == 47 ? 0xffffull << 48 : 0);
            every_use_translates(&w, frame_of(leaf) << 12 | (w.va & page_mask[leaf]));
        }
}

static void bits_63_to_48_must_be_as_bit_47(void **state)
{
    (void)state;
    for (unsigned half = 0; half < 2; half++)
        for (unsigned bit = 48; bit < 64; bit++) {
            walk w = walk_to(0);
            w.va |= half ? 0xffff8ull << 44 : 0;
            every_use_translates(&w, frame_of(0) << 12 | 0xabc);
            w.va ^= 1ull << bit;
            every_use_faults(&w, REF_PAGE_FAULT, REF_LEVELS);
        }
    walk w = walk_to(0);
    w.va ^= 1ull << 47;
    every_use_faults(&w, REF_PAGE_FAULT, REF_LEVELS);
    w.va |= 0xffffull << 48;
    every_use_translates(&w, frame_of(0) << 12 | 0xabc);
    w.va ^= 1ull << 47;
    every_use_faults(&w, REF_PAGE_FAULT, REF_LEVELS);
}

/* ---- rules for every PTE ------------------------------------------------------------------------------------------ */

/* Changes the PTE of each level, once as a pointer (where one may stand) and once as a leaf. */
#define EVERY_PTE(w, level) \
    for (unsigned kind_ = 0; kind_ < 2; kind_++) \
        for (unsigned level = kind_; level < REF_LEVELS; level++) \
            for (walk w = walk_to(level - kind_), *once_ = &w; once_; once_ = NULL)

static void a_pte_that_is_not_valid_faults(void **state)
{
    (void)state;
    EVERY_PTE(w, level)
    {
        w.pte[level] &= ~(uint64_t)V;
        every_use_faults(&w, REF_PAGE_FAULT, level);
        w.pte[level] = 0;
        every_use_faults(&w, REF_PAGE_FAULT, level);
    }
}

static void writable_and_not_readable_is_reserved(void **state)
{
    (void)state;
    for (unsigned level = 0; level < REF_LEVELS; level++)
        for (unsigned x = 0; x <= X; x += X)
            for (unsigned leaf = 0; leaf < 2; leaf++) {
                walk w = walk_to(level);
                w.pte[level] = PPN(frame_of(level)) | V | W | x | (leaf ? U | A | D : 0);
                every_use_faults(&w, REF_PAGE_FAULT, level);
            }
}

static void reserved_bits_must_be_0(void **state)
{
    (void)state;
    for (unsigned bit = 54; bit < 64; bit++)
        EVERY_PTE(w, level)
        {
            w.pte[level] |= 1ull << bit;
            every_use_faults(&w, REF_PAGE_FAULT, level);
        }
}

static void page_numbers_beyond_48_bits_fault(void **state)
{
    (void)state;
    for (unsigned bit = 46; bit < 54; bit++)
        EVERY_PTE(w, level)
        {
            w.pte[level] |= 1ull << bit;
            every_use_faults(&w, REF_PAGE_FAULT, level);
        }
}

static void bits_for_software_do_not_matter(void **state)
{
    (void)state;
    EVERY_PTE(w, level)
    {
        w.pte[level] |= 3 << 8;
        every_use_translates(&w, frame_of(w.leaf) << 12 | (w.va & page_mask[w.leaf]));
    }
}

static void a_mapping_is_global_if_any_pte_says_so(void **state)
{
    (void)state;
    for (unsigned leaf = 0; leaf < REF_LEVELS; leaf++)
        for (unsigned level = leaf; level <= REF_LEVELS; level++) {
            walk w = walk_to(leaf);
            if (level < REF_LEVELS)
                w.pte[level] |= G;
            ref_translation t = go(&w, REF_USE_LOAD);
            assert_int_equal(t.verdict, REF_TRANSLATED);
            assert_int_equal(t.global, level < REF_LEVELS);
        }
}

/* ---- pointers ----------------------------------------------------------------------------------------------------- */

static void pointers_have_no_d_a_or_u(void **state)
{
    (void)state;
    for (unsigned level = 1; level < REF_LEVELS; level++)
        for (unsigned bits = D; bits >= U; bits >>= 1) {
            walk w = walk_to(level - 1);
            if (bits == G)
                continue;
            w.pte[level] |= bits;
            every_use_faults(&w, REF_PAGE_FAULT, level);
        }
}

static void the_last_level_has_no_pointers(void **state)
{
    (void)state;
    walk w = walk_to(0);
    w.pte[0] = PPN(w.table[0]) | V;
    every_use_faults(&w, REF_PAGE_FAULT, 0);
}

/* ---- leaves ------------------------------------------------------------------------------------------------------- */

static void permissions_of_every_kind_of_leaf(void **state)
{
    static const struct {
        unsigned bits;
        bool may[3];
    } kind[] = {{R, {true, false, false}},
                {R | W, {true, true, false}},
                {X, {false, false, true}},
                {R | X, {true, false, true}},
                {R | W | X, {true, true, true}}};
    (void)state;
    for (unsigned level = 0; level < REF_LEVELS; level++)
        for (unsigned k = 0; k < sizeof kind / sizeof *kind; k++)
            for (unsigned use = REF_USE_LOAD; use <= REF_USE_FETCH; use++) {
                walk w = walk_to(level);
                w.pte[level] = PPN(frame_of(level)) | V | U | A | D | kind[k].bits;
                if (kind[k].may[use])
                    translates(&w, use, frame_of(level) << 12 | (w.va & page_mask[level]));
                else
                    faults(&w, use, REF_PAGE_FAULT, level);
            }
}

static void leaves_of_others_than_users_fault(void **state)
{
    (void)state;
    for (unsigned level = 0; level < REF_LEVELS; level++) {
        walk w = walk_to(level);
        w.pte[level] &= ~(uint64_t)U;
        every_use_faults(&w, REF_PAGE_FAULT, level);
    }
}

static void software_sets_a_and_d(void **state)
{
    (void)state;
    for (unsigned level = 0; level < REF_LEVELS; level++) {
        walk w = walk_to(level);
        w.pte[level] &= ~(uint64_t)A;
        every_use_faults(&w, REF_PAGE_FAULT, level);
        w = walk_to(level);
        w.pte[level] &= ~(uint64_t)D;
        uint64_t pa = frame_of(level) << 12 | (w.va & page_mask[level]);
        translates(&w, REF_USE_LOAD, pa);
        translates(&w, REF_USE_FETCH, pa);
        faults(&w, REF_USE_STORE, REF_PAGE_FAULT, level);
    }
}

static void superpages_must_be_aligned(void **state)
{
    (void)state;
    for (unsigned level = 0; level < REF_LEVELS; level++)
        for (unsigned bit = 0; bit < 27; bit++) {
            walk w = walk_to(level);
            w.pte[level] ^= PPN(1) << bit;
            if (bit < 9 * level)
                every_use_faults(&w, REF_PAGE_FAULT, level);
            else
                every_use_translates(&w, (frame_of(level) ^ 1ull << bit) << 12 | (w.va & page_mask[level]));
        }
}

/* ---- the memory window -------------------------------------------------------------------------------------------- */

/* The last PTE of a walk, or the frame, at either end of the window: just inside, and a line outside. */
static void a_pte_outside_of_memory_is_an_access_fault(void **state)
{
    (void)state;
    for (unsigned level = 0; level < REF_LEVELS; level++) {
        walk w = walk_to(level);
        uint64_t line = pte_address(&w, level) & ~127ull, pa = frame_of(level) << 12 | (w.va & page_mask[level]);
        for (unsigned k = level + 1; k < REF_LEVELS; k++) /* the others inside in any case */
            w.table[k] = 0x81000 + k;
        w.space.root = w.table[3];
        for (unsigned k = level + 1; k < REF_LEVELS; k++)
            w.pte[k] = PPN(w.table[k - 1]) | V;
        w.space.base = line;
        every_use_translates(&w, pa);
        w.space.base = line + 128;
        every_use_faults(&w, REF_ACCESS_FAULT, level + 1);

        w.table[level] = 0x20000000; /* above all the frames */
        w.space.root = w.table[3];
        if (level < 3)
            w.pte[level + 1] = PPN(w.table[level]) | V;
        line = pte_address(&w, level) & ~127ull;
        w.space.base = 2 * GB;
        w.space.limit = line + 128;
        every_use_translates(&w, pa);
        w.space.limit = line;
        every_use_faults(&w, REF_ACCESS_FAULT, level + 1);
        w.space.limit = 0x20000000ull << 12;
        every_use_faults(&w, REF_ACCESS_FAULT, level + 1);
    }
}

static void a_page_partly_outside_of_memory_is_an_access_fault(void **state)
{
    (void)state;
    for (unsigned level = 0; level < REF_LEVELS; level++) {
        walk w = walk_to(level);
        uint64_t first = frame_of(level) << 12, end = first + page_mask[level] + 1;
        for (unsigned k = level; k < REF_LEVELS; k++) /* above, so that the window may begin with the frame */
            w.table[k] = 0x18000000 + k;
        w.space.root = w.table[3];
        w.space.limit = 2048 * GB;
        for (unsigned k = level + 1; k < REF_LEVELS; k++)
            w.pte[k] = PPN(w.table[k - 1]) | V;
        w.space.base = first;
        every_use_translates(&w, first | (w.va & page_mask[level]));
        w.space.base = first + 128;
        every_use_faults(&w, REF_ACCESS_FAULT, level);
        w.space.base = end;
        every_use_faults(&w, REF_ACCESS_FAULT, level);

        w = walk_to(level);
        w.space.limit = end;
        every_use_translates(&w, first | (w.va & page_mask[level]));
        w.space.limit = end - 128;
        every_use_faults(&w, REF_ACCESS_FAULT, level);
        w.space.limit = first;
        every_use_faults(&w, REF_ACCESS_FAULT, level);
    }
}

static void the_highest_page_of_48_bits_can_be_mapped(void **state)
{
    (void)state;
    for (unsigned level = 0; level < REF_LEVELS; level++) {
        walk w = walk_to(level);
        uint64_t frame = (1ull << 36) - (1ull << 9 * level);
        w.space.limit = 1ull << 48;
        w.pte[level] = PPN(frame) | FULL;
        every_use_translates(&w, frame << 12 | (w.va & page_mask[level]));
        w.space.limit -= 128;
        every_use_faults(&w, REF_ACCESS_FAULT, level);
    }
}

/* A missing right is found before an access to the frame. */
static void page_faults_of_a_leaf_come_before_its_access_fault(void **state)
{
    (void)state;
    for (unsigned level = 0; level < REF_LEVELS; level++) {
        walk w = walk_to(level);
        w.space.limit = 4 * GB;
        every_use_faults(&w, REF_ACCESS_FAULT, level);
        uint64_t good = w.pte[level];
        w.pte[level] = good & ~(uint64_t)(W | X);
        faults(&w, REF_USE_LOAD, REF_ACCESS_FAULT, level);
        faults(&w, REF_USE_STORE, REF_PAGE_FAULT, level);
        faults(&w, REF_USE_FETCH, REF_PAGE_FAULT, level);
        w.pte[level] = good & ~(uint64_t)(R | W);
        faults(&w, REF_USE_LOAD, REF_PAGE_FAULT, level);
        faults(&w, REF_USE_FETCH, REF_ACCESS_FAULT, level);
        w.pte[level] = good & ~(uint64_t)D;
        faults(&w, REF_USE_LOAD, REF_ACCESS_FAULT, level);
        faults(&w, REF_USE_STORE, REF_PAGE_FAULT, level);
        w.pte[level] = good & ~(uint64_t)U;
        every_use_faults(&w, REF_PAGE_FAULT, level);
        w.pte[level] = good & ~(uint64_t)A;
        every_use_faults(&w, REF_PAGE_FAULT, level);
        if (level) {
            w.pte[level] = good | PPN(1);
            every_use_faults(&w, REF_PAGE_FAULT, level);
        }
    }
}

static uint64_t seed, rounds = 400;
static bool seed_given;

static void random_tables_mean_what_a_list_of_mappings_says(void **state)
{
    (void)state;
    if (!seed_given)
        assert_true(random_tables(0, rounds));
    assert_true(random_tables(seed, rounds));
}

int main(int argc, char **argv)
{
    seed_given = argc > 1;
    seed = seed_given ? strtoull(argv[1], NULL, 0) : (uint64_t)time(NULL);
    if (argc > 2)
        rounds = strtoull(argv[2], NULL, 0);
    printf("seed %llu\n", (unsigned long long)seed);
#define T(name) cmocka_unit_test(name)
    const struct CMUnitTest tests[] = {T(a_leaf_of_each_size_keeps_the_offset),
                                       T(every_bit_of_the_page_number_chooses_a_pte),
                                       T(bits_63_to_48_must_be_as_bit_47),
                                       T(a_pte_that_is_not_valid_faults),
                                       T(writable_and_not_readable_is_reserved),
                                       T(reserved_bits_must_be_0),
                                       T(page_numbers_beyond_48_bits_fault),
                                       T(bits_for_software_do_not_matter),
                                       T(a_mapping_is_global_if_any_pte_says_so),
                                       T(pointers_have_no_d_a_or_u),
                                       T(the_last_level_has_no_pointers),
                                       T(permissions_of_every_kind_of_leaf),
                                       T(leaves_of_others_than_users_fault),
                                       T(software_sets_a_and_d),
                                       T(superpages_must_be_aligned),
                                       T(a_pte_outside_of_memory_is_an_access_fault),
                                       T(a_page_partly_outside_of_memory_is_an_access_fault),
                                       T(the_highest_page_of_48_bits_can_be_mapped),
                                       T(page_faults_of_a_leaf_come_before_its_access_fault),
                                       T(random_tables_mean_what_a_list_of_mappings_says)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    int n = sizeof tests / sizeof *tests;
    printf("%d passed, %d failed\n", n - failed, failed);
    return failed != 0;
}
