#!/bin/sh
# Header features: unknown ones, ones that overlap or lie past the end, lying counts.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/data-lib.sh"

check 'unknown features are skipped by size' '
	{ small; printf "feature 200 u32:1\nfeature 63 text:\"x\"\nfeature 100 zero:0\n"; } | mkdata x.data
	shows_both x.data
'
check 'a feature that lies past the end of the file' '
	{ small; printf "feature hostname str:\"h\"\npatch @section:3 u64:0x7ffffffffffffff0,0x100\n"; } | mkdata x.data
	shows_both x.data
	survives $PERF report --header-only -i x.data
'
check 'a feature whose end overflows' '
	{ small; printf "feature hostname str:\"h\"\npatch @section:3 u64:0xfffffffffffffff0,0x100\n"; } | mkdata x.data
	shows_both x.data
'
check 'features that overlap' '
	{ small; printf "feature hostname str:\"one\"\nfeature arch str:\"two\"\npatch @section:6 u64:0,0x1000\n"; } | mkdata x.data
	shows_both x.data
'
check 'counts larger than the feature' '
	{ small; printf "feature cmdline u32:0xffffffff\nfeature cpu_topology u32:0x7fffffff\nfeature numa_topology u32:0x10000000\nfeature pmu_mappings u32:0xfffffff\nfeature group_desc u32:0x10000000\nfeature cache u32:1,0x10000000\n"; } | mkdata x.data
	survives $PERF report --header-only -I -i x.data
	shows_both x.data
'
check 'strings that do not end' '
	{ small; printf "feature hostname u32:4 text:\"abcd\"\nfeature arch u32:0x7fffffff text:\"x86\"\n"; } | mkdata x.data
	survives $PERF report --header-only -i x.data
	shows_both x.data
'
check 'control characters in header strings do not reach the terminal' '
	{ small; printf "feature hostname str:\"a\\\\e[31mb\"\n"; } | mkdata x.data
	survives $PERF report --header-only -i x.data
	grep -q hostname out
	not grep -q "$(printf "\\033")" out
'
