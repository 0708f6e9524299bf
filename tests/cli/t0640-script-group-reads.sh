#!/bin/sh
. "$(dirname "$0")/../cli/lib.sh"

cat > g.mk <<'END'
event a config=cpu-clock period=7 sample=ip|tid|time|id|read read=id|group flags=sample_id_all ids=1
event b config=1 period=7 sample=ip|tid|time|id|read read=id|group flags=sample_id_all ids=2
feature event_desc
comm tid=5 comm="x" time=1
sample tid=5 ip=0x10 time=2 id=1 read=100:1,10:2
sample tid=5 ip=0x10 time=3 id=1 read=150:1,10:2
sample tid=5 ip=0x10 time=4 id=1 read=151:1,40:2
END

check 'a sample stands for each member of its group that counted' '
	$MKDATA -o g.data g.mk
	$PERF script -F event,period -i g.data | tr -s " " > out
	cat out
	printf " %s \n" "100 a:" "10 b:" "50 a:" "1 a:" "30 b:" | cmp - out
'
check 'with a file an event each member goes to its own, and what is of no event to the output' '
	$PERF script --per-event-dump --show-task-events -F period -i g.data > out
	cat out g.data.*.dump
	grep -c "PERF_RECORD_COMM: x" out | finds -x 1
	grep -q "g.data.a.dump (3 samples)" out
	printf "%10d \n" 100 50 1 | cmp - g.data.a.dump
	printf "%10d \n" 10 30 | cmp - g.data.b.dump
'
check 'members are shown with their own fields and the chain of their leader' '
	$MKDATA -o m.data <<-END
	event a config=page-faults sample=ip|tid|time|id|read|callchain read=id|group ids=1
	event b type=0 config=0 sample=ip|tid|time|id|read read=id|group ids=2
	feature event_desc
	feature group_desc u32:1 str:"" u32:0,2
	sample tid=5 ip=0x10 time=2 id=1 read=100:1,10:2 chain=0x10,0x20
	END
	$PERF script -F sw:event -F hw:event,ip -i m.data > out
	cat out
	printf "a: \nb: \n\t%16s\n\t%16s\n\n" 10 20 | cmp - out
	$PERF script -F sw: -F hw:event -i m.data > out
	cat out
	printf "b: \n" | cmp - out
'
cat > metric.mk <<'END'
default tid=5 ip=0x10
event task-clock config=task-clock sample=ip|tid|time|id|read read=id|group ids=1
event cycles type=0 config=0 sample=ip|tid|time|id|read read=id|group ids=2
event instructions type=0 config=1 sample=ip|tid|time|id|read read=id|group ids=3
event cycles type=0 config=0 sample=ip|tid|time|id|read read=id|group ids=4
event stalled-cycles-frontend type=0 config=7 sample=ip|tid|time|id|read read=id|group ids=5
event instructions type=0 config=1 sample=ip|tid|time|id|read read=id|group ids=6
feature event_desc
feature group_desc u32:2 str:"" u32:0,3 str:"" u32:3,3
comm tid=5 comm="x" time=1
sample time=2000 id=1 read=1000:1,3000:2,4500:3,7:99
sample time=3000 id=4 read=1000:4,250:5,500:6
sample time=4000 id=1 read=2000:1,3000:2,4500:3
sample time=5000 id=4 read=1000:4,250:5,500:6
END
check 'metrics of what a group counted since its last sample, below its members' '
	$MKDATA -o metric.data metric.mk
	$PERF script -F time,event,period,metric -i metric.data | tr -s " " > out
	cat out
	cat > want <<-END
	 0.000002: 1000 task-clock:
	 0.000002: 3000 cycles:
	 0.000002: 4500 instructions:
	 0.000002: 	metric: 3.000 GHz
	 0.000002: 	metric: 1.50 insn per cycle
	 0.000003: 1000 cycles:
	 0.000003: 250 stalled-cycles-frontend:
	 0.000003: 500 instructions:
	 0.000003: 	metric: 25.00% frontend cycles idle
	 0.000003: 	metric: 0.50 insn per cycle
	 0.000003: 	metric: 0.50 stalled cycles per insn
	 0.000004: 1000 task-clock:
	END
	sed "s/: *$/:/" out | diff want -
'
check 'of the types that were asked, to their own files, and not where the sample is not shown' '
	$PERF script -F sw: -F hw:comm,metric --per-event-dump -i metric.data > out
	cat out
	printf "%16s \n%16s \tmetric:    3.000 GHz\n%16s \n" x x x | cmp - metric.data.cycles.dump
	test ! -s metric.data.task-clock.dump
	$PERF script -F metric --time 0.000003, -i metric.data > out
	grep -c insn out | finds -x 2
	$PERF script -F event,metric -S other -i metric.data > out
	test ! -s out
'
check 'report counts them for each event' '
	$PERF report --stdio -s pid -i g.data > r
	cat r
	grep -q "Event count (approx.): 151" r
	grep -q "Event count (approx.): 40" r
'
check 'a dump places each of them' '
	$PERF report -D -i g.data > dump
	test "$(grep -c "^ \.\.\. thread: x:5" dump)" = 5
	$PERF script -D -i g.data | grep -A2 "^ \.\.\. thread: x:5" | grep -c "cpu-clock\|page-faults\| a:\| b:" | finds -x 5
'
check 'in a dump a round stands before what it puts in order' '
	$MKDATA -o r.data <<-END
	event cpu-clock config=cpu-clock sample=ip|tid|time|period flags=sample_id_all|comm
	sample tid=5 ip=0x10 time=10
	finished_round
	sample tid=5 ip=0x10 time=20
	finished_round
	END
	for tool in report script; do
		$PERF $tool -D -i r.data | grep -o "PERF_RECORD_[SF][A-Z_]*" | tr "\n" " " > out
		echo "PERF_RECORD_FINISHED_ROUND PERF_RECORD_FINISHED_ROUND PERF_RECORD_SAMPLE PERF_RECORD_SAMPLE " | tr -d "\n" | diff - out
	done
'
check 'the limit of a group is about its first event' '
	$PERF report --stdio --group -s symbol --percent-limit 50 -i g.data > r
	test "$(grep -c %.*% r)" = 1
	$PERF report --stdio --group -s symbol --percent-limit 0 -i g.data > r
	test "$(grep -c %.*% r)" = 1
'
