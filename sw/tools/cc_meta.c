/* Kernels and their arguments, from the output of the compiler's first pass: the metadata of LLVM IR for OpenCL C, the JSON dump of
 * the syntax tree for C. */
#include "sw/tools/cc_internal.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cc_kernel_t *add_kernel(cc_unit_t *u, const char *name)
{
    u->kernels = cc_grow(u->kernels, u->nkernels, sizeof *u->kernels);
    cc_kernel_t *k = &u->kernels[u->nkernels++];
    *k = (cc_kernel_t){.name = cc_format("%s", name)};
    return k;
}

static cc_arg_t *add_arg(cc_kernel_t *k)
{
    k->args = cc_grow(k->args, k->nargs, sizeof *k->args);
    cc_arg_t *a = &k->args[k->nargs++];
    *a = (cc_arg_t){.kind = CC_VALUE};
    return a;
}

/* --------------------------------------------------------------------------------------------------------------------------------------
 * LLVM IR. A kernel is
 *     define ... @NAME(...) ... !kernel_arg_addr_space !8 !kernel_arg_type !10 ... {
 *     !10 = !{!"float*", !"uint"}
 * and only these two shapes of lines are looked at. */

typedef struct {
    const char **body; /* by number: the text behind "!N = " */
    size_t n;
} nodes_t;

static const char *line_end(const char *p)
{
    return strchrnul(p, '\n');
}

static void read_nodes(nodes_t *nodes, const char *text)
{
    for (const char *p = text; *p; p = *line_end(p) ? line_end(p) + 1 : line_end(p)) {
        if (*p != '!' || !isdigit((unsigned char)p[1]))
            continue;
        char *end;
        errno = 0;
        unsigned long id = strtoul(p + 1, &end, 10);
        if (strncmp(end, " = ", 3) || errno || id > strlen(text))
            continue;
        while (nodes->n <= id) {
            nodes->body = cc_grow(nodes->body, nodes->n, sizeof *nodes->body);
            nodes->body[nodes->n++] = NULL;
        }
        nodes->body[id] = end + 3;
    }
}

/* The operands of the node that `attachment` names on the definition's line: strings, and numbers as text. */
static bool read_operands(const nodes_t *nodes, const char *line, const char *attachment, cc_strings_t *out)
{
    const char *end = line_end(line), *p = line;
    size_t length = strlen(attachment);
    for (; p < end; p++)
        if (*p == '!' && !strncmp(p + 1, attachment, length) && p[1 + length] == ' ' && p[2 + length] == '!')
            break;
    if (p >= end)
        return false;
    unsigned long id = strtoul(p + 3 + length, NULL, 10);
    const char *q = id < nodes->n ? nodes->body[id] : NULL;
    if (!q || !(q = strchr(q, '{')))
        return false;
    for (q++; *q && *q != '}' && *q != '\n';) {
        char *item = cc_alloc((size_t)(line_end(q) - q) + 1), *w = item;
        if (q[0] == '!' && q[1] == '"') {
            for (q += 2; *q && *q != '"' && *q != '\n';) {
                unsigned code;
                if (*q == '\\' && sscanf(q + 1, "%2x", &code) == 1 && q[1] != '\\') {
                    *w++ = (char)code;
                    q += 3;
                } else {
                    if (*q == '\\' && q[1] == '\\')
                        q++;
                    *w++ = *q++;
                }
            }
            if (*q == '"')
                q++;
        } else { /* "i32 3" */
            while (*q && *q != ',' && *q != '}' && *q != '\n')
                *w++ = *q++;
        }
        cc_push(out, item);
        free(item);
        while (*q == ',' || *q == ' ')
            q++;
    }
    return true;
}

static unsigned long number(const char *item)
{
    const char *space = strrchr(item, ' ');
    return strtoul(space ? space + 1 : item, NULL, 10);
}

/* "const restrict" */
static uint32_t qualifiers_of(const char *words)
{
    return (strstr(words, "const") ? 1u : 0u) | (strstr(words, "restrict") ? 2u : 0u)
           | (strstr(words, "volatile") ? 4u : 0u);
}

