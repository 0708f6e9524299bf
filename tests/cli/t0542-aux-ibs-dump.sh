#!/bin/sh
# AMD IBS: the registers in raw data of samples, by name, in the dump.
. "$(dirname "$0")/lib.sh"

# le N BYTES: escapes of a number
le() {
	n=$1 i=0
	while [ $i -lt "$2" ]; do
		printf '\\x%02x' $((n & 255))
		n=$(((n >> 8) & 0xffffffffffffff)) i=$((i + 1))
	done
}
# sample CAPABILITIES REGISTERS...
sample() {
	printf 'sample tid=100 cpu=0 time=1000 ip=0x401000 raw="'
	le "$1" 4
	shift
	for r; do le "$r" 8; done
	echo '"'
}
# before PMU [CPUID]
before() {
	cat <<-END
	event $1// type=11 config=0 period=100000 sample=ip|tid|time|cpu|raw|identifier ids=10 flags=sample_id_all
	feature arch str:"x86_64"
	feature cpuid str:"${2-AuthenticAMD,25,17,1}"
	feature pmu_mappings u32:2 u32:4 str:"cpu" u32:11 str:"$1"
	END
}
# lines: the registers
lines() {
	$PERF script -D -i x.data > dump
	grep "^ib\|^Ibs\|^ic_" dump > regs || true
}

check 'fetches: fields, pages, what only complete ones have, Zen 4, extended control' '
	{ before ibs_fetch; sample 0x1ff 0x3123456789abc 0x401000 0x8000; sample 0x1ff 0x7f7f123456789abc 0x401000 0x8000 0x55
	  sample 0xbff 0x3833000000000000 0x401000 0x8000 0x55; } | mkdata x.data
	lines
	expect fetch regs
'
check 'operations: branches, data sources, widths, addresses' '
	{ before ibs_op; sample 0x1ff 0x60000 0x401000 0x120034 0x22 0x0142000001160085 0x7000 0x8000
	  sample 0x1ff 0x7fe1234 0x401000 0x3800000000 3 0x60002 0x7000 0x8000 0x409000
	  sample 0x1ff 0x60001 0x401000 0x4000000000 4 0x20002 0x7000 0x8000; } | mkdata x.data
	lines
	expect op regs
'
check 'Zen 4: by the capabilities of a sample, or of the PMU; data4' '
	{ before ibs_op; sample 0xfff 0x70000 0x401000 0 0x22 0x60081 0x7000 0x8000 0 1; sample 0xfff 0x60000 0x401000 0 0x44 0x40081 0x7000 0x8000 0 0
	  } | mkdata x.data
	lines
	expect zen4 regs
	{ before ibs_op | sed "s/^feature cpuid/feature pmu_caps u32:1 u32:1 str:\"zen4_ibs_extensions\" str:\"1\" str:\"ibs_op\"\n&/"
	  sample 0x7ff 0x70000 0x401000 0 0x22 0x60081 0x7000 0x8000 0 1; sample 0x7ff 0x60000 0x401000 0 0x44 0x40081 0x7000 0x8000 0 0; } | mkdata x.data
	lines
	expect zen4 regs
'
check 'the first models of Zen 3: other pages, and numbers that are wrong are left out' '
	{ before ibs_op AuthenticAMD,25,1,1; sample 0x1ff 0x60000 0x401000 0 3 0x300081 0x7000 0x8000; sample 0x1ff 0x60000 0x401000 0 3 0x100081 0 0; } |
		mkdata x.data
	lines
	expect zen3 regs
	{ before ibs_fetch AuthenticAMD,25,15,1; sample 0x1ff 0x3b000000000000 0x401000 0x8000; } | mkdata x.data
	lines
	says "Comp 0 PhyAddrValid 1 L1TlbPgSz 16KB" regs
'
check 'registers that are not valid or not there, and events of other PMUs, have no lines' '
	{ before ibs_op; sample 0x1ff 0x40000 1 2 3 4 5 6; sample 0x1ff 0x20000 1 2 3 4 5 6; sample 0x1ff 0x60000 1 2 3 4 5; sample 0x1ff
	  echo "sample tid=100 cpu=0 time=1 ip=1 raw=\"ab\""; } | mkdata x.data
	lines
	test ! -s regs
	test "$(grep -c PERF_RECORD_SAMPLE dump)" = 5
	{ before ibs_op; sample 0x1ff 0x60000 0x401000 0x2000000000 3 0 0 0; } | mkdata x.data
	lines
	silent_about IbsBrTarget regs
	says "BrnRet 1" regs
	{ before other; sample 0x1ff 0x60000 0x401000 0 3 0 0 0; } | mkdata x.data
	lines
	test ! -s regs
'
