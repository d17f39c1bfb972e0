/* Codes by name, and the log: a line for each call that was refused, with the reason, where VELLUM_LOG says. */
#include "sw/opencl/vcl.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *vcl_code_name(cl_int code)
{
    static const struct {
        cl_int code;
        const char *name;
    } names[] = {
#define X(name) {name, #name}
        X(CL_SUCCESS),
        X(CL_DEVICE_NOT_FOUND),
        X(CL_DEVICE_NOT_AVAILABLE),
        X(CL_COMPILER_NOT_AVAILABLE),
        X(CL_MEM_OBJECT_ALLOCATION_FAILURE),
        X(CL_OUT_OF_RESOURCES),
        X(CL_OUT_OF_HOST_MEMORY),
        X(CL_PROFILING_INFO_NOT_AVAILABLE),
        X(CL_MEM_COPY_OVERLAP),
        X(CL_BUILD_PROGRAM_FAILURE),
        X(CL_MAP_FAILURE),
        X(CL_MISALIGNED_SUB_BUFFER_OFFSET),
        X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
        X(CL_COMPILE_PROGRAM_FAILURE),
        X(CL_LINKER_NOT_AVAILABLE),
        X(CL_LINK_PROGRAM_FAILURE),
        X(CL_DEVICE_PARTITION_FAILED),
        X(CL_KERNEL_ARG_INFO_NOT_AVAILABLE),
        X(CL_INVALID_VALUE),
        X(CL_INVALID_DEVICE_TYPE),
        X(CL_INVALID_PLATFORM),
        X(CL_INVALID_DEVICE),
        X(CL_INVALID_CONTEXT),
        X(CL_INVALID_QUEUE_PROPERTIES),
        X(CL_INVALID_COMMAND_QUEUE),
        X(CL_INVALID_HOST_PTR),
        X(CL_INVALID_MEM_OBJECT),
        X(CL_INVALID_SAMPLER),
        X(CL_INVALID_BINARY),
        X(CL_INVALID_BUILD_OPTIONS),
        X(CL_INVALID_PROGRAM),
        X(CL_INVALID_PROGRAM_EXECUTABLE),
        X(CL_INVALID_KERNEL_NAME),
        X(CL_INVALID_KERNEL),
        X(CL_INVALID_ARG_INDEX),
        X(CL_INVALID_ARG_VALUE),
        X(CL_INVALID_ARG_SIZE),
        X(CL_INVALID_KERNEL_ARGS),
        X(CL_INVALID_WORK_DIMENSION),
        X(CL_INVALID_WORK_GROUP_SIZE),
        X(CL_INVALID_WORK_ITEM_SIZE),
        X(CL_INVALID_GLOBAL_OFFSET),
        X(CL_INVALID_EVENT_WAIT_LIST),
        X(CL_INVALID_EVENT),
        X(CL_INVALID_OPERATION),
        X(CL_INVALID_BUFFER_SIZE),
        X(CL_INVALID_GLOBAL_WORK_SIZE),
        X(CL_INVALID_PROPERTY),
        X(CL_INVALID_COMPILER_OPTIONS),
        X(CL_INVALID_LINKER_OPTIONS),
        X(CL_INVALID_DEVICE_PARTITION_COUNT),
#undef X
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].code == code)
            return names[i].name;
    return "unknown code";
}

pthread_mutex_t vcl_file_mutex = PTHREAD_MUTEX_INITIALIZER;

/* One write a line: lines of several threads do not mix. The file is opened anew each time, since programs are forked, and some never end well. False: there is
 * none, or it cannot be written. */
static bool put_line(const char *path, const char *line)
{
    if (!path)
        return false;
    pthread_mutex_lock(&vcl_file_mutex);
    FILE *f = strcmp(path, "-") ? fopen(path, "ae") : stderr;
    bool written = f && fprintf(f, "vellumcl: %s\n", line) > 0;
    if (f && f != stderr)
        written = !fclose(f) && written;
    pthread_mutex_unlock(&vcl_file_mutex);
    return written;
}

void vcl_warn(const char *format, ...)
{
    static atomic_flag warned = ATOMIC_FLAG_INIT;
    char line[2048];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    if (!put_line(vcl_get_settings()->log, line) && !atomic_flag_test_and_set(&warned))
        put_line("-", line);
}

static void put_text(const char *name, const char *path, const char *format, va_list list)
{
    char line[2048];
    vsnprintf(line, sizeof line, format, list);
    if (path && !put_line(path, line))
        vcl_warn("%s=%s: cannot write to it: %s", name, path, strerror(errno));
}

cl_int vcl_fail(const char *who, cl_int code, const char *format, ...)
{
    char reason[1900];
    va_list list;
    va_start(list, format);
    vsnprintf(reason, sizeof reason, format, list);
    va_end(list);
    vcl_note("%s: %s: %s", who, vcl_code_name(code), reason);
    return code;
}

void vcl_note(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    put_text("VELLUM_LOG", vcl_get_settings()->log, format, list);
    va_end(list);
}

void vcl_report_line(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    put_text("VELLUM_REPORT", vcl_get_settings()->report, format, list);
    va_end(list);
}

void *vcl_none(cl_int *errcode_ret, cl_int code)
{
    if (errcode_ret)
        *errcode_ret = code;
    return NULL;
}

cl_int vcl_code_or(int vl_code, cl_int otherwise)
{
    return vl_code == VL_ENOMEM ? CL_OUT_OF_HOST_MEMORY : otherwise;
}

cl_int vcl_code_of(int vl_code, cl_int no_memory)
{
    switch (vl_code) {
    case VL_OK: return CL_SUCCESS;
    case VL_ENOMEM: return CL_OUT_OF_HOST_MEMORY;
    case VL_EDEVMEM: return no_memory;
    case VL_EARG: return CL_INVALID_KERNEL_ARGS;
    case VL_EELF: return CL_INVALID_BINARY;
    default: return CL_OUT_OF_RESOURCES;
    }
}
