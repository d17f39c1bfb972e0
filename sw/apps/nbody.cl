/* Forces on bodies, each from all others: a few pages that every core reads again and again. */
__kernel void nbody(__global const float4 *body, __global float4 *force, uint n)
{
    const uint i = get_global_id(0);
    const float4 me = body[i % n];
    float x = 0, y = 0, z = 0;
    for (uint j = 0; j < n; j++) {
        const float4 other = body[j];
        const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
        const float d = fma(dx, dx, fma(dy, dy, fma(dz, dz, 1.0f)));
        const float s = other.w / (d * sqrt(d));
        x = fma(s, dx, x);
        y = fma(s, dy, y);
        z = fma(s, dz, z);
    }
    force[i] = (float4)(x, y, z, me.w);
}
