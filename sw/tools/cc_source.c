/* Checks of a source's text before it is compiled: whether it names double, its constants of single precision, and words for features that the device does not have. */
#include "sw/tools/cc_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cc_mentions(const char *path, const char *word)
{
    char *text = cc_read_file(path, NULL);
    const bool found = text && strstr(text, word);
    free(text);
    return found;
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* ---- constants of OpenCL C ----
 * Where a source does not name `double`, comments aside, and does not enable cl_khr_fp64, constants without a suffix are float: a double's every operation is
 * a call here, and most of what is written for graphics means float. That is not what the standard says where there is double, so it is noted. */

/* The length of the number at p, and whether it is of floating point and has no suffix. */
static size_t number(const char *p, bool *bare)
{
    const bool hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
    size_t n = 0;
    bool real = false;
    for (; in_word(p[n]) || p[n] == '.' || ((p[n] == '+' || p[n] == '-') && strchr(hex ? "pP" : "eE", p[n - 1])); n++)
        real = real || p[n] == '.' || strchr(hex ? "pP" : "eE", p[n]);
    *bare = real && !strchr("fFhHlL", p[n - 1]);
    return n;
}

/* The first constant without a suffix before `end`, or NULL. What is in quotes does not count, unless the text may have comments, with apostrophes in them. */
static const char *bare_constant(const char *p, const char *end, bool comments)
{
    while (p < end) {
        size_t n = 1;
        bool bare = false;
        if (isdigit((unsigned char)p[0]) || (p[0] == '.' && isdigit((unsigned char)p[1])))
            n = number(p, &bare);
        else if (in_word(p[0]) || p[0] == '.') /* a member is no number */
            while (in_word(p[n]))
                n++;
        else if (!comments && (p[0] == '"' || p[0] == '\''))
            for (n = 1; p + n < end && p[n++] != p[0];)
                n += p[n - 1] == '\\';
        if (bare)
            return p;
        p += n;
    }
    return NULL;
}

static bool within(const char *p, const char *end, const char *word)
{
    const char *at = strstr(p, word);
    return at && at < end;
}

/* Reads what the preprocessor wrote: whether it asks for double, and otherwise the place of its first constant without a suffix. */
static void read_preprocessed(cc_unit_t *u, const char *text)
{
    char *file = cc_format("%s", u->source);
    unsigned line = 0;
    for (const char *p = text, *end; *p && !u->doubles; p = end + (*end != 0), line++) {
        end = p + strcspn(p, "\n");
        const char *quote = memchr(p, '"', (size_t)(end - p)), *bare;
        unsigned next;
        if (sscanf(p, "# %u", &next) == 1 && quote) { /* a line marker: file and number of the next line */
            free(file);
            file = cc_format("%.*s", (int)strcspn(quote + 1, "\""), quote + 1);
            line = next - 1;
        } else if (*p == '#') {
            u->doubles = within(p, end, "double") || (within(p, end, "cl_khr_fp64") && within(p, end, "enable"));
        } else if (within(p, end, "double")) {
            u->doubles = true;
        } else if (!u->bare && (bare = bare_constant(p, end, false))) {
            bool is;
            u->bare = cc_format("%s:%u: note: %.*s", !strncmp(file, "./-", 3) ? file + 2 : file, line,
                                (int)number(bare, &is), bare);
        }
    }
    free(file);
}

/* The preprocessor is asked unless the source and options show that they can neither name double nor have such constants. */
int cc_find_doubles(cc_unit_t *u, const char *clang, const cc_strings_t *options)
{
    char *source = cc_read_file(u->source, NULL);
    bool may = !source || strstr(source, "double") || strstr(source, "include") || strstr(source, "cl_khr_fp64")
               || bare_constant(source, source + strlen(source), true);
    free(source);
    for (size_t i = 0; i < options->n; i++) {
        const char *item = options->items[i];
        may =
            may
            || (!strncmp(item, "-D", 2) && (strstr(item, "double") || bare_constant(item, item + strlen(item), true)));
    }
    if (!may)
        return CC_OK;
    char *path = cc_format("%s/preprocessed", u->dir);
    cc_strings_t c = cc_command(clang);
    for (size_t i = 0; i < options->n; i++)
        if (strcmp(options->items[i], "-Xclang") != 0 || strcmp(options->items[i + 1], "-finclude-default-header") != 0)
            cc_push(&c, options->items[i]);
        else
            i++;
    char *name = cc_format("%s%s", u->source[0] == '-' ? "./" : "", u->source);
    const char *const rest[] = {"-cl-no-stdinc", "-E", "-o", path, name, NULL};
    cc_push_all(&c, rest);
    const int status = cc_run_quietly(&c);
    char *text = status ? NULL : cc_read_file(path, NULL);
    if (text)
        read_preprocessed(u, text);
    /* pass 1 reports what is wrong with the source */
    else
        u->doubles = true;
    free(text);
    return status > 128 ? status : CC_OK;
}

void cc_tell_constants(const cc_unit_t *u, const cc_strings_t *user)
{
    for (size_t i = 0; i < user->n; i++)
        if (!strcmp(user->items[i], "-w") || !strcmp(user->items[i], "-cl-single-precision-constant"))
            return;
    if (u->bare && !u->doubles)
        fprintf(stderr,
                "%s is single precision, as all constants without a suffix are in a program that does not name double "
                "(-cl-single-precision-constant "
                "or a suffix f says that it is meant; #pragma OPENCL EXTENSION cl_khr_fp64 : enable gives the "
                "standard's double)\n",
                u->bare);
}

/* ---- what is absent ---- */

/* A source that does not compile may use what the device does not have: one line that says so, and of which OpenCL it is. The compiler is asked once more for its
 * messages, which show the lines that it does not understand: a word of these is looked for. Words that end in '*' are beginnings. */
void cc_tell_absent(const cc_unit_t *u, const cc_strings_t *argv)
{
    static const char *const absent[][2] = {
        {"image1d_t", "images, which it does not have (CL_DEVICE_IMAGE_SUPPORT is false)"},
        {"image2d_t", "images, which it does not have (CL_DEVICE_IMAGE_SUPPORT is false)"},
        {"image3d_t", "images, which it does not have (CL_DEVICE_IMAGE_SUPPORT is false)"},
        {"read_image*", "images, which it does not have (CL_DEVICE_IMAGE_SUPPORT is false)"},
        {"write_image*", "images, which it does not have (CL_DEVICE_IMAGE_SUPPORT is false)"},
        {"image1d_*", "images, which it does not have (CL_DEVICE_IMAGE_SUPPORT is false)"},
        {"image2d_*", "images, which it does not have (CL_DEVICE_IMAGE_SUPPORT is false)"},
        {"get_image_*", "images, which it does not have (CL_DEVICE_IMAGE_SUPPORT is false)"},
        {"half", "arithmetic of half (cl_khr_fp16), which it does not have"},
        {"half2", "arithmetic of half (cl_khr_fp16), which it does not have"},
        {"half3", "arithmetic of half (cl_khr_fp16), which it does not have"},
        {"half4", "arithmetic of half (cl_khr_fp16), which it does not have"},
        {"half8", "arithmetic of half (cl_khr_fp16), which it does not have"},
        {"half16", "arithmetic of half (cl_khr_fp16), which it does not have"},
        {"convert_half*", "arithmetic of half (cl_khr_fp16), which it does not have"},
        {"work_group_*", "work-group functions, which are of OpenCL 2.0"},
        {"sub_group_*", "subgroups, which are of OpenCL 2.0"},
        {"get_sub_group_*", "subgroups, which are of OpenCL 2.0"},
        {"get_num_sub_groups", "subgroups, which are of OpenCL 2.0"},
        {"get_enqueued_*", "work-item functions which are of OpenCL 2.0"},
        {"get_global_linear_id", "work-item functions which are of OpenCL 2.0"},
        {"get_local_linear_id", "work-item functions which are of OpenCL 2.0"},
        {"ctz", "ctz, which is of OpenCL 2.0"},
        {"to_global", "generic pointers, which are of OpenCL 2.0"},
        {"to_local", "generic pointers, which are of OpenCL 2.0"},
        {"to_private", "generic pointers, which are of OpenCL 2.0"},
        {"generic", "generic pointers, which are of OpenCL 2.0"},
        {"__generic", "generic pointers, which are of OpenCL 2.0"},
        {"pipe", "pipes, which are of OpenCL 2.0"},
        {"read_pipe", "pipes, which are of OpenCL 2.0"},
        {"write_pipe", "pipes, which are of OpenCL 2.0"},
        {"enqueue_kernel", "queues of the device, which are of OpenCL 2.0"},
        {"enqueue_marker", "queues of the device, which are of OpenCL 2.0"},
        {"ndrange_*", "queues of the device, which are of OpenCL 2.0"},
        {"queue_t", "queues of the device, which are of OpenCL 2.0"},
        {"clk_event_t", "queues of the device, which are of OpenCL 2.0"},
        {"memory_order*", "atomics of C11, which are of OpenCL 2.0"},
        {"memory_scope*", "atomics of C11, which are of OpenCL 2.0"},
        {"atomic_init", "atomics of C11, which are of OpenCL 2.0"},
        {"atomic_exchange*", "atomics of C11, which are of OpenCL 2.0"},
        {"atomic_compare_exchange*", "atomics of C11, which are of OpenCL 2.0"},
        {"atomic_flag*", "atomics of C11, which are of OpenCL 2.0"},
        {"atomic_work_item_fence", "atomics of C11, which are of OpenCL 2.0"},
        {"atomic_fetch_*", "atomics of C11, which are of OpenCL 2.0"},
        {"atomic_load*", "atomics of C11, which are of OpenCL 2.0"},
        {"atomic_store*", "atomics of C11, which are of OpenCL 2.0"},
    };
    char *path = cc_format("%s/messages", u->dir);
    char *text = cc_run_messages(argv, path) >= 0 ? cc_read_file(path, NULL) : NULL;
    for (const char *p = text; p && *p; p++) {
        if (!in_word(*p) || (p > text && in_word(p[-1])))
            continue;
        size_t n = 0;
        while (in_word(p[n]))
            n++;
        for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
            const char *word = absent[i][0];
            const size_t length = strcspn(word, "*");
            if (n < length || strncmp(p, word, length) != 0 || (n > length && !word[length]))
                continue;
            cc_error(CC_FAILED, "%s: %.*s: the device is one of OpenCL 1.2; this needs %s", u->source, (int)n, p,
                     absent[i][1]);
            free(text);
            return;
        }
    }
    free(text);
}
