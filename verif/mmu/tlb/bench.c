/* Bench of tlb. Besides the twin it is checked against a scoreboard (scoreboard.h) that keeps every fill and invalidation: possible hits, and the entries left by the replacement. Coverage is
 * the scoreboard's too, so the bench is independent of the storage of RTL and twin. */
#define BENCH_SEEDS 8
#define BENCH_CYCLES 40000
#include "verif/mmu/tlb/cover.h"

/* 0: only forbidden hits are checked, for any replacement and latency (verif/mmu/scoreboards). */
#ifndef TLB_EXACT
#define TLB_EXACT 1
#endif

static void check_answers(bench_t *b, env_t *e, const tlb_out_t *out)
{
    for (unsigned p = 0; p < TLB_PORTS; p++) {
        const answer_t *a = &e->want[p];
        bool valid = out->found_valid >> p & 1;
        const found_t *f = &out->found[p];
        BENCH_CHECK(b, valid == a->asked, "port %u: %s", p, valid ? "an answer that nobody asked for" : "no answer");
        if (!valid || !a->asked)
            continue;
        BENCH_CHECK(b, f->hit || !f->ppn, "port %u: a miss with a frame", p);
        BENCH_CHECK(b, !f->hit || scoreboard_allows(a, f->ppn), "port %u: a hit that no leaf kept gives", p);
        for (unsigned q = 0; q < p; q++)
            BENCH_CHECK(b,
                        !(out->found_valid >> q & 1) || e->look[p].vpn != e->look[q].vpn
                            || e->look[p].store != e->look[q].store
                            || (f->hit == out->found[q].hit && f->ppn == out->found[q].ppn),
                        "ports %u and %u differ on one page", q, p);
        if (!TLB_EXACT)
            continue;
        BENCH_CHECK(b, f->hit || !a->hit, "port %u: a page that the replacement has kept is not found", p);
        BENCH_CHECK(b, !f->hit || a->hit, "port %u: a page that the replacement has put out is found", p);
        BENCH_CHECK(b, f->ppn == a->ppn, "port %u: the larger of two sizes is found", p);
    }
    if (!TLB_EXACT)
        return;
    vl_diff_t d;
    for (unsigned p = 0; p < TLB_PORTS; p++) {
        const answer_t *a = &e->want[p];
        BENCH_CHECK(b, (out->touch_valid >> p & 1) == a->touches, "port %u: a touch is %s", p,
                    a->touches ? "not told" : "told that was none");
        BENCH_CHECK(b, !a->touches || b->failed || !page_touch_t_diff(&out->touch[p], &a->touch, &d),
                    "port %u: touch: its %s is %s, and not %s", p, d.field, d.a, d.b);
    }
    const scoreboard_t *sb = &e->scoreboard;
    BENCH_CHECK(b, out->page_out_valid == sb->out_valid, "a page that goes is %s",
                sb->out_valid ? "not told" : "told, and none went");
    BENCH_CHECK(b, !sb->out_valid || b->failed || !page_out_t_diff(&out->page_out, &sb->out, &d),
                "the page that goes: its %s is %s, and not %s", d.field, d.a, d.b);
    BENCH_CHECK(b, out->kept_valid == sb->kept_valid, "an entry that a fill takes is %s",
                sb->kept_valid ? "not told" : "told, and none was");
    BENCH_CHECK(b, !sb->kept_valid || out->kept == sb->kept, "a fill takes entry %u, and %u is told", sb->kept,
                (unsigned)out->kept);
    BENCH_CHECK(b, !ev_tlb_t_diff(&out->ev, &e->scoreboard.ev, &d), "event %s: %s, by the scoreboard %s", d.field, d.a,
                d.b);
    BENCH_CHECK(b, out->look_ready == !e->scoreboard.scan, "look_ready is %u", out->look_ready);
    BENCH_CHECK(b, out->inv_done == e->scoreboard.done,
                out->inv_done ? "done that is not" : "an invalidation is not done in its time");
}

