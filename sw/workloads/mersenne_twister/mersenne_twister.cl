/*
 * Normal random numbers, a generator a thread: the small Mersenne twister of 127 bits (TinyMT32, RFC 8682), with its state in registers, and the
 * transform of Box and Muller. A thread leaves four numbers.
 */
typedef struct {
    uint a, b, c, d;
} twister;

#define MAT1 0x8f7011eeu
#define MAT2 0xfc78ff1fu
#define TMAT 0x3793fdffu

void step(twister *s)
{
    uint y = s->d, x = (s->a & 0x7fffffffu) ^ s->b ^ s->c;
    x ^= x << 1;
    y ^= y >> 1 ^ x;
    uint odd = -(y & 1);
    s->a = s->b;
    s->b = s->c ^ (odd & MAT1);
    s->c = x ^ y << 10 ^ (odd & MAT2);
    s->d = y;
}

uint mixed(uint before, uint i)
{
    return i + 1812433253u * (before ^ before >> 30);
}

void start(twister *s, uint seed)
{
    s->a = seed;
    s->b = MAT1 ^ mixed(s->a, 1);
    s->c = MAT2 ^ mixed(s->b, 2);
    s->d = TMAT ^ mixed(s->c, 3);
    s->a ^= mixed(s->d, 4);
    s->b ^= mixed(s->a, 5);
    s->c ^= mixed(s->b, 6);
    s->d ^= mixed(s->c, 7);
    for (uint i = 0; i < 8; i++)
        step(s);
}

uint next(twister *s)
{
    step(s);
    uint t = s->a + (s->c >> 8);
    return s->d ^ t ^ (-(t & 1) & TMAT);
}

__kernel void mersenne_twister(__global const uint *seed, __global float4 *out, uint n)
{
    uint i = get_global_id(0);
    if (i >= n)
        return;
    twister s;
    float pair[4];
    start(&s, seed[i]);
    for (uint k = 0; k < 4; k += 2) {
        float u = (float)((next(&s) >> 8) + 1) * 0x1p-24f, v = (float)(next(&s) >> 8) * 0x1p-24f;
        float radius = sqrt(-2.0f * log(u));
        pair[k] = radius * cospi(2.0f * v);
        pair[k + 1] = radius * sinpi(2.0f * v);
    }
    out[i] = (float4)(pair[0], pair[1], pair[2], pair[3]);
}
