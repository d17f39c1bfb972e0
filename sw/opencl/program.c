/* Programs: source and binary, building, queries. */
#include "sw/opencl/vcl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_program new_program(cl_context context, cl_int *errcode_ret)
{
    cl_program p = vcl_new(VCL_PROGRAM);
    if (!p) {
        vcl_none(errcode_ret, CL_OUT_OF_HOST_MEMORY);
        return NULL;
    }
    vcl_use(context);
    p->context = context;
    p->status = CL_BUILD_NONE;
    return p;
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **strings, const size_t *lengths,
                                     cl_int *errcode_ret)
{
    if (!vcl_is(context, VCL_CONTEXT))
        return vcl_none(errcode_ret, FAIL(CL_INVALID_CONTEXT, "this is no context"));
    if (!count || !strings)
        return vcl_none(errcode_ret, FAIL(CL_INVALID_VALUE, "no source"));
    size_t n = 0;
    for (cl_uint i = 0; i < count; i++) {
        if (!strings[i])
            return vcl_none(errcode_ret, FAIL(CL_INVALID_VALUE, "strings[%u] is NULL", i));
        n += lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
    }
    cl_program p = new_program(context, errcode_ret);
    if (!p)
        return NULL;
    char *at = p->source = malloc(n + 1);
    if (!at) {
        vcl_release(__func__, p, VCL_PROGRAM);
        return vcl_none(errcode_ret, CL_OUT_OF_HOST_MEMORY);
    }
    for (cl_uint i = 0; i < count; i++) {
        const size_t length = lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
        memcpy(at, strings[i], length);
        at += length;
    }
    *at = 0;
    if (errcode_ret)
        *errcode_ret = CL_SUCCESS;
    return p;
}

static const char marks[2][VCL_MARK] = {"VLCLOBJ", "VLCLLIB"}; /* a compiled program, a library */

/* Adds the mark to the compiler's output. */
static cl_int mark(cl_program p, bool library)
{
    unsigned char *more = realloc(p->binary, p->binary_bytes + VCL_MARK);
    if (!more)
        return CL_OUT_OF_HOST_MEMORY;
    memmove(more + VCL_MARK, more, p->binary_bytes);
    memcpy(more, marks[library], VCL_MARK);
    p->binary = more;
    p->binary_bytes += VCL_MARK;
    return CL_SUCCESS;
}

/* CL_PROGRAM_BINARY_TYPE_NONE: not one of these. LLVM bitcode begins with BC and a number. */
static cl_program_binary_type type_of_mark(const unsigned char *binary, size_t bytes)
{
    for (int library = 0; library < 2; library++)
        if (bytes > VCL_MARK + 4 && !memcmp(binary, marks[library], VCL_MARK)
            && !memcmp(binary + VCL_MARK, "BC\xc0\xde", 4))
            return library ? CL_PROGRAM_BINARY_TYPE_LIBRARY : CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
    return CL_PROGRAM_BINARY_TYPE_NONE;
}

cl_program clCreateProgramWithBinary(cl_context context, cl_uint num_devices, const cl_device_id *devices,
                                     const size_t *lengths, const unsigned char **binaries, cl_int *status,
                                     cl_int *errcode_ret)
{
    if (!vcl_is(context, VCL_CONTEXT))
        return vcl_none(errcode_ret, FAIL(CL_INVALID_CONTEXT, "this is no context"));
    if (!num_devices || !devices || !lengths || !binaries)
        return vcl_none(errcode_ret, FAIL(CL_INVALID_VALUE, "no devices or no binaries"));
    if (num_devices != 1 || devices[0] != &vcl_device)
        return vcl_none(errcode_ret, FAIL(CL_INVALID_DEVICE, "the context has one device"));
    if (!lengths[0] || !binaries[0]) {
        if (status)
            *status = CL_INVALID_VALUE;
        return vcl_none(errcode_ret, FAIL(CL_INVALID_VALUE, "an empty binary"));
    }
    vl_error *err = calloc(1, sizeof *err);
    cl_program p = err ? new_program(context, errcode_ret) : vcl_none(errcode_ret, CL_OUT_OF_HOST_MEMORY);
    if (!p) {
        free(err);
        return NULL;
    }
    cl_int e = CL_SUCCESS;
    p->type = type_of_mark(binaries[0], lengths[0]);
    const bool executable = p->type == CL_PROGRAM_BINARY_TYPE_NONE;
    const int v = executable ? vl_image_parse(&p->image, binaries[0], lengths[0], err) : 0;
    if (v)
        e = FAIL(vcl_code_of(v, CL_OUT_OF_RESOURCES), "%s", err->text);
    else if (!(p->binary = malloc(lengths[0])))
        e = CL_OUT_OF_HOST_MEMORY;
    free(err);
    if (status)
        *status = e;
    if (e) {
        vcl_release(__func__, p, VCL_PROGRAM);
        return vcl_none(errcode_ret, e);
    }
    memcpy(p->binary, binaries[0], lengths[0]);
    p->binary_bytes = lengths[0];
    if (executable)
        p->type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    if (errcode_ret)
        *errcode_ret = CL_SUCCESS;
    return p;
}

