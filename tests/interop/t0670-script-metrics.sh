#!/bin/sh
# Metrics of what a group has counted: as upstream 6.1 prints them for groups of two. Later ones print nan.
. "$(dirname "$0")/../cli/lib.sh"
need PEER61

# group NAME CONFIG NAME CONFIG: both count in each sample
group() {
	mkdata x.data <<-END
	event $1 type=0 config=$2 sample=ip|tid|time|read|period|cpu|id read=id|group flags=sample_id_all ids=1
	event $3 type=0 config=$4 sample=ip|tid|time|read|period|cpu|id read=id|group flags=sample_id_all ids=2
	feature event_desc
	feature group_desc u32:1 str:"" u32:0,2
	feature nrcpus u32:2,2
	comm tid=5 comm="x" time=1
	repeat 50
	sample tid=5 ip=0x10 time=2000+\$i*5000 read=10000+\$i*10000:1,7000+\$i*7111:2
	end
	END
}
check 'the same bytes' '
	group cycles 0 instructions 1
	"$PEER" script -F metric -i x.data | finds "metric: *[0-9]" || skip "this upstream does not print values"
	for names in "cycles 0 instructions 1" "branches 4 branch-misses 5" "cycles 0 stalled-cycles-backend 8"; do
		group $names
		for f in metric +metric,-tid time,event,metric,period; do
			$PEER script -F $f -i x.data > theirs
			grep -c metric: theirs | finds -x 50
			$PERF script -F $f -i x.data | diff theirs -
		done
	done'
