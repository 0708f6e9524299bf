# shellcheck shell=sh disable=SC2015,SC2086,SC2030,SC2031,SC2034
# lib.sh: helper for TAP test scripts. A script is:
#
#	#!/bin/sh
#	. "$(dirname "$0")/../cli/lib.sh"
#	need ROOT TRACEFS			# optional: the whole script needs these
#	check 'records a command' '
#		$PERF record -o x.data true
#		test -s x.data
#	'
#	check_if PMU 'counts cycles' '...'	# this check needs them (comma-separated)
#
# Every check is a subshell with set -e, in a directory of the script's own that is removed at the end; a failure shows what
# it printed. Variables: PERF (the binary under test), MKDATA, SRC (top of the source tree), PEER (perf 6.1), NEWEST.
# Prerequisites are the have_ functions below; each says why it is missing. A script with the line "# serial" runs alone.
# One with the line "# threads" also runs under the thread sanitizer.
# Several environment variables are fixed so that results do not depend on the user.

SRC=$(cd "$(dirname "$0")/../.." && pwd)
TMP=$(mktemp -d "${TMPDIR:-/tmp}/perf-test.XXXXXX")
case $SRC in
*[[:space:]]*)	# tests write $PERF without quotes
	ln -s "$SRC" "$TMP/src"
	SRC=$TMP/src ;;
