#include "sw/runtime/flow.h"

#include <stdlib.h>
#include <string.h>

#include "isa_gen.h"
#include "sw/runtime/internal.h"

/* ---- graphs ---- */

static uint32_t *words(size_t n)
{
    return malloc((n ? n : 1) * sizeof(uint32_t));
}

/* The same graph with every edge turned round, made by counting; the caller frees *first and *succ. */
static int turn_round(const vl_graph *g, uint32_t **first, uint32_t **succ)
{
    uint32_t edges = g->first[g->n];
    *first = calloc((size_t)g->n + 2, sizeof(uint32_t));
    *succ = words(edges);
    if (!*first || !*succ) {
        free(*first);
        free(*succ);
        *first = *succ = NULL;
        return VL_ENOMEM;
    }
    /* f[i] counts, then is where the next predecessor of i goes; ends as the start of i + 1 */
    uint32_t *f = *first + 1;
    for (uint32_t e = 0; e < edges; e++)
        f[g->succ[e] + 1]++;
    for (uint32_t i = 1; i <= g->n; i++)
        f[i] += f[i - 1];
    for (uint32_t i = 0; i < g->n; i++)
        for (uint32_t e = g->first[i]; e < g->first[i + 1]; e++)
            (*succ)[f[g->succ[e]]++] = i;
    return 0;
}

/* Depth-first numbering from root: order[k] is the k-th node found, number[] its inverse (VL_NO_NODE: not found), parent[] by
 * node. `last`, when given, is the highest number in the subtree of each node. `stack` holds 2n words. */
static uint32_t number_nodes(const vl_graph *g, uint32_t root, uint32_t *order, uint32_t *number, uint32_t *parent,
                             uint32_t *last, uint32_t *stack)
{
    uint32_t found = 0, depth = 0;
    for (uint32_t i = 0; i < g->n; i++)
        number[i] = VL_NO_NODE;
    number[root] = found;
    order[found++] = root;
    parent[root] = root;
    stack[0] = root;
    stack[1] = g->first[root];
    depth = 1;
    while (depth) {
        uint32_t v = stack[2 * depth - 2], *edge = &stack[2 * depth - 1];
        if (*edge == g->first[v + 1]) {
            if (last)
                last[v] = found - 1;
            depth--;
            continue;
        }
        uint32_t w = g->succ[(*edge)++];
        if (number[w] != VL_NO_NODE)
            continue;
        number[w] = found;
        order[found++] = w;
        parent[w] = v;
        stack[2 * depth] = w;
        stack[2 * depth + 1] = g->first[w];
        depth++;
    }
    return found;
}

typedef struct forest {
    uint32_t *ancestor, *label, *semi, *path;
} forest;

/* The node with the least semidominator on v's path to the root of its tree in the forest; shortens the path. */
static uint32_t least(forest *f, uint32_t v)
{
    if (f->ancestor[v] == VL_NO_NODE)
        return v;
    uint32_t n = 0, x = v;
    while (f->ancestor[f->ancestor[x]] != VL_NO_NODE) {
        f->path[n++] = x;
        x = f->ancestor[x];
    }
    while (n) {
        uint32_t y = f->path[--n], a = f->ancestor[y];
        if (f->semi[f->label[a]] < f->semi[f->label[y]])
            f->label[y] = f->label[a];
        f->ancestor[y] = f->ancestor[a];
    }
    return f->label[v];
}

