#!/bin/sh
# perf kvm stat report: the same rows as from the newest upstream, of the same assembled files. What differs
# on purpose: codes without a name are told apart, the first exit of a thread counts, --vcpu keeps Min Time.
. "$(dirname "$0")/../cli/lib.sh"
. "$SRC/tests/cli/kvm-lib.sh"
need NEWEST

kvm_formats
{ kvm_events; kvm_samples; } | mkdata x.data || exit 1
all_codes() { # CODE...
	kvm_entry 5 1000 0
	now=2000
	for code; do
		kvm_exit 5 $now $code 0
		kvm_entry 5 $((now + 10 * code + 100)) 0
		now=$((now + 10 * code + 200))
	done
}
# rows FILE: of the table, without blanks before them, unknown codes without their number
rows() { grep "%.*us" "$1" | sed "s/^ *//; s/^UNKNOWN:[0-9]*/UNKNOWN/"; }
# same_rows ORDER FILE ARGS...: ORDER is cat, or sort: upstream orders equal rows by name
same_rows() {
	order=$1 file=$2
	shift 2
	"$NEWEST" kvm -i "$file" stat report --stdio "$@" > theirs 2>&1
	$PERF kvm -i "$file" stat report --stdio "$@" > ours
	rows theirs | $order > theirs.rows
	rows ours | $order > ours.rows
	test -s theirs.rows
	same theirs.rows ours.rows
	grep "^Total Samples:" theirs > theirs.total
	grep "^Total Samples:" ours | same theirs.total -
}
check 'exits and accesses, and those of one machine' '
	for event in vmexit mmio ioport msr; do
		same_rows sort x.data --event $event
	done
	same_rows sort x.data -p 6'
check 'names of the exits of VMX, in the order of each key' '
	{ kvm_events; all_codes $(seq 0 4) $(seq 7 10) $(seq 12 16) $(seq 18 34) 36 37 $(seq 39 41) $(seq 43 64) 67 68 74 75; } | mkdata vmx.data
	for key in time max_t min_t mean_t; do
		same_rows cat vmx.data -k $key
	done
	test "$(wc -l < ours.rows)" -gt 60'
check 'names of the exits of SVM' '
	{ CPUID=AuthenticAMD,23,1,2; kvm_events; ISA=2
	  all_codes 0 2 3 4 8 16 18 19 20 24 $(seq 32 39) $(seq 48 55) 64 65 67 $(seq 96 139) 141 143 144 148 152 162 $(seq 1024 1027); } | mkdata svm.data
	same_rows cat svm.data -k time
	test "$(wc -l < ours.rows)" -gt 80'
check_if EVENTS 'symbols of a guest, where the recording has its maps; upstream reads those of the kernel itself' '
	printf "ffffffff8100%s\n" "0000 T _text" "1000 T guest_one" "2000 T guest_two" "f000 T _etext" > kallsyms
	: > modules
	mkdata g.data <<-END
	event cpu-clock type=software config=cpu-clock sample=ip|tid|time|period flags=sample_id_all|comm|mmap2
	comm tid=100 comm="qemu" time=1
	mmap pid=0 tid=0 addr=0xffffffff81000000 len=0xf000 pgoff=0xffffffff81000000 time=2 misc=guest_kernel filename="[guest.kernel.kallsyms]_text"
	sample tid=100 ip=0xffffffff81001010 period=1 time=100 misc=guest_kernel
	sample tid=100 ip=0xffffffff81002020 period=1 time=101 misc=guest_kernel
	sample tid=100 ip=0x1220 period=1 time=102 misc=guest_user
	END
	for tool in "$NEWEST" "$PERF"; do
		"$tool" script -i g.data -F ip,sym,symoff,dso --guestkallsyms kallsyms --guestmodules modules 2> err
	done > both
	sort both | uniq -c | grep -c "^ *2 " > alike
	test "$(cat alike)" = 3
	$PERF record -q -e cpu-clock --guestkallsyms kallsyms -o r.data true
	"$NEWEST" script -i r.data --show-mmap-events > out 2> err
	says "[0xffffffff81000000(0xf000) @ 0xffffffff81000000 00:00 0 0]: ---p [guest.kernel.kallsyms]_text" out
'
