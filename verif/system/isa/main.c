/*
 * Programs of hand-made machine code on a machine: isa random|directed [--backend B] [--config C] [--sched S] [--seed N] [--count N] [--only K]
 *
 * random    generated SIMT programs (generate.h). In lockstep the judge compares every result; what threads leave behind that do
 *           not race is compared with the reference's own run too.
 * directed  every line of verif/ref/isa-directed/cases.txt (CASES: assembled, TEXT: the lines), different data in different threads
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/runtime/internal.h"
#include "verif/system/isa/generate.h"
#include "verif/system/lib/pack.h"

typedef struct {
    const char *backend, *config, *sched, *cases, *text;
    uint64_t seed;
    unsigned count, only; /* only: one program, 0: all */
} options;

typedef struct {
    vl_device *dev, *ref;
    unsigned passed, failed, racing, bare, barriers;
    uint64_t cycles, instructions;
} totals;

__attribute__((noreturn)) static void give_up(const char *what, const char *why)
{
    fprintf(stderr, "isa: %s: %s\n", what, why);
    exit(2);
}

static vl_device *device(const options *o, const char *backend)
{
    vl_error err;
    vl_device *d;
    vl_options opt = {.no_build = true};
    if (vl_open(&d, o->config, backend, &opt, &err))
        give_up(backend, err.text);
    if (vl_set_policy(d, "warp_sched", o->sched) || vl_set_max_cycles(d, 4000000))
        give_up(backend, vl_detail(d));
    return d;
}

static char detail[sizeof((vl_error *)0)->text]; /* of the last launch */

/* Loads the image and runs its kernel; the data come back. */
static int launch(vl_device *d, const vl_image *image, const vl_range *range, uint8_t *data, size_t bytes,
                  size_t shared_bytes, size_t local_bytes, vl_result *result)
{
    vl_error err;
    vl_kernel *k;
    vl_ptr at, shared = 0;
    if (vl_load(d, image))
        give_up("vl_load", vl_detail(d));
    if (vl_kernel_open(&k, image, "k", &err))
        give_up("vl_kernel_open", err.text);
    if (vl_malloc(d, bytes, &at) || vl_write(d, at, data, bytes))
        give_up("data", vl_detail(d));
    if (vl_kernel_set_ptr(k, 0, at, &err))
        give_up("argument", err.text);
    if (shared_bytes) {
        if (vl_malloc(d, shared_bytes, &shared))
            give_up("data", vl_detail(d));
        if (vl_kernel_set_ptr(k, 1, shared, &err) || vl_kernel_set_local(k, 2, local_bytes, &err))
            give_up("argument", err.text);
    }
    int e = vl_launch(d, k, range, result);
    snprintf(detail, sizeof detail, "%s", vl_detail(d));
    if (!e && vl_read(d, at, data, bytes))
        give_up("data", vl_detail(d));
    if (vl_free(d, at) || vl_free(d, shared))
        give_up("data", vl_detail(d));
    vl_kernel_close(k);
    return e;
}

static vl_image *parse(const program *p, uint64_t entry, unsigned pointers, int local)
{
    size_t bytes;
    vl_error err;
    vl_image *image;
    uint8_t *elf = pack_image(p->code, p->n, entry, pointers, local, &bytes);
    if (vl_image_parse(&image, elf, bytes, &err))
        give_up("vl_image_parse", err.text);
    free(elf);
    return image;
}

static uint64_t word_at(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, 8);
    return v;
}

/* ---- random programs -------------------------------------------------------------------------------------------------- */

static void fill(rng *r, uint8_t *data, size_t threads)
{
    for (size_t t = 0; t < threads; t++, data += AREA) {
        memset(data, 0, AREA);
        for (unsigned at = 0; at < AREA_INIT + 25 * 8; at += 8) {
            uint64_t v = rng_below(r, 2) ? rng_integer(r) : (uint64_t)rng_float(r) << 32 | rng_float(r);
            /* Registers that many threads have in common make them go together. */
            if (at > AREA_INIT && t && rng_below(r, 3))
                v = word_at(data - AREA + at);
            memcpy(data + at, &v, 8);
        }
        uint64_t fcsr = rng_below(r, 5) << 5 | rng_below(r, 32);
        memcpy(data + AREA_INIT, &fcsr, 8);
    }
}

