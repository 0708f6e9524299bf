#!/bin/sh
# Records of impossible, zero and unaligned sizes.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/data-lib.sh"

check 'a record of size 0 ends neither the program nor what came before' '
	{ small; echo record type=3 record_size=0; } | mkdata x.data
	survives $PERF script -i x.data -F $FIELDS
	sed "s/ *\$//" out > got
	same "$TWO_SAMPLES" got
'
check 'a record shorter than its header' '
	for size in 1 4 7; do
		{ small; echo record type=3 record_size=$size; } | mkdata x.data
		survives $PERF script -i x.data -F $FIELDS
		sed "s/ *\$//" out > got
		same "$TWO_SAMPLES" got
	done
'
check 'a record longer than the file' '
	{ small; echo record type=3 record_size=65528; } | mkdata x.data
	survives $PERF script -i x.data -F $FIELDS
	sed "s/ *\$//" out > got
	same "$TWO_SAMPLES" got
'
check 'unaligned records' '
	small > t.mk
	{ head -n 5 t.mk; echo "record type=200 text:\"abc\" record_size=11"; tail -n 2 t.mk; } | mkdata x.data
	survives $PERF script -i x.data -F $FIELDS
	sed "s/ *\$//" out > got
	same "$TWO_SAMPLES" got
'
check 'a sample shorter than its fields is counted, the others are shown' '
	small > t.mk
	{ head -n 6 t.mk; echo "record type=9 u64:1"; tail -n 1 t.mk; } | mkdata x.data
	survives $PERF script -i x.data -F $FIELDS
	sed "s/ *\$//" out > got
	same "$TWO_SAMPLES" got
'
check 'a call chain longer than its record' '
	cat > c.mk <<-END
	event a sample=ip|tid|time|callchain
	sample tid=1 ip=1 chain=1,2 chain_nr=0x2000000000000001
	sample tid=1 ip=2 chain=1,2 chain_nr=0xffffffffffffffff
	sample tid=1 ip=3 chain=0x30,0x31
	END
	mkdata x.data < c.mk
	survives $PERF script -i x.data -F ip
	grep -q "31" out
'
check 'raw data longer than its record' '
	printf "event a sample=ip|tid|time|raw\nsample tid=1 ip=1 raw=\"x\" raw_size=0xfffffff0\n" | mkdata x.data
	survives $PERF script -i x.data
	says "1 records are shorter than their fields" err
'
