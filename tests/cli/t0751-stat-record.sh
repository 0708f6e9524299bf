#!/bin/sh
# perf stat record and report: what is counted comes back from the file, summed up in every way, in every
# format.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/data-lib.sh"

# two sockets with two cores each; cpu 3 is not counted
machine() {
	cat <<-END
	order ${ORDER:-little}
	event task-clock config=task-clock sample=identifier read=enabled|running ids=1
	event cycles type=hardware config=0 sample=identifier read=enabled|running ids=none
	event page-faults config=page-faults sample=identifier read=enabled|running ids=2
	feature stat
	feature nrcpus u32:4,4
	feature cmdline u32:2 str:"perf" str:"stat"
	feature event_desc
	feature cpu_topology u32:2 str:"0-1" str:"2-3" u32:4 str:"0" str:"1" str:"2" str:"3" u32:0,0,1,0,0,1,1,1
	feature numa_topology u32:1,7 u64:1000,500 str:"0-3"
	feature cache u32:1,3,2,64,8,8 str:"Unified" str:"1M" str:"0-1"
	feature cache u32:2,64,8,8 str:"Unified" str:"1M" str:"2-3"
	feature cache u32:3,64,8,8 str:"Unified" str:"8M" str:"0-3"
	event_update update_type=0 id=1 data="msec" u8:0,0,0,0
	END
}
rounds() {
	cat <<-END
	thread_map nr=1 u64:-1 zero:16
	cpu_map u16:2,0,0,2,0,0
	stat_config data=${1:-0:1,1:0,2:1}
	stat id=1 cpu=0 val=1000000 ena=100 run=100
	stat id=1 cpu=1 val=2000000 ena=100 run=50
	stat id=1 cpu=2 val=4000000 ena=100 run=100
	stat id=2 cpu=0 val=1 ena=100 run=100
	stat id=2 cpu=1 val=10 ena=100 run=100
	stat id=2 cpu=2 val=100 ena=100 run=100
	END
}
report() {
	$PERF stat report -i x.data "$@" 2>&1
}

check 'counts of a command come back' '
	$PERF stat record -o x.data -x, -e dummy,page-faults,duration_time sh -c ":" 2> live
	cut -d, -f1-3 live > want
	report -x, > all
	cut -d, -f1-3 all > got
	same want got
	test "$(wc -l < got)" = 3
	report > text
	grep -q "^ Performance counter stats for .*perf stat record -o x.data .* sh -c :.:$" text
	grep -q " seconds time elapsed" text
'
check 'intervals come back as intervals, and summed up' '
	$PERF stat record -o x.data -x, -I 20 --summary -e page-faults,dummy sh -c "sleep 0.05; ls / > /dev/null" 2> live
	report -x, --summary > got
	cut -d, -f1,2,4 live > a
	cut -d, -f1,2,4 got > b
	same a b
	grep -q ^summary got
	report | finds "^#  *time  *counts unit events"
'
check 'sockets of a damaged file, whose numbers are far apart, are in order' '
	{ machine | sed "s/0,0,1,0,0,1,1,1/0,0x7fffffff,1,0x80000010,0,5,1,5/"; rounds; echo "stat_round round_type=1 time=1000"; } | mkdata x.data
	report --per-socket -x, > out
	cut -d, -f1 out | uniq > got
	printf "S-2147483632\nS5\nS2147483647\n" | same - got
'
check 'through a pipe' '
	$PERF stat record -e dummy,page-faults -o - true 2> /dev/null | $PERF stat report -x, -i - 2> got
	grep -Eq "^0,,dummy(:u)?,[0-9]*,100.00,,$" got
	grep -Eq "^[1-9][0-9]*,,page-faults(:u)?," got
'
check 'what comes through a pipe is shown as it comes' '
	mkfifo pipe
	{ machine; rounds 0:1,1:50,2:1; echo "stat_round round_type=0 time=1000000"; echo "stat_round round_type=0 time=2000000"; } |
		sed "s/^order.*/format pipe/" | mkdata x.data
	# all but the last round, then wait until that is shown: it never would be, were the input read to its
	# end first
	size=$(wc -c < x.data)
	{ head -c $((size - 24)) x.data; while ! grep -q ^0.001000000 live; do sleep 0.05; done; tail -c 24 x.data; } > pipe &
	: > live
	timeout 60 $PERF stat report -x, -i - < pipe 2> live
	grep -q "^0.002000000,<not counted>,,page-faults" live
