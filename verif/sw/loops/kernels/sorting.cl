/* Sorting and searching. */
// run 128 32: words:128 words:128 u32:128
__kernel void rank_sort(__global const uint *in, __global uint *out, uint n)
{
    uint i = get_global_id(0), mine = in[i], rank = 0;
    for (uint j = 0; j < n; j++)
        rank += in[j] < mine || (in[j] == mine && j < i);
    out[rank] = mine;
}
// run 64 32: words:1024 words:64 u32:16
__kernel void insertion_sort(__global uint *a, __global uint *first, uint n)
{
    __global uint *mine = a + get_global_id(0) * n;
    for (uint i = 1; i < n; i++) {
        uint v = mine[i], j = i;
        for (; j > 0 && mine[j - 1] > v; j--)
            mine[j] = mine[j - 1];
        mine[j] = v;
    }
    first[get_global_id(0)] = mine[0];
}
// run 64 32: words:1024 words:64 u32:16
__kernel void bubble_sort(__global uint *a, __global uint *last, uint n)
{
    uint g = get_global_id(0);
    for (uint i = 0; i + 1 < n; i++)
        for (uint j = 0; j + 1 < n; j++) {
            uint x = a[j * 64 + g], y = a[(j + 1) * 64 + g];
            a[j * 64 + g] = min(x, y);
            a[(j + 1) * 64 + g] = max(x, y);
        }
    last[g] = a[(n - 1) * 64 + g];
}
// run 128 32: words:256 words:128 words:128 u32:256
__kernel void lower_bound(__global const uint *sorted, __global const uint *keys, __global uint *at, uint n)
{
    uint key = keys[get_global_id(0)], low = 0, high = n;
    while (low < high) {
        uint middle = (low + high) / 2;
        if (sorted[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    at[get_global_id(0)] = low;
}
// run 64 32: words:1024 words:64 words:64 u32:16
__kernel void merge(__global const uint *in, __global uint *out, __global uint *odd, uint n)
{
    uint g = get_global_id(0), i = 0, j = n / 2, sum = 0, x = 0;
    __global const uint *a = in + g * n;
    for (uint k = 0; k < n; k++) {
        bool left = j >= n || (i < n / 2 && a[i] <= a[j]);
        uint v = left ? a[i++] : a[j++];
        sum = sum * 31 + v;
        x ^= v;
    }
    out[g] = sum;
    odd[g] = x;
}
