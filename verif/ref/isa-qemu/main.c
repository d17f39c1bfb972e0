/* isa-qemu random SEED BODIES WORK | fp SEED TRIPLES WORK: the reference against qemu. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

static const program *the_program;
static uint8_t *by_qemu, *by_run, *by_step;

static int run_all(const program *p, const char *work)
{
    the_program = p;
    by_qemu = malloc(p->data_bytes), by_run = malloc(p->data_bytes), by_step = malloc(p->data_bytes);
    if (!by_qemu || !by_run || !by_step)
        abort();
    return run_qemu(p, work, by_qemu) | run_ref(p, by_run) | step_ref(p, by_step);
}

static uint64_t word_at(const uint8_t *bytes, size_t at)
{
    uint64_t v;
    memcpy(&v, bytes + at, 8);
    return v;
}

static unsigned compare_random(const program *p, const char *who, const uint8_t *mine)
{
    unsigned bad = 0;
    for (size_t at = 0; at < p->data_bytes; at += 8) {
        uint64_t a = word_at(mine, at), b = word_at(by_qemu, at);
        if (a == b)
            continue;
        size_t body = at / AREA, in = at % AREA;
        char what[32];
        if (in == AREA_STATE)
            snprintf(what, sizeof what, "fcsr");
        else if (in > AREA_STATE)
            snprintf(what, sizeof what, "x%zu", (in - AREA_STATE) / 8);
        else
            snprintf(what, sizeof what, "memory at %zu", in);
        if (bad++ < 10)
            printf("body %zu, %s: %s %016llx, qemu %016llx\n", body, what, who, (unsigned long long)a,
                   (unsigned long long)b);
    }
    return bad;
}

static unsigned compare_fp(size_t n, const fp_case *cases, unsigned count, const char *who, const uint8_t *mine)
{
    unsigned bad = 0;
    for (unsigned c = 0; c < count; c++) {
        unsigned here = 0;
        for (size_t i = 0; i < n; i++) {
            size_t at = cases[c].results_at + 16 * i, src = i * FP_TRIPLE;
            if (!memcmp(mine + at, by_qemu + at, 16))
                continue;
            bad++;
            if (here++ >= 3)
                continue;
            char text[80];
            isa_disasm(cases[c].insn, 0, text, sizeof text);
            printf("%s of %016llx %016llx %016llx: %s %llx flags %02llx, qemu %llx flags %02llx\n", text,
                   (unsigned long long)word_at(mine, src), (unsigned long long)word_at(mine, src + 8),
                   (unsigned long long)word_at(mine, src + 16), who, (unsigned long long)word_at(mine, at),
                   (unsigned long long)word_at(mine, at + 8), (unsigned long long)word_at(by_qemu, at),
                   (unsigned long long)word_at(by_qemu, at + 8));
        }
    }
    return bad;
}

int main(int argc, char **argv)
{
    if (argc != 5 || (strcmp(argv[1], "random") && strcmp(argv[1], "fp"))) {
        fprintf(stderr, "isa-qemu random SEED BODIES WORK | isa-qemu fp SEED TRIPLES WORK\n");
        return 2;
    }
    rng r = {strtoull(argv[2], NULL, 0)};
    size_t n = strtoull(argv[3], NULL, 0);
    bool fp = argv[1][0] == 'f';
    printf("seed %s (again: SEED=%s make test-ref/isa-qemu)\n", argv[2], argv[2]);
    program p;
    fp_case cases[FP_CASES_MAX];
    unsigned count = 0, bad;
    if (fp)
        count = make_fp(&p, &r, n, cases);
    else
        make_random(&p, &r, (unsigned)n);
    if (run_all(&p, argv[4]))
        bad = 1;
    else if (fp)
        bad = compare_fp(n, cases, count, "ref", by_run) + compare_fp(n, cases, count, "stepper", by_step);
    else
        bad = compare_random(&p, "ref", by_run) + compare_random(&p, "stepper", by_step);
    if (fp)
        printf("%zu operand triples on %u operations with their rounding modes, %u differ\n", n, count, bad);
    else
        printf("%zu programs of %zu instructions in all, %u doublewords differ\n", n, p.n, bad);
    printf("%d passed, %d failed\n", bad == 0, bad != 0);
    program_free(&p);
    free(by_qemu), free(by_run), free(by_step);
    return bad != 0;
}
