#!/bin/sh
# Arm CoreSight: the walk from packets and code to instructions and branches, and what is said where it stops.
# threads
. "$(dirname "$0")/lib.sh"

. "$SRC/tests/cli/coresight-lib.sh"
mkdir root
program > root/prog

v4=0x4040404040404040 ete=0x5050505050505050
# before: what comes before the trace. config: TRCCONFIGR; idr2, idr8; unit: all words of the trace unit
before() {
	cat <<-END
	event cs_etm// type=8 config=0x4000 period=1 sample=ip|tid|time|cpu|identifier ids=10 flags=sample_id_all|exclude_kernel
	event dummy:u type=software config=9 sample=ip|tid|time|cpu|identifier ids=11 flags=sample_id_all|mmap|comm|mmap2
	feature arch str:"aarch64"
	feature auxtrace u64:0
	time_conv time_shift=1 time_mult=4 time_zero=100
	auxtrace_info auxtrace_type=3 priv=1,0x800000001,0,${unit-$v4,0,8,${config-0},0x10,0x28000ea1,0,${idr2-0x1088},${idr8-0},0,${source-0}}
	comm ev=dummy:u tid=100 comm="etmtest" time=10 s_id=11
	mmap2 ev=dummy:u tid=100 addr=0x400000 len=0x1000 prot=5 flags=2 filename="/prog" time=11 s_id=11
	${aux-aux ev=cs_etm// aux_offset=0 aux_size=4096 flags=0x100 time=5000 tid=100 s_id=10}
	END
}
# trace PACKETS: an AUXTRACE record of thread 100
trace() {
	echo "auxtrace offset=${off-0} reference=9 idx=0 tid=100 cpu=-1 $*"
}
start="etm-async:0 hex:0100"
at() { echo "etm-addr:0x4000$1"; }
# twice through the loop, the second time without the jump back
loop="hex:04 etm-context:0x400080,0 etm-atoms:ENE $(at 88) etm-atoms:EEEE $(at 88) etm-atoms:NE"
# script LETTERS: a line of time and ip, or of time, source and target of a branch
script() {
	fields=time,ip
	case $1 in
	*[bcr]*) fields=time,ip,addr ;;
	esac
	$PERF script --symfs root --itrace=$1 --ns -F ${show-$fields} -j${j-1} -i x.data 2> err | tr -d " " | sed "s/=>/>/; s/4000\([0-9a-f][0-9a-f]\)/\1/g" > out
}
# list LETTERS: the same without times, in one line
list() {
	script $1
	sed "s/.*://" out | tr "\n" " "
}

check 'cycles up to the instructions before a count, from the second one on' '
	# the threshold is 4. Counts of three kinds: 2, not told; 10; 3; after a gap 8, not told; not known; 2
	{ config=0x10 before; trace etm-async:0 hex:01090004 hex:04 etm-context:0x400080,0 hex:0e02 etm-atoms:ENE hex:0c0a $(at 88) \
		etm-atoms:EEEE hex:13 $(at 88) etm-atoms:NE hex:04 etm-context:0x400080,0 etm-atoms:E hex:0c08 hex:0f \
		etm-atoms:NE hex:12 $(at 88) etm-atoms:N; } | mkdata x.data
	$PERF script --symfs root --itrace=b -F ip,ipc -i x.data 2> err | sed -n "s/^ *4000\([0-9a-f]*\).*(\(.*\)) *$/\1 \2/p" > out
	printf "%s\n" "ac 6/14" "ac 6/7" "ac 4/6" | same - out
	$PERF script --symfs root --itrace=i0ns -F ip,ipc -i x.data 2> err | sed -n "s/^ *4000\([0-9a-f]*\).*(\(.*\)) *$/\1 \2/p" > out
	printf "%s\n" "a8 6/14" "ac 6/7" "a8 4/6" | same - out
	$PERF script --symfs root --itrace=i7i -F ip,ipc -i x.data 2> err | sed -n "s/^ *4000\([0-9a-f]*\).*(\(.*\)) *$/\1 \2/p" > out
	printf "%s\n" "88 6/14" "8c 6/7" "88 4/6" | same - out
	$PERF script --symfs root --itrace=y0ns -F period,ip -i x.data 2> err | tr -s " " | sed "s/^ //; s/4000//" > out
	printf "%s\n" "14 a8" "7 ac" "6 a8" | same - out
	silent_about letters err
	# packets that count say how many atoms are certain: the last one is not among the first three
	{ unit="$v4,0,8,0x10,0x10,0x08000ea1,0,0x1088,16,0,0" before; trace etm-async:0 hex:01090004 hex:04 etm-context:0x400080,0 \
		hex:0e0002 etm-atoms:ENE $(at 88) etm-atoms:EEEE hex:0c2a $(at 88) etm-atoms:N hex:0e0503; } | mkdata x.data
	$PERF script --symfs root --itrace=b -F ip,ipc -i x.data 2> err | sed -n "s/^ *4000\([0-9a-f]*\).*(\(.*\)) *$/\1 \2/p" > out
	echo "88 6/14" | same - out
