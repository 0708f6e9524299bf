#!/bin/sh
# Rows by how many tasks ran: the same as from the newest upstream.
. "$(dirname "$0")/../cli/lib.sh"
need NEWEST

# the table without what stands around it
table() { sed '/^# To display/d; /^# (Tip/d; /^#$/d; /^$/d'; }
# same ARGS...: both print the same
same() {
	"$PERF" report --stdio -i "$FILE" "$@" 2> ours.err | table > ours || { cat ours.err; return 1; }
	"$NEWEST" report --stdio -i "$FILE" "$@" 2> theirs.err | table > theirs
	[ -s ours ] || { echo "nothing: $*"; cat ours.err; return 1; }
	cmp ours theirs || { echo "$@"; diff ours theirs | head -n 20; return 1; }
}
# tasks SAMPLE-BITS EVENT-KEYS: that come and go as a row of odd numbers says, and are sampled at any time
tasks() {
	cat <<-END
	event cycles type=hardware config=0 period=10 sample=ip|tid|time|cpu|period$1 flags=sample_id_all|comm|mmap2|task|context_switch $2
	feature event_desc
	feature nrcpus u32:5,4
	comm tid=100 comm="app" time=1
	comm tid=200 comm="bee" time=1
	comm tid=300 comm="cee" time=1
	repeat 40
	switch tid=100+\$i%3*100 misc=\$i*\$i%7%2*0x2000 time=1000+\$i*41%40*100
	sample tid=100+\$i%3*100 cpu=\$i%4 ip=0x1000+\$i%5 period=1+\$i*7%11 time=1001+\$i*1237%4000
	sample tid=100+\$i%2*100 cpu=\$i%4 ip=0x1000+\$i%5 period=20 time=1001+\$i*731%4000
	end
	exit tid=100 pid=100 ptid=1 ppid=1 time=2500
	fork tid=400 pid=400 ptid=1 ppid=1 time=2600
	switch_cpu_wide tid=200 cpu=1 next_prev_pid=0 next_prev_tid=0 time=2700
	switch_cpu_wide tid=0 misc=0x2000 cpu=2 next_prev_pid=200 next_prev_tid=200 time=3800
	END
}

check 'keys and filter' '
	tasks | mkdata x.data
	FILE=x.data
	same -F parallelism,sample
	same -F overhead,parallelism
	same -F overhead,comm,parallelism,sample
	same -F comm,overhead,parallelism,sym
	for p in 1 2 1-2 3,4 2-4; do
		same -F overhead,comm --parallelism $p
		same -F overhead,comm,sym --parallelism $p --percentage relative
	done'
