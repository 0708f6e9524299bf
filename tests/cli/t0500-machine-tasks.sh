#!/bin/sh
# Who is shown with a sample: fork, exec, threads, exit, ids that are used again. The expectations are
# upstream 7.2's output.
. "$(dirname "$0")/lib.sh"

cat > tasks.mk << 'EOF'
event cpu-clock config=cpu-clock period=1000000 sample=ip|tid|time flags=sample_id_all|comm|mmap2
comm tid=100 comm="main"
mmap2 tid=100 addr=0x400000 len=0x10000 prot=5 flags=2 ino=7 filename="/bin/main"
fork pid=200 tid=200 ppid=100 ptid=100 time=1000
fork pid=300 tid=300 ppid=999 ptid=999 time=1000
sample pid=200 tid=200 ip=0x400010 time=1100
sample pid=300 tid=300 ip=0x400010 time=1100
fork pid=100 tid=101 ppid=100 ptid=100 time=1200
sample pid=100 tid=101 ip=0x400011 time=1210
comm pid=100 tid=101 comm="thr" time=1220
sample pid=100 tid=101 ip=0x400012 time=1230
comm pid=200 tid=200 comm="child" misc=0x2000 time=1300
sample pid=200 tid=200 ip=0x408020 time=1310
mmap2 pid=200 tid=200 addr=0x408000 len=0x1000 pgoff=0x100 prot=5 flags=2 ino=8 filename="/bin/child" time=1320
sample pid=200 tid=200 ip=0x408030 time=1330
sample pid=200 tid=200 ip=0x40f030 time=1330
sample pid=100 tid=100 ip=0x408030 time=1330
exit pid=200 tid=200 ppid=100 ptid=100 time=1400
sample pid=200 tid=200 ip=0x408030 time=1410
fork pid=200 tid=200 ppid=100 ptid=100 time=1500
sample pid=200 tid=200 ip=0x408040 time=1510
exit pid=100 tid=100 ppid=1 ptid=1 time=1700
sample pid=100 tid=101 ip=0x408060 time=1710
sample pid=100 tid=100 ip=0x408061 time=1710
sample pid=100 tid=105 ip=0x408062 time=1710
EOF

check 'tasks and their maps over time' '
	$MKDATA -o tasks.data tasks.mk
	$PERF script -i tasks.data -F comm,pid,tid,ip,dso 2> err | sed "s/^ *//; s/  */ /g" > samples
	expect samples
'
check 'the tree of tasks and their maps' '
	$PERF report -i tasks.data --mmaps > mmaps 2> err
	expect mmaps
'
check 'what a thread forks stands below the thread' '
	mkdata threads.data <<-EOF2
	event cpu-clock config=cpu-clock period=1000000 sample=ip|tid|time flags=sample_id_all|comm
	comm tid=100 comm="main"
	fork pid=100 tid=101 ppid=100 ptid=100 time=1000
	fork pid=100 tid=102 ppid=100 ptid=101 time=1100
	fork pid=200 tid=200 ppid=100 ptid=102 time=1200
	EOF2
	$PERF report -i threads.data --tasks > out
	test "$(awk "/main/ { print \$3 }" out | tr "\n" " ")" = "-1 100 101 102 " || { cat out; false; }
'
check 'counts by type' '
	$PERF report -i tasks.data --stats > out 2> err
	grep -q "^               TOTAL events:         24$" out || { cat out; false; }
	grep -q "^              SAMPLE events:         13  (54.2%)$" out
	grep -q "^              SAMPLE events:         13$" out
'
