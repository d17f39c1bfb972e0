/* The case, by its fields. */
#ifndef VERIF_COHERENCE_EXPLORE_CASE_H
#define VERIF_COHERENCE_EXPLORE_CASE_H
#include "known.h"

/* Numbers between commas; how many. */
static unsigned numbers(const char *text, unsigned *to, unsigned most_of_them)
{
    unsigned n = 0;
    for (char *end; *text && n < most_of_them; text = *end ? end + 1 : end) {
        to[n++] = (unsigned)strtoul(text, &end, 0);
        if (end == text || (*end && *end != ','))
            return 0;
    }
    return *text ? 0 : n;
}

static bool letters(const char *text, const char *of, unsigned *mask)
{
    for (*mask = 0; *text; text++) {
        const char *at = strchr(of, *text);
        if (!at)
            return false;
        *mask |= 1u << (at - of);
    }
    return true;
}

/* agent=WHERE:OPS...: at a device's number or h; of each letter of l n a s e f i w as many as stand behind it, or one. */
static bool agent(const char *v)
{
    static const char ops[] = "lnasefiw";
    const unsigned a = now.agents;
    if (a == AGENTS || v[1] != ':')
        return false;
    now.at[a] = v[0] == 'h' ? HOST : (uint8_t)(v[0] - '0');
    if (now.at[a] > HOST || (now.at[a] < HOST && now.device[now.at[a]] == NONE))
        return false;
    for (v += 2; *v;) {
        const char *at = strchr(ops, *v++);
        if (!at)
            return false;
        now.bound[a][at - ops] = *v >= '0' && *v <= '9' ? (uint8_t)(*v++ - '0') : 1;
    }
    now.host |= now.at[a] == HOST;
    now.agents++;
    return true;
}

static const char *path_text;
static uint64_t walks;

static bool field(char *text)
{
    unsigned n[LINES], k = 0;
    char *v = strchr(text, '=');
    if (!v)
        return false;
    *v++ = 0;
    if (!strcmp(text, "name"))
        name = v;
    else if (!strcmp(text, "path"))
        path_text = v;
    else if (!strcmp(text, "brief"))
        told = false;
    else if (!strcmp(text, "walk"))
        walks = strtoull(v, NULL, 0);
    else if (!strcmp(text, "states"))
        most = strtoull(v, NULL, 0);
    else if (!strcmp(text, "seconds"))
        seconds = strtod(v, NULL);
    else if (!strcmp(text, "devices")) { /* r: the twins, a: in abstract, -: none */
        for (; v[k] && k < DEVICES; k++)
            now.device[k] = v[k] == 'r' ? REAL : v[k] == 'a' ? ABSTRACT : NONE;
        return !v[k];
    } else if (!strcmp(text, "agent"))
        return agent(v);
    else if (!strcmp(text, "lines")) {
        now.lines = (uint8_t)numbers(v, n, LINES);
        for (k = 0; k < now.lines; k++)
            now.line[k] = n[k];
        return now.lines;
    } else if (
        !strcmp(text,
                "held")) { /* requests, probes, acknowledgements, data, stack, memory, host's cache, answers to cores */
        const bool good = letters(v, "rpadsmhc", &k);
        now.held = (uint16_t)k;
        return good;
    } else if (
        !strcmp(text,
                "with")) { /* peers, reorder, ends, forward; values are 0 and 1 for ever; zerocopy, memcpy, managed */
        const bool good = letters(v, "prefvzcg", &k);
        now.peers = k & 1;
        now.reorder = k & 2;
        now.ends = k & 4;
        now.forward = k & 8;
        now.ever = k & 16;
        now.memory = (uint8_t)(k & 32    ? MEMORY_ZEROCOPY
                               : k & 64  ? MEMORY_MEMCPY
                               : k & 128 ? MEMORY_MANAGED
                                         : MEMORY_UMH);
        return good;
    } else if (!strcmp(text, "holds"))
        now.holds = (uint8_t)strtoul(v, NULL, 0);
    else if (!strcmp(text, "net"))
        now.net = (uint8_t)strtoul(v, NULL, 0);
    else if (!strcmp(text, "pending"))
        now.pending = (uint8_t)strtoul(v, NULL, 0);
    else
        return false;
    return true;
}
#endif
