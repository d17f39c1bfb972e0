/* The one device: a configuration on a backend. Its properties are read from the configuration, without building or opening a machine. */
#include "sw/opencl/vcl.h"
#include "sw/runtime/internal.h"

#include <stdio.h>
#include <string.h>

struct _cl_device_id vcl_device = {&vcl_dispatch};

static vcl_facts facts;
static vcl_once reading = VCL_ONCE;

/* Opens `ref`, which is part of the library and knows every configuration and policy, if the settings are good. */
static int open_reference(const vcl_settings *s, vl_device **dev, vl_error *err)
{
    bool known = false;
    if (s->lacking)
        return VL_ENOMEM;
    if (s->wrong)
        return vl_fail(err, VL_EINVAL, "%s", s->wrong);
    int e = vl_memory_parse(&facts.memory, s->memory, err);
    if (e)
        return vl_fail(err, e, "VELLUM_MEMORY=%.200s: %s", s->memory, err->text);
    for (size_t i = 0; vl_backend_name(i); i++)
        known |= !strcmp(vl_backend_name(i), s->backend);
    if (!known)
        return vl_fail(err, VL_ENOENT, "VELLUM_BACKEND=%.80s: no backend (there are: model, rtl, lockstep, ref)",
                       s->backend);
    if (s->checks && strcmp(s->backend, "ref"))
        return vl_fail(err, VL_EINVAL, "VELLUM_CHECK_BUFFERS: backend %s does not look every access up, ref does",
                       s->backend);
    e = vl_open(dev, s->config, "ref", &(vl_options){.root = s->root}, err);
    if (!e && (e = vcl_set_policies(*dev, err)))
        vl_close(*dev);
    return e;
}

/* A number of the configuration, which has all that are asked for. */
static uint64_t value(const vl_device *dev, const char *name)
{
    return (uint64_t)vl_config_value(dev, name, 0);
}

/* Whether there was memory for it. */
static bool read_facts(void)
{
    const vcl_settings *s = vcl_get_settings();
    vl_device *dev = NULL;
    vl_error err = {0};
    snprintf(facts.name, sizeof facts.name, "Vellum %.40s (%.40s)", s->config, s->backend);
    facts.code = open_reference(s, &dev, &err);
    if (facts.code == VL_ENOMEM)
        return false;
    if (facts.code) {
        snprintf(facts.why, sizeof facts.why, "%.*s", (int)sizeof facts.why - 1, err.text);
        vcl_warn("no device: %s", facts.why);
        return true;
    }
    facts.cores = (cl_uint)value(dev, "cores");
    facts.warps = (cl_uint)value(dev, "warps");
    facts.threads = (cl_uint)value(dev, "threads");
    facts.spad_bytes = value(dev, "spad_bytes");
    facts.cache_bytes = value(dev, "l2_bytes") * value(dev, "l2_slices") * value(dev, "channels");
    facts.line_bytes = (cl_uint)value(dev, "line_bytes");
    facts.clock_khz = (uint32_t)value(dev, "clock_khz");
    vl_ptr from, end;
    vl_heap_range(dev, &from, &end);
    facts.heap_bytes = end - from;
    vl_close(dev);
    return true;
}

const vcl_facts *vcl_get_facts(void)
{
    static const vcl_facts lacking = {.code = VL_ENOMEM, .why = "no memory", .name = "Vellum", .clock_khz = 1};
    return vcl_read_once(&reading, read_facts) ? &facts : &lacking;
}

size_t vcl_group_limit(void)
{
    const vcl_facts *f = vcl_get_facts();
    return f->code ? 1 : (size_t)f->warps * f->threads;
}

cl_int vcl_check_type(const char *who, cl_device_type type)
{
    const cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU
                                 | CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
    if (type != CL_DEVICE_TYPE_ALL && (!type || type & ~known))
        return vcl_fail(who, CL_INVALID_DEVICE_TYPE, "device type %#llx", (unsigned long long)type);
    if (!(type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_DEFAULT)))
        return vcl_fail(who, CL_DEVICE_NOT_FOUND, "the device is a GPU");
    return CL_SUCCESS;
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint num_entries, cl_device_id *devices,
                      cl_uint *num_devices)
{
    if (platform && platform != &vcl_platform)
        return FAIL(CL_INVALID_PLATFORM, "this is no platform");
    if ((!devices && !num_devices) || (devices && !num_entries))
        return FAIL(CL_INVALID_VALUE, "neither devices nor their number are asked for, or there is no room");
    const cl_int e = vcl_check_type(__func__, type);
    if (num_devices)
        *num_devices = !e;
    if (e)
        return e;
    if (devices)
        devices[0] = &vcl_device;
    return CL_SUCCESS;
}

