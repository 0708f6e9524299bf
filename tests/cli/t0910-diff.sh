#!/bin/sh
# perf diff: rows of several profiles beside each other.
. "$(dirname "$0")/lib.sh"

# profile NAME=PERIOD...: a sample for each name, as threads' names
profile() {
	echo 'event cpu-clock config=cpu-clock period=100 sample=ip|tid|time|period flags=sample_id_all'
	n=1
	for arg; do
		n=$((n + 1))
		echo "comm tid=$n comm=\"${arg%=*}\" time=$n"
		echo "sample ip=0x1000 tid=$n time=$((n + 100)) period=${arg#*=}"
	done
}
profile a=600 b=300 c=100 | mkdata old.data
profile a=300 b=300 d=400 | mkdata new.data

check 'shares of the baseline, and how much they changed' '
	$PERF diff -s comm old.data new.data > out
	expect two out
'
check 'more than two files have numbers' '
	$PERF diff -s comm old.data new.data old.data > out
	expect three out
'
check 'other methods, with periods and formulas' '
	for how in delta ratio wdiff:1,2; do
		$PERF diff -s comm -c $how -p -F old.data new.data
	done > out
	expect methods out
	fails_with 129 $PERF diff -c more old.data new.data 2> err
	says "takes delta, delta-abs, ratio, wdiff:N,N or cycles" err
	fails_with 1 $PERF diff -c cycles old.data new.data 2> err
	says "data: -c cycles: the profile has no branch stacks" err
	fails_with 129 $PERF diff -c cycles --flamegraph old.data new.data 2> err
	says "-c cycles excludes" err
'
# blocks NAME CYCLES-OF-THE-LOOP: work calls leaf after a round of its loop
blocks() {
	mkdata "$1" <<-END
	event cycles type=hardware config=0 period=10 sample=ip|tid|time|period|branch_stack branch=9 flags=sample_id_all|comm|mmap2
	feature branch_stack
	comm tid=100 comm="app" time=1
	mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
	sample tid=100 ip=0x1041 time=100 period=10 branch=0x102d:0x1040:0x31,0x102b:0x1024:$2,0x100b:0x1020:0x91
	END
}
check '-c cycles: average cycles of basic blocks' '
	mkdir -p root/tmp
	printf "1000 20 main\n1020 20 work\n1040 10 leaf\n" > root/tmp/perf-100.map
	blocks old-b.data 0x62
	blocks new-b.data 0xa2
	PERF_FS_ROOT=$PWD/root $PERF diff -q -t , -c cycles old-b.data new-b.data 2> err | grep -v "^\$" | sed "s/, */,/g;s/^ *//;s/ *\$//" > out
	printf "%s\n" "33.33%,+4.0,work+0,work+11,[JIT] tid 100" "50.00%,+0.0,-,main+11,[JIT] tid 100" \
		"16.67%,+0.0,work+4,work+13,[JIT] tid 100" | diff - out
	PERF_FS_ROOT=$PWD/root $PERF diff -q -t , -c cycles -F -s symbol_from old-b.data new-b.data 2> err | finds "(13 / 2) - (9 / 2)"
	PERF_FS_ROOT=$PWD/root $PERF diff --json -c cycles old-b.data new-b.data 2> err > out
	grep -q "\"cycles-diff\": *4" out
'
check 'order by the baseline; only rows of the baseline' '
	$PERF diff -q -s comm -t , -o 0 old.data new.data > out
	grep -v "^$" out | sed "s/.*,//" | tr -d " " > names
	printf "%s\n" a b c d | same - names
	$PERF diff -q -s comm -t , -b old.data new.data > out
	silent_about ",d" out
	fails_with 129 $PERF diff -o 2 old.data new.data 2> err
	says "only 2 files are compared" err
'
check 'the usual files are perf.data.old and perf.data' '
	cp old.data perf.data.old
	cp new.data perf.data
	$PERF diff -s comm > usual
	$PERF diff -s comm old.data new.data | same - usual
	$PERF diff -s comm new.data | same - usual
'
check 'a usual file that is missing: what is compared by default, and what to type' '
	mkdir -p none && cd none
	not $PERF diff 2> err
	says "perf.data.old does not exist: with no files, perf diff compares perf.data.old with perf.data" err
	says "perf diff OLD NEW" err
	cp ../old.data perf.data.old
	not $PERF diff 2> err
	says "perf.data does not exist: with no files" err
	not $PERF diff --folded new.data 2> err
	says "new.data does not exist: with one file, perf diff compares perf.data.old with that file" err
	test $(wc -l < err) = 2
