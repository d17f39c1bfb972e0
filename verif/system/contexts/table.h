/* Shared by the kernels of the contexts and the host's part of the test. */
#define TABLE 16
#define T_OF(who, i) (((i) + 1u) * 2654435761u ^ (who) * 0x9e3779b1u | 1u)
#define T(i) T_OF(WHO, i)
#define SHIFT(who) (4 + (who))
#define LOAD1 0
#define LOAD8 1
#define STORE1 2
#define STORE8 3
#define ATOMIC 4
#define JUMP 5
#define KINDS 6
