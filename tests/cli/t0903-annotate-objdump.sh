#!/bin/sh
# perf annotate with an objdump program: only if it is asked for, with nothing of the data in its arguments.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/jitdump-lib.sh"

# code of a jitdump file: push %rax, push %rcx, pop %rax, pop %rcx
mkdir jit bin
{ jit_header 9; jit_load 9 2000 0x7000 1 'f;touch hacked' PQXY; } > jit/jit-9.dump
printf "%s\n" "feature arch str:\"x86_64\"" \
	"event cpu-clock sample=ip|tid|time|period flags=sample_id_all|mmap2|use_clockid clockid=1" \
	"mmap2 tid=9 addr=0xf0000 len=0x1000 prot=5 flags=2 filename=\"$PWD/jit/jit-9.dump\" time=1000" \
	"sample tid=9 ip=0x7002 time=3000" | mkdata x.data
# a program that prints instructions of 2, 1 and 1 bytes, of which one is a jump, and keeps what it was given
cat > bin/objdump <<END
#!/bin/sh
echo "\$@" > $PWD/args
cat /proc/self/fd/3 > $PWD/given
printf '\n%s\n\n0000000000007000 <.data>:\n' '/proc/self/fd/3:     file format binary'
printf '    7000:\tfirst  %%rax,%%rbx  \n    7002:\tjmp    0x7000\n    7003:\tlast\n'
END
printf '#!/bin/sh\necho "cannot do that" >&2; exit 1\n' > bin/fails
printf '#!/bin/sh\nprintf "    9000:\\tnop\\n    7001:\\tnop\\n"\n' > bin/elsewhere
chmod +x bin/*
PATH=$PWD/bin:$PATH
annotate() { # ARGS...: blanks are one
	$PERF annotate --stdio -i x.data "$@" > out 2> err
	tr -s " \t" " " < out > got
}

check 'the text is that of the program, with the shares and targets of perf' '
	annotate --disassembler=objdump
	says " 0.00 : 7000: first %rax,%rbx" got
	says " 100.00 : 7002: jmp 7000 <f;touch hacked>" got
	says " 0.00 : 7003: last" got'
check 'it gets the bytes of the function, its machine and address, and nothing from the data' '
	test "$(cat args)" = "-D -z -b binary -m i386:x86-64 --adjust-vma=0x7000 --no-show-raw-insn -EL /proc/self/fd/3 -Matt"
	test "$(cat given)" = PQXY
	test ! -e hacked
	annotate --disassembler=objdump -M intel
	grep -q -e "-Mintel" args'
check 'a path, and the configuration, name it too; the first of a list that perf has counts' '
	for o in --objdump="$PWD/bin/objdump" "--disassembler=llvm,objdump,capstone" "--disassembler=objdump --objdump objdump"; do
		rm -f args
		annotate $o
		test -e args
	done
	printf "[annotate]\n\tdisassemblers = objdump\n" > config
	rm args
	PERF_CONFIG=config annotate
	test -e args
	printf "[annotate]\n\tdisassembler_style = intel\n\tshow_nr_samples = true\n\tobjdump = objdump\n" > config
	PERF_CONFIG=config annotate
	says "Samples | Source" got
	grep -q -e "-Mintel" args
	fails_with 129 $PERF annotate --disassembler=gdb -i x.data 2> err
	says "takes capstone or objdump" err'
check 'without that nothing is run' '
	rm args
	$PERF annotate --stdio -i x.data > out 2> err || :
	$PERF annotate --stdio --disassembler=capstone,objdump -i x.data > out 2> err || :
	test ! -e args'
check 'a program that fails, prints something else, or does not exist, costs the code only' '
	annotate --objdump=fails
	says "no code can be shown: fails did not decode the code: cannot do that" got
	annotate --objdump=elsewhere
	says "no code can be shown: elsewhere did not decode the code" got
	annotate --objdump=/nonexistent/objdump
	says "cannot run /nonexistent/objdump: No such file" got'
have_OBJDUMP() {
	[ -x /usr/bin/objdump ] && [ "$(uname -m)" = x86_64 ] && have_GCC || { echo "needs objdump and gcc for x86-64"; return 1; }
}
check_if OBJDUMP 'binutils agree about where the instructions of a program are' '
	printf "%s\n" "int f(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i] * n; return s; }" \
		"int main(void) { int a[9] = { 1 }; return f(a, 9); }" > p.c
	gcc -g -O2 -fno-inline -fcf-protection=none -no-pie -o p p.c
	at=$(nm p | sed -n "s/^0*\([0-9a-f]*\) T f$/0x\1/p")
	printf "%s\n" "feature arch str:\"x86_64\"" "event cpu-clock sample=ip|tid|time|period flags=sample_id_all|mmap2" \
		"mmap2 tid=9 addr=$(printf "0x%x" $((at & ~0xfff))) len=0x1000 pgoff=0x1000 prot=5 flags=2 filename=\"$PWD/p\" time=1" \
		"sample tid=9 ip=$at time=2" | mkdata p.data
	for o in capstone objdump; do
		PATH=/usr/bin:/bin $PERF annotate --json -i p.data --disassembler=$o f > out.json 2> err
		grep -o "\"address\": *[^,]*,\|\"size\": *[0-9]*\|\"target\": *[^,]*" out.json > places.$o
	done
	test "$(wc -l < places.objdump)" -gt 10
	same places.capstone places.objdump'
