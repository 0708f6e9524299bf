#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-static.sh DIR TTYDRIVE: runs DIR/perf-static in a root that has nothing but it, a program with
# debugging information, /proc, /sys and /dev. Needs root; without it it says so and exits 1. What is mounted
# is gone at the end, because it is in a mount namespace of its own. Prints TAP, and
# "N passed, N failed, N skipped".
set -u
if [ -z "${STATIC_ROOT-}" ]; then
	refuse() {
		echo "test-static: $*" >&2
		exit 1
	}
	[ "$(id -u)" = 0 ] || refuse "needs root, to make and enter an empty root"
	for tool in unshare chroot readelf; do
		command -v $tool > /dev/null || refuse "needs the program $tool, which is not here"
	done
	unshare --mount true 2> /dev/null || refuse "cannot make a mount namespace here"
	root=$(mktemp -d)
	trap 'rm -rf --one-file-system "$root"' EXIT
	trap 'exit 130' INT TERM
	STATIC_ROOT=$root unshare --mount "$0" "$@"
	exit
fi

perf=$1/perf-static ttydrive=$2 root=$STATIC_ROOT/root out=$STATIC_ROOT
mkdir -p "$root/proc" "$root/sys" "$root/dev" "$root/tmp"
cp "$perf" "$root/perf"
# with debugging information
cp "$1/perf" "$root/prog"
mount -t proc proc "$root/proc" && mount --rbind /sys "$root/sys" && mount --rbind /dev "$root/dev" || exit 1

chroot=$(command -v chroot) n=0 passed=0 failed=0
# in_root ARG...: perf in the root, without an environment
in_root() {
	env -i TERM=xterm "$chroot" "$root" /perf "$@"
}
not() {
	! "$@"
}
# has PATTERN: a line of the output matches
has() {
	grep -Eq -- "$1" "$out/out" || { echo "# no line matches: $1"; return 1; }
}
check() { # TITLE COMMAND
	n=$((n + 1))
	: > "$out/out"
	(set -e; eval "$2") > "$out/log" 2>&1
	# not as a condition, in which set -e has no effect
	if [ $? = 0 ]; then
		passed=$((passed + 1))
		echo "ok $n - $1"
	else
		failed=$((failed + 1))
		echo "not ok $n - $1"
		sed 's/^/# /' "$out/log"
		head -n 20 "$out/out" | sed 's/^/#   /'
	fi
}

check 'no shared libraries, at most 15 MB' '
	readelf -ldW "$perf" > "$out/out"
	not grep -E "NEEDED|INTERP" "$out/out"
	[ "$(stat -c %s "$perf")" -le 15000000 ]
'
check 'the version, and the manual' '
	in_root --version > "$out/out"; has "^perf version [0-9]"
	in_root help record > "$out/out"; has "^EXIT STATUS"; has "--call-graph"
	in_root help script-python > "$out/out"; has "process_event"
'
check 'record with call chains' '
	in_root record -q -e cpu-clock:u -g -o /tmp/x.data /prog test -w inlineloop 1
	in_root evlist -i /tmp/x.data > "$out/out"; has "cpu-clock"
'
check 'report with inlined functions and source lines' '
	in_root report --stdio -i /tmp/x.data -g none -s sym > "$out/out"; has "[0-9]%.*\[\.\] "
	in_root report --stdio -i /tmp/x.data -g caller > "$out/out"; has "\(inlined\)"
	in_root script -i /tmp/x.data -F ip,sym,srcline > "$out/out"; has "inlineloop\.c:[0-9]+"
'
check 'annotate' '
	in_root annotate --stdio -i /tmp/x.data parent > "$out/out"; has "^ +[0-9.]+ .*: .*(mov|add|lea|imul|xor)"
'
check 'compressed recordings, and stacks unwound' '
	in_root record -q -z -e cpu-clock:u --call-graph dwarf -o /tmp/z.data /prog test -w callchain 1
	in_root report --stdio -i /tmp/z.data > "$out/out"; has "burn"; has "walk_tree"
'
check 'stat, list, a flame graph, a database' '
	in_root stat -e task-clock:u /perf --version > "$out/out" 2>&1; has "task-clock"
	in_root list sw > "$out/out"; has "cpu-clock"
	in_root report -i /tmp/x.data --flamegraph /tmp/f.svg > "$out/out" 2>&1 ||
		in_root script flamegraph -i /tmp/x.data > "$out/out" 2>&1
	in_root data convert --to sqlite -o /tmp/x.db /tmp/x.data > "$out/out" 2>&1
	[ -s "$root/tmp/x.db" ]
'
check 'what needs shared libraries says so' '
	: > "$root/tmp/x.py"
	not in_root script -i /tmp/x.data -s /tmp/x.py > "$out/out" 2>&1
	has "a static perf does not have"
	in_root check feature debuginfod > "$out/out" 2>&1 || true; has "OFF"
'
check 'the terminal interface, with what slang knows of terminals' '
	env -i TERM=xterm LC_ALL=C.UTF-8 "$ttydrive" - "$chroot" "$root" /perf report -i /tmp/x.data > "$out/out" 2>&1 <<-END
		size 24 80
		wait parent
		screen
		key q
		ends 0
	END
	has "[0-9]%.*parent"
'
if [ -d /sys/kernel/tracing/events ]; then
	check 'trace' '
		in_root trace -o /tmp/trace /prog --version > "$out/out" 2>&1
		cp "$root/tmp/trace" "$out/out"; has "write\("
	'
fi
echo "1..$n"
echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
