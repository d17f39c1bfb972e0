/* Address spaces: their pages, areas and tables (docs/host-memory.md). */
#ifndef VELLUM_SPACE_H
#define VELLUM_SPACE_H

#include "sw/runtime/internal.h"
#include "sw/runtime/page_table.h"

/* The state of a space that a device keeps while it uses another. */
typedef struct vl_kept {
    const vl_image *image;
    vl_ptr block, stack, print_at;
    uint64_t block_bytes, stack_bytes, print_bytes;
    uint32_t stack_log2;
} vl_kept;

struct vl_space {
    vl_device *dev;
    vl_space *next;
    uint16_t asid;
    page_table *table;
    uint64_t channels; /* channels of its frames and tables, a bit each; 0: all */
    uint8_t *region; /* region of this process, at the same addresses as on the device */
    uint64_t region_bytes;
    int home_fd;   /* demand: the region, then the image's addresses */
    uint8_t *home; /* the whole home, mapped */
    vl_heap heap;
    vl_area *areas; /* by address */
    size_t n, room;
    uint64_t *retired; /* tables that a walker may still read */
    size_t n_retired, room_retired, tables; /* tables: that are in use */
    uint64_t held; /* number of its pages in slots of the pager */
    vl_range_of *registered; /* by address (vl_register) */
    size_t n_registered, room_registered;
    uint32_t flush_every, flush_left; /* cycles between two flushes (vl_space_flush), and until the next one */
    vl_pager_counts counts; /* first launch of its kernel: faults, and how they were answered */
    bool lent; /* a kernel has the registered memory */
    bool runs; /* as one of several kernels that run at once */
    vl_kept kept;
};

#define VL_ASIDS 65536u

static inline bool vl_space_demand(const vl_space *s)
{
    return s->dev->memory.options.mode == VL_DEMAND;
}
/* The host's view of an address of a buffer. */
static inline uint8_t *vl_space_here(const vl_space *s, uint64_t va)
{
    return s->region + (va - (uint64_t)(uintptr_t)s->region);
}
/* -1: no leaf is so large. */
static inline int vl_page_level(uint64_t page_bytes)
{
    return page_bytes == 4096 ? 0 : page_bytes == 1ull << 21 ? 1 : page_bytes == 1ull << 30 ? 2 : -1;
}

/* ---- spaces (mapping.c, areas.c) ---- */
int vl_space_malloc(vl_space *s, uint64_t bytes, uint64_t align, uint64_t *va);
/* VL_EINVAL: va begins no range. */
int vl_space_release(vl_space *s, uint64_t va);
/* Pages for the image, at addresses that this process has not, in place of earlier ones. */
int vl_space_image(vl_space *s, uint64_t va, uint64_t bytes, unsigned rights);
void vl_space_drop_image(vl_space *s);
/* One of from, to or (both NULL) byte. VL_EACCESS: not all of it is mapped. */
int vl_space_copy(vl_space *s, uint64_t va, uint64_t bytes, const uint8_t *from, uint8_t *to, uint8_t byte);
/* Memory behind whole pages of an area that have none, in leaves of up to 512^most pages; and away with it. */
int vl_space_map(vl_space *s, vl_area *a, uint64_t va, uint64_t bytes, unsigned most, unsigned rights);
int vl_space_unmap(vl_space *s, vl_area *a, uint64_t va, uint64_t bytes);
vl_page *vl_space_page(vl_space *s, uint64_t va, const vl_area **area);
/* This process's view of a page: its frame, or home. */
int vl_space_show(vl_space *s, uint64_t va, const vl_page *p);
uint8_t *vl_space_home(vl_space *s, uint64_t va);
static inline unsigned vl_page_flags(unsigned rights)
{
    unsigned read = rights & VL_WRITE ? VL_READ : 0; /* write without read is reserved */
    return (rights | read) << 1 | PT_U;
}

/* A frame for it, or 512^level adjacent ones. False: too few are left. */
bool vl_space_frame(vl_space *s, unsigned level, uint64_t *addr, bool *zero);

/* ---- frames of page tables: what pt_memory needs (physical.c) ---- */
int vl_table_take(void *space, uint64_t *ppn);
/* While a kernel runs a walker may be reading it: it is free after the next shootdown. */
void vl_table_give(void *space, uint64_t ppn);
int vl_table_write(void *space, uint64_t addr, const uint64_t *pte, unsigned n);
/* Those that were given and are not read any more. */
void vl_tables_free(vl_space *s);
/* ---- flushes (flush.c) ---- */
/* Cycles between two checks for due flushes, for the kernels that are about to run; 0: none flushes. */
uint32_t vl_flush_period(const vl_device *d);
/* So many cycles after the last look, or the start. */
int vl_flush_due(vl_device *d, uint32_t cycles);

/* ---- areas (areas.c) ---- */
vl_area *vl_area_of(const vl_space *s, uint64_t va);
/* The first that begins above va, and the last that ends at or below it; NULL: none. */
vl_area *vl_area_behind(const vl_space *s, uint64_t va);
vl_area *vl_area_before(const vl_space *s, uint64_t va);
int vl_area_add(vl_space *s, uint64_t va, uint64_t bytes, bool host);
void vl_area_drop(vl_space *s, vl_area *a);
/* Refuses a buffer of too many mappings before they are made: the process needs some for itself (A6). */
int vl_area_count(vl_space *s, vl_area *a);
/* vl_space_show for all pages of a range; adjacent frames, and adjacent pages at home, are one mapping each. */
int vl_area_show(vl_space *s, const vl_area *a, uint64_t va, uint64_t bytes);
uint64_t vl_space_home_offset(const vl_space *s, uint64_t va);

/* ---- memory that the program had before (registered_copy.c) ---- */
/* The first registration that ends beyond va. */
size_t vl_registration_from(const vl_space *s, uint64_t va);
/* The next piece of [*at, end) that is registered, from *at on: its bytes, 0 at the end. */
uint64_t vl_registered_next(const vl_space *s, uint64_t *at, uint64_t end);
/* A frame gets the contents of a page of the program's memory; the program's memory gets the changes since. */
int vl_registered_in(vl_space *s, uint64_t va, uint64_t frame);
int vl_registered_out(vl_space *s, uint64_t va, uint64_t frame);
/* The same for all pages in frames: of the space of a kernel that begins; of all such when kernels have ended. */
int vl_registered_begin(vl_space *s);
int vl_registered_end(vl_device *d);
bool vl_registered_covers(const vl_space *s, uint64_t va, uint64_t bytes);
/* vl_space_copy of registered bytes, of one page. */
int vl_registered_copy(vl_space *s, uint64_t va, uint64_t bytes, const uint8_t *from, uint8_t *to, uint8_t byte);

/* ---- the end of a space (mapping.c, space.c) ---- */
void vl_space_empty(vl_space *s);
void vl_space_destroy(vl_space *s);

#endif
