#!/bin/sh
. "$(dirname "$0")/../cli/lib.sh"

# a perf whose plug-ins were not copied with it, unless some are installed where this build looks last
have_ALONE() {
	mkdir -p alone && cp "$PERF" alone/perf
	alone/perf version --build-options | finds "libelf: \[ OFF \].*its plug-in is not installed" ||
		{ echo "plug-ins are installed"; return 1; }
}

check 'starts without the libraries that only some commands need' '
	LD_TRACE_LOADED_OBJECTS=1 $PERF > needed
	grep -q "libc\." needed
	not grep -E "libelf|libdw|libtraceevent|libz\.|libzstd|liblzma|libjansson|libpfm" needed
'
# sanitizers need it
check_if PLAIN 'starts without the library of mathematics' '
	LD_TRACE_LOADED_OBJECTS=1 $PERF > needed
	grep -q "libc\." needed
	not grep "libm\." needed
'
# each of their pages is written at each start; 490 KB when all names of system calls were addresses
check_if PLAIN 'tables with addresses have at most 245 KB, half of what they had' '
	readelf -SW "$PERF" | sed "s/^ *\[ *[0-9]*\] *//" | awk "\$1 == \".data.rel.ro\" { print \$5 }" > size
	test -s size
	test $((0x$(cat size))) -le 245000
'
check_if EVENTS,ALONE 'without plug-ins: counts and records as ever' '
	alone/perf stat -x, -e task-clock:u -o counts true
	grep -q ",task-clock:u," counts
	alone/perf record -q -e cpu-clock:u -o x.data $PERF test -w deterministic 20000
	$PERF report --stdio -i x.data > out
	grep -q deterministic out
'
check_if EVENTS,ALONE 'without plug-ins: reports addresses, and says once why' '
	$PERF record -q -e cpu-clock:u -o x.data $PERF test -w deterministic 20000
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
have_SETCAP() {
	have_NONROOT && command -v setcap > /dev/null || { echo "needs root, setpriv and setcap"; return 1; }
	cp /bin/true "$TMP/true" && setcap cap_chown+ep "$TMP/true" 2> /dev/null || { echo "no file capabilities here"; return 1; }
}
check_if SETCAP 'a perf with capabilities takes plug-ins only from where root alone writes' '
	mkdir -p inst/bin inst/lib/perf
	cp "$PERF" inst/bin/ && cp "$O"/lib/perf/*.so inst/lib/perf/
	chmod 755 . inst inst/* inst/*/* && chmod -R go-w inst
	setcap cap_perfmon+ep inst/bin/perf || setcap cap_sys_admin+ep inst/bin/perf
	as_nobody inst/bin/perf version --build-options | finds "libelf: \[ on "
	# its owner could change what is loaded
	chown 65534 inst/lib
	as_nobody inst/bin/perf version --build-options | not grep -q "libelf: \[ on "
	fails_with 1 as_nobody inst/bin/perf record -z -e cpu-clock:u -o /dev/null true 2> err
	says "a perf with capabilities loads plug-ins only from places that only root can write to" err
	# nor is a link followed that can be changed
	chown 0 inst/lib && mkdir own && mv inst/lib/perf own/perf && chown 65534 own && ln -s ../../own/perf inst/lib/perf
	as_nobody inst/bin/perf version --build-options | not grep -q "libelf: \[ on "
'
have_UNSHARE() {
	[ "$(id -u)" = 0 ] && unshare -m true 2> /dev/null || { echo "needs root and unshare"; return 1; }
}
# without /proc sanitizers know no options and cannot look for leaks
check_if EVENTS,UNSHARE,PLAIN 'where /proc is not mounted, plug-ins are found beside the path that was started' '
	$PERF record -q -e cpu-clock:u -o x.data $PERF test -w deterministic 20000
	unshare -m sh -c "mount -t tmpfs none /proc && exec \"\$1\" report --stdio -i x.data" - "$PERF" > out 2> err
	says "deterministic" out
	silent_about "plug-in" err
	ln -s "$PERF" link
	unshare -m sh -c "mount -t tmpfs none /proc && exec ./link report --stdio -i x.data" > out 2> err
	says "deterministic" out
'
check_if EVENTS,GCC 'so they are if the dynamic linker is started with perf as its argument' '
	so=$(readelf -l "$PERF" | sed -n "s/.*interpreter: \(.*\)]/\1/p")
	test -n "$so"
	$PERF record -q -e cpu-clock:u -o x.data $PERF test -w deterministic 20000
	"$so" "$PERF" report --stdio -i x.data > out 2> err
	says "deterministic" out
	silent_about "plug-in" err
	"$so" "$PERF" record -q -e cpu-clock:u -o y.data true
	$PERF report --header-only -i y.data > out
	grep "cmdline : $PERF record" out
'
check_if ALONE 'a perf that was copied alone says what it needs' '
	fails_with 1 alone/perf record -z -e cpu-clock:u -o z.data true 2> err
	says "Hint: a perf that is copied needs its folder lib/perf beside it" err
'
