__kernel void only(__global int *p) { p[get_global_id(0)] = 7; }
