/* See judge_stacks.h. */
#include "sim_c/ref/judge_stacks.h"
#include "sim_c/ref/judge_report.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    LATE = 20000, /* bytes that are on their way for longer are taken for lost */
    MOST = 64, /* bytes or reads on their way to a stack: its queues are shorter */
    PLACES = STACK_BYTES / INTERLEAVE_BYTES
};

/* A line of a stack as it was written: the bytes that are known. */
typedef struct {
    line_be_t known;
    line_data_t data;
} cell_t;
/* Bytes that are to be written into a stack. */
typedef struct {
    uint64_t line, at; /* at: in the stack */
    uint64_t since;
    line_be_t be;
    line_data_t data;
} unwritten_t;
/* A read of an HMD. */
typedef struct {
    enum { NONE, ASKED, READ, HERE, SENT } stage;
    uint64_t line;
    unsigned smd;
    line_data_t data; /* from HERE on */
} read_t;

/* A request of an SMD to its stack; home: an HMD's. */
typedef struct {
    bool busy, home;
    uint8_t hmd, id;
    cell_t was;
} request_to_t;
typedef struct {
    unwritten_t unwritten[MOST];
    unsigned n;
    struct {
        uint8_t hmd, id;
    } served[MOST]; /* reads that have arrived and are not sent to the stack yet, in their order */
    unsigned reads;
    request_to_t read[1 << STACK_ID_W];
} side_t;

struct judge_stacks {
    unsigned memory; /* HOME_POLICY.memory */
    map_t of; /* number of the cell by place; 0: none */
    cell_t *cell;
    unsigned cells, room;
    side_t smd[SMDS];
    read_t read[HMDS][HOST_READERS];
};

judge_stacks_t *judge_stacks_new(void)
{
    return calloc(1, sizeof(judge_stacks_t));
}

void judge_stacks_free(judge_stacks_t *s)
{
    if (!s)
        return;
    map_free(&s->of);
    free(s->cell);
    free(s);
}

void judge_stacks_forget(judge_t *j)
{
    map_clear(&j->stacks->of);
    j->stacks->cells = 0;
}

void judge_stacks_reset(judge_t *j)
{
    judge_stacks_t *s = j->stacks;
    judge_stacks_forget(j);
    memset(s->smd, 0, sizeof s->smd);
    memset(s->read, 0, sizeof s->read);
    s->memory = 0;
}

void judge_stacks_register(judge_t *j, const vellum_out_t *o, const vellum_in_t *in)
{
    if (in->ctl_req_valid && o->ctl_req_ready && in->ctl_req.write && (in->ctl_req.addr & ~7u) == REG_HOME_POLICY)
        j->stacks->memory = reg_home_policy_get(in->ctl_req.data).memory;
}

/* ---- where a line is (docs/blocks/smd.md, Addresses) -------------------------------------------------------------------- */

static bool in_stacks(const judge_t *j)
{
    return j->stacks->memory == HOME_POLICY_MEMORY_MEMCPY || j->stacks->memory == HOME_POLICY_MEMORY_MANAGED;
}

static unsigned turns(const judge_t *j)
{
    return j->stacks->memory == HOME_POLICY_MEMORY_MEMCPY ? DEVICES : 1;
}

/* The number of a line's block among those of its channel. */
static uint64_t number_of(uint64_t line)
{
    return line / BLOCK_LINES / CHANNELS;
}

static unsigned home_of(const judge_t *j, uint64_t line)
{
    return (unsigned)(number_of(line) % turns(j));
}

static unsigned smd_of(const judge_t *j, uint64_t line)
{
    return home_of(j, line) * CHANNELS + (unsigned)(line / BLOCK_LINES % CHANNELS);
}

static uint64_t at_of(const judge_t *j, uint64_t line)
{
    const uint64_t place = number_of(line) / turns(j) % PLACES;
    return (place * CHANNELS + line / BLOCK_LINES % CHANNELS) * BLOCK_LINES + line % BLOCK_LINES;
}

bool judge_at_home(const judge_t *j, unsigned device, uint64_t line)
{
    return in_stacks(j) && home_of(j, line) == device;
}

/* ---- bytes ----------------------------------------------------------------------------------------------------------- */

static uint8_t byte_of(const line_data_t *d, unsigned byte)
{
    return ((const uint8_t *)d->w)[byte];
}

static bool same_bytes(const line_data_t *a, const line_data_t *b, const line_be_t *be)
{
    for (unsigned k = 0; k < LINE_BYTES; k++)
        if (be_has(be, k) && byte_of(a, k) != byte_of(b, k))
            return false;
    return true;
}

