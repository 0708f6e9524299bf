#!/bin/sh
# Files that perf record writes, read by upstream: the packaged one and the newest. Same numbers of samples in
# all of them.
. "$(dirname "$0")/../cli/lib.sh"
need EVENTS

echo 'i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done' > busy.sh

said() {
	sed -n 's/.*(\([0-9]*\) samples).*/\1/p' log
}
# the lines of samples, without those of their chains
count() {
	got=0
	"$@" script -i "$file" -F comm,tid,time,event > peer.out 2> peer.err || got=$?
	echo $got > peer.status
	grep -Ec ' [0-9]+[.][0-9]{6}: ' peer.out
}
# the file is read by every peer that is here, with so many samples
read_by_peers() {
	file=$1 want=$2
	test "$want" -gt 0
	if have_PEER61 > /dev/null; then
		got=$(count "$PEER")
		# 6.1 aborts where the kernel left the build-id bit of another recording on this machine in a
		# record; that proves nothing
		test "$got" = "$want" || test "$(cat peer.status)" = 134 || { echo "$PEER: $got samples, not $want"; cat peer.err; return 1; }
	fi
	if have_NEWEST > /dev/null; then
		got=$(count "$NEWEST")
		test "$got" = "$want" || { echo "$NEWEST: $got samples, not $want"; cat peer.err; return 1; }
	fi
	got=$(count "$PERF")
	test "$got" = "$want" || { echo "ours: $got samples, not $want"; return 1; }
}
# others read what the header of a killed recording covers; ours reads what was written behind it too
read_killed() {
	off=$($PERF report --stats -i "$1" 2>&1 | sed -n "s/.*follow the data that the header declares.*offset \\(0x[0-9a-f]*\\)).*/\\1/p")
	file=$1
	all=$(count "$PERF")
	if [ -n "$off" ]; then
		head -c $((off)) "$1" > covered.data
		chmod 600 covered.data
		file=covered.data
	fi
	n=$(count "$PERF")
	test "$n" -gt 1000
	test "$all" -ge "$n"
	read_by_peers "$file" "$n"
}
have_PEER61 > /dev/null || have_NEWEST > /dev/null || need PEER61

check 'a command, many options' '
	for o in "" "-g" "--call-graph dwarf,4096" "-d" "-T -P -W" "-R --sample-cpu" "--sample-identifier" "-i" \
			"--no-buildid" "--no-buildid-mmap" "--buildid-all" "--namespaces --all-cgroups" "--switch-events" \
			"-e task-clock:u -e page-faults:u" "-k mono" "--tail-synthesize" "--user-regs --intr-regs" "-c 200000" \
			"-m 4 --mmap-flush 8K" "--data-page-size --code-page-size" "-s" "--call-graph fp,defer" "--per-thread -T" "-D 20"; do
		echo "options: $o"
		$PERF record -e cpu-clock:u $o -o x.data sh busy.sh 2> log || { cat log; false; }
		read_by_peers x.data "$(said)"
	done
'
check 'overwritten rings' '
	$PERF record -e cpu-clock:u -F 10000 -m 1 --overwrite -o x.data sh busy.sh 2> log
	read_by_peers x.data "$(said)"
'
check 'compressed' '
	$PERF record -z -F 10000 -g -e cpu-clock:u -o x.data sh busy.sh 2> log
	read_by_peers x.data "$(said)"
	$PERF record -z19 --call-graph dwarf,4096 -e cpu-clock:u -o x.data sh busy.sh 2> log
	read_by_peers x.data "$(said)"
'
check 'a pipe' '
	$PERF record -e cpu-clock:u -g -o - sh busy.sh 2> log > x.data
	file=x.data
	n=$(count $PERF)
	read_by_peers x.data $n
'
check 'build ids: in the maps, or in a table of their own' '
	$PERF record -e cpu-clock:u --no-buildid-mmap -o t.data sh busy.sh 2> log
	$PERF record -e cpu-clock:u -o m.data sh busy.sh 2> log
	for f in t m; do
		for p in "$PERF" ${PEER:+"$PEER"} ${NEWEST:+"$NEWEST"}; do
			$p buildid-list -i $f.data 2> err | grep -E "^[0-9a-f]{40} .*libc" | sort -u
		done
	done > all
	sort -u all > one
	cat all
	test "$(wc -l < one)" = 1
	$PERF record -e cpu-clock:u -B -o n.data sh busy.sh 2> log
	$PERF buildid-list -i n.data | not grep -E "^[0-9a-f]{40}"
'
check 'groups' '
	$PERF record -e "{cpu-clock:u,task-clock:u}:S" -o x.data sh busy.sh 2> log
	$PERF evlist -g -i x.data | finds "{cpu-clock:u,task-clock:u}"
	! have_NEWEST > /dev/null || $NEWEST evlist -g -i x.data | finds "{cpu-clock:u,task-clock:u}"
'
check_if ROOT 'the whole system' '
	$PERF record -a -g -e cpu-clock -o x.data sh busy.sh 2> log
	read_by_peers x.data "$(said)"
	$PERF record -a -C 0 -z -e cpu-clock -o x.data sh busy.sh 2> log
	read_by_peers x.data "$(said)"
'
check_if ROOT 'directories written by threads' '
	for o in --threads "--threads=core -z" "--threads=0:1 -g"; do
		$PERF record $o -a -e cpu-clock -o dir sh busy.sh 2> log
		test -s dir/data.0
		read_by_peers dir "$(said)"
	done
'
check_if ROOT,TRACEFS 'tracepoints, with their formats in the file' '
	$PERF record -a -e "sched:*" -e cpu-clock -o x.data sh busy.sh 2> log
	read_by_peers x.data "$(said)"
	$PERF record -a -e "sched:sched_switch" -o - sh busy.sh 2> log > x.data
	file=x.data
	read_by_peers x.data "$(count $PERF)"
'
check_if ROOT,TRACEFS 'a recorder that was killed: every reader finds the same' '
	rm -f x.data
	$PERF record -a -g -e "sched:sched_switch" -e cpu-clock -F 20000 -o x.data sh -c "while :; do :; done" 2> log &
	pid=$!
	until_true has_samples x.data 3000
	until_true header_covers x.data "$(stat -c %s x.data)"	# others read no more than that
	kill_recorder $pid
	read_killed x.data
'
check 'a recorder that was killed, compressed' '
	rm -f x.data
	$PERF record -z -e cpu-clock:u -F 20000 -m 8 -o x.data sh -c "while :; do :; done" 2> log &
	pid=$!
	until_true has_samples x.data 3000
	until_true header_covers x.data "$(stat -c %s x.data)"	# others read no more than that
	kill_recorder $pid
	read_killed x.data
'
check_if NEWEST 'the header says the same as that of the newest' '
	$PERF record -e cpu-clock:u -o a.data true 2> log
	$NEWEST record -q -e cpu-clock:u -o b.data true > log 2>&1
	# BPF programs may come and go in between; where a kernel tells no caches, only one has their title
	for f in a b; do
		$NEWEST report --header-only -I -i $f.data 2> err |
			grep -Ev "bpf_prog_info|btf info|sub_prog|captured on|header version|offset|size *:|perf version|cmdline|event :|time of|sample duration|contains|missing|node0 mem|pmu mappings|node1 mem|CPU cache info:" > $f.txt
	done
	diff a.txt b.txt
'
