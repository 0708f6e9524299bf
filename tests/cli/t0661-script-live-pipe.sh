#!/bin/sh
# perf script -i -: a pipe is shown while it is written, with the lines that its file gives.
. "$(dirname "$0")/lib.sh"

# tasks that come, go and map over what was there; a round every hundred samples, with some older than the
# round before
cat > top.mk <<-END
	format pipe
	event cpu-clock config=cpu-clock sample=ip|tid|time|cpu|period flags=sample_id_all|comm|mmap2|task
	feature hostname str:"box"
	comm tid=100 comm="first" time=1000
	mmap2 tid=100 addr=0x400000 len=0x10000 prot=5 flags=2 filename="/bin/no-such-prog" time=1001
END
# round N: records of the time from N*10000 on
round() {
	cat <<-END
	fork pid=$((200 + $1)) tid=$((200 + $1)) ppid=100 ptid=100 time=$1*10000+5
	comm tid=$((200 + $1)) comm="task$1" time=$1*10000+2500
	mmap2 tid=$((200 + $1)) addr=0x${1}000 len=0x1000 pgoff=0x${1}000 prot=5 flags=2 filename="/lib/no-such-$(($1 % 7)).so" time=$1*10000+4000
	repeat 100
	sample tid=$((200 + $1)) cpu=1 ip=0x${1}010+\$i*8 time=$1*10000+\$i*90+10 period=1
	end
	repeat 20
	sample tid=100 ip=0x400010+\$i*8 time=$1*10000-3000+\$i*100 period=1
	end
	exit pid=$((200 + $1)) tid=$((200 + $1)) ppid=100 ptid=100 time=$1*10000+9999
	finished_round
	END
}
{ cat top.mk; for i in $(seq 1 40); do round $i; done; } > rounds.mk

check 'the same lines as from the file, however the bytes arrive' '
	mkdata rounds.data < rounds.mk
	"$PERF" script -i rounds.data --show-task-events --show-mmap-events > want
	test "$(wc -l < want)" -gt 4800
	cat rounds.data | "$PERF" script -i - --show-task-events --show-mmap-events | diff want -
	dd bs=777 if=rounds.data 2> dd.err | "$PERF" script -i - --show-task-events --show-mmap-events | diff want -
	cat rounds.data | "$PERF" script -j1 --show-task-events --show-mmap-events | diff want -'
check 'lines are there while the recorder still writes' '
	mkfifo pipe
	"$PERF" script -i - < pipe > out &
	pid=$!
	exec 3> pipe
	head -c 100000 rounds.data >&3
	until_true test -s out
	not grep -q "task40 " out
	tail -c +100001 rounds.data >&3
	exec 3>&-
	wait $pid
	"$PERF" script -i rounds.data | diff - out'
check 'a pipe that is cut says so, and shows what came' '
	head -c 60001 rounds.data > cut.data
	"$PERF" script -i cut.data > want 2> want.err
	cat cut.data | "$PERF" script -i - > out 2> err
	diff want out
	diff want.err err
	grep -q "ends before" err'
check 'the other byte order, compressed records, tracepoint formats' '
	{ echo order big; cat rounds.mk; } | mkdata swapped.data
	"$PERF" script -i swapped.data > want
	cat swapped.data | "$PERF" script -i - | diff want -
	{ cat top.mk; echo compressed; round 1; round 2; echo end; round 3; echo compressed; round 4; echo end; } | mkdata packed.data
	"$PERF" script -i packed.data > want
	test -s want
	dd bs=777 if=packed.data 2> dd.err | "$PERF" script -i - | diff want -'
check 'what cannot be shown before the end waits for it' '
	"$PERF" script -i rounds.data --time 50%-100% > want
	test -s want
	cat rounds.data | "$PERF" script -i - --time 50%-100% | diff want -
	sed "/format pipe/d" rounds.mk | mkdata file.data
	"$PERF" script -i file.data > want
	cat file.data | "$PERF" script -i - | diff want -
	sed "s/sample=ip/sample=read|ip/; s/sample tid/sample read=7 tid/" rounds.mk | mkdata reads.data
	"$PERF" script -i reads.data > want
	test -s want
	cat reads.data | "$PERF" script -i - | diff want -'
check_if PLAIN 'only what is pending is held in memory' '
	{ cat top.mk; echo "repeat 100"; echo "repeat 10000"
	echo "sample tid=100 ip=0x400100 time=2000000000+\$i*1000 period=1"; echo end; echo finished_round; echo end; } | mkdata big.data
	test "$(wc -c < big.data)" -gt 40000000
	"$PERF" script -i big.data --tid 1 > want
	rm -f pipe
	mkfifo pipe
	"$PERF" script -j1 -i - --tid 1 < pipe > out &
	pid=$!
	exec 3> pipe
	cat big.data >&3	# all but what the pipe holds has been read then
	peak=$(awk "/VmHWM/ { print \$2 }" /proc/$pid/status)
	exec 3>&-
	wait $pid
	diff want out
	echo "$peak kB"
	test "$peak" -lt 40000'
check_if PLAIN 'where no address space may be reserved the pipe is read to its end first' '
	"$PERF" script -i rounds.data > want
	test -s want
	ulimit -v 20000000
	cat rounds.data | "$PERF" script -i - | diff want -'