'
check 'every instruction and every branch' '
	{ before; trace $start $loop $(at b0) etm-atoms:E $(at 9c) etm-atoms:NE hex:04; } | mkdata x.data
	test "$(list i1i)" = "80 84 a0 a4 a8 ac 88 80 84 a0 a4 ac 88 8c b0 9c a0 a4 a8 ac "
	test ! -s err
	test "$(list b)" = "0>80 84>a0 ac>88 88>80 84>a0 a4>ac ac>88 8c>b0 b0>9c ac>0 "
	test "$(list c)" = "84>a0 84>a0 8c>b0 ac>0 "
	test "$(list r)" = "0>80 ac>88 ac>88 ac>0 "
	test "$(list i4i)" = "a4 80 ac 9c ac "
	test "$(list i4ns)" = "$(list i4i)"
	test "$(list i0ns)" = "$(list i1i)"
	$PERF script --symfs root --itrace=b -F flags,ip -i x.data | tr -s " " | sed "s/^ //; s/ *$//; s/4000//" > flags
	expect flags
	$PERF report --symfs root --stdio -i x.data > out
	says "# Samples: 10  of event '"'"'branches:uh'"'"'" out
'
check 'barriers have an atom; waiting has one where the trace unit says so' '
	{ before; trace $start hex:04 etm-context:0x400090,0 etm-atoms:E hex:0605 $(at 98) hex:04 etm-context:0x40009c,0 etm-atoms:E hex:04; } | mkdata x.data
	test "$(list i1i)" = "90 94 9c a0 a4 "
	test "$(list b)" = "0>90 94>0 0>9c a4>ac "
	{ idr2=0x80001088; before; trace $start hex:04 etm-context:0x40009c,0 etm-atoms:ENE $(at 88) hex:04; } | mkdata x.data
	test "$(list i1i)" = "9c a0 a4 a8 ac "
'
check 'returns without an address, only if the return stack was enabled' '
	{ config=0x1000; before; trace $start hex:04 etm-context:0x400080,0 etm-atoms:ENEEEEE $(at b0) hex:04; } | mkdata x.data
	test "$(list b)" = "0>80 84>a0 ac>88 88>80 84>a0 a4>ac ac>b0 "
	{ config=0x1000; before; trace $start hex:04 etm-context:0x4000ac,0 etm-atoms:EE hex:04; } | mkdata x.data
	test "$(list b)" = "0>ac "
	says "the packets do not match the code" err
	{ before; trace $start hex:04 etm-context:0x400080,0 etm-atoms:ENEE hex:04; } | mkdata x.data
	test "$(list b)" = "0>80 84>a0 "
	says "the packets do not match the code" err
'

check 'exceptions: system calls, interrupts inside code, returns; the trace goes on after them' '
	kernel="etm-context:0xffff800000000800,1"
	{ before; trace $start hex:04 etm-context:0x400080,0 etm-atoms:E hex:061d $(at a4) $kernel etm-atoms:EEN etm-context:0x4000a4,0 hex:07 etm-atoms:EE \
		$(at 90) etm-atoms:E hex:0605 $(at 98) $kernel hex:04 $kernel hex:04 etm-context:0x400098,0 etm-atoms:E hex:0658 $(at 80) hex:04; } | mkdata x.data
	test "$(list i1i)" = "80 84 a0 a4 ac 90 94 98 "
	test "$(list b)" = "0>80 84>a0 a0>ffff800000000800 0>a4 a4>ac ac>90 94>ffff800000000800 0>98 98>80 80>0 "
	$PERF script --symfs root --itrace=b -F flags,ip -i x.data | tr -s " " | sed "s/^ //; s/ *$//; s/4000//" > flags-2
	expect flags-2
	# addresses in code that is not available match nothing
	{ before; trace $start hex:04 etm-context:0x400098,0 hex:061d $(at 98) $kernel etm-addr:0xffff800000000900 etm-context:0x400098,0 etm-atoms:E hex:04; } | mkdata x.data
	test "$(list b)" = "0>98 98>ffff800000000800 0>98 98>80 "
	silent_about match err
