# Build of perf. Sources are found by wildcard: adding a file edits nothing here. "make help" lists what can
# be made.
#
#   make V=1                         print the commands
#   make WERROR=1                    warnings are errors
#   make DEBUG=1                     -O0, in build/debug
#   make SANITIZE=address,undefined  with sanitizers, in build/san-address-undefined (or SANITIZE=thread)
#   make HARDEN=1                    with what distributions ask for against attacks, in build/hardened
#   make CC=clang                    another compiler
#   make CROSS_COMPILE=aarch64-linux-gnu-
#                                    for another machine, in build/aarch64, with its libraries beside ours
#   make ARCH=aarch64                the same: cross compiler from CC or CROSS_COMPILE (default
#                                    $(ARCH)-linux-gnu-), its libraries from SYSROOT (or a --sysroot in CC)
#   make CC="clang --target=aarch64-linux-gnu -fuse-ld=lld" SYSROOT=DIR
#                                    the same with clang and LLVM's tools, without a cross compiler

# "aarch64-linux-gnu" of a clang for another machine
TARGET := $(patsubst --target=%,%,$(filter --target=%,$(CC)))
ARCH ?= $(firstword $(subst -, ,$(or $(TARGET),$(notdir $(CROSS_COMPILE)))))
CROSS := $(or $(CROSS_COMPILE),$(if $(ARCH),$(or $(TARGET),$(ARCH)-linux-gnu)-))
ifeq ($(origin CC),default)
CC := $(CROSS)gcc
endif
# clang needs nothing of the cross compiler: without its ar and objcopy those of LLVM are used
BINUTILS := $(if $(TARGET),$(if $(shell command -v $(CROSS)objcopy),$(CROSS),llvm-),$(CROSS))
ifeq ($(origin AR),default)
AR := $(BINUTILS)ar
endif
# where Debian has libraries of that machine
MULTIARCH := $(patsubst i686-%,i386-%,$(patsubst %-,%,$(notdir $(CROSS))))
OBJCOPY ?= $(BINUTILS)objcopy
STRIP ?= $(BINUTILS)strip
ifneq ($(SYSROOT),)
ifeq ($(findstring --sysroot,$(CC)),)
override CC := $(CC) --sysroot=$(SYSROOT)
endif
# before the C library that came with the cross compiler: it may be older than what the others there were
# linked with
override CC := $(CC) $(addprefix -L,$(wildcard $(SYSROOT)/usr/lib/$(MULTIARCH)))
endif
ifneq ($(TARGET),)
# of the linker
override CC := $(CC) -Wno-unused-command-line-argument
endif
ifneq ($(ARCH),)
# config/probe.sh asks pkg-config and perl for libraries of that machine
PKG_CONFIG_LIBDIR ?= $(SYSROOT)/usr/lib/$(MULTIARCH)/pkgconfig:$(SYSROOT)/usr/share/pkgconfig
PKG_CONFIG_SYSROOT_DIR ?= $(SYSROOT)
PERL_LIBDIR ?= $(SYSROOT)/usr/lib/$(MULTIARCH)/perl
export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR PERL_LIBDIR
endif
SHELL := /bin/sh
comma := ,

# Each way of building has its own object directory; only the plain one makes ./perf.
ifneq ($(SANITIZE),)
O ?= build/san-$(subst $(comma),-,$(SANITIZE))
# -g1, which has lines, takes a third off the time of the compiler
CFLAGS ?= -O1 -g1 -fno-omit-frame-pointer
# With both, undefined behaviour is an invalid instruction, whose line the address sanitizer prints
# (tests/run). Texts about it were three quarters of the globals that each start registers, and a quarter of
# the compiler's time. SANITIZE=undefined alone has them
TRAP := $(and $(findstring address,$(SANITIZE)),$(findstring undefined,$(SANITIZE)))
# NULL + 0 is NULL: clang's check of pointers means all of them. Variables without a value, and what pads
# structures, have bytes that no other variable left there: what uses them goes wrong in each run
MODE_FLAGS := -fsanitize=$(SANITIZE) -fno-sanitize-recover=all \
	$(if $(TRAP),-fsanitize-undefined-trap-on-error) \
	$(if $(findstring fuzzer,$(SANITIZE)),-fno-sanitize=pointer-overflow) \
	$(if $(findstring address,$(SANITIZE)),-ftrivial-auto-var-init=pattern)
