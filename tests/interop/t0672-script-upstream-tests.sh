#!/bin/sh
# perf script and the module: the shell tests of upstream's newest package, run with this perf.
. "$(dirname "$0")/../cli/lib.sh"
need NEWEST ROOT EVENTS TRACEFS

case $NEWEST in *newest-perf) ;; *) skip_all "only newest-perf says where its tests are" ;; esac
where=$("$NEWEST" --where)
shell=$where/root/usr/lib/perf-core/tests/shell
test -d "$shell" || skip_all "the newest upstream came without tests"
mkdir path
ln -s "$(readlink -f "$PERF")" path/perf

# upstream NAME: its test passes; 2 is what its tests end with where something is missing
upstream() {
	test -r "$shell/$1.sh" || { echo "no $1.sh"; return 0; }
	got=0
	PATH=$PWD/path:$PATH bash "$shell/$1.sh" > out 2>&1 || got=$?
	test $got = 0 || test $got = 2 || { tail -n 20 out; return 1; }
}
check_if PYTHON 'scripts in Python' 'upstream script_python'
check_if PERL 'scripts in Perl' 'upstream script_perl'
check 'the task analyzer' 'upstream test_task_analyzer'
check_if MODULE 'the module' '
	export PYTHONPATH=$O/python LD_PRELOAD=$MODULE_PRELOAD ASAN_OPTIONS=detect_leaks=0
	upstream python-use
'
check 'filters in shared objects' 'upstream script_dlfilter'
