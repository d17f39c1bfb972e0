/*
 * k-means. kmeans_assign gives each point below `end` its nearest centre and counts the points that moved; kmeans_update averages,
 * one thread a feature of a centre. Points are stored feature by feature, so that the lanes of a warp read one line.
 */
__kernel void kmeans_assign(__global const float *point, __global const float *centre, __global uint *member,
                            __global uint *moved, uint points, uint features, uint centres, uint end)
{
    uint p = get_global_id(0);
    if (p >= end)
        return;
    uint best = 0;
    float least = INFINITY;
    for (uint c = 0; c < centres; c++) {
        float distance = 0.0f;
        for (uint f = 0; f < features; f++) {
            float d = point[f * points + p] - centre[c * features + f];
            distance = fma(d, d, distance);
        }
        if (distance < least) {
            least = distance;
            best = c;
        }
    }
    if (member[p] != best) {
        member[p] = best;
        atomic_inc(moved);
    }
}

__kernel void kmeans_update(__global const float *point, __global float *centre, __global const uint *member,
                            uint points, uint features, uint centres)
{
    uint i = get_global_id(0);
    if (i >= centres * features)
        return;
    uint c = i / features, f = i % features, count = 0;
    float sum = 0.0f;
    for (uint p = 0; p < points; p++)
        if (member[p] == c) {
            sum += point[f * points + p];
            count++;
        }
    if (count > 0)
        centre[i] = sum / (float)count;
}
