# The judge's own test, verif/ref/judge: of the configuration tiny, with what it is linked from.
JUDGE_TEST_OBJS := $(patsubst %.c,$(BUILD)/cfg/tiny/obj/%.o,$(JUDGE_SRCS)) $(BUILD)/cfg/tiny/obj/isa_gen.o
$(BUILD)/test/judge: verif/ref/judge/test.c $(JUDGE_TEST_OBJS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -I$(BUILD)/cfg/tiny -I$(BUILD)/cfg/tiny/gen -o $@ $^ -lcmocka -lm
	@printf '%s\n' $(JUDGE_TEST_OBJS) >$@.objects
