#!/bin/sh
# perf script --script: functions in Perl are given what 6.1 gives them, and its own scripts print the same.
. "$(dirname "$0")/../cli/lib.sh"
need PERL PEER61 ROOT TRACEFS

$PEER version --build-options 2> /dev/null | finds "libperl: \[ on" || skip_all "the other perf was built without Perl"
mkdir -p "$TMP/home"
$PERF record -q -e sched:sched_switch,sched:sched_wakeup,raw_syscalls:sys_exit -o t.data $PERF test -w context_switch_loop 20
$PERF record -q -e sched:sched_switch -o s.data $PERF test -w context_switch_loop 20
# 6.1 destroys its memory in functions for several events, process_event() and common_pc()
cat > dump.pl <<'END'
sub dumped
{
	my @values = @_;

	$values[1] = $values[7] = 0;	# an address, and a list
	print join(" ", @values), "\n";
}
sub sched::sched_switch { dumped(@_) }
END

check 'arguments of functions' '
	$PEER script -i s.data -s dump.pl > theirs 2> /dev/null || skip "6.1 crashes here"
	$PERF script -i s.data -s dump.pl > ours
	test "$(wc -l < ours)" -gt 10
	same theirs ours
'
# their order is that of hashes
check 'the scripts that come with it' '
	for script in failed-syscalls wakeup-latency; do
		file=/usr/lib/perf-core/scripts/perl/$script.pl
		[ -e "$file" ] || skip "no $file"
		$PEER script -i t.data -s "$file" > theirs 2> /dev/null || skip "6.1 crashes here"
		$PERF script -i t.data -s "$file" | sort > ours
		test -s ours
		sort theirs | same - ours
	done
'
