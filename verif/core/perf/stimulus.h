/* Stimulus of the bench of the counters, from the rows: inputs in which a counter's condition holds, or fails by one of its parts alone, and that are legal. */
#ifndef VERIF_CORE_PERF_STIMULUS_H
#define VERIF_CORE_PERF_STIMULUS_H

enum { TERMS = 6, TERM = 96 };

/* Where the low bits of counter k have gone once around: they hold all increments in the time of a scan (rtl/common/counter_bank.sv). */
static uint64_t low_end(unsigned k)
{
    const uint64_t most = ((1ull << unit.row[k].width) - 1) * (4 * unit.rows / 3 + 8);
    return 1ull << (64 - __builtin_clzll(most));
}

static void put(in_t *in, const name_t *n, uint64_t v)
{
    if (n->from == INPUT)
        memcpy((char *)in + n->at, &v, n->size);
}

static uint64_t get(const in_t *in, const name_t *n)
{
    static const extra_t none;
    const reader_t r = {&unit, in, &none, ""};
    return rows_value(&r, n);
}

static bool holds(const char *part, const in_t *in)
{
    return get(in, rows_name(&unit, part, strlen(part)));
}

/* Every field that is an increment at its widest; no span ends, no read. */
static void all_at_once(in_t *in)
{
    for (unsigned k = 0; k < unit.rows; k++)
        for (unsigned i = 0; i < unit.names; i++)
            if (!strcmp(unit.name[i].name, unit.row[k].of))
                put(in, &unit.name[i], (1ull << unit.row[k].width) - 1);
#if perf_channel_KIND == KIND
    reads_none(&in->ev_mem_sched);
#elif perf_stack_KIND == KIND
    in->maint_done = false;
#endif
}

/* The parts of a condition between "&&", or of one in parentheses between "||". */
static unsigned parts(const char *when, const char *sign, char part[TERMS][TERM])
{
    unsigned n = 0, depth = 0, at = 0;
    memset(part, 0, TERMS * TERM);
    for (; *when && n < TERMS && at < TERM - 1; when++) {
        depth += *when == '(', depth -= *when == ')';
        if (!depth && !strncmp(when, sign, 4))
            n++, at = 0, when += 3;
        else
            part[n][at++] = *when;
    }
    return n + 1;
}

/* Makes a part of a condition hold, or fail. */
static void make(bench_t *b, in_t *in, const char *part, bool hold)
{
    char text[TERMS][TERM], left[TERM], right[TERM];
    unsigned k;
    if (*part == '(') {
        snprintf(left, sizeof left, "%.*s", (int)strlen(part) - 2, part + 1);
        make(b, in, text[vl_below(&b->rng, parts(left, " || ", text))], hold);
    } else if (sscanf(part, "bit(%95[^,], %u)", left, &k) == 2) {
        const name_t *n = rows_name(&unit, left, strlen(left));
        put(in, n, (get(in, n) & ~(1ull << k)) | (uint64_t)hold << k);
    } else if (sscanf(part, "%95s == %95s", left, right) == 2) {
        const name_t *n = rows_name(&unit, left, strlen(left));
        const uint64_t v = isdigit((unsigned char)*right) ? strtoull(right, NULL, 10)
                                                          : get(in, rows_name(&unit, right, strlen(right)));
        put(in, n, hold ? v : v ^ 1ull << (n->size > 1 ? vl_below(&b->rng, 16) : 0));
    } else if (sscanf(part, "%95s > %u", left, &k) == 2) {
        put(in, rows_name(&unit, left, strlen(left)), k + hold);
    } else {
        put(in, rows_name(&unit, part, strlen(part)), hold);
    }
}

static void favour(bench_t *b, in_t *in, unsigned k)
{
    char part[TERMS][TERM];
    for (unsigned i = *unit.row[k].when ? parts(unit.row[k].when, " && ", part) : 0; i--;)
        make(b, in, part[i], true);
    if (isalpha((unsigned char)*unit.row[k].of) && !strchr(unit.row[k].of, ' '))
        put(in, rows_name(&unit, unit.row[k].of, strlen(unit.row[k].of)), (1ull << unit.row[k].width) - 1);
}

/* Now and then a condition fails by a part alone. True when each has, by each. (Parts of reads are no inputs.) */
static bool near_miss(bench_t *b, in_t *in)
{
    static bool done[ROWS_MOST][TERMS];
    char part[TERMS][TERM];
    const unsigned k = vl_below(&b->rng, unit.rows);
    if (*unit.row[k].when && vl_chance(&b->rng, 100)) {
        const unsigned n = parts(unit.row[k].when, " && ", part), out = vl_below(&b->rng, n);
        favour(b, in, k);
        make(b, in, part[out], false);
        done[k][out] = true;
    }
    for (unsigned i = 0; i < unit.rows; i++)
        for (unsigned t = *unit.row[i].when && !unit.row[i].detail ? parts(unit.row[i].when, " && ", part) : 0; t--;)
            if (!done[i][t])
                return false;
    return true;
}

/* What cannot be becomes something that can: one of a family that must count does; a message has a length of its kind. */
static void legal(bench_t *b, in_t *in)
{
    char part[TERMS][TERM];
    static const extra_t none;
    for (unsigned k = 0, end; k < unit.rows; k = end) {
        bool any = false;
        for (end = k; end < unit.rows && unit.row[end].sure == unit.row[k].sure && unit.row[k].sure; end++)
            any |= rows_increment(&unit, end, in, &none);
        if (end == k)
            end++;
        else if (parts(unit.row[k].when, " && ", part), holds(part[0], in) && !any)
            favour(b, in, k + vl_below(&b->rng, end - k));
    }
#if perf_wire_KIND == KIND
    const bool line =
        in->ev_link.link_flits > 1 && (in->ev_link.link_kind == LINK_DATA || in->ev_link.link_kind == LINK_ACK);
    in->ev_link.link_flits = !line ? 1 : vl_below(&b->rng, 2) ? LINK_FLITS : LINK_BARE_FLITS;
#elif perf_channel_KIND == KIND
    reads_none(&in->ev_mem_sched);
#elif perf_stack_KIND == KIND
    in->maint_valid = in->maint_done = false;
#endif
}
#endif