'
check 'speculation: only what was committed; canceled and mispredicted atoms; what an overflow leaves' '
	# three atoms may be uncommitted; E N E of the loop: the second one was mispredicted
	{ idr8=3; before; trace $start hex:04 etm-context:0x400080,0 etm-atoms:EE hex:2f00 hex:2d02 hex:f7 $(at 88) hex:2d01 hex:04; } | mkdata x.data
	test "$(list b)" = "0>80 84>a0 ac>88 "
	{ idr8=3; before; trace $start hex:04 etm-context:0x400080,0 etm-atoms:EEE hex:2e02 etm-atoms:NE $(at 88) hex:2d03 hex:04; } | mkdata x.data
	test "$(list b)" = "0>80 84>a0 ac>88 "
	# more than three: the first one is committed without a packet; the others are lost
	{ idr8=3; before; trace $start hex:04 etm-context:0x400080,0 etm-atoms:ENE $(at 88) etm-atoms:E hex:0005 hex:04 etm-context:0x400098,0 etm-atoms:E hex:2d01 hex:04; } | mkdata x.data
	test "$(list b)" = "0>80 84>a0 0>98 98>80 "
	says "the trace unit could not write fast enough" err
	# a packet of atoms and a cancel: mispredict with two, cancel with one
	{ idr8=3; before; trace $start hex:04 etm-context:0x400080,0 hex:f7 hex:31 hex:2d02 hex:f7 $(at 88) hex:2d01 hex:04; } | mkdata x.data
	test "$(list b)" = "0>80 84>a0 ac>88 "
	# no piece begins where elements before it are not certain: one is canceled after the next ASYNC packet
	two="aux ev=cs_etm// aux_offset=0 aux_size=32 flags=0x100 time=5000 tid=100 s_id=10
	aux ev=cs_etm// aux_offset=32 aux_size=4096 flags=0x100 time=6000 tid=100 s_id=10"
	{ aux=$two; idr8=3; before; trace $start hex:04 etm-context:0x400080,0 etm-atoms:EE hex:2d01 hex:70707070 etm-async:0 hex:010401 $(at ac) hex:2e01 etm-atoms:NE \
		$(at 88) hex:2d02 hex:04; } | mkdata x.data
	test "$(list b)" = "0>80 84>a0 ac>88 "
	test ! -s err
	# the last piece ends with atoms that nothing commits: they are taken to be true
	{ idr8=3; before; trace $start hex:04 etm-context:0x400080,0 etm-atoms:EE; } | mkdata x.data
	test "$(list b)" = "0>80 84>a0 a4>ac "
'
check 'calls over time' '
	{ config=0x1000; before; trace $start hex:04 etm-context:0x400080,0 etm-atoms:ENEEEEE $(at b0) hex:04; } | mkdata x.data
	$PERF script --symfs root -i x.data --call-timeline x.svg
	grep -o "<title>[^<]*: \(call\|partial\)[ :,]" x.svg | sed "s/.*: //" | sort | uniq -c | tr -s " " > kinds
	printf " 2 call:\n 1 partial:\n" | same - kinds
'
check 'ETE: source addresses, instructions that are only counted, transactions' '
	unit=$ete,0,9,0,0x10,0x28000ea1,0,0x1088,0,0,0x47705a13,0
	{ before; trace $start hex:04 etm-context:0x400080,0 etm-source:0x400084 etm-source:0x4000ac $(at 88) hex:f6 hex:ac05 $(at 98) hex:0a etm-source:0x400098 hex:0b \
		hex:0a etm-source:0x400084 hex:0631 $(at 9c) $(at 80) hex:04; } | mkdata x.data
	test "$(list i1i)" = "80 84 a0 a4 a8 ac 88 98 80 84 "
	test "$(list b)" = "0>80 84>a0 ac>88 0>98 98>80 84>a0 a0>80 "
'

