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
check 'shares of the time that passed' '
	tasks | mkdata x.data
	FILE=x.data
	for l in "" --latency; do
		for k in comm sym parallelism parallelism,comm comm,parallelism comm,latency,overhead \
				comm,overhead +parallelism cpu,comm; do
			same $l -s $k
		done
		for k in comm overhead,comm comm,latency latency,parallelism latency,overhead,comm +latency +sample; do
			same $l -F $k
		done
		same $l -n --show-total-period -s comm
		same $l -s comm --parallelism 2,3
		same $l -s comm,parallelism --parallelism 2,3 --percentage relative
		same $l -s comm -c bee
		same $l -s comm -C 1,2
		same $l -s comm --percent-limit 20
		same $l -H -s comm,parallelism
		same $l -H -s parallelism,comm,sym --percent-limit 5
	done
	# upstream orders these by overhead with --latency
	for k in latency latency,comm comm,latency latency,sample,comm; do
		same -s $k
	done
	same -H -s latency,overhead,comm,parallelism
	for k in comm sym parallelism; do
		same -s $k --time 0,0.000001100
	done'
# seldom ALONE BESIDE: of so many samples each, taken while one task ran, and two
seldom() {
	cat <<-END
	event cycles type=hardware config=0 sample=ip|tid|time|cpu|period flags=sample_id_all|comm|task|context_switch
	feature nrcpus u32:5,4
	comm tid=100 comm="app" time=1
	comm tid=200 comm="bee" time=1
	repeat $1
	sample tid=100 cpu=0 ip=0x1000 period=1 time=10+\$i
	end
	switch tid=200 cpu=1 time=2000
	repeat $2
	sample tid=200 cpu=1 ip=0x1000 period=1000 time=2001+\$i
	end
	END
}
check 'no column where tasks seldom ran at once' '
	FILE=x.data
	for n in 99,1 98,1 198,2 197,2 990,10 989,10; do
		seldom ${n%,*} ${n#*,} | mkdata x.data
		same -s comm
		same -s parallelism,comm --latency
		same -s comm -c bee
		same -s comm -C 1
		same -s comm --parallelism 2
		same -s comm --time 0.0000005,
	done'
check 'events side by side, branches, memory accesses' '
	{ tasks "|identifier" | sed "/^event/{p;s/cycles/instructions/;s/config=0/config=1/}" | sed "/^sample.*period=20/s/$/ id=2/;/^sample.*7%11/s/$/ id=1/"; } | mkdata x.data
	FILE=x.data
	for l in "" --latency; do
		same $l -s comm
		same $l -s comm,parallelism --group
		same $l -s comm,sym --group
		same $l -H -s comm,parallelism --group
	done
	{ tasks "|branch_stack" branch=1 | sed "s/^sample.*/& branch=0x1010+\$i%3:0x1020:2,0x1030:0x1040+\$i%2:2/"; echo "feature branch_stack"; } | mkdata x.data
	for l in "" --latency; do
		same $l -s comm
		same $l -s parallelism,mispredict
		same $l -s comm --parallelism 3
	done
	tasks "|addr|weight_struct|data_src" | sed "s/^sample.*/& weight=1+\$i*7%30 weight2=\$i%4 weight3=\$i%2/" | mkdata x.data
	for l in "" --latency; do
		same $l --mem-mode -s comm
		same $l --mem-mode -s parallelism
		same $l -F latency,weight1,weight2,weight3,comm
	done'
check 'call chains' '
	tasks "|callchain" | sed "s/^sample.*/& chain=-512,0x1000+\$i%5,0x1100+\$i*3%4,0x1200/" | mkdata x.data
	FILE=x.data
	# the title of the second column is as wide as its cells
	table() { sed "/^# To display/d; /^# stacks: /d; /^# (Tip/d; /^#$/d; /^$/d; /^# [.]/d; s/  */ /g; s/^# /#/"; }
	for l in "" --latency; do
		for k in comm sym latency,overhead,latency_children,overhead_children,sym latency_children,latency,overhead,overhead_children,comm; do
			same $l -g none -s $k
		done
		same $l -g none -s sym --parallelism 2
		same $l -g none --no-children -s sym
		same $l -s comm
	done
	same -g none -s latency,sym
	same -g none -F latency_children,latency,sym
	same -g none -F comm,latency_children,overhead'
cat > busy.sh <<'END'
busy() { i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; }
busy & busy & busy &
wait
busy
END
check_if EVENTS 'files that either recorded' '
	"$NEWEST" record --latency -e cpu-clock -F 2000 -o theirs.data sh busy.sh > /dev/null 2> log
	"$PERF" record --latency -e cpu-clock -F 2000 -o ours.data sh busy.sh > /dev/null 2> log
	for FILE in theirs.data ours.data; do
		test "$("$PERF" script --show-switch-events -i $FILE 2> err | grep -c PERF_RECORD_SWITCH)" -gt 2
		for k in parallelism comm comm,parallelism; do
			same -s $k
			same --latency -s $k
		done
		same --latency -H -s parallelism,comm
	done'
