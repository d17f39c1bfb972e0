/* The option string of a build: words as the standard has them, for `vellum cc`. Other words than options of OpenCL 1.2 are refused here, so that the command
 * does not take a word of a program for another option. */
#include "sw/opencl/vcl.h"

#include <stdlib.h>
#include <string.h>

/* Words are separated by blanks; quotes and backslashes as in a shell. Into `at`, which has room; the words one after the other, each with its end. */
static size_t split(const char *s, char *at, char **words)
{
    size_t n = 0;
    for (;;) {
        while (*s == ' ' || *s == '\t' || *s == '\n' || *s == '\r')
            s++;
        if (!*s)
            return n;
        words[n++] = at;
        for (char quote = 0; *s && (quote || !strchr(" \t\n\r", *s)); s++) {
            if (quote ? *s == quote : *s == '"' || *s == '\'')
                quote = quote ? 0 : *s;
            else if (*s == '\\' && s[1] && quote != '\'')
                *at++ = *++s;
            else
                *at++ = *s;
        }
        *at++ = 0;
    }
}

typedef struct option {
    const char *name;
    bool prefix, value; /* prefix: more may follow in the word; value: a value follows, in this word or the next */
    const char *becomes; /* "": not passed to the compiler */
} option;

static const option options[] = {
    {"-cl-opt-disable", false, false, "-O0"},
    /* accepted, but their permission is not used */
    {"-cl-denorms-are-zero", false, false, ""},
    {"-cl-strict-aliasing", false, false, ""},
    {"-cl-fp32-correctly-rounded-divide-sqrt", false, false, ""}, /* always so */
    {"-cl-kernel-arg-info", false, false, ""}, /* always there */
    {"-cl-single-precision-constant", false, false, NULL},
    {"-cl-mad-enable", false, false, NULL},
    {"-cl-no-signed-zeros", false, false, NULL},
    {"-cl-unsafe-math-optimizations", false, false, NULL},
    {"-cl-finite-math-only", false, false, NULL},
    {"-cl-fast-relaxed-math", false, false, NULL},
    {"-cl-std=", true, false, NULL},
    {"-w", false, false, NULL},
    {"-W", true, false, NULL},
    {"-g", false, false, NULL},
    {"-O", true, false, NULL},
    {"-D", true, true, NULL},
    {"-I", true, true, NULL},
    {"-U", true, true, NULL},
};

static const option *find(const char *word)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].prefix ? !strncmp(word, options[i].name, strlen(options[i].name))
                              : !strcmp(word, options[i].name))
            return &options[i];
    return NULL;
}

char **vcl_split_options(const char *text, char **wrong)
{
    *wrong = NULL;
    const size_t length = strlen(text), most = length / 2 + 2;
    char **words = malloc(most * sizeof *words + length + most);
    if (!words)
        return NULL;
    const size_t n = split(text, (char *)(words + most), words);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        const option *o = find(words[i]);
        const bool alone = o && o->value && !words[i][2];
        if (!o || (alone && i + 1 == n)) {
            *wrong = strdup(words[i]);
            free(words);
            return NULL;
        }
        if (o->becomes) {
            if (*o->becomes)
                words[kept++] = (char *)(uintptr_t)o->becomes;
            continue;
        }
        words[kept++] = words[i];
        if (alone)
            words[kept++] = words[++i];
    }
    words[kept] = NULL;
    return words;
}

/* Options on mathematics have no effect in a link: the sources are compiled already. */
bool vcl_link_options(const char *text, bool *library, char **wrong)
{
    static const char *const known[] = {"-cl-denorms-are-zero", "-cl-no-signed-zeros",
                                        "-cl-no-signed-zeroes", "-cl-unsafe-math-optimizations",
                                        "-cl-finite-math-only", "-cl-fast-relaxed-math"};
    bool enable = false;
    char *copy = strdup(text), *save = NULL, *bad = NULL;
    *library = false;
    *wrong = NULL;
    for (char *w = copy ? strtok_r(copy, " \t\n\r", &save) : NULL; w && !bad; w = strtok_r(NULL, " \t\n\r", &save)) {
        bool is = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            is = is || !strcmp(w, known[i]);
        if (!strcmp(w, "-create-library"))
            *library = true;
        else if (!strcmp(w, "-enable-link-options"))
            enable = true;
        else if (!is)
            bad = w;
    }
    if (!bad && enable && !*library)
        bad = "-enable-link-options without -create-library";
    if (bad)
        *wrong = strdup(bad);
    const bool good = copy && !bad;
    free(copy);
    return good;
}
