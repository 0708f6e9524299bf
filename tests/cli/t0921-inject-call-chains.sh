#!/bin/sh
# perf inject --convert-callchain: call chains instead of registers and stacks.
. "$(dirname "$0")/lib.sh"

le() { # VALUE...: eight bytes of each, lowest first
	for v; do
		printf %016x "$v" | sed 's/\(..\)\(..\)\(..\)\(..\)\(..\)\(..\)\(..\)\(..\)/\8\7\6\5\4\3\2\1/'
	done
}
# registers BP, SP, IP of x86-64; a stack at 0x7000 with frame records
stacks="regs_user=2,0x7000,0x7000,0x1010 stack=$(le 0x7010 0x1021 0 0x1031)"
cat > top.mk <<-END
	feature arch str:"x86_64"
	feature event_desc
	event cpu-clock type=software config=cpu-clock sample=identifier|ip|tid|time|period|callchain|raw|regs_user|stack_user|weight regs_user=0x1c0 stack_user=32 flags=sample_id_all|comm|mmap2|exclude_callchain_user
	comm tid=100 comm="w" time=1
	mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="/nowhere/w" time=2
END
cat > samples.mk <<-END
	default tid=100 ip=0x1010 period=3
	sample time=1000 chain=-128,0xffffffff81000100,-512 $stacks raw="abcd" weight=7
	sample time=1001 chain=-512 $stacks weight=8
	finished_round
	sample time=1002 chain=-512 regs_user=0 weight=9
	sample time=1003 chain=-128,0xffffffff81000100 misc=kernel regs_user=0 weight=10
END
cat top.mk samples.mk | mkdata x.data
frames() {
	$PERF script -i "$1" -F comm,tid,time,period,ip,weight 2> err | tr -s "\n\t " " "
}
# shown TOOL ARGS...: its output without what the copy does not know: why chains end
shown() {
	"$@" 2> err | sed "/^# stacks:/d; /^# cmdline/d; s/;\[stack [a-z-]*\]//" | sort
}
both() { # FILE COPY: have the same script and report
	for o in "script -F comm,tid,time,event,period,ip,sym,symoff,dso" report "report --no-children -g caller" \
			"report --folded -s comm,dso"; do
		shown $PERF $o -i "$1" > want
		test -s want
		shown $PERF $o -i "$2" > got
		same want got
	done
}

check 'both parts of chains are there, and other fields stay' '
	$PERF inject --convert-callchain -i x.data -o y.data
	frames y.data > got
	w="w 100 0.000001: 3"
	test "$(cat got)" = "$w 7 ffffffff81000100 1010 1020 1030 $w 8 1010 1020 1030 $w 9 $w 10 ffffffff81000100 "
	$PERF evlist -v -i y.data > got
	silent_about STACK_USER got
	silent_about REGS_USER got
	silent_about exclude_callchain_user got
	silent_about sample_stack_user got
	says "CALLCHAIN" got
	$PERF script -D -i y.data > dump
	grep -q "61 62 63 64\|abcd" dump'
check 'as a pipe, too' '
	$PERF inject --convert-callchain -i x.data > y.pipe
	frames x.data > want
	frames y.pipe | same want -
	$PERF inject < x.data | $PERF inject --convert-callchain --unwind-style libdw > y.pipe
	frames y.pipe | same want -'
check 'events that have no stacks, or no place for a chain, stay as they are' '
	{ sed "3a event other type=software config=1 sample=identifier|ip|tid|time|period|regs_user|stack_user|weight regs_user=0x1c0 stack_user=32
		3a event plain type=software config=2 sample=identifier|ip|tid|time|period|callchain|weight" top.mk
	cat samples.mk; echo "sample ev=other time=2000 weight=1 $stacks"
	echo "sample ev=plain time=2001 weight=2 chain=-512,0x1010,0x1040"; } | mkdata m.data
	$PERF inject --convert-callchain -i m.data -o y.data
	frames m.data > want
	frames y.data | same want -
	test -s want
	test "$($PERF evlist -v -i y.data | grep -c STACK_USER)" = 1
	for e in "/other/!d" "/plain/!d"; do
		{ sed "3a event other type=software config=1 sample=ip|tid|time|stack_user stack_user=32
			3a event plain type=software config=2 sample=ip|tid|callchain" top.mk | sed "/^event/{$e}"; } | mkdata n.data
		fails_with 1 $PERF inject --convert-callchain -i n.data -o no.data 2> err
		says "has no events with call chains and stacks" err
		says "record with --call-graph dwarf" err
		test ! -e no.data
	done'
check 'damaged samples are left out and counted' '
	{ cat top.mk samples.mk; echo "sample time=1004 chain=-512 chain_nr=7777 $stacks"; } | mkdata d.data
	$PERF inject --convert-callchain -i d.data -o z.data 2> err
	says "damaged or too large to be converted: 1" err
	$PERF inject --convert-callchain -i x.data -o y.data
	frames z.data > got
	frames y.data | same - got'
check 'it cannot be combined with -s' '
	fails_with 129 $PERF inject --convert-callchain -s -i x.data -o no.data 2> err
	says "--convert-callchain and -s exclude each other: inject twice" err
	test ! -e no.data'
check_if EVENTS 'a recording has the same chains at a twentieth of its size' '
	$PERF record -q -e cpu-clock -F 4000 --call-graph dwarf,32768 -o r.data $PERF test -w deterministic 200000 > log 2>&1
	$PERF inject --convert-callchain -i r.data -o c.data
	both r.data c.data
	test "$(($(stat -c %s c.data) * 20))" -lt "$(($(stat -c %s r.data) + 20 * 65536))"'
