/* Address spaces: ranges, rights, and what both sides see of them. Numbers in comments are those of docs/host-memory.md. */
#include "sw/runtime/space.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define REGION_LEAST (1ull << 36) /* A1 */
#define ASIDS 65536u
#define ALL_RIGHTS (VL_READ | VL_WRITE | VL_EXECUTE)

/* ---- physical memory (S3, P2) ---- */

int vl_physical_write(vl_device *d, uint64_t addr, const void *from, uint64_t bytes) {
  if (d->memory.running) return d->ops->write(d->self, addr, from, bytes, &d->error);
  memcpy(d->memory.store.bytes + (addr - d->memory.store.base), from, bytes);
  return 0;
}

int vl_physical_read(vl_device *d, uint64_t addr, void *to, uint64_t bytes) {
  if (d->memory.running) return d->ops->read(d->self, addr, to, bytes, &d->error);
  memcpy(to, d->memory.store.bytes + (addr - d->memory.store.base), bytes);
  return 0;
}

/* ---- what page tables live in (P3) ---- */

static int take_table(void *space, uint64_t *ppn) {
  vl_device *d = ((vl_space *)space)->dev;
  uint64_t addr;
  if (!vl_frames_take(&d->memory.frames, 0, &addr, NULL)) return vl_fail(&d->error, VL_EDEVMEM, "no frame is left for a page table");
  *ppn = addr / VL_PAGE;
  return 0;
}

static void give_table(void *space, uint64_t ppn) {
  vl_space *s = space;
  if (s->dev->memory.running) { /* a walker may be reading it: at the next shootdown */
    if (s->n_retired == s->room_retired) {
      size_t room = s->room_retired ? 2 * s->room_retired : 16;
      uint64_t *p = realloc(s->retired, room * sizeof *p);
      if (!p) return; /* the frame is lost, which harms nobody */
      s->retired = p;
      s->room_retired = room;
    }
    s->retired[s->n_retired++] = ppn;
    return;
  }
  s->dev->memory.stale = true; /* the next kernel begins with a shootdown; and so nothing of the space is left when its ASID is another's */
  vl_frames_give(&s->dev->memory.frames, ppn * VL_PAGE);
}

static int write_ptes(void *space, uint64_t addr, const uint64_t *pte, unsigned n) { return vl_physical_write(((vl_space *)space)->dev, addr, pte, 8ull * n); }

static void free_retired(vl_space *s) {
  while (s->n_retired) vl_frames_give(&s->dev->memory.frames, s->retired[--s->n_retired] * VL_PAGE);
}

static int invalidate(vl_device *d, vl_scope scope, uint16_t asid, uint64_t va) {
  d->memory.stale |= !d->memory.running; /* the next kernel begins with one of everything */
  if (!d->memory.running) return 0;
  d->memory.pager.counts.shootdowns++;
  return d->ops->invalidate(d->self, scope, asid, va, &d->error);
}

int vl_shootdown(vl_space *s, uint64_t va, uint64_t bytes) {
  int e = invalidate(s->dev, bytes == VL_PAGE ? VL_INV_PAGE : VL_INV_ASID, s->asid, va);
  if (!e) free_retired(s);
  return e;
}

int vl_shootdown_all(vl_device *d) {
  int e = invalidate(d, VL_INV_ALL, 0, 0);
  for (vl_space *s = d->memory.spaces; s && !e; s = s->next) free_retired(s);
  return e;
}

/* ---- areas ---- */