cl_program clCreateProgramWithBuiltInKernels(cl_context context, cl_uint num_devices, const cl_device_id *devices,
                                             const char *names, cl_int *errcode_ret)
{
    if (!vcl_is(context, VCL_CONTEXT))
        return vcl_none(errcode_ret, FAIL(CL_INVALID_CONTEXT, "this is no context"));
    if (num_devices && devices)
        for (cl_uint i = 0; i < num_devices; i++)
            if (devices[i] != &vcl_device)
                return vcl_none(errcode_ret, FAIL(CL_INVALID_DEVICE, "devices[%u] is no device", i));
    return vcl_none(errcode_ret, FAIL(CL_INVALID_VALUE, "no kernel of the names %.80s: the device has none built in",
                                      names ? names : "(none)"));
}

/* ---- building ---- */

/* The image goes away: a machine that has it loads another before it runs. */
static void drop_image(cl_program p)
{
    if (!p->image)
        return;
    vcl_machine *m = &p->context->machine;
    vcl_machine_take(m);
    if (m->loaded == p->image)
        m->loaded = NULL;
    vcl_machine_give(m);
    vl_image_free(p->image);
    p->image = NULL;
}

/* All that a failed build left but its log. */
static void drop_result(cl_program p)
{
    free(p->binary);
    p->binary = NULL;
    p->binary_bytes = 0;
}

static void drop_build(cl_program p)
{
    drop_image(p);
    drop_result(p);
    free(p->options);
    free(p->log);
    p->options = p->log = NULL;
    p->type = CL_PROGRAM_BINARY_TYPE_NONE;
}

static cl_int check_build(const char *who, cl_program p, cl_uint num_devices, const cl_device_id *devices,
                          const void *notify, const void *user)
{
    if (!vcl_is(p, VCL_PROGRAM))
        return vcl_fail(who, CL_INVALID_PROGRAM, "this is no program");
    if (!num_devices != !devices || (!notify && user))
        return vcl_fail(who, CL_INVALID_VALUE,
                        "a number of devices without a list or the other way round, or user data without a function");
    for (cl_uint i = 0; i < num_devices; i++)
        if (devices[i] != &vcl_device)
            return vcl_fail(who, CL_INVALID_DEVICE, "device_list[%u] is no device of the program", i);
    return CL_SUCCESS;
}

/* One build of a program at a time, and none while it has kernels. */
static cl_int begin_build(const char *who, cl_program p)
{
    vcl_lock();
    const bool attached = p->kernels != 0, building = p->building;
    if (!attached && !building) {
        p->building = true;
        p->status = CL_BUILD_IN_PROGRESS;
    }
    vcl_unlock();
    if (attached || building)
        return vcl_fail(who, CL_INVALID_OPERATION, attached ? "the program has kernels" : "the program is being built");
    return CL_SUCCESS;
}

static void end_build(cl_program p, cl_build_status status)
{
    vcl_lock();
    p->building = false;
    p->status = status;
    vcl_unlock();
}

