#!/bin/sh
# perf kvm stat: exits of virtual CPUs and accesses, paired from assembled files; recording, where the kernel
# has the events.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/kvm-lib.sh"

kvm_formats
{ kvm_events; kvm_samples; } | mkdata x.data || exit 1

check 'exits by reason: samples, shares, times and the error of the mean' '
	$PERF kvm stat report -i x.data --stdio > out
	expect vmexit out
	cp x.data perf.data.guest
	$PERF kvm stat report | same out -
	$PERF kvm -i x.data stat report -k sample | same out -
	cat x.data | $PERF kvm stat -i - report | same out -'
check 'accesses of devices, ports and registers' '
	for event in mmio ioport msr; do
		$PERF kvm stat report -i x.data --event $event
	done > out
	expect accesses out'
# column N OPTIONS...: that column of the rows
column() {
	column=$1
	shift
	$PERF kvm stat report -i x.data -x, "$@" | grep "^[A-Z0]" | cut -d, -f$column | tr "\n" " "
}
check 'sort keys: largest first, then by code' '
	test "$(column 1)" = "HLT EPT_VIOLATION IO_INSTRUCTION MSR_READ MSR_WRITE UNKNOWN:99 "
	test "$(column 1 -k min_t)" = "HLT IO_INSTRUCTION EPT_VIOLATION MSR_READ MSR_WRITE UNKNOWN:99 "
	test "$(column 1 -k mean_t)" = "HLT IO_INSTRUCTION EPT_VIOLATION MSR_READ MSR_WRITE UNKNOWN:99 "
	test "$(column 1 --event mmio -k time)" = "0xfee00000:W 0xa000:W 0xfee00010:R 0xb000:R "
	test "$(column 1 --event mmio -k sample,max_t)" = "0xfee00000:W 0xa000:W 0xfee00010:R 0xb000:R "
	test "$(column 1 -k max_t)" = "HLT IO_INSTRUCTION EPT_VIOLATION MSR_READ MSR_WRITE UNKNOWN:99 "
	for key in percent_sample time percent_time; do
		test "$(column 1 -k $key)" = "HLT EPT_VIOLATION IO_INSTRUCTION MSR_READ MSR_WRITE UNKNOWN:99 "
	done
	for wrong in name sample,sample bogus; do
		fails_with 129 $PERF kvm stat report -i x.data -k $wrong 2> err
	done
	says "they are sample, percent_sample, time, " err'
check 'filters by virtual CPU, process and time' '
	test "$(column 1,4,6 --vcpu 1)" = "HLT,7000,7000 "
	test "$(column 1,2 -p 6)" = "HLT,1 "
	test "$(column 1,2 -p 5 --vcpu 0 -k time | cut -c 1-5)" = "HLT,2"
	test -z "$(column 1 -p 5 --vcpu 1)"
	test "$(column 1,2 --time 1.000010,1.000014)" = "IO_INSTRUCTION,1 "
	$PERF kvm stat report -i x.data -p 5,6 --vcpu 0 > out
	says "# Events of pid(s) 5,6, VCPU 0" out
	fails_with 129 $PERF kvm stat report --vcpu x 2> err
	says "is not the number of a virtual CPU" err'
