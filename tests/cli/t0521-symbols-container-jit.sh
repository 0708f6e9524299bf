#!/bin/sh
. "$(dirname "$0")/../cli/lib.sh"

# The list of generated code's symbols of a process whose pid namespace knows it by another PID.
have_PIDNS() {
	unshare -pfm --mount-proc mount -t tmpfs none /tmp 2> /dev/null || { echo "needs to make pid and mount namespaces"; return 1; }
}

# of_here PID: a file of this machine with a sample in generated code of that process
of_here() {
	cat <<-EOF
	event cpu-clock config=cpu-clock sample=ip|tid|time flags=sample_id_all|mmap2
	feature hostname str:"$(uname -n)"
	feature osrelease str:"$(uname -r)"
	feature arch str:"$(uname -m)"
	comm tid=$1 comm="x" time=1
	mmap2 tid=$1 addr=0x7f0000001000 len=0x1000 prot=7 flags=2 filename="//anon" time=2
	sample tid=$1 ip=0x7f0000001010 time=5
	EOF
}

check 'below the root of the process, by its innermost PID' '
	mkdir -p root/proc/4242/root/tmp root/tmp
	printf "Name:\tnode\nNSpid:\t4242\t70\t7\nThreads:\t1\n" > root/proc/4242/status
	echo "7f0000001000 40 inside" > root/proc/4242/root/tmp/perf-7.map
	of_here 4242 | $MKDATA -o f.data
	PERF_FS_ROOT=$PWD/root $PERF script -i f.data -F ip,sym > out
	echo "     7f0000001010 inside" | same - out
	# recorded on another machine: the process of that number here is not the one
	of_here 4242 | sed "s/^feature hostname.*/feature hostname str:\"not-this-one\"/" | $MKDATA -o g.data
	PERF_FS_ROOT=$PWD/root $PERF script -i g.data -F ip,sym > out
	echo "     7f0000001010 [unknown]" | same - out
'
check_if ROOT,PIDNS 'of a process that runs' '
	unshare -pfm --mount-proc sh -c "mount -t tmpfs none /tmp
		echo 7f0000001000 40 inside > /tmp/perf-\$\$.map
		echo done > /tmp/ready
		exec sleep 1000" &
	tries=500
	until pid=$(cat /proc/$!/task/$!/children) && pid=${pid% } && [ -n "$pid" ] && [ -s "/proc/$pid/root/tmp/ready" ]; do
		tries=$((tries - 1))
		[ $tries -gt 0 ]
		sleep 0.05
	done
	of_here "$pid" | $MKDATA -o l.data
	$PERF script -i l.data -F ip,sym > out || true
	$PERF report --stdio -i l.data -s dso > report || true
	kill -9 "$pid"
	wait
	echo "     7f0000001010 inside" | same - out
	grep -q "\[JIT\] tid $pid" report
'
