#!/bin/sh
# perf script: fields, their order and padding, options, and what it says where something cannot be shown.
. "$(dirname "$0")/lib.sh"

cat > two.mk <<-END
	event cycles type=0 config=0 sample=ip|tid|time|cpu|period flags=sample_id_all|mmap2|comm
	comm tid=100 comm="a b" time=1
	mmap2 tid=100 addr=0x401000 len=0x1000 pgoff=0x1000 prot=5 filename="/nowhere/prog" time=2
	sample tid=100 ip=0x401010 time=5123456789 cpu=3 period=77 misc=user
	sample tid=7 ip=0xffff time=5123457999 cpu=12 period=1099511627776 misc=user
END
# shown ARGS...: what is behind it on stdin is printed for two.data
shown() {
	cat > want
	"$PERF" script -i two.data "$@" > got
	diff want got
}

check 'default fields; times are cut, not rounded; a tid without name' '
	mkdata two.data < two.mk
	shown <<-END
	             a b     100 [003]     5.123456:         77 cycles:            401010 [unknown] (/nowhere/prog)
	              :7       7 [012]     5.123457: 1099511627776 cycles:              ffff [unknown] ([unknown])
	END'
# a line with the ids, CPU and time of the line before takes its text from there
check 'lines that differ by one number, or by fields of their event' '
	cat > near.mk <<-END
	event cycles type=0 config=0 sample=identifier|ip|tid|time|cpu|period ids=1
	event branch type=0 config=4 sample=identifier|ip|tid|time|cpu|period ids=2
	sample ev=cycles tid=7 pid=7 ip=1 time=1000000000 cpu=1
	sample ev=cycles tid=7 pid=7 ip=2 time=1000000000 cpu=1
	sample ev=branch tid=7 pid=7 ip=3 time=1000000000 cpu=1
	sample ev=cycles tid=8 pid=7 ip=4 time=1000000000 cpu=1
	sample ev=cycles tid=8 pid=8 ip=5 time=1000000000 cpu=1
	sample ev=cycles tid=8 pid=8 ip=6 time=1000000000 cpu=2
	sample ev=cycles tid=8 pid=8 ip=7 time=1000001000 cpu=2
	END
	mkdata near.data < near.mk
	"$PERF" script -F pid,tid,cpu,time,ip -i near.data > got
	cat > want <<-END
	      7/7       [001]     1.000000:                 1
	      7/7       [001]     1.000000:                 2
	      7/7       [001]     1.000000:                 3
	      7/8       [001]     1.000000:                 4
	      8/8       [001]     1.000000:                 5
	      8/8       [002]     1.000000:                 6
	      8/8       [002]     1.000001:                 7
	END
	diff want got
	"$PERF" script -F tid,time,ip --reltime -i near.data > got
	grep -q "^      7     0.000000:                 1\$" got
	grep -q "^      8     0.000001:                 7\$" got
	"$PERF" script -F tid,time,ip --deltatime -i near.data > got
	grep -q "^      8     0.000001:                 7\$" got'
check 'fields chosen, added, removed' '
	shown -F comm,pid,tid,time --ns <<-END
	             a b     100/100         5.123456789: 
	              :7       7/7           5.123457999: 
	END
	shown -F -ip,-sym,-symoff,-dso,+misc,-period <<-END
	             a b     100 [003] U         5.123456: cycles: 
	              :7       7 [012] U         5.123457: cycles: 
	END
	shown -F hw:ip <<-END
	           401010
	             ffff
	END
	shown -F ip,dsoff <<-END
	           401010 (/nowhere/prog+0x1010)
	             ffff ([unknown])
	END'
check 'relative times' '
	shown -F time --reltime <<-END
	    0.000000: 
	    0.000001: 
	END
	shown -F time --deltatime --ns <<-END
	    0.000000000: 
	    0.000001210: 
	END
	status=0
	"$PERF" script -i two.data -F time --reltime --deltatime > got 2> err || status=$?
	test $status = 129
	grep -q -- "--deltatime and --reltime exclude each other" err'
check 'filters' '
	shown -F comm -c "a b" <<-END
	             a b 
	END
	shown -F tid --tid 7 <<-END
	      7 
	END
	shown -F cpu -C 12 <<-END
	[012] 
	END
	shown -F time --time ,5.1234575 <<-END
	    5.123456: 
	END'
check 'a span may begin and end after all that can be recorded' '
	$PERF script -i two.data -F time > all
	$PERF script -i two.data -F time --time 0,99999999999 > out
	same all out
	$PERF script -i two.data -F time --time 99999999999999999999,999999999999999999999 > out 2> err
	test ! -s out
	says "passes the filter" err
	fails_with 1 $PERF script -i two.data --time 0,99999999999x 2> err
	says "expected START,STOP" err'
check 'side-band lines' '
	shown --show-task-events --show-mmap-events -F comm,tid <<-END
	             a b     100 PERF_RECORD_COMM: a b:100/100
	             a b     100 PERF_RECORD_MMAP2 100/100: [0x401000(0x1000) @ 0x1000 00:00 0 0]: r-xp /nowhere/prog
	             a b     100 
	              :7       7 
	END'