check 'what has no beginning or no end is counted, and lost events are told' '
	{ kvm_events
	  kvm_exit 5 1000 12 0; kvm_exit 5 2000 30 0; kvm_entry 5 3000 0; kvm_entry 5 4000 0; kvm_entry 5 5000 0
	  kvm_exit 5 6000 48 0; kvm_mmio 5 6200 1 0xa; kvm_mmio 5 6300 1 0xb; kvm_entry 5 7000 0
	  kvm_exit 5 8000 48 0; kvm_mmio 5 8100 2 0xc; kvm_mmio 5 8200 0 0xe; kvm_mmio 5 8400 2 0xd; kvm_entry 5 8500 0
	  kvm_exit 5 9000 48 0; kvm_mmio 5 9100 2 0xe; kvm_mmio 5 9400 1 0xf; kvm_entry 5 9900 0
	  kvm_exit 5 10000 48 0; kvm_mmio 5 10100 2 0x10
	  echo "lost_samples id=1 lost=7"; } | mkdata gaps.data
	$PERF kvm stat report -i gaps.data > out
	says "IO_INSTRUCTION          1 " out
	silent_about HLT out
	says "Exits without an entry after them: 2 (not counted)" out
	says "Entries without an exit before them: 2 (not counted)" out
	says "Events lost while recording: 7 (" out
	$PERF kvm stat report -i gaps.data --event mmio -x, > out
	grep "^0x" out | cut -d, -f1,2,4 > rows
	printf "%s\n" 0xa:R,1,200 0xd:W,1,100 0xe:W,1,300 | same - rows
	says "Accesses without an end of their own: 2 (not counted)" out
	says "Accesses without a beginning of their own: 2 (not counted)" out
	$PERF kvm stat report -i x.data --event msr > out
	silent_about "not counted" out'
check 'typed values as JSON' '
	$PERF kvm stat report -i x.data --json > out
	says "{\"name\": \"HLT\", \"sample\": 3, \"percent_sample\": 33.3333, \"time\": 14000, \"percent_time\": 54.902, \"min_t\": 3000, \"max_t\": 7000, \"mean_t\": 4666.666666666667, \"error\": 25.7539}" out
	sed -n "/^  .summary/,\$p" out | tr -d " \n" > sum
	printf "%s" "\"summary\":{\"samples\":9,\"time-us\":25.5},\"losses\":{\"no-end\":1,\"no-begin\":0,\"lost-events\":0},\"notes\":[]}" | same - sum
	fails_with 129 $PERF kvm stat report -i x.data --json -x, 2> err
	says "exclude each other" err'
check 'reasons of AMD, by the field or by the CPU of the header, and a failed entry of VMX' '
	amd_exits() {
		kvm_exit 5 1000 0x400 0; kvm_entry 5 2000 0
		kvm_exit 5 3000 0x78 0; kvm_entry 5 4000 0
		kvm_exit 5 5000 0xffffffff 0; kvm_entry 5 6000 0
	}
	{ kvm_events; ISA=2; amd_exits; } | mkdata amd.data
	$PERF kvm stat report -i amd.data -x, > out
	grep -o "^[a-z_]*,1," out | tr "\n" " " > rows
	test "$(cat rows)" = "hlt,1, npf,1, invalid_guest_state,1, "
	trace_format kvm_exit 12 4:exit_reason 4:other 4:vcpu_id > f2
	{ CPUID=AuthenticAMD,23,1,2; kvm_events; ISA=1; amd_exits; } | mkdata old.data
	{ kvm_events; kvm_exit 5 1000 0x80000021 0; kvm_entry 5 2000 0; } | mkdata failed.data
	kvm_formats
	$PERF kvm stat report -i old.data -x, > out
	grep -o "^[a-z_]*,1," out | tr "\n" " " | same rows -
	$PERF kvm stat report -i failed.data > out
	says " INVALID_STATE,FAILED_VMENTRY          1 " out'
check 'arm64: classes of traps, other returns, and no numbers of virtual CPUs' '
	trace_format kvm_entry 11 4:vcpu_pc > f1
	trace_format kvm_exit 12 4:ret 4:esr_ec 4:vcpu_pc > f2
	{ kvm_events
	  for s in "1000 2 0x24" "3000 0 0" "5000 2 1" "7000 2 0x3f"; do
		set -- $s
		kvm_sample 2 5 $1 u32:$2,$3,0
		kvm_entry 5 $(($1 + 1000)) 0
	  done; } | mkdata arm.data
	kvm_formats
	$PERF kvm stat report -i arm.data -x, > out
	grep ",1,25.00" out | cut -d, -f1 | tr "\n" " " > rows
	test "$(cat rows)" = "WFx DABT_LOW UNKNOWN:63 IRQ "
	fails_with 1 $PERF kvm stat report -i arm.data --vcpu 0 2> err
	says "do not tell the number of the virtual CPU" err'
