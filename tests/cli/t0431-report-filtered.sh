#!/bin/sh
# report: samples that record's --filter left out are not lost ones.
. "$(dirname "$0")/lib.sh"

filtered_file() {
	cat <<-\EOF
	event cs config=3 period=1 sample=ip|tid|time|period|identifier flags=sample_id_all ids=1
	event pf config=2 period=1 sample=ip|tid|time|period|identifier flags=sample_id_all ids=2
	feature event_desc
	comm tid=5 comm="five"
	lost_samples ev=cs lost=7
	lost_samples misc=ext ev=cs lost=70
	lost_samples misc=ext ev=pf lost=700
	EOF
}
{ filtered_file; echo "sample ev=cs tid=5 time=5 ip=0x1000"; } | mkdata x.data || exit 1

check '--stats counts them apart, by event' '
	$PERF report -i x.data --stats | sed "1,/^cs stats/d" > got
	cat > want <<-\EOF
	              SAMPLE events:          1
	        LOST_SAMPLES events:          7
	  LOST_SAMPLES (BPF) events:         70
	pf stats:
	  LOST_SAMPLES (BPF) events:        700
	EOF
	same want got
	$PERF report -i x.data --stats --json > out
	says "\"event\": \"cs\", \"samples\": 1, \"lost-samples\": 7, \"filtered-samples\": 70" out
	says "\"lost-samples\": 7," out
	says "\"filtered-samples\": 770" out'
check 'so does the head of a report, if there are any' '
	$PERF report -i x.data --stdio > out
	says "# Total Lost Samples: 7" out
	says "# Samples left out by --filter: 770" out
	filtered_file | grep -v misc=ext | mkdata all.data
	$PERF report -i all.data --stdio > out
	not says "left out" out'
check_if TUI 'the lines above the table say it, and what to do' '
	tui "$PERF" report -i x.data --tui <<-END
	wait of event
	key ENTER
	wait 1 sample, 7 lost, 770 left out by --filter
	key q
	key q
	ends 0
	END
	filtered_file | grep -v lost=7$ | mkdata none.data
	tui "$PERF" report -i none.data --tui <<-END
	wait No sample matched the filter
	key q
	key q
	ends 0
	END'
