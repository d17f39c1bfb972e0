#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sw/runtime/internal.h"

int vl_fail(vl_error *err, int code, const char *format, ...)
{
    if (!err)
        return code;
    char text[sizeof err->text]; /* arguments may point into err->text */
    va_list ap;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    memcpy(err->text, text, strlen(text) + 1);
    err->code = code;
    return code;
}

int vl_record_error(vl_device *d, int e)
{
    if (e && !*d->error.text)
        vl_fail(&d->error, e, "%s: %s", d->name, vl_strerror(e));
    if (e)
        d->error.code = e;
    return e;
}

const char *vl_strerror(int code)
{
    switch (code) {
    case VL_OK: return "no error";
    case VL_EINVAL: return "invalid argument";
    case VL_ENOMEM: return "out of memory";
    case VL_EDEVMEM: return "out of device memory";
    case VL_EIO: return "input/output error";
    case VL_EELF: return "not a kernel image";
    case VL_ENOENT: return "no such name";
    case VL_ECONFIG: return "impossible configuration";
    case VL_EBACKEND: return "backend unavailable";
    case VL_ENOTSUP: return "not supported by this backend";
    case VL_ETOOBIG: return "workgroup does not fit a core";
    case VL_EARG: return "bad kernel argument";
    case VL_EACCESS: return "outside device memory";
    case VL_ESTATE: return "call out of order";
    case VL_EFAULT: return "kernel fault";
    case VL_EDIFF: return "lockstep difference";
    case VL_ELIMIT: return "cycle limit reached";
    case VL_EINTR: return "interrupted";
    case VL_EDEAD: return "device stopped by an earlier failure";
    default: return "unknown error";
    }
}

const char *vl_fault_name(uint32_t cause)
{
    static const char *const names[] = {
        [VL_FAULT_NONE] = "none",
        [VL_FAULT_ILLEGAL] = "illegal instruction",
        [VL_FAULT_FETCH_MISALIGNED] = "misaligned jump target",
        [VL_FAULT_FETCH_ACCESS] = "fetch outside memory",
        [VL_FAULT_LOAD_MISALIGNED] = "misaligned load",
        [VL_FAULT_LOAD_ACCESS] = "load outside memory",
        [VL_FAULT_STORE_MISALIGNED] = "misaligned store",
        [VL_FAULT_STORE_ACCESS] = "store outside memory",
        [VL_FAULT_BARRIER] = "barrier that cannot complete",
        [VL_FAULT_FETCH_PAGE] = "fetch page fault",
        [VL_FAULT_LOAD_PAGE] = "load page fault",
        [VL_FAULT_STORE_PAGE] = "store page fault",
    };
    return cause < sizeof names / sizeof *names && names[cause] ? names[cause] : "unknown fault";
}

void vl_fault_text(const vl_fault *f, char *text, size_t size)
{
    static const char *const value[] = {"value",   "instruction", "target",  "pc", "address", "address", "address",
                                        "address", "value",       "barrier", "pc", "address", "address"};
    if (f->cause == VL_FAULT_BARRIER)
        snprintf(text, size, "%s: %s (divergent: every thread of a workgroup has to reach the same barriers)%s",
                 vl_fault_name(f->cause),
                 f->value ? "a warp of the workgroup has ended"
                          : "a thread of the warp has ended or waits at another barrier",
                 f->place);
    else
        snprintf(text, size, "%s, %s 0x%" PRIx64 "%s", vl_fault_name(f->cause),
                 f->cause < sizeof value / sizeof *value ? value[f->cause] : "value", f->value, f->place);
}
