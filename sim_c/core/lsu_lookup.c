/* See lsu_lookup.h. */
#include "sim_c/core/lsu_lookup.h"
#include <string.h>

#define VPN(a) ((a) >> 12 & (BIT(VPN_W) - 1))
enum { MOST_PAGES = 127 };

void lookup_reset(lookup_t *s)
{
    memset(s, 0, sizeof *s);
    s->lrow = s->ap = NO_ROW;
}

static bool shown(const lookup_t *s)
{
    return s->lk.valid && !s->nanswers && s->nmq + s->fk.valid <= 1;
}

void lookup_out(const lookup_t *s, lsu_out_t *o)
{
    o->look_valid = 0;
    if (shown(s)) {
        o->look_valid = s->lk.ports;
        for (unsigned p = 0; p < TLB_PORTS; p++)
            o->look[p] = (look_t){.vpn = s->lk.vpn[p], .store = s->lk.write, .warp = s->lk.warp};
    }
    o->miss_valid = s->nmq && !s->nanswers;
    if (o->miss_valid) {
        const pages_t *m = &s->mq[0];
        o->miss = (miss_t){.vpn = m->vpn[lowest(m->ports)], .access = m->write ? ACC_STORE : ACC_LOAD, .warp = m->warp};
    }
}

uint64_t lookup_busy(const lookup_t *s, const rows_t *rows)
{
    uint64_t busy = rows->wait | rows->ans;
    if (s->lk.valid)
        busy |= BIT(s->lk.row);
    if (s->fk.valid)
        busy |= BIT(s->fk.row);
    for (unsigned i = 0; i < s->nmq; i++)
        busy |= BIT(s->mq[i].row);
    if (s->asked_valid)
        busy |= BIT(s->asked_row);
    return busy;
}

bool lookup_rests(const lookup_t *s, const rows_t *rows)
{
    return !rows->todo && s->lrow == NO_ROW && !s->lk.valid && !s->fk.valid && !s->nmq && !s->asked_valid
           && !s->nanswers && s->ap == NO_ROW;
}

/* Thread's page is in this frame. */
static void translate(row_t *r, uint64_t thread, uint64_t frame)
{
    r->phys[thread] = frame << 12 | (r->addr[thread] & 4095);
}

bool lookup_early(const lookup_t *s)
{
    return shown(s) && s->lk.ports == 1 && !s->lk.more;
}

bool lookup_kept(const lookup_t *s, const lsu_in_t *in)
{
    return s->fk.valid && s->fk.early && in->found[0].hit;
}

void lookup_found(lookup_t *s, rows_t *rows, const lsu_in_t *in)
{
    if (!s->fk.valid)
        return;
    row_t *r = &rows->row[s->fk.row];
    for EACH(p, s->fk.ports) {
        if (!in->found[p].hit)
            continue;
        s->fk.ports &= ~(1u << p); /* the ports that stay in `fk` have missed */
        if (s->fk.early)
            continue;
        for EACH(t, s->fk.mask[p])
            translate(r, t, in->found[p].ppn);
        r->ok |= s->fk.mask[p];
        r->walked &= ~s->fk.mask[p];
    }
}

/* Look-up 8, one row and the slot that is answered. */
static void answer(lookup_t *s, rows_t *rows, unsigned k)
{
    row_t *r = &rows->row[k];
    const leaf_t *leaf = &s->answer[s->head].leaf;
    const uint8_t result = s->answer[s->head].result;
    const uint64_t low = BIT(9 * leaf->level) - 1;
    tmask_t mine = 0;
    for EACH(t, r->ans)
        if (r->id[t] == s->head) {
            mine |= BIT(t);
            translate(r, t, (leaf->ppn & ~low) | (VPN(r->addr[t]) & low));
        }
    r->ans &= ~mine;
    r->walked |= mine;
    set_to(&rows->ans, k, r->ans);
    if (result == WALK_PAGE || !(r->write ? leaf->w : leaf->r)) {
        r->flt |= mine;
    } else if (result == WALK_ACCESS) {
        r->flt |= mine;
        r->facc |= mine;
    } else {
        r->ok |= mine;
    }
}

static unsigned next_to_answer(const lookup_t *s, const rows_t *rows)
{
    uint64_t set = s->ap == NO_ROW ? rows->ans : rows->ans & ~BIT(s->ap);
    for EACH(k, set)
        for EACH(t, rows->row[k].ans)
            if (rows->row[k].id[t] == s->head)
                return (unsigned)k;
    return NO_ROW;
}

static void answers(lookup_t *s, rows_t *rows, bool acts)
{
    unsigned next = next_to_answer(s, rows);
    if (acts)
        answer(s, rows, s->ap);
    s->ap = (uint8_t)next;
    if (next == NO_ROW) {
        s->head = (s->head + 1) % ANSWERS;
        s->nanswers--;
    }
}

/* Look-up 7. */
static void walked(lookup_t *s, rows_t *rows, const walked_t *w)
{
    const unsigned slot = (s->head + s->nanswers) % ANSWERS;
    bool any = false;
    for EACH(k, rows->wait) {
        row_t *r = &rows->row[k];
        tmask_t mine = 0;
        for EACH(t, r->wait)
            if (r->id[t] == w->walk) {
                mine |= BIT(t);
                r->id[t] = (uint8_t)slot;
            }
        if (!mine)
            continue;
        any = true;
        r->wait &= ~mine;
        r->ans |= mine;
        set_to(&rows->wait, (unsigned)k, r->wait);
        rows->ans |= BIT(k);
    }
    if (any) {
        s->answer[slot].result = w->result;
        s->answer[slot].leaf = w->leaf;
        s->nanswers++;
    }
}

