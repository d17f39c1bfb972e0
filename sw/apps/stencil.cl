/* Seven points of a grid in three dimensions: planes lie pages apart, and come again for the next plane. */
__kernel void stencil(__global const float *in, __global float *out, uint nx, uint ny, uint nz)
{
    const uint i = get_global_id(0), x = i % nx, y = i / nx % ny;
    const uint plane = nx * ny;
    for (uint z = 1; z + 1 < nz; z++) {
        const uint at = z * plane + i;
        if (x > 0 && x + 1 < nx && y > 0 && y + 1 < ny)
            out[at] = fma(-6.0f, in[at], in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx] + in[at - plane] + in[at + plane]);
    }
}
