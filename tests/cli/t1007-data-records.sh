#!/bin/sh
# Record types: every known one, unknown and vendor-private ones, build ids that are none.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/data-lib.sh"

check 'types nobody knows are skipped by size' '
	small > t.mk
	{ head -n 5 t.mk; for t in 23 40 63 100 255 32768 40000; do echo "record type=$t u64:1,2"; done; tail -n 2 t.mk; } | mkdata x.data
	shows_both x.data
'
check 'one of every known type, both byte orders' '
	for order in little big; do
		{ echo order $order; cat "$SRC/tests/fuzz/corpus/data/every-record.mk"; } | mkdata x.data
		survives $PERF report --stats -i x.data
		says "TOTAL events:         41" out
		survives $PERF report -D -i x.data
		says PERF_RECORD_TEXT_POKE out
		survives $PERF script -i x.data
		says cpu-clock out
	done
'
check 'an MMAP2 record with the build-id bit but device and inode in the union' '
	cat > t.mk <<-END
	event a sample=ip|tid|time flags=sample_id_all|mmap2
	feature nrcpus u32:2,2
	mmap2 tid=7 addr=0x400000 len=0x1000 maj=0xfe min=1 ino=4711 gen=3 prot=5 flags=2 filename="/bin/leak" time=5 misc=user|build_id
	END
	mkdata x.data < t.mk
	survives $PERF script -i x.data --show-mmap-events
	grep "fe:01 4711 3" out
	survives $PERF report --stats -i x.data
'
check 'BPF_METADATA names the program, both byte orders' '
	for order in little big; do
		cat > t.mk <<-END
		order $order
		event a sample=ip|tid|time flags=sample_id_all
		bpf_metadata program="prog" nr=1 text:"name" zero:252 text:"value" zero:251
		bpf_metadata program="0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef" nr=0
		END
		mkdata x.data < t.mk
		for cmd in report script; do
			survives $PERF $cmd -D -i x.data
			cat > want <<-END
			PERF_RECORD_BPF_METADATA prog prog
			: unhandled!
			PERF_RECORD_BPF_METADATA prog 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
			: unhandled!
			END
			sed -n "/PERF_RECORD/,+1s/.*\(PERF_RECORD\)/\1/; /PERF_RECORD\|unhandled/p" out > got
			same want got
		done
	done
'
check 'SCHEDSTAT_CPU shows its numbers, both byte orders' '
	for order in little big; do
		cat > t.mk <<-END
		order $order
		event a sample=ip|tid|time flags=sample_id_all
		schedstat_cpu timestamp=9 cpu=3 version=17 yields=1 expired=2 schedules=3 idles=4 wakeups=5 local_wakeups=6 run_time=0x700000000 wait_time=8 timeslices=9
		schedstat_cpu timestamp=9 cpu=4 version=18
		END
		mkdata x.data < t.mk
		for cmd in report script; do
			survives $PERF $cmd -D -i x.data
			cat > want <<-END
			PERF_RECORD_SCHEDSTAT_CPU
			cpu3 1 2 3 4 5 6 30064771072 8 9 : unhandled!
			PERF_RECORD_SCHEDSTAT_CPU
			cpu4 Unsupported /proc/schedstat version 18.
			: unhandled!
			END
			sed -n "s/.*\(PERF_RECORD\)/\1/; /PERF_RECORD\|unhandled\|^cpu/p" out > got
			same want got
		done
	done
'
check 'SCHEDSTAT_DOMAIN shows as many numbers as its version has, both byte orders' '
	for order in little big; do
		cat > t.mk <<-END
		order $order
		event a sample=ip|tid|time flags=sample_id_all
		schedstat_domain cpu=3 version=15 domain=2 u32:$(seq -s, 46)
		schedstat_domain cpu=3 version=17 domain=1 u32:$(seq -s, 46)
		schedstat_domain cpu=3 version=14 domain=0 u32:1
		END
		mkdata x.data < t.mk
		for cmd in report script; do
			survives $PERF $cmd -D -i x.data
			cat > want <<-END
			PERF_RECORD_SCHEDSTAT_DOMAIN
			domain2 $(seq -s" " 36) : unhandled!
			PERF_RECORD_SCHEDSTAT_DOMAIN
			domain1 $(seq -s" " 45) : unhandled!
			PERF_RECORD_SCHEDSTAT_DOMAIN
			domain0 Unsupported /proc/schedstat version 14.
			: unhandled!
			END
			sed -n "s/.*\(PERF_RECORD\)/\1/; /PERF_RECORD\|unhandled\|^domain/p" out > got
			same want got
		done
	done
'
# whoever reads records agrees: no id, and the file is known by device and inode; what is shown is what the
# record says
check 'an MMAP2 record with a build-id of size 0 has none' '
	cat > t.mk <<-END
	event a sample=ip|tid|time flags=sample_id_all|mmap2
	mmap2 tid=7 addr=0x400000 len=0x1000 maj=0 min=0x2d ino=4711 gen=3 prot=5 flags=2 filename="/bin/none" time=5 misc=user|build_id
	sample tid=7 ip=0x400010 time=6
	END
	mkdata x.data < t.mk
	survives $PERF script -i x.data --show-mmap-events
	grep "@ 0 <>\]: r-xp /bin/none" out
	survives $PERF script -i x.data -D
	grep "@ 0 <>\]: r-xp /bin/none" out
	survives $PERF buildid-list -i x.data
	grep -x " \{41\}/bin/none" out
'
check 'side-band whose text has no end is shown by nobody' '
	cat > t.mk <<-END
	event a sample=ip|tid|time
	record type=3 u32:7,7 text:"0123456789abcdef"
	sample tid=7 ip=0x10 time=6
	END
	mkdata x.data < t.mk
	survives $PERF script -i x.data -D
	grep "PERF_RECORD_COMM: too short for its fields" out
	survives $PERF script -i x.data --show-task-events
	not grep PERF_RECORD_COMM out
	grep "1 records are shorter than their fields and were skipped" err
'
check 'guest cpumodes' '
	small > t.mk
	{ head -n 5 t.mk; echo "sample tid=100 ip=0xffffffff81000000 time=1000000100 misc=guest_kernel"; echo "sample tid=100 ip=0x401000 time=1000000101 misc=guest_user";
		echo "sample tid=100 ip=0x401000 time=1000000102 misc=hypervisor"; tail -n 2 t.mk; } | mkdata x.data
	survives $PERF script -i x.data -F $FIELDS
	sed "s/ *\$//" out | grep -Fx -f "$TWO_SAMPLES" > got
	same "$TWO_SAMPLES" got
	survives $PERF report --stdio -i x.data
'
check 'perf stat record files' '
	mkdata x.data < "$SRC/tests/fuzz/corpus/data/stat.mk"
	survives $PERF report --stats -i x.data
	grep -q "STAT events" out
	survives $PERF script -i x.data
'
check 'names with control characters are escaped' '
	printf "event a sample=ip|tid|time flags=sample_id_all\ncomm tid=7 comm=\"a\\\\e[2Jb\\\\n\" time=1\nmmap2 tid=7 addr=0x1000 len=0x1000 prot=5 filename=\"/x\\\\e[31m\" time=2\nsample tid=7 ip=0x1010 time=3\n" | mkdata x.data
	for cmd in "script --show-mmap-events" "report --stdio" "report -D"; do
		survives $PERF $cmd -i x.data
		grep -qF "x1b[" out
		not grep -q "$(printf "\\033")" out err
	done
'