'
check 'filters, and a time span for each file' '
	$PERF diff -q -s comm -t , -C a,b old.data new.data > out
	says "66.67%,-16.67%,a" out
	$PERF diff -q -s comm -t , --percentage absolute -C a,b old.data new.data > out
	says "60.00%,-30.00%,a" out
	$PERF diff -q -s comm -t , --time "0.000000102,0.000000102:0.000000103," old.data new.data > out
	says "100.00%,,a" out
'
check 'JSON has numbers, and null where a file lacks the row' '
	$PERF diff -s comm --json old.data new.data > out
	python3 -c "
import json
rows = {r[\"comm\"]: r for r in json.load(open(\"out\"))[\"events\"][0][\"rows\"]}
assert abs(rows[\"a\"][\"delta\"] + 30) < 1e-9 and rows[\"a\"][\"baseline\"] == 60
assert rows[\"d\"][\"baseline\"] is None and rows[\"c\"][\"delta\"] is None
"
'
check 'runs of two programs: a change is marked, noise is not' '
	for i in 1 2 3 4 5; do
		profile a=$((600 + i)) b=$((300 - 2 * i)) c=$((100 + i)) | mkdata a$i.data
		profile a=$((600 - i)) b=$((300 + i)) c=$((140 + i)) | mkdata b$i.data
	done
	$PERF diff -s comm --runs a1.data,a2.data,a3.data,a4.data,a5.data:b1.data,b2.data,b3.data,b4.data,b5.data > out
	expect runs out
	for f in a1 a2 a3 a4 a5 b1 b2 b3 b4 b5; do
		$PERF data convert --to pprof -f -o $f.pb.gz $f.data
		$PERF data convert --to folded -f -o $f.folded $f.data
		$PERF pack -f -o $f.pack -i $f.data
	done
	for ext in pb.gz pack folded; do
		$PERF diff -s comm --runs "$(printf "%s.$ext," a1 a2 a3 a4)a5.$ext:$(printf "%s.$ext," b1 b2 b3 b4)b5.$ext" > got
		sed "s/\.$ext (/.data (/" got > named
		# folded stacks do not name their event
		test $ext != folded || sed -i "1s/samples/cpu-clock/" named
		same out named
	done
	fails_with 129 $PERF diff --runs a1.data:b1.data 2> err
	says "at least two files" err
	fails_with 129 $PERF diff --runs a1.data,a2.data:b1.data,b2.data x 2> err
	for option in "-c ratio" -p -F; do
		fails_with 129 $PERF diff $option --runs a1.data,a2.data:b1.data,b2.data 2> err
		says "--runs excludes -c ratio" err
	done
'
# work PERIOD-OF-A PERIOD-OF-B REQUESTS
work() {
	cat <<-END
	event cpu-clock config=cpu-clock period=100 sample=identifier|ip|tid|time|period flags=sample_id_all ids=1
	event probe_app:request type=tracepoint config=300 period=1 sample=identifier|ip|tid|time|period ids=2
	feature event_desc
	comm tid=7 comm="a" time=1
	comm tid=8 comm="b" time=2
	sample id=1 ip=0x1000 tid=7 time=10 period=$1
	sample id=1 ip=0x1000 tid=8 time=11 period=$2
	repeat $3
	sample id=2 ip=0x1000 tid=9 time=20 period=1
	end
	END
}
check 'runs with --per: what a unit of work costs; what did not change is not marked' '
	for i in 1 2 3 4; do
		work $((60000 + 10 * i)) $((30000 + 20 * i)) 100 | mkdata a$i.data
		work $((50000 + 20 * i)) $((15000 + 10 * i)) 50 | mkdata b$i.data
	done
	runs=a1.data,a2.data,a3.data,a4.data:b1.data,b2.data,b3.data,b4.data
	$PERF diff -s comm --per run --runs $runs > out
	sed -i "/probe_app/,\$d" out
	expect per-run out
	$PERF diff -s comm --comms a,b --per probe_app:request --runs $runs > out
	expect per-request out
	$PERF diff -s comm --comms a,b --per probe_app:request --runs $runs --json > out
	python3 -c "
import json
e = json.load(open(\"out\"))[\"events\"][0]
assert e[\"per\"] == \"probe_app:request\" and e[\"significant\"] and abs(e[\"delta\"] - 44.5) < 0.1
assert [r[\"significant\"] for r in e[\"rows\"]] == [True, False]
"
	fails_with 1 $PERF diff --per probe_app:reply --runs $runs 2> err
	says "a1.data has no samples of an event" err
	fails_with 129 $PERF diff --per run a1.data b1.data 2> err
	says "needs --runs" err
'
check 'a missing file is named, and nothing is printed' '
	fails_with 1 $PERF diff old.data gone.data > out 2> err
	says "gone.data" err
	silent_about "gone.data: failed" err
	test ! -s out
'
check 'the same text with any number of threads' '
	$PERF diff -s comm -j 1 old.data new.data > one
	$PERF diff -s comm -j 8 old.data new.data | same one -
'
check '--cycles-hist: the error of the difference, and histograms of cycles' '
	# a block of 2, 4, 6 cycles before, of 4 and 16 after: 4 and 10, error sqrt(4 / 3 + 72 / 2)
	timed() {
		f=$1; shift
		{
			cat <<-END
			event cycles type=hardware config=0 period=10 sample=ip|tid|time|period|branch_stack branch=9 flags=sample_id_all|comm|mmap2
			feature branch_stack
			mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
			END
			for c; do echo "sample tid=100 ip=0x1041 time=100 branch=0x102d:0x1040:0x${c}1,0x100b:0x1020:0x11"; done
		} | mkdata "$f"
	}
	timed t1.data 2 4 6
	timed t2.data 4 10
	PERF_FS_ROOT=$PWD/root $PERF diff -q -c cycles --cycles-hist t1.data t2.data 2> err > out
	grep -q " +6.0  *+-6.1  *2..16 |@@@     | @     @|  *work+0" out
	PERF_FS_ROOT=$PWD/root $PERF diff -q -t , -c cycles t1.data t2.data 2> err | cut -d, -f 1,2 > want
	PERF_FS_ROOT=$PWD/root $PERF diff -q -t , -c cycles --cycles-hist t1.data t2.data 2> err | cut -d, -f 1,2 | diff want -
	PERF_FS_ROOT=$PWD/root $PERF diff --json -c cycles --cycles-hist t1.data t2.data 2> err > out
	grep -q "\"cycles-error\": *6.1101" out
	fails_with 129 $PERF diff --cycles-hist t1.data t2.data 2> err
	says "--cycles-hist needs -c cycles" err
'
# two ways through the code, and how often each was taken: ways NAME N M OTHER-BRANCH
q="'"
ways() {
	{
		cat <<-END
		event cycles type=hardware config=0 period=10 sample=ip|tid|time|period|branch_stack branch=9 flags=sample_id_all|comm|mmap2
		feature branch_stack
		comm tid=100 comm="app" time=1
		mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
		END
		for i in $(seq "$2"); do
			echo "sample tid=100 ip=0x1041 time=1$i branch=0x102d:0x1040:0x31,0x100b:0x1020:0x92"
		done
		for i in $(seq "$3"); do
			echo "sample tid=100 ip=0x1041 time=2$i branch=0x100b:0x1020:0x${i}1"
		done
		echo "sample tid=100 ip=0x1041 time=300 branch=$4:0x1040:0x21"
	} | mkdata "$1"
}
check '--stream: what ran before the samples, in both files and in one' '
	ways old-w.data 2 3 0x1024
	ways new-w.data 5 1 0x1025
	PERF_FS_ROOT=$PWD/root $PERF diff --stream old-w.data new-w.data 2> err > text
	sed "s/ *\$//; s/   */  /g" text | grep -v -e "^\$" -e "^# *[.]* *[.]*\$" > out
	cat > want <<-EOF
	# Hot streams of both files, event ${q}cycles$q
	# cycles: 2, hits: 50.00%  cycles: 1, hits: 14.29%
	  work +0  work +0
	  main +11  main +11
	# Hot streams of both files, event ${q}cycles$q
	# cycles: 12, hits: 33.33%  cycles: 12, hits: 71.43%
	  leaf +0  leaf +0
	  work +13  work +13
	  work +0  work +0
	  main +11  main +11
	# Hot streams of the old file only, event ${q}cycles$q
	# cycles: 2, hits: 16.67%
	  leaf +0
	  work +4
	# Hot streams of the new file only, event ${q}cycles$q
	# cycles: 2, hits: 14.29%
	  leaf +0
	  work +5
	EOF
	diff want out
	PERF_FS_ROOT=$PWD/root $PERF diff --stream --json old-w.data new-w.data > out
	grep -q "\"old-samples\": *3" out
	fails_with 1 $PERF diff --stream old.data new.data 2> err
	says "data: --stream: the profile has no branch stacks" err
	fails_with 129 $PERF diff --stream --folded old.data new.data 2> err
	says "excludes" err
'
