#!/bin/sh
# Record types: every known one, unknown and vendor-private ones, build ids that are none.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/data-lib.sh"

check 'types nobody knows are skipped by size' '
	small > t.mk
	{ head -n 5 t.mk; for t in 23 40 63 84 100 255 32768 40000; do echo "record type=$t u64:1,2"; done; tail -n 2 t.mk; } | mkdata x.data
	shows_both x.data
'
check 'one of every known type, both byte orders' '
	for order in little big; do
		{ echo order $order; cat "$SRC/tests/fuzz/corpus/data/every-record.mk"; } | mkdata x.data
		survives $PERF report --stats -i x.data
		survives $PERF report -D -i x.data
		survives $PERF script -i x.data
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
		not grep -q "$(printf "\\033")" out err
	done
'