/* "<4 x i8> undef" and whether its integers are signed, as OpenCL C has it: char4. */
static char *type_of_hint(const char *llvm, bool is_signed)
{
    static const struct {
        const char *llvm, *name, *other;
    } types[] = {{"i8", "char", "uchar"},  {"i16", "short", "ushort"}, {"i32", "int", "uint"}, {"i64", "long", "ulong"},
                 {"float", "float", NULL}, {"double", "double", NULL}, {"half", "half", NULL}};
    unsigned n = 1;
    int begin = 0;
    if (*llvm == '<' && sscanf(llvm, "<%u x %n", &n, &begin) != 1)
        return NULL;
    llvm += begin;
    const size_t length = strcspn(llvm, "> ");
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].llvm) == length && !strncmp(types[i].llvm, llvm, length)) {
            const char *name = types[i].other && !is_signed ? types[i].other : types[i].name;
            return n > 1 ? cc_format("%s%u", name, n) : cc_format("%s", name);
        }
    return NULL;
}

/* The attributes that are hints. The compiler keeps their contents, not their order. */
static char *hints_of(const nodes_t *nodes, const char *line)
{
    char *all = NULL, *type;
    cc_strings_t hint = {0}, q = {0};
    if (read_operands(nodes, line, "work_group_size_hint", &q) && q.n == 3)
        all =
            cc_format("work_group_size_hint(%lu,%lu,%lu)", number(q.items[0]), number(q.items[1]), number(q.items[2]));
    if (read_operands(nodes, line, "vec_type_hint", &hint) && hint.n == 2
        && (type = type_of_hint(hint.items[0], number(hint.items[1]))))
        all = cc_format("%s%svec_type_hint(%s)", all ? all : "", all ? " " : "", type);
    return all;
}

static int read_ir_kernel(cc_unit_t *u, const nodes_t *nodes, const char *line)
{
    const char *at = memchr(line, '@', (size_t)(line_end(line) - line));
    cc_strings_t space = {0}, type = {0}, base = {0}, name = {0}, access = {0}, reqd = {0}, qualifiers = {0};
    if (!at || !read_operands(nodes, line, "kernel_arg_addr_space", &space))
        return CC_OK; /* an ordinary function */
    at += at[1] == '"' ? 2 : 1;
    char *kernel_name = cc_format("%.*s", (int)strcspn(at, "(\"\n"), at);
    if (!strncmp(kernel_name, "__clang_ocl_kern_imp_", 21))
        return CC_OK; /* newer compilers: the body that both the kernel and calls of it share */
    read_operands(nodes, line, "kernel_arg_type", &type);
    read_operands(nodes, line, "kernel_arg_base_type", &base);
    read_operands(nodes, line, "kernel_arg_name", &name);
    read_operands(nodes, line, "kernel_arg_access_qual", &access);
    read_operands(nodes, line, "reqd_work_group_size", &reqd);
    read_operands(nodes, line, "kernel_arg_type_qual", &qualifiers);
    if (qualifiers.n != space.n || type.n != space.n || name.n != space.n || base.n != space.n || access.n != space.n)
        return cc_error(CC_FAILED, "%s: the compiler's metadata of kernel %s is not understood", u->source,
                        kernel_name);

    cc_kernel_t *k = add_kernel(u, kernel_name);
    for (size_t i = 0; i < reqd.n && i < 3; i++)
        k->reqd[i] = (uint32_t)number(reqd.items[i]);
    k->hints = hints_of(nodes, line);
    for (size_t i = 0; i < space.n; i++) {
        static const char *const refused[] = {"sampler_t", "event_t", "queue_t", "reserve_id_t", "clk_event_t"};
        bool no = strcmp(access.items[i], "none") != 0 || !strncmp(base.items[i], "image", 5);
        for (size_t r = 0; r < sizeof refused / sizeof *refused; r++)
            no = no || !strcmp(base.items[i], refused[r]);
        if (no)
            return cc_error(CC_FAILED, "%s: kernel %s: argument '%s': the device is one of OpenCL 1.2 that has no %s",
                            u->source, kernel_name, name.items[i], type.items[i]);
        cc_arg_t *a = add_arg(k);
        a->name = name.items[i];
        a->type = type.items[i];
        a->kind = (enum cc_kind)(number(space.items[i]) & 3);
        a->qualifiers = a->kind == CC_VALUE ? 0 : qualifiers_of(qualifiers.items[i]);
    }
    return CC_OK;
}

void cc_read_module(cc_unit_t *u, const char *text)
{
    u->large = cc_inlined_size(text) > CC_INLINE_BUDGET;
    u->volatiles = strstr(text, "load volatile ") || strstr(text, "load atomic ") || strstr(text, " = atomicrmw ")
                   || strstr(text, " = cmpxchg ");
}

