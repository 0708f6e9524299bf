# shellcheck shell=sh disable=SC2154
# kvm-lib.sh: files with the events of KVM.

# kvm_formats: in f1 to f5
kvm_formats() {
	trace_format kvm_entry 11 4:vcpu_id > f1
	trace_format kvm_exit 12 4:exit_reason 4:isa 4:vcpu_id > f2
	trace_format kvm_mmio 13 8:type 8:gpa 8:val > f3
	trace_format kvm_pio 14 4:rw 4:port 4:size 4:count 4:val > f4
	trace_format kvm_msr 15 4:write 4:ecx 4:data > f5
}
# kvm_events: what a file says about its events. CPUID: of the header
kvm_events() {
	for n in 1:kvm_entry 2:kvm_exit 3:kvm_mmio 4:kvm_pio 5:kvm_msr; do
		echo "event kvm:${n#*:} type=tracepoint config=1${n%:*} sample=identifier|ip|tid|time|cpu|raw|period ids=${n%:*}"
	done
	echo 'feature arch str:"x86_64"'
	echo "feature cpuid str:\"${CPUID:-GenuineIntel,6,85,7}\""
	echo 'feature tracing_data hex:170844 text:"tracing" text:"0.6" u8:0,0,8 u32:4096'
	echo 'feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:0'
	echo 'feature tracing_data u32:1 text:"kvm" u8:0 u32:5'
	for f in f1 f2 f3 f4 f5; do
		echo "feature tracing_data u64:$(wc -c < $f) file:$f"
	done
	echo 'feature tracing_data u32:0,0 u64:0'
	echo 'feature event_desc'
}
# kvm_sample EVENT TID NANOSECONDS BODY: a second after the beginning; PID: instead of TID
kvm_sample() {
	echo "sample id=$1 pid=${PID:-$2} tid=$2 cpu=0 time=$((1000000000 + $3)) u16:1$1 u8:0,0 u32:5 $4"
}
# all begin with TID TIME: VCPU; REASON VCPU (ISA: 2 for SVM); TYPE ADDRESS; WRITES PORT; WRITES NUMBER
kvm_entry() { kvm_sample 1 $1 $2 u32:$3; }
kvm_exit() { kvm_sample 2 $1 $2 u32:$3,${ISA:-1},$4; }
kvm_mmio() { kvm_sample 3 $1 $2 u64:$3,$4,0; }
kvm_pio() { kvm_sample 4 $1 $2 u32:$3,$4,1,1,0; }
kvm_msr() { kvm_sample 5 $1 $2 u32:$3,$4,0; }

# two virtual CPUs of two machines; upstream counts exits after the first entry
kvm_samples() {
	echo 'comm pid=5 tid=5 comm="qemu"'
	kvm_entry 5 1000 0
	kvm_exit 5 2000 12 0; kvm_entry 5 5000 0
	kvm_exit 5 6000 12 0; kvm_entry 5 10000 0
	kvm_exit 5 11000 30 0; kvm_pio 5 11500 1 0x3f8; kvm_entry 5 14000 0
	kvm_exit 5 15000 48 0; kvm_mmio 5 15500 2 0xfee00000; kvm_entry 5 18000 0
	kvm_exit 5 19000 48 0; kvm_mmio 5 19500 1 0xfee00010; kvm_entry 5 21000 0
	kvm_exit 5 22000 32 0; kvm_msr 5 22300 1 0x6e0; kvm_entry 5 23000 0
	kvm_exit 5 24000 31 0; kvm_pio 5 24100 0 0x60; kvm_msr 5 24300 0 0x6e0; kvm_entry 5 25500 0
	kvm_exit 5 26000 99 0; kvm_mmio 5 26100 1 0xb000; kvm_mmio 5 26200 2 0xa000; kvm_entry 5 27000 0
	kvm_entry 6 1000 1
	kvm_exit 6 2000 12 1; kvm_entry 6 9000 1
	kvm_exit 6 9500 12 1
}
