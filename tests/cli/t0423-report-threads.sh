#!/bin/sh
# perf report: what each thread counted in all; names of threads.
. "$(dirname "$0")/lib.sh"
need EVENTS

check 'a line for each thread, a column for each event that was read' '
	"$PERF" record -q -s -e cpu-clock:u,page-faults -o x.data sh -c "/bin/true; /bin/true" > /dev/null 2>&1
	"$PERF" report -T -i x.data -s comm > out 2> err
	sed -n "/^# *PID *TID *cpu-clock:u *page-faults$/,\$p" out > table
	test "$(wc -l < table)" -ge 3
	"$PERF" report -D -i x.data | sed -n "s/.*PERF_RECORD_READ: \([0-9]*\) \([0-9]*\) page-faults \([0-9]*\)/\1 \2 \3/p" |
		awk "{ n[\$1 \" \" \$2] += \$3 } END { for (t in n) print t, n[t] }" | sort > want
	awk "!/^#/ { print \$1, \$2, \$4 }" table | sort > got
	same want got'
check_if NEWEST 'the same as from the newest upstream' '
	"$PERF" report -T -i x.data -s comm 2> err | sed -n "/^# *PID/,\$p" > ours
	"$NEWEST" report --stdio -T -i x.data -s comm 2> err | sed -n "/^# *PID/,\$p" > theirs
	test -s theirs
	same theirs ours'
check 'a file without such counts says so' '
	"$PERF" record -q -e cpu-clock:u -o y.data /bin/true > /dev/null 2>&1
	"$PERF" report -T -i y.data > out 2> err
	grep -q "record with -s" err'
check 'columns are as wide as their headings and numbers' '
	mkdata narrow.data <<-END
	event cpu-clock config=cpu-clock sample=ip|tid|time flags=sample_id_all|comm|inherit_stat
	sample tid=7 ip=0x10 time=10
	read pid=7 tid=7 values=42 time=20
	read pid=7 tid=12345 values=1000 time=20
	END
	"$PERF" report -T -i narrow.data -s comm | sed -n "/^# *PID/,\$p" > got
	printf "# PID    TID  cpu-clock\n    7      7         42\n    7  12345       1000\n" | diff - got
'
# names_are FILE ROWS NAMES: the rows of report, the names in the lines of script
names_are() {
	"$PERF" report -i "$1" -s comm 2> err | sed "/^#/d; /^$/d; s/  */ /g; s/ $//" > got
	# shellcheck disable=SC2059 # of several lines
	printf "$2" | diff - got || return 1
	"$PERF" script -i "$1" -F comm | tr -d " \n" > got
	printf "%s" "$3" | diff - got
}
check 'what a thread did before the recording told of it has its first name' '
	mkdata early.data <<-END
	event cpu-clock config=cpu-clock sample=ip|tid|time|period flags=sample_id_all|comm|mmap2
	sample tid=100 ip=0x10 time=10
	comm tid=100 comm="late" time=20
	sample tid=100 ip=0x10 time=30
	sample tid=300 ip=0x10 time=30
	END
	names_are early.data " 66.67%% late\n 33.33%% :300\n" :100late:300'
check 'so has one that was forked by a thread without a name' '
	mkdata forked.data <<-END
	event cpu-clock config=cpu-clock sample=ip|tid|time|period flags=sample_id_all|comm|task|mmap2
	fork pid=5 tid=5 ppid=4 ptid=4 time=2
	sample tid=5 ip=0x10 time=10
	fork pid=6 tid=6 ppid=5 ptid=5 time=15
	sample tid=6 ip=0x10 time=17
	comm tid=5 comm="five" time=20
	sample tid=5 ip=0x10 time=30
	comm tid=6 comm="six" time=40
	comm tid=5 comm="later" time=41
	sample tid=5 ip=0x10 time=42
	END
	names_are forked.data " 50.00%% five\n 25.00%% later\n 25.00%% six\n" :5:6fivelater'
check 'events that a thread did not count are 0, those that nobody counted no column' '
	mkdata sparse.data <<-END
	event cpu-clock config=cpu-clock sample=ip|tid|time|id flags=sample_id_all|comm|inherit_stat ids=1
	event page-faults type=software config=page-faults sample=ip|tid|time|id flags=sample_id_all|inherit_stat ids=2
	event never type=software config=3 sample=ip|tid|time|id flags=sample_id_all|inherit_stat ids=3
	sample tid=7 ip=0x10 time=10 id=1
	read pid=7 tid=7 values=42 time=20 ev=cpu-clock
	read pid=7 tid=8 values=1000000000000 time=20 ev=page-faults
	read pid=7 tid=7 values=8 time=30 ev=cpu-clock
	END
	"$PERF" report -T -i sparse.data -s comm | sed -n "/^# *PID/,\$p" > got
	printf "# PID  TID  cpu-clock    page-faults\n    7    7         50              0\n    7    8          0  1000000000000\n" | diff - got
'
check '--pretty raw: a line for each thread and event' '
	"$PERF" report -T --pretty raw -i sparse.data -s comm | sed -n "/^# *PID/,\$p" > got
	cat > want <<-END
	# PID  TID         Name  Raw          Count
	    7    7    cpu-clock    0             50
	    7    7  page-faults    1              0
	    7    8    cpu-clock    0              0
	    7    8  page-faults    1  1000000000000
	END
	same want got
	"$PERF" report -T --pretty raw --pretty normal -i sparse.data -s comm > normal
	"$PERF" report -T -i sparse.data -s comm > want
	same want normal
	fails_with 129 "$PERF" report -T --pretty fancy -i sparse.data 2> err
	grep -q "takes normal or raw, not .fancy." err'
check_if NEWEST '--pretty raw prints what the newest upstream prints without line ends' '
	"$PERF" report -T --pretty raw -i sparse.data -s comm | sed -n "/^# *PID/,\$p" > ours
	"$NEWEST" report --stdio -T --pretty raw -i sparse.data -s comm 2> err | sed -n "/^# *PID/,\$p" > theirs
	tr -d "\n" < ours > ours.flat
	tr -d "\n" < theirs > theirs.flat
	test -s theirs.flat
	same theirs.flat ours.flat'
check 'what is kept grows with what was counted, not with threads times events' '
	[ "$O" = "$SRC/build" ] || skip "a sanitizer needs more memory"
	{ for e in $(seq 3000); do
		echo "event e$e type=software config=2 sample=ip|tid|time|id flags=sample_id_all|inherit_stat ids=$e"
	done
	for e in $(seq 3000); do echo "read pid=1 tid=$e values=1 time=20 ev=e$e"; done; } | mkdata many.data
	(ulimit -v 300000; "$PERF" report -j 1 -T -i many.data -s comm --skip-empty | tail -n 1 | cut -c1-12 > got)
	printf "    1  3000 \n" | diff - got
'
