/* See recorder.h. */
#include "sim_c/top/recorder.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ISSUE, WB, MEM, REDIRECT, START, LOOK, WALKED, LINE = 400 };

static recorded_t *next(recorder_t *r, uint64_t cycle, unsigned core, unsigned kind)
{
    recorded_t *e = &r->event[r->count++ % RECORDED];
    e->cycle = cycle;
    e->core = (uint8_t)core;
    e->kind = (uint8_t)kind;
    return e;
}

void recorder_watch(recorder_t *r, const vellum_t *m)
{
    r->vm = vellum_block_out(m, -1, "vm_ctl", "vm_ctl");
    for (int c = 0; c < CORES; c++) {
        r->core[c].lsu = vellum_block_out(m, c, "lsu", "lsu");
        r->core[c].tlb = vellum_block_out(m, c, "tlb", "tlb");
        r->core[c].mshr = vellum_block_out(m, c, "tlb_mshr", "tlb_mshr");
    }
}

/* The look-ups of the cycle before have their answers; others begin. */
static void on_pages(recorder_t *r, uint64_t cycle, unsigned c)
{
    const uint16_t asid = r->vm->root[c].asid;
    const bool answered = r->core[c].looks != 0;
    for (unsigned p = 0; p < TLB_PORTS; p++) { /* of what differs in this cycle */
        const look_t *l = answered ? &r->core[c].look[p] : &r->core[c].lsu->look[p];
        if ((answered ? r->core[c].looks : r->core[c].lsu->look_valid) >> p & 1) {
            r->core[c].any = true;
            r->core[c].last[p] = (recorded_page_t){.vpn = l->vpn, .asid = asid, .warp = l->warp, .store = l->store};
        }
    }
    for (unsigned p = 0; p < TLB_PORTS; p++)
        if (r->core[c].looks >> p & 1) {
            const look_t *l = &r->core[c].look[p];
            const bool hit = (r->core[c].tlb->found_valid >> p & 1) && r->core[c].tlb->found[p].hit;
            next(r, cycle, c, LOOK)->u.page = (recorded_page_t){.vpn = l->vpn,
                                                                .ppn = r->core[c].tlb->found[p].ppn,
                                                                .asid = asid,
                                                                .warp = l->warp,
                                                                .store = l->store,
                                                                .hit = hit};
        }
    if (r->core[c].mshr->walked_valid) {
        const walked_t *w = &r->core[c].mshr->walked;
        next(r, cycle, c, WALKED)->u.page =
            (recorded_page_t){.vpn = w->vpn, .ppn = w->leaf.ppn, .asid = w->asid, .result = w->result};
    }
    r->core[c].looks = r->core[c].tlb->look_ready ? r->core[c].lsu->look_valid : 0;
    memcpy(r->core[c].look, r->core[c].lsu->look, sizeof r->core[c].look);
}

bool recorder_look_up(const recorder_t *r, unsigned core, unsigned port, char *text, size_t size)
{
    if (core >= CORES || port >= TLB_PORTS || !r->core[core].any)
        return false;
    const recorded_page_t *p = &r->core[core].last[port];
    snprintf(text, size, "page 0x%" PRIx64 " of ASID %u, a %s of warp %u", p->vpn << 12, p->asid,
             p->store ? "store" : "load", p->warp);
    return true;
}

void recorder_cycle(recorder_t *r, uint64_t cycle, const vellum_out_t *o)
{
    for (unsigned c = 0; c < CORES && r->vm; c++)
        on_pages(r, cycle, c);
    uint64_t any = (uint64_t)o->trace_start_valid | o->trace_redirect_valid | o->trace_issue_valid | o->trace_wb_valid
                   | o->trace_mem_valid;
    for (unsigned c = 0; c < CORES && any >> c; c++) {
        if ((uint64_t)o->trace_start_valid >> c & 1)
            next(r, cycle, c, START)->u.start = o->trace_start[c];
        if ((uint64_t)o->trace_redirect_valid >> c & 1)
            next(r, cycle, c, REDIRECT)->u.redirect = o->trace_redirect[c];
        if ((uint64_t)o->trace_issue_valid >> c & 1)
            next(r, cycle, c, ISSUE)->u.issue = o->trace_issue[c];
        if ((uint64_t)o->trace_mem_valid >> c & 1)
            next(r, cycle, c, MEM)->u.mem = o->trace_mem[c];
        if ((uint64_t)o->trace_wb_valid >> c & 1)
            next(r, cycle, c, WB)->u.wb = o->trace_wb[c];
    }
}

