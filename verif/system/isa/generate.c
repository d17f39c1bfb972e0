#include "verif/system/isa/generate.h"

#include <stdlib.h>

/* x0..x24 hold anything; the others: */
enum { FREE_REGS = 25, LINK = 25, SPAD = 26, SHARED = 27, OUTER = 28, COUNTER = 29, ADDRESS = 30, AREA_REG = 31 };
enum { FUNCTIONS = 3, FUNCTION_UNITS = 3, UNITS_MAX = 256 };

#define F FORMAT

typedef struct {
    rng *r;
    const shape *s;
    unit units[UNITS_MAX];
    int n;
    int function[FUNCTIONS]; /* its first unit */
    int last;                /* no jump goes beyond this unit */
    bool in_function;
} maker;

static unsigned any(maker *m)
{
    return rng_below(m->r, FREE_REGS);
}
static uint32_t below(maker *m, uint32_t n)
{
    return rng_below(m->r, n);
}

static unit *new_unit(maker *m)
{
    if (m->n == UNITS_MAX)
        abort();
    unit *u = &m->units[m->n++];
    *u = (unit){.patch = -1};
    return u;
}

static void any_arithmetic(maker *m, unit *u)
{
    static const op_e zicond[] = {OP_CZERO_EQZ, OP_CZERO_NEZ};
    op_e op = below(m, 12) ? pick_op(m->r, F(R) | F(R1) | F(I) | F(SH5) | F(SH6)) : zicond[below(m, 2)];
    put(u, encode(op, any(m), any(m), any(m), (int32_t)below(m, 4096)));
}

/* x30 = an address, 8-aligned: of the thread's own memory, of what all share, of the scratchpad's two parts. */
static void put_address(maker *m, unit *u)
{
    unsigned where = below(m, m->s->races ? 8 : 4);
    switch (where) {
    case 0:
    case 1: /* own: 512 bytes */
        put(u, encode(OP_ANDI, ADDRESS, any(m), 0, 0x1f8));
        put(u, encode(OP_ADD, ADDRESS, ADDRESS, AREA_REG, 0));
        break;
    case 2:
    case 3: /* own in the scratchpad */
        put(u, encode(OP_ANDI, COUNTER, any(m), 0, SPAD_PRIVATE - 8));
        put(u, encode(OP_ADD, ADDRESS, COUNTER, SPAD, 0));
        break;
    case 4:
    case 5: /* shared by all: few words, so that they are met; now and then all over two lines */
        put(u, encode(OP_ANDI, ADDRESS, any(m), 0, below(m, 2) ? 0x18 : 0xf8));
        put(u, encode(OP_ADD, ADDRESS, ADDRESS, SHARED, 0));
        break;
    default: /* shared in the scratchpad */
        put(u, encode(OP_ANDI, ADDRESS, any(m), 0, below(m, 2) ? 0x18 : SPAD_SHARED - 8));
        put(u, encode(OP_LUI, COUNTER, 0, 0, 0x30000000));
        put(u, encode(OP_ADD, ADDRESS, ADDRESS, COUNTER, 0));
        break;
    }
}

static void memory(maker *m, unit *u)
{
    op_e op;
    switch (below(m, 8)) {
    case 0:
    case 1:
        op = pick_op(m->r, F(L) | F(S));
        put(u, encode(op, any(m), AREA_REG, any(m), (int32_t)(below(m, 1024) & -access_size(op))));
        break;
    case 2:
    case 3:
    case 4:
        op = pick_op(m->r, F(L) | F(S));
        put_address(m, u);
        put(u, encode(op, any(m), ADDRESS, any(m), (int32_t)(below(m, 8) & -access_size(op))));
        break;
    case 5:
        do
            op = pick_op(m->r, F(AMO));
        while (op == OP_SC_W || op == OP_SC_D);
        put_address(m, u);
        if (access_size(op) == 4 && below(m, 2))
            put(u, encode(OP_ADDI, ADDRESS, ADDRESS, 0, 4));
        put(u, encode(op, any(m), ADDRESS, any(m), 0) | pick_order(m->r));
        break;
    case 6: { /* compare and swap, often with the value in memory */
        unsigned rd = any(m);
        op = below(m, 2) ? OP_AMOCAS_W : OP_AMOCAS_D;
        put_address(m, u);
        if (below(m, 3))
            put(u, encode(op == OP_AMOCAS_W ? OP_LW : OP_LD, rd, ADDRESS, 0, 0));
        put(u, encode(op, rd, ADDRESS, any(m), 0) | pick_order(m->r));
        break;
    }
    default: /* LR and SC: other threads of the core may come between, so only the lockstep knows how it ends */
        if (!m->s->races) {
            any_arithmetic(m, u);
            break;
        }
        op = below(m, 2) ? OP_LR_W : OP_LR_D;
        put_address(m, u);
        if (below(m, 4))
            put(u, encode(op, any(m), ADDRESS, 0, 0) | pick_order(m->r));
        if (below(m, 2))
            put(u, encode(pick_op(m->r, F(I)), any(m), any(m), 0, (int32_t)below(m, 4096)));
        put(u, encode(op == OP_LR_W ? OP_SC_W : OP_SC_D, any(m), ADDRESS, any(m), 0) | pick_order(m->r));
    }
}

