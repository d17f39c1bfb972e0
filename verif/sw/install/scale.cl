__kernel void scale(__global float *x, float by)
{
    x[get_global_id(0)] *= by;
}
