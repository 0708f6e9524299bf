#!/bin/sh
# threads
# perf report: how many of the recorded tasks ran when a sample was taken
. "$(dirname "$0")/lib.sh"

OUT=misc=0x2000
head_of() { # FLAGS: an event and its tasks
	cat <<-END
	event cycles type=hardware config=0 sample=ip|tid|time|cpu|period flags=sample_id_all|comm|task$1
	feature nrcpus u32:3,3
	comm tid=100 comm="app" time=1
	comm tid=200 comm="bee" time=1
	default tid=100 period=10
	END
}
{
	head_of '|context_switch'
	cat <<-END
	sample time=100 ip=0x1
	switch tid=100 time=200
	sample time=200 ip=0x2
	switch tid=200 time=300
	sample time=301 tid=200 ip=0x3
	# more than there are CPUs
	switch tid=300 time=400
	sample time=401 ip=0x4
	exit tid=300 pid=300 ptid=1 ppid=1 time=500
	switch $OUT tid=200 time=510
	# not in order of time
	sample time=900 ip=0x9
	sample time=520 ip=0x5
	switch misc=0x6000 tid=100 time=600
	# fewer than none is counted, and shown as one
	switch $OUT tid=100 time=610
	switch $OUT tid=100 time=620
	sample time=630 ip=0x6
	switch tid=100 time=700
	sample time=710 ip=0x7
	switch tid=100 time=800
	sample time=810 ip=0x8
	switch tid=100 time=850
	END
} | mkdata x.data
head_of '' | mkdata none.data
{ head_of '|context_switch' | sed 's/|time//'; printf '%s\n' 'sample ip=0x1' 'switch tid=200' 'sample ip=0x2'; } | mkdata no-time.data

rows() { "$PERF" report -i x.data "$@" 2> err | sed '/^#/d;/^$/d;s/^ *//;s/ *$//;s/   */  /g'; }

check 'who ran counts from one on, is at least one, and no more than there are CPUs' '
	rows -F parallelism,addr > out
	cat > want <<-EOF
	1  0x1
	1  0x6
	1  0x7
	1  0x8
	2  0x2
	2  0x5
	2  0x9
	3  0x3
	3  0x4
	EOF
	diff want out'
check 'the same from any number of threads, and whatever the pieces are' '
	rows -F parallelism,addr > out
	test -s out
	for j in 1 2 8; do
		rows -F parallelism,addr -j $j --chunk-size 64 > more
		cmp out more
	done'
check 'a file without times is taken in order' '
	"$PERF" report -i no-time.data -F parallelism,addr 2> err | grep -v "^#" | grep -c "[12]  *0x[12]" | finds -x 2'
check '--parallelism keeps what ran so, and what it hides belongs to the whole' '
	test "$(rows -F overhead,comm --parallelism 3)" = "11.11%  app
11.11%  bee"
	test "$(rows -F overhead,sample,comm --parallelism 2-3 --percentage relative)" = "80.00%  4  app
20.00%  1  bee"
	test "$(rows -F overhead,comm --parallelism 1,2,3)" = "88.89%  app
11.11%  bee"
	for bad in 0 "" x 2-1 1,0; do
		fails_with 1 "$PERF" report -i x.data --parallelism "$bad" 2> err
	done
	says "not a list of task counts" err'
check 'latency is shared among those that ran; rows by it, or by overhead with it beside' '
	test "$(rows -s comm | sed "s/  */ /g")" = "88.89% 94.60% app
11.11% 5.40% bee"
	rows --latency -s parallelism | sed "s/  */ /g" > out
	cat > want <<-EOF
	64.87% 44.44% 1
	24.32% 33.33% 2
	10.81% 22.22% 3
	EOF
	diff want out
	rows -s latency,parallelism -n | sed "s/  */ /g" > out
	cat > want <<-EOF
	64.87% 4 1
	24.32% 3 2
	10.81% 2 3
	EOF
	diff want out
	for j in 1 2 8; do
		"$PERF" report -i x.data --latency -s parallelism,comm,addr -j $j --chunk-size 64 > more 2> err
		[ $j = 1 ] && cp more one
		cmp more one
	done'
# seldom ALONE: one sample of each of two events at which two tasks ran, and 2 * ALONE others
seldom() {
	head_of '|context_switch' | sed '1{s/sample=/&identifier|/;p;s/config=0/config=1/}'
	cat <<-END
	repeat $1
	sample id=1 time=100+\$i ip=0x1
	sample id=2 time=100+\$i ip=0x1
	end
	switch tid=200 time=1000
	sample id=1 tid=200 time=1001 ip=0x1
	sample id=2 tid=200 time=1001 ip=0x1
	END
}
check 'no column if tasks ran at once at 1% of the samples of all events, or less' '
	seldom 99 | mkdata seldom.data
	"$PERF" report -i seldom.data -s comm > out 2> err
	test "$(grep -c "^# Overhead  Command" out)" = 2
	"$PERF" report -i seldom.data -s comm --time 0.000000150, > out 2> err
	test "$(grep -c "^# Overhead   Latency  Command" out)" = 2
	"$PERF" report -i seldom.data -s comm --latency > out 2> err
	test "$(grep -c "^#  Latency  Overhead  Command" out)" = 2
	seldom 98 | mkdata seldom.data
	"$PERF" report -i seldom.data -s comm > out 2> err
	test "$(grep -c "^# Overhead   Latency  Command" out)" = 2'
check 'the column is there where tasks ran at once' '
	"$PERF" report -i x.data -s comm > out 2> err
	grep -q "^# Overhead   Latency  Command" out
	"$PERF" report -i x.data --latency -s comm > out 2> err
	grep -q "^#  Latency  Overhead  Command" out
	"$PERF" report -i x.data -s comm --time 0.000000630,0.000000810 > out 2> err
	grep -q "^# Overhead  Command" out
	"$PERF" report -i none.data -s comm > out 2> err
	grep -q "^# Overhead  Command" out'
{
	head_of '|context_switch' | sed '1s/|period/|period|callchain/'
	cat <<-END
	sample time=100 ip=0x1030 chain=-512,0x1030,0x1020,0x1010
	switch tid=200 time=200
	sample time=201 ip=0x1040 chain=-512,0x1040,0x1020,0x1010
	sample time=202 ip=0x1040 chain=-512,0x1040,0x1010
	END
} | mkdata chain.data
check 'callers have what their callees took' '
	"$PERF" report -i chain.data -g none --latency -s sym > out 2> err
	grep -q "^# *Latency  Children   Latency      Self  Symbol" out
	sed "/^#/d;/^$/d;s/  */ /g;s/0x00*//" out > rows
	cat > want <<-EOF
	 100.00% 100.00% 0.00% 0.00% [.] 1010
	 75.00% 66.67% 0.00% 0.00% [.] 1020
	 50.00% 66.67% 50.00% 66.67% [.] 1040
	 50.00% 33.33% 50.00% 33.33% [.] 1030
	EOF
	diff want rows'
check '--latency records tasks, not the system' '
	fails_with 1 "$PERF" record --latency -a -o a.data true 2> err
	says "not the whole system" err
	fails_with 1 "$PERF" record --latency -o a.data 2> err
	"$PERF" record --latency -e cpu-clock:u -o r.data true 2> err
	"$PERF" evlist -v -i r.data | finds "context_switch: 1"'
check 'a file that does not say when tasks ran is told so' '
	for a in "-s parallelism" "--parallelism 1" --latency "-F latency" "-s latency_children,comm"; do
		fails_with 1 "$PERF" report -i none.data $a 2> err
		says "does not say when tasks ran" err
		says "record --latency" err
	done'