static void drive(bench_t *b, env_t *e, const tlb_out_t *out, tlb_in_t *in)
{
    static uint64_t taken; /* the page of the last INV_PAGE that took one of 4 KB, and its frame */
    static uint64_t taken_ppn;
    if (!b->cycle)
        taken = ~0ull;
    if (b->cycle)
        check_answers(b, e, out);
    if (b->cycle % 256 == 0)
        style(b, e);
    tlb_in_random(&b->rng, in);
    scoreboard_t *sb = &e->scoreboard;
    if (vl_below(&b->rng, e->turn) == 0)
        e->random = !e->random;
    in->policy.tlb_replace = e->random ? REPLACE_RANDOM : REPLACE_LRU;
    if (vl_below(&b->rng, e->move) == 0)
        e->asid = vl_below(&b->rng, SPACES);
    in->asid = e->space[e->asid];

    /* Look-ups. */
    in->look_valid = 0;
    bool wanted = vl_chance(&b->rng, e->busy_look);
    BENCH_COVER(b, COV_STOPPED, wanted && !out->look_ready);
    const uint8_t warp = (uint8_t)vl_below(&b->rng, vl_below(&b->rng, 2) ? 2 : WARPS);
    for (unsigned p = 0; p < TLB_PORTS; p++) {
        in->look[p] = (look_t){.vpn = page(b, e), .store = vl_below(&b->rng, 2), .warp = warp};
        if (p && vl_below(&b->rng, 6) == 0)
            in->look[p] = in->look[vl_below(&b->rng, p)];
        e->look[p] = in->look[p];
        e->want[p] = (answer_t){0};
        if (!wanted || !vl_chance(&b->rng, 256 * e->ports / TLB_PORTS))
            continue;
        in->look_valid |= 1u << p;
        if (!out->look_ready) /* not taken */
            continue;
        e->want[p] = scoreboard_look(sb, &in->look[p], in->asid);
        cover_look(b, e, &e->want[p], &in->look[p], in->asid);
        BENCH_COVER(b, COV_REFILL, e->want[p].hit && in->look[p].vpn == taken && e->want[p].ppn != taken_ppn);
    }
    cover_ports(b, e);

    /* An invalidation. */
    if (out->inv_done)
        e->busy = false;
    in->inv_valid = !e->busy && vl_below(&b->rng, e->quiet) == 0;
    if (in->inv_valid) {
        unsigned k = vl_below(&b->rng, 16);
        in->inv = (inv_t){.scope = k == 0  ? INV_ALL
                                   : k < 5 ? INV_ASID
                                           : INV_PAGE,
                          .asid = e->space[vl_below(&b->rng, SPACES)],
                          .vpn = page(b, e)};
        BENCH_COVER(b, COV_BACK, out->inv_done);
        BENCH_COVER(b, COV_BACK_ASID, out->inv_done && in->inv.scope == INV_ASID && e->last.scope == INV_ASID);
    }
    in->fill_valid = vl_chance(&b->rng, e->fill);
    if (in->fill_valid) {
        make_fill(b, e, &in->fill);
        if (in->inv_valid && vl_below(&b->rng, 2)) /* the very page that goes */
            in->fill.asid = in->inv.asid, in->fill.vpn = vl_below(&b->rng, 2) ? in->inv.vpn : in->fill.vpn;
        if (sb->scan && vl_below(&b->rng, 2))
            in->fill.asid = sb->scan_inv.asid;
    }

    /* The edge. */
    bool scan = sb->scan, last_edge = sb->scan_inv.scope == INV_PAGE || sb->scan_set == SETS - 1;
    unsigned scan_set = sb->scan_set;
    fill_t f = {0};
    if (in->fill_valid) {
        cover_same(b, e, &in->fill);
        f = scoreboard_choose(sb, &in->fill, in->inv_valid ? &in->inv : NULL, e->random);
        cover_fill(b, e, in, &f, scan, scan_set, last_edge, out);
        const unsigned at = scoreboard_set(in->fill.vpn) * TLB_WAYS + f.place;
        if (f.kept && !in->fill.leaf.level) {
            e->kept[at] = true;
            BENCH_COVER(b, COV_KEPT_EACH, all_of(e->kept));
            for (unsigned p = 0; p < TLB_PORTS; p++)
                BENCH_COVER(b, COV_KEPT_TOUCHED, e->want[p].touches && e->want[p].touch.entry == at);
        }
    }
    sb->ev = (ev_tlb_t){0};
    sb->done = sb->out_valid = sb->kept_valid = false;
    for (unsigned p = 0; p < TLB_PORTS; p++)
        if (e->want[p].asked)
            scoreboard_touch(sb, &e->want[p], &in->look[p]);
    if (in->inv_valid) {
        const kept_t *k = scoreboard_match(&sb->shelf[scoreboard_set(in->inv.vpn)], in->inv.vpn, in->inv.asid, true);
        if (in->inv.scope == INV_PAGE && k)
            taken = k->vpn, taken_ppn = k->ppn;
        cover_inv(b, e, &in->inv);
        e->last = in->inv;
        e->busy = true;
    }
    scoreboard_scan(sb);
    if (in->inv_valid)
        scoreboard_inv(sb, &in->inv);
    scoreboard_fill(sb, &f);
}

BENCH_MAIN(tlb, env_t, start, drive, cover, COV_N)
