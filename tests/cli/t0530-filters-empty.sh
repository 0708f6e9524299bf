#!/bin/sh
# report and script: filters that leave nothing, and symbol files that are of no use, are not passed over in
# silence
. "$(dirname "$0")/lib.sh"
Q="'"
cat > x.mk <<'MK'
event cpu-clock type=software config=cpu-clock period=10 sample=ip|tid|time|cpu|period flags=sample_id_all|comm|mmap2
mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 filename="[kernel.kallsyms]_text" misc=kernel time=0
comm tid=100 comm="worker" time=1
mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="/no/libdecode.so" time=2
default period=10
sample tid=100 cpu=0 ip=0x1210 time=100
sample tid=100 cpu=0 ip=0xffffffff81000123 misc=kernel time=200
MK
$MKDATA -o x.data x.mk
printf '%s\n' 'ffffffff81000000 T _text' 'ffffffff81000100 T do_decode' 'ffffffff81000200 T do_rest' > list

# warns LINE OPTIONS...: both commands print that warning once, with nothing else shown
warns() {
	want=$1
	shift
	$PERF report -i x.data --kallsyms list "$@" > out 2> err
	not grep -q % out
	test "$(grep -c "^Warning: $want\$" err)" = 1
	$PERF script -i x.data --kallsyms list -F comm,ip,sym,dso "$@" > out 2> err
	test "$(grep -c "^Warning: $want\$" err)" = 1 -a "$(wc -l < err)" = 1
	test ! -s out
}

check 'a name that the profile does not have, with the nearest that it has' '
	warns "--dsos: .libdecod.so. is not a recorded program or library (did you mean .libdecode.so.?); perf report --sort dso lists them" \
		--dsos libdecod.so
	warns "--comms: .worked. is not the name of a recorded thread (did you mean .worker.?); perf report --sort comm lists them" \
		--comms worked
	warns "--symbols: .do_recode. is not a function of the programs with samples (did you mean .do_decode.?); perf report --sort symbol lists them" \
		-S do_recode
	warns "--dsos: .nosuch.so. and the other names are not a recorded program or library; perf report --sort dso lists them" \
		--dsos nosuch.so,/other
'
check 'names that are there, and no sample that has all' '
	warns "none of the 2 samples passes all of --comms .worker., --time .1,2." --comms worker --time 1,2
	warns "none of the 2 samples passes the filter --cpu .7." -C 7
	warns "none of the 2 samples passes the filter --symbols .do_rest." -S do_rest
'
check 'a filter that keeps something is no matter, nor are names of it that are not there' '
	for o in "--dsos libdecode.so,nosuch" "--comms worker,nosuch" "-S do_decode,nosuch"; do
		$PERF report -i x.data --kallsyms list $o 2> err | finds %
		silent_about "Warning: --" err
		$PERF script -i x.data --kallsyms list $o 2> err | finds worker
		silent_about "Warning: --" err
	done
'
check 'a file without samples, with and without filters; diff says what report says' '
	grep -v ^sample x.mk | mkdata none.data
	for args in "report --stdio -i" "report --folded -i" "script -i" "script --comms worker -i" "diff none.data"; do
		$PERF $args none.data > out 2> err
		echo "Warning: none.data has no samples" | same - err
	done
	cat none.data | $PERF script -i - > out 2> err
	echo "Warning: standard input has no samples" | same - err
	for args in "" "--flamegraph=x.html"; do
		$PERF diff --cpu 7 $args x.data x.data 2> err
		echo "Warning: none of the 2 samples passes the filter --cpu '"'7'"'" | same - err
		$PERF diff --cpu 0 $args none.data x.data > out 2> err
		silent_about "no samples" err
	done
'
check 'a word that is in no function of a report' '
	$PERF report -i x.data --kallsyms list decade > out 2> err
	grep -q "^Warning: no function with samples has .decade. in its name\$" err
	$PERF report -i x.data --kallsyms list deco 2> err | finds do_decode
	silent_about "no function" err
