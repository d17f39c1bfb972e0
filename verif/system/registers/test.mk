# Every register and every policy on whole machines, verif/system/registers.
$(BUILD)/test/registers: $(BUILD)/obj/verif/system/registers/main.o $(BUILD)/libvellum.a
	@mkdir -p $(@D)
	$(LINK) -o $@ $^ $(LDLIBS)
