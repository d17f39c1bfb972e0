/* Checks of a source's text before it is compiled: double where it is not written, and words for features that the device does not have. */
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

/* ---- double ---- */

/* Whether line p of a module has `double` as a word. Metadata and the module's name do not count. */
static bool has_double(const char *p, const char *end)
{
    if (*p == '!' || !strncmp(p, "source_filename", 15))
        return false;
    for (; (p = strstr(p, "double")) && p < end; p++)
        if (!in_word(p[-1]) && !in_word(p[6]))
            return true;
    return false;
}

bool cc_uses_double(const char *ir)
{
    for (const char *p = ir, *end; *p; p = end + (*end != 0)) {
        end = p + strcspn(p, "\n");
        if (end > p && has_double(p, end))
            return true;
    }
    return false;
}

/* A source that does not write `double` has it by a constant without a suffix. The first operation that becomes a call by this is reported, once. */
void cc_tell_double(const cc_unit_t *u, const cc_strings_t *user)
{
    bool quiet = !u->opencl || !u->doubles || cc_mentions(u->source, "double");
    for (size_t i = 0; i < user->n; i++)
        quiet = quiet || !strcmp(user->items[i], "-w") || strstr(user->items[i], "double");
    char *place = quiet ? NULL : cc_where_double(u);
    if (place)
        fprintf(stderr,
                "%s: note: an operation of double, which is a call of 50 to 120 instructions: a constant without a "
                "suffix is a double (with a suffix f, or by -cl-single-precision-constant, it is a float)\n",
                place);
    free(place);
}

/* ---- absent features ---- */

/* A source that does not compile may use a feature that the device has not: one line names it, with its version of OpenCL. The compiler is asked once more for its
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
