#!/bin/sh
# tests/tools/grow: a recording as if it had taken longer, for make bench.
. "$(dirname "$0")/lib.sh"
need PLAIN

cat > in.mk <<'END'
event cpu-clock config=cpu-clock period=1 sample=ip|tid|time|callchain|id|cpu|period flags=sample_id_all|comm|task|mmap|mmap2
event dummy:u config=dummy period=1 sample=ip|tid|time|callchain|id|cpu|period flags=sample_id_all
feature hostname str:"box"
comm tid=7 comm="main" time=1000 s_id=1
mmap2 tid=7 addr=0x400000 len=0x10000 prot=5 flags=2 ino=7 filename="/bin/main" time=1001 s_id=1
fork pid=8 tid=8 ppid=7 ptid=7 time=1500 s_id=1
repeat 2
sample tid=7 ip=0x400010 time=2000+$i chain=-512,0x400010,0x400020 period=1
end
sample tid=8 ip=0x400100 time=3000 chain=-512,0x400100,0x7f0000001000 period=1
exit pid=8 tid=8 ppid=7 ptid=7 time=4000 s_id=1
END
check 'records of other tasks, later; single chains differ' '
	"$O/tools/mkdata" -o in.data in.mk
	"$O/tools/grow" 3 in.data out.data
	$PERF report --stats -i out.data > out
	finds "SAMPLE events: *9 " < out
	finds "FORK events: *3 " < out
	$PERF report --header-only -i out.data > out
	finds "hostname : box" < out
	$PERF script -F pid,time,ip -i out.data > out
	test "$(grep -c " 400010$" out)" = 6
	for address in 7f0000001000 7f0000001008 7f0000001010; do
		finds " $address$" < out
	done
	$PERF script -F pid,time -i out.data | sort -s -k 2,2 > sorted
	$PERF script -F pid,time -i out.data | same - sorted
	$PERF report --stdio -s pid -g none -i out.data > out
	finds "main" < out
	test "$(grep -c ":main" out)" = 6
'
