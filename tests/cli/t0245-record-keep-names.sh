#!/bin/sh
# Names of functions that perf record keeps in its output, for programs that are gone later.
. "$(dirname "$0")/../cli/lib.sh"
need EVENTS
need GCC

have_UNSHARE() {
	have_ROOT > /dev/null && unshare -m true 2> why || { echo "needs root and unshare -m"; return 1; }
}

cat > prog.c << 'EOT'
volatile long n;
__attribute__((noinline)) void kept_function(long rounds) { while (rounds--) n++; }
int main(int argc, char **argv) { (void)argv; do kept_function(60000000); while (argc > 1); return 0; }
EOT
gcc -O1 -g -o prog prog.c

# record OPTION...: x.data of a program that is gone after it
record() {
	cp prog gone
	$PERF record -q -e cpu-clock:u -o x.data "$@" ./gone
	rm gone
}
# most_are NAME: at least nine of ten samples in the program have that name. A few can be in main
most_are() {
	$PERF script -i x.data -F ip,sym,dso 2> err | sed -n "s/^[[:blank:]]*[0-9a-f]* \(.*\) (.*gone)/\1/p" > names
	test "$(($(grep -cxF "$1" names) * 10))" -ge "$(($(wc -l < names) * 9))"
	grep -qxF "$1" names
}

check 'names of a program that is gone: in files, compressed ones, directories, outputs that were switched' '
	for o in "" -z --threads -g --no-buildid-mmap; do
		rm -rf x.data
		record --keep-names $o
		most_are kept_function
	done
	rm -rf x.data
	record --keep-names --switch-output=1K
	set -- x.data*
	mv "$1" first
	mv first x.data
	most_are kept_function
'
check 'not without the option; a pipe cannot have them' '
	rm -rf x.data*
	record
	most_are "[unknown]"
	$PERF record -e cpu-clock:u --keep-names -o - true 2> err > x.pipe
	says "--keep-names needs an output file, not a pipe" err
'
check 'a program that is there has its lines; one that was replaced has the names of the recording' '
	record --keep-names
	cp prog gone
	$PERF script -i x.data -F ip,sym,srcline > out
	says "prog.c:2" out
	sed s/kept_function/other_function/ prog.c > other.c
	gcc -O1 -o gone other.c
	most_are kept_function
	not grep other names
	rm gone
'
# runs_gone PID: it is that program by now
runs_gone() { test "$(readlink -n "/proc/$1/exe" | sed 's/.*\///')" = gone; }
check_if UNSHARE 'the default for a process that has other mounts, whose program is gone after it' '
	mkdir -p mnt
	mkfifo ready
	unshare -m sh -c "mount -t tmpfs none mnt && cp prog mnt/gone && echo > ready && exec mnt/gone -" &
	pid=$!
	read -r line < ready
	until_true runs_gone $pid
	$PERF record -q -e cpu-clock:u -o x.data -p $pid -- $PERF test -w deterministic 2000
	$PERF record -q --no-keep-names -e cpu-clock:u -o y.data -p $pid -- $PERF test -w deterministic 2000
	kill $pid
	wait $pid || :
	most_are kept_function
	mv y.data x.data
	most_are "[unknown]"
	not grep kept_function names
'