check 'what a file lacks is one message' '
	echo "event cycles" | mkdata other.data
	fails_with 1 $PERF kvm stat report -i other.data 2> err
	says "perf kvm stat record" err
	trace_format kvm_exit 12 4:isa > f2
	{ kvm_events; kvm_samples; } | mkdata bad.data
	kvm_formats
	fails_with 1 $PERF kvm stat report -i bad.data 2> err
	says "the recorded format of event '\''kvm:kvm_exit'\'' has no field '\''exit_reason'\''" err
	{ kvm_events; kvm_samples; echo "sample id=2 tid=5 cpu=0 time=2000000000 u16:12 u8:0,0 u32:5"; } | mkdata short.data
	$PERF kvm stat report -i short.data > out 2> err
	says "Total Samples:9," out
	says "1 tracepoint samples have no readable format" err'
check 'words that are wrong, and what is not available yet' '
	for wrong in "-o x stat report" "stat -p 5 record" "-i x stat record" "" nonsense stat "stat report more" "stat report --event nonsense" "stat report -d 1" "stat live -i x" "stat live --json" "stat live -d 0"; do
		fails_with 129 $PERF kvm $wrong 2> err
		test -s err
	done
	fails_with 129 $PERF kvm stat live --event nonsense 2> err
	says "is not vmexit, mmio, ioport or msr" err
	for later in --guest-code "--guestmount x"; do
		fails_with 1 $PERF kvm $later report 2> err
		says "not available yet" err
	done'

have_KVM() {
	test -e /sys/kernel/tracing/events/kvm/kvm_entry || { echo "no kvm events"; return 1; }
}
have_GUEST() {
	$PERF test -w kvm_exits 1 > log 2>&1 || { cat log; return 1; }
}
check_if ROOT,EVENTS,TRACEFS,KVM,GUEST 'live: tables while a guest runs; their sums are what it did' '
	$PERF kvm stat live -d 100ms --event ioport $PERF test -w kvm_exits 60000 > out
	# a KVM without events of entries gives no times
	test "$(grep -c "^# Events of all VMs, all VCPUs" out)" -gt 1
	sum=$(sed -n "s/^Total Samples:\([0-9]*\),.*/\1/p; s/^Accesses without an end of their own: \([0-9]*\).*/\1/p" out | tr "\n" +)
	lost=$(sed -n "s/^Events lost while recording: \([0-9]*\).*/\1/p" out | tail -n 1)
	test $((${sum}0 + ${lost:-0})) -ge 60000
	$PERF kvm stat live -x, --event ioport $PERF test -w kvm_exits 10 > out
	says "IO Port Access,Samples,Samples%,Time," out
	fails_with 255 $PERF kvm stat live nosuchcommand 2> err
	says "nosuchcommand" err
'
check_if ROOT,EVENTS,TRACEFS,KVM 'records what report reads' '
	rm -f perf.data.guest
	$PERF kvm stat record -q true
	$PERF evlist -i perf.data.guest > events
	for e in kvm_entry kvm_exit kvm_mmio; do
		grep -qx "kvm:$e" events
	done
	$PERF kvm stat report > out
	says "Total Samples:" out
	$PERF kvm stat -o named.data record -q -p $$ true
	$PERF evlist -i named.data > events
	grep -qx kvm:kvm_exit events'
check_if EVENTS 'other words are a command that perf stat counts in guests' '
	attrs() { $PERF kvm "$@" -vv -e page-faults true 2>&1 | sed -n "s/^ *\(exclude_[gh][a-z]*\)  *1$/\1/p"; }
	test "$(attrs stat)" = exclude_host
	test "$(attrs --host stat)" = ""
	test "$(attrs --host --no-guest stat)" = exclude_guest
	$PERF kvm stat -x, -e page-faults -- echo report 2> err > out
	test "$(cat out)" = report
	says ",page-faults" err
	fails_with 129 $PERF kvm -i x stat true 2> err
	says "-i has no meaning before" err
	fails_with 129 $PERF kvm stat 2> err
	says "record, report or live" err'
