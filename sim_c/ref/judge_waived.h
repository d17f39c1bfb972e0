/* What the judge accepts because it cannot decide it. */
#ifndef SIM_C_REF_JUDGE_WAIVED_H
#define SIM_C_REF_JUDGE_WAIVED_H

typedef enum {
    WAIVED_LOADS, /* loads that race, with a value that is older than the writes which are kept */
    WAIVED_SHOOTDOWNS, /* shootdowns asked for before the host had read that the last one was acknowledged: whether they were begun is not known */
    WAIVED_SCS, /* SCs that have failed though nothing is known of their line: another device, the host or an eviction may have taken it away (home = directory) */
    WAIVERS
} judge_waiver;
#endif