# frames ID PACKETS: as frames of the formatter, with the rest of the last one filled up with events
frames() {
	id=$1
	shift
	{ echo "event a type=8 sample=ip"; echo "auxtrace_info auxtrace_type=3 priv=0"; echo "auxtrace $*"; } | mkdata packets.data
	$PERF script -D -i packets.data | sed -n "s/^\.  [0-9a-f]\{8\}:  \([0-9a-f ]*[0-9a-f]\) .*/\1/p" | tr " " "\n" |
		awk -v id=$id "{ printf \"%s%s\", NR % 14 == 1 ? \" etm-frames:\" id \",0x\" : \",0x\", \$1 } END { while (NR++ % 14) printf \",0x71\" }"
}
check 'trace IDs of several CPUs in one buffer; IDs from AUX_OUTPUT_HW_ID records; times of AUX records' '
	one="etm-async:0 hex:0100 hex:04 etm-context:0x400098,0 hex:f7 hex:04"
	two="etm-async:0 hex:0100 hex:04 etm-context:0x4000b8,0 hex:f7 hex:04"
	u="8,0,0x80000000,0x28000ea1,0,0x1088,0,0,0"
	all() {
		aux= unit="$v4,0,$u,$v4,1,$u,$v4,2,$u" before | sed "s/0x800000001/0x800000003/"
		echo "switch_cpu_wide misc=0 tid=100 pid=100 next_tid=0 time=12 cpu=1 s_id=10"
		for cpu in 0 1 2; do
			echo "itrace_start ev=cs_etm// pid=100 tid=100 time=13 cpu=$cpu s_id=10"
		done
		echo "aux_output_hw_id ev=cs_etm// hw_id=0x12 time=14 cpu=1 s_id=10"
		echo "aux_output_hw_id ev=cs_etm// hw_id=0x14 time=14 cpu=2 s_id=10"
		echo "aux ev=cs_etm// aux_offset=0 aux_size=64 flags=0 time=50 cpu=1 s_id=10"
		echo "aux ev=cs_etm// aux_offset=64 aux_size=32 flags=0 time=70 cpu=1 s_id=10"
		echo "auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=1 $(frames 0x12 $one) $(frames 0x14 $two) $(frames 0x12 $two)"
	}
	all | mkdata x.data
	show=cpu,tid,time,ip,addr script b
	sort out > sources
	expect sources
'
check 'threads: from context IDs, or VMIDs, which are those of the kernel with VHE' '
	more='"'"'echo "comm ev=dummy:u tid=200 comm=other time=10 s_id=11"; echo "mmap2 ev=dummy:u tid=200 addr=0x500000 len=0x1000 prot=5 flags=2 filename=/prog time=11 s_id=11"'"'"'
	{ config=0x40; before; eval "$more"; trace $start hex:04 etm-context:0x400098,0 hex:81b0c8000000 etm-addr:0x500098 etm-atoms:E hex:04; } | mkdata x.data
	show=comm,tid,ip,addr script b
	sort out > tids
	expect tids
	{ config=0x8080; before; eval "$more"; trace $start hex:04 etm-context:0x500098,0,200 etm-atoms:E hex:04; } | mkdata x.data
	show=comm,tid,ip,addr script b
	sort out > vmids
	expect vmids
'
check 'times of samples: time stamps of the virtual counter, else those of AUX records' '
	{ source=1; before; trace $start hex:02e807 hex:04 etm-context:0x400098,0 etm-atoms:E hex:02d00f etm-atoms:E $(at a0) hex:04; } | mkdata x.data
	script b
	says "0.000002100:0>98" out
	says "0.000004100:84>a0" out
	{ before; trace $start hex:02e807 hex:04 etm-context:0x400098,0 etm-atoms:E hex:04; } | mkdata x.data
	script b
	says "0.000005000:98>80" out
	# T: they are times of the kernel, which TIME_CONV describes, if it is there
	script Tb
	says "0.000002100:98>80" out
	silent_about "no events" err
	{ before | sed "/^time_conv/d"; trace $start hex:02e807 hex:04 etm-context:0x400098,0 etm-atoms:E hex:04; } | mkdata x.data
	script Tb
	says "0.000001000:98>80" out
'
check 'call chains and last branches, also from the piece before' '
	{ before; trace $start $loop $(at b0) hex:04; } | mkdata x.data
	$PERF script --symfs root --itrace=i1ig -F ip -i x.data | tr -d " \t" | sed "s/^4000//" | tr "\n" " " > chains
	says "80   84   a0 88   a4 88   a8 88   ac 88   88   80 " chains
	$PERF script --symfs root --itrace=i1il2 -F ip,brstack -i x.data | tr -s " " | sed "s/0x4000//g; s/4000//" > last
	expect last
	# an indirect call
	{ before; trace $start hex:04 etm-context:0x40008c,0 etm-atoms:E $(at a0) etm-atoms:E hex:04; } | mkdata x.data
	$PERF script --symfs root --itrace=i1ig -F ip -i x.data | tr -d " \t" | sed "s/^4000//" | tr "\n" " " > chains
	says "8c   a0 90   a4 90 " chains
