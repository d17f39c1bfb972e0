#include "sw/runtime/store.h"

#include <errno.h>
#include <fcntl.h>
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
            munmap(p, bytes); /* a kernel that takes the address as a hint */
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
        /* No mapping more is allowed, even in the place of others: these go first. */
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
    return most - most / 4; /* the rest is the program's */
}

void vl_punch(int fd, uint64_t offset, uint64_t bytes)
{
    (void)fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)bytes);
}
