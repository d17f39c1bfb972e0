/* Settings in words, of the command line and of the environment alike (docs/command.md, Spelling of values). A word is taken whole or refused: no blank, sign or
 * letter before or after it, and no value out of range becomes another one. */
#ifndef VELLUM_WORDS_H
#define VELLUM_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sw/runtime/vellum.h"

/* Decimal, or hexadecimal behind 0x. False: no number, or not from 0 (`min`) to `max`; *out stays as it is. */
bool vl_parse_u64(const char *text, uint64_t max, uint64_t *out);
bool vl_parse_i64(const char *text, int64_t min, int64_t max, int64_t *out);
/* Bytes: a number, with k, m or g behind it for 2^10, 2^20 or 2^30. */
bool vl_parse_size(const char *text, uint64_t max, uint64_t *out);
/* Digits with at most one point among them, in any locale; 10^9 at most. */
bool vl_parse_seconds(const char *text, double *out);
/* 1, yes, on, true; 0, no, off, false. */
bool vl_parse_switch(const char *text, bool *out);
/* Which of the names (with commas between them) the `n` bytes are; -1: none. */
int64_t vl_parse_name(const char *names, const char *text, size_t n);

/* A variable of the environment; NULL if it is not set or empty, which mean the same. */
const char *vl_env(const char *name);
/* Its value in *out, which stays as it is if the variable is not set. 0, or VL_EINVAL and a sentence that has name, value and accepted values. */
int vl_env_u64(const char *name, uint64_t max, uint64_t *out, vl_error *err);
int vl_env_seconds(const char *name, double *out, vl_error *err);
int vl_env_switch(const char *name, bool *out, vl_error *err);
/* A list of `names` with commas between them, each once at most: the bits of those that are named. */
int vl_env_list(const char *name, const char *names, uint64_t *out, vl_error *err);

#endif
