#include "verif/sw/vm/lib.h"

#include <stdio.h>
#include <stdlib.h>

const char *elf_path, *machine_name = "ref", *config_name = "tiny";
static vl_image *image;

void load_image(vl_device *d)
{
    vl_error err;
    if (!image && vl_image_read(&image, elf_path, &err))
        fail_msg("%s", err.text);
    if (vl_load(d, image))
        fail_msg("%s", vl_detail(d));
}

vl_device *open_device(const char *memory, uint64_t mem_limit)
{
    vl_options opt = {.mem_limit = mem_limit};
    vl_error err;
    vl_device *d;
    if (vl_memory_parse(&opt.memory, memory, &err))
        fail_msg("%s", err.text);
    if (vl_open(&d, config_name, machine_name, &opt, &err))
        fail_msg("%s", err.text);
    vl_set_max_cycles(d, 1000000000);
    load_image(d);
    return d;
}

void close_device(vl_device *d)
{
    check_consistent(d);
    vl_close(d);
}

int launch(vl_device *d, const char *kernel, uint64_t global, uint64_t local, vl_result *r, const uint64_t *args,
           unsigned n)
{
    vl_kernel *k;
    vl_error err;
    int e = vl_kernel_open(&k, image, kernel, &err);
    if (e == VL_ENOMEM)
        return e;
    if (e)
        fail_msg("%s", err.text);
    const vl_kernel_info *info = vl_kernel_get_info(k);
    assert_int_equal(info->n_args, n);
    for (unsigned i = 0; i < n; i++)
        if (info->args[i].kind == VL_ARG_LOCAL ? vl_kernel_set_local(k, i, args[i], &err)
                                               : vl_kernel_set(k, i, &args[i], info->args[i].size, &err))
            fail_msg("%s", err.text);
    e = vl_launch(d, k, &(vl_range){.dims = 1, .global = {global}, .local = {local}}, r);
    vl_kernel_close(k);
    return e;
}

vl_ptr buffer(vl_device *d, uint64_t bytes)
{
    vl_ptr p;
    if (vl_malloc(d, bytes, &p))
        fail_msg("%s", vl_detail(d));
    return p;
}

uint32_t access_one(vl_device *d, vl_ptr p, unsigned kind, uint32_t value, int code, vl_result *r)
{
    vl_result mine;
    vl_ptr list = buffer(d, sizeof(probe));
    *(probe *)vl_host(d, list) = (probe){p, kind, value};
    int e = LAUNCH(d, "probe", 1, 1, r ? r : &mine, list, 1);
    if (e != code)
        fail_msg("an access of kind %u to %#llx: %d (%s), wanted %d", kind, (unsigned long long)p, e, vl_detail(d),
                 code);
    if (code == VL_EFAULT)
        assert_non_null(strstr(vl_detail(d), ", pc ")); /* a whole sentence */
    uint32_t found = ((probe *)vl_host(d, list))->value;
    assert_int_equal(vl_free(d, list), 0);
    return found;
}

void check_consistent(vl_device *d)
{
    vl_memory_state *m = &d->memory;
    if (!d->space)
        return;
    uint64_t frames = 0, slots = 0;
    uint64_t hole =
        m->store.limit >= VL_SPAD_BASE + VL_SPAD_MAX ? VL_SPAD_MAX / VL_PAGE : 0; /* frames that no space can use */
    for (vl_space *s = m->spaces; s; s = s->next) {
        frames += page_table_tables(s->table) + s->n_retired;
        for (size_t a = 0; a < s->n; a++) {
            assert_true(a == 0 || s->areas[a - 1].va + s->areas[a - 1].bytes <= s->areas[a].va);
            for (uint64_t i = 0; i < s->areas[a].bytes / VL_PAGE; i++) {
                const vl_page *p = &s->areas[a].pages[i];
                uint64_t pte, va = s->areas[a].va + i * VL_PAGE;
                unsigned level;
                bool there = page_table_walk(s->table, va, &pte, &level);
                assert_true(p->mapped || (!p->frame && p->slot == VL_NO_SLOT));
                assert_int_equal(there, p->frame != 0 && p->rights != 0);
                if (there)
                    assert_true(pt_frame(pte) + va % pt_page_bytes(level) == p->frame);
                if (there)
                    assert_int_equal(pte & (PT_R | PT_W | PT_X), vl_page_flags(p->rights) & ~PT_U);
                frames += p->frame != 0;
                if (p->slot == VL_NO_SLOT)
                    continue;
                slots++;
                assert_true(m->pager.slots[p->slot].space == s && m->pager.slots[p->slot].va == va && p->frame != 0);
            }
        }
    }
    assert_int_equal(m->frames.free + frames + hole, m->frames.n);
    assert_int_equal(slots, m->pager.used);
    assert_int_equal(m->pager.n, m->pager.used + m->pager.n_open);
    assert_true(m->pager.used <= m->pager.limit);
}
