#!/bin/sh
# Markers of programs (SDT): their probes, arguments and semaphores, and files of the build-id cache.
. "$(dirname "$0")/lib.sh"
need GCC

prog=sdt$$
cat > $prog.c <<-EOF
	#include <stdio.h>
	/* a marker as <sys/sdt.h> makes it */
	#define NOTE(provider, name, sema, args) \\
		"990: nop\n.pushsection .note.stapsdt,\"\",\"note\"\n.balign 4\n.4byte 992f - 991f, 994f - 993f, 3\n" \\
		"991: .asciz \"stapsdt\"\n992: .balign 4\n993: .8byte 990b\n.8byte _.stapsdt.base\n.8byte " sema "\n" \\
		".asciz \"" provider "\"\n.asciz \"" name "\"\n.asciz \"" args "\"\n994: .balign 4\n.popsection\n" \\
		".ifndef _.stapsdt.base\n.pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n.weak _.stapsdt.base\n" \\
		".hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n.size _.stapsdt.base, 1\n.popsection\n.endif\n"
	unsigned short go_semaphore __attribute__((section(".probes")));
	int main(void)
	{
		for (long i = 0; i < 3; i++) {
			asm volatile(NOTE("mine", "step__one", "0", "8@%0 -4@%1 8@\$7 4f@%%xmm0") :: "r"(i), "m"((int){ -5 }));
			if (go_semaphore)
				asm volatile(NOTE("mine", "go", "go_semaphore", "8@%0") :: "r"(i * 10));
		}
		printf("%d\n", go_semaphore);
		return 0;
	}
EOF
have_X86() { [ "$(uname -m)" = x86_64 ] || { echo "needs an x86-64 CPU"; return 1; }; }
need X86
gcc -O1 -o $prog $prog.c
file=$PWD/$prog
export PERF_BUILDID_DIR="$PWD/cache"
live() { trap '$PERF probe -q -d "sdt_mine:*" 2> /dev/null || true' EXIT; }