/* With begin_build: from the source to an image or an object. */
static cl_int build_source(const char *who, cl_program p, const vcl_job *job, const char *options,
                           cl_int invalid_options, cl_int failure)
{
    char *wrong;
    char **words = vcl_split_options(options, &wrong);
    if (!words && wrong) {
        const cl_int e = vcl_fail(who, invalid_options, "%s is no option of OpenCL 1.2", wrong);
        const bool logged = asprintf(&p->log, "%s is no option of OpenCL 1.2\n", wrong) >= 0;
        if (!logged)
            p->log = NULL;
        free(wrong);
        return logged ? e : CL_OUT_OF_HOST_MEMORY;
    }
    vl_error *err = calloc(1, sizeof *err);
    vcl_text log = {0};
    cl_int e = words && err ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    const int status = e ? -1 : vcl_compile(job, words, &log, &p->binary, &p->binary_bytes);
    free(words);
    p->log = log.text;
    int v;
    if (status == VCL_NO_MEMORY)
        e = CL_OUT_OF_HOST_MEMORY;
    else if (!e && status < 0)
        e = vcl_fail(who, CL_COMPILER_NOT_AVAILABLE, "%s", log.text ? log.text : "the compiler did not run");
    else if (!e && status) /* 2: wrong use of the command, which only wrong options can cause */
        e = vcl_fail(who, status == 2 ? invalid_options : failure, "see the build log");
    else if (!e && job->object)
        e = mark(p, false);
    else if (!e && (v = vl_image_parse(&p->image, p->binary, p->binary_bytes, err)))
        e = vcl_fail(who, vcl_code_or(v, failure), "%s", err->text);
    free(err);
    if (e)
        drop_result(p);
    p->arg_info = !e;
    return e;
}

/* An earlier build goes, and the options of this one are kept. */
static cl_int new_build(cl_program p, const char *options)
{
    drop_build(p);
    p->options = strdup(options);
    return p->options ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

typedef void(CL_CALLBACK *built)(cl_program, void *);

cl_int clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id *devices, const char *options,
                      built notify, void *user)
{
    cl_int e = check_build(__func__, program, num_devices, devices, (const void *)notify, user);
    if (!e && !program->source && !program->image)
        e = FAIL(CL_INVALID_BINARY, "a compiled program or a library is linked, not built");
    e = e ? e : begin_build(__func__, program);
    if (e)
        return e;
    options = options ? options : "";
    if (program->source) {
        e = new_build(program, options);
        e = e ? e
              : build_source(__func__, program, &(vcl_job){.source = program->source}, options,
                             CL_INVALID_BUILD_OPTIONS, CL_BUILD_PROGRAM_FAILURE);
        if (!e)
            program->type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    } else {
        char *copy = strdup(options);
        e = copy ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
        free(program->options);
        program->options = copy;
    }
    end_build(program, e ? CL_BUILD_ERROR : CL_BUILD_SUCCESS);
    if (notify)
        notify(program, user);
    return e;
}

cl_int clCompileProgram(cl_program program, cl_uint num_devices, const cl_device_id *devices, const char *options,
                        cl_uint num_headers, const cl_program *headers, const char **names, built notify, void *user)
{
    cl_int e = check_build(__func__, program, num_devices, devices, (const void *)notify, user);
    if (e)
        return e;
    if (!num_headers != !headers || !num_headers != !names)
        return FAIL(CL_INVALID_VALUE, "a number of headers without programs or names, or the other way round");
    if (!program->source)
        return FAIL(CL_INVALID_OPERATION, "the program has no source");
    vcl_header *list = calloc(num_headers + 1, sizeof *list);
    if (!list)
        return CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; !e && i < num_headers; i++) {
        if (!vcl_is(headers[i], VCL_PROGRAM) || !headers[i]->source)
            e = FAIL(CL_INVALID_PROGRAM, "header %u is no program with a source", i);
        else if (!names[i])
            e = FAIL(CL_INVALID_VALUE, "header %u has no name", i);
        else
            list[i] = (vcl_header){names[i], headers[i]->source};
    }
    e = e ? e : begin_build(__func__, program);
    if (!e) {
        options = options ? options : "";
        e = new_build(program, options);
        const vcl_job job = {.source = program->source, .headers = list, .n_headers = num_headers, .object = true};
        e = e ? e
              : build_source(__func__, program, &job, options, CL_INVALID_COMPILER_OPTIONS, CL_COMPILE_PROGRAM_FAILURE);
        if (!e)
            program->type = CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
        end_build(program, e ? CL_BUILD_ERROR : CL_BUILD_SUCCESS);
        if (notify)
            notify(program, user);
    }
    free(list);
    return e;
}

