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
	grep -c "PERF_RECORD_COMM: x" out | grep -qx 1
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
check 'report counts them for each event' '
	$PERF report --stdio -s pid -i g.data > r
	cat r
	grep -q "Event count (approx.): 151" r
	grep -q "Event count (approx.): 40" r
'
check 'a dump places each of them' '
	$PERF report -D -i g.data > dump
	test "$(grep -c "^ \.\.\. thread: x:5" dump)" = 5
	$PERF script -D -i g.data | grep -A2 "^ \.\.\. thread: x:5" | grep -c "cpu-clock\|page-faults\| a:\| b:" | grep -qx 5
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
