/* Twin of rtl/core/compactor.sv: the stack of a group, and the warps that are formed of its threads (docs/blocks/compactor.md). */
#include "compactor_ports.h"
#include "isa_gen.h"
#include "sim_c/common/bits.h"
#include "sim_c/common/twin.h"
#include <string.h>

#define PC_MASK ((1ull << PA_W) - 1)

enum run { RUN, BRANCH, BAR, STATES, REST = STATES };
enum engine { IDLE, ALONE, DIVIDE, SIDE, POP, FORM, ADMIT, LAUNCHED, DONE };

typedef struct {
    uint64_t pc, target, meeting, tmask, taken;
} at_t;

typedef struct {
    uint64_t pc, rpc, mask[WARPS]; /* mask: of each home */
    bool rpc_valid;
} entry_t_;

typedef struct {
    uint32_t size, started;
    bool on, aware, left, some, mixed, rpc_valid;
    uint64_t warps, pc, rpc; /* warps: those of the group */
    unsigned level;
    entry_t_ stack[BLOCK_STACK];
} group_state_t;

struct compactor {
    /* Warps as places to run; sets have a bit for each warp. */
    uint64_t state[STATES], flying; /* a warp in none of these sets is in REST; flying: warps with `fly` above 0 */
    uint8_t grp[WARPS], home[WARPS][THREADS], fly[WARPS];
    at_t at[WARPS];
    /* Warps as homes. */
    uint64_t in, gone, waits; /* waits: homes with threads in `wait` */
    uint64_t live[WARPS], wait[WARPS], take[WARPS], pass[WARPS], wpc[WARPS];
    group_state_t group[GROUPS];
    enum engine engine;
    unsigned g, turn;
    uint64_t todo, fpc, form[WARPS];
    at_t d;
    /* The warp that ADMIT fills. */
    uint64_t members, fmask;
    uint8_t fhome[THREADS];
    bool flt_valid, go_valid, formed_valid, still;
    go_t flt, go;
    formed_t formed;
    ev_compactor_t ev;
};

TWIN_STATE(compactor)

static void put(compactor_t *s, uint64_t warps, enum run state)
{
    for (unsigned k = 0; k < STATES; k++)
        s->state[k] = k == state ? s->state[k] | warps : s->state[k] & ~warps;
}

/* Has some home of the warps a thread in these masks? */
static bool any(const uint64_t *masks, uint64_t warps)
{
    uint64_t all = 0;
    for EACH(w, warps)
        all |= masks[w];
    return all != 0;
}

void compactor_out(const compactor_t *s, compactor_out_t *o)
{
    if ((o->go_valid = s->go_valid))
        o->go = s->go;
    o->grouped = (__typeof__(o->grouped))s->in;
    uint64_t nested = 0;
    for (unsigned g = 0; g < GROUPS; g++)
        if (s->group[g].level || s->waits & s->group[g].warps)
            nested |= s->group[g].warps;
    o->nested = (__typeof__(o->nested))nested;
    memcpy(o->homes, s->home, sizeof o->homes);
    if ((o->formed_valid = s->formed_valid))
        o->formed = s->formed;
    o->ev = s->ev;
}

bool compactor_idle(const compactor_t *s)
{
    return s->still;
}

static void clear(uint64_t *masks, uint64_t warps)
{
    for EACH(w, warps)
        masks[w] = 0;
}

enum ready { NOT, STIRS, IS_ALONE, DIVIDES, POPS }; /* STIRS: it lacks only to be still */

/* Step 5, of one group. */
static enum ready ready(const compactor_t *s, unsigned g, uint64_t rows)
{
    const group_state_t *q = &s->group[g];
    const uint64_t warps = q->warps;
    if (!q->on || q->started != q->size || !warps || s->state[RUN] & warps)
        return NOT;
    const bool branch = s->state[BRANCH] & warps, bar = s->state[BAR] & warps;
    if (branch && (bar || q->mixed || !any(s->take, warps) || !any(s->pass, warps) || q->level + 2 > BLOCK_STACK))
        return IS_ALONE;
    if (!branch && bar)
        return NOT;
    return (rows | s->flying) & warps ? STIRS : branch ? DIVIDES : POPS;
}

