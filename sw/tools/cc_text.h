/* Words of a module's text (LLVM IR), for the parts of `vellum cc` that edit it. */
#ifndef VELLUM_TOOLS_CC_TEXT_H
#define VELLUM_TOOLS_CC_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct {
    const char *p;
    size_t n;
} span_t;

/* Goes over `word` if it is at *p. */
bool cc_starts(const char **p, const char *word);
bool cc_contains(span_t s, const char *word);
/* Up to a comma or a blank outside of all brackets, or to the end of the bracket around; `blanks`: blanks belong to it. */
span_t cc_part(const char *p, bool blanks);
/* "ptr addrspace(1)" at *p, which goes behind it and its blank. */
span_t cc_pointer_type(const char **p);
/* ", !dbg !7" in the rest of a line, or nothing. */
span_t cc_debug(const char *p, const char *end);

/* cc_subword.c. An atomic instruction of less than a word, or a nand, written as a loop of AMOCAS; false: the line is none, and nothing was written. */
bool cc_write_subword(FILE *f, const char *line, const char *end, unsigned id);
#endif