'
check 'what is wrong is said, and the rest is left out until a packet says where it goes on' '
	# an atom N of a jump; an address that is not where the program is; an exception behind a branch
	{ before; trace $start hex:04 etm-context:0x400098,0 etm-atoms:N $(at 98) etm-atoms:E $(at 90) hex:061d $(at 9c) hex:04; } | mkdata x.data
	test "$(list b)" = "0>98 0>98 98>80 0>90 "
	says "3 places of the trace are left out: the packets do not match the code" err
	# bytes that are not a packet, up to the next ASYNC packet; padding is none
	{ before; trace $start hex:04 etm-context:0x400098,0 hex:93 etm-atoms:E $start etm-context:0x400098,0 etm-atoms:E hex:04 hex:00000000; } | mkdata x.data
	test "$(list b)" = "0>98 0>98 98>80 "
	says "1 places of the trace are damaged" err
	# without the program; code of 32 bits
	{ before; trace $start hex:04 etm-context:0x700098,0 etm-atoms:EE; } | mkdata x.data
	test "$(list b)" = ""
	says "1 places of the trace are left out: the code of their program is missing, or of another build" err
	silent_about itrace=q err
	{ before; trace $start hex:04 hex:824c00000020 etm-atoms:E; } | mkdata x.data
	test "$(list b)" = ""
	says "code is of 32 bits" err
	# ETMv3
	{ unit=0x3030303030303030,0,4,1,0x10,3,4; before; trace $start etm-atoms:E; } | mkdata x.data
	test "$(list b)" = ""
	says "libopencsd decodes ETMv3 and PTM" err
	# letters that mean nothing
	{ before; trace $start $loop hex:04; } | mkdata x.data
	$PERF script --symfs root --itrace=bw -i x.data > out 2> err
	says "Arm CoreSight has no events for the letters w" err
'
check 'endless code; words that are missing or describe nothing' '
	{ before; trace $start hex:04 etm-context:0x4000b8,0 hex:d4d4d4d4d4d4d4d4; } | mkdata x.data
	test "$(list i1000000i)" = ""
	test ! -s err || says "has no samples" err
	{ unit=1,2,3; before; trace $start etm-atoms:E; } | mkdata x.data
	test "$(list b)" = ""
	says "AUXTRACE_INFO describes no ETMv4 or ETE" err
	{ unit=$v4,0,99,1; before; trace $start etm-atoms:E; } | mkdata x.data
	test "$(list b)" = ""
'
check 'any cut into AUXTRACE records and any -j give the same samples; no instruction is lost between pieces' '
	turn="$start $loop $(at 80) hex:80"
	packets=$(i=0; while [ $i -lt 3000 ]; do echo "$turn"; i=$((i + 1)); done | tr "\n" " ")
	{ before; trace $packets; } | mkdata x.data
	of() { case $1 in *l*) echo time,ip,brstack ;; b) echo time,ip,addr ;; *) echo time,ip ;; esac; }
	for letters in i1i i7i b i3ig i5il4; do
		show=$(of $letters) j=1 script $letters
		mv out want-$letters
	done
	test "$(wc -l < want-i1i)" -gt 30000
	$PERF script -D -i x.data | sed -n "s/^\.  [0-9a-f]\{8\}:  \([0-9a-f ]*[0-9a-f]\) .*/\1/p" | tr -d " \n" | fold -w 22222 > hex
	{ before; n=0; while read -r h || test -n "$h"; do echo "auxtrace offset=$n reference=9 idx=0 tid=100 cpu=-1 data=$h"; n=$((n + 11111)); done < hex; } | mkdata x.data
	for letters in i1i i7i b i3ig i5il4; do
		for j in 1 3; do
			show=$(of $letters) j=$j script $letters
			cmp out want-$letters
		done
	done
'

