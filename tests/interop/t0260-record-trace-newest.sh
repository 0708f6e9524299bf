#!/bin/sh
# The newest upstream reads the traces that we record: the same words of AUXTRACE_INFO, records and places in
# the index, and samples of the bytes.
. "$(dirname "$0")/../cli/lib.sh"
need GCC EVENTS PLAIN NEWEST

ldd "$PERF" > /dev/null 2>&1 || skip_all "the fake PMU needs a perf that loads libraries"
gcc -shared -fPIC -O1 -o fake.so "$SRC/tests/tools/fake-trace-pmu.c" -ldl
put() {
	mkdir -p "root/$(dirname "$1")"
	printf '%s\n' "$2" > "root/$1"
}
devices=sys/bus/event_source/devices
put $devices/intel_pt/type 77
put $devices/intel_pt/nr_addr_filters 2
for f in pt:0 mtc:9 tsc:10 branch:13 mtc_period:14-17 psb_period:24-27; do
	put $devices/intel_pt/format/${f%:*} config:${f#*:}
done
put $devices/intel_pt/caps/mtc 1
put $devices/intel_bts/type 78
put $devices/arm_spe_0/type 79
put $devices/arm_spe_0/format/ts_enable config:0
put $devices/cs_etm/type 80
put $devices/cs_etm/format/timestamp config:28
for f in trcidr/trcidr0:0x28000ea1 trcidr/trcidr1:0x41000422 trcidr/trcidr2:0x488 trcidr/trcidr8:0x0 mgmt/trcauthstatus:0xcc; do
	put $devices/cs_etm/cpu0/${f%:*} "${f#*:}"
done
put sys/devices/system/cpu/online 0
# traced TYPE TRACE ARGS...
traced() {
	type=$1 file=$2
	shift 2
	env FAKE_TRACE_GAPS=0 FAKE_TRACE_TYPE="$type" FAKE_TRACE="$file" PERF_FS_ROOT="$PWD/root" LD_PRELOAD="$PWD/fake.so" $PERF "$@"
}
# the words of AUXTRACE_INFO, and the AUXTRACE records
shown() {
	"$@" script -D -i x.data 2> err |
		sed -n -e '/AUXTRACE_INFO/,/^$/p' -e '/PERF_RECORD_AUXTRACE size/p' |
		sed -e '/^$/d' -e '/^\. /d' -e '/event:/d' -e '/\[0x.*raw/d' -e 's/[ 	]*$//' -e 's/[ 	][ 	]*/ /g' -e 's/ -1$/ ffffffffffffffff/'
}

printf 'abcdefgh\0\0\0\0\0\0\0\0ijklmnop\0\0\0\0\0\0\0\0' > bts.bin
spe='\260\000\001\100\000\000\000\000\000\111\000\122\026\000\161\320\007\000\000\000\000\000\000'
printf "$spe$spe$spe$spe$spe$spe$spe$spe" > spe.bin
printf '\000\000\000\000\000\000\000\000\000\000\000\200\001\001\000\004' > etm.bin
for i in 1 2 3 4 5 6 7 8; do
	printf '\002\202\002\202\002\202\002\202\002\202\002\202\002\202\002\202\002\043'
done > pt.bin

compare() {
	shown $PERF > ours
	shown "$NEWEST" > theirs
	test "$(grep -c AUXTRACE ours)" -ge 2
	same theirs ours
}
check 'Intel PT, with a filter' '
	traced 77 pt.bin record -C 0 -e intel_pt//k --filter "filter 0x10/0x20" -o x.data true 2> err
	compare
	says "Filter string filter 0x10/0x20" ours
'
check 'Intel BTS' '
	traced 78 bts.bin record --per-thread -e intel_bts//u -o x.data true 2> err
	compare
'
check 'Arm SPE, and its samples' '
	traced 79 spe.bin record --per-thread -e arm_spe_0//u -o x.data true 2> err
	compare
	for p in "$PERF" "$NEWEST"; do
		$p script --itrace=i1i -F event,ip -i x.data 2> err | sed "s/^ *//; s/  */ /g; s/ *$//" > samples
		test "$(grep -c "instructions: 400100" samples)" = 8
	done
'
check 'Arm CoreSight' '
	traced 80 etm.bin record --per-thread -e cs_etm//u -o x.data true 2> err
	compare
	says "TRCIDR0" ours
'