static void floating(maker *m, unit *u)
{
    static const unsigned modes[6] = {0, 1, 2, 3, 4, 7};
    op_e op = pick_op(m->r, F(R4) | F(RM1) | F(RM2));
    unsigned source = any(m);
    if (below(m, 3) == 0)
        put(u, encode(OP_LW, source, AREA_REG, 0, (int32_t)(below(m, 1024) & -4u)));
    put(u, encode_fp(op, any(m), source, any(m), any(m), modes[below(m, 6)]));
}

static void csr(maker *m, unit *u)
{
    static const unsigned same[] = {CSR_VL_LID_X, CSR_VL_LID_Y, CSR_VL_LID_Z, CSR_VL_GBASE_X, CSR_VL_GBASE_Y,
                                    CSR_VL_GBASE_Z, CSR_VL_GRP_X, CSR_VL_GRP_Y, CSR_VL_GRP_Z, CSR_VL_LANE,
                                    CSR_VL_THREAD,
                                    /* where it runs: not the same on every machine */
                                    CSR_VL_WARP, CSR_VL_CORE, CSR_MHARTID, CSR_VL_ARG, CSR_VL_SP};
    if (below(m, 2)) {
        put(u, encode_csr(below(m, 2) ? OP_CSRRS : OP_CSRRC, any(m), same[below(m, m->s->races ? 16 : 11)], 0));
        return;
    }
    put(u, encode_csr(OP_CSRRW + below(m, 6), any(m), 1 + below(m, 3), any(m)));
    put(u, encode_csr(OP_CSRRWI, 0, CSR_FRM, below(m, 5))); /* whatever it was, a legal mode again */
}

/* A counted loop, as often as each thread's own register says. */
static void loop(maker *m, unit *u)
{
    put(u, encode(OP_ANDI, COUNTER, any(m), 0, 3));
    put(u, encode(OP_BEQ, 0, COUNTER, 0, 20));
    put(u, encode(pick_op(m->r, F(R)), any(m), any(m), any(m), 0));
    if (below(m, 2))
        put(u, encode(OP_LW, any(m), AREA_REG, 0, (int32_t)(below(m, 128) * 4)));
    else
        put(u, encode(OP_ADDIW, any(m), any(m), 0, (int32_t)below(m, 4096)));
    put(u, encode(OP_ADDI, COUNTER, COUNTER, 0, -1));
    put(u, encode(OP_JAL, 0, 0, 0, -16));
}

/* Threads go to one of up to four places, by register. */
static void switch_(maker *m, unit *u)
{
    unsigned rd = below(m, 2) ? 0 : any(m), k;
    put(u, encode(OP_AUIPC, ADDRESS, 0, 0, 0));
    put(u, encode(OP_ANDI, COUNTER, any(m), 0, below(m, 2) ? 3 : 1));
    put(u, encode(OP_SLLI, COUNTER, COUNTER, 0, 3));
    put(u, encode(OP_ADD, ADDRESS, ADDRESS, COUNTER, 0));
    put(u, encode(OP_JALR, rd, ADDRESS, 0, 20 + (int32_t)below(m, 2)));
    for (k = 0; k < 4; k++) {
        put(u, encode(pick_op(m->r, F(I)), any(m), any(m), 0, (int32_t)below(m, 4096)));
        if (k < 3)
            put(u, encode(OP_JAL, 0, 0, 0, 8 * (3 - (int32_t)k)));
    }
}

static void jump_to(maker *m, unit *u, int spread)
{
    int here = m->n - 1, rest = m->last - here;
    u->patch = (int)u->n - 1;
    u->to = here + 1 + (int)below(m, (uint32_t)(rest < spread ? rest : spread));
}

