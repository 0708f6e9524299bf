#!/bin/sh
# perf script --call-timeline: branches of hardware traces become nested spans of calls; tail calls, gaps,
# longjmp, other stacks.
# threads
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/pt-lib.sh"

z8="$z4$z4"
# symbol NAME_OFFSET VALUE SIZE, octal: a function of section 1
symbol() {
	printf "$1\000\000\000\022\000\001\000$2\000\100\000$z4$3\000\000\000$z4"
}
# section NAME_OFFSET TYPE FLAGS ADDRESS OFFSET SIZE LINK ENTRY_SIZE, octal; the offset has two bytes
section() {
	printf "$1\000\000\000$2\000\000\000$3\000\000\000$z4$4$z4$5\000\000$z4$6\000\000\000$z4$7\000\000\000$z4$z8$8\000\000\000$z4"
}
# a program that is mapped at 0x400000: its code begins at 0x80, its symbols at 0x100, its sections at 0x200
program() {
	printf "\177ELF\002\001\001\000$z8\002\000\076\000\001\000\000\000\200\000\100\000$z4"
	printf "\100\000\000\000$z4\000\002\000\000$z4$z4\100\000\070\000\001\000\100\000\004\000\003\000"
	printf "\001\000\000\000\005\000\000\000$z8\000\000\100\000$z4\000\000\100\000$z4"
	printf "\000\001\000\000$z4\000\001\000\000$z4$z8$z8"
	printf '\350\033\000\000\000'		# 80 main: call a0
	printf '\350\066\000\000\000'		# 85 call c0
	printf '\017\005'			# 8a syscall
	printf '\377\320'			# 8c call *%rax
	printf '\353\360'			# 8e jmp 80
	printf '\220\220\220\220\220\220\220\220\220\220\220\220\220\220\220\220'
	printf '\220'				# a0 a: nop
	printf '\351\012\000\000\000'		# a1 jmp b0: a tail call
	printf '\220\220\220\220\220\220\220\220\220\220'
	printf '\303'				# b0 b: ret
	printf '\220\220\220\220\220\220\220\220\220\220\220\220\220\220\220'
	printf '\350\013\000\000\000'		# c0 deep: call d0
	printf '\303'				# c5 ret
	printf '\220\220\220\220\220\220\220\220\220\220'
	printf '\377\340'			# d0 leaf: jmp *%rax
	printf '\303'				# d2 ret
	printf '\220\220\220\220\220\220\220\220\220\220\220\220\220'
	printf '\220\220\220\220\220\220\220\220\220\220\220\220\220\220\220\220\220\220\220\220\220\220\220\220\220\220\220\220\220\220\220\220'
	# 100: symbols; 190: their names
	printf "$z8$z8$z8"
	symbol '\001' '\200' '\020'
	symbol '\006' '\240' '\006'
	symbol '\010' '\260' '\001'
	symbol '\012' '\300' '\006'
	symbol '\017' '\320' '\003'
	# 190
	printf '\000main\000a\000b\000deep\000leaf\000\000\000\000\000\000\000\000\000\000\000\000\000'
	# 1b0: names of sections
	printf '\000.text\000.symtab\000.strtab\000'				# 23 bytes
	i=23; while [ $i -lt 80 ]; do printf '\000'; i=$((i + 1)); done
	# 200
	printf "$z8$z8$z8$z8$z8$z8$z8$z8"
	section '\001' '\001' '\006' '\200\000\100\000' '\200\000' '\200' '\000' '\000'
	section '\007' '\002' '\000' "$z4" '\000\001' '\220' '\003' '\030'
	section '\017' '\003' '\000' "$z4" '\220\001' '\160' '\000' '\000'
}
program > prog

