#!/bin/sh
. "$(dirname "$0")/../cli/lib.sh"
need EVENTS

# the build-ids that a file says of the vdso
ids() {
	$PERF script -D -i "$1" 2> /dev/null | tr -d '\000' | sed -n '/: event: 67$/,/^$/p' | grep -c 'vdso'
}
cached() {
	find "$HOME/.debug" ${PERF_BUILDID_DIR:+"$PERF_BUILDID_DIR"} -name vdso 2> /dev/null || :
}
cat > clock.c <<'END'
#include <time.h>
int main(void)
{
	struct timespec t;

	for (int i = 0; i < 5000000; i++)
		clock_gettime(CLOCK_MONOTONIC, &t);
	return 0;
}
END

check 'the image is in the build-id cache, under its build-id; the output says which one it was' '
	$PERF record -q -e cpu-clock:u -o x.data true
	file=$(cached)
	id=$($PERF buildid-list -i "$file")
	test "$file" = "$HOME/.debug/[vdso]/$id/vdso"
	cmp "$file" "$HOME/.debug/.build-id/$(echo "$id" | cut -c 1-2)/$(echo "$id" | cut -c 3-)/vdso"
	test "$(ids x.data)" = 1
	# once more: nothing is left beside it, and what was cut is mended
	: > "$file"
	$PERF record -q -e cpu-clock:u -o x.data true
	test "$($PERF buildid-list -i "$file")" = "$id"
	test "$(find "$HOME/.debug" -type f)" = "$file"
'
check_if GCC 'samples in it are named by that build-id, of whatever form the output is' '
	gcc -O1 -o clock clock.c
	id=$($PERF buildid-list -i "$(cached)")
	for o in "-o x.data" "-o x.data -z" "-o x.data --no-buildid-mmap" "-o x.data -z --no-buildid-mmap" "-o x.data --tail-synthesize" \
			"-o x.data --threads" "-o -"; do
		rm -rf x.data
		$PERF record -q -F 2000 -e cpu-clock:u $o ./clock > out
		test -e x.data || mv out x.data
		$PERF buildid-list -H -i x.data > list
		says "$id [vdso]" list
		$PERF script -i x.data -F ip,sym,dso > syms
		# some kernels have functions in it that are not in its symbol table
		grep -q "__vdso_clock_gettime (\[vdso\])" syms
	done
	$PERF record -q --no-buildid-mmap -e cpu-clock:u -o x.data ./clock
	$PERF buildid-list -i x.data > list
	says "$id [vdso]" list
	# every output of several
	$PERF record -q -F 5000 --switch-output=10K -e cpu-clock:u -o s.data ./clock 2> err
	for f in s.data*; do
		test "$(ids "$f")" = 1
	done
'
check 'without build-ids; without the cache; as configured' '
	PERF_BUILDID_DIR=$PWD/cache
	export PERF_BUILDID_DIR
	rm -rf "$HOME/.debug"
	$PERF record -q -B -e cpu-clock:u -o x.data true
	test "$(ids x.data)" = 0
	$PERF record -q -N -e cpu-clock:u -o x.data true
	test "$(ids x.data)" = 1
	printf "[record]\n\tbuild-id = no-cache\n" > conf
	PERF_CONFIG=conf $PERF record -q -e cpu-clock:u -o x.data true
	test "$(ids x.data)" = 1
	printf "[record]\n\tbuild-id = skip\n" > conf
	PERF_CONFIG=conf $PERF record -q -e cpu-clock:u -o x.data true
	test "$(ids x.data)" = 0
	test -z "$(cached)"
	$PERF record -q -e cpu-clock:u -o x.data true
	test "$(cached | cut -c 1-$((${#PWD} + 7)))" = "$PWD/cache/"
'
check 'a cache that cannot be written is no reason not to record; -v says it' '
	: > file
	PERF_BUILDID_DIR=$PWD/file $PERF record -v -e cpu-clock:u -o x.data true 2> err
	says "cannot keep the vdso in the build-id cache $PWD/file" err
	PERF_BUILDID_DIR=$PWD/file $PERF record -e cpu-clock:u -o x.data true 2> err
	silent_about cache err
	test "$(ids x.data)" = 1
'
# peer_record PERF OPTIONS...: perf 6.1 aborts when it looks for build-ids at the end of any recording, while
# the machine has certain BPF programs (those of record -u are enough, and they may be of a test that runs
# beside this one). No file of ours is read there.
peer_record() {
	got=0
	"$@" 2> peer.err || got=$?
	[ $got != 134 ] || ! grep -q "assertion failed at util/build-id" peer.err ||
		skip "the peer cannot record while BPF programs are loaded: it aborts"
	return $got
}
# peer PERF: both directions
peer() {
	id=$($PERF buildid-list -i "$(cached)")
	$PERF record -q -F 2000 -e cpu-clock:u -o x.data ./clock
	"$1" buildid-list -i x.data > list
	says "$id [vdso]" list
	test "$(wc -l < list)" -gt 1
	"$1" script -i x.data -F ip,sym,dso 2> err > syms
	grep -q "__vdso_clock_gettime (\[vdso\])" syms
	peer_record "$1" record -q -F 2000 -e cpu-clock:u -o y.data ./clock
	$PERF script -i y.data -F ip,sym,dso > syms
	grep -q "__vdso_clock_gettime (\[vdso\])" syms
	# its own copy is the same
	mkdir -p their
	peer_record env HOME="$PWD/their" "$1" record -q --no-buildid-mmap -F 2000 -e cpu-clock:u -o y.data ./clock ||
		peer_record env HOME="$PWD/their" "$1" record -q -F 2000 -e cpu-clock:u -o y.data ./clock
	$PERF buildid-list -i y.data > list
	says "$id [vdso]" list
	cmp "$(cached)" "their/.debug/[vdso]/$id/vdso"
}
check_if GCC,PEER61 'as perf 6.1 has it, both ways' 'rm -rf their; $PERF record -q -o x.data -e cpu-clock:u true; peer "$PEER"'
check_if GCC,NEWEST 'as the newest upstream has it, both ways' 'rm -rf their; $PERF record -q -o x.data -e cpu-clock:u true; peer "$NEWEST"'
