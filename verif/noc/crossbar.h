/* The crossbar of docs/blocks/req_net.md as a program, for the scoreboards of both networks: queues of two, registers, pointers. Words are numbers: where a payload
 * lies in the scoreboard's own store of its source. */
#ifndef VERIF_NOC_CROSSBAR_H
#define VERIF_NOC_CROSSBAR_H
#include <stdbool.h>
#include <string.h>

enum { XB_MOST = 64, XB_STORE = XB_MOST + 3 };
typedef struct {
    unsigned dest, word;
} xb_word_t;
typedef struct {
    xb_word_t queue[XB_MOST][2];
    unsigned n[XB_MOST];
    struct {
        bool valid;
        unsigned from, word;
    } reg[XB_MOST];
    unsigned pointer[XB_MOST];
} crossbar_t;

/* A place in the store of source s that nothing inside refers to. */
static unsigned xb_place(const crossbar_t *x, unsigned s, unsigned dests)
{
    for (unsigned word = 0;; word++) {
        bool used = false;
        for (unsigned k = 0; k < x->n[s]; k++)
            used |= x->queue[s][k].word == word;
        for (unsigned d = 0; d < dests; d++)
            used |= x->reg[d].valid && x->reg[d].from == s && x->reg[d].word == word;
        if (!used)
            return word;
    }
}

/* Steps 1 and 2: `taken` of each destination (the word in its register leaves), `comes` of each source (a word is taken into its queue). */
static void xb_edge(crossbar_t *x, unsigned sources, unsigned dests, const bool *taken, const bool *comes,
                    const xb_word_t *word)
{
    bool leaves[XB_MOST] = {false};
    for (unsigned d = 0; d < dests; d++) {
        if (x->reg[d].valid && !taken[d])
            continue;
        x->reg[d].valid = false;
        for (unsigned k = 0; k < sources; k++) {
            const unsigned s = (x->pointer[d] + k) % sources;
            if (x->n[s] && x->queue[s][0].dest == d) {
                x->reg[d].valid = leaves[s] = true;
                x->reg[d].from = s;
                x->reg[d].word = x->queue[s][0].word;
                x->pointer[d] = (s + 1) % sources;
                break;
            }
        }
    }
    for (unsigned s = 0; s < sources; s++) {
        if (leaves[s]) {
            x->queue[s][0] = x->queue[s][1];
            x->n[s]--;
        }
        if (comes[s])
            x->queue[s][x->n[s]++] = word[s];
    }
}
#endif