int vl_dominators(const vl_graph *g, uint32_t root, uint32_t *idom)
{
    uint32_t n = g->n, *pred_first, *pred;
    if (turn_round(g, &pred_first, &pred))
        return VL_ENOMEM;
    uint32_t *mem = words((size_t)n * 9);
    if (!mem) {
        free(pred_first);
        free(pred);
        return VL_ENOMEM;
    }
    uint32_t *order = mem, *semi = mem + n, *parent = mem + 2 * (size_t)n, *bucket = mem + 3 * (size_t)n,
             *next = mem + 4 * (size_t)n;
    forest f = {
        .ancestor = mem + 5 * (size_t)n, .label = mem + 6 * (size_t)n, .semi = semi, .path = mem + 7 * (size_t)n};

    uint32_t found = number_nodes(g, root, order, semi, parent, NULL, f.path);
    for (uint32_t i = 0; i < n; i++) {
        idom[i] = f.ancestor[i] = bucket[i] = VL_NO_NODE;
        f.label[i] = i;
    }
    for (uint32_t k = found; k-- > 1;) {
        uint32_t w = order[k], p = parent[w];
        for (uint32_t e = pred_first[w]; e < pred_first[w + 1]; e++) {
            if (semi[pred[e]] == VL_NO_NODE)
                continue; /* not reached from root */
            uint32_t u = least(&f, pred[e]);
            if (semi[u] < semi[w])
                semi[w] = semi[u];
        }
        uint32_t s = order[semi[w]];
        next[w] = bucket[s];
        bucket[s] = w;
        f.ancestor[w] = p;
        for (uint32_t v = bucket[p]; v != VL_NO_NODE; v = next[v]) {
            uint32_t u = least(&f, v);
            idom[v] = semi[u] < semi[v] ? u : p;
        }
        bucket[p] = VL_NO_NODE;
    }
    for (uint32_t k = 1; k < found; k++) {
        uint32_t w = order[k];
        if (idom[w] != order[semi[w]])
            idom[w] = idom[idom[w]];
    }
    idom[root] = root;
    free(mem);
    free(pred_first);
    free(pred);
    return 0;
}

static uint32_t head_of(uint32_t *up, uint32_t v)
{
    uint32_t h = v;
    while (up[h] != h)
        h = up[h];
    while (up[v] != h) {
        uint32_t next = up[v];
        up[v] = h;
        v = next;
    }
    return h;
}

int vl_loop_depths(const vl_graph *g, uint32_t root, uint32_t *depth)
{
    uint32_t n = g->n, *pred_first, *pred;
    if (turn_round(g, &pred_first, &pred))
        return VL_ENOMEM;
    uint32_t *mem = words((size_t)n * 9);
    bool *header = calloc(n ? n : 1, sizeof *header);
    if (!mem || !header) {
        free(mem);
        free(header);
        free(pred_first);
        free(pred);
        return VL_ENOMEM;
    }
    uint32_t *order = mem, *number = mem + n, *parent = mem + 2 * (size_t)n, *last = mem + 3 * (size_t)n,
             *up = mem + 4 * (size_t)n, *outer = mem + 5 * (size_t)n, *todo = mem + 6 * (size_t)n,
             *mark = mem + 8 * (size_t)n;
    uint32_t found = number_nodes(g, root, order, number, parent, last, todo);
    for (uint32_t i = 0; i < n; i++) {
        up[i] = i;
        outer[i] = mark[i] = VL_NO_NODE;
    }
    /* Inner headers come before outer ones. The body of a loop is collapsed into its header when the loop is done. */
    for (uint32_t k = found; k-- > 0;) {
        uint32_t w = order[k], n_todo = 0, n_body;
        for (uint32_t e = pred_first[w]; e < pred_first[w + 1]; e++) {
            uint32_t v = pred[e];
            if (number[v] == VL_NO_NODE || number[v] < k || number[v] > last[w])
                continue; /* no back edge */
            header[w] = true;
            uint32_t h = head_of(up, v);
            if (h != w && mark[h] != w) {
                mark[h] = w;
                todo[n_todo++] = h;
            }
        }
        n_body = n_todo;
        for (uint32_t i = 0; i < n_body; i++) {
            uint32_t x = todo[i];
            for (uint32_t e = pred_first[x]; e < pred_first[x + 1]; e++) {
                if (number[pred[e]] == VL_NO_NODE)
                    continue;
                uint32_t h = head_of(up, pred[e]);
                if (number[h] < k || number[h] > last[w])
                    continue; /* the loop has an entry besides its header: irreducible */
                if (h != w && mark[h] != w) {
                    mark[h] = w;
                    todo[n_body++] = h;
                }
            }
        }
        for (uint32_t i = 0; i < n_body; i++) {
            outer[todo[i]] = w;
            up[todo[i]] = w;
        }
    }
    for (uint32_t i = 0; i < n; i++)
        depth[i] = 0;
    for (uint32_t k = 0; k < found; k++) {
        uint32_t v = order[k];
        depth[v] = (header[v] ? 1 : 0) + (outer[v] != VL_NO_NODE ? depth[outer[v]] : 0);
    }
    free(mem);
    free(header);
    free(pred_first);
    free(pred);
    return 0;
}

