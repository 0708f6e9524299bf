#!/bin/sh
. "$(dirname "$0")/../cli/lib.sh"

# a perf whose plug-ins were not copied with it, unless some are installed where this build looks last
have_ALONE() {
	mkdir -p alone && cp "$PERF" alone/perf
	alone/perf version --build-options | grep -q "libelf: \[ OFF \].*its plug-in is not installed" ||
		{ echo "plug-ins are installed"; return 1; }
}

check 'starts without the libraries that only some commands need' '
	LD_TRACE_LOADED_OBJECTS=1 $PERF > needed
	grep -q "libc\." needed
	! grep -E "libelf|libdw|libtraceevent|libz\.|libzstd|liblzma|libjansson|libpfm" needed
'
check_if EVENTS,ALONE 'without plug-ins: counts and records as ever' '
	alone/perf stat -x, -e task-clock:u -o counts true
	grep -q ",task-clock:u," counts
	alone/perf record -q -e cpu-clock:u -o x.data $PERF test -w noploop 0.1
	$PERF report --stdio -i x.data | grep -q noploop
'
check_if EVENTS,ALONE 'without plug-ins: reports addresses, and says once why' '
	$PERF record -q -e cpu-clock:u -o x.data $PERF test -w noploop 0.1
	alone/perf report --stdio -s dso,sym -i x.data > rows 2> err
	grep -Eq "[0-9]%  perf +\[\.\] 0x" rows
	test "$(grep -c "needs the plug-in .libelf." err)" = 1
	says "Warning: no symbols of files" err
'
check_if ALONE 'without plug-ins: -z is refused, with the reason' '
	fails_with 1 alone/perf record -z -e cpu-clock:u -o z.data true 2> err
	says "Error: -z is not possible: this needs the plug-in '"'zstd'"'" err
	says "looked for: " err
'
