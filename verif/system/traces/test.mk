# Waves are read back by the reader that comes with Verilator's copy of the FST library.
FSTLIB := $(VINC)/gtkwave
$(BUILD)/test/system-traces/fst: verif/system/traces/fst.c | setup
	@mkdir -p $(@D)
	$(LINK) -std=gnu17 -O1 -w -DFST_CONFIG_INCLUDE='"fst_config.h"' -I$(FSTLIB) -o $@ $< $(FSTLIB)/fstapi.c $(FSTLIB)/fastlz.c $(FSTLIB)/lz4.c -lz
test-needs: $(patsubst %,$(BUILD)/cfg/tiny/libvl%-waves.so,rtl lockstep)