/* Step 5. */
static bool decide(compactor_t *s, uint64_t rows)
{
    bool stirs = false;
    for (unsigned k = 0; k < GROUPS; k++) {
        const unsigned g = (s->turn + k) % GROUPS;
        const enum ready is = ready(s, g, rows);
        stirs |= is == STIRS;
        if (is <= STIRS)
            continue;
        group_state_t *q = &s->group[g];
        const uint64_t warps = q->warps, branch = s->state[BRANCH] & warps;
        s->g = g;
        s->turn = (g + 1) % GROUPS;
        if (is == IS_ALONE) {
            s->todo = branch;
            clear(s->take, warps);
            clear(s->pass, warps);
            q->some = q->mixed = false;
            s->engine = ALONE;
        } else if (is == DIVIDES) {
            s->d = s->at[__builtin_ctzll(branch)];
            put(s, warps, REST);
            q->some = q->mixed = false;
            s->engine = DIVIDE;
        } else {
            s->engine = POP;
        }
        return true;
    }
    s->ev.compact_waits = stirs;
    return false;
}

static void give(compactor_t *s, go_t go)
{
    s->go_valid = true;
    s->go = go;
}

static void push(group_state_t *q, uint64_t pc, bool rpc_valid, uint64_t rpc)
{
    q->stack[q->level++] = (entry_t_){.pc = pc, .rpc_valid = rpc_valid, .rpc = rpc};
}

/* Step 6, DIV. */
static void divide(compactor_t *s)
{
    group_state_t *q = &s->group[s->g];
    s->ev.compact_divisions = true;
    if (!(q->rpc_valid && q->rpc == s->d.meeting)) {
        push(q, s->d.meeting, q->rpc_valid, q->rpc);
        for EACH(w, q->warps)
            q->stack[q->level - 1].mask[w] = s->take[w] | s->pass[w];
    }
    q->rpc_valid = true;
    q->rpc = s->d.meeting;
    s->engine = SIDE;
}

/* Step 6, SIDE. */
static void side(compactor_t *s)
{
    group_state_t *q = &s->group[s->g];
    const uint64_t next = (s->d.pc + 4) & PC_MASK, warps = q->warps;
    const bool at_target = s->d.target == q->rpc, at_next = next == q->rpc;
    if (!at_target && !at_next) {
        push(q, s->d.target, true, q->rpc);
        for EACH(w, warps)
            q->stack[q->level - 1].mask[w] = s->take[w];
    }
    const bool target = at_next && !at_target;
    s->fpc = target ? s->d.target : next;
    memset(s->form, 0, sizeof s->form);
    for EACH(h, warps)
        s->form[h] = target ? s->take[h] : s->pass[h];
    clear(s->take, warps);
    clear(s->pass, warps);
    s->todo = warps;
    s->engine = FORM;
}

/* Step 6, POP. */
static void pop(compactor_t *s)
{
    group_state_t *q = &s->group[s->g];
    const uint64_t warps = q->warps;
    s->todo = warps;
    if (!q->level) {
        s->engine = s->waits & warps ? LAUNCHED : DONE;
        clear(s->wait, warps);
        s->waits &= ~warps;
        return;
    }
    const entry_t_ *e = &q->stack[--q->level];
    memset(s->form, 0, sizeof s->form);
    for EACH(h, warps)
        s->form[h] = e->mask[h] & s->live[h] & ~s->wait[h];
    if (!any(s->form, warps))
        return;
    s->fpc = e->pc;
    q->rpc_valid = e->rpc_valid;
    q->rpc = e->rpc;
    s->engine = FORM;
}

static void show_formed(compactor_t *s, unsigned w, uint64_t mask, bool nested)
{
    const unsigned first = s->home[w][mask ? __builtin_ctzll(mask) : 0];
    s->formed_valid = true;
    s->formed = (formed_t){.warp = (uint8_t)w, .mask = mask, .nested = nested};
    for (unsigned t = 0; t < THREADS; t++) {
        s->formed.homes[t] = s->home[w][t];
        s->ev.compact_mixed |= (mask >> t & 1) && s->home[w][t] != first;
    }
    s->ev.compact_warps = true;
    s->ev.compact_threads = (uint8_t)__builtin_popcountll(mask);
}

/* Step 6, FORM and ADMIT: the next warp, of the threads (fhome[t], t) for t in fmask, which are no longer to be placed. */
static void run_formed(compactor_t *s)
{
    const group_state_t *q = &s->group[s->g];
    const unsigned w = (unsigned)__builtin_ctzll(s->todo);
    s->todo &= s->todo - 1;
    memset(s->home[w], (int)w, sizeof s->home[w]);
    for EACH(t, s->fmask)
        s->home[w][t] = s->fhome[t];
    put(s, BIT(w), RUN);
    give(s, (go_t){.kind = GO_FORM,
                   .warp = (uint8_t)w,
                   .pc = s->fpc,
                   .rpc_valid = q->rpc_valid,
                   .rpc = q->rpc,
                   .tmask = s->fmask});
    show_formed(s, w, s->fmask, q->level || s->waits & q->warps);
    s->engine = any(s->form, q->warps) ? FORM : IDLE;
}