check 'maps at address 0 and without a size, as upstream prints them' '
	{ echo "event cpu-clock config=cpu-clock sample=ip|tid|time flags=sample_id_all|mmap2"
	  echo "mmap tid=7 addr=0 len=0 filename=\"/a\" time=1"
	  echo "mmap2 tid=7 addr=0 len=0x1000 pgoff=0x2000 prot=5 filename=\"/b\" time=2"
	  echo "sample tid=7 ip=0x100 time=3"; } | $MKDATA -o zero.data
	$PERF script -i zero.data --show-mmap-events -F tid > out
	head -n 2 out | same - /dev/fd/3 3<<-END
	      7 PERF_RECORD_MMAP 7/7: [0(0) @ 0]: x /a
	      7 PERF_RECORD_MMAP2 7/7: [0(0x1000) @ 0x2000 00:00 0 0]: r-xp /b
	END
'
check 'branch stacks are empty for events without them, and an error if no event has them' '
	{ echo "event a config=cpu-clock sample=ip|tid|id"
	  echo "event b config=cpu-clock sample=ip|tid|id|branch_stack branch=8"
	  echo "sample tid=7 ip=0x100"; } | $MKDATA -o branches.data
	for f in brstack brstacksym brstackoff; do
		"$PERF" script -i branches.data -F $f > out 2> err
		test ! -s err
		test "$(sort -u out)" = "" && test -s out
		fails_with 1 "$PERF" script -i two.data -F $f 2> err
		says "no event of the file has branch stacks" err
	done
'
check 'fields that were not sampled are an error with a reason' '
	rc=0; "$PERF" script -i two.data -F ip,addr > out 2> err || rc=$?
	test $rc = 1
	test ! -s out
	grep -q "do not have ADDR attribute set" err
	rc=0; "$PERF" script -i two.data -F ip,nonsense 2> err || rc=$?
	test $rc = 129
	grep -q "Invalid field requested" err
	rc=0; "$PERF" script -i two.data -F comm,smy 2> err || rc=$?
	test $rc = 129
	grep -q "there is no .smy. (did you mean .sym.?)" err
	rc=0; "$PERF" script -i two.data -F comm,+ip 2> err || rc=$?
	test $rc = 129
	rc=0; "$PERF" script -i two.data -F ip,brstackinsn 2> err || rc=$?
	test $rc = 1
	grep -q "need all branches" err'
check 'lists that name nothing, and fields that do not fit the kind of events that is named' '
	fails_with 129 "$PERF" script -i two.data -F , 2> err
	says "for all event types" err
	for f in hw:trace hw:comm,+trace hw:-trace; do
		fails_with 129 "$PERF" script -i two.data -F $f > got 2> err
		test ! -s got
	done
	says "'"'trace'"' not valid for hardware events." err
	shown -F hw:, < /dev/null
	"$PERF" script -i two.data -F trace,comm > got 2> err
	says "'"'trace'"' not valid for hardware events. Ignoring." err'
check 'script -f FIELDS gets a hint' '
	rc=0; "$PERF" script -i two.data -f ip,sym 2> err || rc=$?
	test $rc = 129
	grep -q -- "-F ip,sym" err'
check 'a reader that goes away ends it quietly' '
	"$PERF" script -i two.data | head -n 1 > out
	test "$(wc -l < out)" = 1'
check 'one file an event' '
	"$PERF" script -i two.data --per-event-dump > err
	test "$(wc -l < two.data.cycles.dump)" = 2
	grep -q "Wrote .* two.data.cycles.dump (2 samples)" err'
check 'events of one name share their file; none where a field cannot be shown' '
	mkdata twins.data <<-END
	event a/b config=cpu-clock sample=identifier|ip|tid
	event a_b config=task-clock sample=identifier|ip|tid
	feature event_desc
	sample ev=a/b tid=5 ip=0x10
	sample ev=a_b tid=5 ip=0x20
	sample ev=a/b tid=5 ip=0x30
	END
	rc=0; "$PERF" script -F +cgroup -i twins.data --per-event-dump > out 2> err || rc=$?
	test $rc = 1
	grep -q CGROUP err
	test ! -s out
	test ! -e twins.data.a_b.dump
	"$PERF" script -F ip -i twins.data --per-event-dump > out
	grep -c "twins.data.a_b.dump (3 samples)" out | finds -x 1
	printf "%17s\n" 10 20 30 | diff - twins.data.a_b.dump'
check 'names are not padded in lines of events with chains alone' '
	mkdata mixed.data <<-END
	event page-faults config=page-faults sample=identifier|ip|tid|time|callchain
	event cycles type=0 config=0 sample=identifier|ip|tid|time
	sample ev=page-faults tid=5 ip=0x10 time=2 chain=0x10
	sample ev=cycles tid=5 ip=0x10 time=3
	END
	"$PERF" script -F comm,ip -i mixed.data > got
	printf ":5 \n\t%16s\n\n%16s %17s\n" 10 :5 10 | diff - got'