/* ---- machine code ---- */

typedef enum { NEXT, BRANCH, JUMP, CALL, STOP, BARRIER } kind_t;
typedef struct step {
    kind_t kind;
    uint32_t target;
} step; /* target: index into the text, VL_NO_NODE when outside or unknown */

enum { REACHED = 1, LEADER = 2 };

typedef struct code {
    const uint32_t *text;
    uint64_t base;
    uint32_t n;
    unsigned char *state;
} code;

static uint32_t index_of(const code *c, uint64_t pc)
{
    uint64_t at = pc - c->base;
    return pc < c->base || at % 4 || at / 4 >= c->n ? VL_NO_NODE : (uint32_t)(at / 4);
}

static step step_of(const code *c, uint32_t i)
{
    uint32_t insn = c->text[i];
    uint64_t pc = c->base + 4ull * i;
    unsigned rd = insn >> 7 & 31, rs1 = insn >> 15 & 31;
    op_e op = isa_op(insn);
    switch (op) {
    case OP_BEQ:
    case OP_BNE:
    case OP_BLT:
    case OP_BGE:
    case OP_BLTU:
    case OP_BGEU: return (step){BRANCH, index_of(c, pc + (uint64_t)isa_imm(insn, op))};
    case OP_JAL: return (step){rd ? CALL : JUMP, index_of(c, pc + (uint64_t)isa_imm(insn, op))};
    case OP_JALR: {
        /* auipc before it in the text gives the target; any other is a return or a pointer. */
        uint32_t before = i ? c->text[i - 1] : 0, target = VL_NO_NODE;
        if (isa_op(before) == OP_AUIPC && (before >> 7 & 31) == rs1 && rs1)
            target = index_of(c, (pc - 4 + (uint64_t)isa_imm(before, OP_AUIPC) + (uint64_t)isa_imm(insn, op)) & ~1ull);
        return (step){rd ? CALL : target == VL_NO_NODE ? STOP : JUMP, target};
    }
    case OP_VL_EXIT:
    case OP_ILLEGAL: return (step){STOP, VL_NO_NODE};
    case OP_VL_BARRIER: return (step){BARRIER, VL_NO_NODE};
    default: return (step){NEXT, VL_NO_NODE};
    }
}

static void lead(code *c, uint32_t i, uint32_t *todo, uint32_t *n)
{
    if (i >= c->n || c->state[i] & LEADER)
        return; /* VL_NO_NODE too */
    c->state[i] |= LEADER;
    if (!(c->state[i] & REACHED))
        todo[(*n)++] = i;
}

/* Marks reachable instructions, and the beginnings of basic blocks. `calls` says whether there is any call. */
static int explore(code *c, const uint64_t *entries, size_t n_entries, unsigned char *is_entry, bool *calls)
{
    uint32_t *todo = words((size_t)c->n + 1), n = 0;
    if (!todo)
        return VL_ENOMEM;
    for (size_t k = 0; k < n_entries; k++) {
        uint32_t i = index_of(c, entries[k]);
        if (i == VL_NO_NODE)
            continue;
        is_entry[i] = 1;
        lead(c, i, todo, &n);
    }
    while (n) {
        for (uint32_t i = todo[--n]; i < c->n && !(c->state[i] & REACHED); i++) {
            c->state[i] |= REACHED;
            step s = step_of(c, i);
            if (s.kind == BRANCH || s.kind == JUMP || s.kind == CALL)
                lead(c, s.target, todo, &n);
            if (s.kind == CALL) {
                *calls = true;
                if (s.target != VL_NO_NODE)
                    is_entry[s.target] = 1;
            }
            if (s.kind == BRANCH)
                lead(c, i + 1, todo, &n);
            if (s.kind == BRANCH || s.kind == JUMP || s.kind == STOP)
                break;
        }
    }
    free(todo);
    return 0;
}

