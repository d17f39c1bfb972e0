/* See judge_shots.h. An entry of a TLB is covered by (docs/translation.md, Shootdown): any of everything; one of its address space, unless it is global; one of a page, if
 * that lies in the entry's page, whatever its size, and the address space is its own or it is global. So the newest shootdown is kept for each page at each
 * level, of each address space and of any, and with each the one before: one of some cores alone (INV_CORES) is passed over for the others. */
#include "sim_c/ref/judge_shots.h"
#include "sim_c/ref/judge_report.h"
#include "sim_c/ref/map.h"
#include <stdlib.h>

enum { ANY = REF_LEVELS }; /* in `previous`: of any address space */

struct judge_shots {
    shot_t *at; /* number n is at[n - 1]. The last one may be unacknowledged */
    unsigned n, room;
    bool pending;
    map_t newest; /* by key */
    uint64_t all; /* the newest shootdown of everything */
};

enum { KEY_ASID = 2 * REF_LEVELS };

/* Of `previous[k]` of one of a page; k = KEY_ASID: of an address space. */
static uint64_t key_of(unsigned k, uint64_t vpn, uint16_t asid)
{
    if (k == KEY_ASID)
        return (uint64_t)k << 60 | asid;
    return (uint64_t)k << 60 | (uint64_t)(k < ANY ? asid : 0) << VPN_W
           | vpn >> 9 * (k % REF_LEVELS) << 9 * (k % REF_LEVELS);
}

judge_shots_t *judge_shots_new(void)
{
    return calloc(1, sizeof(judge_shots_t));
}

void judge_shots_free(judge_shots_t *s)
{
    if (!s)
        return;
    free(s->at);
    map_free(&s->newest);
    free(s);
}

void judge_shots_ask(judge_t *j, const inv_t *inv, uint64_t cores)
{
    judge_shots_t *s = j->shots;
    shot_t *at = judge_room(j, s->at, s->n, &s->room, sizeof *at);
    if (!at)
        return;
    s->at = at;
    at[s->n++] = (shot_t){.inv = *inv, .cores = cores, .asked = j->cycle};
    s->pending = true;
}

/* It is the newest of that key. */
static void enter(judge_t *j, uint64_t key, uint64_t *previous)
{
    uint64_t *newest = map_put(&j->shots->newest, key);
    if (!newest) {
        judge_out_of_memory(j);
        return;
    }
    *previous = *newest;
    *newest = j->shots->n;
}

void judge_shots_acknowledge(judge_t *j)
{
    judge_shots_t *s = j->shots;
    shot_t *shot = &s->at[s->n - 1];
    const inv_t *inv = &shot->inv;
    s->pending = false;
    shot->acknowledged = j->cycle;
    if (inv->scope == INV_ALL) {
        shot->previous[0] = s->all;
        s->all = s->n;
    } else if (inv->scope == INV_ASID) {
        enter(j, key_of(KEY_ASID, 0, inv->asid), &shot->previous[0]);
    } else {
        for (unsigned k = 0; k < 2 * REF_LEVELS; k++)
            enter(j, key_of(k, inv->vpn, inv->asid), &shot->previous[k]);
    }
}

bool judge_shots_pending(const judge_t *j)
{
    return j->shots->pending;
}

uint64_t judge_epoch(const judge_t *j)
{
    return j->shots->n;
}

/* The newest of a chain that was one of that core and acknowledged in that cycle or before. */
static uint64_t since(const judge_shots_t *s, uint64_t number, unsigned chain, unsigned core, uint64_t cycle)
{
    while (number && (s->at[number - 1].acknowledged > cycle || !(s->at[number - 1].cores >> core & 1)))
        number = s->at[number - 1].previous[chain];
    return number;
}

static uint64_t newest(const judge_shots_t *s, uint64_t key, unsigned chain, unsigned core, uint64_t cycle)
{
    const uint64_t *number = map_get(&s->newest, key);
    return number ? since(s, *number, chain, core, cycle) : 0;
}

uint64_t judge_shot_of(const judge_t *j, const covered_t *t, uint64_t cycle)
{
    const judge_shots_t *s = j->shots;
    const unsigned chain = t->global ? ANY + t->level : t->level;
    const uint64_t all = since(s, s->all, 0, t->core, cycle),
                   page = newest(s, key_of(chain, t->vpn, t->asid), chain, t->core, cycle);
    const uint64_t asid = t->global ? 0 : newest(s, key_of(KEY_ASID, 0, t->asid), 0, t->core, cycle),
                   most = all > page ? all : page;
    return most > asid ? most : asid;
}

const shot_t *judge_shot(const judge_t *j, uint64_t number)
{
    return &j->shots->at[number - 1];
}

uint64_t judge_shots_all(const judge_t *j)
{
    const judge_shots_t *s = j->shots;
    return s->pending || s->all != s->n || (s->n && s->at[s->n - 1].cores != JUDGE_ALL_CORES) ? 0 : s->n;
}

void judge_shots_forget(judge_t *j)
{
    j->shots->n = 0;
    j->shots->all = 0;
    map_clear(&j->shots->newest);
}
