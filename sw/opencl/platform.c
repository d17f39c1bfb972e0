/* The one platform. */
#include "sw/opencl/vcl.h"

#include <string.h>

struct _cl_platform_id vcl_platform = {&vcl_dispatch};

__attribute__((visibility("default"))) cl_int clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms,
                                                                     cl_uint *num_platforms)
{
    if ((!platforms && !num_platforms) || (platforms && !num_entries))
        return FAIL(CL_INVALID_VALUE, "neither platforms nor their number are asked for, or there is no room");
    if (platforms)
        platforms[0] = &vcl_platform;
    if (num_platforms)
        *num_platforms = 1;
    return CL_SUCCESS;
}

cl_int clGetPlatformIDs(cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms)
{
    return clIcdGetPlatformIDsKHR(num_entries, platforms, num_platforms);
}

__attribute__((visibility("default"))) cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info name,
                                                                size_t room, void *out, size_t *bytes_ret)
{
    static const struct {
        cl_platform_info name;
        const char *value;
    } facts[] = {
        {CL_PLATFORM_PROFILE, "FULL_PROFILE"},  {CL_PLATFORM_VERSION, "OpenCL 1.2 Vellum"},
        {CL_PLATFORM_NAME, "Vellum"},           {CL_PLATFORM_VENDOR, "Vellum"},
        {CL_PLATFORM_EXTENSIONS, "cl_khr_icd"}, {CL_PLATFORM_ICD_SUFFIX_KHR, "VELLUM"},
    };
    if (platform && platform != &vcl_platform)
        return FAIL(CL_INVALID_PLATFORM, "this is no platform");
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (facts[i].name == name)
            return vcl_give(__func__, facts[i].value, strlen(facts[i].value) + 1, room, out, bytes_ret);
    return FAIL(CL_INVALID_VALUE, "OpenCL 1.2 has no platform query %#x", name);
}

cl_int clUnloadPlatformCompiler(cl_platform_id platform)
{
    return platform == &vcl_platform ? CL_SUCCESS : FAIL(CL_INVALID_PLATFORM, "this is no platform");
}

cl_int clUnloadCompiler(void)
{
    return CL_SUCCESS;
}
