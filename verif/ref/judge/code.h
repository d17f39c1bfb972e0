/* Tests: words of code. */
#ifndef VERIF_REF_JUDGE_CODE_H
#define VERIF_REF_JUDGE_CODE_H
#include "verif/ref/judge/machine.h"

/* Code of a page of its own, in memory[32 pages..]. */
#define CODE_FRAME (BASE + 32 * PAGE)
#define CODE_FRAME_2 (BASE + 33 * PAGE)
enum { WORD = 0x0015859b, OTHER = 0x00559593 };

static void code_there(uint64_t frame, uint32_t word)
{
    for (unsigned k = 0; k < LINE_BYTES; k += 8)
        set(frame + k, word | (uint64_t)word << 32);
}

static void code_must_have_been_read_since_its_page_was_shot_down(void **state)
{
    (void)state;
    code_there(CODE_FRAME, WORD);
    code_there(CODE_FRAME_2, WORD);
    map(VA, 0, CODE_FRAME, CODE);
    walk(VA, 0);
    assert_false(fetched(VA, WORD));
    read_line(CODE_FRAME, 0);
    assert_true(fetched(VA, WORD));
    assert_false(fetched(VA, OTHER));
    shoot(INV_PAGE, 1, VA + PAGE);
    assert_true(fetched(VA, WORD));
    shoot(INV_PAGE, 1, VA); /* the same word, the same frame */
    assert_false(fetched(VA, WORD));
    walk(VA, 0);
    assert_false(fetched(VA, WORD));
    read_line(CODE_FRAME, 0);
    assert_true(fetched(VA, WORD));
    map(VA, 0, CODE_FRAME_2, CODE); /* the same word elsewhere */
    shoot(INV_ALL, 0, 0);
    read_line(CODE_FRAME, 0);
    walk(VA, 0);
    assert_false(fetched(VA, WORD));
    read_line(CODE_FRAME_2, 0);
    assert_true(fetched(VA, WORD));
}

static void code_is_read_by_a_translation_of_before(void **state)
{
    (void)state;
    code_there(CODE_FRAME, WORD);
    map(VA, 0, CODE_FRAME, CODE);
    walk(VA, 0);
    ask(INV_PAGE, 1, VA);
    read_line(CODE_FRAME, 0); /* by the entry that is shot down */
    acknowledge();
    walk(VA, 0); /* the page is there again, after that */
    assert_false(fetched(VA, WORD));
}

static void code_needs_every_right(void **state)
{
    (void)state;
    static const unsigned lacks[] = {X, U, A, V};
    code_there(CODE_FRAME, WORD);
    for (unsigned k = 0; k < sizeof lacks / sizeof *lacks; k++) {
        const uint64_t va = VA + k * 16 * PAGE; /* its PTE in a line of its own */
        map(va, 0, CODE_FRAME, CODE & ~lacks[k]);
        walk(va, 0);
        read_line(CODE_FRAME, 0);
        assert_false(fetched(va, WORD));
        map(va, 0, CODE_FRAME, CODE);
        walk(va, 0);
        read_line(CODE_FRAME, 0);
        assert_true(fetched(va, WORD));
    }
}

static void code_is_of_this_kernel(void **state)
{
    (void)state;
    put(REG_ROOT, 0); /* Bare */
    code_there(CODE_FRAME, WORD);
    read_line(CODE_FRAME, 0);
    assert_true(fetched(CODE_FRAME, WORD));
    shoot(INV_PAGE, 1, CODE_FRAME); /* of no meaning */
    assert_true(fetched(CODE_FRAME, WORD));
    wait_cycle();
    begin();
    assert_false(fetched(CODE_FRAME, WORD));
    read_line(CODE_FRAME, 0);
    assert_true(fetched(CODE_FRAME, WORD));
    code_there(CODE_FRAME, OTHER); /* a cache may still have the old */
    assert_true(fetched(CODE_FRAME, WORD));
    assert_false(fetched(CODE_FRAME, OTHER));
    read_line(CODE_FRAME, 0);
    assert_true(fetched(CODE_FRAME, OTHER));
}
#endif
