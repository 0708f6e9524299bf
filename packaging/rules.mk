# SPDX-License-Identifier: GPL-2.0-or-later
# Packages: what "make dist", "make deb", "make rpm" and "make sbom" do. Part of the makefile.

DIST := $(O)/dist

# the last commit as a tarball, which builds without git; the same bytes each time
dist:
	$(call say,DIST,$(DIST))
	@packaging/dist.sh $(DIST)

# which libraries this perf was built with, as SPDX
sbom: all
	$(call say,SBOM,$(O)/perf.spdx.json)
	@CC='$(CC)' LIBS='$(LDLIBS)' packaging/sbom.sh $(PERF) $(O)/lib/perf > $(O)/perf.spdx.json

.PHONY: dist sbom
