/* One step of the fast Walsh transform, in place: sums and differences of values `stride` apart, a pair a thread. */
__kernel void fastwalsh(__global float *x, uint stride, uint pairs)
{
    uint t = get_global_id(0);
    if (t >= pairs)
        return;
    uint low = 2 * t - (t & (stride - 1));
    float a = x[low], b = x[low + stride];
    x[low] = a + b;
    x[low + stride] = a - b;
}