static void make_unit(maker *m)
{
    unit *u = new_unit(m);
    switch (below(m, 24)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5: memory(m, u); break;
    case 6:
    case 7:
    case 8:
        put(u, encode(pick_op(m->r, F(B)), 0, any(m), any(m), 0));
        jump_to(m, u, 6);
        break;
    case 9: /* the same of threads, not of data */
        put(u, encode_csr(OP_CSRRS, ADDRESS, CSR_VL_THREAD, 0));
        put(u, encode(OP_ANDI, ADDRESS, ADDRESS, 0, 1 << below(m, 3)));
        put(u, encode(below(m, 2) ? OP_BEQ : OP_BNE, 0, ADDRESS, 0, 0));
        jump_to(m, u, 9);
        break;
    case 10:
        put(u, encode(OP_JAL, m->s->barriers ? 0 : any(m), 0, 0, 0)); /* with rd, libvellum takes it for a call */
        jump_to(m, u, 4);
        break;
    case 11: loop(m, u); break;
    case 12:
        if (m->s->barriers)
            any_arithmetic(m, u);
        else
            switch_(m, u);
        break;
    case 13:
        if (m->in_function) {
            any_arithmetic(m, u);
            break;
        }
        put(u, encode(OP_JAL, LINK, 0, 0, 0));
        u->patch = 0, u->to = m->function[below(m, FUNCTIONS)];
        break;
    case 14: csr(m, u); break;
    case 15:
    case 16:
    case 17:
    case 18: floating(m, u); break;
    case 19:
        if (below(m, 4) == 0)
            put(u, isa_rows[OP_VL_FENCE_WG].match);
        else if (below(m, 4) == 0)
            put(u, below(m, 2) ? encode(OP_FENCE_I, 0, 0, 0, 0) : 0x8330000f /* fence.tso */);
        else
            put(u, encode(OP_FENCE, 0, 0, 0, 0) | below(m, 256) << 20);
        break;
    case 20: put(u, encode(OP_LUI + below(m, 2), any(m), 0, 0, (int32_t)rng_u64(m->r))); break;
    case 21: /* an early end, for the threads that do not jump over it */
        if (m->s->barriers || m->in_function || below(m, 4)) {
            any_arithmetic(m, u);
            break;
        }
        put(u, encode(pick_op(m->r, F(B)), 0, any(m), any(m), 8));
        put(u, isa_rows[OP_VL_EXIT].match);
        break;
    default: any_arithmetic(m, u);
    }
}

static void function(maker *m, int k)
{
    m->function[k] = m->n;
    m->in_function = true;
    m->last = m->n + FUNCTION_UNITS;
    for (int i = 0; i < FUNCTION_UNITS; i++)
        make_unit(m);
    put(new_unit(m), encode(OP_JALR, 0, LINK, 0, 0));
    m->in_function = false;
}

/* x = x * factor + csr */
static void put_linear(unit *u, unsigned x, unsigned number, uint32_t factor)
{
    put(u, encode(OP_ADDI, 2, 0, 0, (int32_t)factor));
    put(u, encode(OP_MUL, x, x, 2, 0));
    put(u, encode_csr(OP_CSRRS, 2, number, 0));
    put(u, encode(OP_ADD, x, x, 2, 0));
}