# at a fixed address: a quarter of the time of a short run was the relocation of what describes globals
MODE_LINK := -no-pie
PERF := $(O)/perf
else ifeq ($(COVERAGE),1)
# for make fuzz-coverage: clang counts which lines run
O ?= build/coverage
CFLAGS ?= -O1 -g1
MODE_FLAGS := -fprofile-instr-generate -fcoverage-mapping
PERF := $(O)/perf
else ifeq ($(DEBUG),1)
O ?= build/debug
CFLAGS ?= -O0 -g3
PERF := $(O)/perf
else ifeq ($(HARDEN),1)
O ?= build/hardened
CFLAGS ?= -O2 -g
MODE_FLAGS := -fstack-protector-strong -fstack-clash-protection -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 \
	$(if $(filter x86_64 i386,$(or $(ARCH),$(shell uname -m))),-fcf-protection)
MODE_LINK := -pie
SHARED_LINK := -Wl,-z,relro -Wl,-z,now
PERF := $(O)/perf
else ifeq ($(STATIC),1)
O ?= build/static
CFLAGS ?= -O2 -g
# a static perf does not unwind itself, so no tables for that are inside
MODE_FLAGS := -ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables
# also a program at a fixed address, so nothing is relocated at start
MODE_LINK := -static -Wl,--gc-sections
PERF := $(O)/perf
else
O ?= build$(if $(ARCH),/$(ARCH))
CFLAGS ?= -O2 -g
PERF := $(if $(filter build,$(O)),perf,$(O)/perf)
endif

ifneq ($(words $(O)),1)
$(error O=$(O): make cannot work with blanks in the name of the object directory)
endif

VMLAB ?= ../shared/vmlab
PREFIX ?= /usr/local
# what the installed program is called: with PREFIX=/usr another name than that of the distribution's perf
NAME ?= perf
BINDIR ?= $(PREFIX)/bin
MANDIR ?= $(PREFIX)/share/man
DOCDIR ?= $(PREFIX)/share/doc/$(NAME)
# what perf shows: sources of its manual pages, queries
DATADIR ?= $(PREFIX)/share/$(NAME)
# plug-ins: optional libraries that perf loads when it needs them
PLUGINDIR ?= $(PREFIX)/lib/$(NAME)
INCDIR ?= $(PREFIX)/include$(if $(filter-out perf,$(NAME)),/$(NAME))
COMPDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
FISHDIR ?= $(PREFIX)/share/fish/vendor_completions.d

WARN := -Wall -Wextra -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wformat-security \
	-Wno-unused-parameter -Wno-missing-field-initializers
ifeq ($(WERROR),1)
# frames of 64 KB hold a whole record; larger ones would take the stack that libraries need. Sanitizers make
# frames larger
WERROR_FLAG := -Werror $(if $(SANITIZE),,-Wframe-larger-than=66000)
endif
# Objects can be part of the program and of a shared object (the module for Python): no function of theirs is
# seen outside, so the compiler knows where each is, and the code of the program is the same as without -fPIC.
PIC := $(if $(STATIC),-fno-pie,-fPIC) -fvisibility=hidden
# What objects depend on, kept in $(O)/flags; -Werror changes no object.
BUILD_FLAGS := -std=gnu11 -D_GNU_SOURCE $(WARN) $(CFLAGS) $(PIC) $(MODE_FLAGS) -pthread -I$(O)/include \
	-include config.h
COMPILE = $(CC) $(BUILD_FLAGS) $(FILE_FLAGS) $(WERROR_FLAG) -MMD -MP $(CPPFLAGS)