typedef struct blocks {
    uint32_t n; /* blocks; node n is the exit, or the common root of all entries */
    uint32_t *start, *end; /* first and last instruction */
    uint32_t *first, *succ; /* successors, the exit included */
    bool *barrier; /* holds one; then: one can be reached */
} blocks;

static void blocks_free(blocks *b)
{
    free(b->start);
    free(b->end);
    free(b->first);
    free(b->succ);
    free(b->barrier);
}

static int cut(const code *c, blocks *b, uint32_t *block_of)
{
    for (uint32_t i = 0; i < c->n; i++)
        if ((c->state[i] & (LEADER | REACHED)) == (LEADER | REACHED))
            block_of[i] = b->n++;
    b->start = words(b->n);
    b->end = words(b->n);
    b->first = words((size_t)b->n + 2);
    b->succ = words(2 * (size_t)b->n);
    b->barrier = calloc((size_t)b->n + 1, sizeof *b->barrier);
    if (!b->start || !b->end || !b->first || !b->succ || !b->barrier)
        return VL_ENOMEM;
    uint32_t k = 0, edges = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        if ((c->state[i] & (LEADER | REACHED)) != (LEADER | REACHED))
            continue;
        uint32_t j = i;
        step s;
        for (;; j++) {
            s = step_of(c, j);
            if (s.kind == BARRIER)
                b->barrier[k] = true;
            if (s.kind == BRANCH || s.kind == JUMP || s.kind == STOP || j + 1 >= c->n || c->state[j + 1] & LEADER)
                break;
        }
        b->start[k] = i;
        b->end[k] = j;
        b->first[k] = edges;
        uint32_t next = j + 1 < c->n ? block_of[j + 1] : b->n,
                 target = s.target == VL_NO_NODE ? b->n : block_of[s.target];
        switch (s.kind) {
        case STOP: b->succ[edges++] = b->n; break;
        case JUMP: b->succ[edges++] = target; break;
        case BRANCH:
            b->succ[edges++] = target;
            if (next != target)
                b->succ[edges++] = next;
            break;
        default: b->succ[edges++] = next; break;
        }
        k++;
    }
    b->first[b->n] = b->first[b->n + 1] = edges;
    return 0;
}

/* From "this block holds a barrier" to "a barrier may still come from here on". Callers are not followed: with calls, everything
 * that runs together with a barrier counts. */
static int spread_barriers(blocks *b, const vl_graph *back, bool calls)
{
    uint32_t *todo = words(b->n), n = 0;
    if (!todo)
        return VL_ENOMEM;
    for (uint32_t i = 0; i < b->n; i++)
        if (b->barrier[i])
            todo[n++] = i;
    if (n && calls) {
        for (uint32_t i = 0; i < b->n; i++)
            b->barrier[i] = true;
        n = 0;
    }
    while (n) {
        uint32_t v = todo[--n];
        for (uint32_t e = back->first[v]; e < back->first[v + 1]; e++)
            if (!b->barrier[back->succ[e]]) {
                b->barrier[back->succ[e]] = true;
                todo[n++] = back->succ[e];
            }
    }
    free(todo);
    return 0;
}

/* Loop depth of every block: the graph again, with a root that leads to all entries in place of the exit. */
static int nest(const blocks *b, const unsigned char *is_entry, uint32_t *depth)
{
    uint32_t *first = words((size_t)b->n + 2), *succ = words(3 * (size_t)b->n), edges = 0;
    int r = VL_ENOMEM;
    if (first && succ) {
        for (uint32_t k = 0; k < b->n; k++) {
            first[k] = edges;
            for (uint32_t e = b->first[k]; e < b->first[k + 1]; e++)
                if (b->succ[e] != b->n)
                    succ[edges++] = b->succ[e];
        }
        first[b->n] = edges;
        for (uint32_t k = 0; k < b->n; k++)
            if (is_entry[b->start[k]])
                succ[edges++] = k;
        first[b->n + 1] = edges;
        r = vl_loop_depths(&(vl_graph){b->n + 1, first, succ}, b->n, depth);
    }
    free(first);
    free(succ);
    return r;
}

