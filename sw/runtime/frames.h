/* Which 4 KB frames of physical memory are taken. */
#ifndef VELLUM_FRAMES_H
#define VELLUM_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

enum { VL_COLOURS_MOST = 64 };

typedef struct vl_frames {
    uint64_t first, n; /* frame numbers first ... first + n - 1 */
    uint64_t free;
    uint64_t *taken, *written; /* bitmaps; written: the frame has been used before, so it may not be zero */
    uint64_t lowest;           /* no frame below (counted from first) is free */
    /* Frame f of memory has colour f / run mod colours: the channel that it lies in (docs/memory-map.md). 0: a frame lies in several. */
    uint32_t colours, run;
    uint64_t lowest_of[VL_COLOURS_MOST]; /* as `lowest`, of each colour */
    bool random;
    uint64_t state; /* state of the random numbers */
} vl_frames;

/* All whole frames of [base, limit) but those of [hole, hole + hole_bytes). VL_ENOMEM. */
int vl_frames_init(vl_frames *f, uint64_t base, uint64_t limit, uint64_t hole, uint64_t hole_bytes);
void vl_frames_done(vl_frames *f);

/* 512^level adjacent frames, aligned: the lowest, or with `random` any. False: there are none. *zero: nothing was ever there. */
bool vl_frames_take(vl_frames *f, unsigned level, uint64_t *addr, bool *zero);
/* One frame of one of these colours, a bit each; otherwise as above, of level 0. */
bool vl_frames_take_of(vl_frames *f, uint64_t colours, uint64_t *addr, bool *zero);
void vl_frames_give(vl_frames *f, uint64_t addr); /* one frame */

static inline uint64_t vl_random(uint64_t *state)
{ /* splitmix64 */
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

#endif
