#include "sw/workloads/wl.h"

#include <errno.h>
#include <glob.h>
#include <math.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sw/workloads/wl_internal.h"

extern char **environ;

/* ---- failure ---- */

bool wl_ok(const wl *w)
{
    return w->why[0] == '\0';
}

bool wl_fail(wl *w, const char *format, ...)
{
    if (wl_ok(w)) {
        va_list list;
        va_start(list, format);
        vsnprintf(w->why, sizeof w->why, format, list);
        va_end(list);
    }
    return false;
}

static void device_failed(wl *w, const char *what, int code)
{
    const char *detail = vl_detail(w->dev);
    wl_fail(w, "%s: %s", what, detail[0] ? detail : vl_strerror(code));
}

static void *must(void *p)
{
    if (!p) {
        fputs("workloads: out of memory\n", stderr);
        exit(1);
    }
    return p;
}

/* ---- the machine ---- */

vl_device *wl_device(wl *w)
{
    return w->dev;
}

uint64_t wl_data(wl *w)
{
    w->data_known = true;
    return w->data;
}

bool wl_vectors(wl *w)
{
    w->vectors_known = true;
    return w->vectors;
}

static uint32_t power_of_two_below(uint32_t n)
{
    uint32_t p = 1;
    while (p * 2 <= n)
        p *= 2;
    return p;
}

uint32_t wl_core_threads(const wl *w)
{
    return (uint32_t)(vl_config_value(w->dev, "warps", 1) * vl_config_value(w->dev, "threads", 1));
}

uint32_t wl_local(const wl *w)
{
    uint32_t warp = (uint32_t)vl_config_value(w->dev, "threads", 1);
    uint32_t half = power_of_two_below(wl_core_threads(w)) / 2;
    if (half < warp)
        half = warp;
    return half < 256 ? half : 256;
}

uint32_t wl_side(const wl *w)
{
    uint32_t side = 1;
    while (side < 16 && side * side * 4 <= wl_core_threads(w))
        side *= 2;
    return side;
}

/* ---- data ---- */

void *wl_host(wl *w, size_t count, size_t size)
{
    void *p = must(calloc(count ? count : 1, size));
    w->host = must(realloc(w->host, (w->n_host + 1) * sizeof *w->host));
    w->host[w->n_host++] = p;
    return p;
}

uint32_t wl_random(wl *w)
{
  /* SplitMix64: every seed, 0 too, gives a full-period sequence. */
    uint64_t z = w->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) >> 32);
}

float *wl_floats(wl *w, size_t count, float low, float high)
{
    float *p = wl_host(w, count, sizeof *p);
    for (size_t i = 0; i < count; i++)
        p[i] = low + (high - low) * (float)(wl_random(w) >> 8) * 0x1p-24f;
    return p;
}

uint32_t *wl_words(wl *w, size_t count, uint32_t below)
{
    uint32_t *p = wl_host(w, count, sizeof *p);
    for (size_t i = 0; i < count; i++)
        p[i] = below ? (uint32_t)((uint64_t)wl_random(w) * below >> 32) : wl_random(w);
    return p;
}

vl_ptr wl_buffer(wl *w, size_t bytes)
{
    vl_ptr p = 0;
    wl_settle(w, 0, 0);
    if (!wl_ok(w))
        return 0;
    int code = vl_malloc(w->dev, bytes ? bytes : 1, &p);
    if (code) {
        device_failed(w, "vl_malloc", code);
        return 0;
    }
    w->bytes += bytes;
    w->device = must(realloc(w->device, (w->n_device + 1) * sizeof *w->device));
    w->device[w->n_device++] = (wl_piece){p, bytes};
    return p;
}

vl_ptr wl_upload(wl *w, const void *data, size_t bytes)
{
    vl_ptr p = wl_buffer(w, bytes);
    wl_write(w, p, data, bytes);
    return p;
}

/* ---- copies ---- */

static void add_total(wl *w, const char *name, uint64_t value);

static uint64_t now(wl *w)
{
    uint64_t cycles = 0;
    int code = vl_now(w->dev, &cycles);
    if (code)
        device_failed(w, "vl_now", code);
    return cycles;
}

