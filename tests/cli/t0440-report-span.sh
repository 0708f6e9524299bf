#!/bin/sh
# perf report and script --span: calls of a function, their durations, and where their time went. From
# assembled files with known times; t0252-record-wall.sh has recorded ones.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/sched-lib.sh"

printf "ffffffff81000000 t __schedule\nffffffff81000100 t pipe_read\nffffffff81000200 t ksys_read\nffffffff81000300 t _end\n" > syms
STACK=-128,0xffffffff81000008,0xffffffff81000108,0xffffffff81000208,-512,0x401020
header() {
	sched_formats
	sched_format work 20 long:sp:8 $BACK > f8
	sched_format work__return 21 long:sp:8 > f9
	echo 'event probe_a:work type=tracepoint config=20 sample=identifier|ip|tid|time|cpu|raw|period|callchain ids=20 flags=sample_id_all'
	echo 'event probe_a:work__return type=tracepoint config=21 sample=identifier|ip|tid|time|cpu|raw|period|callchain ids=21 flags=sample_id_all'
	sched_events 'identifier|ip|tid|time|cpu|raw|period|callchain' | sed 's/u32:1 text:"sched"/u32:2 text:"sched"/
		/file:f7/{p;s/.*/feature tracing_data text:"probe_a" u8:0 u32:2/;p
			s/.*/feature tracing_data u64:'$(($(wc -c < f8)))' file:f8/;p
			s/.*/feature tracing_data u64:'$(($(wc -c < f9)))' file:f9/}'
	echo 'mmap pid=-1 tid=-1 addr=0xffffffff81000000 len=0x1000000 filename="[kernel.kallsyms]_text" pgoff=0xffffffff81000000 misc=kernel'
	echo 'comm pid=5 tid=5 comm="a" time=1'
	echo 'comm pid=5 tid=6 comm="b" time=1'
	CHAIN=
	switch 0 0 $IDLE0 0 5:a
	switch 1 0 $IDLE1 0 6:b
}
PID_6=5
# enter, leave CPU TIME TID SP [BACK]: where it returns to, with BACK=long:back:16
enter() {
	CHAIN=-512,0x401020
	echo "$(event 20 "$1" "$2" "$3") u64:$4${5:+,$5}"
	CHAIN=
}
leave() {
	CHAIN=
	echo "$(event 21 "$1" "$2" "$3") u64:$4"
}
# waits CPU TIME TASK US: for a pipe
waits() {
	CHAIN=$STACK
	switch $1 $2 $3 1 0:swapper/$1
	CHAIN=
	FLAGS=8
	wakes $1 $(($2 + $4)) 0:swapper/$1 $3
	FLAGS=
	switch $1 $(($2 + $4)) 0:swapper/$1 0 $3
}
SP=0x7000
UP=0x7008	# a return pops its address
# 20 calls of a, 100 us apart: 10 us each; every tenth waits 40 us for a pipe
calls() {
	i=0
	while [ $i -lt 20 ]; do
		t=$((100 + i * 100))
		enter 0 $t 5 $SP
		len=10
		[ $((i % 10)) != 9 ] || { waits 0 $((t + 5)) 5:a 40; len=50; }
		leave 0 $((t + len)) 5 $UP
		i=$((i + 1))
	done
	switch 0 3000 5:a 32 $IDLE0
	switch 1 3000 6:b 32 $IDLE1
}
{ header; calls; } | mkdata calls.data
# spans FILE: its slices, "STATE:WAIT:US:SPEED" with how often each is
spans() {
	$PERF script --span work --wall=all -i "$1" -G -F comm,trace --kallsyms syms 2> err |
		sed -E "s/^ *([^ ]*) +state=([^ ]*) wait=([^ ]*) ns=([0-9]*)000 .* speed=(.*)/\1:\2:\3:\4:\5/" | sort | uniq -c | sed "s/^ *//" | sort
}
report() {
	$PERF report --span work -i "$1" --kallsyms syms -g none --stdio -s speed,state,wait -F overhead,speed,state,wait
}

check 'durations, slow and fast calls, and their difference' '
	report calls.data > out
	says "# Calls of work: 20" out
	says "# Latency: shortest 10.000 us, 50 % within 10.000 us, 90 % within 10.000 us, 99 % within 50.000 us, longest 50.000 us" out
	grep "^#   below 16.384 us  *18 #########" out
	grep "^#   below 65.536 us  *2 #####*" out
	grep -A 2 "^# Slowest calls" out | sed "s/^#  *//" > slowest
	cat > want <<-END
	Slowest calls (time of the beginning, thread, duration, states):
	1.001000000  5  50.000 us: on 10.000 us, blocked 40.000 us
	1.002000000  5  50.000 us: on 10.000 us, blocked 40.000 us
	END
	same want slowest
	says "# What a slow call (2, from 50.000 us on) has more than a fast one (18, up to 10.000 us), on average:" out
	grep "^#   +" out | tr -s " " > difference
	echo "# +40.000 us blocked pipe" | same - difference
	grep "64.29% *fast *on *-" out
	grep "28.57% *slow *blocked *pipe" out
	grep "7.14% *slow *on *-" out'
