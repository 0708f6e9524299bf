# The module `perf` for Python (python/): "make python" builds it, "make install-python" installs it for the
# Python that $(PYTHON) is. It is one shared object with what it needs of the objects of perf, and is linked
# with no libpython: its functions are those that all versions from 3.8 on have.

PYTHON ?= python3
PYTHON_SRC := $(wildcard python/*.c)
PYTHON_OBJ := $(PYTHON_SRC:%.c=$(O)/%.o)
PYTHON_SO := $(O)/python/perf.abi3.so
PYTHON_STUBS := $(patsubst %,$(O)/%,$(wildcard python/*.pyi))
# as the plug-in of scripts finds its headers (config/libs.tsv)
PYTHON_CFLAGS = $(PLUGIN_LIBS_libpython)
# where it is installed: the folder for modules of $(PYTHON)
PYTHONDIR ?= $(shell $(PYTHON) -c "import sysconfig; print(sysconfig.get_path('platlib'))" 2> /dev/null)

ifneq ($(filter libpython,$(PLUGINS)),)
# what tests need; the thread sanitizer would have to be in Python, too
PYTHON_TEST := $(if $(findstring thread,$(SANITIZE)),,python)
python: $(PYTHON_SO) $(PYTHON_STUBS) plugins
else
python:
	@echo "make python: the headers of Python are missing: install python3-dev (make deps)" >&2; exit 1
endif

$(PYTHON_OBJ): | $(O)/include/version.h
$(PYTHON_OBJ): FILE_FLAGS = $(PYTHON_CFLAGS)
$(PYTHON_SO): $(PYTHON_OBJ) $(O)/libperf.a
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BUILD_FLAGS) -shared -Wl,-Bsymbolic,--exclude-libs,ALL $(LDFLAGS) -o $@ $^ $(LDLIBS)
$(PYTHON_STUBS): $(O)/python/%: python/%
	@mkdir -p $(@D)
	$(Q)cp $< $@

# for scripts that do not know whether there are headers of Python
python-tests: $(PYTHON_TEST)

install-python: python
	@test -n '$(PYTHONDIR)' || { echo 'make install-python: $(PYTHON) does not run' >&2; exit 1; }
	install -d $(DESTDIR)$(PYTHONDIR) $(DESTDIR)$(PLUGINDIR)
	install -m 755 $(PYTHON_SO) $(DESTDIR)$(PYTHONDIR)
	$(if $(PYTHON_STUBS),install -m 644 $(PYTHON_STUBS) $(DESTDIR)$(PYTHONDIR))
	$(if $(PLUGIN_SO),install -m 755 $(PLUGIN_SO) $(DESTDIR)$(PLUGINDIR))
uninstall-python:
	rm -f $(DESTDIR)$(PYTHONDIR)/$(notdir $(PYTHON_SO)) $(DESTDIR)$(PYTHONDIR)/perf.pyi

.PHONY: python python-tests install-python uninstall-python
-include $(PYTHON_OBJ:.o=.d)
