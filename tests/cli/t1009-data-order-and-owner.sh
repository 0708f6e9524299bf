#!/bin/sh
# Time: out of order, absent, equal. Files of other users. Directories and compression.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/data-lib.sh"

check 'records out of order are put in order between rounds' '
	cat > t.mk <<-END
	event cpu-clock sample=ip|tid|time flags=sample_id_all
	feature nrcpus u32:2,2
	sample tid=1 ip=0x30 time=3000
	sample tid=1 ip=0x10 time=1000
	comm tid=1 comm="late" time=500
	sample tid=1 ip=0x20 time=2000
	finished_round
	sample tid=1 ip=0x40 time=4000
	finished_round
	END
	mkdata x.data < t.mk
	script_lines x.data -F comm,ip | tr -s " " > got
	printf " late 10\n late 20\n late 30\n late 40\n" > want
	same want got
'
check 'records of thousands of streams are put in order, equal times by their place' '
	awk "BEGIN {
		print \"event cpu-clock sample=ip|tid|time flags=sample_id_all\"
		print \"feature nrcpus u32:2,2\"
		for (round = 0; round < 3; round++) {
			for (i = 0; i < 2500; i++)
				for (k = 0; k < 3; k++) {
					tid = (i * 7 + round) % 4000 + 1
					if (!k)
						printf \"comm tid=%d comm=\\\"r%d\\\" time=%d\\n\", tid, round, 1000000 * (1 + round) + 2000 - i
					ip = 4096 + (round * 2500 + i) * 3 + k
					time = 1000000 * (1 + round) + 10000 + k * 9000 + i % 50
					printf \"sample tid=%d ip=%d time=%d\\n\", tid, ip, time
					printf \"%d r%d %d %x\\n\", time, round, tid, ip > \"unsorted\"
				}
			print \"finished_round\"
		}
	}" | mkdata x.data
	sort -s -n -k 1,1 unsorted | cut -d " " -f 2- > want
	for j in 1 2; do
		$PERF script -j $j -F comm,tid,ip -i x.data > out
		awk "{ print \$1, \$2, \$3 }" out > got
		cmp want got
	done
'
check 'files without times work in file order' '
	cat > t.mk <<-END
	event cpu-clock sample=ip|tid
	feature nrcpus u32:2,2
	comm tid=1 comm="a"
	sample tid=1 ip=0x30
	comm tid=1 comm="b"
	sample tid=1 ip=0x10
	END
	mkdata x.data < t.mk
	script_lines x.data -F comm,ip | tr -s " " > got
	printf " a 30\n b 10\n" > want
	same want got
'
check 'compressed records, both kinds' '
	small > t.mk
	for kind in compressed compressed2; do
		{ head -n 4 t.mk; echo "feature compressed u32:1,1,1,3,528384"; echo $kind; tail -n 3 t.mk; echo end; } | mkdata x.data
		shows_both x.data
	done
'
check 'compressed records that lie' '
	small > t.mk
	{ head -n 4 t.mk; echo "feature compressed u32:1,1,1,3,528384"; echo "record type=81 text:\"this is no zstd frame, not at all.\""; tail -n 3 t.mk; } | mkdata x.data
	survives $PERF script -i x.data
	says "1 compressed records could not be unpacked" err
	{ head -n 4 t.mk; echo "feature compressed u32:1,1,1,3,528384"; echo "compressed2 data_size=0xffffffffffff"; tail -n 3 t.mk; echo end; } | mkdata x.data
	survives $PERF script -i x.data
	says "1 compressed records could not be unpacked" err
'
check 'a directory: records of all its files, in order' '
	small > t.mk
	{ head -n 3 t.mk; echo "feature dir_format u64:1"; sed -n 4,5p t.mk; echo stream data.0; tail -n 1 t.mk; echo stream data.1; sed -n 6p t.mk; } | mkdata dir
	shows_both dir
'
check_if ROOT 'a file of someone else is opened only with -f' '
	small | mkdata x.data
	chown 12345 x.data
	fails_with 1 $PERF script -i x.data > out 2> err
	says x.data err
	script_lines x.data -f -F $FIELDS > out
	rm x.data
	same "$TWO_SAMPLES" out
'
check 'a missing file names what is there' '
	small | mkdata perf.data.old
	fails_with 1 $PERF script -i perf.dta.old > out 2> err
	says perf.dta.old err
	fails_with 1 $PERF report --stdio > out 2> err
	says perf.data.old err
'
check 'a kernel of another machine gets no names of this one' '
	cat > t.mk <<-END
	event cpu-clock sample=ip|tid|time flags=sample_id_all
	feature nrcpus u32:2,2
	feature osrelease str:"5.4.0-other"
	buildid pid=-1 misc=kernel id=0102030405060708090a0b0c0d0e0f1011121314 name="[kernel.kallsyms]"
	mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 filename="[kernel.kallsyms]_text" misc=kernel time=1
	sample tid=1 ip=0xffffffff81100010 time=3000 misc=kernel
	END
	mkdata x.data < t.mk
	script_lines x.data -F ip,sym | grep -F "[unknown]"
'
check 'report -D sorts records by time, with --disable-order it does not' '
	mkdata late.data <<-END
	event cycles type=hardware config=0 sample=ip|tid|time flags=sample_id_all
	sample tid=7 time=30 ip=0x103
	sample tid=7 time=10 ip=0x101
	sample tid=7 time=20 ip=0x102
	END
	for order in "" --disable-order; do
		$PERF report -D $order -i late.data | grep -o "^[0-9]* .*RECORD_SAMPLE" | cut -d" " -f1
		$PERF report -D --json $order -i late.data | grep -o "\"time\": [0-9]*" | cut -d" " -f2
	done | xargs > out
	echo 10 20 30 10 20 30 30 10 20 30 10 20 | same - out
'