int cc_read_ir(cc_unit_t *u, const char *path)
{
    char *text = cc_read_file(path, NULL);
    if (!text)
        return cc_error(CC_FAILED, "cannot read %s: %s", path, strerror(errno));
    nodes_t nodes = {0};
    read_nodes(&nodes, text);
    int status = CC_OK;
    for (const char *p = text; *p && !status; p = *line_end(p) ? line_end(p) + 1 : line_end(p))
        if (!strncmp(p, "define ", 7))
            status = read_ir_kernel(u, &nodes, p);
    u->prints = strstr(text, "@printf(") != NULL;
    u->doubles = u->doubles || cc_uses_double(text);
    cc_read_module(u, text);
    free(nodes.body);
    free(text);
    return status;
}

/* --------------------------------------------------------------------------------------------------------------------------------------
 * The syntax tree of C. VL_KERNEL and VL_LOCAL_ARG (vellum.h) are `annotate` attributes. */

static bool has_inner(json_t *declaration, const char *wanted)
{
    size_t i;
    json_t *child;
    json_array_foreach(json_object_get(declaration, "inner"), i, child)
    {
        const char *kind = json_string_value(json_object_get(child, "kind"));
        if (kind && !strcmp(kind, wanted))
            return true;
    }
    return false;
}

static int read_ast_kernel(cc_unit_t *u, json_t *function)
{
    const char *name = json_string_value(json_object_get(function, "name"));
    const char *type = json_string_value(json_object_get(json_object_get(function, "type"), "qualType"));
    if (!name || !type)
        return CC_OK;
    if (strncmp(type, "void (", 6))
        return cc_error(CC_FAILED, "%s: kernel %s must return void", u->source, name);
    if (json_is_true(json_object_get(function, "variadic")))
        return cc_error(CC_FAILED, "%s: kernel %s must not take variable arguments", u->source, name);
    cc_kernel_t *k = add_kernel(u, name);
    size_t i;
    json_t *parameter;
    json_array_foreach(json_object_get(function, "inner"), i, parameter)
    {
        const char *kind = json_string_value(json_object_get(parameter, "kind"));
        if (!kind || strcmp(kind, "ParmVarDecl"))
            continue;
        json_t *t = json_object_get(parameter, "type");
        const char *written = json_string_value(json_object_get(t, "qualType"));
        const char *plain = json_string_value(json_object_get(t, "desugaredQualType"));
        const char *parameter_name = json_string_value(json_object_get(parameter, "name"));
        plain = plain ? plain : written;
        cc_arg_t *a = add_arg(k);
        a->name = parameter_name ? cc_format("%s", parameter_name) : cc_format("argument%zu", k->nargs);
        a->type = cc_format("%s", written ? written : "");
        if (!plain || strstr(plain, "(*)("))
            return cc_error(CC_FAILED, "%s: kernel %s: argument '%s' cannot be of type %s", u->source, name, a->name,
                            a->type);
        bool local = has_inner(parameter, "AnnotateAttr"), pointer = strchr(plain, '*') != NULL;
        if (local && !pointer)
            return cc_error(CC_FAILED, "%s: kernel %s: argument '%s' is VL_LOCAL_ARG but no pointer", u->source, name,
                            a->name);
        a->kind = !pointer ? CC_VALUE : local ? CC_LOCAL : CC_GLOBAL;
    }
    return CC_OK;
}

int cc_read_ast(cc_unit_t *u, const char *path)
{
    json_error_t e;
    json_t *root = json_load_file(path, 0, &e);
    if (!root)
        return cc_error(CC_FAILED, "%s: the compiler's syntax tree is not understood: %s", u->source, e.text);
    int status = CC_OK;
    size_t i;
    json_t *declaration;
    json_array_foreach(json_object_get(root, "inner"), i, declaration)
    {
        const char *kind = json_string_value(json_object_get(declaration, "kind"));
        const char *name = json_string_value(json_object_get(declaration, "name"));
        if (name && !strcmp(name, "vlp_open") && json_is_true(json_object_get(declaration, "isUsed")))
            u->prints = true;
        if (!status && kind && !strcmp(kind, "FunctionDecl") && has_inner(declaration, "AnnotateAttr")
            && has_inner(declaration, "CompoundStmt"))
            status = read_ast_kernel(u, declaration);
    }
    json_decref(root);
    return status;
}