# at NS PACKETS: what happens then
at() {
	printf 'pt-tsc:%s ' "$1"
	shift
	printf '%s ' "$@"
}
start="pt-psb:0 pt-tsc:1000 pt-cbr:20 pt-mode:1 pt-psbend:0"
# spans ARGUMENTS: "LEVEL FROM-TO NAME kind", in ns
spans() {
	$PERF script -i x.data --call-timeline x.json -j${j-1} "$@" > out 2> err
	python3 -c "
import json
events = [e for e in json.load(open('x.json'))['traceEvents'] if e['ph'] in 'Xi']
level = []
for e in events:
    start, end = round(e['ts'] * 1000), round((e['ts'] + e.get('dur', 0)) * 1000)
    while level and not (start >= level[-1][0] and end <= level[-1][1]):
        level.pop()
    print('  ' * len(level) + '%d-%d %s %s' % (start, end, e['name'], e['cat']))
    if end > start:
        level.append((start, end))" > spans
}
notes() {
	grep "\"notes\"" x.json > notes
}
have_PYTHON() {
	echo "import json" | python3 2> /dev/null || { echo "no python3 with its json module"; return 1; }
}
calls() {
	at 1000 pt-pge:0x400080
	at 1100 pt-tnt:T			# a, b in its place, back
	at 1200 pt-tip:0x40008a			# deep, leaf, which jumps to main
	at 1300 pt-pgd:0,0			# the system call
	at 1400 pt-pge:0x40008c
	at 1500 pt-tip:0x4000d0			# calls leaf
	at 1600 pt-tip:0x4000d2
	at 1700 pt-tnt:T			# back; jumps to 80, calls a ...
	at 1800 pt-ovf:0
	at 1900 pt-fup:0x4000b0			# in b
	at 2000 pt-tip:0x400085			# returns to main, whose call is not known
	at 2100 pt-tip:0x40008a
	at 2200 pt-pgd:0,0
}
check_if PYTHON 'calls, tail calls, longjmp, system calls, lost parts' '
	{ before; trace $start $(calls); } | mkdata x.data
	spans
	expect spans spans
	notes; says "parts of the trace are lost, or do not match the code: 1" notes
	notes; says "jumps out of several functions (longjmp, exceptions): 2" notes
	grep -q "\"Overflow packet\"" x.json
'
check_if PYTHON 'the same from pieces, threads, and a pipe' '
	{ before; trace $start $(calls); } | mkdata x.data
	spans
	cp x.json want.json
	j=8 spans
	cmp x.json want.json
	cat x.data | $PERF script -i - --call-timeline pipe.json
	grep -v "\"file\"" want.json > want
	grep -v "\"file\"" pipe.json | cmp - want
'
check_if PYTHON 'a signal handler, and returns to another stack' '
	{ before; trace $start $(at 1000 pt-pge:0x400080) $(at 1100 pt-fup:0x4000a0 pt-pgd:0,0) $(at 1200 pt-pge:0x4000c0) \
		$(at 1300 pt-tip:0x4000d2) $(at 1400 pt-tnt:T) $(at 1500 pt-tip:0x4000d2) $(at 1600 pt-tip:0x40008a) \
		$(at 1700 pt-pgd:0,0); } | mkdata x.data
	spans
	expect switched spans
	notes; says "returns to another stack, after which the callers are not known: 1" notes
'
check_if PYTHON 'code that is missing is a gap; calls before and after it are one' '
	{ before; trace $start $(at 1000 pt-pge:0x40008c) $(at 1100 pt-tip:0x70000000) $(at 1200 pt-tip:0x40008e) $(at 1300 pt-tnt:T) \
		$(at 1400 pt-tip:0x4000d2) $(at 1500 pt-tnt:T) $(at 1600 pt-tnt:T) $(at 1700 pt-pgd:0,0); } | mkdata x.data
	spans
	expect missing spans
	notes; says "gaps because code is missing: 1" notes
'
check_if PYTHON 'filters and a part of the time: calls that began before it are known' '
	{ before; trace $start $(calls); } | mkdata x.data
	spans --time 0.000001020,0.000001250
	expect time spans
	not $PERF script -i x.data --call-timeline x.json --tid 7 2> err
	says "has no calls to draw, or filters keep none" err