/* Finds the thread's memory, fills its registers and its part of the scratchpad, and the shared part of it. */
static void prologue(maker *m)
{
    const shape *s = m->s;
    unit *u = new_unit(m);
    unsigned threads = s->local[0] * s->local[1] * s->local[2];
    put(u, encode_csr(OP_CSRRS, ADDRESS, CSR_VL_ARG, 0));
    put(u, encode(OP_LD, AREA_REG, ADDRESS, 0, 0x80));
    put(u, encode(OP_LD, SHARED, ADDRESS, 0, 0x88));
    put(u, encode(OP_LD, SPAD, ADDRESS, 0, 0x90));
    u = new_unit(m); /* x1: the group's number, x3: the thread's in it */
    for (int d = 2; d >= 0; d--)
        put_linear(u, 1, CSR_VL_GRP_X + (unsigned)d, s->groups[d]);
    u = new_unit(m);
    for (int d = 2; d >= 0; d--)
        put_linear(u, 3, CSR_VL_LID_X + (unsigned)d, s->local[d]);
    u = new_unit(m);
    put(u, encode(OP_ADDI, 2, 0, 0, (int32_t)threads));
    put(u, encode(OP_MUL, 1, 1, 2, 0));
    put(u, encode(OP_ADD, 1, 1, 3, 0));
    put(u, encode(OP_SLLI, 1, 1, 0, 11)); /* AREA */
    put(u, encode(OP_ADD, AREA_REG, AREA_REG, 1, 0));
    put(u, encode(OP_ADDI, SPAD, SPAD, 0, SPAD_SHARED));
    put(u, encode(OP_SLLI, 4, 3, 0, 6)); /* SPAD_PRIVATE */
    put(u, encode(OP_ADD, SPAD, SPAD, 4, 0));
    u = new_unit(m);
    for (int k = 0; k < SPAD_PRIVATE; k += 8)
        put(u, encode(OP_SD, 0, SPAD, 3, k));
    /* The shared doublewords: thread i takes i, i + 8, ... (a group has 8 threads at least). */
    u = new_unit(m);
    put(u, encode(OP_LUI, 4, 0, 0, 0x30000000));
    put(u, encode(OP_ANDI, 5, 3, 0, 7));
    put(u, encode(OP_SH3ADD, 4, 5, 4, 0));
    for (int k = 0; k < SPAD_SHARED; k += 64)
        put(u, encode(OP_SD, 0, 4, 0, k));
    put(u, isa_rows[OP_VL_BARRIER].match);
    u = new_unit(m);
    put(u, encode(OP_LW, 1, AREA_REG, 0, AREA_INIT));
    put(u, encode_csr(OP_CSRRW, 0, CSR_FCSR, 1));
    put(u, encode(OP_ADDI, OUTER, 0, 0, 0));
    for (unsigned i = 1; i < FREE_REGS; i++) {
        if (u->n + 1 >= UNIT_MAX)
            u = new_unit(m);
        put(u, encode(OP_LD, i, AREA_REG, 0, (int32_t)(AREA_INIT + 8 * i)));
    }
}

static void epilogue(maker *m)
{
    unit *u = new_unit(m);
    for (unsigned i = 1; i < FREE_REGS; i++) {
        if (u->n + 1 >= UNIT_MAX)
            u = new_unit(m);
        put(u, encode(OP_SD, 0, AREA_REG, i, (int32_t)(AREA_STATE + 8 * i)));
    }
    u = new_unit(m);
    put(u, encode_csr(OP_CSRRS, 1, CSR_FCSR, 0));
    put(u, encode(OP_SD, 0, AREA_REG, 1, AREA_STATE));
    for (int k = 0; k < SPAD_PRIVATE; k += 16) { /* and half of its scratchpad */
        put(u, encode(OP_LD, 1, SPAD, 0, k));
        put(u, encode(OP_SD, 0, AREA_REG, 1, AREA_STATE + 256 + k / 2));
    }
    /* Stores that are still on their way when the warp has ended and another begins in its place. */
    u = new_unit(m);
    for (unsigned k = 0, n = below(m, 8); k < n; k++)
        put(u, encode(OP_SD, 0, SPAD, any(m), 8 * (int32_t)below(m, SPAD_PRIVATE / 8)));
    put(u, isa_rows[OP_VL_EXIT].match);
}

uint64_t generate(program *p, rng *r, const shape *s)
{
    maker *m = calloc(1, sizeof *m);
    if (!m)
        abort();
    m->r = r;
    m->s = s;
    for (int k = 0; k < FUNCTIONS; k++)
        function(m, k);
    int begin = m->n;
    prologue(m);
    /* The body, in stretches that end in a loop back, in a barrier, or in nothing. No jump leaves a stretch that is looped over. */
    for (unsigned left = s->units; left;) {
        unsigned stretch = 1 + below(m, left < 20 ? left : 20), kind = below(m, s->barriers ? 3 : 2);
        if (kind == 1)
            put(new_unit(m), encode(OP_ADDI, OUTER, 0, 0, (int32_t)below(m, 3)));
        int first = m->n;
        m->last = m->n + (int)stretch;
        for (unsigned k = 0; k < stretch; k++)
            make_unit(m);
        if (kind == 1) {
            unit *u = new_unit(m);
            put(u, encode(OP_ADDI, OUTER, OUTER, 0, -1));
            put(u, encode(OP_BLT, 0, 0, OUTER, 0));
            u->patch = 1, u->to = first;
        }
        if (kind == 2)
            put(new_unit(m), isa_rows[OP_VL_BARRIER].match);
        left -= stretch;
    }
    epilogue(m);
    size_t before = 0, words = 0;
    for (int i = 0; i < m->n; i++) {
        if (i < begin)
            before += m->units[i].n;
        words += m->units[i].n;
    }
    program_init(p, words, 8);
    emit_units(p, m->units, m->n);
    free(m);
    return BASE + 4 * before;
}
