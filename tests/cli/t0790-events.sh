#!/bin/sh
# Ways to name an event: what is taken becomes what was meant, what is wrong is said in one sentence with a
# caret.
. "$(dirname "$0")/lib.sh"
need EVENTS

check 'names, groups, terms and modifiers keep their order and their words' '
	$PERF record -q -o x.data -e "cs:u, {faults,cpu-clock}:S ," true 2> err && exit 1
	grep -q "an event is missing at the end" err
	$PERF record -q -o x.data -e "cs:u, {faults,cpu-clock}:S" -e "CPU-CLOCK/name='"'a,b/c'"',period=100000/u,
		software/cs/" true
	$PERF evlist -i x.data | grep -v "^[#d]" > out
	$PERF evlist -g -i x.data > groups
	grep -q "{faults.*,cpu-clock.*}" groups
	test "$(wc -l < out)" = 5
	test "$(sed -n 1p out)" = cs:u
	test "$(sed -n 4p out | sed "s/:u$//")" = a,b/c
	test "$(sed -n 5p out | sed "s/u$//")" = software/cs/'
check 'tool events' '
	$PERF stat -x, -o out -e duration_time,user_time,system_time,tool/num_cpus_online/,num_cpus/name=cpus/,has_pmem sleep 0.05
	test "$(awk -F, "/duration_time/ { print (\$1 > 40000000) }" out)" = 1
	test "$(awk -F, "/num_cpus_online/ { print \$1 }" out)" = "$(getconf _NPROCESSORS_ONLN)"
	grep -q ",cpus," out
	rc=0; $PERF record -o x.data -e duration_time true > out 2>&1 || rc=$?
	test $rc != 0
	grep -q "is read by perf itself: it can be counted (perf stat), not sampled" out'
check 'sensors, with unit and scale' '
	d=root/sys/class/hwmon/hwmon0
	mkdir -p $d
	echo coretemp > $d/name
	echo 45500 > $d/temp1_input
	echo "Core 0" > $d/temp1_label
	echo 5000000 > $d/power1_input
	echo 4000000 > $d/power1_average
	PERF_FS_ROOT=$PWD/root $PERF stat -x, -o out -e temp1,temp_core_0,hwmon_coretemp/power1/,power1_average true
	cut -d, -f1-3 out | grep -v "^#" | sed "/^$/d" > got
	printf "%s\n" "45.50,'"'"'C,temp1" "45.50,'"'"'C,temp_core_0" "5.00,W,hwmon_coretemp/power1/" "4.00,W,power1_average" > want
	diff want got'
check 'mistakes: exit 129, one sentence, a caret below the word' '
	while read -r event; do
		test -n "$event" || continue
		rc=0; $PERF record -o y.data -e "$event" true > out 2>&1 || rc=$?
		test $rc = 129 || { echo "$event: exit $rc"; cat out; exit 1; }
		sed -n 3p out | finds "^ *\^~*$" || { echo "$event: no caret"; cat out; exit 1; }
		test ! -e y.data
	done <<-\END
	cyclse
	cs,
	{cs,faults
	{cs faults}
	cs:z
	cs:uu
	cs:pppp
	cs:W
	cycles:{k,u}
	cs/period=x/
	cs/period=0x11112222333344445/
	cs/period=1,freq=2/
	cs/overwrite,no-overwrite/
	cs/cpu=65000/
	cs/nope=1/
	cs/call-graph=what/
	cs/cpu=x/
	nope/event=1/
	software/cs,nope=1/
	tool/nope/
	tool//
	mem:
	mem:nosymbolofthisname
	mem:0x10/9
	mem:0x10:q
	r11112222333344445
	nope:nope
	{cs,faults/ratio-to-prev=x/}
	END'
check 'the nearest names' '
	$PERF record -e cyclse true 2>&1 | finds "did you mean .cycles."
	$PERF record -e duration_tim true 2>&1 | finds "did you mean .duration_time."
	$PERF record -e L1-dcache-laod-misses true 2>&1 | finds "did you mean .L1-dcache-load-misses."
	$PERF record -e cs/perod=1/ true 2>&1 | finds "did you mean .period."'

check 'stat takes no terms about samples; one that its CPUs leave out has a line' '
	rc=0; $PERF stat -e cs/call-graph=fp/ true 2> err || rc=$?
	test $rc = 129
	grep -q "term .call-graph. is only for samples, and perf stat takes none" err
	test "$(cat /sys/devices/system/cpu/online)" != 0 || skip "needs a second CPU"
	$PERF stat -x, -C 0 -e cs/cpu=1/,cs -o csv sleep 0.01
	grep -q "^<not counted>,,cs/cpu=1/," csv
'
