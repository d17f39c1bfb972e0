/* The two machines: qemu in a process of its own, and the reference, both as a kernel and step by step. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"
#include "sim_c/ref/ref.h"

static uint64_t image_bytes(const program *p)
{
    return p->data_at - BASE + p->data_bytes;
}

/* The code with this machine's way to end, then the data. */
static uint8_t *image(const program *p, const program *tail)
{
    uint8_t *bytes = calloc(1, image_bytes(p));
    if (!bytes)
        abort();
    memcpy(bytes, p->code, p->n * 4);
    memcpy(bytes + p->n * 4, tail->code, tail->n * 4);
    memcpy(bytes + (p->data_at - BASE), p->data, p->data_bytes);
    return bytes;
}

int run_qemu(const program *p, const char *work, uint8_t *out)
{
    char elf[256], result[256], command[1024];
    snprintf(elf, sizeof elf, "%s/program.elf", work);
    snprintf(result, sizeof result, "%s/qemu.out", work);
    program tail;
    program_init(&tail, 16, 1);
    emit_address(&tail, 11, p->data_at);
    emit_address(&tail, 12, p->data_bytes);
    emit(&tail, encode(OP_ADDI, 10, 0, 0, 1));
    emit(&tail, encode(OP_ADDI, 17, 0, 0, 64)); /* write(1, data, data_bytes) */
    emit(&tail, 0x73);
    emit(&tail, encode(OP_ADDI, 10, 0, 0, 0));
    emit(&tail, encode(OP_ADDI, 17, 0, 0, 93)); /* exit(0) */
    emit(&tail, 0x73);
    uint8_t *bytes = image(p, &tail);
    program_free(&tail);
    Elf64_Ehdr h = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                    .e_type = ET_EXEC,
                    .e_machine = EM_RISCV,
                    .e_version = EV_CURRENT,
                    .e_entry = BASE,
                    .e_phoff = sizeof h,
                    .e_ehsize = sizeof h,
                    .e_phentsize = sizeof(Elf64_Phdr),
                    .e_phnum = 1};
    Elf64_Phdr ph = {.p_type = PT_LOAD,
                     .p_flags = PF_R | PF_W | PF_X,
                     .p_offset = 4096,
                     .p_vaddr = BASE,
                     .p_paddr = BASE,
                     .p_filesz = image_bytes(p),
                     .p_memsz = image_bytes(p),
                     .p_align = 4096};
    FILE *f = fopen(elf, "wb");
    if (!f) {
        printf("cannot write %s\n", elf);
        return -1;
    }
    fwrite(&h, sizeof h, 1, f);
    fwrite(&ph, sizeof ph, 1, f);
    fseek(f, 4096, SEEK_SET);
    fwrite(bytes, 1, image_bytes(p), f);
    fclose(f);
    free(bytes);
    snprintf(command, sizeof command,
             "chmod +x %s && qemu-riscv64 -cpu rv64,zfinx=on,f=off,d=off,zba=on,zbb=on,zbs=on %s >%s", elf, elf,
             result);
    int status = system(command);
    f = fopen(result, "rb");
    size_t got = f ? fread(out, 1, p->data_bytes, f) : 0;
    if (f)
        fclose(f);
    if (status == 0 && got == p->data_bytes)
        return 0;
    printf("qemu ended with status %d and %zu of %zu bytes\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1, got,
           p->data_bytes);
    return -1;
}

static ref_mem *load(const program *p)
{
    program tail;
    program_init(&tail, 1, 1);
    emit(&tail, isa_rows[OP_VL_EXIT].match);
    uint8_t *bytes = image(p, &tail);
    program_free(&tail);
    ref_mem *m = ref_mem_new(BASE, BASE + image_bytes(p));
    if (!m || ref_mem_write(m, BASE, bytes, image_bytes(p)))
        abort();
    free(bytes);
    return m;
}

int run_ref(const program *p, uint8_t *out)
{
    ref_mem *m = load(p);
    ref_launch l = {
        .entry = BASE, .groups = {1, 1, 1}, .local = {1, 1, 1}, .threads = 1, .lanes = 1, .limit = 1000000000};
    ref_result r;
    int e = ref_run_kernel(m, &l, &r);
    if (e)
        printf("the reference ended with %d, cause %d, value %#llx, pc %#llx\n", e, (int)r.cause,
               (unsigned long long)r.value, (unsigned long long)r.pc);
    if (!e)
        e = ref_mem_read(m, p->data_at, out, p->data_bytes);
    ref_mem_free(m);
    return e ? -1 : 0;
}

int step_ref(const program *p, uint8_t *out)
{
    ref_mem *m = load(p);
    ref_bus_state state = {.mem = m};
    ref_bus bus = ref_mem_bus(&state);
    ref_thread *t = malloc(ref_thread_size());
    ref_step s;
    if (!t)
        abort();
    ref_thread_init(t, BASE, &(ref_ident){0});
    do
        ref_thread_step(t, &bus, &s);
    while (s.event != REF_EV_FAULT && s.event != REF_EV_EXIT);
    if (s.event == REF_EV_FAULT)
        printf("the stepper faulted: cause %d, value %#llx, pc %#llx\n", (int)s.cause,
               (unsigned long long)s.fault_value, (unsigned long long)s.pc);
    int e = s.event == REF_EV_FAULT ? -1 : ref_mem_read(m, p->data_at, out, p->data_bytes);
    free(t);
    ref_mem_free(m);
    return e ? -1 : 0;
}