/* The first few lanes of `mask` with their values. */
static void lanes(char *line, unsigned beat, uint64_t mask, const uint64_t *value)
{
    size_t n = strlen(line);
    unsigned shown = 0;
    for (uint64_t m = mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctzll(m);
        if (shown++ == 4) {
            snprintf(line + n, LINE - n, " ...");
            return;
        }
        n += (size_t)snprintf(line + n, LINE - n, " t%u 0x%" PRIx64, beat * LANES + l, value[l]);
    }
}

static void describe(const recorded_t *e, char *line)
{
    char text[96];
    unsigned warp = e->kind == ISSUE      ? e->u.issue.warp
                    : e->kind == WB       ? e->u.wb.res.warp
                    : e->kind == MEM      ? e->u.mem.warp
                    : e->kind == REDIRECT ? e->u.redirect.warp
                    : e->kind == LOOK     ? e->u.page.warp
                                          : e->u.start.warp;
    int n = snprintf(line, LINE, "  %8" PRIu64 " core %u warp %u ", e->cycle, e->core, warp);
    char *rest = line + n;
    size_t size = LINE - (size_t)n;
    switch (e->kind) {
    case LOOK:
        n = snprintf(rest, size, "look-up page 0x%" PRIx64 " ASID %u, %s: ", e->u.page.vpn << 12, e->u.page.asid,
                     e->u.page.store ? "store" : "load");
        if (e->u.page.hit)
            snprintf(rest + n, size - (size_t)n, "frame 0x%" PRIx64, e->u.page.ppn << 12);
        else
            snprintf(rest + n, size - (size_t)n, "not found");
        break;
    case WALKED:
        snprintf(line, LINE, "  %8" PRIu64 " core %u walk ended: page 0x%" PRIx64 " ASID %u: %s 0x%" PRIx64, e->cycle,
                 e->core, e->u.page.vpn << 12, e->u.page.asid, e->u.page.result ? "no page," : "leaf of frame",
                 e->u.page.ppn << 12);
        break;
    case START:
        snprintf(rest, size, "begins: workgroup %u,%u,%u, pc 0x%" PRIx64 ", threads 0x%" PRIx64, e->u.start.grp[0],
                 e->u.start.grp[1], e->u.start.grp[2], (uint64_t)e->u.start.pc, (uint64_t)e->u.start.tmask);
        break;
    case REDIRECT:
        if (e->u.redirect.stop)
            snprintf(rest, size, "ends");
        else
            snprintf(rest, size, "goes on%s: pc 0x%" PRIx64 ", threads 0x%" PRIx64 "%s",
                     e->u.redirect.flush ? " elsewhere" : "", (uint64_t)e->u.redirect.pc, (uint64_t)e->u.redirect.tmask,
                     e->u.redirect.at_rpc ? ", meets others" : "");
        break;
    case ISSUE:
        if (e->u.issue.op == OP_JOIN) {
            snprintf(text, sizeof text, "join");
        } else {
            isa_disasm(e->u.issue.instr, e->u.issue.pc, text, sizeof text);
            for (char *p = text; *p; p++)
                if (*p == '\t')
                    *p = ' ';
        }
        snprintf(rest, size, "issue   seq %3u pc 0x%" PRIx64 " beat %u threads 0x%" PRIx64 "  %s", e->u.issue.seq,
                 (uint64_t)e->u.issue.pc, e->u.issue.beat, (uint64_t)e->u.issue.tmask, text);
        break;
    case MEM:
        snprintf(rest, size, "address seq %3u", e->u.mem.seq);
        lanes(line, e->u.mem.beat, e->u.mem.mask, e->u.mem.addr);
        break;
    default:
        snprintf(rest, size, "result  seq %3u x%u%s", e->u.wb.res.seq, e->u.wb.res.rd,
                 e->u.wb.res.last ? " (last)" : "");
        if (e->u.wb.res.rd)
            lanes(line, e->u.wb.res.beat, e->u.wb.res.mask, e->u.wb.res.data);
        break;
    }
}

void recorder_append(const recorder_t *r, char *text, size_t size)
{
    char line[LINE];
    uint64_t first = r->count > RECORDED ? r->count - RECORDED : 0, k = r->count;
    size_t used = strlen(text), need = 64;
    while (k > first) { /* count the events that fit */
        describe(&r->event[(k - 1) % RECORDED], line);
        if (used + need + strlen(line) + 1 >= size)
            break;
        need += strlen(line) + 1;
        k--;
    }
    used += (size_t)snprintf(text + used, size - used, "\nthe last events before it:");
    for (; k < r->count; k++) {
        describe(&r->event[k % RECORDED], line);
        used += (size_t)snprintf(text + used, size - used, "\n%s", line);
    }
}