static shape make_shape(rng *r, const vl_device *d)
{
    uint32_t most = (uint32_t)(vl_config_value(d, "warps", 1) * vl_config_value(d, "threads", 1)),
             cores = (uint32_t)vl_config_value(d, "cores", 1);
    shape s = {.groups = {1, 1, 1},
               .local = {1, 1, 1},
               .races = rng_below(r, 2),
               .barriers = rng_below(r, 3) == 0,
               .units = 20 + rng_below(r, 30)};
    if (most > 80)
        most = 80;
    if (rng_below(r, 3) == 0 && most >= 12) {
        s.local[0] = 2 + rng_below(r, 3), s.local[1] = 2 + rng_below(r, most / s.local[0] - 1);
        s.local[2] = s.local[0] * s.local[1] < 8 || s.local[0] * s.local[1] * 2 <= most ? 2 : 1;
        if (s.local[0] * s.local[1] * s.local[2] > most)
            s.local[2] = 1;
    }
    if (s.local[0] * s.local[1] * s.local[2] < 8)
        s.local[0] = 8 + rng_below(r, most - 7), s.local[1] = s.local[2] = 1;
    s.groups[0] = 1 + rng_below(r, cores + 1);
    s.groups[1] = rng_below(r, 4) ? 1 : 2 + rng_below(r, 4);
    return s;
}

static bool same_data(const uint8_t *mine, const uint8_t *theirs, size_t threads)
{
    for (size_t at = 0; at < threads * AREA; at += 8)
        if (word_at(mine + at) != word_at(theirs + at)) {
            size_t in = at % AREA;
            printf("thread %zu, ", at / AREA);
            if (in > AREA_STATE && in < AREA_STATE + 256)
                printf("x%zu", (in - AREA_STATE) / 8);
            else
                printf("%s at %zu", in == AREA_STATE ? "fcsr" : "memory", in);
            printf(": %016llx, the reference alone %016llx\n", (unsigned long long)word_at(mine + at),
                   (unsigned long long)word_at(theirs + at));
            return false;
        }
    return true;
}

/* Leaves all, some or none of the reconvergence points. */
static void strip(rng *r, vl_image *image, totals *t)
{
    unsigned keep = rng_below(r, 4); /* 0: none, 1: half, else all */
    size_t n = 0;
    for (size_t k = 0; keep < 2 && k < image->n_reconv; k++)
        if (keep && rng_below(r, 2))
            image->reconv[n++] = image->reconv[k];
    if (keep < 2)
        image->n_reconv = n;
    t->bare += keep < 2;
}

static void random_program(const options *o, totals *t, unsigned index)
{
    rng r = {o->seed * 1000003 + index};
    if (!t->dev)
        t->dev = device(o, o->backend);
    shape s = make_shape(&r, t->dev);
    program p;
    uint64_t entry = generate(&p, &r, &s);
    vl_image *image = parse(&p, entry, 2, 1);
    strip(&r, image, t);
    size_t threads = s.local[0] * s.local[1] * s.local[2], in_group = threads;
    for (unsigned d = 0; d < 3; d++)
        threads *= s.groups[d];
    uint8_t *data = malloc(threads * AREA), *again = malloc(threads * AREA);
    if (!data || !again)
        abort();
    fill(&r, data, threads);
    memcpy(again, data, threads * AREA);
    vl_range range = {.dims = 3};
    for (unsigned d = 0; d < 3; d++) {
        range.local[d] = s.local[d], range.global[d] = s.local[d] * s.groups[d];
        range.offset[d] = rng_below(&r, 1000);
    }
    vl_result result;
    size_t local = SPAD_SHARED + SPAD_PRIVATE * in_group;
    int e = launch(t->dev, image, &range, data, threads * AREA, SHARED_BYTES, local, &result);
    bool ok = e == 0;
    t->cycles += result.cycles;
    t->instructions += vl_result_value(&result, "warp_instructions", 0);
    t->racing += s.races;
    t->barriers += s.barriers;
    if (e) {
        printf("%s\n", detail);
    } else if (!s.races) {
        if (!t->ref)
            t->ref = device(o, "ref");
        if (launch(t->ref, image, &range, again, threads * AREA, SHARED_BYTES, local, &result)) {
            printf("the reference alone: %s\n", detail);
            vl_close(t->ref);
            t->ref = NULL;
            ok = false;
        } else {
            ok = same_data(data, again, threads);
        }
    }
    if (e) {
        vl_close(t->dev);
        t->dev = NULL;
    }
    if (!ok)
        printf("FAILED: program %u (%u,%u,%u groups of %u,%u,%u)\n  again: verif/system/isa/run %s %s %llu %u\n", index,
               s.groups[0], s.groups[1], s.groups[2], s.local[0], s.local[1], s.local[2], o->config, o->sched,
               (unsigned long long)o->seed, index);
    t->passed += ok, t->failed += !ok;
    free(data), free(again);
    vl_image_free(image);
    program_free(&p);
}

