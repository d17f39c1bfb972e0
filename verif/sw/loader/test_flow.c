/* The control-flow analysis: known shapes, and random graphs and programs against the definition itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sw/runtime/flow.h"
#include "verif/sw/loader/image_maker.h"
#include "verif/sw/loader/tests.h"

#define BASE 0x10000000ull
#define NONE UINT32_MAX

typedef struct expect {
    uint32_t branch, target, depth;
} expect;

/* Instruction numbers throughout; `want` lists exactly the branches that are in the table. */
static void check_entries(const uint32_t *text, uint32_t n, const uint64_t *entries, size_t n_entries,
                          const expect *want, size_t n_want)
{
    vl_flow f;
    assert_int_equal(vl_flow_analyse(text, BASE, n, entries, n_entries, &f), 0);
    assert_int_equal(f.n_reconv, n_want);
    for (size_t i = 0; i < n_want; i++) {
        assert_int_equal(f.reconv[i].pc, BASE + 4 * want[i].branch);
        assert_int_equal(f.reconv[i].target, BASE + 4 * want[i].target);
        assert_int_equal(f.reconv[i].depth, want[i].depth);
    }
    free(f.reconv);
}
#define CHECK(text, ...)                                                                           \
  do {                                                                                             \
    const expect want[] = {{NONE, 0, 0}, ##__VA_ARGS__};                                           \
    check_entries(text, sizeof text / 4, (uint64_t[]){BASE}, 1, want + 1, sizeof want / sizeof *want - 1); \
  } while (0)

static void if_without_else(void **s)
{
    (void)s;
    const uint32_t t[] = {a_beq(2), A_NOP, A_EXIT};
    CHECK(t, {0, 2, 0});
}

static void if_else(void **s)
{
    (void)s;
    const uint32_t t[] = {a_beq(3), A_NOP, a_jal(0, 2), A_NOP, A_EXIT};
    CHECK(t, {0, 4, 0});
}

static void loop_while_and_do(void **s)
{
    (void)s;
    const uint32_t do_while[] = {A_NOP, A_NOP, a_beq(-1), A_EXIT};
    CHECK(do_while, {2, 3, 1});
    const uint32_t while_do[] = {A_NOP, a_beq(3), A_NOP, a_jal(0, -2), A_EXIT};
    CHECK(while_do, {1, 4, 1});
    const uint32_t self[] = {a_beq(0), A_EXIT};
    CHECK(self, {0, 1, 1});
}

static void break_and_continue(void **s)
{
    (void)s;
  /* do { 0; if (1) break -> 6; 2; if (3) continue -> 5; 4; } while (5); 6: exit */
    const uint32_t t[] = {A_NOP, a_beq(5), A_NOP, a_beq(2), A_NOP, a_beq(-5), A_EXIT};
    CHECK(t, {1, 6, 1}, {3, 5, 1}, {5, 6, 1});
}

static void nested_loops(void **s)
{
    (void)s;
    const uint32_t t[] = {A_NOP, A_NOP, a_beq(2), A_NOP, a_beq(-3), a_beq(-5), A_EXIT};
    CHECK(t, {2, 4, 2}, {4, 5, 2}, {5, 6, 1});
}

static void early_exit_has_no_entry(void **s)
{
    (void)s;
    const uint32_t t[] = {a_beq(2), A_EXIT, A_NOP, a_beq(2), A_NOP, A_EXIT};
    CHECK(t, {3, 5, 0});
}

static void early_return_inside_if(void **s)
{
    (void)s;
    const uint32_t t[] = {a_beq(4), a_beq(2), A_EXIT, A_NOP, A_EXIT};
    CHECK(t);
}

static void irreducible_loop(void **s)
{
    (void)s;
  /* 0: into the middle; 1..3 a loop with entries 1 and 2 */
    const uint32_t t[] = {a_beq(2), A_NOP, A_NOP, a_beq(-2), A_EXIT};
    vl_flow f;
    assert_int_equal(vl_flow_analyse(t, BASE, 5, (uint64_t[]){BASE}, 1, &f), 0);
    assert_int_equal(f.n_reconv, 2);
    assert_int_equal(f.reconv[0].target, BASE + 8);
    assert_int_equal(f.reconv[1].target, BASE + 16);
    free(f.reconv);
}

static void infinite_loops(void **s)
{
    (void)s;
    const uint32_t empty[] = {a_jal(0, 0)};
    CHECK(empty);
    const uint32_t inside[] = {a_beq(2), A_NOP, a_jal(0, -2)}; /* for (;;) if (c) nop; */
    CHECK(inside);
    const uint32_t beside[] = {a_beq(2), a_jal(0, 0), A_NOP, a_beq(2), A_NOP, A_EXIT}; /* if (c) for (;;); then on */
    CHECK(beside, {0, 2, 0}, {3, 5, 0});
}

static void call_goes_on_behind(void **s)
{
    (void)s;
  /* 0: if -> 3; 1: call 5; 2: call through a pointer; 3: nop, exit.  5: function with an if, ret */
    const uint32_t t[] = {a_beq(3), a_jal(1, 4), a_jalr(1, 5, 0), A_NOP, A_EXIT, a_beq(2), A_NOP, A_RET};
    CHECK(t, {0, 3, 0}, {5, 7, 0});
}

static void far_call_and_jump_through_auipc(void **s)
{
    (void)s;
    const uint32_t call[] = {a_auipc(1, 0), a_jalr(1, 1, 12), A_EXIT, a_beq(2), A_NOP, A_RET};
    CHECK(call, {3, 5, 0});
    const uint32_t jump[] = {a_auipc(5, 0), a_jalr(0, 5, 12), A_EXIT, a_beq(2), A_NOP, A_EXIT};
    CHECK(jump, {3, 5, 0});
}

static void targets_outside_end_the_path(void **s)
{
    (void)s;
    const uint32_t before[] = {a_beq(-1), A_EXIT};
    CHECK(before);
    const uint32_t behind[] = {a_beq(100), A_EXIT};
    CHECK(behind);
    const uint32_t falls_off[] = {a_beq(1)}; /* both ways out of the text */
    CHECK(falls_off);
    const uint32_t half[] = {(a_beq(1) & ~0xf00u) | 1u << 8, A_EXIT}; /* pc + 2 */
    CHECK(half);
}

static void illegal_instruction_ends_the_path(void **s)
{
    (void)s;
    const uint32_t t[] = {a_beq(2), A_ILLEGAL, A_EXIT};
    CHECK(t);
}

static void branch_to_the_next_instruction(void **s)
{
    (void)s;
    const uint32_t t[] = {a_beq(1), A_EXIT};
    CHECK(t, {0, 1, 0});
}

static void unreachable_code_is_not_looked_at(void **s)
{
    (void)s;
    const uint32_t t[] = {A_EXIT, a_beq(2), A_NOP, A_EXIT};
    CHECK(t);
    const uint64_t entries[] = {BASE, BASE + 4};
    const expect want[] = {{1, 3, 0}};
    check_entries(t, 4, entries, 2, want, 1);
}

static void barrier_is_seen_behind_the_target(void **s)
{
    (void)s;
  /* if; barrier; if; exit */
    const uint32_t t[] = {a_beq(2), A_NOP, A_BARRIER, a_beq(2), A_NOP, A_EXIT};
    vl_flow f;
    assert_int_equal(vl_flow_analyse(t, BASE, 6, (uint64_t[]){BASE}, 1, &f), 0);
    assert_int_equal(f.n_reconv, 2);
    assert_true(f.reconv[0].barrier);
    assert_false(f.reconv[1].barrier);
    free(f.reconv);
  /* the same in a loop: both */
    const uint32_t l[] = {a_beq(2), A_NOP, A_BARRIER, a_beq(2), A_NOP, a_beq(-5), A_EXIT};
    assert_int_equal(vl_flow_analyse(l, BASE, 7, (uint64_t[]){BASE}, 1, &f), 0);
    assert_int_equal(f.n_reconv, 3);
    assert_true(f.reconv[0].barrier);
    assert_true(f.reconv[1].barrier);
    assert_false(f.reconv[2].barrier);
    free(f.reconv);
}

/* ---- random graphs against the definition ---- */

static uint64_t state;
static uint32_t rnd(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state * 0x2545f4914f6cdd1dull >> 33) % below);
}
static void seed(uint64_t s)
{
    state = s * 0x9e3779b97f4a7c15ull + 0x123456789ull;
}