/* Of compiled programs and libraries an image, or a library. */
static cl_int link_objects(const char *who, cl_program p, const cl_program *inputs, size_t n, bool library)
{
    vl_error *err = calloc(1, sizeof *err);
    vcl_text log = {0};
    const vcl_job job = {.objects = inputs, .n_objects = n, .object = library};
    cl_int e = err && p->options ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    int v;
    const int status = e ? -1 : vcl_compile(&job, &(char *){NULL}, &log, &p->binary, &p->binary_bytes);
    p->log = log.text;
    if (status == VCL_NO_MEMORY)
        e = CL_OUT_OF_HOST_MEMORY;
    else if (!e && status < 0)
        e = vcl_fail(who, CL_LINKER_NOT_AVAILABLE, "%s", log.text ? log.text : "the compiler did not run");
    else if (!e && status)
        e = vcl_fail(who, CL_LINK_PROGRAM_FAILURE, "see the build log");
    else if (!e && library)
        e = mark(p, true);
    else if (!e && (v = vl_image_parse(&p->image, p->binary, p->binary_bytes, err)))
        e = vcl_fail(who, vcl_code_or(v, CL_LINK_PROGRAM_FAILURE), "%s", err->text);
    free(err);
    if (e)
        drop_result(p);
    p->arg_info = !e;
    if (!e)
        p->type = library ? CL_PROGRAM_BINARY_TYPE_LIBRARY : CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    p->status = e ? CL_BUILD_ERROR : CL_BUILD_SUCCESS;
    return e;
}

cl_program clLinkProgram(cl_context context, cl_uint num_devices, const cl_device_id *devices, const char *options,
                         cl_uint num_inputs, const cl_program *inputs, built notify, void *user, cl_int *errcode_ret)
{
    if (!vcl_is(context, VCL_CONTEXT))
        return vcl_none(errcode_ret, FAIL(CL_INVALID_CONTEXT, "this is no context"));
    if (!num_devices != !devices || (!notify && user) || !num_inputs || !inputs)
        return vcl_none(errcode_ret,
                        FAIL(CL_INVALID_VALUE, "devices, programs or user data without what belongs to them"));
    for (cl_uint i = 0; i < num_devices; i++)
        if (devices[i] != &vcl_device)
            return vcl_none(errcode_ret, FAIL(CL_INVALID_DEVICE, "device_list[%u] is no device of the context", i));
    for (cl_uint i = 0; i < num_inputs; i++) {
        if (!vcl_is(inputs[i], VCL_PROGRAM))
            return vcl_none(errcode_ret, FAIL(CL_INVALID_PROGRAM, "input %u is no program", i));
        if ((inputs[i]->type != CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT
             && inputs[i]->type != CL_PROGRAM_BINARY_TYPE_LIBRARY)
            || inputs[i]->building)
            return vcl_none(errcode_ret, FAIL(CL_INVALID_OPERATION, "input %u is not compiled, and no library", i));
    }
    char *wrong = NULL;
    bool library;
    options = options ? options : "";
    if (!vcl_link_options(options, &library, &wrong)) {
        const cl_int e =
            wrong ? FAIL(CL_INVALID_LINKER_OPTIONS, "%s is no option of a link", wrong) : CL_OUT_OF_HOST_MEMORY;
        free(wrong);
        return vcl_none(errcode_ret, e);
    }
    cl_program p = new_program(context, errcode_ret);
    if (!p)
        return NULL;
    p->options = strdup(options);
    const cl_int e = link_objects(__func__, p, inputs, num_inputs, library);
    if (errcode_ret)
        *errcode_ret = e;
    if (notify)
        notify(p, user);
    return p; /* also after a failed link: its log says why */
}

void vcl_program_destroy(void *program)
{
    cl_program p = program;
    drop_build(p);
    free(p->source);
    vcl_unuse(p->context);
}

cl_int clRetainProgram(cl_program program)
{
    return vcl_retain(__func__, program, VCL_PROGRAM);
}

cl_int clReleaseProgram(cl_program program)
{
    return vcl_release(__func__, program, VCL_PROGRAM);
}