'
check 'standard output that is a pipe gets the file' '
	$PERF stat record -e dummy true 2> /dev/null | $PERF script -i - | finds -E "dummy(:u)?$"
'
check 'options stand in front of the word as well, and behind -- it is a command' '
	$PERF stat -e dummy record -o x.data true 2> /dev/null
	report | finds " 0  *dummy"
	got=0
	$PERF stat -- record 2> err || got=$?
	test $got = 255
	grep -q "record" err
'
check '--quiet shows nothing, and records all the same' '
	$PERF stat record --quiet -o x.data -e dummy true > out 2>&1
	test ! -s out
	report | finds dummy
'
check 'a file is not opened where options contradict each other' '
	rm -f x.data
	for o in "-r 3" --append; do
		got=0
		$PERF stat record $o -o x.data -e dummy true 2> err || got=$?
		test $got = 129
		test ! -e x.data
	done
'
check 'a recorder that is killed leaves what it has counted' '
	$PERF stat record -o x.data -I 50 -e dummy sh -c "echo \$\$ > child; exec sleep 60" 2> /dev/null &
	pid=$!
	for i in $(seq 300); do
		report > got && grep -q dummy got && break
		sleep 0.1
	done
	kill -9 $pid
	kill "$(cat child)"
	report > got
	grep -q dummy got
'
check 'summed up over all CPUs, and one by one' '
	for ORDER in little big; do
		{ machine; rounds; echo "stat_round round_type=1 time=2000000000"; } | mkdata x.data
		cat > want <<-END
		9.00,msec,task-clock,250,83.33,0.004,CPUs utilized
		<not supported>,,cycles,0,100.00,,
		111,,page-faults,300,100.00,12.333,K/sec
		END
		report -x, > got
		same want got
		report -x, -A | cut -d, -f1-4 > got
		cat > want <<-END
		CPU0,1.00,msec,task-clock
		CPU1,4.00,msec,task-clock
		CPU2,4.00,msec,task-clock
		CPU0,<not supported>,,cycles
		CPU1,<not supported>,,cycles
		CPU2,<not supported>,,cycles
		CPU0,1,,page-faults
		CPU1,10,,page-faults
		CPU2,100,,page-faults
		END
		same want got
	done
'
# places OPTION LINE...: the lines of page-faults
places() {
	opt=$1
	shift
	printf "%s\n" "$@" > want
	report -x, $opt | grep page-faults | cut -d, -f1-3 > got
	same want got
}
check 'by what the header says about the CPUs' '
	{ machine; rounds; echo "stat_round round_type=1 time=2000000000"; } | mkdata x.data
	places --per-socket S0,2,11 S1,1,100
	places --per-die S0-D0,2,11 S1-D0,1,100
	places --per-core S0-D0-C0,1,1 S0-D0-C1,1,10 S1-D0-C0,1,100
	places --per-node N7,3,111
	places --per-cache=L2 S0-D0-L2-ID0,2,11 S1-D0-L2-ID2,1,100
	places --per-cache S0-D0-L3-ID0,2,11 S1-D0-L3-ID0,1,100
	not report --per-cluster > err
	grep -q "has no CPU topology" err
	not report --per-thread > err
	grep -q "holds counts of whole CPUs, not of threads" err
'
check 'the mode that was recorded, in the numbers of three generations' '
	for c in "0:2,1:0,2:1 S0" "0:4,1:0,2:1 S0-D0-C0" "0:7,1:0,2:1 N7" "0:6,1:0,2:1,3:5 S0-D0-C0" "0:5,1:0,2:1,3:2 S0-D0-L2-ID0" \
		"0:9,1:0,2:1,3:5 N7" "0:0,1:0,2:1,3:5 CPU0"; do
		{ machine; rounds ${c% *}; echo "stat_round round_type=1 time=2000000000"; } | mkdata x.data
		report -x, | head -n 1 | finds "^${c#* }," || { echo "$c"; report -x,; exit 1; }
	done
'
check 'counts of tasks are not taken apart by CPU' '
	$PERF stat record -o x.data -e dummy true 2> /dev/null
	for o in -A --per-socket --per-core; do
		not report $o > err
		grep -q "holds counts of tasks" err
	done