enum { MAX = 48 };
typedef struct graph {
    uint32_t n, first[MAX + 1], succ[MAX * 4];
} graph;

/* Nodes that `from` reaches without passing `without`. */
static void reach(const graph *g, uint32_t from, uint32_t without, bool *seen)
{
    uint32_t todo[MAX], n = 0;
    memset(seen, 0, MAX * sizeof *seen);
    if (from == without)
        return;
    seen[from] = true;
    todo[n++] = from;
    while (n) {
        uint32_t v = todo[--n];
        for (uint32_t e = g->first[v]; e < g->first[v + 1]; e++)
            if (g->succ[e] != without && !seen[g->succ[e]]) {
                seen[g->succ[e]] = true;
                todo[n++] = g->succ[e];
            }
    }
}

static void random_graph(graph *g)
{
    g->n = 1 + rnd(MAX - 1);
    uint32_t edges = 0, density = 1 + rnd(3);
    for (uint32_t v = 0; v < g->n; v++) {
        g->first[v] = edges;
        for (uint32_t k = rnd(density + 1); k; k--)
            g->succ[edges++] = rnd(4) ? rnd(g->n) : (v + 1) % g->n;
        if (rnd(4) == 0)
            g->succ[edges++] = (v + 1) % g->n;
    }
    g->first[g->n] = edges;
}

