# The arithmetic of the twins of fpu and fdiv against the reference's: verif/core/softfp.
$(BUILD)/verif/softfp: $(BUILD)/obj/verif/core/softfp/test.o $(BUILD)/obj/sim_c/core/softfp.o $(BUILD)/libref.a
	@mkdir -p $(@D)
	$(LINK) -o $@ $^ -lm
