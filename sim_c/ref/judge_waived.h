/* Accesses that the judge accepts because it cannot decide them. */
#ifndef SIM_C_REF_JUDGE_WAIVED_H
#define SIM_C_REF_JUDGE_WAIVED_H

typedef enum {
    WAIVED_LOADS, /* loads that race, with a value that is older than the writes which are kept */
    WAIVED_SHOOTDOWNS, /* shootdowns asked for before the host had read that the last one was acknowledged: whether they were begun is not known */
    /* SCs that failed without a known reason: another device, the host or an eviction may have taken the line away (home = directory) */
    WAIVED_SCS,
    WAIVERS
} judge_waiver;
#endif
