/* Every workload, in the order of a full run. */
#include "sw/workloads/wl.h"

#define WORKLOADS(X)                                                                                                            \
  X(vecadd) X(saxpy) X(reduce) X(scan) X(transpose) X(histogram) X(bitonic) X(sgemm_naive) X(sgemm_tiled) X(conv2d)           \
  X(hotspot) X(pathfinder) X(nw) X(bfs) X(kmeans) X(blackscholes)                                                        \
  X(gather) X(private) X(stream) X(streamcluster) X(mummergpu) X(memcached) X(list) X(tree) \
  X(dct) X(haar) X(floyd_warshall) X(fastwalsh) X(mersenne_twister) X(radix_sort) X(simple_convolution) X(sobel)

#define DECLARE(name) extern const workload workload_##name;
#define LIST(name) &workload_##name,

WORKLOADS(DECLARE)
const workload *const workloads[] = {WORKLOADS(LIST) NULL};
