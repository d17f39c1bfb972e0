/* Changes of state by kind: the counter (its number plus 1; 0: none) of a line or block that goes from one state to another. */
#ifndef SIM_C_COHERENCE_MOVES_H
#define SIM_C_COHERENCE_MOVES_H
#include <stdint.h>

enum { MOVE_STATES = 8 };
typedef uint8_t move_counters_t[MOVE_STATES][MOVE_STATES];

#define MOVE(what, from, FROM, to, TO) [NMOESI_##FROM][NMOESI_##TO] = N_##what##_##from##_to_##to + 1
#define MOVES_OF_BOTH(w) \
    MOVE(w, i, I, n, N), MOVE(w, i, I, s, S), MOVE(w, i, I, e, E), MOVE(w, i, I, m, M), MOVE(w, n, N, i, I), \
        MOVE(w, n, N, s, S), MOVE(w, s, S, i, I), MOVE(w, s, S, n, N), MOVE(w, e, E, i, I), MOVE(w, e, E, s, S), \
        MOVE(w, e, E, m, M), MOVE(w, o, O, i, I), MOVE(w, o, O, s, S), MOVE(w, m, M, i, I), MOVE(w, m, M, s, S), \
        MOVE(w, m, M, e, E), MOVE(w, m, M, o, O)
/* A line may also be stored into non-coherently in E; a block may lose E to a reader after such stores. */
#define MOVES_OF_LINES(w) {MOVES_OF_BOTH(w), MOVE(w, e, E, n, N)}
#define MOVES_OF_BLOCKS(w) {MOVES_OF_BOTH(w), MOVE(w, e, E, o, O)}
#endif
