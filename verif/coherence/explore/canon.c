/* States that differ only in fields that no edge reads are one state: such fields become 0 here. The heads of the twins' *_state.h list them; so
 * do padding and all but the first word of a line's data, since no agent stores there. */
#include "explore.h"

static uint64_t mask[sizeof(sys_t) / 8 + 1];
static uint32_t word[sizeof(sys_t) / 8 + 1];
static unsigned words;
static sys_t sample;

/* ---- which bytes there are ---- */

/* Bytes of a payload that have a field in them: those that a value of all ones sets. A line's data counts by its first word. */
#define PAYLOAD(T, data)                                                 \
    static void mask_##T(void *at, size_t n)                             \
    {                                                                    \
        uint32_t ones[64];                                               \
        T v;                                                             \
        memset(ones, 0xff, sizeof ones);                                 \
        memset(&v, 0, sizeof v);                                         \
        T##_unpack(ones, 0, &v);                                         \
        data;                                                            \
        for (size_t b = 0; b < sizeof v; b++)                            \
            ((uint8_t *)&v)[b] = ((uint8_t *)&v)[b] ? 0xff : 0;          \
        for (size_t k = 0; k < n / sizeof v; k++)                        \
            memcpy((char *)mask + ((char *)at - (char *)&sample) + k * sizeof v, &v, sizeof v); \
    }
#define NO_DATA (void)0
#define DATA(field) memset(v.field.w + 1, 0, sizeof v.field - 8)
PAYLOAD(net_req_t, DATA(req.data))
PAYLOAD(home_req_t, DATA(data))
PAYLOAD(home_rsp_t, DATA(data))
PAYLOAD(home_ack_t, DATA(data))
PAYLOAD(home_probe_t, NO_DATA)
PAYLOAD(maint_t, NO_DATA)
PAYLOAD(stack_req_t, DATA(data))
PAYLOAD(stack_rsp_t, DATA(data))
PAYLOAD(smd_req_t, NO_DATA)
PAYLOAD(smd_probe_t, NO_DATA)
PAYLOAD(smd_ack_t, DATA(data))
PAYLOAD(smd_data_t, DATA(data))
PAYLOAD(smd_peer_t, DATA(data))
PAYLOAD(smd_mem_t, DATA(data))
PAYLOAD(hmd_req_t, NO_DATA)
PAYLOAD(hmd_probe_t, NO_DATA)
PAYLOAD(hmd_ack_t, DATA(ack.data))
PAYLOAD(hmd_data_t, DATA(data.data))
#define OF(T, place) mask_##T(&sample.place, sizeof sample.place)

/* Data that stand by themselves. */
static void first_words(void *at, size_t n)
{
    for (size_t k = 0; k < n / sizeof(line_data_t); k++)
        memset((char *)mask + ((char *)at - (char *)&sample) + k * sizeof(line_data_t) + 8, 0, sizeof(line_data_t) - 8);
}
#define LINE_OF(place) first_words(&sample.place, sizeof sample.place)
static void nothing(void *at, size_t n)
{
    memset((char *)mask + ((char *)at - (char *)&sample), 0, n);
}
#define NOT(place) nothing(&sample.place, sizeof sample.place)

#define SLICE(l)                   \
    do {                           \
        OF(home_probe_t, l.p1);    \
        OF(maint_t, l.maint.req);  \
        OF(net_req_t, l.pool);     \
        LINE_OF(l.s3_data);        \
        LINE_OF(l.data);           \
        NOT(l.ev);                 \
        NOT(l.still);              \
        NOT(l.slice);              \
    } while (0)