cl_int clRetainDevice(cl_device_id device)
{
    return device == &vcl_device ? CL_SUCCESS : FAIL(CL_INVALID_DEVICE, "this is no device");
}

cl_int clReleaseDevice(cl_device_id device)
{
    return device == &vcl_device ? CL_SUCCESS : FAIL(CL_INVALID_DEVICE, "this is no device");
}

cl_int clCreateSubDevices(cl_device_id device, const cl_device_partition_property *properties, cl_uint num_entries,
                          cl_device_id *out, cl_uint *num_ret)
{
    (void)properties, (void)num_entries, (void)out, (void)num_ret;
    if (device != &vcl_device)
        return FAIL(CL_INVALID_DEVICE, "this is no device");
    return FAIL(CL_INVALID_VALUE, "the device cannot be partitioned (CL_DEVICE_PARTITION_PROPERTIES has nothing)");
}

/* ---- queries: numbers, and texts ---- */

typedef struct number {
    cl_device_info name;
    size_t bytes;
    uint64_t value;
} number;

#define UINT(name, value) {name, sizeof(cl_uint), value}
#define BOOL(name, value) {name, sizeof(cl_bool), value}
#define SIZE(name, value) {name, sizeof(size_t), value}
#define LONG(name, value) {name, sizeof(cl_ulong), value}

/* Properties that are the same for every configuration. */
static const number constants[] = {
    LONG(CL_DEVICE_TYPE, CL_DEVICE_TYPE_GPU),
    UINT(CL_DEVICE_VENDOR_ID, 0x564c),
    UINT(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 3),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, 1),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, 1),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, 1),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, 1),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, 1),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, 1),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, 0),
    UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, 1),
    UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, 1),
    UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, 1),
    UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, 1),
    UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, 1),
    UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, 1),
    UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, 0),
    UINT(CL_DEVICE_ADDRESS_BITS, 64),
    BOOL(CL_DEVICE_IMAGE_SUPPORT, CL_FALSE),
    UINT(CL_DEVICE_MAX_READ_IMAGE_ARGS, 0),
    UINT(CL_DEVICE_MAX_WRITE_IMAGE_ARGS, 0),
    SIZE(CL_DEVICE_IMAGE2D_MAX_WIDTH, 0),
    SIZE(CL_DEVICE_IMAGE2D_MAX_HEIGHT, 0),
    SIZE(CL_DEVICE_IMAGE3D_MAX_WIDTH, 0),
    SIZE(CL_DEVICE_IMAGE3D_MAX_HEIGHT, 0),
    SIZE(CL_DEVICE_IMAGE3D_MAX_DEPTH, 0),
    SIZE(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, 0),
    SIZE(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, 0),
    UINT(CL_DEVICE_MAX_SAMPLERS, 0),
    SIZE(CL_DEVICE_MAX_PARAMETER_SIZE, VCL_ARGS_MOST),
    UINT(CL_DEVICE_MEM_BASE_ADDR_ALIGN, VCL_LINE * 8),
    UINT(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, VCL_LINE),
    LONG(CL_DEVICE_SINGLE_FP_CONFIG,
         CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT),
    LONG(CL_DEVICE_DOUBLE_FP_CONFIG, CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO
                                         | CL_FP_ROUND_TO_INF | CL_FP_FMA | CL_FP_SOFT_FLOAT),
    UINT(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, CL_READ_WRITE_CACHE),
    UINT(CL_DEVICE_MAX_CONSTANT_ARGS, 64),
    UINT(CL_DEVICE_LOCAL_MEM_TYPE, CL_LOCAL),
    BOOL(CL_DEVICE_ERROR_CORRECTION_SUPPORT, CL_FALSE),
    SIZE(CL_DEVICE_PROFILING_TIMER_RESOLUTION, 1),
    BOOL(CL_DEVICE_ENDIAN_LITTLE, CL_TRUE),
    BOOL(CL_DEVICE_COMPILER_AVAILABLE, CL_TRUE),
    BOOL(CL_DEVICE_LINKER_AVAILABLE, CL_TRUE),
    LONG(CL_DEVICE_EXECUTION_CAPABILITIES, CL_EXEC_KERNEL),
    LONG(CL_DEVICE_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE),
    SIZE(CL_DEVICE_PRINTF_BUFFER_SIZE, VCL_PRINTF_BYTES),
    BOOL(CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, CL_TRUE),
    SIZE(CL_DEVICE_PARENT_DEVICE, 0),
    UINT(CL_DEVICE_PARTITION_MAX_SUB_DEVICES, 1),
    SIZE(CL_DEVICE_PARTITION_PROPERTIES, 0),
    LONG(CL_DEVICE_PARTITION_AFFINITY_DOMAIN, 0),
    SIZE(CL_DEVICE_PARTITION_TYPE, 0),
    UINT(CL_DEVICE_REFERENCE_COUNT, 1),
};

