#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-static.sh DIR TTYDRIVE [PLACE...]: runs DIR/perf-static where nothing is that it was built with:
#
#   empty: a root that has nothing but it, a program with debugging information, /proc, /sys and /dev
#   SUITE: a bare Debian of that release, for instance bullseye
#   guest:SUITE: an empty root on the kernel of that release, in a guest of the test lab (VMLAB, tests/vm)
#
# Default: empty, the oldest and the newest Debian of the archive, and the kernels of Debian 12 and 13. Needs
# root; without it it says so and exits 1. A place that cannot be made is skipped with the reason. Debians are
# kept as archives in STATIC_CACHE (default /var/tmp/perf-static). What is mounted is gone at the end, because
# it is in a mount namespace of its own. Prints TAP, and "N passed, N failed, N skipped".
set -u
default='empty bullseye sid guest:bookworm guest:trixie'
cache=${STATIC_CACHE:-/var/tmp/perf-static}

refuse() {
	echo "test-static: $*" >&2
	exit 1
}
skip() { # PLACE WHY
	echo "ok - $1 # SKIP $2"
	skipped=$((skipped + 1))
}
# run_in PLACE CMD...: takes over what CMD prints, and its sum
run_in() {
	local place=$1 log=$tmp/log sum
	shift
	"$@" > "$log" 2> "$tmp/err"
	sum=$(tail -n 1 "$log")
	if [[ ! $sum =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]]; then
		tail -n 20 "$log" "$tmp/err"
		echo "not ok - $place: the checks do not end"
		failed=$((failed + 1))
		return
	fi
	head -n -1 "$log"
	passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
	skipped=$((skipped + BASH_REMATCH[3]))
}
# a Debian, in the folder $root
debian() { # SUITE
	local tar=$cache/$1.tar
	if [ ! -e "$tar" ]; then
		command -v mmdebstrap > /dev/null || { echo "needs the program mmdebstrap"; return 1; }
		mkdir -p "$cache"
		# an archive that stands still has lists whose time is over
		mmdebstrap --variant=minbase --aptopt='Acquire::Check-Valid-Until "false"' "$1" "$cache/new.$$.tar" \
			> "$tmp/log" 2>&1 || { rm -f "$cache/new.$$.tar"; grep '^E: ' "$tmp/log" | head -n 1; return 1; }
		mv "$cache/new.$$.tar" "$tar"
	fi
	tar -C "$root" -xf "$tar"
}
guest() { # SUITE DIR TTYDRIVE
	local here
	here=$(cd "$(dirname "$0")" && pwd)
	[ -x "${VMLAB-}/vm-run" ] || { skip "guest:$1" "no test lab (VMLAB=DIR says where it is)"; return; }
	"$VMLAB/vm-run" --setup --suite "$1" > "$tmp/log" 2>&1 || { skip "guest:$1" "$(tail -n 1 "$tmp/log")"; return; }
	run_in "guest:$1" "$VMLAB/vm-run" --suite "$1" --share "$(realpath "$2"):ro" --share "$(dirname "$(realpath "$3")"):ro" \
		--share "$here:ro" --env "STATIC_TITLE=guest:$1" -- "$here/check-static.sh" "$(realpath "$2")" "$(realpath "$3")" empty
}

if [ -z "${STATIC_ROOT-}" ]; then
	[ "$(id -u)" = 0 ] || refuse "needs root, to make and enter an empty root"
	for tool in unshare chroot readelf; do
		command -v $tool > /dev/null || refuse "needs the program $tool, which is not here"
	done
	unshare --mount true 2> /dev/null || refuse "cannot make a mount namespace here"
	dir=$1 ttydrive=$2 passed=0 failed=0 skipped=0
	shift 2
	tmp=$(mktemp -d)
	trap 'rm -rf --one-file-system "$tmp"' EXIT
	trap 'exit 130' INT TERM
	for place in ${*:-$default}; do
		root=$tmp/at/root
		rm -rf --one-file-system "$tmp/at"
		mkdir -p "$root"
		case $place in
		guest:*)
			guest "${place#*:}" "$dir" "$ttydrive"
			continue ;;
		empty) ;;
		*) why=$(debian "$place") || { skip "$place" "$why"; continue; } ;;
		esac
		STATIC_TITLE=${STATIC_TITLE-$place} STATIC_ROOT=$tmp/at run_in "$place" unshare --mount "$0" "$dir" "$ttydrive"
	done
	echo "$passed passed, $failed failed, $skipped skipped"
	[ $failed = 0 ]
	exit
fi

perf=$1/perf-static ttydrive=$2 root=$STATIC_ROOT/root out=$STATIC_ROOT
mkdir -p "$root/proc" "$root/sys" "$root/dev" "$root/tmp"
cp "$perf" "$root/perf"
# with debugging information
cp "$1/perf" "$root/prog"
mount -t proc proc "$root/proc" && mount --rbind /sys "$root/sys" && mount --rbind /dev "$root/dev" || exit 1

chroot=$(command -v chroot) passed=0 failed=0 skipped=0
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
	: > "$out/out"
	(set -e; eval "$2") > "$out/log" 2>&1
	# not as a condition, in which set -e has no effect
	if [ $? = 0 ]; then
		passed=$((passed + 1))
		echo "ok - $STATIC_TITLE: $1"
	else
		failed=$((failed + 1))
		echo "not ok - $STATIC_TITLE: $1"
		sed 's/^/# /' "$out/log"
		head -n 20 "$out/out" | sed 's/^/#   /'
	fi
}

# half a megabyte below the 15 MB that users are promised: who passes it looks what fills the file
check 'no shared libraries, at most 14.5 MB' '
	readelf -ldW "$perf" > "$out/out"
	not grep -E "NEEDED|INTERP" "$out/out"
	[ "$(stat -c %s "$perf")" -le 14500000 ]
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
if [ -x "$root/bin/sh" ]; then
	check 'a program of this Debian: its files, and stacks unwound by their rules' '
		in_root record -q -e cpu-clock:u --call-graph dwarf,4096 -o /tmp/s.data /bin/sh -c \
			"i=0; while [ \$i -lt 100000 ]; do i=\$((i + 1)); done"
		in_root report --stdio -i /tmp/s.data -s dso -g none > "$out/out"; has "[0-9]% .*dash"
		in_root buildid-list -i /tmp/s.data > "$out/out"; has "^[0-9a-f]{40} /.*dash"
		in_root script -i /tmp/s.data -F ip,sym,dso > "$out/out"; has "__libc_start_(main|call_main).*/libc"
	'
fi
if [ -d /sys/kernel/tracing/events ]; then
	check 'trace' '
		in_root trace -o /tmp/trace /prog --version > "$out/out" 2>&1
		cp "$root/tmp/trace" "$out/out"; has "write\("
	'
else
	skip "$STATIC_TITLE: trace" "there is no tracefs here"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