static void mask_device(unsigned d)
{
    SLICE(dev[d].l2c);
    OF(maint_t, dev[d].smd.mreq);
    OF(home_rsp_t, dev[d].smd.rsp);
    OF(smd_data_t, dev[d].smd.fq);
    OF(home_req_t, dev[d].smd.in);
    OF(home_req_t, dev[d].smd.s1.req);
    OF(home_ack_t, dev[d].smd.aq);
    OF(stack_req_t, dev[d].smd.sq);
    OF(home_probe_t, dev[d].smd.pq);
    OF(smd_req_t, dev[d].smd.rq);
    OF(smd_ack_t, dev[d].smd.kq);
    OF(smd_peer_t, dev[d].smd.eq);
    OF(smd_probe_t, dev[d].smd.job.probe);
    for (unsigned k = 0; k < SMD_SLOTS; k++)
        LINE_OF(dev[d].smd.slot[k].data);
    NOT(dev[d].smd.ev);
    OF(home_req_t, dev[d].port.q);
    OF(stack_req_t, dev[d].port.b);
    OF(stack_rsp_t, dev[d].port.rsp);
    OF(home_req_t, dev[d].sched.q);
    OF(smd_req_t, dev[d].net.req);
    OF(smd_probe_t, dev[d].net.probe);
    OF(smd_ack_t, dev[d].net.ack);
    OF(smd_data_t, dev[d].net.data);
    OF(smd_data_t, dev[d].net.peer);
    OF(smd_mem_t, dev[d].net.mem);
}

void canon_init(void)
{
    memset(mask, 0xff, sizeof(sys_t));
    for (unsigned d = 0; d < DEVICES; d++)
        mask_device(d);
    SLICE(cache);
    NOT(hmd.ev);
    NOT(hmd.dir_valid);
    NOT(hmd.dir);
    OF(home_rsp_t, hmd.rsp);
    OF(hmd_req_t, hmd.qin);
    OF(hmd_ack_t, hmd.kin);
    OF(home_req_t, hmd.lin);
    OF(home_ack_t, hmd.ain);
    OF(hmd_probe_t, hmd.pq);
    OF(hmd_data_t, hmd.dq);
    OF(home_probe_t, hmd.lq);
    OF(home_req_t, hmd.mq);
    for (unsigned k = 0; k < HOST_READERS; k++)
        LINE_OF(hmd.slot[k].data);
    OF(home_req_t, sched.q);
    words = 0;
    for (unsigned k = 0; k < sizeof(sys_t) / 8; k++)
        if (mask[k])
            word[words++] = k;
}

/* ---- dead fields ---- */
#define CLEAR(x) memset(&(x), 0, sizeof(x))

static void slice_stages(l2c_t *s)
{
    if (!s->p1_valid)
        CLEAR(s->p1);
    if (!s->s1_valid) {
        s->s1_maint = false;
        s->s1_slot = 0;
        s->s1_line = s->s1_row = 0;
    } else if (s->s1_maint) {
        s->s1_slot = 0;
    } else {
        s->s1_line = s->s1_row = 0;
    }
    if (!s->s2_valid) {
        s->s2_wb = s->s2_lost = s->s2_fail = s->s2_again = s->s2_step = s->s2_gives = false;
        s->s2_kind = s->s2_k = s->s2_vstate = s->s2_probe = s->s2_slot = 0;
        s->s2_row = 0;
        CLEAR(s->s2_victim);
    } else {
        const bool gives = s->s2_kind == L2C_PROBE || s->s2_kind == L2C_FLUSH || s->s2_kind == L2C_ALLOC;
        if (!gives)
            s->s2_vstate = 0;
        if (!gives || (s->s2_kind == L2C_ALLOC && s->s2_vstate == NMOESI_I))
            CLEAR(s->s2_victim);
        if (s->s2_kind != L2C_PROBE)
            s->s2_probe = 0;
        if (s->s2_kind != L2C_ALLOC)
            s->s2_k = 0;
    }
    if (!s->s3_valid) {
        s->s3_fail = false;
        s->s3_kind = s->s3_slot = 0;
        s->s3_row = 0;
    }
    if (!s->s3_valid || s->s3_kind != L2C_AMO) {
        s->phase = s->sent = s->wrote = false;
        CLEAR(s->amo);
    } else if (!s->phase) {
        CLEAR(s->amo);
    }
    if (!s->s3_valid || s->s3_kind != L2C_WB) {
        s->s3_step = s->s3_keep = false;
        CLEAR(s->s3_data);
    }
    if (!s->s3_valid || (s->s3_kind != L2C_WB && s->s3_kind != L2C_ACK)) {
        s->s3_state = 0;
        s->s3_line = 0;
        CLEAR(s->s3_mask);
    }
}