static const struct {
    cl_device_info name;
    const char *value;
} texts[] = {
    {CL_DEVICE_VENDOR, "Vellum"},
    {CL_DRIVER_VERSION, "1.0"},
    {CL_DEVICE_PROFILE, "FULL_PROFILE"},
    {CL_DEVICE_VERSION, "OpenCL 1.2 Vellum"},
    {CL_DEVICE_OPENCL_C_VERSION, "OpenCL C 1.2 Vellum"},
    {CL_DEVICE_BUILT_IN_KERNELS, ""},
    {CL_DEVICE_EXTENSIONS,
     "cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics cl_khr_local_int32_base_atomics "
     "cl_khr_local_int32_extended_atomics cl_khr_byte_addressable_store cl_khr_int64_base_atomics "
     "cl_khr_int64_extended_atomics cl_khr_fp64"},
};

static bool of_configuration(cl_device_info name, number *out)
{
    const vcl_facts *f = vcl_get_facts();
    const size_t group = vcl_group_limit();
    const uint64_t constant = vcl_least(f->heap_bytes / 2, 0x7fffffff);
    const number numbers[] = {
        UINT(CL_DEVICE_MAX_COMPUTE_UNITS, f->cores),
        SIZE(CL_DEVICE_MAX_WORK_GROUP_SIZE, group),
        UINT(CL_DEVICE_MAX_CLOCK_FREQUENCY, f->clock_khz / 1000),
        LONG(CL_DEVICE_GLOBAL_MEM_SIZE, f->heap_bytes),
        LONG(CL_DEVICE_MAX_MEM_ALLOC_SIZE, f->heap_bytes / 2),
        LONG(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, f->cache_bytes),
        UINT(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, f->line_bytes),
        LONG(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, constant),
        LONG(CL_DEVICE_LOCAL_MEM_SIZE, f->spad_bytes),
        BOOL(CL_DEVICE_HOST_UNIFIED_MEMORY, strncmp(vcl_get_settings()->memory, "bare", 4) != 0),
        BOOL(CL_DEVICE_AVAILABLE, !f->code),
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].name == name) {
            *out = numbers[i];
            return true;
        }
    return false;
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t room, void *out, size_t *bytes_ret)
{
    if (device != &vcl_device)
        return FAIL(CL_INVALID_DEVICE, "this is no device");
    if (vcl_get_facts()->code == VL_ENOMEM)
        return CL_OUT_OF_HOST_MEMORY;
    number n;
    bool found = of_configuration(name, &n);
    for (size_t i = 0; !found && i < sizeof constants / sizeof *constants; i++)
        if (constants[i].name == name) {
            n = constants[i];
            found = true;
        }
    if (found) { /* little-endian: the low bytes come first */
        return vcl_give(__func__, &n.value, n.bytes, room, out, bytes_ret);
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].name == name)
            return vcl_give(__func__, texts[i].value, strlen(texts[i].value) + 1, room, out, bytes_ret);
    if (name == CL_DEVICE_NAME)
        return vcl_give(__func__, vcl_get_facts()->name, strlen(vcl_get_facts()->name) + 1, room, out, bytes_ret);
    if (name == CL_DEVICE_PLATFORM)
        return vcl_give(__func__, &(cl_platform_id){&vcl_platform}, sizeof(cl_platform_id), room, out, bytes_ret);
    if (name == CL_DEVICE_MAX_WORK_ITEM_SIZES) {
        const size_t most = vcl_group_limit(), sizes[3] = {most, most, most};
        return vcl_give(__func__, sizes, sizeof sizes, room, out, bytes_ret);
    }
    return FAIL(CL_INVALID_VALUE, "OpenCL 1.2 has no device query %#x", name);
}
