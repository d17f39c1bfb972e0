/* See judge_report.h. */
#include "sim_c/ref/judge_report.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int judge_differ(judge_t *j, unsigned core, unsigned warp, const insn_t *i, const char *fmt, ...)
{
    if (j->verdict)
        return j->verdict;
    va_list ap;
    char what[512], text[96] = "";
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    if (i) {
        isa_disasm(i->instr, i->pc, text, sizeof text);
        for (char *p = text; *p; p++)
            if (*p == '\t')
                *p = ' ';
        snprintf(j->err->text, sizeof j->err->text,
                 "judge: cycle %" PRIu64 ", core %u, warp %u, pc 0x%" PRIx64 " (%s, issued in cycle %" PRIu64 "): %s",
                 j->cycle, core, warp, i->pc, text, i->cycle, what);
    } else if (core == HOST_SOURCE) {
        snprintf(j->err->text, sizeof j->err->text, "judge: cycle %" PRIu64 ", host port: %s", j->cycle, what);
    } else if (core >= CORES) {
        snprintf(j->err->text, sizeof j->err->text, "judge: cycle %" PRIu64 ", walker: %s", j->cycle, what);
    } else if (warp == WARPS) {
        snprintf(j->err->text, sizeof j->err->text, "judge: cycle %" PRIu64 ", core %u: %s", j->cycle, core, what);
    } else {
        snprintf(j->err->text, sizeof j->err->text, "judge: cycle %" PRIu64 ", core %u, warp %u: %s", j->cycle, core,
                 warp, what);
    }
    return j->verdict = SIM_EDIFF;
}

int judge_differ_block(judge_t *j, uint64_t addr, unsigned party, const char *fmt, ...)
{
    if (j->verdict)
        return j->verdict;
    va_list ap;
    char what[512], who[32] = "the host", where[40] = "";
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    if (party < DEVICES)
        snprintf(who, sizeof who, "device %u", party);
    if (addr)
        snprintf(where, sizeof where, "block at 0x%" PRIx64 ", ", addr);
    snprintf(j->err->text, sizeof j->err->text, "judge: cycle %" PRIu64 ", %s%s: %s", j->cycle, where, who, what);
    return j->verdict = SIM_EDIFF;
}

int judge_out_of_memory(judge_t *j)
{
    if (j->verdict)
        return j->verdict;
    snprintf(j->err->text, sizeof j->err->text, "judge: cycle %" PRIu64 ": the judge has no memory left", j->cycle);
    return j->verdict = SIM_ENOMEM;
}

void *judge_room(judge_t *j, void *at, unsigned n, unsigned *room, size_t size)
{
    if (n < *room)
        return at;
    unsigned more = *room ? 2 * *room : 64;
    void *to = realloc(at, more * size);
    if (to)
        *room = more;
    else
        judge_out_of_memory(j);
    return to;
}

void judge_waive(judge_t *j, judge_waiver reason)
{
    j->waived[reason]++;
}