'
check 'metrics by name are made of what was counted, and what lacks is named' '
	$PERF stat record -o x.data -x, -M cs_per_second,page_faults_per_second true 2> live
	report -x, -M cs_per_second,page_faults_per_second > got
	grep -q "cs_per_second" live
	same live got
	# "cs" is the same event; globs and groups mean those that can be made
	$PERF stat record -o x.data -e cs,task-clock true 2> /dev/null
	report -x, -M Default | cut -d, -f3,7 > got
	printf "cs,cs/sec  cs_per_second\ntask-clock,CPUs  CPUs_utilized\n" > want
	same want got
	not report -M page_faults_per_second > err
	grep -q "^Error: metric .page_faults_per_second. cannot be derived: event .page-faults. was not counted$" err
	not report -M no_such_metric > err
	grep -q "there is no metric or group .no_such_metric." err
	not report --topdown > err
	grep -q "^Error: " err
'
check 'the times of the command come back' '
	$PERF stat record -o x.data -e dummy true 2> live
	report > got
	grep "seconds user\|seconds sys" live > want
	test "$(wc -l < want)" = 2
	grep "seconds user\|seconds sys" got > have
	same want have
'
check_if ROOT 'control groups come back, also of events that are not supported' '
	grep -qE "cgroup2| cgroup .*perf_event" /proc/mounts || skip "no control groups for perf events"
	$PERF stat record -o x.data -a -x, --for-each-cgroup / -e page-faults,mem:0/7,dummy true > /dev/null 2> live
	report -x, | cut -d, -f1-4 > got
	cut -d, -f1-4 live > want
	grep -q ",page-faults,/" want
	same want got
	$PERF report -D -i x.data | finds "^\.\.\. cgroup: /"
'
check 'nothing is derived where a file does not say whose counts they are' '
	{
		machine | sed "s|cmdline.*|cmdline u32:3 str:\"perf\" str:\"--for-each-cgroup\" str:\"a,b\"|"
		rounds
		echo "stat_round round_type=1 time=2000000000"
	} | mkdata x.data
	report > got
	head -n 1 got | finds "does not say which control groups"
	not grep -q "/sec" got
'
check_if EVENTS 'an option of the command that was counted is none of perf stat' '
	$PERF stat record -o x.data -e page-faults,task-clock grep -G root /etc/passwd > /dev/null 2>&1
	report > got 2> err
	not grep -q "control groups" got err
	grep -q "/sec" got
'
check 'every format' '
	{ machine; rounds; echo "stat_round round_type=1 time=2000000000"; } | mkdata x.data
	report -j | finds "^{\"counter-value\" : \"111.000000\", \"unit\" : \"\", \"event\" : \"page-faults\", \"event-runtime\" : 300, "
	report --json=doc -o doc
	grep -q "\"target\": \"'\''perf stat'\''\"" doc
	report -x, --header | head -n 1 | finds "^value,unit,event,"
	report -x, --metric-only --per-socket | head -n 1 | finds "^socket,ctrs,"
	for wrong in "-x, -j" "-x, -B" "-j --header" "-A --per-core" "--td-level 0"; do
		fails_with 129 $PERF stat report -i x.data $wrong
	done
'
check 'what holds no counts says so' '
	small | mkdata x.data
	not report > err
	grep -q "holds no counts: it was not written by .perf stat record" err
	{ machine; rounds; } | mkdata x.data
	not report > err
	grep -q "ends before its first round of counts" err
	not $PERF stat report -i nowhere.data 2> err
	grep -q nowhere.data err
'
check 'into a pipe goes the file and nothing else; its report has the title of a pipe' '
	$PERF stat record -e dummy -o - --pre "echo before" -- sh -c "echo from the command" > pipe.data 2> err
	printf "%s\n" before "from the command" > want
	same want err
	not grep -a "from the command$" pipe.data
	$PERF stat report -i - < pipe.data 2> text
	grep -q "^ Performance counter stats for .pipe.:$" text
	not grep damaged text
	$PERF stat record -e dummy --log-fd 9 true 9> table 2> err | cat > pipe.data
	test ! -s err
	grep -q "^ Performance counter stats for .true.:$" table
	$PERF stat record -e dummy true 2> err | cat > pipe.data
	test ! -s err
'
