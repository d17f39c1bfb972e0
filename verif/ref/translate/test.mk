# Translation of the reference, verif/ref/translate, with sanitizers.
REF_TRANSLATE := $(addprefix $(BUILD)/san/,verif/ref/translate/test.o verif/ref/translate/random.o sim_c/ref/translate.o)
$(BUILD)/ref/translate/test: $(REF_TRANSLATE)
	@mkdir -p $(@D)
	$(LINK) -fsanitize=address,undefined $^ -lcmocka -o $@