static cell_t *cell_of(judge_t *j, unsigned smd, uint64_t at)
{
    judge_stacks_t *s = j->stacks;
    uint64_t *number = map_put(&s->of, at * SMDS + smd);
    if (number && !*number) {
        cell_t *to = judge_room(j, s->cell, s->cells, &s->room, sizeof *to);
        if (to) {
            s->cell = to;
            *number = ++s->cells;
            memset(&to[*number - 1], 0, sizeof *to);
        }
    } else if (!number) {
        judge_out_of_memory(j);
    }
    return number && *number ? &s->cell[*number - 1] : NULL;
}

static void owe(judge_t *j, unsigned smd, uint64_t line, const line_be_t *be, const line_data_t *data)
{
    side_t *m = &j->stacks->smd[smd];
    if (m->n == MOST) {
        judge_differ_block(j, line * LINE_BYTES, smd / CHANNELS, "%u lines wait to be written into its stack", MOST);
        return;
    }
    m->unwritten[m->n++] =
        (unwritten_t){.line = line, .at = at_of(j, line), .since = j->cycle, .be = *be, .data = *data};
}

void judge_stack_given(judge_t *j, unsigned smd, uint64_t line, const line_be_t *be, const line_data_t *data)
{
    if (!be_none(be) && judge_at_home(j, smd / CHANNELS, line))
        owe(j, smd, line, be, data);
}

/* ---- messages -------------------------------------------------------------------------------------------------------- */

void judge_stack_asked(judge_t *j, unsigned hmd, const hmd_data_t *d)
{
    const smd_data_t *m = &d->data;
    if (m->mem == SMD_MEM_NONE)
        return;
    const bool right = in_stacks(j) && m->mem != SMD_MEM_LINE && !m->grant && d->device == home_of(j, m->line)
                       && m->line / BLOCK_LINES % HOST_CHANNELS == hmd;
    if (!right) {
        judge_differ_block(j, m->line * LINE_BYTES, DEVICES, "sends the stack of device %u a request for line %u%s",
                           d->device, (unsigned)(m->line % BLOCK_LINES),
                           in_stacks(j) ? ", which is not at home there" : ", but memory is not in stacks");
        return;
    }
    if (m->mem == SMD_MEM_WRITE)
        return;
    read_t *r = &j->stacks->read[hmd][m->id];
    if (r->stage != NONE)
        judge_differ_block(j, m->line * LINE_BYTES, DEVICES,
                           "reads a stack with id %u, whose last read is not answered yet", m->id);
    *r = (read_t){.stage = ASKED, .line = m->line, .smd = smd_of(j, m->line)};
}

void judge_stack_served(judge_t *j, unsigned smd, const smd_data_t *d)
{
    const line_be_t all = be_all();
    side_t *m = &j->stacks->smd[smd];
    if (d->mem == SMD_MEM_NONE)
        return;
    if (!in_stacks(j) || smd_of(j, d->line) != smd || d->mem == SMD_MEM_LINE) {
        judge_differ_block(j, d->line * LINE_BYTES, smd / CHANNELS,
                           "gets a request for line %u, which is not at home there", (unsigned)(d->line % BLOCK_LINES));
    } else if (d->mem == SMD_MEM_WRITE) {
        const line_be_t mask = judge_bytes_of(&d->mask);
        owe(j, smd, d->line, be_none(&mask) ? &all : &mask, &d->data);
    } else {
        const unsigned hmd = (unsigned)(d->line / BLOCK_LINES % HOST_CHANNELS);
        if (j->stacks->read[hmd][d->id].stage != ASKED || j->stacks->read[hmd][d->id].line != d->line
            || m->reads == MOST) {
            judge_differ_block(j, d->line * LINE_BYTES, smd / CHANNELS, "gets a read of line %u that was not sent",
                               (unsigned)(d->line % BLOCK_LINES));
            return;
        }
        j->stacks->read[hmd][d->id].stage = READ;
        m->served[m->reads].hmd = (uint8_t)hmd;
        m->served[m->reads++].id = (uint8_t)d->id;
    }
}

/* Bytes that are to be written, the oldest of this line: of one source they come in its order, and those of two may overtake each other. */
static void written(judge_t *j, unsigned smd, const stack_req_t *q)
{
    side_t *m = &j->stacks->smd[smd];
    cell_t *c = cell_of(j, smd, q->line);
    const line_be_t marks = judge_bytes_of(&q->marks);
    unsigned k = 0;
    while (k < m->n
           && (m->unwritten[k].at != q->line || memcmp(&m->unwritten[k].be, &q->be, sizeof q->be) != 0
               || !same_bytes(&m->unwritten[k].data, &q->data, &q->be)))
        k++;
    if (k == m->n || !be_none(&marks)) {
        judge_differ_block(j, 0, smd / CHANNELS,
                           k == m->n ? "writes bytes into line 0x%" PRIx64 " of its stack that were not given"
                                     : "marks bytes of line 0x%" PRIx64 " of its stack, which is home memory",
                           q->line);
        return;
    }
    for (unsigned b = 0; c && b < LINE_BYTES; b++)
        if (be_has(&q->be, b))
            ((uint8_t *)c->data.w)[b] = byte_of(&q->data, b);
    if (c)
        be_add(&c->known, &q->be);
    memmove(m->unwritten + k, m->unwritten + k + 1, (--m->n - k) * sizeof *m->unwritten);
}