static void slice_lists(l2c_t *s)
{
    bool follows[L2_POOL] = {0};
    s->done &= s->valid;
    s->own &= s->valid;
    s->stored &= s->valid;
    for (unsigned k = 0; k < L2_MSHRS; k++) {
        l2c_mshr_t *m = &s->mshr[k];
        if (!(s->valid >> k & 1)) {
            CLEAR(*m);
            s->lists.first[k] = s->lists.last[k] = 0;
        } else if (!(s->lists.waiting >> k & 1)) {
            s->lists.first[k] = s->lists.last[k] = 0;
        } else {
            for (l2_pool_t p = s->lists.first[k]; p != s->lists.last[k]; p = s->lists.next[p])
                follows[p] = true;
        }
    }
    for (unsigned p = 0; p < L2_POOL; p++) {
        if (!follows[p])
            s->lists.next[p] = 0;
        if (!(s->used[p / 64] >> p % 64 & 1))
            CLEAR(s->pool[p]);
    }
    for (unsigned k = 0; k < SOURCES; k++)
        if (!(s->resv.valid >> k & 1))
            CLEAR(s->resv.of[k]);
    if (s->maint.state == L2_M_NONE)
        CLEAR(s->maint.req);
    if (s->maint.state != L2_M_WALK)
        s->maint.step = 0;
}

static void slice_rows(l2c_t *s)
{
    bool live[MAX_L2C_ROWS] = {0}, awaited[MAX_L2C_ROWS] = {0};
    if (s->s2_valid && (s->s2_kind <= L2C_AMO || s->s2_wb || s->s2_gives))
        live[s->s2_row] = true;
    if (s->s3_valid && (s->s3_kind <= L2C_AMO || named(&s->s3_mask)))
        live[s->s3_row] = true;
    for (uint64_t v = s->valid & ~s->done; v; v &= v - 1)
        awaited[s->mshr[__builtin_ctzll(v)].row] = true;
    for (unsigned r = 0; r < MAX_L2C_ROWS; r++) {
        if (s->state[r] != NMOESI_I)
            continue;
        CLEAR(s->key[r]);
        if (live[r])
            continue;
        CLEAR(s->data[r]);
        if (!awaited[r])
            CLEAR(s->mask[r]);
    }
}

/* The next that happens to a line of the stack is that it is written, whole. */
static bool rewritten(const device_t_ *v, uint64_t line)
{
    for (unsigned k = 0; k < v->sched.count; k++)
        if (v->sched.q[k].line == line && (v->sched.q[k].op == HOME_READ || !~v->sched.q[k].be.w[0]))
            return v->sched.q[k].op == HOME_WRITE_BACK;
    for (unsigned k = 0; k < v->port.count; k++)
        if (v->port.q[k].line == line && (v->port.q[k].op == HOME_READ || !~v->port.q[k].be.w[0]))
            return v->port.q[k].op == HOME_WRITE_BACK;
    for (unsigned k = 0; k < v->smd.count[SMD_SQ]; k++)
        if (v->smd.sq[k].line == line && (!v->smd.sq[k].write || !~v->smd.sq[k].be.w[0]))
            return v->smd.sq[k].write;
    return false;
}

/* ... of its marks. */
static bool remarked(const device_t_ *v, uint64_t line)
{
    if (v->port.b_valid && v->port.b.line == line && (!v->port.b.write || !~v->port.b.be.w[0]))
        return v->port.b.write;
    for (unsigned k = 0; k < v->smd.count[SMD_SQ]; k++)
        if (v->smd.sq[k].line == line && (!v->smd.sq[k].write || !~v->smd.sq[k].be.w[0]))
            return v->smd.sq[k].write;
    return false;
}