'
# refused WORDS OPTIONS...
refused() {
	text=$1
	shift
	for c in report script; do
		fails_with 1 $PERF $c -i x.data "$@" > out 2> err
		test ! -s out
		grep -q "^Error: $text" err
	done
}
check 'files of symbols that are none are errors' '
	: > empty
	refused "--symfs: cannot read ./no/such.: No such file" --symfs /no/such
	refused "--symfs: .empty. is not a directory" --symfs empty
	refused "--vmlinux: x.mk: not an ELF file" -k x.mk
	says "a vmlinuz holds no symbols" err
	refused "--kallsyms: x.mk: holds no symbols in the format of /proc/kallsyms" --kallsyms x.mk
	refused "--kallsyms: .*: Is a directory" --kallsyms "$PWD"
'
check_if GCC 'a program is not a kernel; a kernel of another build is named as not used' '
	echo "int main(void) { return 0; }" > prog.c
	gcc -o prog prog.c
	refused "--vmlinux: .prog. is not a kernel image: it has no symbol _stext or _text" -k prog
	strip prog
	refused "--vmlinux: .prog. has no symbol table" -k prog
	echo "void _text(void) { } int main(void) { return 0; }" > prog.c
	gcc -Wl,--build-id=0x1111111111111111111111111111111111111111 -o prog prog.c
	{ cat x.mk; echo "feature build_id"; echo "buildid pid=-1 id=2222222222222222222222222222222222222222 name=\"[kernel.kallsyms]\" misc=kernel"; } |
		$MKDATA -o k.data
	$PERF report -i k.data --kallsyms list -k prog 2> err | finds do_decode
	says "--vmlinux is not used: prog is another build (build-id 1111" err
'
check 'a column without values: the option of record that records them; none about those that some event has' '
	sed "s/|cpu//; s/ cpu=0//" x.mk | mkdata nocpu.data
	$PERF report -i nocpu.data -s cpu,weight 2> err > /dev/null
	says "no sample has a value for the column ${Q}CPU$Q; perf record --sample-cpu records it" err
	says "no sample has a value for the column ${Q}Weight$Q; perf record -W records it" err
	$PERF report -i x.data -s cpu,socket,comm 2> err > /dev/null
	silent_about "has a value" err
	grep -v ^sample x.mk | mkdata none.data
	$PERF report -i none.data -s weight 2> err > /dev/null
	silent_about "has a value" err
'
check 'a file or a second word as the argument: what it was taken for, and -i' '
	for args in "report --kallsyms list" annotate script; do
		$PERF $args -i x.data list > out 2> err && rc=0 || rc=$?
		says "-i list reads the file of that name" err
	done
	for command in report annotate; do
		not $PERF $command -i x.data decode x.data 2> err
		says "unexpected argument ${Q}x.data$Q: only one" err
		says "files are named by -i" err
	done
'
check 'wrong values name their option; annotate names the filter that no sample passes' '
	not $PERF report -i x.data --pid 1,x 2> err
	says "Error: --pid: ${Q}x$Q is not a number" err
	not $PERF report -i x.data --tid 12345678901234567890 2> err
	says "Error: --tid: ${Q}12345678901234567890$Q is not a list of numbers" err
	not $PERF report -i x.data -g caller,no 2> err
	says "Error: -g: ${Q}no$Q is neither a word nor a number" err
	$PERF annotate -i x.data -d no.so 2> err
	says "Warning: no sample is in a function of -d ${Q}no.so$Q" err
	says "perf report --sort dso" err
	$PERF annotate -i x.data -C 7 2> err
	says "Warning: no sample in a function passes -C ${Q}7$Q" err
'
check 'lists of names: brackets, quotes, and names as they are printed' '
	mkdata odd.data <<-END
		event cycles type=0 config=0 sample=ip|tid|time flags=comm
		comm tid=1 comm="f(int, char)"
		comm tid=2 comm="s\x1bx"
		comm tid=3 comm="a,b"
		sample tid=1 ip=1
		sample tid=2 ip=1
		sample tid=3 ip=1
	END
	only() {
		$PERF script -F tid -i odd.data "$@" 2> err | tr -d " \n"
	}
	test "$(only --comms "f(int, char)")" = 1
	test "$(only --comms "none,f(int, char),s\x1bx")" = 12
	test "$(only --comms "\"a,b\"")" = 3
	test "$(only --comms "$(printf "s\033x")")" = 2
	$PERF report --stdio -s comm -i odd.data --comms "f(int, char),s\x1bx" 2> err > out
	says "f(int, char)" out
	says "s\x1bx" out
	silent_about "a,b" out
'