check 'a text poke where no symbol is known has no name' '
	mkdata poke.data <<-END
	event cycles type=0 config=0 sample=ip|tid|time flags=sample_id_all
	text_poke addr=0xffffffff81000100 old_len=1 new_len=1 bytes=90cc time=4000
	END
	"$PERF" script -i poke.data -F comm --show-text-poke-events > got
	grep "PERF_RECORD_TEXT_POKE ffffffff81000100  old len 1 new len 1" got'
check '-S with addresses' '
	mkdata addr.data <<-END
	event cycles type=0 config=0 sample=ip|tid|time
	sample tid=5 ip=0x400010 time=1
	sample tid=5 ip=0x400014 time=2
	sample tid=5 ip=0x400020 time=3
	END
	# addrs WANT ARGS...
	addrs() {
		want=$1
		shift
		test "$("$PERF" script -i addr.data -F ip "$@" | tr -d " " | tr "\n" " ")" = "$want" || { echo "not so: $*"; exit 1; }
	}
	addrs "400010 " -S 0x400010
	addrs "400014 400020 " -S 400014,main,0X400020
	addrs "400010 400014 " -S 0x400010 --addr-range 5
	addrs "" -S 0x400011,0x40001x,4000
	addrs "" -S 0x400021 --addr-range 100'
check 'lists that name nothing, and files that cannot be read, are errors' '
	for a in --pid= --tid=, "--kallsyms /nonexistent/k" "-k /nonexistent/k"; do
		fails_with 1 "$PERF" script -i two.data $a > out 2> err
		test ! -s out
		grep -q "[pt]id: .* names no number\|cannot read ./nonexistent/k.: No such file" err
	done'
check 'bytes that a BPF program has written' '
	mkdata bpf.data <<-END
	event bpf config=10 sample=ip|raw
	sample ip=0x10 raw="hello, you"
	sample ip=0x10 raw="abcdefgh\0\x9b\xffi"
	sample ip=0x10 raw="abcdefghijkl"
	END
	"$PERF" script -F ip,bpf-output -i bpf.data > got
	tr "\377" "#" < got > bpf-output
	expect bpf-output'
check 'stackcollapse-style folding of the text' '
	cat > chain.mk <<-END
	event cycles type=0 config=0 sample=ip|tid|time|callchain flags=sample_id_all|mmap2|comm
	comm tid=100 comm="prog" time=1
	sample tid=100 ip=0x1010 time=5 misc=user chain=0xfffffffffffffe00,0x1010,0x1020,0x1030
	sample tid=100 ip=0x1010 time=6 misc=user chain=0xfffffffffffffe00,0x1010,0x1020,0x1030
	sample tid=100 ip=0x1011 time=7 misc=user chain=0xfffffffffffffe00,0x1011,0x1030
	END
	mkdata chain.data < chain.mk
	"$PERF" script -i chain.data | awk "
		/^[^\t]/ && NF { comm = \$1; stack = \"\"; next }
		/^\t/ { stack = \";\" \$1 stack; next }
		NF == 0 { n[comm stack]++ }
		END { for (s in n) print s, n[s] }" | sort > folded
	printf "prog;1030;1011 1\nprog;1030;1020;1010 2\n" | diff - folded'
check 'lines that differ in one field only' '
	{
		echo "event cycles type=0 config=0 sample=id|ip|tid|time|cpu|period ids=1 flags=sample_id_all"
		echo "event instructions type=0 config=1 sample=id|ip|tid|time|cpu|period ids=2"
		for rest in "time=1000 cpu=0 period=1 ip=0x400100" "time=1000 cpu=1 period=1 ip=0x400100" \
				"time=1000 cpu=1 period=9 ip=0x400100" "time=1000 cpu=1 period=9 ip=0x400200"; do
			printf "sample id=%d tid=7 $rest\n" 1 2
		done
		echo "sample id=2 tid=8 time=1000 cpu=1 period=9 ip=0x400200"
		echo "comm pid=8 tid=8 comm=\"eight\" time=1000 cpu=1 s_id=1"
		echo "sample id=1 tid=8 time=1000 cpu=1 period=9 ip=0x400200"
		echo "sample id=2 tid=8 time=1001 cpu=1 period=9 ip=0x400200"
		echo "sample id=1 tid=8 time=1001 cpu=1 period=9 ip=0x400200"
	} | mkdata x.data
	$PERF script -F comm,tid,cpu,time,event,period,ip,sym,dso --ns -i x.data > out
	# with a field that keeps each line from being taken from the one before
	$PERF script -F comm,tid,cpu,misc,time,event,period,ip,sym,dso --ns -i x.data > long
	sed "s/\(\[[0-9]*\] \).\{6\}/\1/" long > expected
	same expected out
	test "$(sort -u out | wc -l)" = 12
	finds < out "eight .* 0.000001001: *9 *cycles: *400200"
	# filters leave plain lines out, and lines of numbers
	for fields in comm,tid,ip,sym tid,time,ip; do
		test "$($PERF script -F $fields --tid 8 -i x.data | wc -l)" = 4
		test "$($PERF script -F $fields --time 0.000001001, -i x.data | wc -l)" = 2
		test "$($PERF script -F $fields -C 0 -i x.data | wc -l)" = 2
	done
'
