# The module `perf` for Python (python/): "make python" builds it, "make install-python" installs it for the
# Python that $(PYTHON) is. It is one shared object, from position-independent copies of what it needs of
# util/ and arch/, and is linked with no libpython: its functions are those that all versions from 3.8 on have.

PYTHON ?= python3
# modules of util/ that it is made of; its own sources, and all that is below arch/, come in addition
PYTHON_UTIL := base lib view cli event data tep obj syscall host cache kernel bpf observe count record pmu \
	machine sym unwind aux session resolve fields stat list
PYTHON_SRC := $(wildcard python/*.c)
PYTHON_OBJ := $(PYTHON_SRC:%.c=$(O)/pic/%.o)
PIC_OBJ := $(patsubst %.c,$(O)/pic/%.o,$(filter-out %.bpf.c,$(wildcard arch/*.c arch/*/*.c \
	$(PYTHON_UTIL:%=util/%/*.c))))
PYTHON_SO := $(O)/python/perf.abi3.so
PYTHON_STUBS := $(patsubst %,$(O)/%,$(wildcard python/*.pyi))
# as the plug-in of scripts finds its headers (config/libs.tsv)
PYTHON_CFLAGS = $(PLUGIN_LIBS_libpython)
# where it is installed: the folder for modules of $(PYTHON)
PYTHONDIR ?= $(shell $(PYTHON) -c "import sysconfig; print(sysconfig.get_path('platlib'))" 2> /dev/null)

ifneq ($(filter libpython,$(PLUGINS)),)
# the tests are of the plain build: with sanitizers, Python would have to be built with them, too
PYTHON_TEST := $(if $(SANITIZE),,python)
python: $(PYTHON_SO) $(PYTHON_STUBS) plugins
else
python:
	@echo "make python: the headers of Python are missing: install python3-dev (make deps)" >&2; exit 1
endif

$(PIC_OBJ) $(PYTHON_OBJ): $(O)/pic/%.o: %.c $(O)/flags
	$(call say,PIC,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -fPIC -fvisibility=hidden -c -o $@ $<
$(PIC_OBJ) $(PYTHON_OBJ): | $(O)/include/version.h
$(PYTHON_OBJ): FILE_FLAGS = $(PYTHON_CFLAGS)

$(O)/pic/libperf.a: $(PIC_OBJ)
	@rm -f $@
	$(Q)$(AR) rc $@ $^
$(PYTHON_SO): $(PYTHON_OBJ) $(O)/pic/libperf.a
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BUILD_FLAGS) -fPIC -shared -Wl,-Bsymbolic,--exclude-libs,ALL $(LDFLAGS) -o $@ $^ $(LDLIBS)
$(PYTHON_STUBS): $(O)/python/%: python/%
	@mkdir -p $(@D)
	$(Q)cp $< $@

install-python: python
	@test -n '$(PYTHONDIR)' || { echo 'make install-python: $(PYTHON) does not run' >&2; exit 1; }
	install -d $(DESTDIR)$(PYTHONDIR) $(DESTDIR)$(PLUGINDIR)
	install -m 755 $(PYTHON_SO) $(DESTDIR)$(PYTHONDIR)
	$(if $(PYTHON_STUBS),install -m 644 $(PYTHON_STUBS) $(DESTDIR)$(PYTHONDIR))
	$(if $(PLUGIN_SO),install -m 755 $(PLUGIN_SO) $(DESTDIR)$(PLUGINDIR))
uninstall-python:
	rm -f $(DESTDIR)$(PYTHONDIR)/$(notdir $(PYTHON_SO)) $(DESTDIR)$(PYTHONDIR)/perf.pyi

.PHONY: python install-python uninstall-python
-include $(PIC_OBJ:.o=.d) $(PYTHON_OBJ:.o=.d)