/* A place: of a block in I, lines that have not come are written before they are read. */
static void place(device_t_ *v, unsigned p)
{
    const smd_transaction_t *x = NULL;
    const bool empty = v->smd.table[p].state == NMOESI_I;
    for (unsigned k = v->smd.valid; k; k &= k - 1)
        if (smd_place(v->smd.x[__builtin_ctz(k)].line) == p)
            x = &v->smd.x[__builtin_ctz(k)];
    if (empty && !x) {
        v->smd.table[p].tag = 0;
        v->smd.table[p].owner = (smd_lines_t){0};
    }
    for (unsigned off = 0; off < BLOCK_LINES; off++) {
        const uint64_t at = p * BLOCK_LINES + off;
        const bool none = empty && !in_stacks(now.memory) && (!x || x->kind != SMD_X_FETCH || !smd_has(&x->come, off));
        if (none || rewritten(v, at))
            v->stack[at] = 0;
        if (none || remarked(v, at))
            CLEAR(v->port.marks[at]);
    }
}

static void device(device_t_ *v)
{
    bool used[STACK_READERS] = {0};
    for (unsigned k = 0; k < v->port.count; k++)
        if (v->port.q[k].op == HOME_READ)
            used[v->port.q[k].id] = true;
    for (unsigned k = 0; k < v->sched.count; k++)
        if (v->sched.q[k].op == HOME_READ)
            used[v->sched.q[k].id] = true;
    if (v->port.b_valid && !v->port.b.write)
        used[v->port.b.id] = false; /* is read now */
    for (unsigned k = 0; k < STACK_READERS; k++)
        if (!used[k])
            CLEAR(v->port.m[k]);
    for (unsigned p = 0; p < SMD_PLACES; p++)
        place(v, p);
}

static void slice(l2c_t *s)
{
    slice_stages(s);
    slice_lists(s);
    slice_rows(s);
}

void canon(sys_t *s)
{
    for (unsigned d = 0; d < DEVICES; d++)
        if (now.device[d] == REAL) {
            slice(&s->dev[d].l2c);
            device(&s->dev[d]);
        }
    if (now.host)
        slice(&s->cache);
}

/* ---- few bytes: of eight words a bit each, of each that is not 0 a bit a byte, and the bytes that are not 0 ---- */

size_t canon_pack(const sys_t *s, uint8_t *to)
{
    const uint64_t *from = (const uint64_t *)s;
    uint8_t *p = to;
    for (unsigned k = 0; k < words; k += 8) {
        uint8_t *some = p++;
        *some = 0;
        for (unsigned j = 0; j < 8 && k + j < words; j++) {
            uint64_t v = from[word[k + j]] & mask[word[k + j]];
            if (!v)
                continue;
            *some |= (uint8_t)(1u << j);
            uint8_t *bits = p++;
            *bits = 0;
            for (unsigned b = 0; v; b++, v >>= 8)
                if (v & 0xff) {
                    *bits |= (uint8_t)(1u << b);
                    *p++ = (uint8_t)v;
                }
        }
    }
    return (size_t)(p - to);
}

void canon_unpack(sys_t *s, const uint8_t *from)
{
    uint64_t *to = (uint64_t *)s;
    memset(s, 0, sizeof *s);
    for (unsigned k = 0; k < words; k += 8) {
        const unsigned some = *from++;
        for (unsigned v = some; v; v &= v - 1) {
            const unsigned bits = *from++;
            uint64_t x = 0;
            for (unsigned b = bits; b; b &= b - 1)
                x |= (uint64_t)*from++ << 8 * __builtin_ctz(b);
            to[word[k + (unsigned)__builtin_ctz(v)]] = x;
        }
    }
}
