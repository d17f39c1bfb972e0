/* y = a x + y. Each thread strides over the vector, so the launch need not grow with n. */
__kernel void saxpy(float a, __global const float *x, __global float *y, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        y[i] = fma(a, x[i], y[i]);
}
