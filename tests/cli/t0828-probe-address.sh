#!/bin/sh
# Samples of probes belong to the probed instruction, where the kernel records the address after the
# breakpoint.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/x86-code-lib.sh"
need X86_CODE
# work: 0x401000 push, 401001 xor, 401003 pop, 401004 ret; caller: 401005 call, 40100a ret
prog=pra$$
cat > $prog.s <<'END'
	.globl work
	.type work, @function
work:	push %rbp
	xor %eax, %eax
	pop %rbp
	ret
	.size work, . - work
	.globl _start
	.type _start, @function
_start:	call work
	mov $60, %eax
	xor %edi, %edi
	syscall
	.size _start, . - _start
END
gcc -g -nostdlib -static -Wl,-Ttext=0x401000 -Wl,--build-id=none -o $prog $prog.s 2> gcc.log ||
	skip_all "gcc cannot link: $(head -1 gcc.log)"
at=$(readelf -lW $prog | awk '$1 == "LOAD" && $7 ~ /E/ { print $2; exit }')


# profile ORDER: samples of a probe, of its return, and of a probe that records no call chains
profile() {
	trace_format work 5 8:__probe_ip 8:n > entry
	trace_format work__return 6 8:__probe_func 8:__probe_ret_ip > return
	bits="identifier|ip|tid|time|period|raw|callchain"
	[ "$1" = big ] && is_big=1 || is_big=0
	cat <<-END
	order $1
	event probe:work type=tracepoint config=5 sample=$bits ids=1
	event probe:work__return type=tracepoint config=6 sample=$bits ids=2
	event probe:plain type=tracepoint config=5 sample=identifier|ip|tid|time|raw|period ids=3
	feature tracing_data hex:170844 text:"tracing" text:"0.6" u8:0,$is_big,8 u32:4096
	feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:0
	feature tracing_data u32:1 text:"probe" u8:0 u32:2 u64:$(wc -c < entry) file:entry
	feature tracing_data u64:$(wc -c < return) file:return u32:0 u32:0 u64:0
	feature event_desc
	mmap2 tid=100 addr=0x401000 len=0x1000 pgoff=${at:-0x1000} prot=5 flags=2 filename="$PWD/$prog" time=1
	sample tid=100 ip=0x401001 time=10 chain=-512,0x401001,0x401009 u64:5 u64:0x401000,7
	sample tid=100 ip=0x401002 time=11 chain=0x401002,0x401009 u64:5 u64:0x401001,7
	sample tid=100 ip=0x401003 time=12 chain=-512,0x401003,0x401009 u64:5 u64:0x401003,7
	sample tid=100 ip=0x401009 time=13 chain=-512,0x401009 u64:5 u64:0x400000,7
	sample tid=100 ip=0x401001 time=14 chain=-512,0x401001,0x401009 u64:5
	sample ev=probe:work__return tid=100 ip=0x401009 time=15 chain=-512,0x401009 u64:6 u64:0x401000,0x401009
	sample ev=probe:plain tid=100 ip=0x401001 time=16 u64:5 u64:0x401000,7
	END
}

check 'script prints the probed address, in either byte order; a return is where it was' '
	printf "%s\n" 401000 401001 401003 401009 401001 401009 401000 > want
	for order in little big; do
		profile $order | mkdata x.data
		$PERF script -i x.data -G -F ip > out
		tr -d " " < out | same want -
	done
'
profile little | mkdata x.data
check 'call chains begin there, with the marker of their side and without' '
	$PERF script -i x.data -F event,ip > out
	grep -A 1 "probe:work:" out | grep -o "\\<40[0-9a-f]*\$" > first
	printf "%s\n" 401000 401001 401003 401009 401001 | same - first
'
check 'report and annotate count at the probed instruction' '
	$PERF report --stdio -g none -i x.data -s sym > out
	grep -q "work" out
	$PERF annotate --stdio -i x.data -s work --no-source > code
	grep -q "25.*401000:.*push" code
	grep -q "50.*401001:.*xor" code
	grep -q "25.*401003:.*pop" code
'
check_if PEER61 'symbols are those of upstream' '
	"$PEER" script -i x.data -G -F sym > theirs 2> err
	$PERF script -i x.data -G -F sym > ours
	same theirs ours
'
check_if ROOT,TRACEFS,UPROBES 'a probe of a program is at its place' '
	trap "$PERF probe -q -d \"probe_$prog:*\" 2> /dev/null || true" EXIT
	$PERF probe -q -x ./$prog work
	$PERF record -q -o live.data -e "probe_$prog:work" ./$prog || true
	$PERF script -i live.data -F ip,sym,symoff > out
	grep -q "401000 work+0x0" out
'
