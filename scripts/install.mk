# make install PREFIX=... [DESTDIR=...] [INSTALL_MODELS="small opencl"], make uninstall (docs/install.md). What is installed is put together in build/install/, a folder a PREFIX knows nothing of.
PREFIX         ?= /usr/local
INSTALL_MODELS ?= $(CONFIGS)
INSTALL        := $(BUILD)/install
VERSION        := $(shell sed -n 's/.*VL_VERSION "\(.*\)"/\1/p' sw/runtime/vellum.h)
SONAME         := libvellum.so.$(firstword $(subst ., ,$(VERSION)))

# libvellum as the OpenCL driver has it: position-independent, and hidden but for what vellum.h declares.
INSTALL_OBJS := $(filter-out $(BUILD)/pic/sw/opencl/% $(BUILD)/pic/sw/runtime/process.o,$(OPENCL_OBJS)) $(INSTALL)/process.o
# Programs that have the library in them learn here where the rest is.
.PHONY: install uninstall install-files
$(INSTALL)/process.o: sw/runtime/process.c install-files | setup $(BUILD)/gen/vl_regs.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -fPIC -fvisibility=hidden -DVL_INSTALLED='"$(PREFIX)/lib/vellum/src"' -c $< -o $@
$(INSTALL)/libvellum.so: $(INSTALL_OBJS)
	$(LINK) -shared -Wl,-Bsymbolic -Wl,-soname,$(SONAME) -o $@ $^ $(LDLIBS)
# One object, whose hidden names have become its own.
$(INSTALL)/libvellum.a: $(INSTALL_OBJS)
	@rm -f $@
	ld -r -o $(@D)/libvellum.o $^
	objcopy --localize-hidden --strip-debug $(@D)/libvellum.o
	$(AR) rcs $@ $(@D)/libvellum.o
install: $(BUILD)/commit $(INSTALL)/libvellum.so $(INSTALL)/libvellum.a $(BUILD)/vellum $(BUILD)/libvellumcl.so $(DEVICE_LIBRARY) $(foreach c,$(INSTALL_MODELS),$(BUILD)/cfg/$(c)/libvlmodel.so $(BUILD)/cfg/$(c)/vl_config.json)
	scripts/install '$(PREFIX)' '$(DESTDIR)' $(VERSION) $(INSTALL_MODELS)
uninstall:
	scripts/install --remove '$(PREFIX)' '$(DESTDIR)'
