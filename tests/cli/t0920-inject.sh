#!/bin/sh
# perf inject: what is copied, and what is added
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/jitdump-lib.sh"
. "$SRC/tests/cli/sched-lib.sh"

ID=0102030405060708090a0b0c0d0e0f1011121314
cat > x.mk <<'END'
event cpu-clock config=cpu-clock sample=ip|tid|time|identifier flags=sample_id_all|mmap2|mmap|comm ids=7
feature hostname str:"box"
feature event_desc
comm tid=7 comm="x" time=1
mmap2 tid=7 addr=0x1000 len=0x1000 prot=5 flags=2 filename="/no/hit" time=2
mmap tid=7 addr=0x3000 len=0x1000 filename="/no/old" time=3
mmap2 tid=7 addr=0x5000 len=0x1000 prot=5 flags=2 filename="/no/missed" time=4
sample tid=7 ip=0x1100 time=5
finished_round
sample tid=7 ip=0x3100 time=6
END
mkdata x.data < x.mk
KNOWN="$ID /no/hit,aa$ID /no/old,bb${ID#??} /no/missed"
KNOWN=$(echo "$KNOWN" | sed "s/aa01/aa/")
script() {
	$PERF script -i "$1" -F comm,tid,time,event,ip,dso --show-task-events
}

check 'a copy has the same samples, as a file and as a pipe, and back' '
	$PERF inject -i x.data -o y.data
	$PERF inject < x.data > y.pipe
	$PERF inject -i y.pipe -o z.data
	script x.data > want
	test -s want
	for f in y.data y.pipe z.data; do script $f > got; same want got; done
	test "$(head -c 8 y.pipe)" = PERFILE2
	test "$(od -An -tu8 -j 8 -N 8 y.pipe | tr -d " ")" = 16
	$PERF report --header-only -i z.data | finds "^# hostname : box"
'
check 'the output may replace the input' '
	cp x.data w.data
	$PERF inject -i w.data -o w.data
	cmp x.data w.data.old
	script w.data > got
	script x.data | same - got