/* The threads of a home that wait for places, and have free ones, go into the warp that is being filled. */
static void join(compactor_t *s, unsigned h)
{
    const uint64_t joins = s->form[h] & ~s->fmask;
    for EACH(t, joins)
        s->fhome[t] = (uint8_t)h;
    s->fmask |= joins;
    s->form[h] &= ~joins;
    s->members |= BIT(h);
}

/* Step 6, FORM, the group not aware. */
static void form(compactor_t *s)
{
    s->fmask = 0;
    for EACH(h, s->group[s->g].warps)
        join(s, (unsigned)h);
    run_formed(s);
}

/* Step 6, FORM, the group is aware. */
static void lead(compactor_t *s)
{
    s->members = s->fmask = 0;
    for EACH(h, s->group[s->g].warps)
        if (s->form[h]) {
            join(s, (unsigned)h);
            break;
        }
    s->engine = ADMIT;
}

/* The homes that would have a place in the warp that is being filled. */
static uint64_t fitting(const compactor_t *s)
{
    uint64_t fit = 0;
    for EACH(h, s->group[s->g].warps & ~s->members)
        fit |= (uint64_t)((s->form[h] & ~s->fmask) != 0) << h;
    return fit;
}

/* Step 6, ADMIT. */
static void admit(compactor_t *s, const compactor_in_t *in, bool free)
{
    const uint64_t fit = fitting(s);
    for EACH(h, fit)
        if (!(s->members & ~(uint64_t)in->common[h])) {
            join(s, (unsigned)h);
            return;
        }
    if (!free)
        return;
    run_formed(s);
    s->ev.compact_apart = fit != 0;
}

/* Step 6, HOME: the next home runs as it was launched. */
static void home(compactor_t *s)
{
    const unsigned h = (unsigned)__builtin_ctzll(s->todo);
    s->todo &= s->todo - 1;
    memset(s->home[h], (int)h, sizeof s->home[h]);
    put(s, BIT(h), RUN);
    give(s, (go_t){.kind = GO_FORM, .warp = (uint8_t)h, .pc = s->wpc[h], .tmask = s->live[h]});
    show_formed(s, h, s->live[h], false);
    if (!s->todo) {
        s->engine = IDLE;
        s->group[s->g].rpc_valid = false;
        s->group[s->g].rpc = 0;
    }
}

static void alone(compactor_t *s)
{
    const unsigned w = (unsigned)__builtin_ctzll(s->todo);
    const at_t *a = &s->at[w];
    s->todo &= s->todo - 1;
    put(s, BIT(w), RUN);
    give(s, (go_t){.kind = GO_ALONE,
                   .warp = (uint8_t)w,
                   .pc = a->pc,
                   .target = a->target,
                   .tmask = a->tmask,
                   .taken = a->taken});
    s->ev.compact_alone = true;
    if (!s->todo)
        s->engine = IDLE;
}

static void done(compactor_t *s)
{
    const unsigned w = (unsigned)__builtin_ctzll(s->todo);
    s->todo &= s->todo - 1;
    give(s, (go_t){.kind = GO_DONE, .warp = (uint8_t)w});
    s->in &= ~BIT(w);
    s->group[s->g].warps &= ~BIT(w);
    if (!s->todo)
        s->engine = IDLE;
}

/* Step 6. Does the edge change anything? */
static bool engine(compactor_t *s, const compactor_in_t *in)
{
    const bool open = !s->go_valid || in->go_ready, left = s->go_valid && in->go_ready;
    if (open)
        s->go_valid = false;
    const bool fault = s->flt_valid && open;
    if (fault) {
        give(s, s->flt);
        s->flt_valid = false;
    }
    const bool free = open && !fault;
    if (s->engine == FORM && s->group[s->g].aware) {
        lead(s);
        return true;
    }
    switch (s->engine) {
    case IDLE: return decide(s, in->rows) || left || fault;
    case DIVIDE: divide(s); return true;
    case SIDE: side(s); return true;
    case POP: pop(s); return true;
    /* clocked even when nothing moves here, since the input common_i may change */
    case ADMIT: admit(s, in, free); return true;
    default: break;
    }
    if (!free)
        return left || fault;
    switch (s->engine) {
    case ALONE: alone(s); break;
    case FORM: form(s); break;
    case LAUNCHED: home(s); break;
    default: done(s); break;
    }
    return true;
}