esac
O=${O:-build}
case $O in /*) ;; *) O=$SRC/$O ;; esac
PERF=${PERF:-$SRC/perf}
case $PERF in /*) ;; *) PERF=$SRC/$PERF ;; esac
MKDATA=$O/tools/mkdata
HOME=$TMP/home
export SRC PERF MKDATA TMP HOME O
export LC_ALL=C TZ=UTC PAGER=cat TERM=dumb PERF_CONFIG=/dev/null DEBUGINFOD_URLS=
unset PERF_FS_ROOT NO_COLOR PERF_PAGER PERF_BUILDID_DIR
mkdir -p "$HOME" "$TMP/work"
cd "$TMP/work" || exit 1

nr_checks=0
nr_failed=0

# --- prerequisites: return 0, or print why not

have_ROOT() {
	[ "$(id -u)" = 0 ] || { echo "needs root"; return 1; }
}
# as_nobody CMD...: runs it as a user without rights, who may enter $TMP and run $PERF_COPY
have_NONROOT() {
	have_ROOT > /dev/null && command -v setpriv > /dev/null || { echo "needs root and setpriv to become another user"; return 1; }
	# a checkout in a closed home directory is out of that user's reach
	PERF_COPY=$TMP/bin/perf
	[ -x "$PERF_COPY" ] || { mkdir -p "$TMP/bin" && cp "$PERF" "$PERF_COPY"; }
}
as_nobody() {
	chmod 755 "$TMP"
	# a number of its own: what one user may lock in memory is shared by all tests that run beside this one
	setpriv --reuid $((20000 + $$ % 40000)) --regid 65534 --clear-groups env HOME=/nonexistent "$@"
}
have_EVENTS() {
	[ "$(id -u)" = 0 ] || [ "$(cat /proc/sys/kernel/perf_event_paranoid 2> /dev/null || echo 3)" -le 2 ] ||
		{ echo "kernel.perf_event_paranoid refuses"; return 1; }
	[ -e /proc/sys/kernel/perf_event_paranoid ] || { echo "kernel without perf events"; return 1; }
}
have_TRACEFS() {
	for d in /sys/kernel/tracing /sys/kernel/debug/tracing; do
		[ -r $d/events/sched/sched_switch/id ] && return 0
	done
	echo "tracefs is not mounted or not readable"
	return 1
}
have_UPROBES() {
	[ -w /sys/kernel/tracing/uprobe_events ] || { echo "no writable uprobe_events"; return 1; }
}
have_PMU() {
	for d in /sys/bus/event_source/devices/cpu /sys/bus/event_source/devices/cpu_core \
			/sys/bus/event_source/devices/armv8_pmuv3*; do
		[ -d "$d" ] && return 0
	done
	echo "no hardware PMU here"
	return 1
}
have_BPF() {
	have_ROOT > /dev/null && [ -e /sys/kernel/btf/vmlinux ] || { echo "needs root and a kernel with BTF"; return 1; }
}
# the packaged upstream perf: PEER
have_PEER61() {
	PEER=${PERF_PEER:-/usr/bin/perf}
	"$PEER" --version > /dev/null 2>&1 || { echo "no upstream perf at $PEER"; return 1; }
}
# the newest packaged upstream: NEWEST. Looked for in $PERF_NEWEST, newest-perf in PATH, and beside the checkout
have_NEWEST() {
	for NEWEST in "${PERF_NEWEST-}" "$(command -v newest-perf)" "$SRC/../shared/reference/newest-perf"; do
		[ -n "$NEWEST" ] && [ -x "$NEWEST" ] || continue
		# the wrapper would fetch it: only use what is already there
		case $NEWEST in *newest-perf) [ -d "$("$NEWEST" --where)/root" ] || continue ;; esac
		"$NEWEST" --version > /dev/null 2>&1 && return 0
	done
	echo "the newest upstream perf is not here (PERF_NEWEST, or newest-perf --setup)"
	return 1
}
have_GCC() {
	command -v gcc > /dev/null || { echo "needs gcc"; return 1; }
}
have_STRACE() {
	command -v strace > /dev/null || { echo "needs strace"; return 1; }
}
have_CPUS2() {
	[ "$(nproc)" -ge 2 ] || { echo "needs two CPUs"; return 1; }
	for cpu in 0 1; do
		taskset -c $cpu true 2> /dev/null || { echo "needs the CPUs 0 and 1"; return 1; }
	done
}

# --- checks

finish() {
	status=$?
	# no plan from what was ended in the middle
	[ $nr_checks -gt 0 ] && [ -z "${skipped_all-}${ended_early-}" ] && echo "1..$nr_checks"
	cd /
	rm -rf "$TMP"
	[ $nr_failed = 0 ] || exit 1
	exit $status
}
trap finish EXIT
trap 'ended_early=1; exit 130' INT TERM

# missing PREREQ...: prints why the first missing one is missing
missing() {
	for p; do
		why=$(have_$p) || { echo "${why:-needs $p}"; return 0; }
	done
	return 1
}

need() {
	why=$(missing "$@") && {
		echo "1..0 # SKIP $why"
		skipped_all=1
		exit 0
	}
	for p; do have_$p; done
}

SKIPPED=77	# status of a check that says why it can look at nothing here

check() {
	nr_checks=$((nr_checks + 1))
	( set -e; eval "$2" ) > "$TMP/log" 2>&1 < /dev/null
	rc=$?
	if [ $rc = 0 ]; then
		echo "ok $nr_checks - $1"
	elif [ $rc = $SKIPPED ]; then
		echo "ok $nr_checks - $1 # SKIP $(tail -n 1 "$TMP/log")"
	else
		nr_failed=$((nr_failed + 1))
		echo "not ok $nr_checks - $1"
		echo "# status $rc; printed:"
		head -n 60 "$TMP/log" | sed 's/^/#   /'
	fi
}

check_if() {
	prereqs=$(echo "$1" | tr ',' ' ')
	# shellcheck disable=SC2086 # a list of words
	if why=$(missing $prereqs); then
		nr_checks=$((nr_checks + 1))
		echo "ok $nr_checks - $2 # SKIP $why"
		return
	fi
	for p in $prereqs; do have_$p; done
	check "$2" "$3"
}

# --- for use inside checks

# skip WHY: what the check needs is not here
skip() {
	echo "$1"
	exit $SKIPPED
}
# same EXPECTED ACTUAL: files are equal; shows the difference
same() {
	diff -u "$1" "$2"
}
# fails_with STATUS CMD...: it exits with that status
fails_with() {
	want=$1
	shift
	got=0
	"$@" || got=$?
	[ $got = "$want" ] || { echo "status $got, not $want: $*"; return 1; }
}
# not CMD...: it fails. Instead of "! CMD", which set -e does not look at: in the middle of a check that can never fail
not() {
	if "$@"; then
		echo "this was not to succeed: $*"
		return 1
	fi
}
# says TEXT FILE: FILE contains TEXT
says() {
	grep -qF -- "$1" "$2" || { echo "no '$1' in $2:"; cat "$2"; return 1; }
}
silent_about() {
	not grep -F -- "$1" "$2"
}
# until_true CMD...: waits for it, a minute at most. What is to happen first is waited for, not given some time: a busy machine
# may need ten times as long
until_true() {
	for tries in $(seq 600); do
		"$@" > until.out 2>&1 && return 0
		sleep 0.1
	done
	echo "in vain: $*"
	cat until.out
	return 1
}
# has_samples FILE N: it has more than N by now
has_samples() {
	test "$($PERF script -i "$1" -F comm 2> /dev/null | wc -l)" -gt "$2"
}
# has_lines PATTERN FILE N: at least N of its lines match
has_lines() {
	test "$(grep -c -e "$1" "$2")" -ge "$3"
}
# has_events PID: it has opened events
has_events() {
	ls -l "/proc/$1/fd" | grep -q "anon_inode:\[perf_event\]"
}
# mkdata FILE: the perf.data file that standard input describes
mkdata() {
	"$MKDATA" -o "$1"
}