'
check '-b adds build-ids of files with samples, --buildid-all those of all files' '
	$PERF inject -b --known-build-ids "$KNOWN" -i x.data -o y.data
	$PERF buildid-list -i y.data > got
	printf "%s /no/hit\n%s /no/old\n" $ID aa${ID#??} | same - got
	$PERF inject --buildid-all --known-build-ids "$KNOWN" -i x.data > y.pipe
	$PERF inject < y.pipe > z.pipe
	$PERF script -D -i z.pipe > dump
	test "$(grep -c PERF_RECORD_.*BUILD_ID dump)" = 3
	$PERF buildid-list -i z.pipe > got
	printf "%s /no/hit\n%s /no/old\n" $ID aa${ID#??} | same - got
'
check '--known-build-ids reads what buildid-list writes, and wins' '
	$PERF buildid-list -i y.data > list
	sed "s/^01/ff/" list > other
	$PERF inject -b --known-build-ids file://other -i y.data -o z.data
	$PERF buildid-list -i z.data > got
	sort -k 2 other | same - got
	for bad in "xyz /a" "01 " "01" "file://none" "0102030405060708090a0b0c0d0e0f101112131415 /a"; do
		fails_with 1 $PERF inject -b --known-build-ids "$bad" -i x.data -o no.data 2> err
		says "known-build-ids" err
		test ! -e no.data
	done
'
check '-B puts build-ids into map records and makes them MMAP2' '
	$PERF inject -B --known-build-ids "$KNOWN" -i x.data -o y.data
	$PERF script -i y.data --show-mmap-events -F tid,time,event > got
	test "$(grep -c "<" got)" = 2
	grep -q "MMAP2.*0x1000(0x1000) @ 0 <$ID>\]: r-xp /no/hit" got
	grep -q "MMAP2.*0x3000(0x1000) @ 0 <aa${ID#??}>\]: r-xp /no/old" got
	$PERF inject --mmap2-buildid-all --known-build-ids "$KNOWN" -i x.data -o y.data
	test "$($PERF script -i y.data --show-mmap-events -F tid,event | grep -c "<")" = 3
	$PERF evlist -v -i y.data | finds "build_id: 1"
	script y.data > got
	script x.data | same - got
'
check_if GCC 'build-ids come from files that are there' '
	echo "int main(void) { return 0; }" > p.c
	gcc -Wl,--build-id=sha1 -o p p.c
	sed "s|/no/hit|$PWD/p|; s|\"box\"|\"$(uname -n)\"|" x.mk | mkdata p.data
	$PERF inject -b -i p.data -o y.data
	test "$($PERF buildid-list -i y.data)" = "$($PERF buildid-list -i p) $PWD/p"
'
check 'maps that are replaced keep the build-id of their own file' '
	{ cat x.mk; echo "mmap2 tid=7 addr=0x1000 len=0x1000 prot=5 flags=2 filename=\"/no/missed\" time=7"
	  echo "sample tid=7 ip=0x1100 time=8"; } | mkdata r.data
	$PERF inject -B --known-build-ids "$KNOWN" -i r.data -o y.data
	$PERF script -i y.data --show-mmap-events -F tid,event > got
	test "$(grep -c "<$ID>\]: r-xp /no/hit" got)" = 1
	test "$(grep -c "<bb${ID#??}>\]: r-xp /no/missed" got)" = 2
'
# the code of "first" makes room for "second" at the same address, then moves
jit_recording() { # FLAGS
	mkdir -p jit
	{ jit_header 9; jit_debug 2000 0x7000 /src/a.js 10:0 11:2 12:6; jit_load 9 2000 0x7000 1 first aaaaaaaa
	  jit_load 9 4000 0x7000 2 second bbbbbbbb; jit_move 9 6000 0x7000 0x9000 8 2; } > jit/jit-9.dump
	{ echo "event cpu-clock config=cpu-clock sample=ip|tid|time|identifier flags=sample_id_all|mmap2|comm$1 clockid=1 ids=7"
	  echo "feature event_desc"
	  echo "comm tid=1009 comm=js time=1"
	  echo "mmap2 tid=1009 addr=0xf0000 len=0x1000 prot=5 flags=2 filename=\"$PWD/jit/jit-9.dump\" time=1000"
	  echo "sample tid=1009 ip=0x7002 time=3000"
	  echo "sample tid=1009 ip=0x7002 time=5000"
	  echo "sample tid=1009 ip=0x9003 time=7000"; } | mkdata jit.data
}
check 'functions of a jitdump file are found by time, without inject' '
	jit_recording "|use_clockid"
	$PERF script -i jit.data -F time,ip,sym,symoff > got
	sed "s/  */ /g" got > g
	printf " 0.000003: 7002 first+0x2\n 0.000005: 7002 second+0x2\n 0.000007: 9003 second+0x3\n" | same - g
	$PERF report --stdio -i jit.data -s dso,sym > got 2> err
	grep -q "jit-9.dump .*second" got
'
check '-j makes ELF files and maps in the order of time' '
	jit_recording "|use_clockid"
	$PERF inject -j -i jit.data -o out.data 2> err
	test ! -s err
	test "$(ls jitted-*)" = "$(printf "jitted-1009-1.so\njitted-1009-2.so")"
	rm -r jit
	$PERF script -i out.data -F time,ip,sym,symoff,dso > got
	sed "s/  */ /g; s|$PWD/||" got > g
	printf " 0.000003: 7002 first+0x2 (jitted-1009-1.so)\n 0.000005: 7002 second+0x2 (jitted-1009-2.so)\n 0.000007: 9003 second+0x3 (jitted-1009-2.so)\n" | same - g
	$PERF script -i out.data --show-mmap-events -F time,event > got
	test "$(grep -c "jitted-1009" got)" = 3
	grep "^ " got | sort -c -s -k 1,1
	$PERF report --stdio -s srcline -i out.data > got 2> err
	grep -q "a.js:11" got
'
check 'the copy of a pipe has them, too; without the clock of the dump all functions are there from the start' '
	jit_recording ""
	rm -f jitted-*
	$PERF inject -j < jit.data > out.pipe 2> err
	says "another clock" err
	$PERF script -i out.pipe -F time,ip,sym > got
	test "$(grep -c second got)" = 3
	$PERF script -i out.pipe --show-mmap-events -F time,event > got
	test "$(grep -c "jitted-1009" got)" = 3
'
check 'a damaged jitdump file costs the functions after the damage' '
	jit_recording "|use_clockid"
	size=$(wc -c < jit/jit-9.dump)
	head -c $((size - 80)) jit/jit-9.dump > cut
	cat cut > jit/jit-9.dump
	$PERF inject -j -i jit.data -o out.data 2> err
	says "is damaged" err
	$PERF script -i out.data -F ip,sym > got
	grep -q first got
	not grep -q second got
	echo "no jitdump" > jit/jit-9.dump
	$PERF inject -j -i jit.data -o out.data 2> err
	says "is not a jitdump file" err
	rm jit/jit-9.dump
	mkfifo jit/jit-9.dump
	$PERF inject -j -i jit.data -o out.data 2> err
	says "is not a regular file" err
'
sched_recording() {
	bits="identifier|ip|tid|time|cpu|raw|period|callchain"
	sched_format sched_switch 11 comm:prev_comm:8 int:prev_pid:24 int:prev_prio:28 long:prev_state:32 comm:next_comm:40 \
		int:next_pid:56 int:next_prio:60 > f1
	sched_format sched_stat_sleep 12 comm:comm:8 int:pid:24 long:delay:32 > f2
	sched_format sched_process_exit 13 comm:comm:8 int:pid:24 int:prio:28 > f3
	for n in 1:switch 2:stat_sleep 3:process_exit; do
		echo "event sched:sched_${n#*:} type=tracepoint config=1${n%:*} sample=$bits ids=${n%:*} flags=sample_id_all"
	done
	echo "feature tracing_data hex:170844 text:\"tracing\" text:\"0.6\" u8:0,0,8 u32:4096"
	echo "feature tracing_data text:\"header_page\" u8:0 u64:2 text:\"ab\" text:\"header_event\" u8:0 u64:0 u32:0"
	echo "feature tracing_data u32:1 text:\"sched\" u8:0 u32:3"
	for f in f1 f2 f3; do echo "feature tracing_data u64:$(wc -c < $f) file:$f"; done
	echo "feature tracing_data u32:0,0 u64:0"
	echo "feature event_desc"
	for t in 100 200; do echo "comm tid=$t comm=p$t time=1"; done
	sleeps 1000 100
	wakes 2000 200 100 900
	wakes 2500 100 200 7
	sleeps 3000 200
	echo "sample id=3 cpu=0 time=3500 tid=200 pid=200 period=1 ip=5 chain=-128,0x77 u16:13 u8:0,0 u32:200 $(comm p200) u32:200,120"
	wakes 4000 100 200 50
	wakes 4500 200 100 60
}
sleeps() { # TIME TID
	echo "sample id=1 cpu=0 time=$1 tid=$2 pid=$2 period=1 ip=0x11 chain=-128,0x11,0x22,-512,0x40$2 u16:11 u8:0,0 u32:$2" \
		"$(comm p$2) u32:$2,120 u64:1 $(comm other) u32:9,120"
}
wakes() { # TIME BY TID DELAY
	echo "sample id=2 cpu=0 time=$1 tid=$2 pid=$2 period=$4 ip=0x99 chain=-128,0x99 u16:12 u8:0,0 u32:$2 $(comm p$3) u32:$3,0 u64:$4"
}
check '-s gives the time of a sleep to the place where it began' '
	sched_recording > s.mk
	mkdata s.data < s.mk
	$PERF inject -s -i s.data -o out.data
	$PERF script -i out.data -F tid,time,event,period,ip > got
	tr -s " \t\n" " " < got > g
	sleep=" sched:sched_switch: 11 22 40100"
	printf " 100 0.000002: 900$sleep 100 0.000004: 60$sleep " | same - g
	fails_with 1 $PERF inject -s -i x.data -o no.data 2> err
	says "has no event sched:sched_switch" err
'
check 'streams of a directory and compressed records become one plain file' '
	{ grep -v -e finished -e ^sample x.mk; echo "stream data.0"; echo "sample tid=7 ip=0x3100 time=6"
	  echo "stream data.1"; echo "sample tid=7 ip=0x1100 time=5"; } | mkdata dir.data
	$PERF inject -i dir.data -o y.data
	test -f y.data
	script x.data > want
	script y.data > got
	same want got
	$PERF check -q feature zstd || skip "built without zstd"
	{ grep -v ^sample x.mk; echo "feature compressed u32:1,1,1,5,4096"; echo compressed; grep ^sample x.mk; echo end; } | mkdata z.data
	$PERF inject -i z.data -o y.data
	script y.data > got
	same want got
	$PERF report --header-only -i y.data > got
	not grep -q compressed got
'
check 'without a trace --itrace copies and --strip drops the samples; a trace that is not decoded is refused' '
	script x.data > want
	for o in --itrace --itrace=i1000usg16l,e+o-l,s10; do
		$PERF inject $o -i x.data -o y.data
		script y.data > got
		same want got
	done
	$PERF inject --itrace --strip -i x.data -o y.data
	$PERF report -D -i y.data > dump
	says PERF_RECORD_MMAP dump
	silent_about PERF_RECORD_SAMPLE dump
	fails_with 129 $PERF inject --strip -i x.data -o no.data 2> err
	for bad in u 1000 sx e+ i10x9; do
		fails_with 129 $PERF inject --itrace=$bad -i x.data -o no.data 2> err
		says "is not a list of trace options" err
	done
	fails_with 1 $PERF inject --vm-time-correlation -i x.data > out 2> err
	says "has no Intel PT trace" err
	fails_with 129 $PERF inject --vm-time-correlation -i x.data -o no.data 2> err
	{ echo "event cycles type=0 config=0 sample=ip|tid|time flags=sample_id_all"
	  echo "auxtrace_info auxtrace_type=6"; echo "sample tid=1 ip=2 time=3"; } | mkdata aux.data
	for o in "--itrace -o no.data" "--itrace --strip -o no.data" --vm-time-correlation; do
		fails_with 1 $PERF inject $o -i aux.data > out 2> err
		says "aux.data has an AUX trace, which this perf does not decode" err
	done
	test ! -e no.data
	$PERF inject -i aux.data -o y.data 2> err
'
check 'what is not built, or makes no sense, says so' '
	for o in --guestmount=x --guest-data=x --kallsyms=x; do
		fails_with 1 $PERF inject $o -i x.data -o no.data 2> err
		grep -q -e "not available yet" -e "not supported" err
	done
	fails_with 129 $PERF inject extra 2> err
	fails_with 129 $PERF inject --known-build-ids "$KNOWN" -i x.data -o no.data 2> err
	{ echo "order big"; cat x.mk; } | mkdata big.data
	fails_with 1 $PERF inject -i big.data -o no.data 2> err
	says "other byte order" err
	fails_with 1 $PERF inject -i x.data -o /nonexistent/y 2> err
	test ! -e no.data
'
check 'of a trace that is cut, the bytes that are there are copied, and no others' '
	printf "event cpu-clock sample=ip|tid|time flags=sample_id_all\nsample tid=7 ip=1 time=1\n%s\n%s\n" \
		"auxtrace_info auxtrace_type=1 priv=1" \
		"auxtrace tid=7 cpu=0 data=\"thirty-two bytes, neither more..\"" > aux.mk
	for left in 1 8 15 23; do
		{ cat aux.mk; echo "truncate @data_end-$((32 - left))"; } | mkdata cut.data
		$PERF inject -i cut.data -o copy.data 2> err
		$PERF report -D -i copy.data > dump 2> err
		grep "RECORD_AUXTRACE size" dump > line
		says "size: 0x$(printf %x $left) " line
	done
'
