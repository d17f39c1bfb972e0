#include "sw/runtime/store.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/falloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sw/runtime/internal.h"

#define FIRST_ADDRESS (1ull << 45) /* above programs, heaps and the shadow of sanitizers; libraries and stacks are close to 2^47 */

int vl_memory_file(const char *name, uint64_t bytes, vl_error *err)
{
    int fd = memfd_create(name, MFD_CLOEXEC);
    if (fd >= 0 && ftruncate(fd, (off_t)bytes)) {
        int why = errno;
        close(fd);
        fd = -1;
        errno = why;
    }
    if (fd < 0)
        vl_fail(err, VL_ENOMEM, "no shared memory of %llu bytes: %s", (unsigned long long)bytes, strerror(errno));
    return fd;
}

uint8_t *vl_memory_view(int fd, uint64_t offset, uint64_t bytes, vl_error *err)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, (off_t)offset);
    if (p != MAP_FAILED)
        return p;
    vl_fail(err, VL_ENOMEM, "no addresses for %llu bytes of shared memory: %s", (unsigned long long)bytes,
            strerror(errno));
    return NULL;
}

uint8_t *vl_addresses(uint64_t bytes, vl_error *err)
{
    for (uint64_t at = FIRST_ADDRESS; at + bytes <= 1ull << 47; at += bytes) {
        void *p = mmap((void *)(uintptr_t)at, bytes, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0); /* NOLINT */
        if (p == (void *)(uintptr_t)at)
            return p; /* NOLINT */
        if (p != MAP_FAILED)
            munmap(p, bytes); /* this kernel takes the address as a hint only */
        else if (errno != EEXIST)
            break;
    }
    vl_fail(err, VL_ENOMEM, "this process has no %llu bytes of addresses left: %s", (unsigned long long)bytes,
            strerror(errno));
    return NULL;
}

int vl_show(uint8_t *at, uint64_t bytes, int fd, uint64_t offset, vl_error *err)
{
    for (int tries = 0;; tries++) {
        void *p =
            fd < 0 ? mmap(at, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0)
                   : mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, fd, (off_t)offset);
        if (p != MAP_FAILED)
            return 0;
        /* The limit of mappings is reached, even for one that replaces others: unmap those first. */
        if (errno != ENOMEM || tries || munmap(at, bytes))
            break;
    }
    if (errno == ENOMEM)
        return vl_fail(
            err, VL_ENOMEM,
            "the host cannot map pages at %p: this process may have no more separate mappings (vm.max_map_count)",
            (void *)at);
    return vl_fail(err, VL_ENOMEM, "the host cannot map pages at %p: %s", (void *)at, strerror(errno));
}

uint64_t vl_most_mappings(void)
{
    unsigned long most = 65530;
    FILE *f = fopen("/proc/sys/vm/max_map_count", "r");
    if (f && fscanf(f, "%lu", &most) != 1)
        most = 65530;
    if (f)
        fclose(f);
    return most - most / 4; /* the rest is left to the program */
}

void vl_punch(int fd, uint64_t offset, uint64_t bytes)
{
    (void)fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)bytes);
}

/* The system refuses an address where a program's own load or store would end it. */
static int by_way_of(int file, const void *from, void *to, uint64_t bytes)
{
    for (uint64_t at = 0, n; at < bytes; at += n) {
        n = bytes - at < VL_PAGE ? bytes - at : VL_PAGE;
        if (pwrite(file, (const char *)from + at, n, 0) != (ssize_t)n
            || pread(file, (char *)to + at, n, 0) != (ssize_t)n)
            return VL_EACCESS;
    }
    return 0;
}

int vl_host_get(int file, void *to, uint64_t from, uint64_t bytes)
{
    return by_way_of(file, (const void *)(uintptr_t)from, to, bytes); /* NOLINT */
}

int vl_host_put(int file, uint64_t to, const void *from, uint64_t bytes)
{
    return by_way_of(file, from, (void *)(uintptr_t)to, bytes); /* NOLINT */
}

int vl_host_rights(uint64_t at, uint64_t bytes, unsigned *rights)
{
    FILE *f = fopen("/proc/self/maps", "re");
    uint64_t from, end, next = at;
    char may[8], line[512];
    *rights = VL_READ | VL_WRITE;
    while (f && next < at + bytes && fgets(line, sizeof line, f)) { /* by address */
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s", &from, &end, may) != 3 || end <= next)
            continue;
        if (from > next || may[0] != 'r')
            break;
        if (may[1] != 'w')
            *rights &= ~(unsigned)VL_WRITE;
        next = end;
        while (!strchr(line, '\n') && fgets(line, sizeof line, f)) {
        }
    }
    if (f)
        fclose(f);
    return next < at + bytes ? VL_EACCESS : 0;
}