static void dominator_matrix(const graph *g, uint32_t root, bool dom[MAX][MAX], bool *reached)
{
    bool seen[MAX];
    reach(g, root, NONE, reached);
    for (uint32_t d = 0; d < g->n; d++) {
        reach(g, root, d, seen);
        for (uint32_t v = 0; v < g->n; v++)
            dom[d][v] = reached[v] && !seen[v];
    }
}

static void dominators_equal_the_definition(void **s)
{
    (void)s;
    static bool dom[MAX][MAX];
    for (uint64_t k = 0; k < 20000; k++) {
        graph g;
        bool reached[MAX];
        uint32_t idom[MAX];
        seed(k);
        random_graph(&g);
        uint32_t root = rnd(g.n);
        assert_int_equal(vl_dominators(&(vl_graph){g.n, g.first, g.succ}, root, idom), 0);
        dominator_matrix(&g, root, dom, reached);
        for (uint32_t v = 0; v < g.n; v++) {
            uint32_t want = NONE;
            if (v == root)
                want = root;
            else if (reached[v]) /* the strict dominator that every other strict dominator dominates */
                for (uint32_t d = 0; d < g.n; d++) {
                    bool nearest = d != v && dom[d][v];
                    for (uint32_t x = 0; nearest && x < g.n; x++)
                        if (x != v && x != d && dom[x][v] && !dom[x][d])
                            nearest = false;
                    if (nearest)
                        want = d;
                }
            if (idom[v] != want)
                fail_msg("seed %llu node %u: %u, not %u", (unsigned long long)k, v, idom[v], want);
        }
    }
}

/* For graphs with a dominating header in every cycle: the number of natural loops around each node. */
static void loop_depths_equal_the_definition(void **s)
{
    (void)s;
    static bool dom[MAX][MAX];
    unsigned compared = 0;
    for (uint64_t k = 0; k < 40000; k++) {
        graph g;
        bool reached[MAX], seen[MAX];
        uint32_t depth[MAX], want[MAX] = {0};
        seed(k);
        random_graph(&g);
        dominator_matrix(&g, 0, dom, reached);
    /* reducible: without its back edges the graph has no cycle, that is, no node reaches itself */
        graph f = {.n = g.n};
        uint32_t edges = 0;
        for (uint32_t v = 0; v < g.n; v++) {
            f.first[v] = edges;
            for (uint32_t e = g.first[v]; e < g.first[v + 1]; e++)
                if (reached[v] && !dom[g.succ[e]][v])
                    f.succ[edges++] = g.succ[e];
        }
        f.first[g.n] = edges;
        bool reducible = true;
        for (uint32_t v = 0; v < g.n && reducible; v++)
            for (uint32_t e = f.first[v]; e < f.first[v + 1]; e++) {
                reach(&f, f.succ[e], NONE, seen);
                if (seen[v])
                    reducible = false;
            }
        if (!reducible)
            continue;
        compared++;
        for (uint32_t h = 0; h < g.n;
             h++) { /* members of h's loop: reach a source of a back edge to h without passing h */
            bool member[MAX] = {false}, any = false;
            for (uint32_t v = 0; v < g.n; v++) {
                if (!reached[v])
                    continue;
                reach(&g, v, v == h ? NONE : h, seen);
                for (uint32_t u = 0; u < g.n; u++)
                    for (uint32_t e = g.first[u]; e < g.first[u + 1]; e++)
                        if (g.succ[e] == h && reached[u] && dom[h][u] && (seen[u] || u == v))
                            member[v] = any = true;
            }
            member[h] = any;
            for (uint32_t v = 0; v < g.n; v++)
                want[v] += member[v] && (v == h || dom[h][v]);
        }
        assert_int_equal(vl_loop_depths(&(vl_graph){g.n, g.first, g.succ}, 0, depth), 0);
        for (uint32_t v = 0; v < g.n; v++)
            if (reached[v] && depth[v] != want[v])
                fail_msg("seed %llu node %u: depth %u, not %u", (unsigned long long)k, v, depth[v], want[v]);
    }
    assert_true(compared > 1000);
}