ifeq ($(PROGRESS),1)
# each step is one line, also under "make -s": for config/demo.sh
say = @printf '  %-7s %s\n' $(1) $(2)
Q := @
else ifneq ($(findstring s,$(firstword -$(MAKEFLAGS))),)
say = @:
Q := @
else ifeq ($(V),1)
say = @:
Q :=
else
say = @printf '  %-7s %s\n' $(1) $(2)
Q := @
endif

# All processors, unless -j was given.
ifeq ($(MAKELEVEL),0)
ifeq ($(filter -j%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)
endif
endif

SRC := $(sort $(filter-out %.bpf.c,$(wildcard perf.c builtin-*.c ui/*.c ui/*/*.c arch/*.c arch/*/*.c \
	util/*/*.c tests/workloads/*.c tests/machine/*.c)) tests/unit/test.c tests/unit/suite.c)
# a static perf has its libraries and plug-ins inside, instead of loading them
SRC := $(filter-out $(if $(STATIC),util/base/plugin.c util/base/maths.c util/lib/lib.c,%-static.c),$(SRC))
OBJ := $(SRC:%.c=$(O)/%.o)
LIB_OBJ := $(filter-out $(O)/perf.o,$(OBJ))
# the unit tests are a program of their own; perf has the tests of the machine instead
UNIT_OBJ := $(filter-out $(OBJ),$(patsubst %.c,$(O)/%.o,$(wildcard tests/unit/*.c)))
TOOLS := $(patsubst tests/tools/%/,$(O)/tools/%,$(wildcard tests/tools/*/))
TOOL_OBJ := $(patsubst %.c,$(O)/%.o,$(wildcard tests/tools/*/*.c))
BASE_OBJ := $(filter $(O)/util/base/%,$(OBJ))
FUZZ := $(patsubst tests/fuzz/fuzz-%.c,$(O)/fuzz/%,$(wildcard tests/fuzz/fuzz-*.c))
PAGES := $(wildcard Documentation/perf.txt Documentation/perf-*.txt)
MAN := $(PAGES:Documentation/%.txt=$(O)/man/%.1)

# Targets that need no compiler and no libraries
LIGHT := help clean deps config-clean test-bare test-cross test-compilers bpf dist deb test-deb rpm test-rpm
ifneq ($(filter-out $(LIGHT),$(or $(MAKECMDGOALS),all)),)
ifneq ($(MAKECMDGOALS),demo)
include $(O)/config.mk
endif
endif
ifeq ($(STATIC),1)
INSIDE = $(basename $(notdir $(wildcard $(PLUGINS:%=plugins/%.c))))
PLUGIN_OBJ = $(INSIDE:%=$(O)/inside/%.o)
LDLIBS = -Wl,--start-group $(foreach p,$(filter-out $(INSIDE),$(PLUGINS)),$(PLUGIN_LIBS_$(p))) \
	$(FEATURE_LIBS) -Wl,--end-group -lpthread -ldl -lm
else
PLUGIN_SO = $(PLUGINS:%=$(O)/lib/perf/%.so)
# libm is loaded when first needed (util/base/maths.h); a compiler may call more of it than the sources do
LDLIBS = $(FEATURE_LIBS) -lpthread -ldl -Wl,--as-needed -lm -Wl,--no-as-needed
endif

all: $(PERF) plugins
plugins: $(PLUGIN_SO)

$(PERF): $(OBJ) $(PLUGIN_OBJ)
	$(call say,LINK,$@)
	$(Q)$(CC) $(BUILD_FLAGS) $(LINK_FLAGS) $(MODE_LINK) $(SHARED_LINK) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(O)/%.o: %.c $(O)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -c -o $@ $<

# Files that HTML pages contain, as lists of bytes for C.
HTML := $(patsubst ui/html/%,$(O)/include/html/%.inc,$(wildcard ui/html/*.js ui/html/*.css))
$(HTML): $(O)/include/html/%.inc: ui/html/%
	@mkdir -p $(@D)
	$(Q)LC_ALL=C od -An -v -tu1 $< | sed 's/[0-9][0-9]*/&,/g' > $@
$(O)/ui/page.o: $(HTML)
$(O)/include/fleet/sqlite.sql.inc: Documentation/fleet/sqlite.sql
	@mkdir -p $(@D)
	$(Q)LC_ALL=C od -An -v -tu1 $< | sed 's/[0-9][0-9]*/&,/g' > $@
$(O)/ui/out-sqlite.o: $(O)/include/fleet/sqlite.sql.inc

# A plug-in is one file, linked with its library alone; perf finds it in lib/perf beside the build.
$(O)/lib/perf/%.so: plugins/%.c $(O)/flags
	$(call say,PLUGIN,$@)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -fvisibility=default -shared $(SHARED_LINK) $(LDFLAGS) -o $@ $< $(PLUGIN_LIBS_$*)

# Without a file it is empty, and names the library for the dynamic linker: perf looks its functions up
# (util/lib/libs.def).
$(O)/lib/perf/%.so: $(O)/flags
	$(call say,PLUGIN,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BUILD_FLAGS) -shared $(SHARED_LINK) $(LDFLAGS) -Wl,--no-as-needed -o $@ \
		-x c /dev/null -x none $(PLUGIN_LIBS_$*)

# Of a static perf: each plug-in is an object with its library, of which only a name of its own can be seen
# from outside, because libraries and perf have functions of the same names. A table has them all.
$(O)/plugins/%.o: FILE_FLAGS = -DPLUGIN_SYMBOL=perf_plugin_$(notdir $*)
$(O)/inside/%.o: $(O)/plugins/%.o Makefile
	$(call say,PLUGIN,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -r -nostdlib $(INSIDE_FLAGS) -o $@.all $< \
		-Wl,--start-group $(PLUGIN_LIBS_$*) -Wl,--end-group
	$(Q)$(OBJCOPY) --keep-global-symbol=perf_plugin_$* --remove-section=.eh_frame $@.all $@
	@rm $@.all
# Capstone has machines that plugins/libcapstone.c does not ask for. Where the functions of one are NULL,
# capstone takes itself as built without it, and the tables of its instructions stay outside
CAPSTONE_WITHOUT := BPF EVM M680X M68K MOS65XX SH Sparc TMS320C64x TRICORE WASM XCore
$(O)/inside/libcapstone.o: INSIDE_FLAGS := $(foreach m,$(CAPSTONE_WITHOUT),\
	-Wl,--defsym=$(m)_global_init=0 -Wl,--defsym=$(m)_option=0)
$(O)/include/static.def: $(O)/config.mk
	@{ for p in $(INSIDE); do echo "INSIDE($$p)"; done; \
		for p in $(filter-out $(INSIDE),$(PLUGINS)); do echo "LIBRARY($$p)"; done; } > $@
$(O)/util/base/plugin-static.o: $(O)/include/static.def
# and so are the sources of its manual
$(O)/include/pages.def: packaging/pages.sh $(if $(STATIC),$(PAGES))
	@mkdir -p $(@D)
	@packaging/pages.sh $(if $(STATIC),$(PAGES)) > $@
$(O)/util/cli/page-sources.o: $(O)/include/pages.def

# Workloads are what their source says, and frame pointers lead back from them to main().
FRAMES := -fno-omit-frame-pointer -fno-optimize-sibling-calls
$(O)/tests/workloads/%.o: FILE_FLAGS := $(FRAMES) -g2 -O0 -fno-inline -U_FORTIFY_SOURCE
$(O)/perf.o $(O)/builtin-test.o $(O)/util/base/stack.o: FILE_FLAGS := $(FRAMES)

# For every sample some small structs are cleared: a string instruction takes longer to start than stores.
CLEAR_BY_STORES := $(shell f=-mmemset-strategy=unrolled_loop:256:noalign$(comma)libcall:-1:noalign; \
	$(CC) $$f -x c -S -o /dev/null /dev/null 2> /dev/null && echo $$f)
$(O)/util/hist/count.o: FILE_FLAGS := $(CLEAR_BY_STORES)

# A tool is a directory below tests/tools, linked with util/base alone.
$(TOOLS): $(O)/tools/%: $(TOOL_OBJ) $(BASE_OBJ)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BUILD_FLAGS) $(SHARED_LINK) $(LDFLAGS) -o $@ \
		$(filter $(O)/tests/tools/$*/%.o $(O)/util/base/%.o,$^) -lpthread -lm

# A fuzz target is one file, linked with everything but main().
$(O)/libperf.a: $(LIB_OBJ)
	@rm -f $@
	$(Q)$(AR) rc $@ $^
# SANITIZE=...,fuzzer-no-link: libFuzzer drives it (make fuzz)
FUZZ_DRIVER := $(if $(findstring fuzzer,$(SANITIZE)),,tests/fuzz/driver.c)
$(O)/fuzz/%: tests/fuzz/fuzz-%.c $(FUZZ_DRIVER) $(O)/libperf.a
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $(if $(FUZZ_DRIVER),,-fsanitize=fuzzer) $(LDFLAGS) -o $@ $(filter %.c %.a,$^) $(LDLIBS)

include python/python.mk

# --- what depends on the machine: compiler flags, libraries, version

$(O)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(BUILD_FLAGS) $(CPPFLAGS)' | cmp -s - $@ || echo '$(CC) $(BUILD_FLAGS) $(CPPFLAGS)' > $@

$(O)/config.mk: config/libs.tsv config/probe.sh $(wildcard config/probe-*.c)
	$(call say,PROBE,libraries)
	@mkdir -p $(O)/include
	@STATIC='$(STATIC)' config/probe.sh $(O) $(CC) $(CPPFLAGS) $(LDFLAGS) $(if $(STATIC),-static)

$(O)/include/version.h: FORCE
	@config/version.sh $@
# where perf looks for its plug-ins and its manual, and the name by which it is installed
PLACES := $(PREFIX) $(PLUGINDIR) $(MANDIR) $(DATADIR) $(NAME)
$(O)/prefix: FORCE
	@mkdir -p $(@D)
	@echo '$(PLACES)' | cmp -s - $@ || echo '$(PLACES)' > $@
$(O)/util/cli/command.o $(O)/util/base/plugin.o: $(O)/prefix
$(O)/util/cli/command.o: FILE_FLAGS = -DPERF_PREFIX='"$(PREFIX)"' -DPERF_MAN_DIR='"$(MANDIR)"' \
	-DPERF_DATA_DIR='"$(DATADIR)"' -DPERF_NAME='"$(NAME)"'
$(O)/util/base/plugin.o: FILE_FLAGS = -DPERF_PLUGIN_DIR='"$(PLUGINDIR)"' -DPERF_BUILD_DIR='"$(O)"' \
	-DPERF_NAME='"$(NAME)"'
$(O)/util/cli/build-features.o: $(O)/include/version.h $(O)/include/features.def
$(O)/include/features.def: $(O)/config.mk
# made before anything that may include it; who includes it is rebuilt when it changes
$(OBJ) $(UNIT_OBJ): | $(O)/include/version.h

# --- tests

unit-quick: $(O)/unit-tests plugins
	@ASAN_OPTIONS=detect_leaks=0 $(O)/unit-tests
$(O)/unit-tests: $(filter-out $(O)/tests/machine/%,$(LIB_OBJ)) $(UNIT_OBJ)
	$(call say,LINK,$@)
	$(Q)$(CC) $(BUILD_FLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# BPF programs as lists of bytes, which are checked in: only needed after a change of a *.bpf.c or *.bpf.h
bpf:
	$(Q)config/bpf.sh $(wildcard util/bpf/*.bpf.c)

tools: $(TOOLS)
fuzzers: $(FUZZ) plugins

# Everything, or the kinds and scripts of TESTS: builds first, so that a failure to build is seen as such.
TESTS ?= unit cli interop fuzz
test: all tools $(PYTHON_TEST) $(if $(filter fuzz,$(TESTS)),fuzzers) $(O)/unit-tests
	@O=$(O) PERF=$(PERF) tests/run $(TESTS)
check: all tools $(PYTHON_TEST) fuzzers $(O)/unit-tests
	@O=$(O) PERF=$(PERF) tests/run lint unit cli interop fuzz
lint: all
	@O=$(O) PERF=$(PERF) tests/run lint
# Guests of another architecture; tests/vm/README says what is needed.
test-vm test-vm-all: all
	@O=$(O) VMLAB=$(VMLAB) OWN_CC='$(CC)' \
		CCACHE=$(or $(CCACHE),$(filter ccache %/ccache,$(firstword $(CC)))) \
		timeout -k 10 590 tests/vm/run $(if $(filter %-all,$@),all)
# all that is compiled, for the warnings of a compiler
objects: $(OBJ) $(UNIT_OBJ) $(TOOL_OBJ)
# with each gcc and clang that is installed, or those of COMPILERS: warnings are errors
test-compilers:
	@CCACHE=$(or $(CCACHE),$(filter ccache %/ccache,$(firstword $(CC)))) tests/compilers/run $(COMPILERS)
# Builds for other machines, whose unit tests run emulated: all, or those of CROSS_ARCHES; tests/cross/README
test-cross:
	@CCACHE=$(or $(CCACHE),$(filter ccache %/ccache,$(firstword $(CC)))) tests/cross/run $(CROSS_ARCHES)
# System calls of each command that records, converts or writes fail, one at a time; tests/faults/README
FAULTS ?= 6
faults: all tools
	@O=$(O) PERF=$(PERF) tests/faults/run -b $(FAULTS) $(FAULT_COMMANDS)
# libFuzzer (clang) over the corpora, FUZZ_SECONDS for each target: FUZZ_TARGETS="session/pt etm"; and which
# lines of each format's reader the corpora reach; tests/fuzz/README
FUZZ_SANITIZE := address,undefined,fuzzer-no-link
fuzz:
	+@$(MAKE) CC='$(or $(FUZZ_CC),clang)' SANITIZE=$(FUZZ_SANITIZE) tools fuzzers
	@O=build/san-$(subst $(comma),-,$(FUZZ_SANITIZE)) tests/fuzz/run $(FUZZ_TARGETS)
fuzz-coverage:
	+@$(MAKE) CC='$(or $(FUZZ_CC),clang)' COVERAGE=1 tools fuzzers
	@O=build/coverage tests/fuzz/coverage $(FUZZ_FORMATS)
# an hour (SOAK_SECONDS=) of what runs long, under a storm of processes; tests/soak/README
soak: all tools
	@O=$(O) PERF=$(PERF) tests/soak/run
# "make demo" and "make test" of the last commit on a Debian with only git and make; tests/bare/run says how.
test-bare:
	@tests/bare/run
bench: all $(O)/tools/measure $(O)/tools/ttydrive $(O)/tools/grow $(O)/unit-tests
	+@O=$(O) PERF=$(PERF) BENCH_ONLY='$(BENCH_ONLY)' tests/bench/run

# rows of a simulated fleet in the engines of Documentation/fleet: FLEET_PROFILES=1000
bench-fleet: all
	+@O=$(O) PERF=$(PERF) tests/bench/fleet

# --- first minute, installation

deps:
	@CC='$(CC)' config/deps.sh
	@rm -f $(O)/config.mk
demo:
	+@config/demo.sh
man: $(MAN)
$(O)/man/%.1: Documentation/%.txt $(PERF)
	$(call say,MAN,$<)
	@mkdir -p $(@D)
	$(Q)./$(PERF) help --roff $< > $@

# packaging/install.sh has the list of files
PAGEDIR ?= $(O)/man
INSTALL_PLUGINS = $(basename $(notdir $(PLUGIN_SO)))
INSTALL_WORDS := O PERF INSTALL_PLUGINS PAGES PAGEDIR NAME DESTDIR BINDIR MANDIR DOCDIR DATADIR PLUGINDIR \
	INCDIR COMPDIR ZSHDIR FISHDIR
INSTALL = @$(foreach w,$(INSTALL_WORDS),$(w)='$($(w))') packaging/install.sh
# a perf for another machine cannot write its pages here
install: all $(if $(ARCH),,man)
	$(call say,INSTALL,$(DESTDIR)$(PREFIX))
	$(INSTALL) install
# the same of what is there: makes nothing
install-files:
	$(INSTALL) install
# what install put there, and the folders that are perf's own where nothing else is in them
uninstall:
	$(INSTALL) uninstall

include packaging/rules.mk

clean:
	rm -rf $(O) $(PERF)

help:
	@sed -n 's/^#   //p' Makefile
	@echo
	@echo 'make             build ./perf'
	@echo 'make deps        install the libraries that are missing' \
		'(as root; otherwise names the packages)'
	@echo 'make demo        deps, build, record a small workload, print its report'
	@echo 'make test        build and run every test, or TESTS="unit tests/cli/t0400-report.sh"'
	@echo 'make check       lint and every test'
	@echo 'make test-vm     in guests of x86-64 and, cross-built, s390x, which is big-endian' \
		'(VMLAB=DIR: the scripts that boot them)'
	@echo 'make test-vm-all in those of aarch64 and riscv64, too'
	@echo 'make test-cross  unit tests of perf for other machines, emulated: CROSS_ARCHES="aarch64"' \
		'(mmdebstrap)'
	@echo 'make test-compilers  compile everything with each installed gcc and clang:' \
		'COMPILERS="clang-19"'
	@echo 'make test-bare   the last commit on a bare Debian 12 with git and make, in a chroot' \
		'(root, mmdebstrap, network)'
	@echo 'make faults      system calls of each command fail, one at a time: FAULTS=6 of each kind'
	@echo 'make fuzz        libFuzzer, FUZZ_SECONDS=60 for each of FUZZ_TARGETS="session etm" (clang)'
	@echo 'make fuzz-coverage  lines that corpora reach, by format: FUZZ_FORMATS="pprof btf"'
	@echo 'make soak        top, trace, record, stat, daemon under a storm: SOAK_SECONDS=3600 (root)'
	@echo 'make bench       speed and memory against the reference perf:' \
		'BENCH_ONLY="version report-flat", BENCH_ROUNDS=3'
	@echo 'make bench-fleet profiles of a fleet in sqlite, DuckDB and ClickHouse: FLEET_PROFILES=1000'
	@echo 'make install     PREFIX=$(PREFIX) DESTDIR=; NAME=$(NAME): what the program is called there'
	@echo 'make uninstall   with the same variables'
	@echo 'make html        the manual for browsers: $(O)/html/index.html'
	@echo 'make static      one file without shared libraries: build/static/perf-static'
	@echo 'make test-static runs it in an empty root, in Debians old and new and in guests (root):' \
		'STATIC_PLACES="empty sid"'
	@echo 'make dist        the last commit as a tarball that builds without git: $(O)/dist'
	@echo 'make deb         Debian packages of the last commit: $(O)/deb (dpkg-buildpackage, debhelper)'
	@echo 'make test-deb    install, use and remove them in a bare Debian 12 (root, mmdebstrap, lintian);'
	@echo '                 REBUILD=2: the same bytes again'
	@echo 'make rpm         RPM packages of the last commit: $(O)/rpm (rpmbuild)'
	@echo 'make test-rpm    install, use and remove them in a folder (root, rpmlint)'
	@echo 'make sbom        bill of materials as SPDX: $(O)/perf.spdx.json'
	@echo 'make python      the module perf for Python, in $(O)/python; make install-python,' \
		'uninstall-python: PYTHON=$(PYTHON)'
	@echo 'make clean'

FORCE:
.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: all plugins bpf unit-quick tools fuzzers test check lint test-vm test-vm-all test-bare \
	objects test-compilers test-cross faults fuzz fuzz-coverage soak bench bench-fleet deps demo man \
	install install-files uninstall clean help FORCE
-include $(UNIT_OBJ:.o=.d)
-include $(OBJ:.o=.d) $(TOOL_OBJ:.o=.d) $(patsubst plugins/%.c,$(O)/lib/perf/%.d,$(wildcard plugins/*.c))
