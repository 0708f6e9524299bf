#!/bin/sh
# perf record --wall where the kernel does not tell every switch to BPF programs: what threads did then is
# unknown, and is counted so.
# serial: all CPUs are busy, and programs are attached and detached all the time
. "$(dirname "$0")/lib.sh"

# in us. Records of BPF programs: flags 1: tid left; 32: it has left CPUs since its last record; 64: the same
# of the thread that came; 128: tid is on a CPU. 7 runs 10-100, waits until 300, runs 310-500, and from 700 on
records() {
	cat <<-END
	event cpu-clock type=software config=cpu-clock sample=identifier|ip|tid|time|period|callchain ids=1 flags=sample_id_all
	event wall-switch type=software config=bpf-output sample=identifier|ip|tid|time|cpu|period|callchain|raw ids=2 flags=sample_id_all
	event wall type=software config=dummy sample=identifier|ip|tid|time|period|callchain ids=3 flags=sample_id_all
	feature event_desc
	comm pid=7 tid=7 comm="seven" time=1000
	sample ev=cpu-clock id=1 pid=7 tid=7 time=10000 ip=0x1000 chain=0x1000
	sample ev=wall-switch id=2 pid=7 tid=7 cpu=0 time=100000 ip=0 chain=0 u32:1,0x53,0,0,0,0,0,0,0,0,0
	sample ev=wall-switch id=2 pid=0 tid=0 cpu=0 time=310000 ip=0 chain=0 u32:$1,0x53,7,7,7,5,300000,0,0,0,0
	sample ev=cpu-clock id=1 pid=7 tid=7 time=400000 ip=0x1000 chain=0x1000
	${5:+sample ev=wall-switch id=2 pid=7 tid=7 cpu=0 time=450000 ip=0 chain=0 u32:$5,0x52,0,0,0,0,0,0,0,0,0}
	sample ev=cpu-clock id=1 pid=7 tid=7 time=450000 ip=0x1000 chain=0x1000
	sample ev=wall-switch id=2 pid=7 tid=7 cpu=0 time=500000 ip=0 chain=0 u32:$2,0x52,0,0,0,0,0,0,0,0,0
	sample ev=wall-switch id=2 pid=0 tid=0 cpu=$4 time=700000 ip=0 chain=0 u32:$3,0x53,7,7,0,0,0,0,0,0,0
	sample ev=cpu-clock id=1 pid=7 tid=7 time=800000 ip=0x1000 chain=0x1000
	END
}
# slices as "STATE MICROSECONDS", each state once where it lasts
slices() {
	$PERF script --wall=all -i $1 -G -F trace 2> err | sed -nE 's/.*state=([^ ]*) .* ns=([0-9]*)[0-9]{3} .*/\1 \2/p' |
		awk '{ s[$1] += $2 } END { for (k in s) print k, s[k] }' | sort > out
}

check 'every switch was seen' '
	records 0 1 0 0 | mkdata all.data
	slices all.data
	printf "blocked 200\non 380\nrun 210\n" | same - out'
check 'what was before a switch that says that others are missing is unknown' '
	# it is a sample at 450 us which is sure
	records 0 33 0 0 | mkdata left.data
	slices left.data
	printf "blocked 200\non 330\nrun 210\nunknown 50\n" | same - out'
check 'what was before a thread comes is unknown' '
	records 0 1 64 0 | mkdata came.data
	slices came.data
	printf "blocked 200\non 380\nrun 10\nunknown 200\n" | same - out
	# that it was woken is known, and what it did then is not
	records 64 1 0 0 | mkdata woken.data
	slices woken.data
	printf "blocked 200\non 380\nrun 200\nunknown 10\n" | same - out'
check 'a sample sees it, too' '
	records 0 1 0 0 160 | mkdata sample.data
	slices sample.data
	printf "blocked 200\non 330\nrun 210\nunknown 50\n" | same - out
	$PERF report -i sample.data --stdio -G 2> err > out
	says "blocked 25.3 %, unknown 6.3 %" out'
check_live_if ROOT,BPF,TRACEFS 'while programs are attached and detached, CPU time stays true' '
	# prints "NAME ELAPSED ON WAITED" of two threads, as the kernel counts them
	$PERF record -q --wall=bpf -e cpu-clock -o live.data $PERF test -w spinners 0.3 > truth &
	pid=$!
	while test ! -s truth && kill -0 $pid 2> /dev/null; do
		$PERF record -q --wall=bpf -e cpu-clock -o other.data true
	done
	wait $pid
	not grep -- " -1$" truth > /dev/null || skip "the kernel does not count how long threads wait for a CPU"
	$PERF script --wall=all -i live.data -G -F comm,trace 2> err |
		sed -E "s/^ *([^ ]*) +state=([^ ]*) .* ns=([0-9]*) .*/\1 \2 \3/" > slices
	# a thread leaves its CPU every few ms; at most so much of its CPU time is unknown
	awk "NR == FNR { s[\$1 \" \" \$2] += \$3; next }
		{ on = s[\$1 \" on\"]; more = s[\$1 \" unknown\"]; nr++
		  if (on > \$3 * 1.01 + 1000000 || on + more < \$3 * 0.99 - 1000000) {
			print \$1, \"on\", on, \"unknown\", more, \"instead of\", \$3; bad = 1 } }
		END { exit bad || nr != 2 }" slices truth
	grep "^spin[12] unknown" slices || skip "the kernel told every switch"'