/* Step 2, the faults, by the state before the edge. Their value, or -1: none. */
static int wrong(const compactor_t *s, const meet_t *m)
{
    const group_state_t *q = &s->group[s->grp[m->warp]];
    /* some home of these threads has a thread that has ended, waits, or is apart */
    bool gone = false, waits = false, apart = false;
    for EACH(t, m->tmask) {
        const unsigned h = s->home[m->warp][t];
        gone |= s->gone >> h & 1;
        waits |= s->waits >> h & 1;
        apart |= s->wait[h] && s->wpc[h] != m->pc;
    }
    if ((m->barrier || m->waits) && q->left)
        return !gone;
    if (m->waits && apart)
        return 0;
    return m->ended && (s->waits | s->state[BAR]) & q->warps ? !waits : -1;
}

/* Step 2. */
static void meet(compactor_t *s, const meet_t *m)
{
    const unsigned w = m->warp;
    group_state_t *q = &s->group[s->grp[w]];
    if (m->branch) {
        put(s, BIT(w), BRANCH);
        s->at[w] = (at_t){m->pc, m->target, m->meeting, m->tmask, m->taken};
        for EACH(t, m->tmask) {
            const unsigned h = s->home[w][t];
            *(m->taken >> t & 1 ? &s->take[h] : &s->pass[h]) |= BIT(t);
        }
        if (!q->some)
            q->some = true, q->pc = m->pc;
        else
            q->mixed |= q->pc != m->pc;
    } else if (m->barrier) {
        put(s, BIT(w), BAR);
    } else if (m->done) {
        put(s, BIT(w), REST);
    }
    for EACH(t, m->tmask) {
        const unsigned h = s->home[w][t];
        if (m->ended) {
            s->live[h] &= ~BIT(t);
            s->gone |= BIT(h);
        }
        if (m->waits) {
            s->wait[h] |= BIT(t);
            s->waits |= BIT(h);
            s->wpc[h] = m->pc;
        }
    }
    q->left |= m->ended;
}

/* Step 1. */
static void start(compactor_t *s, const start_t *t, uint8_t policy)
{
    const unsigned w = t->warp;
    group_state_t *q = &s->group[t->slot];
    if (q->started == q->size) {
        q->size = t->group_warps;
        q->started = 1;
        q->aware = policy == COMPACT_TLB;
        q->on = q->aware || policy == COMPACT_TBC;
        q->left = q->some = q->mixed = q->rpc_valid = false;
        q->level = 0;
        q->rpc = 0;
    } else {
        q->started++;
    }
    s->in = (s->in & ~BIT(w)) | (uint64_t)q->on << w;
    s->group[s->grp[w]].warps &= ~BIT(w);
    q->warps |= (uint64_t)q->on << w;
    s->grp[w] = t->slot;
    put(s, BIT(w), q->on ? RUN : REST);
    memset(s->home[w], (int)w, sizeof s->home[w]);
    s->live[w] = q->on ? t->tmask : 0;
    s->wait[w] = s->take[w] = s->pass[w] = 0;
    s->gone &= ~BIT(w);
    s->waits &= ~BIT(w);
}

static void flies(compactor_t *s, unsigned w, unsigned more)
{
    s->fly[w] = (uint8_t)((s->fly[w] + more) & 127);
    s->flying = (s->flying & ~BIT(w)) | (uint64_t)(s->fly[w] != 0) << w;
}

/* Step 4. */
static bool count(compactor_t *s, const compactor_in_t *in)
{
    enum { STORE = 0x23 };
    const issued_t *p = &in->issue;
    const bool more =
        in->issue_valid && p->first && p->pipe != PIPE_ALU && p->pipe != PIPE_CTL && (p->instr & 127) != STORE;
    const bool less = in->wb_valid && in->wb.res.last && in->wb.pipe != PIPE_ALU;
    if (more)
        flies(s, p->warp, 1);
    if (less)
        flies(s, in->wb.res.warp, 127);
    return more || less;
}

void compactor_tick(compactor_t *s, const compactor_in_t *in)
{
    const ev_compactor_t was = s->ev;
    memset(&s->ev, 0, sizeof s->ev);
    bool moved = s->formed_valid || in->meet_valid || in->release_valid || in->start_valid;
    s->formed_valid = false;
    const meet_t *m = &in->meet;
    const int value = in->meet_valid && !s->flt_valid ? wrong(s, m) : -1;
    moved |= engine(s, in);
    if (in->release_valid) /* step 3, before 2: those that were there */
        put(s, in->release & s->state[BAR], RUN);
    if (in->meet_valid)
        meet(s, m);
    if (value >= 0) {
        s->flt_valid = true;
        s->flt = (go_t){.kind = GO_FAULT, .warp = m->warp, .pc = m->pc, .value = value, .tmask = m->tmask};
    }
    moved |= count(s, in);
    if (in->start_valid)
        start(s, &in->start, in->policy);
    s->still = !moved && !memcmp(&was, &s->ev, sizeof was);
}