check 'slices of the calls, and of nothing else' '
	spans calls.data > out
	cat > want <<-END
	18 a:on:-:10:fast
	2 a:blocked:pipe:40:slow
	4 a:on:-:5:slow
	END
	same want out
	$PERF script --span work --wall=on -i calls.data -G -F trace --kallsyms syms 2> err |
		sed "s/.* ns=\([0-9]*\) .*/\1/" | awk "{ s += \$1 } END { print s }" > sum
	echo 200000 | same - sum'
check 'numbers in JSON' '
	$PERF report --span work -i calls.data --kallsyms syms --json > out
	says "\"span-calls\": 20" out
	says "\"span-median-ns\": 10000" out
	says "\"span-max-ns\": 50000" out'
check 'the critical path of the slowest call' '
	$PERF script --critical-path --span work -i calls.data -G -F comm,trace --kallsyms syms 2> err |
		sed -E "s/^ *([^ ]*) +state=([^ ]*) wait=([^ ]*) ns=([0-9]*)000 .*/\1:\2:\3:\4/" > out
	printf "a:on:-:5\na:blocked:pipe:40\na:on:-:5\n" | same - out
	$PERF report --critical-path --span work -i calls.data --kallsyms syms -g none --stdio > out
	says "The table is of the critical path of the slowest call" out
	says "Event count (approx.): 50000" out
	fails_with 1 $PERF report --critical-path=50%.. --span work -i calls.data 2> err
	says "critical-path=50%.. and --span exclude each other" err'
check 'recursion is a part of the outer call; threads have their own calls' '
	{
		header
		enter 0 100 5 0x7000
		enter 1 100 6 0x9000
		enter 0 110 5 0x6f00
		enter 0 120 5 0x6e00
		leave 1 125 6 0x9008
		leave 0 130 5 0x6e08
		leave 0 150 5 0x6f08
		leave 0 180 5 0x7008
		switch 0 300 5:a 32 $IDLE0
		switch 1 300 6:b 32 $IDLE1
	} | mkdata deep.data
	report deep.data > out
	says "# Calls of work: 2; 2 more inside of them (recursion)" out
	says "shortest 25.000 us" out
	says "longest 80.000 us" out
	spans deep.data > out
	$PERF script --span work -i deep.data -G -F comm,trace --kallsyms syms 2> err |
		sed -E "s/^ *([^ ]*) .* ns=([0-9]*)000 .*/\1 \2/" | awk "{ s[\$1] += \$2 } END { for (c in s) print c, s[c] }" | sort > out
	printf "a 80\nb 25\n" | same - out'
check 'calls that are left, that still run, and that began before the recording' '
	{
		header
		leave 0 50 5 0x8008
		enter 0 100 5 0x7000
		# an exception leaves it, and it is called there again
		enter 0 200 5 0x7000
		leave 0 210 5 0x7008
		enter 0 300 5 0x7000
		switch 0 400 5:a 32 $IDLE0
		switch 1 400 6:b 32 $IDLE1
	} | mkdata left.data
	report left.data > out
	says "# Calls of work: 1; 2 left out, without a return; 1 returned from calls whose beginning is not recorded" out
	says "longest 10.000 us" out
	says "No call is much slower than the others" out
	$PERF script --span work -i left.data -G -F trace --kallsyms syms 2> err | sed "s/.* ns=\([0-9]*\) .*/\1/" > out
	echo 10000 | same - out'
check 'callers are shown, not the page of the kernel to which a probed function returns' '
	{
		BACK=long:back:16
		header
		echo "mmap pid=5 tid=5 addr=0x7fffffffe000 len=0x1000 filename=\"[uprobes]\" time=1"
		# work calls itself, and jumps to itself there: that has the place of the call before it
		enter 0 100 5 0x7000 0x401111
		enter 0 110 5 0x6f00 0x401222
		enter 0 115 5 0x6f00 0x7fffffffe000
		STACK=$STACK,0x7fffffffe000,0x7fffffffe000,0x401333
		waits 0 120 5:a 50
		leave 0 180 5 0x6f08
		leave 0 180 5 0x6f08
		leave 0 200 5 0x7008
		switch 0 400 5:a 32 $IDLE0
	} | mkdata back.data
	$PERF script --span work --wall=blocked -i back.data -F ip --kallsyms syms > out 2> err
	awk "NF { print \$1 }" out | tail -n 4 > ips
	printf "%s\n" 401020 401222 401111 401333 | same - ips'
check 'a call that has no return is none' '
	{ header; enter 0 100 5 0x7000; switch 0 400 5:a 32 $IDLE0; } | mkdata none.data
	report none.data > out
	says "# Calls of work: 0; 1 left out, without a return" out
	$PERF script --critical-path --span work -i none.data --kallsyms syms > out 2> err
	test ! -s out'
check 'files without such events' '
	fails_with 1 $PERF report --span other -i calls.data 2> err
	says "calls.data has no events of entries and returns of '"'other'"'" err
	says "record them with perf record --wall --span other" err
	fails_with 1 $PERF report --span wor -i calls.data 2> err
	says "has no events of entries and returns" err
	fails_with 1 $PERF record --span work true 2> err
	says "span needs --wall" err
	fails_with 1 $PERF record --wall=switches --span no_such_function true 2> err
	says "span: " err'