'
bts() {
	cat <<-END
	event intel_bts// type=9 config=0 period=1 sample=ip|tid|identifier ids=10 flags=sample_id_all
	event dummy:u type=software config=9 sample=ip|tid|identifier ids=11 flags=sample_id_all|mmap|comm|mmap2
	feature hostname str:"$(uname -n)"
	feature osrelease str:"$(uname -r)"
	feature arch str:"x86_64"
	auxtrace_info auxtrace_type=2 priv=9,10,512,0,1,0
	comm ev=dummy:u tid=100 comm="btstest" s_id=11
	mmap2 ev=dummy:u tid=100 addr=0x400000 len=0x1000 prot=5 flags=2 filename="$(pwd)/prog" s_id=11
	auxtrace offset=0 reference=9 idx=0 tid=100 cpu=-1 bts:0x400080,0x4000a0,0 bts:0x4000a1,0x4000b0,0 bts:0x4000b0,0x400085,0 bts:0x400085,0x4000c0,0 \
		bts:0x4000c0,0x4000d0,0 bts:0x4000d0,0x40008a,0 bts:0x40008a,0xffffffff81000000,0 bts:0xffffffff81000010,0x40008c,0 \
		bts:0x40008c,0x4000d0,0 bts:0x4000d2,0x40008e,0 bts:0x4000a0,0xffffffff81000020,0 bts:0xffffffff81000030,0x4000a0,0 \
		bts:0x402000,0x400080,0 bts:0x40008e,0x400080,0 bts:0,0x400080,0
	END
}
check 'BTS: the code says which branches are calls, returns, interrupts' '
	bts | mkdata x.data
	$PERF script --itrace=b -F ip,addr,flags,insnlen -i x.data | sed "s/  */ /g" > out
	expect bts out
	for l in c r cr; do
		$PERF script --itrace=$l -F ip -i x.data | tr -d " " | tr "\n" " " > calls.$l
	done
	test "$(cat calls.c)" = "400080 400085 4000c0 40008a 40008c 4000a0 "
	test "$(cat calls.r)" = "4000b0 4000d2 0 "
	$PERF script --itrace=be -i x.data > out
	test "$(grep -c "ip 0x.* code 5: Failed to get instruction" out)" = 3
	says "pid 100 tid 100 ip 0x402000 code 5" out
	$PERF inject --itrace=b -i x.data -o y.data
	$PERF script -F ip -i y.data > injected
	$PERF script --itrace=b -F ip -i x.data | cmp - injected
'
check_if PYTHON 'BTS: without times each branch counts as 1 ns' '
	bts | mkdata x.data
	spans
	expect bts-calls spans
	notes; says "each branch counts as 1 ns" notes
'
check 'documents' '
	{ before; trace $start $(calls); } | mkdata x.data
	$PERF script -i x.data --call-timeline x.html
	says "\"levels\":4" x.html
	says "\"v\":[" x.html
	$PERF script -i x.data --call-timeline x.svg
	says "<title>pttest:100: tail-call" x.svg
	not $PERF script -i x.data --call-timeline x.txt 2> err
	says "end it with .svg, .html" err
'
check 'what excludes it, and files without a trace' '
	{ before; trace $start $(calls); } | mkdata x.data
	for o in --json -D -Smain --dsos=prog --itrace=cr; do
		status=0
		$PERF script -i x.data --call-timeline x.json $o > out 2> err || status=$?
		test $status = 129 || { echo "$o: $status"; false; }
	done
	not $PERF script -i x.data --call-timeline x.json --no-itrace 2> err
	says "has no branches of a hardware trace" err
	{ before | grep -v auxtrace; } | mkdata none.data
	not $PERF script -i none.data --call-timeline x.json 2> err
	says "has no branches of a hardware trace" err
'
check_if GCC 'functions that are inlined' '
	cat > in.c <<-\EOF
	static inline __attribute__((always_inline)) void inner(void) { __asm__ volatile("nop\nnop"); }
	static inline __attribute__((always_inline)) void outer(void) { inner(); }
	void _start(void) { outer(); __asm__ volatile("nop"); }
	EOF
	gcc -g -O1 -fcf-protection=none -nostdlib -static -no-pie -Wl,-z,noseparate-code -o prog in.c
	first=$(nm prog | sed -n "s/^\([0-9a-f]*\) . _start\$/0x\1/p")
	{ before; trace $start $(at 1000 pt-pge:$first) $(at 1100 pt-fup:$((first + 2)) pt-pgd:0,0); } | mkdata x.data
	$PERF script -i x.data --call-timeline x.svg
	says "inlined 100 ns: outer" x.svg
	says "inlined 100 ns: inner" x.svg
	$PERF script -i x.data --no-inline --call-timeline x.svg
	silent_about inner x.svg
'
