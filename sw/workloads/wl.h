/*
 * Helpers of the workloads: a thin layer over libvellum in which a failed step makes the later ones do nothing, so that a
 * workload reads as the list of its steps. vecadd.c shows the same work in plain libvellum calls; wl.c is one page of them.
 *
 * A workload is one function that gets its size, makes data, runs kernels and checks their results with wl_same_*.
 */
#ifndef WL_H
#define WL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sw/runtime/vellum.h"

typedef struct wl wl;

typedef struct workload {
    const char *name;
    const char *help;
    void (*run)(wl *w, uint32_t size);
    uint32_t sizes[4]; /* the default list, 0 past the end */
    uint32_t quick;    /* for slow machines */
} workload;

extern const workload *const workloads[]; /* NULL past the last */

/* ---- the machine ---- */

vl_device *wl_device(wl *w);
/* --data: bytes that the data are to have, about; 0: as the size needs. With it, `size` is how many work-items do work on a part
 * of the data, so that the footprint grows without the time. */
uint64_t wl_data(wl *w);
/* --vectors: a thread is to have as many words as in the programs of the unified memory hierarchy's paper; the kernels are those of NAME_vectors.cl. To be asked before wl_load. */
bool wl_vectors(wl *w);
/* The multiple of `of` that is not less than n. */
static inline uint32_t wl_whole(uint32_t n, uint32_t of)
{
    return (n + of - 1) / of * of;
}
/* Threads a core can hold at once. */
uint32_t wl_core_threads(const wl *w);
/* A good group size in one dimension: a power of two, about half a core, so that one group computes while another waits. */
uint32_t wl_local(const wl *w);
/* The largest power of two S such that S x S threads fit a core, at most 16. */
uint32_t wl_side(const wl *w);

/* Records why the workload failed (the first reason stays) and returns false. */
bool wl_fail(wl *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* True as long as nothing has failed. */
bool wl_ok(const wl *w);

/* ---- data: everything here is freed at the end of the workload ---- */

/* Host memory, zero. Never NULL (the program ends when the host has none left). */
void *wl_host(wl *w, size_t count, size_t size);
float *wl_floats(wl *w, size_t count, float low, float high); /* random in [low, high) */
uint32_t *wl_words(wl *w, size_t count, uint32_t below); /* random, below `below` (0: all 32 bits) */
uint32_t wl_random(wl *w);

/* Device memory: zero, or with a copy of host data. At least one byte is allocated. */
vl_ptr wl_buffer(wl *w, size_t bytes);
vl_ptr wl_upload(wl *w, const void *data, size_t bytes);
void wl_write(wl *w, vl_ptr to, const void *data, size_t bytes);
void wl_read(wl *w, void *to, vl_ptr from, size_t bytes);

/* Memory for a structure with pointers, zero: `host` is how this program sees it. Copied only where it is not shared (--memory). With pages both
 * addresses are one; without, a pointer that the device is to follow is moved by the distance, and back. */
typedef struct wl_shared {
    void *host;
    vl_ptr device;
    size_t bytes;
} wl_shared;
wl_shared wl_share(wl *w, size_t bytes);
void wl_to_device(wl *w, wl_shared s);
void wl_to_host(wl *w, wl_shared s);
static inline void *wl_moved(void *p, wl_shared s)
{
    return p ? (void *)((uintptr_t)p + (s.device - (uintptr_t)s.host)) : NULL;
}
static inline void *wl_moved_back(void *p, wl_shared s)
{
    return p ? (void *)((uintptr_t)p - (s.device - (uintptr_t)s.host)) : NULL;
}

/* ---- kernels ---- */

/* Compiles sw/workloads/NAME/NAME.cl by `vellum cc`, unless it has been, and gives the image's path. */
bool wl_compile(wl *w, const char *defines, char *elf, size_t size);
/* The same with `defines` ("-DSIDE=8", NULL: none), and makes it the resident image. */
void wl_load(wl *w, const char *defines);

typedef struct wl_arg {
    enum { WL_VALUE, WL_BUFFER, WL_LOCAL } kind;
    uint32_t size;
    uint64_t bits;
} wl_arg;

#define WL_BUF(p) ((wl_arg){WL_BUFFER, 8, (p)})
#define WL_LOC(bytes) ((wl_arg){WL_LOCAL, 8, (bytes)})
#define WL_U32(v) ((wl_arg){WL_VALUE, 4, (uint32_t)(v)})
#define WL_I32(v) ((wl_arg){WL_VALUE, 4, (uint32_t)(int32_t)(v)})
#define WL_F32(v) ((wl_arg){WL_VALUE, 4, wl_float_bits(v)})
uint32_t wl_float_bits(float v);

/* At least `n` threads in groups of `local`; the two-dimensional form likewise. */
vl_range wl_range1(uint64_t n, uint64_t local);
vl_range wl_range2(uint64_t nx, uint64_t ny, uint64_t lx, uint64_t ly);
/* At least the threads `first` .. `first` + `n` - 1, by their global ids. */
vl_range wl_window(uint64_t first, uint64_t n, uint64_t local);

/* Runs a kernel of the loaded image: wl_launch(w, "saxpy", range, WL_F32(a), WL_BUF(x), ...). */
#define wl_launch(w, kernel, range, ...)                                                                                        \
  wl_launch_args(w, kernel, range, (wl_arg[]){__VA_ARGS__}, sizeof((wl_arg[]){__VA_ARGS__}) / sizeof(wl_arg))
void wl_launch_args(wl *w, const char *kernel, vl_range range, const wl_arg *args, uint32_t n_args);
/* For workloads that launch by themselves: adds to the cycles and counters reported. */
void wl_account(wl *w, const vl_result *r);

/* ---- results ---- */

/* Every element equals the host's; the first difference becomes the reason of failure. */
void wl_same_u32(wl *w, const char *what, const uint32_t *got, const uint32_t *want, size_t n);
void wl_same_u8(wl *w, const char *what, const uint8_t *got, const uint8_t *want, size_t n);
void wl_same_i32(wl *w, const char *what, const int32_t *got, const int32_t *want, size_t n);
/* Bit for bit: for results that the host replays operation by operation. */
void wl_same_f32(wl *w, const char *what, const float *got, const float *want, size_t n);
/* Within absolute + relative * |want|. */
void wl_near_f32(wl *w, const char *what, const float *got, const double *want, size_t n, double absolute,
                 double relative);

#endif
