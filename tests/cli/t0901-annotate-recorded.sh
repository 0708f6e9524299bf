#!/bin/sh
# perf annotate of code that is in no file of a program: jitdump files, BPF programs in the recording.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/jitdump-lib.sh"

have_DISASM() {
	"$PERF" check -q feature libcapstone || { echo "needs libcapstone"; return 1; }
}
need DISASM

# the code of "first" makes room for "second" at the same address: push %rax, push %rcx, pop %rax, pop %rcx
jit_recording() {
	mkdir -p jit
	{ jit_header 9; jit_load 9 2000 0x7000 1 first PQXY
	  jit_load 9 4000 0x7000 2 second XXXX; jit_move 9 6000 0x7000 0x9000 4 2; } > jit/jit-9.dump
	{ echo "feature arch str:\"x86_64\""
	  echo "event cpu-clock config=cpu-clock sample=ip|tid|time|period|identifier flags=sample_id_all|mmap2|comm|use_clockid clockid=1 ids=7"
	  echo "comm tid=1009 comm=js time=1"
	  echo "mmap2 tid=1009 addr=0xf0000 len=0x1000 prot=5 flags=2 filename=\"$PWD/jit/jit-9.dump\" time=1000"
	  echo "sample tid=1009 ip=0x7002 time=3000"
	  echo "sample tid=1009 ip=0x7003 time=5000"
	  echo "sample tid=1009 ip=0x9003 time=7000"; } | mkdata jit.data
}
check 'code of a jitdump file, of two functions at one address, and moved' '
	jit_recording
	$PERF annotate --stdio -i jit.data -s first > out 2> err
	tr -s " \t" " " < out > got
	says "7000: pushq %rax" got
	says "100.00 : 7002: popq %rax" got
	says "7003: popq %rcx" got
	$PERF annotate --stdio -i jit.data -s second > out 2> err
	tr -s " \t" " " < out > got
	says "100.00 : 7003: popq %rax" got
	silent_about push got'
check 'without the dump the reason is said' '
	jit_recording
	$PERF pack -i jit.data -o jit.pack
	rm -r jit
	$PERF annotate --stdio -i jit.pack -s first > out 2>&1
	says "jit-9.dump" out'
# program ARRAYS LENGTH: a recording with a BPF program, xor %eax,%eax; inc %eax; ret, and another one
program() {
	cat <<-END
	feature arch str:"x86_64"
	feature bpf_prog_info u32:1 u32:132,24 u64:$1
	feature bpf_prog_info u32:1,7 hex:0102030405060708 u32:$2,0 u64:0,0,0 u32:0,0 u64:0 text:"prog" zero:12
	feature bpf_prog_info u32:0,0 u64:0,0 u32:1,1 u64:8,16 u32:0
	feature bpf_prog_info hex:31c0ffc0c3 zero:3 u64:0xffffffffc0001000 u32:5 zero:4
	event cpu-clock config=cpu-clock sample=ip|tid|time|period flags=sample_id_all|ksymbol
	ksymbol addr=0xffffffffc0001000 len=5 ksym_type=1 name="bpf_prog_0102030405060708_prog" time=1
	ksymbol addr=0xffffffffc0003000 len=5 ksym_type=1 name="bpf_prog_ffffffffffffffff_other" time=1
	sample tid=1 ip=0xffffffffc0001002 misc=kernel time=5
	sample tid=1 ip=0xffffffffc0003002 misc=kernel time=6
	END
}
check 'code of BPF programs that the recording describes' '
	program 0x19 5 | mkdata b.data
	$PERF annotate --stdio -i b.data -s bpf_prog_0102030405060708_prog > out 2> err
	tr -s " \t" " " < out > got
	says "ffffffffc0001000: xorl %eax,%eax" got
	says "100.00 : ffffffffc0001002: incl %eax" got
	says "ffffffffc0001004: retq" got
	$PERF annotate --stdio -i b.data -s bpf_prog_ffffffffffffffff_other > out 2>&1
	says "has no code of bpf_prog_ffffffffffffffff_other" out'
check 'an image that was not recorded, or is too short, is none' '
	for p in "0x18 5" "0x19 4" "0x19 0" "0x19 0x7fffffff"; do
		program $p | mkdata n.data
		$PERF annotate --stdio -i n.data -s bpf_prog_0102030405060708_prog > out 2>&1
		says "has no code of bpf_prog_0102030405060708_prog" out
	done'
# functions at 0x7000 (line 2 at its beginning, 4 from its third byte on) and 0x8000, which has no lines
line_recording() {
	printf "one\ntwo\nthree\nfour\n" > app.js
	{ jit_header 9; jit_debug 2000 0x7000 "$PWD/app.js" 2:0 4:2; jit_load 9 2000 0x7000 1 first PQXY
	  jit_load 9 2001 0x8000 2 second PX; } > jit/jit-9.dump
	{ echo "feature arch str:\"x86_64\""
	  echo "event cpu-clock config=cpu-clock sample=ip|tid|time|period|identifier flags=sample_id_all|mmap2|comm|use_clockid clockid=1 ids=7"
	  echo "comm tid=1009 comm=js time=1"
	  echo "mmap2 tid=1009 addr=0xf0000 len=0x1000 prot=5 flags=2 filename=\"$PWD/jit/jit-9.dump\" time=1000"
	  echo "sample tid=1009 ip=0x7003 time=3000"
	  echo "sample tid=1009 ip=0x7000 time=3001"
	  echo "sample tid=1009 ip=0x8001 time=3002"; } | mkdata lines.data
}
check 'source lines that a jitdump file has: in code, in reports and in lists' '
	mkdir -p jit
	line_recording
	$PERF annotate --stdio -i lines.data -s first > out
	sed -n "s/ *: 0*7000 <first>:/first/p; s/^ *: \([0-9]\)/\1/p" out | tr -s " " > got
	printf "first\n2 two\n3 three\n4 four\n" > want
	same want got
	$PERF report -i lines.data -s sym,srcline > out
	tr -s " " < out > got
	says "first app.js:2" got
	says "first app.js:4" got
	silent_about "second app.js" got
	$PERF script -i lines.data -F ip,sym,srcline > out
	says "app.js:4" out
	test "$(grep -c app.js: out)" = 2
'
check 'files that inject makes have them, too' '
	$PERF inject -j -i lines.data -o injected.data
	rm jit/jit-9.dump
	$PERF annotate --stdio -i injected.data -s first > out
	says " : 4    four" out
	$PERF report -i injected.data -s sym,srcline > out
	tr -s " " < out > got
	says "first app.js:2" got
'
