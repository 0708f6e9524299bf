#!/bin/sh
. "$(dirname "$0")/../cli/lib.sh"

have_PFM_PLUGIN() {
	[ -e "$O/lib/perf/libpfm4.so" ] || { echo "built without libpfm4"; return 1; }
	[ "$(uname -m)" = x86_64 ] || { echo "names of x86"; return 1; }
}
need PFM_PLUGIN
export LIBPFM_FORCE_PMU=skl

check 'lists what libpfm4 knows, events and unit masks' '
	$PERF list pfm > out
	grep -q "^  skl::INST_RETIRED  *\[PFM event\]$" out
	grep -q "^  skl::INST_RETIRED:ANY_P  *\[PFM event\]$" out
	not grep -v "\[PFM event\]$" out
	$PERF list --unit skl "mem_load_retired*l1_hit" | finds "^  skl::MEM_LOAD_RETIRED:L1_HIT "
	$PERF list -d pfm | finds "^  skl::INST_RETIRED  *\[PFM event\]  [A-Z]"
'
check 'each name that is listed can be typed' '
	$PERF list pfm | sed "s/^  //; s/ .*//" > names
	test "$(wc -l < names)" -gt 300
	grep -q "^skl::DTLB_LOAD_MISSES:WALK_COMPLETED$" names
	not grep -x "skl::DTLB_LOAD_MISSES" names
	# the names are read before the options are found to exclude each other
	fails_with 129 $PERF stat --pfm-events "$(paste -sd, names)" --null true 2> err
	says "Error: --null counts nothing" err
'
check 'wrong names are said to be so' '
	fails_with 129 $PERF stat --pfm-events NO_SUCH_EVENT true 2> err
	says "event '"'NO_SUCH_EVENT'"': libpfm4: event not found" err
	fails_with 129 $PERF stat --pfm-events "{INST_RETIRED" true 2> err
	says "the group has no closing brace" err
	fails_with 129 $PERF record -e inst_retired:nosuch true 2> err
	says "libpfm4: " err
'
check_if EVENTS 'generic names through libpfm4 count' '
	unset LIBPFM_FORCE_PMU
	$PERF stat -x, --pfm-events perf::PERF_COUNT_SW_PAGE_FAULTS -o out true
	grep -Eq "^[1-9][0-9]*,,perf::PERF_COUNT_SW_PAGE_FAULTS" out
'