check 'markers become definitions with their arguments and semaphores' '
	$PERF probe -x ./$prog -D %sdt_mine:step__one > out 2> err
	grep -qxE "p:sdt_mine/step__one $file:0x[0-9a-f]+ arg1=%[a-z0-9]+:u64 arg2=[+-][0-9]+\(%[sb]p\):s32 arg3=\\\\7:u64" out
	says "arg4 of the marker '"'step__one'"' is left out: a probe cannot read '"'4f@%xmm0'"'" err
	$PERF probe -x ./$prog -D sdt_mine:go > out
	grep -qxE "p:sdt_mine/go $file:0x[0-9a-f]+\(0x[0-9a-f]+\) arg1=%[a-z0-9]+:u64" out
	$PERF probe -q -x ./$prog -D "%sdt_mine:*" > out
	test "$(wc -l < out)" = 2
	$PERF probe -x ./$prog -D "e=%sdt_mine:go x=%ax:u8" > out
	grep -q "p:sdt_mine/e $file:0x[0-9a-f]*(0x[0-9a-f]*) x=%ax:u8" out
	$PERF probe -x ./$prog -D %sdt_mine:step_one > out 2> err
	grep -q "^p:sdt_mine/step__one $file:" out
	$PERF probe -x ./$prog -D "%sdt_mine:step__one \$arg2 w=\$arg2:u8 p=+8(\$arg1):string \$arg3" > out
	grep -qE "^p:sdt_mine/step__one $file:0x[0-9a-f]+ [+-][0-9]+\(%[sb]p\):s32 w=[+-][0-9]+\(%[sb]p\):u8 p=\+8\(%[a-z0-9]+\):string \\\\7:u64$" out
	fails_with 1 $PERF probe -x ./$prog -D "%sdt_mine:go \$arg2" 2> err
	says "the marker '"'go'"' has no argument 2" err
	fails_with 1 $PERF probe -x ./$prog -D "%sdt_mine:step__one \$arg4" 2> err
	says "at the marker '"'step__one'"' cannot read its argument 4" err
	fails_with 1 $PERF probe -x ./$prog -D %sdt_mine:goo 2> err
	says "has no marker '"'sdt_mine:goo' (did you mean 'sdt_mine:go'"'" err
	fails_with 1 $PERF probe -x /bin/true -D %sdt_mine:go 2> err
	says "has no markers (SDT)" err
'
check 'variables at a marker, by their names' '
	sed "/^int main/,\$d" $prog.c > vars.c
	cat >> vars.c <<-END
		static inline __attribute__((always_inline)) void helper(long inner)
		{
			asm volatile(NOTE("mine", "in", "0", "") :: "r"(inner));
		}
		int main(void)
		{
			for (long i = 0; i < 3; i++) {
				asm volatile(NOTE("mine", "step", "0", "8@%0 -4@%1") :: "r"(i), "m"((int){ -5 }));
				asm volatile(NOTE("mine", "go", "go_semaphore", "8@%0") :: "r"(i));
				helper(i + go_semaphore);
			}
			return 0;
		}
	END
	gcc -g -O1 -o vars vars.c
	$PERF probe -x ./vars -D "%sdt_mine:step i w=i:u8 \$arg2 %sp sema=go_semaphore" > out
	grep -qE "^p:sdt_mine/step $PWD/vars:0x[0-9a-f]+ i=(%[a-z0-9]+):s64 w=(%[a-z0-9]+):u8 [+-][0-9]+\(%[sb]p\):s32 sp=%sp sema=@\+0x[0-9a-f]+:u16$" out
	$PERF probe -x ./vars -D "%sdt_mine:* \$vars" > out
	grep -qE "^p:sdt_mine/go $PWD/vars:0x[0-9a-f]+\(0x[0-9a-f]+\) i=" out
	grep -qE "^p:sdt_mine/in $PWD/vars:0x[0-9a-f]+ .*inner=" out
	$PERF probe -x ./vars -V %sdt_mine:go > out
	printf "Available variables at %%sdt_mine:go\n\t\t\tlong int\ti\n" | tr -d "\t" > want
	grep -v @ out | tr -d "\t" | same want -
	# only one of the places has it
	$PERF probe -x ./vars -D "%sdt_mine:* inner" > out 2> err
	grep -c . out | finds -x 1
	says "2 of 3 places of '"'%sdt_mine:*'"' are left out: there is no variable '"'inner'"'" err
	fails_with 1 $PERF probe -V %sdt_mine:go 2> err
	says "is a marker: name its program or library by -x" err
	fails_with 1 $PERF probe -x ./vars -D "%sdt_mine:go nosuch" 2> err
	says "there is no variable '"'nosuch' at %sdt_mine:go"'" err
	fails_with 1 $PERF probe -x ./$prog -D "%sdt_mine:go i" 2> err
	says "$prog has no debug information" err
'
check_if ROOT,TRACEFS,UPROBES 'a variable at a marker has its value' '
	live
	$PERF probe -q -x ./vars "%sdt_mine:step i"
	$PERF record -q -o x.data -e sdt_mine:step ./vars > on
	$PERF script -i x.data -F trace | sed "s/.*) //" > values
	printf "i=0\ni=1\ni=2\n" | same - values
'
check 'files of the build-id cache are searched' '
	fails_with 1 $PERF probe -D %sdt_mine:go 2> err
	says "perf buildid-cache --add FILE" err
	$PERF buildid-cache --add ./$prog 2> err
	$PERF probe -D %sdt_mine:step_one > out 2> err
	grep -q "^p:sdt_mine/step__one $file:" out
	probes=$(find cache -name probes)
	grep -qx "%sdt_mine:go=go" $probes
	grep -q "^p:sdt_mine/go $file:0x[0-9a-f]*(0x[0-9a-f]*) arg1=%[a-z0-9]*:u64$" $probes
	$PERF probe --list --cache > out
	grep -q "^$file ([0-9a-f]*):$" out
	grep -qx "sdt_mine:step__one=step__one" out
	$PERF list sdt > out
	grep -q "^  sdt_mine:go " out
	$PERF probe -D %sdt_mine:go > out
	grep -q "^p:sdt_mine/go $file:" out
'
check_if ROOT,TRACEFS,UPROBES 'values are recorded, and the semaphore is raised' '
	live
	./$prog > off
	echo 0 | same - off
	$PERF probe -q -x ./$prog "%sdt_mine:*"
	$PERF record -q -o x.data -e "sdt_mine:*" ./$prog > on
	echo 1 | same - on
	$PERF script -i x.data -F trace > out
	sed "s/.*) //" out > values
	for i in 0 1 2; do printf "arg1=%d arg2=-5 arg3=7\narg1=%d\n" $i $((i * 10)); done | same - values
'
check_if ROOT,TRACEFS,UPROBES 'an event %sdt_PROVIDER:NAME is probed for the duration of the command' '
	live
	$PERF stat -x, -e "%sdt_mine:*" ./$prog > on 2> out
	echo 1 | same - on
	grep -q "^3,,sdt_mine:step__one," out
	grep -q "^3,,sdt_mine:go," out
	$PERF probe -l "sdt_mine:*" > left
	test ! -s left
	# also of files that are not the command itself
	$PERF record -q -o x.data -e %sdt_mine:go sh -c "./$prog; :" > on
	echo 1 | same - on
	# a command that is a script
	printf "#!/bin/sh\nexec ./$prog\n" > script
	chmod +x script
	$PERF record -q -o x.data -e sdt_mine:go ./script > on
	echo 1 | same - on
	fails_with 1 $PERF record -q -o x.data -e sdt_mine:none ./script 2> err
	says "script: not an ELF file" err
	$PERF probe -q -x ./$prog %sdt_mine:go
	$PERF stat -x, -e %sdt_mine:go ./$prog > on 2> out
	grep -q "^3,,sdt_mine:go," out
'
check_if ROOT,TRACEFS,UPROBES 'a marker among the events is probed while the command runs' '
	live
	$PERF stat -x, -e "sdt_mine:*" ./$prog > on 2> out
	grep -q "^3,,sdt_mine:go," out
	grep -q "^3,,sdt_mine:step__one," out
	$PERF probe -l "sdt_mine:*" > left
	test ! -s left
'
check_if ROOT,TRACEFS,UPROBES 'probes are kept in the build-id cache, and made from it' '
	trap "$PERF probe -q -d probe_$prog:* 2> err || true" EXIT
	$PERF probe -q -x ./$prog --cache --add "mine=main %sp"
	$PERF probe -q -d "probe_$prog:mine"
	$PERF probe --list --cache "probe_$prog:*" > out
	grep -qx "probe_$prog:mine=main %sp" out
	silent_about "sdt_mine" out
	$PERF probe -q "%probe_$prog:mine"
	$PERF probe -q -x ./$prog "again=%mine"
	$PERF probe -l "probe_$prog:*" > out
	grep -q "probe_$prog:mine .*on main" out
	grep -q "probe_$prog:again .*on main" out
	$PERF probe -q --cache --del "probe_$prog:mine"
	fails_with 1 $PERF probe %mine 2> err
	says "the build-id cache has no probe" err
	fails_with 1 $PERF probe --cache --del "probe_$prog:mine" 2> err
	fails_with 129 $PERF probe --cache -F 2> err
'
check_if ROOT,TRACEFS,UPROBES 'what the cache says of another file is not believed' '
	probes=$(find cache -name probes)
	printf "#evil\np:probe_x/evil /bin/sh:0x1000\n" >> $probes
	fails_with 1 $PERF probe -n %probe_x:evil 2> err
	says "the build-id cache has no probe" err
	printf "another build" >> ./$prog
	gcc -O1 -Wl,--build-id=0x1234567890 -o $prog $prog.c
	fails_with 1 $PERF probe -n %sdt_mine:go 2> err
'
