#include <string.h>

#include "sw/workloads/mummergpu/suffix_tree.h"
#include "sw/workloads/wl.h"

typedef struct {
    uint32_t length, place;
} match;

typedef struct {
    uint8_t *genome, *letters; /* letters: of all queries, one after the other */
    uint32_t size, queries;
    uint32_t *query; /* where each begins, and the end of the last */
} problem;

/* A quarter of it are copies of what came before, with a letter in fifty another: repeats, which make a tree deep. */
static uint8_t *random_genome(wl *w, uint32_t size)
{
    uint8_t *genome = wl_host(w, size, 1);
    for (uint32_t i = 0; i < size;) {
        uint32_t run = 50 + wl_random(w) % 450, copy = wl_random(w) % 4 == 0 && i > 0;
        uint32_t source = copy ? wl_random(w) % i : 0;
        for (; run > 0 && i < size; run--, i++, source++)
            genome[i] = copy && wl_random(w) % 50 ? genome[source] : wl_random(w) % 4;
    }
    return genome;
}

/* Queries of `least` to `most` letters, cut from the genome; in them a letter in thirty is another, and one query in eight is noise. */
static void random_queries(wl *w, problem *p, uint32_t least, uint32_t most)
{
    p->query = wl_host(w, p->queries + 1, sizeof *p->query);
    for (uint32_t q = 0; q < p->queries; q++)
        p->query[q + 1] = p->query[q] + least + wl_random(w) % (most - least + 1);
    p->letters = wl_host(w, p->query[p->queries], 1);
    for (uint32_t q = 0; q < p->queries; q++) {
        const bool noise = wl_random(w) % 8 == 0;
        uint32_t source = wl_random(w) % p->size;
        for (uint32_t i = p->query[q]; i < p->query[q + 1]; i++, source++)
            p->letters[i] = !noise && source < p->size && wl_random(w) % 30 ? p->genome[source] : wl_random(w) % 4;
    }
}

static uint32_t word_at(const uint8_t *letters, uint32_t n)
{
    uint32_t word = 0;
    for (uint32_t i = 0; i < n; i++)
        word = word * 4 + letters[i];
    return word;
}

/* The longest match at every letter of the queries, without a tree: of all places of the genome that begin with the same `seed`
 * letters, the one that goes on best. None shorter than `shortest`, which is no less than `seed`. */
static uint32_t *longest_on_host(wl *w, const problem *p, uint32_t seed, uint32_t shortest)
{
    uint32_t *head = wl_host(w, (size_t)1 << 2 * seed, sizeof *head), *before = wl_host(w, p->size, sizeof *before);
    uint32_t *longest = wl_host(w, p->query[p->queries], sizeof *longest);
    for (uint32_t i = 0; i + seed <= p->size; i++) {
        uint32_t *list = &head[word_at(p->genome + i, seed)];
        before[i] = *list;
        *list = i + 1;
    }
    for (uint32_t q = 0; q < p->queries; q++)
        for (uint32_t i = p->query[q], end = p->query[q + 1]; i + shortest <= end; i++)
            for (uint32_t g = head[word_at(p->letters + i, seed)]; g > 0; g = before[g - 1]) {
                uint32_t n = seed;
                while (i + n < end && g - 1 + n < p->size && p->letters[i + n] == p->genome[g - 1 + n])
                    n++;
                if (n >= shortest && n > longest[i])
                    longest[i] = n;
            }
    return longest;
}

static void check(wl *w, const problem *p, const match *got, const uint32_t *longest)
{
    for (uint32_t i = 0; i < p->query[p->queries] && wl_ok(w); i++) {
        if (got[i].length != longest[i])
            wl_fail(w, "length[%u] is %u, the host has %u", i, got[i].length, longest[i]);
        else if (got[i].place > p->size - got[i].length
                 || memcmp(p->letters + i, p->genome + got[i].place, got[i].length) != 0)
            wl_fail(w, "place[%u] is %u, the host has other letters there", i, got[i].place);
    }
}

/* `size` queries in a genome; its tree has the size of the data. */
static void run(wl *w, uint32_t size)
{
    const bool much = wl_data(w) != 0;
    const uint32_t seed = much ? 12 : 6, shortest = much ? 20 : 7;
    problem p = {.queries = size, .size = much ? (uint32_t)(wl_data(w) / 56) : 64 + 8 * size};
    p.genome = random_genome(w, p.size);
    random_queries(w, &p, much ? 25 : 0, much ? 25 : 60);
    tree_node *grown = wl_host(w, (size_t)p.size * 2, sizeof *grown);
    const uint32_t nodes = suffix_tree(grown, p.genome, p.size), total = p.query[p.queries];
    tree_node *tree = wl_host(w, nodes, sizeof *tree);
    tree_blocks(tree, grown, nodes, wl_host(w, nodes, 4), wl_host(w, nodes, 4));

    wl_load(w, NULL);
    vl_ptr dtree = wl_upload(w, tree, nodes * sizeof *tree), dgenome = wl_upload(w, p.genome, p.size);
    vl_ptr dletters = wl_upload(w, p.letters, total), dquery = wl_upload(w, p.query, (p.queries + 1) * sizeof *p.query);
    vl_ptr dfound = wl_buffer(w, total * sizeof(match));
    wl_launch(w, "mummergpu", wl_range1(p.queries, wl_local(w)), WL_BUF(dtree), WL_BUF(dgenome), WL_BUF(dletters),
              WL_BUF(dquery), WL_BUF(dfound), WL_U32(shortest), WL_U32(p.queries));
    match *got = wl_host(w, total, sizeof *got);
    wl_read(w, got, dfound, total * sizeof *got);
    check(w, &p, got, longest_on_host(w, &p, seed, shortest));
}

const workload workload_mummergpu = {
    "mummergpu", "exact matches of queries in a genome, by its suffix tree", run, {1, 301, 1501}, 37};
