/* What the text of a source says before anything is compiled: whether it names double, and which word of it the device does not have. */
#include "sw/tools/cc_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool cc_mentions(const char *path, const char *word)
{
    char *text = cc_read_file(path, NULL);
    const bool found = text && strstr(text, word);
    free(text);
    return found;
}

/* Whether OpenCL C names `double`, comments aside. Where it does not, constants without a suffix are float: a double's every operation is a call here, and
 * most of what is written for graphics means float. The preprocessor is asked where the word may come from elsewhere. */
int cc_find_doubles(cc_unit_t *u, const char *clang, const cc_strings_t *options)
{
    bool may = cc_mentions(u->source, "double") || cc_mentions(u->source, "include");
    for (size_t i = 0; i < options->n; i++)
        may = may || (!strncmp(options->items[i], "-D", 2) && strstr(options->items[i], "double"));
    if (!may)
        return CC_OK;
    char *text = cc_format("%s/preprocessed", u->dir);
    cc_strings_t c = cc_command(clang);
    for (size_t i = 0; i < options->n; i++)
        if (strcmp(options->items[i], "-Xclang") != 0 || strcmp(options->items[i + 1], "-finclude-default-header") != 0)
            cc_push(&c, options->items[i]);
        else
            i++;
    char *source = cc_format("%s%s", u->source[0] == '-' ? "./" : "", u->source);
    const char *const rest[] = {"-cl-no-stdinc", "-E", "-P", "-o", text, source, NULL};
    cc_push_all(&c, rest);
    const int status = cc_run_quietly(&c);
    u->doubles = status != 0 || cc_mentions(text, "double"); /* pass 1 says what is wrong with it */
    return status > 128 ? status : CC_OK;
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

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
        {"half", "arithmetic of half (cl_khr_fp16), which it does not have"},
        {"work_group_*", "work-group functions, which are of OpenCL 2.0"},
        {"sub_group_*", "subgroups, which are of OpenCL 2.0"},
        {"get_sub_group_*", "subgroups, which are of OpenCL 2.0"},
        {"to_global", "generic pointers, which are of OpenCL 2.0"},
        {"to_local", "generic pointers, which are of OpenCL 2.0"},
        {"to_private", "generic pointers, which are of OpenCL 2.0"},
        {"generic", "generic pointers, which are of OpenCL 2.0"},
        {"__generic", "generic pointers, which are of OpenCL 2.0"},
        {"pipe", "pipes, which are of OpenCL 2.0"},
        {"read_pipe", "pipes, which are of OpenCL 2.0"},
        {"write_pipe", "pipes, which are of OpenCL 2.0"},
        {"enqueue_kernel", "queues of the device, which are of OpenCL 2.0"},
        {"memory_order_*", "atomics of C11, which are of OpenCL 2.0"},
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
