#!/bin/sh
# perf data convert --to-ctf: babeltrace2 reads as many events as script prints, with the same periods
. "$(dirname "$0")/../cli/lib.sh"

babeltrace2 --version > found 2>&1 || skip_all "no babeltrace2"

# same_events NAME FILE: how many samples, and the sum of their periods; then all of babeltrace2's warnings
same_events() {
	rm -rf "$1.ctf"
	$PERF data convert --to-ctf "$1.ctf" -i "$2" > out 2> err < /dev/null || { finds -q "^Error: ." < err; return; }
	$PERF script -F event,period -i "$2" 2> /dev/null |
		awk '{ for (i = 1; i < NF && $i !~ /^[0-9]+$/; i++); n++; s += $i } END { printf "%d %.0f\n", n, s }' > want
	babeltrace2 "$1.ctf" > read 2> read.err
	awk '{ n++; if (match($0, /perf_period = [0-9]+/)) s += substr($0, RSTART + 14, RLENGTH - 14) }
		END { printf "%d %.0f\n", n, s }' read | same want -
	test ! -s read.err || { cat read.err; return 1; }
}

check 'a recording of this machine: call chains, several events, tracepoints where they can be recorded' '
	$PERF record -q -g -e cpu-clock,task-clock -o x.data -- $PERF test -w deterministic 200 2> err || skip "nothing can be recorded here"
	same_events x x.data
	says "perf_callchain = [ [0] = 0x" read
	says "perf_symbol = " read
	if $PERF record -q -e "sched:*" -o t.data -- $PERF test -w deterministic 20 2> err; then
		same_events t t.data
		$PERF data convert --to-ctf all --all -i t.data 2> err
		babeltrace2 all > out
		says "perf_comm: {" out
		says "perf_mmap2: {" out
	fi'
check 'every seed of the fuzz targets that read profiles' '
	nr=0
	for kind in data inject sched session stat trace tracing; do
		for seed in "$SRC"/tests/fuzz/corpus/$kind/*.mk; do
			name=$kind-$(basename "$seed" .mk)
			mkdata "$name" < "$seed" 2> err || { cat err; exit 1; }
			same_events seed "$name" || { echo "$name"; exit 1; }
			test ! -s read || nr=$((nr + 1))
		done
	done
	test $nr -gt 20'