have_LIBOPENCSD() {
	$PERF check feature libopencsd > /dev/null 2>&1 || { why="built without libopencsd"; return 1; }
}
# second LETTERS: what libopencsd decodes is what perf decodes
second() {
	for letters; do
		$PERF script --symfs root --itrace=$letters -F ${second_fields:-ip,addr,flags,insnlen} -i x.data > own 2> own.err
		PERF_CONFIG=config $PERF script --symfs root --itrace=$letters -F ${second_fields:-ip,addr,flags,insnlen} -i x.data > other 2> err
		same own other || { echo "$letters"; return 1; }
	done
}
check_if LIBOPENCSD 'libopencsd decodes the same' '
	printf "[coresight]\n\tdecoder = libopencsd\n" > config
	{ before; trace $start $loop $(at b0) etm-atoms:E $(at 9c) etm-atoms:NE hex:04; } | mkdata x.data
	second b i1i i4i cr i2il4 i1ig
	test -s other
	{ config=0x1000; before; trace $start hex:04 etm-context:0x400080,0 etm-atoms:ENEEEEE $(at b0) etm-atoms:E $(at 9c) etm-atoms:NE hex:04; } | mkdata x.data
	second b i1i i3ig
	# a system call, and an interrupt inside code
	{ before; trace $start hex:04 etm-context:0x400090,0 etm-atoms:E hex:0605 $(at 98) hex:04 etm-context:0x40009c,0 etm-atoms:E hex:04; } | mkdata x.data
	second b i1i i1ig
	# cycles
	{ config=0x10 before; trace etm-async:0 hex:01090004 hex:04 etm-context:0x400080,0 hex:0e02 etm-atoms:ENE hex:0c0a $(at 88) \
		etm-atoms:EEEE hex:13 $(at 88) etm-atoms:NE hex:04 etm-context:0x400080,0 etm-atoms:E hex:0c08 hex:0f \
		etm-atoms:NE hex:12 $(at 88) etm-atoms:N; } | mkdata x.data
	second_fields=event,period,ip,addr,ipc
	second b i1i i7i yi0ns cr y3i
	says IPC own
	second_fields=
	# ETE
	{ unit=$ete,0,9,0,0x10,0x28000ea1,0x4100fff3,0x1088,0,0,0x47705a13,0; before; trace $start $loop; } | mkdata x.data
	second b i1i
'
# A32 code at the same place: twice through a loop with a call
a32() {
	program | head -c 128
	printf '\000\000\240\341\002\000\000\353'	# 80 nop; 84 bl 94
	printf '\374\377\377\032\036\377\057\341'	# 88 bne 80; 8c bx lr
	printf '\000\000\240\341\000\000\240\341'	# 90 nop; 94 nop
	printf '\036\377\057\341'			# 98 bx lr
	program | tail -c +157
}
v3=0x3030303030303030
check_if LIBOPENCSD 'libopencsd decodes ETMv3 and PTM' '
	printf "[coresight]\n\tdecoder = libopencsd\n" > config
	export PERF_CONFIG=$PWD/config
	cp root/prog prog && a32 > root/prog
	# PTM: synchronization at 80, atoms of direct branches, addresses of the others
	{ unit=$v3,0,4,0,0x10,0,0x411cf310; before; trace hex:000000000080 hex:088000400021 hex:84458484458649 hex:84; } | mkdata x.data
	list i1i > ptm-list
	# ETMv3: atoms of instructions
	{ unit=$v3,0,4,0,0x10,0,0x411cf250; before; trace hex:000000000080 hex:082180004000 hex:90459445c08449 hex:84; } | mkdata x.data
	list i1i > v3-list
	list b > v3-b
	mv prog root/prog
	says "80 84 94 98 88 80 84 94 98 88 8c " ptm-list
	says "80 84 94 98 88 80 84 94 98 88 8c " v3-list
	says "0>80 84>94 98>88 88>80 84>94 98>88 8c>90 " v3-b
'
# the address sanitizer knows no exceptions of C++ in libraries that are loaded later
check_if LIBOPENCSD,PLAIN 'libopencsd says where code is missing, or the trace damaged' '
	printf "[coresight]\n\tdecoder = libopencsd\n" > config
	{ before; trace $start hex:04 etm-context:0x700098,0 etm-atoms:EE; } | mkdata x.data
	test "$(PERF_CONFIG=config list b)" = ""
	says "1 places of the trace are left out: the code of their program is missing" err
	{ before; trace $start hex:04 etm-context:0x400098,0 hex:93 etm-atoms:E $start hex:04 etm-context:0x400098,0 etm-atoms:E hex:04; } | mkdata x.data
	PERF_CONFIG=config list b > list
	says "98>80" list
'
check 'decoders that are not there' '
	{ before; trace $start $loop; } | mkdata x.data
	printf "[coresight]\n\tdecoder = other\n" > config
	PERF_CONFIG=config not $PERF script --itrace=b -i x.data 2> err
	says "is not a decoder of Arm CoreSight" err
'
