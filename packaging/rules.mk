# SPDX-License-Identifier: GPL-2.0-or-later
# Packages and documents: what "make dist", "make deb" and others do. Part of the makefile.

DIST := $(O)/dist
HTMLDIR ?= $(DOCDIR)/html

# the last commit as a tarball, which builds without git; the same bytes each time
dist:
	$(call say,DIST,$(DIST))
	@packaging/dist.sh $(DIST)

# which libraries this perf was built with, as SPDX
sbom: all
	$(call say,SBOM,$(O)/perf.spdx.json)
	@CC='$(CC)' STATIC='$(STATIC)' LIBS='$(LDLIBS) $(foreach p,$(INSIDE),$(PLUGIN_LIBS_$(p)))' \
		packaging/sbom.sh $(PERF) $(O)/lib/perf > $(O)/perf.spdx.json

# the manual for browsers: $(O)/html/index.html
html: $(PERF)
	$(call say,HTML,$(O)/html/index.html)
	@packaging/html.sh $(abspath $(PERF)) $(abspath $(O))/html
install-html: html
	install -d $(DESTDIR)$(HTMLDIR)
	install -m 644 $(O)/html/* $(DESTDIR)$(HTMLDIR)

# One file that needs no others: libraries, plug-ins and the manual are inside. Without debugging information,
# but with symbols, so that it can be observed itself. The linker's warnings are about names of users and
# filters of samples (--dlfilter), which a static program can only have where this C library is installed
static:
	+@$(MAKE) --no-print-directory STATIC=1 O=build/static build/static/perf
	$(call say,STRIP,build/static/perf-static)
	@$(STRIP) -g -o build/static/perf-static build/static/perf
	@ls -l build/static/perf-static
# in an empty root, in Debians old and new, and in guests, as root: record, report, annotate and others
test-static: static $(O)/tools/ttydrive
	@VMLAB='$(VMLAB)' packaging/check-static.sh build/static $(O)/tools/ttydrive $(STATIC_PLACES)

# Debian packages of the last commit, and their source
deb: dist
	$(call say,DEB,$(O)/deb)
	@packaging/deb.sh $(O)/deb $(DIST)

# installs, uses and removes them in a bare Debian, as root; REBUILD=2: builds them again by 2 jobs
test-deb: deb
	@REBUILD='$(REBUILD)' packaging/check-deb.sh $(O)/deb

# the same as RPM packages
rpm: dist
	$(call say,RPM,$(O)/rpm)
	@packaging/rpm.sh $(O)/rpm $(DIST)
test-rpm: rpm
	@REBUILD='$(REBUILD)' packaging/check-rpm.sh $(O)/rpm

.PHONY: dist sbom html install-html static test-static deb test-deb rpm test-rpm
