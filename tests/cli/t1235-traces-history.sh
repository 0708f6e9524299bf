#!/bin/sh
# Intel PT: call chains and last branches for samples of other events (letters G and L).
# threads
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/pt-lib.sh"

fields="ip|tid|time|period|cpu|identifier"
events="event branch-misses type=0 config=5 sample=$fields ids=9 flags=sample_id_all"
# miss TIME IP: a sample
miss() {
	echo "sample ev=branch-misses id=9 ip=0x4000$2 pid=${tid-100} tid=${tid-100} cpu=${cpu-0} time=$1 period=1"
}
# chains LETTERS: "TIME: IP<CALLER", in ns; last LETTERS: the same with branches
chains() {
	$PERF script --itrace=$1 --ns ${j:+-j$j} -F event,time,ip -i x.data 2> err | grep -v "branches:\|instructions:" |
		awk "/branch-misses/ { if (s) print s; sub(/:\$/, \"\", \$1); s = \$1 + 0 \"\"; s = substr(\$1, 8) \":\"; next }
			NF { s = s (s ~ /:\$/ ? \"\" : \"<\") substr(\$1, 5) } END { if (s) print s }"
}
last() {
	$PERF script --itrace=$1 --ns ${j:+-j$j} -F event,time,ip,brstack -i x.data 2> err | grep branch-misses |
		sed "s/^ *[0-9]*[.]00000//; s/branch-misses: *//; s/0x//g; s/4000//g; s,/-/-/-/0//-,,g; s/  */ /g; s/ $//"
}
packets="$pt_start pt-pge:0x400080 pt-tnt:T pt-tsc:1500 pt-tnt:TN pt-tsc:2000 pt-tip:0x400080 pt-fup:0x400080 pt-tip:0x400090 pt-tsc:2600"

check 'each sample has what was so at its time' '
	{ pt_before; miss 900 80; miss 1200 91; miss 1600 87; miss 2500 93; pt_trace $packets; } | mkdata x.data
	chains G > out
	printf "%s\n" 0900:80 1200:"91<87" 1600:87 2500:"93<80" | same - out
	chains Gbi1i > out
	printf "%s\n" 0900:80 1200:"91<87" 1600:87 2500:"93<80" | same - out
	last L2 > out
	printf "%s\n" "0900: 80" "1200: 91 91/94 82/90" "1600: 87 94/87 91/94" "2500: 93 80/90 89/80" | same - out
	$PERF script --itrace=G1 -F ip -i x.data > out
	test "$(grep -c "[0-9]" out)" = 4
	$PERF report --itrace=G --stdio -s sym -i x.data > out 2> err
	says "event '"'"'branch-misses'"'"'" out
	says "0x400087" out
'
check 'across pieces of a trace, lost bytes, and the end; with any number of threads' '
	pad=0000000000000000000000000000000000000000000000000000000000000000
	for i in 1 2 3 4 5 6 7 8 9 10 11; do pad=$pad$pad; done
	{ pt_before; miss 1100 90; miss 2050 91; miss 2500 91; miss 3500 91; miss 4500 90; miss 9000 82
	pt_trace $pt_start pt-pge:0x400080 hex:$pad pt-tnt:N pt-tsc:2000 pt-psb:0 pt-tsc:2100 pt-mode:1 pt-fup:0x400094 pt-psbend:0 pt-tsc:3000 hex:00
	off=1000000 pt_trace pt-psb:0 pt-tsc:4000 pt-mode:1 pt-psbend:0 pt-pge:0x400080 pt-fup:0x400082 hex:0000; } | mkdata x.data
	for j in "" 1 3; do
		chains G > out
		printf "%s\n" 1100:"90<87" 2050:"91<87" 2500:"91<87" 3500:"91<87" 4500:90 9000:82 | same - out
	done
'
check 'traces of CPUs: only the thread that ran there' '
	{ pt_before
	for t in 100 200; do
		echo "itrace_start ev=intel_pt// pid=100 tid=$t time=$((t * 10 - 10)) cpu=3 s_id=10"
	done
	echo "mmap2 ev=dummy:u pid=100 tid=200 addr=0x400000 len=0x1000 prot=5 flags=2 filename=\"$(pwd)/prog\" time=11 s_id=11"
	cpu=3 miss 1200 91; cpu=1 miss 1200 91; cpu=3 tid=200 miss 1300 91; cpu=3 tid=200 miss 9000 91
	pt_trace $pt_start pt-pge:0x400080 pt-tnt:T pt-tsc:1500 pt-tnt:TN pt-tsc:2000 pt-tip:0x400080 pt-fup:0x400080 pt-pgd:0,0 pt-tsc:3000 \
		pt-pge:0x400080 pt-tnt:T | sed "s/tid=100 cpu=-1/tid=-1 cpu=3/"; } | mkdata x.data
	chains G > out
	printf "%s\n" 1200:"91<87" 1200:91 1300:91 9000:"91<87" | same - out
'
check 'samples that have parts of a trace have chains in report by themselves; recorded chains stay' '
	events="event branch-misses type=0 config=5 sample=$fields|aux ids=9 flags=sample_id_all"
	{ pt_before
	echo "sample ev=branch-misses id=9 ip=0x400091 pid=100 tid=100 cpu=0 time=1600 period=1 $pt_start pt-pge:0x400080 pt-tnt:T"; } | mkdata x.data
	$PERF report --stdio -s sym -i x.data > out 2> err
	says "0x400087" out
	$PERF report --no-itrace --stdio -s sym -i x.data > out 2> err
	silent_about "0x400087" out
	events="event branch-misses type=0 config=5 sample=$fields|callchain ids=9 flags=sample_id_all"
	{ pt_before
	echo "sample ev=branch-misses id=9 ip=0x400091 pid=100 tid=100 cpu=0 time=1200 period=1 chain=-512,0x400091,0x400012"
	pt_trace $packets; } | mkdata x.data
	chains G > out
	printf "%s\n" "1200:91<12" | same - out
'
# upstream leaves out the sample itself where the program is in a function, and where the trace ends
check_if NEWEST 'last branches as upstream has them' '
	{ pt_before; miss 900 80; miss 1200 91; miss 1600 87; miss 2500 93; pt_trace $packets; } | mkdata x.data
	last L4 > ours
	PERF=$NEWEST
	last L4 | same - ours
'