/* ---- directed cases ----------------------------------------------------------------------------------------------------- */

static char *read_all(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        give_up(path, "cannot be read");
    char *p = NULL;
    size_t room = 0;
    for (*n = 0;;) {
        if (*n + 4096 > room && !(p = realloc(p, room = 2 * room + 8192)))
            abort();
        size_t got = fread(p + *n, 1, 4096, f);
        *n += got;
        if (!got)
            break;
    }
    fclose(f);
    p[*n] = 0;
    return p;
}

typedef struct {
    const char *line;
    uint32_t insn;
    uint64_t in[3], out, flags, pc;
} directed;

static size_t read_cases(const options *o, directed **cases)
{
    size_t bytes, words, n = 0;
    char *text = read_all(o->text, &bytes);
    uint32_t *insns = (uint32_t *)(void *)read_all(o->cases, &words);
    *cases = calloc(words / 4 + 1, sizeof **cases);
    if (!*cases)
        abort();
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        if (*line == '#' || !strchr(line, '|') || n == words / 4)
            continue;
        directed *c = &(*cases)[n];
        uint64_t v[5] = {0};
        const char *at = line;
        for (unsigned k = 0; k < 5 && (at = strchr(at, '|')); k++)
            v[k] = strtoull(++at, NULL, 16);
        *c = (directed){.line = line, .insn = insns[n], .in = {v[0], v[1], v[2]}, .out = v[3], .flags = v[4]};
        n++;
    }
    if (n != words / 4)
        give_up(o->text, "does not fit the assembled cases");
    free(insns);
    return n; /* `text` stays: the lines are in it */
}

enum { CASE_BYTES = 48 }; /* three inputs, result, flags, nothing */

