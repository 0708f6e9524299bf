#!/bin/sh
# Intel PT beside the newest upstream: the same packets in the dump, the same instructions and branches.
. "$(dirname "$0")/../cli/lib.sh"
need NEWEST

check 'the same packets, also damaged ones, and the same words of AUXTRACE_INFO' '
	{ cat <<-END
	event intel_pt// type=8 config=0x2400 period=1 sample=ip|tid|time|cpu|identifier ids=10 flags=sample_id_all
	feature arch str:"x86_64"
	feature auxtrace u64:0
	auxtrace_info auxtrace_type=1 priv=8,10,512,0,1,0x400,0x800,0,0,0,0x200,0x3c000,168,2,2,20,11,0x6d207265746c6966,0x6e6961,1
	END
	# each byte as the first one and as the second one of a packet
	for payload in 0102030405060708090a 00000000000000000000 fffefdfcfbfaf9f8f7f6; do
		for i in $(seq 2 255); do
			printf "auxtrace offset=0 reference=9 idx=0 tid=100 cpu=-1 hex:%02x$payload pt-psb:0\n" $i
			printf "auxtrace offset=0 reference=9 idx=0 tid=100 cpu=-1 hex:02%02x$payload pt-bep:0 pt-tnt:N\n" $i
		done
	done; } | mkdata x.data
	for p in ours:$PERF theirs:$NEWEST; do
		${p#*:} script -D -i x.data 2> /dev/null | grep -e "^\.  0[0-9a-f]\{7\}:" -e "Processor Trace data" > ${p%%:*}
		${p#*:} script -D -i x.data 2> /dev/null | grep -A 20 "AUXTRACE_INFO type" | grep "^  [PTCNHSMF]" > ${p%%:*}.words
	done
	test "$(wc -l < ours)" -gt 5000
	same theirs ours
	test -s ours.words
	same theirs.words ours.words
'

# both FIELDS ARGS...: what both print of x.data
both() {
	fields=$1
	shift
	$PERF script "$@" -F $fields -i x.data > ours 2> ours.err
	$NEWEST script "$@" -F $fields -i x.data > theirs 2> theirs.err
	same theirs ours
}
# whether x.data has NR instructions, or where a step over one that a hypervisor emulates ended after the
# next one, NR without those
has_insns() {
	$PERF script --itrace=i1i -F ip,insn -i x.data > insns
	lines=$(wc -l < insns)
	emulated=$(grep -c "insn: 0f a2" insns || :)		# cpuid
	test "$lines" = "$1" || test "$lines" = $(($1 + emulated))
}
# walk TIMES ARGS...: the trace of a program that was executed step by step, which says how long it was
walk() {
	times=$1
	shift
	$PTGEN "$@" -r $times -o x.data -- /bin/true 2> made
	nr=$(sed -n "s/^insns \([0-9]*\) .*/\1/p" made)
	test "$nr" -gt 10000
	both ip --itrace=i1i
	has_insns $((nr * times))
	both ip,addr,flags --itrace=b
	test "$(wc -l < ours)" -gt 1000
}
check_if PTGEN 'every instruction and every branch of a program' '
	walk 1
'
check_if PTGEN 'the same with cycles, MTC packets, and returns that are not compressed' '
	walk 1 -c -m -R -p 256
'
check_if PTGEN 'the same in many pieces; periods and last branches there' '
	walk 6 -p 64 -c -m
	both ip,period --itrace=i1000i
	test "$(wc -l < ours)" -gt 100
	both ip,brstack --itrace=i1000il
'
check_if PTGEN 'instructions per cycle: where they are exact, and wherever the time changes' '
	$PTGEN -c -m -r 2 -o x.data -- /bin/true 2> made
	for letters in b Ab cr i1000i Ai1000i; do
		both ip,ipc --itrace=$letters
		test "$(grep -c IPC ours)" -ge 2
	done
'
