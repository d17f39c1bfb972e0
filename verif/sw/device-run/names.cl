/* Names of the device library for other things, beside the compiler's own calls of them: copies of structures, arithmetic of double. And macros that would break the text that
 * `vellum cc` writes behind a source. */
typedef struct {
    int v[64];
} block_t;
void memcpy(uchar *d, const uchar *s, int n) { for (int i = 0; i < n; i++) d[i] = s[i] + 1; }
static int memset(int a, int b) { return 10 * a + b; }
int memcmp(int a) { return -a; }
int __adddf3(int a, int b) { return 100 * a + b; }
__attribute__((noinline)) int __muldf3(int a) { return a + 1000; }
__constant int CBRT_TBL[2] = {5, 6};

__kernel void memmove(__global int *a, int n, double x)
{
    block_t b, c;
    const int i = get_global_id(0);
    for (int j = 0; j < 64; j++)
        b.v[j] = i * j;
    c = b;
    b.v[n] = 7;
    uchar from = 1, to;
    memcpy(&to, &from, 1);
    a[8 * i] = c.v[n], a[8 * i + 1] = to, a[8 * i + 2] = memset(i, 3), a[8 * i + 3] = memcmp(i), a[8 * i + 4] = __adddf3(i, 1), a[8 * i + 5] = __muldf3(i);
    a[8 * i + 6] = CBRT_TBL[i & 1] + (int)(x * i + 0.5), a[8 * i + 7] = (int)(cbrt(x * x * x) + 0.5);
}
#define long int
#define unsigned
#define struct union
#define __global __local
#define void int
#define double float
#define const nonsense
#define sizeof(x) 3
#define __attribute__(x)
#define __asm__ nothing
#define __vl_args 1
#define used unused
#define section(x)
#define memmove memset
#pragma pack(1)