/* Threads with an even number have the case's own operands, the others random ones: only the judge checks these. */
static void directed_cases(const options *o, totals *t)
{
    directed *c;
    size_t n = read_cases(o, &c), threads = 2 * (size_t)vl_config_value(t->dev, "threads", 1) + 3, row = n * CASE_BYTES;
    program p;
    rng r = {o->seed};
    program_init(&p, 16 * n + 32, 8);
    emit(&p, encode_csr(OP_CSRRS, 5, CSR_VL_ARG, 0));
    emit(&p, encode(OP_LD, 5, 5, 0, 0x80));
    emit(&p, encode_csr(OP_CSRRS, 6, CSR_VL_LID_X, 0));
    emit(&p, encode(OP_LUI, 7, 0, 0, (int32_t)((row + 2048) & ~4095u)));
    emit(&p, encode(OP_ADDI, 7, 7, 0, (int32_t)(((row & 4095) ^ 2048) - 2048)));
    emit(&p, encode(OP_MUL, 6, 6, 7, 0));
    emit(&p, encode(OP_ADD, 5, 5, 6, 0));
    for (size_t k = 0; k < n; k++) {
        for (unsigned i = 0; i < 3; i++)
            emit(&p, encode(OP_LD, 11 + i, 5, 0, 8 * (int32_t)i));
        emit(&p, encode(OP_ADDI, 10, 0, 0, 0));
        emit(&p, encode_csr(OP_CSRRWI, 0, CSR_FCSR, 0));
        c[k].pc = BASE + 4 * p.n;
        emit(&p, c[k].insn);
        emit(&p, encode_csr(OP_CSRRS, 28, CSR_FFLAGS, 0));
        emit(&p, encode(OP_SD, 0, 5, 10, 24));
        emit(&p, encode(OP_SD, 0, 5, 28, 32));
        emit(&p, encode(OP_ADDI, 5, 5, 0, CASE_BYTES));
    }
    emit(&p, isa_rows[OP_VL_EXIT].match);
    uint8_t *data = calloc(threads, row);
    if (!data)
        abort();
    for (size_t i = 0; i < threads; i++)
        for (size_t k = 0; k < n; k++)
            for (unsigned x = 0; x < 3; x++) {
                uint64_t v = i % 2 == 0 ? c[k].in[x] : rng_below(&r, 2) ? rng_integer(&r) : rng_float(&r);
                memcpy(data + i * row + k * CASE_BYTES + 8 * x, &v, 8);
            }
    vl_image *image = parse(&p, BASE, 1, 0);
    vl_result result;
    int e = launch(t->dev, image, &(vl_range){.dims = 1, .global = {threads}, .local = {threads}}, data, threads * row,
                   0, 0, &result);
    if (e) {
        printf("FAILED: %s\n", detail);
        t->failed++;
    }
    for (size_t k = 0; !e && k < n; k++) {
        uint64_t want = c[k].out + (isa_op(c[k].insn) == OP_AUIPC ? c[k].pc - BASE : 0);
        bool ok = true;
        for (size_t i = 0; ok && i < threads; i += 2) {
            const uint8_t *at = data + i * row + k * CASE_BYTES;
            ok = word_at(at + 24) == want && word_at(at + 32) == c[k].flags;
            if (!ok)
                printf("FAILED: thread %zu: %s: %llx flags %llx\n", i, c[k].line, (unsigned long long)word_at(at + 24),
                       (unsigned long long)word_at(at + 32));
        }
        t->passed += ok, t->failed += !ok;
    }
    vl_image_free(image);
    program_free(&p);
    free(data);
    free(c);
}

/* ---- */

static const char *value_of(int argc, char **argv, const char *name, const char *missing)
{
    for (int i = 2; i + 1 < argc; i += 2)
        if (!strcmp(argv[i], name))
            return argv[i + 1];
    return missing;
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc % 2 || (strcmp(argv[1], "random") && strcmp(argv[1], "directed")))
        give_up("usage", "isa random|directed [--option value]...");
    options o = {.backend = value_of(argc, argv, "--backend", "lockstep"),
                 .config = value_of(argc, argv, "--config", "tiny"),
                 .sched = value_of(argc, argv, "--sched", "lrr"),
                 .cases = value_of(argc, argv, "--cases", ""),
                 .text = value_of(argc, argv, "--text", ""),
                 .seed = strtoull(value_of(argc, argv, "--seed", "0"), NULL, 0),
                 .count = (unsigned)strtoul(value_of(argc, argv, "--count", "10"), NULL, 0),
                 .only = (unsigned)strtoul(value_of(argc, argv, "--only", "0"), NULL, 0)};
    totals t = {0};
    t.dev = device(&o, o.backend);
    if (argv[1][0] == 'd')
        directed_cases(&o, &t);
    else
        for (unsigned k = 1; k <= o.count || k == o.only; k++)
            if (!o.only || k == o.only)
                random_program(&o, &t, k);
    if (argv[1][0] == 'r')
        printf("%s %s seed %llu: %u programs (%u racing, %u with barriers, %u without some reconvergence points), %llu "
               "cycles, "
               "%llu warp instructions\n",
               o.config, o.sched, (unsigned long long)o.seed, t.passed + t.failed, t.racing, t.barriers, t.bare,
               (unsigned long long)t.cycles, (unsigned long long)t.instructions);
    vl_close(t.dev);
    vl_close(t.ref);
    printf("%u passed, %u failed\n", t.passed, t.failed);
    return t.failed != 0;
}
