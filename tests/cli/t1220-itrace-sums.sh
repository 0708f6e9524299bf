#!/bin/sh
# report of Arm SPE adds up equal samples while it decodes: the same rows as of samples one by one, which a
# filter of CPUs that keeps all of them asks for.
# threads
. "$(dirname "$0")/lib.sh"

# trace [SAMPLE-FIELDS [FLAGS]]: two CPUs; threads 100 and 200, which change their names and what they have
# mapped; user and kernel addresses, some of them in no map, and a record that is cut off
trace() {
	cat <<-END
	event arm_spe_0// type=9 config=0x300000001 period=1024 sample=${1-ip|tid|time|cpu|identifier} ids=10 flags=sample_id_all
	event dummy:u type=software config=9 sample=${1-ip|tid|time|cpu|identifier} ids=11 flags=sample_id_all|mmap|comm|mmap2${2-}
	feature arch str:"aarch64"
	feature cpuid str:"0x00000000410fd0c0"
	feature auxtrace u64:0
	time_conv time_shift=1 time_mult=4 time_zero=100
	auxtrace_info auxtrace_type=4 priv=9,1
	comm ev=dummy:u tid=100 comm="one" time=1000 s_id=11
	comm ev=dummy:u tid=200 comm="two" time=1000 s_id=11
	mmap2 ev=dummy:u tid=100 addr=0x400000 len=0x10000 prot=5 flags=2 filename="/bin/first" time=1001 s_id=11
	mmap2 ev=dummy:u tid=200 addr=0x400000 len=0x10000 prot=5 flags=2 filename="/bin/other" time=1001 s_id=11
	comm ev=dummy:u tid=100 comm="three" time=5000 s_id=11
	mmap2 ev=dummy:u tid=100 addr=0x400000 len=0x8000 prot=5 flags=2 filename="/bin/second" time=8000 s_id=11
	END
	awk 'BEGIN {
		for (cpu = 0; cpu < 2; cpu++) {
			printf "auxtrace offset=0 reference=9 idx=%d tid=-1 cpu=%d", cpu, cpu
			for (i = 0; i < 3000; i++) {
				kernel = i % 11 == 5
				pc = (kernel ? 36028797019488256 : 4194304) + i * 7919 % 97 * 800
				printf " spe-pc:%.0f%s spe-context:%d", pc, (kernel ? ":1" : ""), (i % 7 ? 100 : 200)
				printf " spe-latency:%d", i % 31
				if (i % 3)
					printf " spe-ldst:%d spe-va:%d spe-events:0x%x", i % 2, i * 64, i * 31 % 2048
				else
					printf " spe-branch:3 spe-target:4194304 spe-events:0x82"
				printf "%s spe-time:%d\n", (i == 1000 ? " hex:ff" : ""), 400 + i * 2 + cpu
			}
			print " spe-pc:4194304"
		}
	}' | awk '{ if (/^auxtrace/ && NR > 1) print ""; printf "%s", $0 } END { print "" }'
}
trace > text
mkdata x.data < text
mkdata switches.data <<-END
$(trace 'ip|tid|time|cpu|identifier' '|context_switch')
$(awk 'BEGIN {
	for (i = 0; i < 150; i++)
		printf "switch ev=dummy:u misc=%s tid=%d time=%d cpu=%d s_id=11\n", (i % 5 > 2 ? "0x2000" : "0"),
			i % 2 ? 100 : 200, 900 + i * 80, i % 2
}')
END
mkdata timeless.data <<-END
$(trace 'ip|tid|cpu|identifier' | sed 's/ time=[0-9]*//')
END

# both ARGS: of x.data
both() {
	$PERF report --stdio -C 0,1 -i "${file-x.data}" "$@" > one 2> err1
	grep -q "^ " one
	for j in 1 2 3; do
		$PERF report --stdio -j$j -i "${file-x.data}" "$@" > sums 2> err2
		same one sums
		same err1 err2
	done
}

check 'the same table, with any number of threads' '
	both
	for comm in one two three; do
		says "$comm " one
	done
	for dso in first second other; do
		says "$dso " one
	done
'
check 'by other keys, with samples and periods, of some events, of fewer instructions' '
	both -s sym,tid
	both -s "pid, dso" -n
	both -F overhead,sample,period,comm
	both --itrace=i1i
	both --itrace=i7ib -n
	both --percentage relative -c three
	both -v
	both --tid 200 -q
'
check 'columns that samples of one address differ in' '
	both -s sym,cpu
	both -s comm,local_weight
	both --mem-mode
	both -s sym -F +weight1
'
check 'where the number of tasks that ran is shown, or there are no times' '
	file=switches.data
	both
	says "Latency" sums
	both --latency -n
	both -F latency,overhead,sym
	both --itrace=i7ib -s comm
	file=timeless.data
	both
'
check 'numbers of samples and times of the file in JSON' '
	$PERF report --json -i x.data > sums
	$PERF report --json -C 0,1 -i x.data > one
	same one sums
	says "instructions" sums
'
check 'other texts of the file show all samples' '
	for text in --stats --tasks "--header-only" -D; do
		$PERF report $text -i x.data > out
		test -s out
	done
	$PERF report --stats -i x.data > out
	nr=$($PERF script -i x.data -F ip | wc -l)
	test "$(awk "/SAMPLE events/ { print \$3; exit }" out)" = "$nr"
'
check 'script: as many lines with any number of threads, though a batch of them is long' '
	$PERF script -j1 -i x.data > one 2> err1
	for j in 2 3; do
		$PERF script -j$j -i x.data > more 2> err2
		same one more
		same err1 err2
	done
	$PERF report --stats -i x.data > out
	test "$(awk "/SAMPLE events/ { print \$3; exit }" out)" = "$(wc -l < one)"
	test "$(wc -c < one)" -gt 2000000
'
check 'script: lines of numbers alone are as those where a filter looks tasks up' '
	for fields in ip,addr tid,time,event,ip pid,tid,cpu,period,ip,addr; do
		$PERF script -F $fields -i x.data > numbers 2> err1
		$PERF script -F $fields -c one,two,three,:100,:200 -i x.data > filtered 2> err2
		test -s filtered
		same filtered numbers
		same err1 err2
	done
'
finish