/* The first area that ends beyond va. */
static size_t area_from(const vl_space *s, uint64_t va) {
  size_t lo = 0, hi = s->n;
  while (lo < hi) {
    size_t mid = (lo + hi) / 2;
    if (s->areas[mid].va + s->areas[mid].bytes <= va) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

static vl_area *area_of(const vl_space *s, uint64_t va) {
  size_t i = area_from(s, va);
  return i < s->n && s->areas[i].va <= va ? &s->areas[i] : NULL;
}

vl_page *vl_space_page(vl_space *s, uint64_t va, const vl_area **area) {
  vl_area *a = area_of(s, va);
  if (area) *area = a;
  return a ? &a->pages[(va - a->va) / VL_PAGE] : NULL;
}

static int add_area(vl_space *s, uint64_t va, uint64_t bytes, bool host) {
  if (s->n == s->room) {
    size_t room = s->room ? 2 * s->room : 16;
    vl_area *p = realloc(s->areas, room * sizeof *p);
    if (!p) return VL_ENOMEM;
    s->areas = p;
    s->room = room;
  }
  vl_page *pages = calloc(bytes / VL_PAGE, sizeof *pages);
  if (!pages) return VL_ENOMEM;
  for (uint64_t i = 0; i < bytes / VL_PAGE; i++) pages[i].slot = VL_NO_SLOT;
  size_t i = area_from(s, va);
  memmove(s->areas + i + 1, s->areas + i, (s->n - i) * sizeof *s->areas);
  s->areas[i] = (vl_area){.va = va, .bytes = bytes, .host = host, .pages = pages};
  s->n++;
  return 0;
}

static void drop_area(vl_space *s, vl_area *a) {
  free(a->pages);
  memmove(a, a + 1, (size_t)(s->areas + s->n - (a + 1)) * sizeof *a);
  s->n--;
}

/* ---- what the host sees (A2, A4, D6) ---- */

static bool demand(const vl_space *s) { return s->dev->memory.options.mode == VL_DEMAND; }

static uint64_t home_offset(const vl_space *s, uint64_t va) {
  uint64_t region = (uint64_t)(uintptr_t)s->region;
  return va - region < s->region_bytes ? va - region : s->region_bytes + (va - VL_IMAGE_BASE);
}

uint8_t *vl_space_home(vl_space *s, uint64_t va) { return s->home + home_offset(s, va); }

static uint8_t *here(const vl_space *s, uint64_t va) { return s->region + (va - (uint64_t)(uintptr_t)s->region); }

int vl_space_show(vl_space *s, uint64_t va, const vl_page *p) {
  if (va - (uint64_t)(uintptr_t)s->region >= s->region_bytes) return 0;
  return p->frame ? vl_show(here(s, va), VL_PAGE, s->dev->memory.fd, p->frame, &s->dev->error) : vl_show(here(s, va), VL_PAGE, s->home_fd, home_offset(s, va), &s->dev->error);
}

/* How many of n pages one mapping of the host's shows. */
static uint64_t run_of(const vl_page *p, uint64_t n) {
  uint64_t k = 1;
  while (k < n && p[k].mapped == p->mapped && (p->frame ? p[k].frame == p->frame + k * VL_PAGE : !p[k].frame)) k++;
  return k;
}

/* Refuses a buffer of too many mappings before they are made: the process needs some for itself (A6). */
static int count_mappings(vl_space *s, vl_area *a) {
  vl_memory_state *m = &s->dev->memory;
  uint64_t n = a->bytes / VL_PAGE, count = 0;
  for (uint64_t i = 0; a->host && !demand(s) && i < n; i += run_of(&a->pages[i], n - i)) count++;
  m->mappings += count - a->mappings;
  a->mappings = count;
  if (m->mappings <= m->most_mappings) return 0;
  return vl_fail(&s->dev->error, VL_ENOMEM, "the host cannot show %llu separate pieces of memory, its process may have no more mappings (vm.max_map_count)", (unsigned long long)m->mappings);
}

/* What vl_space_show does, for all pages of a range; adjacent frames, and what is at home, in one mapping each. */
static int show(vl_space *s, const vl_area *a, uint64_t va, uint64_t bytes) {
  if (!a->host) return 0;
  const vl_page *p = &a->pages[(va - a->va) / VL_PAGE];
  int e = 0;
  for (uint64_t i = 0, n; i < bytes / VL_PAGE && !e; i += n) {
    n = run_of(&p[i], bytes / VL_PAGE - i);
    uint8_t *at = here(s, va + i * VL_PAGE);
    if (!p[i].mapped) e = vl_show(at, n * VL_PAGE, -1, 0, &s->dev->error);
    else if (p[i].frame) e = vl_show(at, n * VL_PAGE, s->dev->memory.fd, p[i].frame, &s->dev->error);
    else e = vl_show(at, n * VL_PAGE, s->home_fd, home_offset(s, va + i * VL_PAGE), &s->dev->error);
  }
  return e;
}

/* ---- mapping ---- */

/* Frames for pages that have none, in leaves of up to 512^most pages (F2). */
static int back(vl_space *s, vl_area *a, uint64_t va, uint64_t bytes, unsigned most) {
  vl_device *d = s->dev;
  vl_page *p = &a->pages[(va - a->va) / VL_PAGE];
  for (uint64_t i = 0, n; i < bytes / VL_PAGE; i += n) {
    uint64_t frame = 0;
    bool zero = false;
    unsigned level = most;
    for (;; level--) {
      n = 1ull << 9 * level;
      if ((va + i * VL_PAGE) % (n * VL_PAGE) == 0 && n <= bytes / VL_PAGE - i && vl_frames_take(&d->memory.frames, level, &frame, &zero)) break;
      if (level == 0) return vl_fail(&d->error, VL_EDEVMEM, "no frame is left");
    }
    if (!zero) memset(d->memory.store.bytes + (frame - d->memory.store.base), 0, n * VL_PAGE);
    for (uint64_t k = 0; k < n; k++) p[i + k].frame = frame + k * VL_PAGE, p[i + k].level = (uint8_t)level;
  }
  return 0;
}

/* PTEs of pages in frames, all with the same rights: a call for each run of leaves that go on in memory. */
static int enter(vl_space *s, const vl_area *a, uint64_t va, uint64_t bytes) {
  const vl_page *p = &a->pages[(va - a->va) / VL_PAGE];
  int e = 0;
  for (uint64_t i = 0, n; i < bytes / VL_PAGE && !e; i += n) {
    for (n = 1; i + n < bytes / VL_PAGE && p[i + n].frame == p[i].frame + n * VL_PAGE && p[i + n].level == p[i].level; n++) {}
    if (p[i].frame && p[i].rights)
      e = page_table_map(s->table, va + i * VL_PAGE, n * VL_PAGE, p[i].frame, p[i].level, vl_page_flags(p[i].rights) | PT_A | PT_D);
  }
  return e;
}

static int unmap(vl_space *s, vl_area *a, uint64_t va, uint64_t bytes) {
  vl_device *d = s->dev;
  vl_page *p = &a->pages[(va - a->va) / VL_PAGE];
  int e = page_table_unmap(s->table, va, bytes);
  if (e) return e;
  e = vl_shootdown(s, va, bytes);
  for (uint64_t i = 0; i < bytes / VL_PAGE; i++) {
    vl_pager_forget(&d->memory.pager, &p[i]);
    if (p[i].frame) vl_frames_give(&d->memory.frames, p[i].frame);
    p[i] = (vl_page){.slot = VL_NO_SLOT};
  }
  if (demand(s)) vl_punch(s->home_fd, home_offset(s, va), bytes);
  (void)count_mappings(s, a); /* fewer */
  int f = show(s, a, va, bytes);
  return e ? e : f;
}

/* `most`: level of the largest leaves. */
static int map(vl_space *s, vl_area *a, uint64_t va, uint64_t bytes, unsigned most, unsigned rights) {
  vl_page *p = &a->pages[(va - a->va) / VL_PAGE];
  int e = demand(s) ? 0 : back(s, a, va, bytes, most);
  for (uint64_t i = 0; i < bytes / VL_PAGE; i++) p[i].mapped = true, p[i].rights = (uint8_t)rights;
  if (!e) e = count_mappings(s, a);
  if (!e && !demand(s)) e = enter(s, a, va, bytes);
  if (!e) e = show(s, a, va, bytes);
  if (!e) return 0;
  vl_error why = s->dev->error;
  (void)unmap(s, a, va, bytes);
  s->dev->error = why;
  return e;
}

/* The area of a range of whole pages that lies in one. */
static int pages_of(vl_space *s, uint64_t va, uint64_t bytes, uint64_t page, vl_area **a) {
  vl_error *err = &s->dev->error;
  if (va % page || bytes % page || !bytes)
    return vl_fail(err, VL_EINVAL, "%#llx + %#llx: not whole pages of %llu bytes", (unsigned long long)va, (unsigned long long)bytes, (unsigned long long)page);
  *a = area_of(s, va);
  if (!*a || !(*a)->host || bytes > (*a)->va + (*a)->bytes - va)
    return vl_fail(err, VL_EACCESS, "%#llx + %#llx is not part of one buffer", (unsigned long long)va, (unsigned long long)bytes);
  return 0;
}

static int level_of(uint64_t page_bytes) { return page_bytes == 4096 ? 0 : page_bytes == 1ull << 21 ? 1 : page_bytes == 1ull << 30 ? 2 : -1; }

static int space_of(vl_device *d, vl_space **s) {
  if (!d) return VL_EINVAL;
  d->error.text[0] = 0;
  *s = d->space;
  return *s ? 0 : vl_fail(&d->error, VL_ENOTSUP, "the device's memory is bare: it has no pages");
}

int vl_map(vl_device *d, vl_ptr p, uint64_t bytes, uint64_t page_bytes, unsigned rights) {
  vl_space *s;
  vl_area *a;
  int e = space_of(d, &s), level = level_of(page_bytes ? page_bytes : VL_PAGE);
  if (e) return e;
  if (level < 0) return vl_fail(&d->error, VL_EINVAL, "pages of %llu bytes: there are 4 KB, 2 MB, 1 GB", (unsigned long long)page_bytes);
  if (level && demand(s)) return vl_fail(&d->error, VL_ENOTSUP, "demand paging is by pages of 4 KB");
  if (rights & ~ALL_RIGHTS) return vl_fail(&d->error, VL_EINVAL, "rights %#x", rights);
  if ((e = pages_of(s, p, bytes, pt_page_bytes((unsigned)level), &a))) return e;
  for (uint64_t i = 0; i < bytes; i += VL_PAGE)
    if (a->pages[(p + i - a->va) / VL_PAGE].mapped) return vl_fail(&d->error, VL_EINVAL, "%#llx is mapped already", (unsigned long long)(p + i));
  return vl_said(d, map(s, a, p, bytes, (unsigned)level, rights));
}

int vl_unmap(vl_device *d, vl_ptr p, uint64_t bytes) {
  vl_space *s;
  vl_area *a;
  int e = space_of(d, &s);
  if (e || (e = pages_of(s, p, bytes, VL_PAGE, &a))) return e;
  return vl_said(d, unmap(s, a, p, bytes));
}

int vl_protect(vl_device *d, vl_ptr p, uint64_t bytes, unsigned rights) {
  vl_space *s;
  vl_area *a;
  int e = space_of(d, &s);
  if (e) return e;
  if (rights & ~ALL_RIGHTS) return vl_fail(&d->error, VL_EINVAL, "rights %#x", rights);
  if ((e = pages_of(s, p, bytes, VL_PAGE, &a))) return e;
  vl_page *page = &a->pages[(p - a->va) / VL_PAGE];
  for (uint64_t i = 0; i < bytes / VL_PAGE; i++)
    if (!page[i].mapped) return vl_fail(&d->error, VL_EACCESS, "%#llx is not mapped", (unsigned long long)(p + i * VL_PAGE));
  for (uint64_t i = 0, n; i < bytes / VL_PAGE && !e; i += n) {
    uint64_t va = p + i * VL_PAGE, pte = 0;
    unsigned level = 0;
    bool there = page_table_walk(s->table, va, &pte, &level);
    n = there && va % pt_page_bytes(level) == 0 && bytes / VL_PAGE - i >= 1ull << 9 * level ? 1ull << 9 * level : 1; /* a larger leaf that is not cut stays one */
    for (uint64_t k = i; k < i + n; k++) page[k].rights = (uint8_t)rights;
    if (!page[i].frame) continue;
    if (!rights) e = page_table_unmap(s->table, va, n * VL_PAGE);
    else if (there) e = page_table_protect(s->table, va, n * VL_PAGE, vl_page_flags(rights) | (pte & (PT_A | PT_D)));
    else e = page_table_map(s->table, va, VL_PAGE, page[i].frame, 0, vl_page_flags(rights) | PT_A | PT_D);
  }
  int f = vl_shootdown(s, p, bytes);
  return vl_said(d, e ? e : f);
}

int vl_reserve(vl_device *d, uint64_t bytes, uint64_t page_bytes, vl_ptr *out) {
  vl_space *s;
  int e = space_of(d, &s);
  if (e) return e;
  if (!page_bytes) page_bytes = VL_PAGE;
  if (!out || !bytes || level_of(page_bytes) < 0) return vl_fail(&d->error, VL_EINVAL, "%s", !out ? "null argument" : !bytes ? "a buffer of 0 bytes" : "there are pages of 4 KB, 2 MB, 1 GB");
  *out = 0;
  uint64_t va;
  if (bytes > s->region_bytes || vl_heap_take_aligned(&s->heap, vl_align(bytes, page_bytes), page_bytes, &va))
    return vl_fail(&d->error, VL_EDEVMEM, "no room for a buffer of %llu bytes", (unsigned long long)bytes);
  if ((e = add_area(s, va, vl_align(bytes, page_bytes), true))) {
    vl_heap_give(&s->heap, va);
    return vl_fail(&d->error, e, "out of memory");
  }
  *out = va;
  return 0;
}

int vl_space_malloc(vl_space *s, uint64_t bytes, uint64_t *va) {
  vl_device *d = s->dev;
  uint64_t page = VL_PAGE;
  unsigned level = 0;
  for (; page * 512 <= bytes && page * 512 <= d->memory.options.page_bytes; level++) page *= 512;
  int e = vl_reserve(d, bytes, page, va);
  if (e) return e;
  vl_area *a = area_of(s, *va);
  if (!(e = map(s, a, a->va, a->bytes, level, VL_READ | VL_WRITE))) return 0;
  if (e == VL_EDEVMEM) vl_fail(&d->error, e, "no room for a buffer of %llu bytes", (unsigned long long)bytes);
  vl_heap_give(&s->heap, *va);
  drop_area(s, a);
  *va = 0;
  return vl_said(d, e);
}

int vl_space_release(vl_space *s, uint64_t va) {
  vl_area *a = area_of(s, va);
  if (!a || a->va != va || !a->host) return VL_EINVAL;
  int e = unmap(s, a, a->va, a->bytes);
  if (e) return e;
  vl_heap_give(&s->heap, va);
  drop_area(s, a);
  return 0;
}

/* ---- the image (A3) ---- */

void vl_space_drop_image(vl_space *s) {
  for (size_t i = 0; i < s->n;)
    if (s->areas[i].host) i++;
    else {
      (void)unmap(s, &s->areas[i], s->areas[i].va, s->areas[i].bytes);
      drop_area(s, &s->areas[i]);
    }
}

int vl_space_image(vl_space *s, uint64_t va, uint64_t bytes, unsigned rights) {
  uint64_t low = va & ~(VL_PAGE - 1), high = vl_align(va + bytes, VL_PAGE);
  for (vl_page *p; low < high && (p = vl_space_page(s, low, NULL)); low += VL_PAGE) { /* a page that the segment before has begun */
    p->rights |= (uint8_t)rights;
    if (p->frame) {
      int e = page_table_protect(s->table, low, VL_PAGE, vl_page_flags(p->rights) | PT_A | PT_D);
      if (e) return e;
    }
  }
  if (low == high) return 0;
  int e = add_area(s, low, high - low, false);
  if (e) return vl_fail(&s->dev->error, e, "out of memory");
  vl_area *a = area_of(s, low);
  if ((e = map(s, a, low, high - low, 0, rights))) drop_area(s, a);
  return e;
}

int vl_space_copy(vl_space *s, uint64_t va, uint64_t bytes, const uint8_t *from, uint8_t *to, uint8_t byte) {
  vl_memory_state *m = &s->dev->memory;
  for (uint64_t at = va, left = bytes; left;) { /* all or nothing */
    const vl_page *p = vl_space_page(s, at, NULL);
    if (!p || !p->mapped)
      return vl_fail(&s->dev->error, VL_EACCESS, "%#llx + %#llx is outside of device memory", (unsigned long long)va, (unsigned long long)bytes);
    uint64_t n = VL_PAGE - at % VL_PAGE;
    n = n < left ? n : left;
    at += n, left -= n;
  }
  while (bytes) {
    vl_page *p = vl_space_page(s, va, NULL);
    uint64_t n = VL_PAGE - va % VL_PAGE;
    n = n < bytes ? n : bytes;
    uint8_t *at = p->frame ? m->store.bytes + (p->frame - m->store.base) + va % VL_PAGE : vl_space_home(s, va);
    if (to) memcpy(to, at, n), to += n;
    else if (from) memcpy(at, from, n), from += n;
    else memset(at, byte, n);
    va += n, bytes -= n;
  }
  return 0;
}

/* ---- spaces of a device (A5) ---- */

int vl_space_new(vl_device *d, vl_space **out) {
  if (!d || !out) return VL_EINVAL;
  vl_memory_state *m = &d->memory;
  *out = NULL;
  d->error.text[0] = 0;
  if (m->options.mode == VL_BARE) return vl_fail(&d->error, VL_ENOTSUP, "the device's memory is bare: it has no address spaces");
  vl_space *s = calloc(1, sizeof *s);
  if (!s) return vl_fail(&d->error, VL_ENOMEM, "out of memory");
  s->dev = d;
  s->home_fd = -1;
  int e = 0;
  uint32_t asid = 1;
  while (asid < ASIDS && m->asids[asid / 64] >> asid % 64 & 1) asid++;
  if (asid == ASIDS) e = vl_fail(&d->error, VL_EDEVMEM, "all 65535 address spaces are in use");
  s->region_bytes = REGION_LEAST;
  while (s->region_bytes / 4 < m->store.limit - m->store.base) s->region_bytes *= 2;
  if (!e && !(s->region = vl_addresses(s->region_bytes, &d->error))) e = VL_ENOMEM;
  uint64_t home = s->region_bytes + (VL_IMAGE_END - VL_IMAGE_BASE);
  if (!e && demand(s) && ((s->home_fd = vl_memory_file("vellum-home", home, &d->error)) < 0 || !(s->home = vl_memory_view(s->home_fd, 0, home, &d->error)))) e = VL_ENOMEM;
  if (!e && (e = page_table_new(&s->table, &(pt_memory){s, take_table, give_table, write_ptes}))) vl_said(d, e);
  if (e) {
    if (s->home) munmap(s->home, home);
    if (s->home_fd >= 0) close(s->home_fd);
    if (s->region) munmap(s->region, s->region_bytes);
    free(s);
    return e;
  }
  vl_heap_init(&s->heap, (uint64_t)(uintptr_t)s->region, (uint64_t)(uintptr_t)s->region + s->region_bytes);
  s->asid = (uint16_t)asid;
  m->asids[asid / 64] |= 1ull << asid % 64;
  s->next = m->spaces;
  m->spaces = s;
  *out = s;
  return 0;
}

static void free_space(vl_space *s) {
  vl_memory_state *m = &s->dev->memory;
  while (s->n) {
    vl_area *a = &s->areas[s->n - 1];
    (void)unmap(s, a, a->va, a->bytes);
    drop_area(s, a);
  }
  page_table_free(s->table);
  m->asids[s->asid / 64] &= ~(1ull << s->asid % 64);
  vl_space **at = &m->spaces;
  while (*at != s) at = &(*at)->next;
  *at = s->next;
  vl_heap_done(&s->heap);
  munmap(s->region, s->region_bytes);
  if (s->home) munmap(s->home, s->region_bytes + (VL_IMAGE_END - VL_IMAGE_BASE));
  if (s->home_fd >= 0) close(s->home_fd);
  free(s->areas);
  free(s->retired);
  free(s);
}

int vl_space_free(vl_device *d, vl_space *s) {
  if (!d) return VL_EINVAL;
  d->error.text[0] = 0;
  if (!s) return 0;
  if (s->dev != d || s == d->memory.own || s == d->space) return vl_fail(&d->error, VL_EINVAL, "the address space is %s", s->dev != d ? "of another device" : "in use");
  free_space(s);
  return 0;
}

int vl_use_space(vl_device *d, vl_space *s) {
  if (!d) return VL_EINVAL;
  d->error.text[0] = 0;
  if (!d->space) return vl_fail(&d->error, VL_ENOTSUP, "the device's memory is bare: it has no address spaces");
  if (!s) s = d->memory.own;
  if (s->dev != d) return vl_fail(&d->error, VL_EINVAL, "the address space is of another device");
  d->space->kept = (vl_kept){d->image, d->block, d->stack, d->block_bytes, d->stack_bytes};
  d->space = s;
  d->image = s->kept.image;
  d->block = s->kept.block, d->block_bytes = s->kept.block_bytes;
  d->stack = s->kept.stack, d->stack_bytes = s->kept.stack_bytes;
  d->table_shared = false; /* the reconvergence table is the device's, whose image it was made for may be another */
  d->table_kernel = NULL;
  return 0;
}

void *vl_host(vl_device *d, vl_ptr p) {
  if (!d) return NULL;
  if (!d->space) return d->memory.options.shared && vl_heap_has(&d->heap, p) ? d->memory.store.bytes + (p - d->memory.store.base) : NULL;
  const vl_area *a;
  const vl_page *page = vl_space_page(d->space, p, &a);
  return page && a->host && page->mapped ? here(d->space, p) : NULL;
}

/* ---- a device's memory ---- */

int vl_memory_open(vl_device *d, const vl_memory *options, vl_error *err) {
  vl_memory_state *m = &d->memory;
  uint64_t base = VL_IMAGE_BASE, bytes = d->limit - base;
  m->fd = -1;
  if (options) m->options = *options;
  bool paged = m->options.mode != VL_BARE;
  if (m->options.shared && (!d->ops->use_store || bytes > VL_STORE_MAX)) return vl_fail(err, VL_ENOTSUP, "this machine does not share its memory");
  if (m->options.page_bytes && level_of(m->options.page_bytes) < 0) return vl_fail(err, VL_EINVAL, "pages of %llu bytes: there are 4 KB, 2 MB, 1 GB", (unsigned long long)m->options.page_bytes);
  if (m->options.mode == VL_DEMAND && m->options.page_bytes > VL_PAGE) return vl_fail(err, VL_ENOTSUP, "demand paging is by pages of 4 KB");
  if (paged && (!d->ops->use_store || !d->ops->set_root || !d->ops->invalidate))
    return vl_fail(err, VL_ENOTSUP, "this machine does not translate addresses: its memory is bare");
  if (paged && bytes > VL_STORE_MAX) return vl_fail(err, VL_EINVAL, "memory limit %#llx: pages need a window of at most 2^40 bytes", (unsigned long long)d->limit);
  if (!d->ops->use_store || bytes > VL_STORE_MAX) return 0;
  m->store = (vl_store){.base = base, .limit = d->limit};
  if ((m->fd = vl_memory_file("vellum-store", d->limit, err)) < 0 || !(m->store.bytes = vl_memory_view(m->fd, base, bytes, err))) return VL_ENOMEM;
  int e = d->ops->use_store(d->self, &m->store, err);
  if (e || !paged) return e;
  m->most_mappings = vl_most_mappings();
  m->asids = calloc(ASIDS / 64, 8);
  e = vl_frames_init(&m->frames, base, d->limit, VL_SPAD_BASE, VL_SPAD_MAX);
  if (e || !m->asids) return vl_fail(err, VL_ENOMEM, "out of memory");
  m->frames.random = m->options.random_frames;
  m->frames.state = m->options.frame_seed;
  if ((e = vl_pager_init(d, err))) return e;
  e = vl_space_new(d, &m->own);
  if (e) return vl_fail(err, e, "%s", d->error.text);
  d->space = m->own;
  return 0;
}

void vl_memory_close(vl_device *d) {
  vl_memory_state *m = &d->memory;
  m->running = false;
  while (m->spaces) free_space(m->spaces);
  vl_pager_done(&m->pager);
  vl_frames_done(&m->frames);
  free(m->asids);
  if (m->store.bytes) munmap(m->store.bytes, m->store.limit - m->store.base);
  if (m->fd >= 0) close(m->fd);
  d->space = NULL;
}

/* The launch of a space, for the machine. */
static void serve_launch(vl_device *d, vl_backend_launch *l) {
  vl_memory_state *m = &d->memory;
  l->shared = true;
  l->page_fault = vl_pager_fault;
  l->memory_user = d;
  if (!m->options.disturb) return;
  l->interrupt = vl_pager_interrupt;
  l->interrupt_every = 100 + (uint32_t)(vl_random(&m->pager.random) % 1000);
}

static int enter_space(vl_device *d, vl_space *s, uint64_t cores) {
  vl_root root = {.sv48 = true, .asid = s->asid, .ppn = page_table_root(s->table)};
  int e = 0;
  for (uint32_t c = 0; c < d->env.cores && !e; c++)
    if (cores >> c & 1) {
      d->memory.on_core[c] = s;
      e = d->ops->set_root(d->self, c, &root, &d->error);
    }
  return e;
}

static int begin(vl_device *d) {
  vl_memory_state *m = &d->memory;
  int e = m->stale ? d->ops->invalidate(d->self, VL_INV_ALL, 0, 0, &d->error) : 0;
  if (e) return e;
  m->stale = false;
  m->pager.counts = (vl_pager_counts){0};
  vl_pager_host_wrote(d);
  m->running = true;
  return 0;
}

int vl_memory_begin(vl_device *d, vl_backend_launch *l) {
  l->shared = d->memory.options.shared;
  if (!d->space) return 0;
  int e = enter_space(d, d->space, ~0ull);
  if (!e && !(e = begin(d))) serve_launch(d, l);
  return e;
}

int vl_memory_begin_jobs(vl_device *d, vl_job *jobs, vl_backend_job *b, vl_backend_launch *l, uint32_t n) {
  int e = 0;
  for (uint32_t k = 0; k < n && !e; k++) e = enter_space(d, jobs[k].space ? jobs[k].space : d->memory.own, b[k].cores);
  if (!e) e = begin(d);
  for (uint32_t k = 0; k < n && !e; k++) serve_launch(d, &l[k]);
  return e;
}

void vl_memory_end(vl_device *d) {
  d->memory.running = false;
  for (vl_space *s = d->memory.spaces; s; s = s->next) { /* no walker is left */
    d->memory.stale |= s->n_retired != 0;
    free_retired(s);
  }
}

/* ---- options in words ---- */

static bool number(const char *text, uint64_t *v) {
  size_t n = strlen(text);
  *v = 0;
  for (size_t i = 0; i < n; i++)
    if (text[i] < '0' || text[i] > '9' || __builtin_mul_overflow(*v, 10ull, v) || __builtin_add_overflow(*v, (uint64_t)(text[i] - '0'), v)) return false;
  return n > 0;
}

static int take_word(vl_memory *m, const char *word, vl_error *err) {
  const char *value = strchr(word, '=');
  size_t n = value ? (size_t)(value++ - word) : strlen(word);
  if (!strcmp(word, "shared")) {
    m->shared = true;
    return 0;
  }
#define KEY(name) (value && n == strlen(name) && !strncmp(word, name, n))
  if (KEY("page")) {
    m->page_bytes = !strcmp(value, "4k") ? 4096 : !strcmp(value, "2m") ? 1ull << 21 : !strcmp(value, "1g") ? 1ull << 30 : 0;
    return m->page_bytes ? 0 : vl_fail(err, VL_EINVAL, "page=%.40s: there are 4k, 2m, 1g", value);
  }
  if (KEY("order")) {
    m->random_frames = !strncmp(value, "random:", 7);
    if (m->random_frames ? number(value + 7, &m->frame_seed) : !strcmp(value, "linear")) return 0;
    return vl_fail(err, VL_EINVAL, "order=%.40s: linear or random:SEED", value);
  }
  if (KEY("frames")) return number(value, &m->frames) && m->frames ? 0 : vl_fail(err, VL_EINVAL, "frames=%.40s: no number above 0", value);
  if (KEY("evict")) {
    m->fifo = !strcmp(value, "fifo");
    return m->fifo || !strcmp(value, "clock") ? 0 : vl_fail(err, VL_EINVAL, "evict=%.40s: clock or fifo", value);
  }
  if (KEY("disturb")) return (m->disturb = number(value, &m->disturb_seed)) ? 0 : vl_fail(err, VL_EINVAL, "disturb=%.40s: no seed", value);
#undef KEY
  return vl_fail(err, VL_EINVAL, "'%.40s': there are shared, page=, order=, frames=, evict=, disturb=", word);
}

int vl_memory_parse(vl_memory *out, const char *text, vl_error *err) {
  static const char *const modes[] = {"bare", "paged", "demand"};
  static const char *const keys[] = {"shared", "page=", "order=", "frames=", "evict=", "disturb="};
  unsigned seen = 0;
  if (!out || !text) return vl_fail(err, VL_EINVAL, "null argument");
  *out = (vl_memory){0};
  size_t n = strcspn(text, ",");
  unsigned mode = 0;
  while (mode < 3 && (strlen(modes[mode]) != n || strncmp(text, modes[mode], n))) mode++;
  if (mode == 3) return vl_fail(err, VL_EINVAL, "no mode '%.*s' (there are: bare, paged, demand)", (int)(n < 40 ? n : 40), text);
  out->mode = (vl_memory_mode)mode;
  for (text += n; *text;) {
    char word[80];
    n = strcspn(++text, ",");
    if (!n || n >= sizeof word) return vl_fail(err, VL_EINVAL, "'%.40s' is not of the form KEY=VALUE", text);
    memcpy(word, text, n);
    word[n] = 0;
    text += n;
    int e = take_word(out, word, err);
    if (e) return e;
    for (unsigned k = 0; k < sizeof keys / sizeof *keys; k++)
      if (!strncmp(word, keys[k], strlen(keys[k]))) {
        if (seen >> k & 1) return vl_fail(err, VL_EINVAL, "%s is given twice", keys[k]);
        seen |= 1u << k;
      }
  }
  if (out->mode == VL_BARE && seen & ~1u) return vl_fail(err, VL_EINVAL, "bare memory has no pages to say anything about");
  if (out->mode == VL_PAGED && seen & 0x18u) return vl_fail(err, VL_EINVAL, "frames= and evict= are for demand paging");
  if (out->mode != VL_BARE && seen & 1u) return vl_fail(err, VL_EINVAL, "shared is for bare memory: pages always are");
  if (out->mode == VL_DEMAND && seen & 2u) return vl_fail(err, VL_EINVAL, "demand paging is by pages of 4 KB");
  return 0;
}
