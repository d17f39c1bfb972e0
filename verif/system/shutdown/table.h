/* What kernels.cl stores where; shared with main.c. */
#ifndef VERIF_SHUTDOWN_TABLE_H
#define VERIF_SHUTDOWN_TABLE_H
/* Word of step i of thread id, of n threads: neighbours of other groups, so of other devices, are in its line. Odd words are the host's. */
#define PLACE(i, id, n) (2 * ((i) * (n) + ((id) * 5 + (i) * 7) % (n)))
#define VALUE(i, id) (0x80000000u | (i) << 16 | (id))
/* A thread reports its progress after each SAYS steps. */
#define SAYS 4
#endif