/* ---- random programs: every table entry against the definition on single instructions ---- */

static void random_programs_equal_the_definition(void **s)
{
    (void)s;
    for (uint64_t k = 0; k < 20000; k++) {
        uint32_t text[MAX], n = 2 + rnd(MAX - 3);
        seed(k);
        n = 2 + rnd(MAX - 3);
        graph g = {.n = n + 1}; /* node n: the end */
        bool call[MAX] = {false};
        uint32_t edges = 0, callee[MAX];
        for (uint32_t i = 0; i < n; i++) {
            uint32_t to = rnd(n), kind = rnd(16);
            int d = (int)to - (int)i;
            uint32_t next = i + 1;
            g.first[i] = edges;
            if (kind < 6) {
                text[i] = a_beq(d);
                g.succ[edges++] = to;
                g.succ[edges++] = next;
            } else if (kind < 8) {
                text[i] = a_jal(0, d);
                g.succ[edges++] = to;
            } else if (kind == 8) {
                text[i] = a_jal(1, d);
                call[i] = true;
                callee[i] = to;
                g.succ[edges++] = next;
            } else if (kind == 9) {
                text[i] = rnd(2) ? A_EXIT : A_RET;
                g.succ[edges++] = n;
            } else {
                text[i] = A_NOP;
                g.succ[edges++] = next;
            }
        }
        g.first[n] = g.first[n + 1] = edges;
    /* what runs: from 0, and from every function called by what runs */
        bool runs[MAX] = {false}, seen[MAX], more = true;
        reach(&g, 0, NONE, runs);
        while (more) {
            more = false;
            for (uint32_t i = 0; i < n; i++)
                if (runs[i] && call[i] && !runs[callee[i]]) {
                    reach(&g, callee[i], NONE, seen);
                    for (uint32_t v = 0; v < n; v++)
                        runs[v] |= seen[v];
                    more = true;
                }
        }
        vl_flow f;
        assert_int_equal(vl_flow_analyse(text, BASE, n, (uint64_t[]){BASE}, 1, &f), 0);
        size_t at = 0;
        for (uint32_t b = 0; b < n; b++) {
            if (!runs[b] || (text[b] & 0x7f) != 0x63)
                continue;
            bool ends[MAX], pdom[MAX] = {false};
            uint32_t want = NONE;
            reach(&g, b, NONE, ends);
            for (uint32_t d = 0; d < n; d++)
                if (ends[n] && d != b) {
                    reach(&g, b, d, seen);
                    pdom[d] = !seen[n];
                }
            for (uint32_t d = 0; d < n && want == NONE; d++) {
                if (!pdom[d])
                    continue;
                bool nearest = true;
                for (uint32_t x = 0; x < n; x++)
                    if (x != d && pdom[x]) {
                        reach(&g, d, x, seen);
                        if (seen[n])
                            nearest = false;
                    }
                if (nearest)
                    want = d;
            }
            bool listed = at < f.n_reconv && f.reconv[at].pc == BASE + 4 * b;
            if (listed != (want != NONE) || (listed && f.reconv[at].target != BASE + 4 * want))
                fail_msg("seed %llu branch %u: wrong reconvergence point, should be %d", (unsigned long long)k, b,
                         (int)want);
            at += listed;
        }
        assert_int_equal(at, f.n_reconv);
        free(f.reconv);
    }
}

/* Shapes on which a careless algorithm takes for ever. */
static void large_texts_take_little_time(void **s)
{
    (void)s;
    uint32_t n = 400000, *t = malloc(4ul * n);
    vl_flow f;
    for (uint32_t i = 0; i < n; i++)
        t[i] = a_beq(i % 1000 < 900 ? -(int)(i % 900) : 3);
    assert_int_equal(vl_flow_analyse(t, BASE, n, (uint64_t[]){BASE}, 1, &f), 0);
    free(f.reconv);
    for (uint32_t i = 0; i < n; i++)
        t[i] = i % 2 ? A_NOP : a_beq(i % 4 ? 3 : -1);
    assert_int_equal(vl_flow_analyse(t, BASE, n, (uint64_t[]){BASE}, 1, &f), 0);
    free(f.reconv);
    for (uint32_t i = 0; i < n; i++)
        t[i] = a_jal(0, i < n / 2 ? 1 : -1);
    assert_int_equal(vl_flow_analyse(t, BASE, n, (uint64_t[]){BASE}, 1, &f), 0);
    free(f.reconv);
    free(t);
}

/* ---- the table ---- */

