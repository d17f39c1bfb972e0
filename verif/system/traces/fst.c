/* fst FILE.fst: reads waves back with the reader that comes with the FST format (GTKWave's), and prints their contents:
 * variables, modules, value changes, first and last time, and for some one-bit nets of the top how many cycles they were 1.
 * A cycle is from one rising edge of clk_i to the next; the value counts that the net has right before the edge. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fstapi.h"

static const char *const watched[] = {"running_o", "trace_issue_valid_o", "trace_start_valid_o", "mem_req_valid_o"};
enum { N = sizeof watched / sizeof *watched };

typedef struct {
    fstHandle clk, net[N];
    char value[N];
    unsigned long long changes, high[N], cycles;
    char clock;
} state;

static void change(void *user, uint64_t time, fstHandle net, const unsigned char *value)
{
    state *s = user;
    (void)time;
    s->changes++;
    if (net == s->clk) {
        if (*value == '1' && s->clock == '0') {
            s->cycles++;
            for (unsigned k = 0; k < N; k++)
                s->high[k] += s->value[k] == '1';
        }
        s->clock = (char)*value;
    }
    for (unsigned k = 0; k < N; k++)
        if (net == s->net[k])
            s->value[k] = (char)*value;
}

static void change_of_length(void *user, uint64_t time, fstHandle net, const unsigned char *value, uint32_t length)
{
    (void)length;
    change(user, time, net, value);
}

int main(int argc, char **argv)
{
    state s = {.clock = '0'};
    void *f = argc == 2 ? fstReaderOpen(argv[1]) : NULL;
    if (!f) {
        printf("not readable\n");
        return 1;
    }
    unsigned modules = 0, variables = 0, depth = 0;
    struct fstHier *h;
    while ((h = fstReaderIterateHier(f)))
        switch (h->htyp) {
        case FST_HT_SCOPE:
            depth++;
            modules++;
            break;
        case FST_HT_UPSCOPE: depth--; break;
        case FST_HT_VAR:
            variables++;
            if (!strcmp(h->u.var.name, "clk_i") && !s.clk)
                s.clk = h->u.var.handle;
            for (unsigned k = 0; k < N; k++)
                if (!s.net[k] && !strncmp(h->u.var.name, watched[k], strlen(watched[k])) && h->u.var.length == 1)
                    s.net[k] = h->u.var.handle;
            break;
        default: break;
        }
    fstReaderSetFacProcessMaskAll(f);
    int ok = fstReaderIterBlocks2(f, change, change_of_length, &s, NULL) && depth == 0;
    printf("{\"ok\": %s, \"variables\": %u, \"modules\": %u, \"changes\": %llu, \"begin\": %llu, \"end\": %llu, "
           "\"cycles\": %llu",
           ok ? "true" : "false", variables, modules, s.changes, (unsigned long long)fstReaderGetStartTime(f),
           (unsigned long long)fstReaderGetEndTime(f), s.cycles);
    for (unsigned k = 0; k < N; k++)
        if (s.net[k])
            printf(", \"%s\": %llu", watched[k], s.high[k]);
    printf("}\n");
    fstReaderClose(f);
    return !ok;
}