/* Look-up 6. */
static void walk(lookup_t *s, rows_t *rows, uint8_t number)
{
    row_t *r = &rows->row[s->asked_row];
    for EACH(t, s->asked)
        r->id[t] = number;
    r->wait |= s->asked;
    rows->wait |= BIT(s->asked_row);
    s->asked_valid = false;
}

/* Look-up 5, a miss that is taken. */
static void ask(lookup_t *s)
{
    pages_t *m = &s->mq[0];
    unsigned p = lowest(m->ports);
    s->asked_valid = true;
    s->asked_row = m->row;
    s->asked = m->mask[p];
    m->ports &= m->ports - 1;
    if (!m->ports && --s->nmq)
        s->mq[0] = s->mq[1];
}

/* Look-up 2. */
static void pages(lookup_t *s, rows_t *rows, ev_lsu_t *ev)
{
    row_t *r = &rows->row[s->lrow];
    unsigned n = 0;
    s->lk.valid = true;
    s->lk.write = r->write;
    s->lk.row = s->lrow;
    s->lk.warp = r->warp;
    for (; r->todo && n < TLB_PORTS; n++) {
        const uint64_t vpn = VPN(r->addr[lowest(r->todo)]);
        s->lk.vpn[n] = vpn;
        s->lk.mask[n] = 0;
        for EACH(t, r->todo)
            if (VPN(r->addr[t]) == vpn)
                s->lk.mask[n] |= BIT(t);
        r->todo &= ~s->lk.mask[n];
    }
    s->lk.ports = (uint32_t)(BIT(n) - 1);
    set_to(&rows->todo, s->lrow, r->todo);
    r->pages = (uint8_t)(r->pages + n < MOST_PAGES ? r->pages + n : MOST_PAGES);
    ev->lsu_pages = (uint8_t)n;
    ev->lsu_stall_port = s->lk.more = r->todo != 0;
}

/* Rows that may be looked up: no other row comes first. */
static uint64_t let(const lsu_in_t *in, uint64_t busy)
{
    if (in->mode != TLB_BLOCKING || !busy)
        return UINT64_MAX;
    return busy & (busy - 1) ? 0 : busy;
}

unsigned lookup_used(const lookup_t *s, const rows_t *rows, const lsu_in_t *in, uint64_t busy, uint64_t dead)
{
    if (s->lrow == NO_ROW || s->nanswers || (s->lk.valid && !(shown(s) && in->look_ready)))
        return NO_ROW;
    const row_t *r = &rows->row[s->lrow];
    return r->todo && !(dead >> r->warp & 1) && let(in, busy) >> s->lrow & 1 ? s->lrow : NO_ROW;
}

/* Look-up 1 and 2. */
static void look_at_rows(lookup_t *s, rows_t *rows, const lsu_in_t *in, bool quiet, uint64_t busy, uint64_t dead,
                         ev_lsu_t *ev)
{
    const uint64_t may = let(in, busy);
    bool again = true;
    if (s->lrow != NO_ROW) {
        const row_t *r = &rows->row[s->lrow];
        again = !r->todo || dead >> r->warp & 1;
        if (!again && quiet && !s->lk.valid) {
            if (may >> s->lrow & 1) {
                pages(s, rows, ev);
                again = !r->todo;
            } else {
                ev->lsu_stall_blocked = true;
            }
        }
    }
    if (!again)
        return;
    uint64_t set = rows->todo;
    if (dead)
        for EACH(k, rows->todo)
            if (dead >> rows->row[k].warp & 1)
                set &= ~BIT(k);
    ev->lsu_stall_blocked |= (set & ~may) != 0;
    s->lrow = (uint8_t)rows_oldest(rows, set & may);
}

bool lookup_tick(lookup_t *s, rows_t *rows, const lsu_in_t *in, bool early, uint64_t busy, uint64_t dead, ev_lsu_t *ev)
{
    if (lookup_rests(s, rows) && !in->walked_valid)
        return false;
    const bool quiet = !s->nanswers, taken = shown(s) && in->look_ready, offered = s->nmq && quiet,
               looked = s->fk.valid;
    ev->lsu_stall_look = s->lk.valid && !taken;
    ev->lsu_stall_walk = offered && !in->miss_ready;
    const bool acts = s->ap != NO_ROW && !looked;
    if (!quiet && (acts || s->ap == NO_ROW))
        answers(s, rows, acts);
    if (in->walked_valid)
        walked(s, rows, &in->walked);
    if (s->asked_valid)
        walk(s, rows, in->walk);
    if (offered && in->miss_ready)
        ask(s);
    if (looked && s->fk.ports)
        s->mq[s->nmq++] = s->fk;
    s->fk.valid = taken;
    if (taken) {
        s->fk = s->lk;
        s->fk.early = early;
        s->lk.valid = false;
    }
    look_at_rows(s, rows, in, quiet, busy, dead, ev);
    return true;
}

void lookup_invalidate(lookup_t *s, rows_t *rows)
{
    s->lk.valid = s->fk.valid = false;
    s->lrow = s->ap = NO_ROW;
    s->nmq = s->nanswers = 0;
    rows->ans = 0;
    for EACH(k, rows->valid) {
        row_t *r = &rows->row[k];
        r->ok = r->ans = 0;
        r->todo = r->unsent & ~(r->flt | r->wait);
        if (s->asked_valid && s->asked_row == k)
            r->todo &= ~s->asked;
        if (rows->sound >> k & 1)
            set_to(&rows->todo, (unsigned)k, r->todo);
    }
}