/* Before a kernel: the host's data for it is a copy in the device's memory. */
static void end_copy(wl *w)
{
    if (!w->copies || !w->written || !wl_ok(w))
        return;
    uint64_t cycles;
    const int code = copies_settle(w->dev, w->device[0].at, &cycles);
    if (code)
        device_failed(w, "a copy's end", code);
    else
        add_total(w, "copy_to_cycles", cycles);
    w->written = false;
}

void wl_write(wl *w, vl_ptr to, const void *data, size_t bytes)
{
    wl_settle(w, 0, 0);
    if (!wl_ok(w))
        return;
    const uint64_t since = w->copies ? now(w) : 0;
    int code = vl_write(w->dev, to, data, bytes);
    if (code)
        device_failed(w, "vl_write", code);
    if (w->copies)
        add_total(w, "copy_to_cycles", now(w) - since);
    w->written = true;
}

static void copy_all_back(wl *w)
{
    for (size_t i = 0; i < w->n_device && wl_ok(w); i++) {
        void *there = must(malloc(w->device[i].bytes + 1));
        int code = vl_read(w->dev, w->device[i].at, there, w->device[i].bytes);
        if (code)
            device_failed(w, "vl_read", code);
        free(there);
    }
}

void wl_read(wl *w, void *to, vl_ptr from, size_t bytes)
{
    wl_settle(w, from, bytes);
    if (!wl_ok(w))
        return;
    uint64_t since = w->copies ? now(w) : 0;
    if (w->copies == COPY_ALL && !w->copied_back) {
        copy_all_back(w);
        add_total(w, "copy_back_cycles", now(w) - since);
        w->copied_back = true;
    }
    int code = wl_ok(w) ? vl_read(w->dev, from, to, bytes) : 0;
    if (code)
        device_failed(w, "vl_read", code);
    if (w->copies == COPY_RESULTS)
        add_total(w, "copy_back_cycles", now(w) - since);
}

wl_shared wl_share(wl *w, size_t bytes)
{
    wl_shared s = {.device = wl_buffer(w, bytes), .bytes = bytes};
    s.host = vl_host(w->dev, s.device);
    if (!s.host)
        s.host = wl_host(w, bytes, 1);
    return s;
}

void wl_to_device(wl *w, wl_shared s)
{
    if (s.host != vl_host(w->dev, s.device))
        wl_write(w, s.device, s.host, s.bytes);
}

void wl_to_host(wl *w, wl_shared s)
{
    if (s.host != vl_host(w->dev, s.device))
        wl_read(w, s.host, s.device, s.bytes);
}

/* ---- kernels ---- */

static bool newer(const char *a, const struct stat *than)
{
    struct stat s;
    return stat(a, &s) != 0 || s.st_mtim.tv_sec > than->st_mtim.tv_sec
           || (s.st_mtim.tv_sec == than->st_mtim.tv_sec && s.st_mtim.tv_nsec > than->st_mtim.tv_nsec);
}

/* A header of the workloads is newer: kernels include some, also from the folders of others. */
static bool headers_newer(const wl *w, const struct stat *than)
{
    char pattern[1200];
    glob_t found;
    bool some = false;
    snprintf(pattern, sizeof pattern, "%s/../sw/workloads/*/*.h", w->build);
    if (glob(pattern, 0, NULL, &found))
        return false;
    for (size_t i = 0; i < found.gl_pathc; i++)
        some |= newer(found.gl_pathv[i], than);
    globfree(&found);
    return some;
}

/* Compiles unless `elf` is newer than the source, the headers and the compiler; in place only when complete, so that several
 * runs may share the folder. */
static bool compile(wl *w, const char *source, const char *defines, const char *elf)
{
    char tool[1024], part[1400], words[256] = "";
    snprintf(tool, sizeof tool, "%s/vellum", w->build);
    struct stat have;
    if (stat(elf, &have) == 0 && !newer(source, &have) && !newer(tool, &have) && !headers_newer(w, &have))
        return true;

    char dir[1024];
    snprintf(dir, sizeof dir, "%s/workloads.d", w->build);
    if (mkdir(dir, 0777) != 0 && errno != EEXIST)
        return wl_fail(w, "cannot make %s: %s", dir, strerror(errno));
    snprintf(part, sizeof part, "%s.%ld.elf", elf, (long)getpid());
    snprintf(words, sizeof words, "%s", defines ? defines : "");
    char *argv[16] = {tool, "cc", (char *)source, "-o", part};
    int argc = 5;
    for (char *save, *word = strtok_r(words, " ", &save); word && argc < 15; word = strtok_r(NULL, " ", &save))
        argv[argc++] = word;
    pid_t pid;
    int status, error = posix_spawn(&pid, tool, NULL, NULL, argv, environ);
    if (error)
        return wl_fail(w, "cannot run %s: %s", tool, strerror(error));
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return wl_fail(w, "cannot wait for %s: %s", tool, strerror(errno));
    if (status != 0) {
        unlink(part);
        return wl_fail(w, "%s does not compile", source);
    }
    if (rename(part, elf) != 0)
        return wl_fail(w, "cannot write %s: %s", elf, strerror(errno));
    return true;
}

