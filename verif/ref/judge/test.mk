# The judge's own tests, verif/ref/judge, with what they are linked from: of the configuration tiny, and who sees what of umh2.
judge_test_objs = $(patsubst %.c,$(BUILD)/cfg/$(1)/obj/%.o,$(JUDGE_SRCS)) $(BUILD)/cfg/$(1)/obj/isa_gen.o
define JUDGE_TEST
$(BUILD)/test/$(1): verif/ref/judge/$(2).c $(call judge_test_objs,$(3))
	@mkdir -p $$(@D)
	$$(LINK) $$(CFLAGS) -I$(BUILD)/cfg/$(3) -I$(BUILD)/cfg/$(3)/gen -o $$@ $$^ -lcmocka -lm
	@printf '%s\n' $(call judge_test_objs,$(3)) >$$@.objects
endef
$(eval $(call JUDGE_TEST,judge,test,tiny))
$(eval $(call JUDGE_TEST,judge-views,views,umh2))
$(eval $(call JUDGE_TEST,judge-coherence,coherence,umh2))
