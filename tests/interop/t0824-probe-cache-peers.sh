#!/bin/sh
# perf probe --cache: what either writes into the build-id cache, the other lists, uses and removes.
. "$(dirname "$0")/../cli/lib.sh"
need NEWEST ROOT TRACEFS UPROBES GCC

# names of their own, because probes are machine-wide: upstream refuses the name of an event of any group
prog=cached$$
work=work$$
cat > $prog.c <<-EOF
	struct item { int n; const char *name; };
	__attribute__((noipa)) int $work(struct item *it, int times) { return it->n * times; }
	int main(int argc, char **argv)
	{
		struct item i = { 4, argv[0] };

		return $work(&i, argc) + $work(&i, 2) == 0;
	}
EOF
gcc -g -O1 -o $prog $prog.c
export PERF_BUILDID_DIR="$PWD/cache"
theirs() { "$NEWEST" --buildid-dir "$PERF_BUILDID_DIR" probe "$@"; }
live() { rm -rf cache; trap '$PERF probe -q -d "probe_$prog:*" -d "own$$:*" 2> /dev/null || true' EXIT; }
no_probes() { $PERF probe -q -d "$1:*" 2> err || { cat err; false; }; }
# what is made from the cache is what was made without it
same_probes() { $PERF probe -l "*$$:*" | sort > now; same now "$1"; }

check 'upstream takes what we wrote' '
	live
	for d in "req$$=$work it->n times" "own$$:name$$=$work times" "$work times"; do
		$PERF probe -q -x ./$prog --cache --add "$d"
	done
	$PERF probe -l "*$$:*" | sort > made
	test "$(wc -l < made)" = 3
	no_probes "*$$"
	theirs --cache -l > out
	test "$(grep -c = out)" = 3
	theirs -q -x ./$prog %req$$
	theirs -q -x ./$prog %own$$:name$$
	theirs -q -x ./$prog %probe_$prog:$work
	same_probes made
	no_probes "*$$"
	# upstream appends to the name of a return again
	$PERF probe -q -x ./$prog --cache --add "$work%return"
	no_probes "*$$"
	theirs -q -x ./$prog %${work}__return
	$PERF probe -l "probe_$prog:*" > out
	grep -q "on $work%return@" out
	no_probes "*$$"
	theirs -q --cache -d "probe_$prog:${work}__return"
	theirs -q --cache -d "probe_$prog:req$$"
	$PERF probe --cache -l > out
	test "$(grep -c = out)" = 2
	silent_about "req$$" out
'
check 'we take what upstream wrote' '
	live
	for d in "req$$=$work it->n times" "own$$:name$$=$work times" "$work%return" "$work times"; do
		theirs -q -x ./$prog --cache --add "$d"
	done
	$PERF probe -l "*$$:*" | sort > made
	test "$(wc -l < made)" = 4
	no_probes "*$$"
	$PERF probe --cache -l > out
	test "$(wc -l < out)" = 5
	$PERF probe -q %req$$
	$PERF probe -q -x ./$prog %own$$:name$$
	$PERF probe -q -x ./$prog "%$work*"
	same_probes made
	no_probes "*$$"
	$PERF probe -q --cache -d "probe_$prog:req$$" -d "probe_$prog:${work}__return"
	theirs --cache -l > out
	test "$(wc -l < out)" = 3
'
check 'both add to one file' '
	live
	$PERF probe -q -x ./$prog --cache --add "ours$$=$work times"
	theirs -q -x ./$prog --cache --add "mine$$=$work it->n"
	$PERF probe -q -x ./$prog --cache --add "more$$=$work it->name"
	no_probes "*$$"
	for list in theirs "$PERF probe"; do
		$list --cache -l > out
		for e in ours mine more; do grep -q "^probe_$prog:$e$$=" out; done
	done
'
