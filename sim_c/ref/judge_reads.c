/* See judge_reads.h. Equal answers of a line are kept as one, and of one epoch only the first and the last: no check needs others. So the memory that is kept grows with the number of changes,
 * not with time. */
#include "sim_c/ref/judge_reads.h"
#include "sim_c/ref/judge_report.h"
#include "sim_c/ref/map.h"
#include <stdlib.h>
#include <string.h>

/* The first time in an epoch. */
typedef struct {
    uint64_t epoch, answered;
    unsigned before; /* that of an epoch before; 0: none */
} read_time_t;

struct judge_reads {
    map_t newest; /* content by core, kind, line */
    content_t *content; /* number n: content[n - 1] */
    unsigned contents, contents_room;
    read_time_t *time; /* likewise */
    unsigned times, times_room;
    uint64_t epoch; /* the newest in which anything was read */
    bool kept;
};

judge_reads_t *judge_reads_new(void)
{
    return calloc(1, sizeof(judge_reads_t));
}

void judge_reads_free(judge_reads_t *r)
{
    if (!r)
        return;
    map_free(&r->newest);
    free(r->content);
    free(r->time);
    free(r);
}

void judge_reads_forget(judge_t *j)
{
    map_clear(&j->reads->newest);
    j->reads->contents = j->reads->times = 0;
    j->reads->epoch = 0;
}

uint64_t judge_reads_epoch(const judge_t *j)
{
    return j->reads->epoch;
}

void judge_reads_keep(judge_t *j)
{
    j->reads->kept = true;
}

bool judge_reads_kept(const judge_t *j)
{
    return SHARED_WALKER || j->reads->kept;
}

/* `reader`: a core, or the address space for which a shared walker reads. */
static uint64_t key_of(unsigned reader, read_kind_t kind, uint64_t line)
{
    enum { READERS = SHARED_WALKER ? 1 << 16 : CORES };
    return (line * READERS + reader) * 2 + kind;
}

/* Moves the content to the head of its line's, where `newest` is; makes it if it is new. 0: no memory. */
static unsigned content_for(judge_t *j, uint64_t *newest, const void *data)
{
    judge_reads_t *r = j->reads;
    unsigned *from = NULL, number = (unsigned)*newest;
    while (number && memcmp(r->content[number - 1].data, data, LINE_BYTES)) {
        from = &r->content[number - 1].next;
        number = *from;
    }
    if (!number) {
        content_t *at = judge_room(j, r->content, r->contents, &r->contents_room, sizeof *at);
        if (!at)
            return 0;
        r->content = at;
        number = ++r->contents;
        memset(&at[number - 1], 0, sizeof *at);
        memcpy(at[number - 1].data, data, LINE_BYTES);
    } else if (from) {
        *from = r->content[number - 1].next;
    }
    if (number != *newest)
        r->content[number - 1].next = (unsigned)*newest;
    *newest = number;
    return number;
}

void judge_read_answered(judge_t *j, unsigned source, read_kind_t kind, const request_t *q, const void *data)
{
    judge_reads_t *r = j->reads;
    const unsigned reader = SHARED_WALKER && kind == READ_TABLE ? q->q.asid : source;
    uint64_t *newest = map_put(&r->newest, key_of(reader, kind, q->q.line));
    if (!newest) {
        judge_out_of_memory(j);
        return;
    }
    const unsigned number = content_for(j, newest, data);
    if (!number)
        return;
    content_t *c = &r->content[number - 1];
    if (!c->first || r->time[c->first - 1].epoch < q->epoch) {
        read_time_t *at = judge_room(j, r->time, r->times, &r->times_room, sizeof *at);
        if (!at)
            return;
        r->time = at;
        at[r->times++] = (read_time_t){.epoch = q->epoch, .answered = j->cycle, .before = c->first};
        c->first = r->times;
    }
    if (q->epoch >= c->epoch) { /* answers may overtake each other */
        c->epoch = q->epoch;
        c->asked = q->cycle;
    }
    c->answered = j->cycle;
    r->epoch = q->epoch > r->epoch ? q->epoch : r->epoch;
}

unsigned judge_contents(const judge_t *j, unsigned reader, read_kind_t kind, uint64_t line)
{
    const uint64_t *number = map_get(&j->reads->newest, key_of(reader, kind, line));
    return number ? (unsigned)*number : 0;
}

const content_t *judge_content(const judge_t *j, unsigned number)
{
    return &j->reads->content[number - 1];
}

bool judge_read_between(const judge_t *j, const content_t *c, uint64_t epoch, uint64_t until)
{
    if (c->epoch >= epoch && c->answered <= until)
        return true;
    for (unsigned k = c->first; k && j->reads->time[k - 1].epoch >= epoch; k = j->reads->time[k - 1].before)
        if (j->reads->time[k - 1].answered <= until)
            return true;
    return false;
}