bool wl_compile(wl *w, const char *defines, char *elf, size_t size)
{
    char source[1200], tag[256] = "";
    if (!wl_ok(w))
        return false;
    if (defines)
        snprintf(tag, sizeof tag, "%s", defines);
    for (char *c = tag; *c; c++)
        if (*c == ' ' || *c == '/')
            *c = '_';
    const char *form = w->vectors && w->vectors_known ? "_vectors" : "";
    snprintf(source, sizeof source, "%s/../sw/workloads/%s/%s%s.cl", w->build, w->work->name, w->work->name, form);
    snprintf(elf, size, "%s/workloads.d/%s%s%s.elf", w->build, w->work->name, form, tag);
    return compile(w, source, defines, elf);
}

void wl_load(wl *w, const char *defines)
{
    char elf[1300];
    wl_settle(w, 0, 0);
    if (!wl_compile(w, defines, elf, sizeof elf))
        return;
    vl_error err;
    vl_image *image;
    int code = vl_image_read(&image, elf, &err);
    if (code) {
        wl_fail(w, "%s: %s", elf, err.text[0] ? err.text : vl_strerror(code));
        return;
    }
    if ((code = vl_load(w->dev, image)) != 0) {
        device_failed(w, "vl_load", code);
        vl_image_free(image);
        return;
    }
    vl_image_free(w->image);
    w->image = image;
}

