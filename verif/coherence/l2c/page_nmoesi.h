/* The table of states, written here by hand from docs/coherence.md; states are letters. */
#ifndef VERIF_COHERENCE_L2C_PAGE_NMOESI_H
#define VERIF_COHERENCE_L2C_PAGE_NMOESI_H
#include "verif/coherence/l2c/page_state.h"

/* The table of docs/coherence.md: two letters a cell. h: a hit; g: its bytes go to the home or to the requester; and the state after it. */
static const char *page_cell(char state, page_what_t what)
{
    static const char *const table[] = {
        "-S -M -N -I -I -I -I", /* I; load, store: the least state to ask for */
        "hN -M hN gI -N gI gS", /* N */
        "hS -M hN -I -S -I -S", /* S */
        "hE hM hN -I gS gI -S", /* E */
        "hO -M hO gI gO gI gS", /* O */
        "hM hM hM gI gO gI gS", /* M */
    };
    static const char rows[] = "INSEOM";
    return table[state ? strchr(rows, state) - rows : 0] + 3 * what;
}

static bool page_hit(char state, page_what_t what)
{
    return page_cell(state, what)[0] == 'h';
}

static bool page_gives(char state, page_what_t what)
{
    return page_cell(state, what)[0] == 'g';
}

static char page_next(char state, page_what_t what)
{
    return page_cell(state, what)[1];
}

static bool page_held(const page_way_t *w)
{
    return w->state && w->state != 'I';
}

/* The code of a state on a port, and back. */
static uint8_t page_code(char state)
{
    switch (state) {
    case 'N': return NMOESI_N;
    case 'S': return NMOESI_S;
    case 'E': return NMOESI_E;
    case 'O': return NMOESI_O;
    case 'M': return NMOESI_M;
    default: return NMOESI_I;
    }
}

static char page_state(unsigned code)
{
    for (const char *s = "INSEOM"; *s; s++)
        if (page_code(*s) == code)
            return *s;
    return 'I';
}

static void page_moved(ev_l2c_t *ev, char from, char to)
{
    const uint8_t f = page_code(from), t = page_code(to);
    if (f == t)
        return;
    ev->l2_moved = true;
    ev->l2_from = f;
    ev->l2_to = t;
}
#endif
