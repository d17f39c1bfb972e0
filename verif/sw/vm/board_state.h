/* The board's state, and the functions that its parts share. It looks at nothing that libvellum keeps, except the list of spaces, and the frames of
 * pages without any right. */
#ifndef VERIF_SW_VM_BOARD_STATE_H
#define VERIF_SW_VM_BOARD_STATE_H

#include "verif/ref/lib/rng.h"
#include "verif/sw/vm/board.h"

enum { CORES = 64, SPACES = 64, ENTRIES = 48, LATE = 12, WARP = 8, ROUNDS = 64, ROUNDS_DISTURBED = 4000 };
enum { RWX = PT_R | PT_W | PT_X };

/* The use of a frame. */
enum use {
    NOBODY, /* free, as far as the machine can see */
    WRITTEN, /* whole, by the host: to become a page or a table */
    PAGE, /* a leaf maps it */
    UNMAPPED, /* a page, until its shootdown */
    HIDDEN, /* a page without rights, and so without a leaf: only libvellum's lists have it */
    GONE, /* a page after its shootdown */
    TABLE, /* a pointer leads to it */
    TABLE_GONE, /* a table, until a shootdown */
};

typedef struct frame {
    enum use use;
    uint32_t look; /* number of the last look that found it */
    uint64_t asid, va;
    uint8_t flags; /* of its leaf */
    bool stored; /* since it was written */
    bool read; /* since its shootdown */
} frame;

/* The page that came into a frame last, and its number among all that came. Kept from one run to the next, as frames are not. */
typedef struct arrival {
    uint64_t asid, va, n;
} arrival;

/* A page that a kernel has had in this run. */
typedef struct last {
    uint64_t asid, va, hash;
} last;

typedef struct translation {
    bool valid;
    uint64_t asid, va, pa;
    uint8_t flags;
} translation;

typedef struct late_store {
    uint64_t asid, va, pa;
    uint32_t value;
} late_store;

extern struct board {
    rng r;
    board_rights rights;
    void *user;
    vl_device *d;
    uint64_t limit; /* of pages in frames; 0: none */
    bool demand, disturbed, fifo;
    arrival *arrivals; /* by frame */
    uint64_t n_arrivals;
    vl_store store;
    uint64_t root[CORES], asid[CORES];
    uint64_t space_root[SPACES], space_asid[SPACES];
    unsigned n_spaces;
    frame *frames;
    uint64_t n_frames;
    uint64_t *held; /* frames that may be in another state than NOBODY */
    uint64_t n_held;
    uint32_t look;
    uint64_t leaves;
    last *lasts;
    uint64_t n_lasts, room_lasts;
    translation kept[ENTRIES];
    late_store late[LATE];
    unsigned n_late;
    bool running, asking;
    uint64_t share; /* D8: of each of the kernels that run at once; 0: there are none */
    uint64_t at_work[CORES]; /* ASIDs of these kernels, one a core */
    uint64_t asked_asid, asked_va; /* the page of the fault that the host is about to answer */
    vl_access asked;
    bool has_home;
    uint64_t home; /* hash of the bytes that the host sees there */
    const vl_backend_launch *launch;
    vl_error *err;
    uint64_t until; /* the next interrupt */
    uint64_t *shown, n_shown, most_shown; /* host addresses that show frames */
    vl_counter counters[1];
    board_seen saw;
} b;

#define WRONG(...) fail_msg("scoreboard of the pager: " __VA_ARGS__)
typedef unsigned long long ull;

/* ---- board_state.c ---- */

uint64_t below(uint64_t n);
uint8_t *memory(uint64_t pa);
frame *frame_of(uint64_t pa);
uint64_t hash(const void *page);
uint64_t hash_of(uint64_t pa);
/* The contents that a page went with; NULL: it has not gone in this run. */
last *last_of(uint64_t asid, uint64_t va);

/* ---- board_look.c ---- */

void look(void);
/* After the host's answer: the frames of pages that went, or came. */
void nothing_is_left_over(void);

/* ---- board_translate.c ---- */

uint64_t root_of(uint64_t asid);
/* Nothing that the machine keeps says more than the tables. */
void nothing_is_stale(const char *when);
/* Calls the host for a page fault, or (NULL) an interrupt, and checks its changes. */
int ask(const vl_page_fault *f, uint64_t asid);
/* A translation of its own, or that of the tables. Then the host is asked (*asked): its refusal, or an error, is returned. */
int translate(unsigned core, unsigned warp, uint64_t va, vl_access access, uint64_t *pa, bool *asked, vl_fault *fault);

/* ---- board_stores.c ---- */

/* One of the stores that have not been performed. */
void perform(unsigned i);
uint32_t load(unsigned core, uint64_t va, uint64_t pa);
void store(unsigned core, uint64_t va, uint64_t pa, uint32_t value);

/* ---- board_kernel.c ---- */

int load_words(unsigned core, uint64_t va, uint32_t *to, unsigned n, vl_fault *fault);
/* A warp's part of the kernel `probe`: threads `first` to first + n - 1. */
int warp_of(unsigned core, unsigned warp, uint64_t list, unsigned first, unsigned n, vl_fault *fault);
/* An access that the kernel may not make. */
int pry(unsigned core, uint64_t near);

/* ---- board_run.c ---- */

int run_jobs(void *self, vl_backend_job *jobs, uint32_t n, vl_error *err);
int run(void *self, const vl_backend_launch *l, vl_fault *fault, vl_error *err);

/* ---- board_host.c ---- */

int host_write(void *self, uint64_t addr, const void *data, uint64_t bytes, vl_error *err);
int host_read(void *self, uint64_t addr, void *data, uint64_t bytes, vl_error *err);
int host_fill(void *self, uint64_t addr, uint8_t byte, uint64_t bytes, vl_error *err);
int host_invalidate(void *self, vl_scope scope, uint16_t asid, uint64_t va, vl_error *err);

/* ---- board_evicted.c ---- */

/* D8, and D5 with evict=fifo: who goes may go, and came before all others that may. When none may, all may. */
void first_out(const frame *f);

#endif
