/* The rest of the twin of a unit's counters, which each generated one includes (scripts/gen/perf_twin.py, docs/blocks/perf.md). It has defined UNIT, the types, UNIT_CHUNKS with byte_of, and the functions begin, end, pass and rest.
 * Events of one bit are bytes that are 0 or 1: all bytes are added up as they are, and go into the counters before they can overflow. (Bytes that are no such event are added up too, and never used.) */
enum { BYTE_TICKS = 255 };
#define COUNTER_MASK ((1ull << COUNTER_W) - 1)

struct UNIT() {
    uint64_t count[UNIT_COUNTERS]; /* cut to COUNTER_W bits when read */
    uint64_t rd_data;
    unit_state_t u;
    uint8_t ticks; /* added up in `low` */
    uint8_t low[UNIT_BYTES + 1]; /* sums that are not in `count` yet; the last stays 0 */
    bool settled; /* the last edge counted nothing, and rd_data is up to date */
};
typedef struct UNIT() unit_t;

size_t UNIT(_size)(void)
{
    return sizeof(unit_t);
}

void UNIT(_reset)(unit_t *s)
{
    memset(s, 0, sizeof *s);
}

void UNIT(_out)(const unit_t *s, unit_out_t *o)
{
    o->rd_data = s->rd_data;
}

static bool selected(const unit_in_t *in)
{
    return in->rd_unit == (UNIT_KIND << 8 | in->number) && in->rd_idx < UNIT_COUNTERS;
}

static uint64_t value(const unit_t *s, const unit_in_t *in) /* step 2 */
{
    return selected(in) ? (s->count[in->rd_idx] + s->low[byte_of[in->rd_idx]]) & COUNTER_MASK : 0;
}

static void carry(unit_t *s)
{
    for (unsigned k = 0; k < UNIT_COUNTERS; k++)
        s->count[k] += s->low[byte_of[k]];
    memset(s->low, 0, sizeof s->low);
    s->ticks = 0;
}

/* Of up to BYTE_TICKS cycles. */
static inline void add_events(unit_t *restrict s, const unit_in_t *restrict in, unsigned cycles)
{
    if (s->ticks + cycles > BYTE_TICKS)
        carry(s);
#define ADD(name, events) \
    if (shows(&in->events, sizeof in->events)) { \
        for (unsigned i = 0; i < sizeof in->events; i++) \
            s->low[name##_AT + i] = (uint8_t)(s->low[name##_AT + i] + cycles * ((const unsigned char *)&in->events)[i]); \
        wide_##name(s->count, in, cycles); \
    }
    UNIT_CHUNKS(ADD)
#undef ADD
    s->ticks = (uint8_t)(s->ticks + cycles);
}

void UNIT(_tick)(unit_t *s, const unit_in_t *in)
{
    begin(&s->u, in); /* step 1 */
    s->rd_data = value(s, in);
    if (in->clear) { /* step 3 */
        memset(s->count, 0, sizeof s->count);
        memset(s->low, 0, sizeof s->low);
        s->ticks = 0;
    } else {
        add_events(s, in, 1);
        rest(s->count, &s->u, in, 1);
    }
    end(&s->u, in);
#define STILL(name, events) && !shows(&in->events, sizeof in->events)
    s->settled = UNIT_RESTS UNIT_CHUNKS(STILL) && s->rd_data == value(s, in);
#undef STILL
}

void UNIT(_count)(unit_t *s, const unit_in_t *in, uint64_t cycles)
{
    begin(&s->u, in);
    if (cycles <= BYTE_TICKS) {
        add_events(s, in, (unsigned)cycles);
    } else {
        uint8_t byte[UNIT_BYTES + 1];
        byte[UNIT_BYTES] = 0;
#define COPY(name, events) memcpy(byte + name##_AT, &in->events, sizeof in->events), wide_##name(s->count, in, cycles);
        UNIT_CHUNKS(COPY)
#undef COPY
        for (unsigned k = 0; k < UNIT_COUNTERS; k++)
            s->count[k] += cycles * byte[byte_of[k]];
    }
    rest(s->count, &s->u, in, cycles);
    pass(&s->u, cycles);
}

void UNIT(_skip)(unit_t *s, const unit_in_t *in, uint64_t cycles)
{
    if (cycles > 1)
        UNIT(_count)(s, in, cycles - 1);
    UNIT(_tick)(s, in);
}

void UNIT(_add)(unit_t *s, unsigned k, uint64_t add)
{
    s->count[k] += add;
}

uint64_t UNIT(_step)(const unit_t *s, const unit_in_t *in)
{
    if (!selected(in))
        return 0;
    unit_t one = *s;
    UNIT(_count)(&one, in, 1);
    return (value(&one, in) - value(s, in)) & COUNTER_MASK;
}

void UNIT(_peek)(const unit_t *s, const unit_in_t *in, uint64_t cycles, unit_out_t *o)
{
    o->rd_data = (value(s, in) + cycles * UNIT(_step)(s, in)) & COUNTER_MASK;
}

/* The composition knows when nothing is to be counted. */
bool UNIT(_idle)(const unit_t *s)
{
    return s->settled;
}