int vl_flow_analyse(const uint32_t *text, uint64_t base, uint32_t n, const uint64_t *entries, size_t n_entries,
                    vl_flow *out)
{
    *out = (vl_flow){0};
    code c = {text, base, n, calloc((size_t)n + 1, 1)};
    unsigned char *is_entry = calloc((size_t)n + 1, 1);
    uint32_t *block_of = words(n), *back_first = NULL, *back_succ = NULL, *ipdom = NULL, *depth = NULL;
    blocks b = {0};
    bool calls = false;
    int r = VL_ENOMEM;
    if (!c.state || !is_entry || !block_of)
        goto done;
    if ((r = explore(&c, entries, n_entries, is_entry, &calls)) || (r = cut(&c, &b, block_of)))
        goto done;

    if ((r = turn_round(&(vl_graph){b.n + 1, b.first, b.succ}, &back_first, &back_succ)))
        goto done;
    vl_graph back = {b.n + 1, back_first, back_succ};
    ipdom = words((size_t)b.n + 1);
    depth = words((size_t)b.n + 1);
    r = VL_ENOMEM;
    if (!ipdom || !depth)
        goto done;
    if ((r = vl_dominators(&back, b.n, ipdom)) || (r = nest(&b, is_entry, depth))
        || (r = spread_barriers(&b, &back, calls)))
        goto done;

    for (uint32_t k = 0; k < b.n; k++) {
        out->instructions += b.end[k] - b.start[k] + 1;
        out->branches += step_of(&c, b.end[k]).kind == BRANCH;
    }
    out->reconv = malloc((out->branches ? out->branches : 1) * sizeof *out->reconv);
    r = VL_ENOMEM;
    if (!out->reconv)
        goto done;
    for (uint32_t k = 0; k < b.n; k++) {
        if (step_of(&c, b.end[k]).kind != BRANCH || ipdom[k] == VL_NO_NODE || ipdom[k] == b.n)
            continue;
        out->reconv[out->n_reconv++] = (vl_reconv){.pc = base + 4ull * b.end[k],
                                                   .target = base + 4ull * b.start[ipdom[k]],
                                                   .depth = depth[k],
                                                   .barrier = b.barrier[ipdom[k]]};
    }
    r = 0;
done:
    free(c.state);
    free(is_entry);
    free(block_of);
    free(back_first);
    free(back_succ);
    free(ipdom);
    free(depth);
    blocks_free(&b);
    if (r) {
        free(out->reconv);
        *out = (vl_flow){0};
    }
    return r;
}

int vl_flow_select(const uint32_t *text, uint64_t base, uint32_t n, uint64_t entry, vl_reconv *list, size_t *n_list)
{
    code c = {text, base, n, calloc((size_t)n + 1, 1)};
    unsigned char *is_entry = calloc((size_t)n + 1, 1);
    bool calls = false;
    int r = c.state && is_entry ? explore(&c, &entry, 1, is_entry, &calls) : VL_ENOMEM;
    size_t kept = 0;
    for (size_t k = 0; !r && k < *n_list; k++) {
        uint32_t i = index_of(&c, list[k].pc);
        if (i != VL_NO_NODE && c.state[i] & REACHED)
            list[kept++] = list[k];
    }
    if (!r)
        *n_list = kept;
    free(c.state);
    free(is_entry);
    return r;
}

/* ---- the hardware table ---- */

/* Higher is kept rather. */
static bool outranks(const vl_reconv *a, const vl_reconv *b)
{
    if (a->barrier != b->barrier)
        return a->barrier;
    if (a->depth != b->depth)
        return a->depth > b->depth;
    return a->pc < b->pc;
}

int vl_reconv_pack(const vl_reconv *list, size_t n, uint32_t entries, vl_reconv *table)
{
    if (!table || (n && !list) || entries == 0 || entries % 2)
        return VL_EINVAL;
    memset(table, 0, entries * sizeof *table);
    int out = 0;
    for (size_t i = 0; i < n; i++) {
        vl_reconv *way = &table[2 * (list[i].pc / 4 % (entries / 2))];
        vl_reconv x = list[i];
        for (int w = 0; w < 2; w++)
            if (way[w].pc == 0 || outranks(&x, &way[w])) {
                vl_reconv t = way[w];
                way[w] = x;
                x = t;
            }
        out += x.pc != 0;
    }
    return out;
}
