#!/bin/sh
# record --filter of events that are not tracepoints: a BPF program keeps the samples that match.
. "$(dirname "$0")/lib.sh"

check 'mistakes are shown before anything runs' '
	fails_with 129 $PERF record -e cpu-clock --filter "cpi == 1" true 2> err
	says "a sample does not have this term (did you mean" err
	says "^~~" err
	fails_with 129 $PERF record -e cpu-clock --filter "cpu == 1 && pid == 2" true 2> err
	says "(and) or" err
	fails_with 129 $PERF record -e bpf-output --filter "cpu == 1" true 2> err
	says "come from BPF programs" err'
check 'counted events have no samples to filter' '
	fails_with 129 $PERF stat -e cpu-clock --filter "cpu == 0" true 2> err
	says "is counted without samples: only tracepoints can be filtered" err'

have_FILTERS() {
	"$PERF" record -e cpu-clock --filter 'cpu >= 0' -o have.data true > filter.log 2>&1 || { sed -n 's/^Error: //p' filter.log; return 1; }
}
have_SAMPLE_TERMS() {
	"$PERF" record -e cpu-clock --sample-identifier --filter 'id > 0' -o have.data true > filter.log 2>&1 ||
		{ sed -n 's/^Error: //p' filter.log; return 1; }
}

check_if EVENTS,FILTERS 'samples of tasks, CPUs, addresses and periods, also of children' '
	$PERF record -q -e page-faults -c 1 -d -o all.data sh -c "ls; ls" > /dev/null
	has_samples all.data 100
	$PERF record -q -e page-faults -c 1 -o none.data --filter "pid == 1" sh -c "ls; ls" > /dev/null
	not has_samples none.data 1
	$PERF record -q -e page-faults -c 1 -d -o some.data --filter "addr >= 0x1000, ip < 0x8000000000000000, period == 1" sh -c "ls; ls" > /dev/null
	$PERF script -i some.data -F comm > comms
	grep -qx " *ls *" comms
	$PERF script -i some.data -F ip | grep "^ *ffff" > kernel || true
	same /dev/null kernel'
# left_out FILE: what the last line of record about filters says, and what is in the file
left_out() {
	sed -n "s/.*--filter left out \([0-9]*\) of \([0-9]*\) samples.*/\1 \2/p" log > numbers
	read -r out all < numbers
	in_file=$($PERF script -i "$1" -F event | wc -l)
	[ "$((out + in_file))" = "$all" ] || { echo "$out + $in_file samples are not $all"; return 1; }
	[ "$out" = 0 ] || $PERF report -i "$1" --stats | finds "LOST_SAMPLES (BPF) events: *$out$"
}
check_if EVENTS,FILTERS 'what was left out is counted' '
	$PERF record -e page-faults -c 1 -o x.data --filter "addr >= 0x700000000000" ls > /dev/null 2> log
	left_out x.data
	test "$out" -gt 0
	$PERF record -e page-faults -c 1 -o x.data --filter "pid == 1" ls > /dev/null 2> log
	left_out x.data
	test "$out" = "$all"
	$PERF record -v -c 1 -e cs -e page-faults --filter "pid == 1" -o x.data ls > /dev/null 2> log
	says "--filter of '\''page-faults'\'' left out" log
	$PERF record -e page-faults -c 1 -o x.data ls > /dev/null 2> log
	not says "left out" log'
check_if EVENTS,FILTERS 'samples of other users are not among them' '
	$PERF record -a -u 54321 -e cpu-clock --filter "cpu < 1000000" -o x.data true 2> log
	not says "left out" log'
check_if EVENTS,FILTERS 'the time is that of samples' '
	$PERF record -q -e cpu-clock -o now.data $PERF test -w noploop 0.1
	now=$($PERF script -i now.data -F time --ns | tail -n 1 | tr -cd 0-9)
	$PERF record -q -e cpu-clock -o later.data --filter "time > $((now + 3600000000000))" $PERF test -w noploop 0.1
	not has_samples later.data 1
	$PERF record -q -e cpu-clock -o now.data --filter "time > $now, time < $((now + 3600000000000))" $PERF test -w noploop 0.1
	has_samples now.data 1'
check_if EVENTS,FILTERS,SAMPLE_TERMS 'terms of the sample need its option' '
	fails_with 1 $PERF record -e page-faults --filter "phys_addr > 0" -o x.data true 2> err
	says "samples have no phys_addr" err
	says "Hint: --phys-data records it" err
	$PERF record -q -e page-faults -c 1 -d --phys-data -o x.data --filter "phys_addr != 0, mem_op == na || mem_op & load" ls > /dev/null
	has_samples x.data 1
	$PERF script -i x.data -F phys_addr > got
	grep -x " *0" got > zero || true
	same /dev/null zero
	$PERF record -q -e page-faults -c 1 -d -o x.data --filter "mem_op & load || mem_snoop & peer" ls > /dev/null
	not has_samples x.data 1'
check_if NONROOT,FILTERS 'without the right to load programs' '
	fails_with 1 as_nobody $PERF_COPY record -e cpu-clock:u --filter "cpu == 0" -o /dev/null true 2> err
	says "no permission to load a BPF" err'
