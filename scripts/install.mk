# make install PREFIX=... [DESTDIR=...] [INSTALL_MODELS="small opencl"], make uninstall (docs/install.md). The files are put together in build/install/, which has no PREFIX.
PREFIX         ?= /usr/local
INSTALL_MODELS ?= $(CONFIGS)
INSTALL        := $(BUILD)/install
VERSION        := $(shell sed -n 's/.*VL_VERSION "\(.*\)"/\1/p' sw/runtime/vellum.h)
SONAME         := libvellum.so.$(firstword $(subst ., ,$(VERSION)))

# libvellum as the OpenCL driver has it: position-independent, and hidden except for the declarations of vellum.h.
INSTALL_OBJS := $(filter-out $(BUILD)/pic/sw/opencl/% $(BUILD)/pic/sw/runtime/process.o,$(OPENCL_OBJS)) $(INSTALL)/process.o
# Programs that have the library in them learn here where the rest is.
.PHONY: install uninstall install-files
$(INSTALL)/process.o: sw/runtime/process.c install-files | setup $(BUILD)/gen/vl_regs.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -fPIC -fvisibility=hidden -DVL_INSTALLED='"$(PREFIX)/lib/vellum/src"' -c $< -o $@
$(INSTALL)/libvellum.so: $(INSTALL_OBJS)
	$(LINK) -shared -Wl,-Bsymbolic -Wl,-soname,$(SONAME) -o $@ $^ $(LDLIBS)
# One object with its hidden names made local.
$(INSTALL)/libvellum.a: $(INSTALL_OBJS)
	@rm -f $@
	ld -r -o $(@D)/libvellum.o $^
	objcopy --localize-hidden --strip-debug $(@D)/libvellum.o
	$(AR) rcs $@ $(@D)/libvellum.o
install: $(BUILD)/commit $(INSTALL)/libvellum.so $(INSTALL)/libvellum.a $(BUILD)/vellum $(BUILD)/libvellumcl.so $(DEVICE_LIBRARY) $(foreach c,$(INSTALL_MODELS),$(BUILD)/cfg/$(c)/libvlmodel.so $(BUILD)/cfg/$(c)/vl_config.json)
	scripts/install '$(PREFIX)' '$(DESTDIR)' $(VERSION) $(INSTALL_MODELS)
uninstall:
	scripts/install --remove '$(PREFIX)' '$(DESTDIR)'
