/* Takes the seat of a verilated block (-DBLOCK=name): the twin a second time. With a broken twin both sides of the bench are wrong in the same way, and only its scoreboard can tell. */
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define NAME(x) JOIN(BLOCK, x)
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#include TEXT(NAME(_ports.h))
#include <stdlib.h>
#include <string.h>

void *NAME(_rtl_new)(uint64_t seed)
{
    (void)seed;
    void *m = calloc(1, NAME(_size)());
    if (!m)
        abort();
    NAME(_reset)(m);
    return m;
}

void NAME(_rtl_free)(void *m)
{
    free(m);
}

void NAME(_rtl_reset)(void *m)
{
    NAME(_reset)(m);
}

void NAME(_rtl_out)(void *m, NAME(_out_t) * o)
{
    NAME(_out)(m, o);
}

bool NAME(_rtl_tick)(void *m, const NAME(_in_t) * in, bool check)
{
    (void)check;
    NAME(_out_t) o;
    NAME(_in_t) wired = *in; /* as a composition would connect them, as for the other seat (bench.h) */
    memset(&o, 0, sizeof o);
    NAME(_out)(m, &o);
    NAME(_in_wired)(&wired, &o);
    NAME(_tick)(m, &wired);
    return true;
}

bool NAME(_rtl_trace)(void *m, const char *fst)
{
    (void)m, (void)fst;
    return false;
}
