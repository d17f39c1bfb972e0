# The judge's own tests, verif/ref/judge, and their objects: for configuration tiny; the tests of visibility (views) and of coherence for umh2.
judge_test_objs = $(patsubst %.c,$(BUILD)/cfg/$(1)/obj/%.o,$(2) $(JUDGE_SRCS)) $(BUILD)/cfg/$(1)/obj/isa_gen.o
define JUDGE_TEST
$(BUILD)/test/$(1): $(call judge_test_objs,$(2),$(3))
	@mkdir -p $$(@D)
	$$(LINK) -o $$@ $$^ -lcmocka -lm
	@printf '%s\n' $(call judge_test_objs,$(2),$(3)) >$$@.objects
endef
$(eval $(call JUDGE_TEST,judge,tiny,verif/ref/judge/test.c))
$(eval $(call JUDGE_TEST,judge-views,umh2,$(addprefix verif/ref/judge/,views.c setup.c)))
$(eval $(call JUDGE_TEST,judge-coherence,umh2,$(wildcard verif/ref/judge/coherence*.c) verif/ref/judge/setup.c))
