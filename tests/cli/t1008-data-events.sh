#!/bin/sh
# Sets of events: several hundred, several with different samples, hybrid PMUs, unknown ids.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/data-lib.sh"

check 'four hundred events' '
	{
		i=0
		while [ $i -lt 400 ]; do
			echo "event ev$i type=raw config=$i sample=ip|tid|time|identifier flags=sample_id_all ids=$((i * 3 + 1000)),$((i * 3 + 1001))"
			i=$((i + 1))
		done
		printf "feature event_desc\nfeature nrcpus u32:2,2\ncomm tid=1 comm=\"x\" time=1\n"
		printf "sample ev=ev7 tid=1 ip=1 time=2\nsample ev=ev399 tid=1 ip=1 time=3 id=2198\nsample ev=ev0 tid=1 ip=1 time=4\n"
	} | mkdata x.data
	$PERF evlist -i x.data > list
	test $(wc -l < list) = 400
	script_lines x.data -F event > out
	tr -d " " < out > got
	printf "ev7:\nev399:\nev0:\n" > want
	same want got
'
check 'events with different sample types, told apart by their identifier' '
	cat > t.mk <<-END
	event one config=cpu-clock sample=ip|tid|time|identifier flags=sample_id_all ids=11
	event two config=task-clock sample=ip|tid|time|addr|period|callchain|identifier flags=sample_id_all ids=22
	feature event_desc
	feature nrcpus u32:2,2
	comm tid=1 comm="x" time=1
	sample ev=two tid=1 ip=0x20 time=2000 addr=0x99 period=5 chain=0x20,0x21
	sample ev=one tid=1 ip=0x10 time=3000
	END
	mkdata x.data < t.mk
	script_lines x.data -F event,ip | tr -d " \\t" | grep -v "^\$" > got
	printf "two:\n20\n21\none:10\n" > want
	same want got
'
check 'an id that the file does not declare is counted, not guessed' '
	cat > t.mk <<-END
	event one sample=ip|tid|time|identifier ids=11
	event two sample=ip|tid|time|identifier ids=22
	feature event_desc
	feature nrcpus u32:2,2
	sample tid=1 ip=0x10 time=3000
	sample tid=1 ip=0x20 time=4000 id=33
	sample ev=two tid=1 ip=0x30 time=5000
	END
	mkdata x.data < t.mk
	survives $PERF script -i x.data -F event,ip
	tr -d " " < out > got
	printf "one:10\ntwo:30\n" > want
	same want got
'
check 'events of hybrid PMUs: the PMU type in the upper half of the config' '
	cat > t.mk <<-END
	event cpu_core/cycles/ type=hardware config=0x400000000 sample=ip|tid|time|identifier ids=1
	event cpu_atom/cycles/ type=hardware config=0xa00000000 sample=ip|tid|time|identifier ids=2
	feature event_desc
	feature nrcpus u32:2,2
	feature pmu_mappings u32:2 u32:4 str:"cpu_core" u32:10 str:"cpu_atom"
	sample tid=1 ip=0x10 time=3000
	sample ev=cpu_atom/cycles/ tid=1 ip=0x20 time=4000
	END
	mkdata x.data < t.mk
	$PERF evlist -i x.data > got
	printf "cpu_core/cycles/\ncpu_atom/cycles/\n" > want
	same want got
'
check 'no event at all' '
	printf "feature hostname str:\"x\"\n" | mkdata x.data
	for cmd in script "report --stdio"; do
		survives $PERF $cmd -i x.data
		says "the header declares event attributes of 0 bytes" err
	done
'
check 'the table of attributes lies outside the file' '
	{ small; echo "header attrs_offset=0x7fffffffffffff00"; } | mkdata x.data
	survives $PERF script -i x.data
	grep -q "event attributes are damaged\|event attributes of 0 bytes" err
	{ small; echo "header attrs_size=0xfffffffffffffff0"; } | mkdata x.data
	survives $PERF script -i x.data
	grep -q "event attributes are damaged\|event attributes of 0 bytes" err
	{ small; echo "header attr_size=0"; } | mkdata x.data
	survives $PERF script -i x.data
	grep -q "event attributes are damaged\|event attributes of 0 bytes" err
	{ small; echo "patch @attrs+128 u64:0xfffffffffffffff0,0x1000"; } | mkdata x.data
	survives $PERF script -i x.data
	grep -q "event attributes are damaged\|event attributes of 0 bytes" err
'