static void table_keeps_two_a_set_and_the_deepest(void **s)
{
    (void)s;
    vl_reconv t[8];
  /* four entries, two sets: pcs 0, 8, 16, 24 fall into set 0 */
    const vl_reconv in[] = {{0x1000, 1, 0, false},
                            {0x1004, 2, 0, false},
                            {0x1008, 3, 2, false},
                            {0x1010, 4, 1, false},
                            {0x1018, 5, 0, true}};
    assert_int_equal(vl_reconv_pack(in, 5, 4, t), 2);
    assert_int_equal(t[0].pc, 0x1018); /* a barrier follows */
    assert_int_equal(t[1].pc, 0x1008);
    assert_int_equal(t[2].pc, 0x1004);
    assert_int_equal(t[3].pc, 0);
    assert_int_equal(vl_reconv_pack(in, 5, 8, t), 0); /* sets 0: 1000 1010, 1: 1004, 2: 1008 1018 */
    assert_int_equal(t[0].pc, 0x1010);
    assert_int_equal(t[1].pc, 0x1000);
    assert_int_equal(t[4].pc, 0x1018);
    assert_int_equal(t[5].pc, 0x1008);
    assert_int_equal(vl_reconv_pack(in, 0, 4, t), 0);
    for (int i = 0; i < 4; i++)
        assert_int_equal(t[i].pc, 0);
}

static void table_refuses_odd_sizes(void **s)
{
    (void)s;
    vl_reconv t[4];
    assert_int_equal(vl_reconv_pack(NULL, 0, 0, t), VL_EINVAL);
    assert_int_equal(vl_reconv_pack(NULL, 0, 3, t), VL_EINVAL);
    assert_int_equal(vl_reconv_pack(NULL, 1, 4, t), VL_EINVAL);
    assert_int_equal(vl_reconv_pack(NULL, 0, 4, NULL), VL_EINVAL);
}

static void table_never_loses_a_branch_that_fits(void **s)
{
    (void)s;
    for (uint64_t k = 0; k < 2000; k++) {
        seed(k);
        uint32_t entries = 2u << rnd(5), n = rnd(40);
        vl_reconv in[40], t[64];
        for (uint32_t i = 0; i < n; i++)
            in[i] = (vl_reconv){0x1000 + 4 * (3 * i + rnd(3)), 4, rnd(4), rnd(2)};
        int out = vl_reconv_pack(in, n, entries, t), kept = 0;
        for (uint32_t e = 0; e < entries; e++) {
            if (!t[e].pc)
                continue;
            kept++;
            assert_int_equal(t[e].pc / 4 % (entries / 2), e / 2);
        }
        assert_int_equal(kept + out, n);
        for (uint32_t i = 0; i < n; i++) { /* left out only where two better ones are */
            const vl_reconv *way = &t[2 * (in[i].pc / 4 % (entries / 2))];
            if (way[0].pc == in[i].pc || way[1].pc == in[i].pc)
                continue;
            for (int w = 0; w < 2; w++) {
                assert_true(way[w].pc != 0);
                assert_true(way[w].barrier > in[i].barrier
                            || (way[w].barrier == in[i].barrier && way[w].depth >= in[i].depth));
            }
        }
    }
}

int flow_tests(unsigned *count)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(if_without_else),
        cmocka_unit_test(if_else),
        cmocka_unit_test(loop_while_and_do),
        cmocka_unit_test(break_and_continue),
        cmocka_unit_test(nested_loops),
        cmocka_unit_test(early_exit_has_no_entry),
        cmocka_unit_test(early_return_inside_if),
        cmocka_unit_test(irreducible_loop),
        cmocka_unit_test(infinite_loops),
        cmocka_unit_test(call_goes_on_behind),
        cmocka_unit_test(far_call_and_jump_through_auipc),
        cmocka_unit_test(targets_outside_end_the_path),
        cmocka_unit_test(illegal_instruction_ends_the_path),
        cmocka_unit_test(branch_to_the_next_instruction),
        cmocka_unit_test(unreachable_code_is_not_looked_at),
        cmocka_unit_test(barrier_is_seen_behind_the_target),
        cmocka_unit_test(dominators_equal_the_definition),
        cmocka_unit_test(loop_depths_equal_the_definition),
        cmocka_unit_test(random_programs_equal_the_definition),
        cmocka_unit_test(large_texts_take_little_time),
        cmocka_unit_test(table_keeps_two_a_set_and_the_deepest),
        cmocka_unit_test(table_refuses_odd_sizes),
        cmocka_unit_test(table_never_loses_a_branch_that_fits),
    };
    *count += sizeof tests / sizeof *tests;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