void judge_stack_request(judge_t *j, unsigned smd, const stack_req_t *q)
{
    side_t *m = &j->stacks->smd[smd];
    if (j->stacks->memory == HOME_POLICY_MEMORY_ZEROCOPY)
        judge_differ_block(j, 0, smd / CHANNELS, "accesses its stack, but lines are in host memory");
    if (!in_stacks(j))
        return;
    if (q->write) {
        if (!be_none(&q->be))
            written(j, smd, q);
        return;
    }
    request_to_t *r = &m->read[q->id];
    const cell_t *c = cell_of(j, smd, q->line);
    memset(r, 0, sizeof *r);
    r->busy = true;
    if (c)
        r->was = *c;
    r->home = q->id >= L2_MSHRS;
    if (!r->home)
        return;
    unsigned k = 0;
    while (k < m->reads && at_of(j, j->stacks->read[m->served[k].hmd][m->served[k].id].line) != q->line)
        k++;
    if (k == m->reads) {
        judge_differ_block(j, 0, smd / CHANNELS, "reads line 0x%" PRIx64 " of its stack, which was not requested",
                           q->line);
        return;
    }
    r->hmd = m->served[k].hmd;
    r->id = m->served[k].id;
    memmove(m->served + k, m->served + k + 1, (--m->reads - k) * sizeof *m->served);
}

void judge_stack_answer(judge_t *j, unsigned smd, const stack_rsp_t *a)
{
    request_to_t *r = &j->stacks->smd[smd].read[a->id];
    if (!r->busy)
        return; /* the read began while stacks were caches */
    r->busy = false;
    if (!same_bytes(&a->data, &r->was.data, &r->was.known))
        judge_differ_block(j, 0, smd / CHANNELS, "a line of its stack is not what was written there last");
    if (r->home) {
        j->stacks->read[r->hmd][r->id].stage = HERE;
        j->stacks->read[r->hmd][r->id].data = a->data;
    }
}

void judge_stack_line(judge_t *j, unsigned smd, const smd_peer_t *p)
{
    const line_be_t all = be_all();
    if (p->mem == SMD_MEM_NONE) {
        if (in_stacks(j))
            judge_differ_block(j, p->line * LINE_BYTES, smd / CHANNELS,
                               "sends line %u to a peer, but it is home memory", (unsigned)(p->line % BLOCK_LINES));
        return;
    }
    read_t *r = &j->stacks->read[p->line / BLOCK_LINES % HOST_CHANNELS][p->id];
    if (p->mem != SMD_MEM_LINE || r->stage != HERE || r->line != p->line || r->smd != smd
        || !same_bytes(&r->data, &p->data, &all))
        judge_differ_block(j, p->line * LINE_BYTES, smd / CHANNELS, "sends line %u to the home, %s",
                           (unsigned)(p->line % BLOCK_LINES),
                           r->stage == HERE && r->line == p->line ? "with other bytes than its stack has"
                                                                  : "which has not requested it");
    r->stage = SENT;
}

void judge_stack_came(judge_t *j, unsigned hmd, const smd_mem_t *m)
{
    const line_be_t all = be_all();
    read_t *r = &j->stacks->read[hmd][m->id];
    if (r->stage != SENT || !same_bytes(&r->data, &m->data, &all))
        judge_differ_block(j, r->line * LINE_BYTES, DEVICES, "gets a line of a stack with id %u, %s", m->id,
                           r->stage == SENT ? "with other bytes than were sent" : "which it does not wait for");
    r->stage = NONE;
}

void judge_stacks_end(judge_t *j)
{
    for (unsigned k = 0; k < SMDS; k++)
        for (unsigned i = 0; i < j->stacks->smd[k].n; i++) {
            const unwritten_t *w = &j->stacks->smd[k].unwritten[i];
            if (j->cycle - w->since > LATE)
                judge_differ_block(j, w->line * LINE_BYTES, k / CHANNELS,
                                   "bytes of line %u that are at home in its stack have not been written there",
                                   (unsigned)(w->line % BLOCK_LINES));
        }
}
