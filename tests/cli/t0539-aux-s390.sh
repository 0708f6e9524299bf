#!/bin/sh
# s390 CPU-measurement sampling: entries of sample-data blocks in the dump, and their samples.
# threads
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/s390-lib.sh"

base=d800000000000000
# file HEX [CPUID]: x.data
file() {
	mkdata x.data <<-END
	event SF_CYCLES_BASIC_DIAG type=4 config=0xbd000 period=4000 sample=ip|tid|time|cpu|identifier ids=10 flags=sample_id_all
	event dummy:u type=software config=9 sample=ip|tid|time|cpu|identifier ids=11 flags=sample_id_all|comm|mmap2
	feature arch str:"s390x"
	feature cpuid str:"${2-IBM,3906,704,M03,3.5,6007}"
	auxtrace_info auxtrace_type=5 priv=4
	comm ev=dummy:u tid=100 comm="x" time=10 s_id=11
	mmap2 ev=dummy:u tid=100 addr=0x1000000 len=0x10000 prot=5 flags=2 filename="/bin/x" time=11 s_id=11
	aux ev=SF_CYCLES_BASIC_DIAG aux_size=8192 flags=0 time=777 cpu=1 s_id=10
	auxtrace offset=0 reference=9 idx=1 tid=-1 cpu=1 hex:$1
	END
}
# dump: what it says of the trace, without bytes
dump() {
	$PERF script -D -i x.data > out
	sed -n "s/^[.]  \([0-9a-f]\{8\}\): .*  *\(Basic\|Diag\|Trailer\|Bad\|no more\|block\)/\1 \2/p" out | sed "s/ *\$//"
}
all=$(basic 0x1000100 0x28; diagnostic 85; basic 0x1000200 0x35; diagnostic 85 1; basic 0x1000300 0x2e 2 0x77 0x99; diagnostic 85)

check 'each field of entries and trailers by name' '
	file "$(block 85 d800000000001000 $base 5 "$all")$(block 85 d800000000002000 - 0)00010328"
	dump > packets
	expect packets
	says "s390 AUX data: size 8196 bytes" out
	says "  PMU Type           4" out
	$PERF report -D --json -i x.data > json
	says "\"packet\": \"Diag    Def:8001 I\"" json
