/* The judge's rules of translation and fetch, one at a time: the test is machine and host at once. It hands the judge the traffic of a machine's ports (registers, reads of page tables
 * and code with their answers, words that are fetched), and asks whether it is legal. Configuration `tiny`. */
#include "verif/ref/judge/atomics.h"
#include "verif/ref/judge/code.h"
#include "verif/ref/judge/faults.h"
#include "verif/ref/judge/translations.h"

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_translation_must_have_been_read),
        TEST(an_old_pte_serves_until_the_acknowledgement),
        TEST(a_shootdown_covers_what_it_says),
        TEST(a_page_of_a_superpage_covers_all_of_it),
        TEST(a_global_page_is_every_address_space_s),
        TEST(nothing_is_forgotten_for_want_of_room),
        TEST(a_tlb_outlives_a_kernel),
        TEST(a_fault_is_that_of_what_was_read),
        TEST(a_fetch_faults_if_the_host_has_denied_it),
        TEST(a_fault_may_be_by_kept_pointers),
        TEST(a_walk_may_be_by_kept_pointers),
        TEST(no_walk_is_by_pointers_of_the_kernel_before),
        TEST(an_unread_acknowledgement_is_counted),
        TEST(code_must_have_been_read_since_its_page_was_shot_down),
        TEST(code_is_read_by_a_translation_of_before),
        TEST(code_needs_every_right),
        TEST(code_is_of_this_kernel),
        TEST(an_atomic_may_be_asked_for_before_its_beat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