uint32_t wl_float_bits(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

vl_range wl_range1(uint64_t n, uint64_t local)
{
    return (vl_range){.dims = 1, .global = {(n + local - 1) / local * local}, .local = {local}};
}

vl_range wl_range2(uint64_t nx, uint64_t ny, uint64_t lx, uint64_t ly)
{
    return (vl_range){.dims = 2, .global = {(nx + lx - 1) / lx * lx, (ny + ly - 1) / ly * ly}, .local = {lx, ly}};
}

vl_range wl_window(uint64_t first, uint64_t n, uint64_t local)
{
    vl_range range = wl_range1(n, local);
    range.offset[0] = first;
    return range;
}

static int set_arg(vl_kernel *k, uint32_t i, const wl_arg *a, vl_error *err)
{
    switch (a->kind) {
    case WL_BUFFER: return vl_kernel_set_ptr(k, i, a->bits, err);
    case WL_LOCAL: return vl_kernel_set_local(k, i, a->bits, err);
    default: return vl_kernel_set(k, i, &a->bits, a->size, err);
    }
}

/* To the end of the kernel, without the final flush. */
static void run_to_end(wl *w, const char *kernel, const vl_range *range)
{
    bool running = true;
    int code = vl_launch_begin(w->dev, w->ended, range);
    if (code) {
        device_failed(w, kernel, code);
        vl_kernel_close(w->ended);
        w->ended = NULL;
        return;
    }
    while (running && vl_launch_pass(w->dev, 4096, &running) == 0)
        ;
}

void wl_launch_args(wl *w, const char *kernel, vl_range range, const wl_arg *args, uint32_t n_args)
{
    vl_kernel *k;
    vl_error err;
    wl_settle(w, 0, 0);
    if (!wl_ok(w))
        return;
    if (vl_kernel_open(&k, w->image, kernel, &err)) {
        wl_fail(w, "%s: %s", kernel, err.text);
        return;
    }
    for (uint32_t i = 0; i < n_args && wl_ok(w); i++)
        if (set_arg(k, i, &args[i], &err))
            wl_fail(w, "%s, argument %u: %s", kernel, i, err.text);
    end_copy(w);
    w->copied_back = false;
    if (wl_ok(w) && w->first_result) {
        w->ended = k;
        run_to_end(w, kernel, &range);
        return;
    }
    if (wl_ok(w)) {
        vl_result result = {0};
        int code = vl_launch(w->dev, k, &range, &result);
        if (code)
            device_failed(w, kernel, code);
        else
            wl_account(w, &result);
    }
    vl_kernel_close(k);
}

static void add_total(wl *w, const char *name, uint64_t value)
{
    for (size_t i = 0; i < w->n_totals; i++)
        if (strcmp(w->totals[i].name, name) == 0) {
            w->totals[i].value += value;
            return;
        }
    w->totals = must(realloc(w->totals, (w->n_totals + 1) * sizeof *w->totals));
    w->totals[w->n_totals++] = (wl_total){must(strdup(name)), value};
}

void wl_settle(wl *w, vl_ptr from, size_t bytes)
{
    if (!w->ended)
        return;
    uint32_t word;
    vl_result result = {0};
    int code = bytes ? vl_sync(w->dev, from, bytes < sizeof word ? bytes : sizeof word) : 0;
    if (bytes && !code)
        code = vl_read(w->dev, from, &word, bytes < sizeof word ? bytes : sizeof word);
    if (code)
        device_failed(w, "the first result", code);
    code = vl_launch_end(w->dev, &result);
    if (code)
        device_failed(w, "the kernel", code);
    else
        wl_account(w, &result);
    if (bytes) {
        add_total(w, "first_results", 1);
        add_total(w, "first_result_cycles", vl_result_value(&result, "host_cycles", 0));
        add_total(w, "first_result_flush", vl_result_value(&result, "flush_cycles", 0));
    }
    vl_kernel_close(w->ended);
    w->ended = NULL;
}

void wl_account(wl *w, const vl_result *r)
{
    w->launches++;
    w->cycles += r->cycles;
    for (size_t i = 0; i < r->n_stats; i++)
        if (!r->stats[i].is_ratio && !strncmp(r->stats[i].name, "judge_waived_", 13))
            w->waived += r->stats[i].value;
        else if (!r->stats[i].is_ratio
                 && strcmp(r->stats[i].section, "judge")) /* the machine's alone: the same on each */
            add_total(w, r->stats[i].name, r->stats[i].value);
}

void wl_finish(wl *w)
{
    for (size_t i = 0; i < w->n_device; i++)
        vl_free(w->dev, w->device[i].at);
    for (size_t i = 0; i < w->n_host; i++)
        free(w->host[i]);
    for (size_t i = 0; i < w->n_totals; i++)
        free(w->totals[i].name);
    free(w->device);
    free(w->host);
    free(w->totals);
}

/* ---- results ---- */

void wl_same_u32(wl *w, const char *what, const uint32_t *got, const uint32_t *want, size_t n)
{
    for (size_t i = 0; i < n && wl_ok(w); i++)
        if (got[i] != want[i])
            wl_fail(w, "%s[%zu] is %u, the host has %u", what, i, got[i], want[i]);
}

void wl_same_u8(wl *w, const char *what, const uint8_t *got, const uint8_t *want, size_t n)
{
    for (size_t i = 0; i < n && wl_ok(w); i++)
        if (got[i] != want[i])
            wl_fail(w, "%s[%zu] is %u, the host has %u", what, i, got[i], want[i]);
}

void wl_same_i32(wl *w, const char *what, const int32_t *got, const int32_t *want, size_t n)
{
    for (size_t i = 0; i < n && wl_ok(w); i++)
        if (got[i] != want[i])
            wl_fail(w, "%s[%zu] is %d, the host has %d", what, i, got[i], want[i]);
}

void wl_same_f32(wl *w, const char *what, const float *got, const float *want, size_t n)
{
    for (size_t i = 0; i < n && wl_ok(w); i++)
        if (wl_float_bits(got[i]) != wl_float_bits(want[i]))
            wl_fail(w, "%s[%zu] is %a, the host has %a", what, i, (double)got[i], (double)want[i]);
}

void wl_near_f32(wl *w, const char *what, const float *got, const double *want, size_t n, double absolute,
                 double relative)
{
    for (size_t i = 0; i < n && wl_ok(w); i++) {
        double bound = absolute + relative * fabs(want[i]);
        if (!(fabs((double)got[i] - want[i]) <= bound)) /* NaN fails */
            wl_fail(w, "%s[%zu] is %.9g, the host has %.9g, more than %.3g apart", what, i, (double)got[i], want[i],
                    bound);
    }
}