'
check 'sizes of entries of CPUs that do not say them are known by the type of the machine' '
	for m in "2097 64" "2818 74" "2827 85" "2964 112"; do
		size=${m#* }
		file "$(block 0 d800000000001000 $base 0 "$(basic 1 0x28; diagnostic $size; basic 2 0x28; diagnostic $size)")" "IBM,${m% *},704"
		dump > packets
		test "$(grep -c "Basic\|Diag" packets)" = 4
		$PERF script -F ip -i x.data > out
		test "$(wc -l < out)" = 2
	done
	file "$(block 0 d800000000001000 $base 0 "$(basic 1 0x28; diagnostic 85; basic 2 0x28)")" "IBM,9999"
	dump > packets
	says "00000020 Bad entry!" packets
'
fields=comm,pid,tid,cpu,time,event,period,ip,sym,dso
check 'samples: the time of their block, the thread of the program parameter; none where the CPU was idle' '
	entries=$(basic 0x1000100 0x28; basic 0x1000200 0x20; basic 0x1000300 0x29; basic 0x1000400 0x30; basic 0x1000500 0x28 1 0
		basic 0x1000600 0x28 2; basic 0x1000700 0x20 0; printf "0001032800001234"; printf "%016x%032x" 0x1000800 0
		printf "000103280000ffff"; printf "%016x%016x%016x" 0x1000900 0 0x64)
	file "$(basic_size=32 block 0 d800000000400000 $base 0 "$entries")$(block 0 d800000000800000 - 0 "$(basic 0x1000a00 0x28)")"
	$PERF script --ns -F $fields -i x.data > out 2> err
	sed "s/ *\$//" out > samples
	expect samples
	test ! -s err
	echo "0000000000100000 T _stext" > symbols
	$PERF script --guestkallsyms symbols -F misc,ip -i x.data > out
	tr -s " " < out | sed "s/^ //; s/ \$//" > modes
	printf "%s\n" "KGg 1000600" "G 1000700" "KGg 1000800" > want
	grep G modes | same want -
	$PERF report --stdio -i x.data > out 2> err
	says "of event '"'"'raw 0xbd000'"'"'" out
	$PERF script --itrace=i -F ip -i x.data 2> err | wc -l > nr
	test "$(cat nr)" -gt 3
	says "s390 CPU measurement has no events for the letters i" err
	$PERF script --time 0.001,0.0015 -F ip -i x.data > out
	test "$(wc -l < out)" = 4
'
check 'the event without diagnostic entries has the same type, and samples of its own' '
	mkdata y.data <<-END
	event SF_CYCLES_BASIC type=4 config=0xb0000 period=7 sample=ip|tid|time|cpu|identifier ids=12 flags=sample_id_all
	event SF_CYCLES_BASIC_DIAG type=4 config=0xbd000 period=4000 sample=ip|tid|time|cpu|identifier ids=10 flags=sample_id_all
	auxtrace_info auxtrace_type=5 priv=4
	sample ev=SF_CYCLES_BASIC ip=0x1000200 tid=100 cpu=1 time=5
	auxtrace offset=0 reference=9 idx=1 tid=-1 cpu=1 hex:$(block 85 d800000000400000 $base 0 "$(basic 0x1000100 0x28; diagnostic 85)")
	END
	$PERF report --stdio -i y.data | grep "^# Samples: " > out
	printf "# Samples: 1  of event %s\n" "'"'"'raw 0xb0000'"'"'" "'"'"'raw 0xbd000'"'"'" | same - out
	$PERF script -F event,period,ip -i y.data > lines
	test "$(grep -c "4000 raw 0xbd000: " lines)" = 1
'
check 'a damaged place costs the rest of its block, and is counted; lost samples are told' '
	one=$(basic 1 0x28)
	file "$(block 85 d800000000001000 $base 3 "$one" 0002 "$one")$(block 9999 d800000000002000 $base 0 "$one" 8001 "$one")$one"
	$PERF script -F ip -i x.data > out 2> err
	printf "1\n1\n" > want
	tr -d " " < out | same want -
	says "3 places of the trace are damaged" err
	says "1 blocks of the trace say that samples were lost" err
'
check 'any cut into AUXTRACE records and any -j give the same samples' '
	for i in 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29; do block 85 d80000000${i}00000 $base 0 "$all"; done > hex
	file "$(cat hex)"
	$PERF script --ns -F $fields -j1 -i x.data > want
	test "$(wc -l < want)" = 20
	{ sed "s/^ *//" <<-END
		event SF_CYCLES_BASIC_DIAG type=4 config=0xbd000 period=4000 sample=ip|tid|time|cpu|identifier ids=10 flags=sample_id_all
		event dummy:u type=software config=9 sample=ip|tid|time|cpu|identifier ids=11 flags=sample_id_all|comm|mmap2
		auxtrace_info auxtrace_type=5 priv=4
		comm ev=dummy:u tid=100 comm="x" time=10 s_id=11
		mmap2 ev=dummy:u tid=100 addr=0x1000000 len=0x10000 prot=5 flags=2 filename="/bin/x" time=11 s_id=11
		END
	n=0
	fold -w 2000 hex | while read -r h || test -n "$h"; do
		echo "auxtrace offset=$n reference=9 idx=1 tid=-1 cpu=1 hex:$h"
		n=$((n + 1000))
	done; } | mkdata x.data
	for j in 1 2 4; do
		$PERF script --ns -F $fields -j$j -i x.data | same want -
		$PERF report --stdio -j$j -i x.data | grep -v "^#" > report.$j
	done
	same report.1 report.4
'
