#!/bin/sh
# Probes for the duration of a command: probe(DEFINITION) among the events of perf record and perf stat.
. "$(dirname "$0")/lib.sh"
need GCC ROOT TRACEFS UPROBES

prog=once$$
cat > $prog.c <<-EOF
	#include <string.h>
	#include <unistd.h>
	__attribute__((noipa)) long step(long n) { return n * 2; }
	__attribute__((noipa)) long other(long n) { return n + 2; }
	int main(int argc, char **argv)
	{
		for (long i = 0; i < 5; i++)
			step(other(i));
		if (argc > 1)
			pause();
		return 0;
	}
EOF
gcc -O1 -o $prog $prog.c
none_left() { $PERF probe -l "probe_$prog*:*" > left; test ! -s left; }

check 'stat counts them, in groups and with modifiers' '
	$PERF stat -x, -e "probe(step),{probe(other):u,probe(main%return)}" ./$prog 2> out
	grep -q "^5,,probe_$prog:step," out
	grep -q "^5,,probe_$prog:other," out
	grep -q "^1,,probe_$prog:main__return," out
	none_left
	$PERF stat -x, --event="probe(-x ./$prog st*)" -- ./$prog 2> out
	grep -q "^5,,probe_$prog:step," out
	none_left
'
check 'record has their arguments, and filters apply' '
	$PERF record -q -o x.data -e "probe(step n=\$arg1:s64)" --filter "n > 3" ./$prog
	$PERF script -i x.data -F trace > out
	sed "s/.*n=//" out > values
	printf "4\n5\n6\n" | same - values
	none_left
'
check 'nothing stays when the command cannot start' '
	fails_with 129 $PERF stat -e "probe(step)" --no-such-option ./$prog 2> err
	until_true none_left
	fails_with 1 $PERF stat -e "probe(step),probe(steps)" ./$prog 2> err
	says "steps" err
	none_left
	fails_with 1 $PERF stat -e "probe(step" ./$prog 2> err
	says "has no closing parenthesis" err
	fails_with 1 $PERF stat -e "probe(-x)" ./$prog 2> err
	says "-x'\'' needs the name of a program or library" err
	fails_with 1 $PERF stat -e "probe()" ./$prog 2> err
	silent_about "^" err
	# a command that is not there is not looked for in the kernel
	fails_with 1 $PERF stat -e "probe(step)" no$prog 2> err
	says "cannot run '\''no$prog'\'': No such file or directory" err
'
check 'of a script no function is meant, and of a command the one in $PATH' '
	printf "#!/bin/sh\nexec ./$prog\n" > script$prog
	chmod +x script$prog
	fails_with 1 $PERF stat -e "probe(step)" ./script$prog 2> err
	says "script$prog is a script: name the program or library that has the function" err
	$PERF stat -x, -e "probe(-x ./$prog step)" ./script$prog 2> out
	grep -q "^5,,probe_$prog:step," out
	mkdir bin$prog
	cp $prog bin$prog/cmd$prog
	cp script$prog cmd$prog
	PATH=$PWD/bin$prog:$PATH $PERF stat -x, -e "probe(step)" cmd$prog 2> out
	grep -q "^5,,probe_cmd$prog:step," out
	none_left
'
for signal in INT TERM KILL; do
	check "nothing stays after SIG$signal" "signal=$signal"'
		rm -f x.data
		$PERF record -q -o x.data -e "probe(step)" -- ./$prog wait > out 2>&1 &
		pid=$!
		until_true test -s x.data
		$PERF probe -l "probe_$prog:step" > list
		test -s list
		workload=$(children $pid)
		# shells let background commands ignore SIGINT: the command is stopped instead
		[ $signal = INT ] && kill $workload || kill -$signal $pid
		wait $pid || true
		until_true none_left
		kill $workload 2> err || true
	'
done
check 'the program of a process is found by its number' '
	./$prog wait &
	pid=$!
	until_true eval "readlink /proc/$pid/exe | finds $prog"
	$PERF stat -x, -p $pid -e "probe(step)" sleep 0.1 2> out
	kill $pid
	wait $pid || true
	grep -q "^0,,probe_$prog:step,\|^<not counted>,,probe_$prog:step," out
	none_left
'
have_NAMESPACES() {
	unshare -m sh -c "mount -t tmpfs none ." 2> err ||
		{ echo "needs mount namespaces: $(cat err)"; return 1; }
}
check_if NAMESPACES 'a program in another mount namespace is found by its process, and by --target-ns' '
	mkdir inside
	unshare -m sh -c "mount -t tmpfs none inside && cp $prog inside/deep$prog && exec inside/deep$prog wait" &
	pid=$!
	until_true eval "readlink /proc/$pid/exe | finds deep$prog"
	test ! -e inside/deep$prog
	$PERF stat -x, -p $pid -e "probe(step)" sleep 0.1 2> out
	$PERF probe --target-ns $pid -x "$PWD/inside/deep$prog" -D step > definition
	kill $pid
	wait $pid || true
	grep -q ",probe_deep$prog:step," out
	grep -q "^p:probe_deep$prog/step /proc/$pid/root$PWD/inside/deep$prog:0x" definition
	none_left
'
