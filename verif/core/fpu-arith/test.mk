# The arithmetic test of fpu and fdiv (verif/core/fpu-arith), on the blocks of `small`.
FPA     := $(BUILD)/verif/fpu-arith
FPA_CFG := $(BUILD)/cfg/small
FPA_LIB := $(foreach b,fpu fdiv,$(FPA_CFG)/rtl/$(b)/lib$(b).a)
FPA_OBJ := $(FPA_CFG)/obj/verif/core/fpu-arith/test.o $(sort $(foreach b,fpu fdiv,$(call ports_of,small,$(b)))) $(FPA_CFG)/obj/gen/vl_types.o

$(FPA_CFG)/obj/verif/core/fpu-arith/test.o: $(FPA_CFG)/gen/fpu_ports.h $(FPA_CFG)/gen/fdiv_ports.h
$(FPA_CFG)/obj/verif/core/fpu-arith/test.o: CFLAGS += -frounding-math -ffp-contract=off
$(FPA): $(FPA_OBJ) $(FPA_LIB) $(VRUN) $(ISA_OBJS)
	@mkdir -p $(@D)
	$(LINKXX) -o $@ $(filter %.o,$^) $(FPA_LIB) -lz -lpthread -lm
