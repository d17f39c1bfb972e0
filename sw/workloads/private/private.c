#include "sw/workloads/wl.h"

enum { ROUNDS = 200, TABLE = 32 };

static void run(wl *w, uint32_t n)
{
    uint32_t *places = wl_words(w, ROUNDS, 0), *got = wl_host(w, n, sizeof *got), *want = wl_host(w, n, sizeof *want);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t table[TABLE], sum = i;
        for (uint32_t k = 0; k < TABLE; k++)
            table[k] = sum + k;
        for (uint32_t r = 0; r < ROUNDS; r++) {
            sum += table[places[r] % TABLE];
            table[(places[r] + r) % TABLE] = sum;
        }
        want[i] = sum;
    }

    wl_load(w, NULL);
    vl_ptr in = wl_upload(w, places, ROUNDS * sizeof *places), out = wl_buffer(w, n * sizeof *got);
    wl_launch(w, "private_table", wl_range1(n, wl_local(w)), WL_BUF(in), WL_BUF(out), WL_U32(n), WL_U32(ROUNDS));
    wl_read(w, got, out, n * sizeof *got);
    wl_same_u32(w, "out", got, want, n);
}

const workload workload_private = {
    "private", "tables of each thread's own, at places that data give", run, {1, 100, 512}, 37};
