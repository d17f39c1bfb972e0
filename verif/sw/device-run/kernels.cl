/* Run on the reference by test.py, which has the expected results of each. */

/* 24 words a thread, at its linear global index. */
__kernel void identity(__global ulong *out)
{
    size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1), z = get_global_id(2) - get_global_offset(2);
    __global ulong *p = out + 26 * (x + get_global_size(0) * (y + get_global_size(1) * z));
    for (uint d = 0; d < 3; d++) {
        p[d] = get_global_id(d);
        p[3 + d] = get_local_id(d);
        p[6 + d] = get_group_id(d);
        p[9 + d] = get_global_size(d);
        p[12 + d] = get_local_size(d);
        p[15 + d] = get_num_groups(d);
        p[18 + d] = get_global_offset(d);
    }
    p[21] = get_work_dim();
    p[22] = get_global_id(3) + get_local_id(7) + get_group_id(3) + get_global_offset(9);
    p[23] = get_global_size(3) + 10 * get_local_size(4) + 100 * get_num_groups(5);
    p[24] = get_global_id(1);
    p[25] = get_local_size(2);
}

/* A static array, a scalar and a dynamic array of the group: reverse within the group, and a sum by one thread. */
__kernel void groups(__global const int *in, __global int *out, __local int *dynamic, __global int *sums)
{
    __local int fixed[64];
    __local int sum;
    int l = get_local_id(0), n = get_local_size(0);
    fixed[l] = in[get_global_id(0)];
    dynamic[n - 1 - l] = in[get_global_id(0)] * 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        int s = 0;
        for (int i = 0; i < n; i++)
            s += fixed[i];
        sum = s;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = fixed[n - 1 - l] + dynamic[l] + sum;
    if (l == n - 1)
        sums[get_group_id(0)] = sum;
}

/* Counters that every thread takes part in: add, min, max, a compare-and-swap loop, 64 bits, local. */
__kernel void atomics(__global int *c, __global ulong *wide, __global uint *old)
{
    __local uint here, tickets[4];
    uint g = get_global_id(0), l = get_local_id(0);
    if (l == 0)
        here = 0;
    if (l < 4)
        tickets[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    old[g] = atomic_inc((volatile __global uint *)&c[0]);
    atomic_add(&c[1], (int)g - 10);
    atomic_sub(&c[2], 3);
    atomic_min(&c[3], (int)(g * 2654435761u));
    atom_max((volatile __global uint *)&c[4], g * 2654435761u);
    atomic_or(&c[5], 1 << (g & 31));
    atomic_and(&c[6], ~(1 << (g & 31)));
    atomic_xor(&c[7], (int)(g * 0x10001u));
    atom_add(&wide[0], (ulong)g << 33);
    atom_max(&wide[1], ~(ulong)g);
    /* each thread wins once: the winner counts up and leaves */
    for (bool done = false; !done;) {
        int seen = c[8];
        done = atomic_cmpxchg(&c[8], seen, seen + 1) == seen;
    }
    for (bool done = false; !done;) {
        ulong seen = wide[2];
        done = atom_cmpxchg(&wide[2], seen, seen + 0x100000001ul) == seen;
    }
    atomic_inc(&here);
    atomic_add(&tickets[l & 3], l);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        atomic_add(&c[9], (int)(here * 1000 + tickets[1]));
}

__kernel void copies(__global const float4 *in, __global float4 *out, __global const int *strided_in, __global int *strided_out)
{
    __local float4 a[40];
    __local int b[16];
    event_t e = async_work_group_copy(a, in + 40 * get_group_id(0), 40, 0);
    e = async_work_group_strided_copy(b, strided_in, 16, 3, e);
    wait_group_events(1, &e);
    e = async_work_group_copy(out + 40 * get_group_id(0), a, 40, 0);
    wait_group_events(1, &e);
    e = async_work_group_strided_copy(strided_out + 64 * get_group_id(0), b, 16, 4, 0);
    wait_group_events(1, &e);
}

/* The last group to arrive adds up the values of the others: needs the fence. */
__kernel void last_group(__global volatile uint *partial, __global volatile uint *count, __global uint *total)
{
    if (get_local_id(0) == 0) {
        partial[get_group_id(0)] = get_group_id(0) + 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        if (atomic_inc(count) == get_num_groups(0) - 1) {
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            uint s = 0;
            for (uint i = 0; i < get_num_groups(0); i++)
                s += partial[i];
            *total = s;
        }
    }
}

__attribute__((noinline)) int histogram_peak(__global const uchar *data, int n, int salt)
{
    int bins[32];
    for (int i = 0; i < 32; i++)
        bins[i] = 0;
    for (int i = 0; i < n; i++)
        bins[(data[i] + salt) & 31]++;
    int peak = 0;
    for (int i = 1; i < 32; i++)
        peak = bins[i] > bins[peak] ? i : peak;
    return peak * 1000 + bins[peak];
}

__kernel void stack(__global const uchar *data, int n, __global int *out)
{
    int g = get_global_id(0);
    out[g] = histogram_peak(data + g, n, g) + (g & 1 ? histogram_peak(data + 7, n / 2, g) : 0);
}

/* More live values than registers in one straight line: real spills, right beside the saves that vellum cc removes. */
#define EIGHT(M, k) M(k) M(k + 1) M(k + 2) M(k + 3) M(k + 4) M(k + 5) M(k + 6) M(k + 7)
#define FORTY_EIGHT(M) EIGHT(M, 0) EIGHT(M, 8) EIGHT(M, 16) EIGHT(M, 24) EIGHT(M, 32) EIGHT(M, 40)
__kernel void pressure(__global const int *in, __global int *out)
{
    int v[48];
    in += 48 * get_global_id(0);
    out += 48 * get_global_id(0);
#define LOAD(k) v[k] = in[k];
#define STORE(k) out[k] = v[k] * v[((k) * 7 + 3) % 48] + v[47 - (k)];
    FORTY_EIGHT(LOAD)
    FORTY_EIGHT(STORE)
}

/* Hints about memory that is not there. */
__kernel void hints(__global const int *in, __global int *out, ulong far)
{
    size_t i = get_global_id(0);
    prefetch(in + 64 * i, 1000000);
    prefetch((__global const float4 *)far, 4);
    prefetch((__global const char *)3, 1);
    out[i] = in[i] + 1;
}
