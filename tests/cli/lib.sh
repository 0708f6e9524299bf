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
# Every check is a subshell with set -e, in a directory of the script's own that is removed at the end; a
# failure shows the line that failed, what it saw, and what the check printed. Variables: PERF (the binary
# under test), MKDATA, SRC (top of the source tree), PEER (perf 6.1), NEWEST. Prerequisites are the have_
# functions below; each says why it is missing. A script with the line "# serial" runs alone. One with the
# line "# threads" also runs under the thread sanitizer. Several environment variables are fixed so that
# results do not depend on the user.

SRC=$(cd "$(dirname "$0")/../.." && pwd)
SCRIPT=$(cd "$(dirname "$0")" && pwd -P)/${0##*/}
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
export PERF_EXEC_PATH=/nonexistent
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
	# a number of its own: what one user may lock in memory is shared by all tests that run beside this
	# one
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
# the newest packaged upstream: NEWEST. Looked for in $PERF_NEWEST, newest-perf in PATH, and beside the
# checkout
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
# $PTGEN [-c] [-m] [-R] [-p BYTES] [-r TIMES] -o FILE -- COMMAND: executes a command step by step, and writes
# a recording with the Intel PT that a processor would have written of it
have_PTGEN() {
	ptgen_source=${PERF_PTGEN:-$SRC/../shared/traces/ptgen.c}
	[ "$(uname -m)" = x86_64 ] || { echo "steps through programs of x86-64"; return 1; }
	[ -r "$ptgen_source" ] || { echo "the tool that makes traces is not here (PERF_PTGEN: its source)"; return 1; }
	have_GCC || return 1
	PTGEN=$TMP/bin/ptgen
	[ -x "$PTGEN" ] || { mkdir -p "$TMP/bin" && gcc -O2 -w -o "$PTGEN" "$ptgen_source"; }
}
have_PLAIN() {
	! grep -q -e __asan_init -e __tsan_init "$PERF" || { echo "sanitizers take memory of their own"; return 1; }
}
have_GCC() {
	command -v gcc > /dev/null || { echo "needs gcc"; return 1; }
}
have_GIT() {
	git -C "$SRC" ls-files --error-unmatch Makefile > /dev/null 2>&1 || { echo "needs git and a checkout"; return 1; }
}
# system calls that fail: tests/tools/faults
have_FAULTS() {
	[ "$(uname -m)" = x86_64 ] || { echo "tests/tools/faults knows the registers of x86-64 only"; return 1; }
	"$O/tools/faults" -l 1 true 9> calls 2> err || { echo "processes cannot be traced here: $(cat err)"; return 1; }
}
have_STRACE() {
	command -v strace > /dev/null || { echo "needs strace"; return 1; }
}
have_PTY() {
	command -v script > /dev/null || { echo "needs script(1)"; return 1; }
	script -qec true /dev/null < /dev/null > /dev/null 2>&1 || { echo "no pseudo-terminals (is /dev/pts mounted?)"; return 1; }
}
# the terminal interface, and ttydrive to press its keys (tools/README)
have_TUI() {
	"$PERF" check -q feature libslang || { echo "built without libslang"; return 1; }
	echo "ends 0" | "$O/tools/ttydrive" - true || { echo "no pseudo-terminals (is /dev/pts mounted?)"; return 1; }
}
# tui COMMAND...: does what standard input says to the command on a terminal
tui() {
	LC_ALL=${LOCALE-C.UTF-8} TERM=${TERMINAL-xterm} "$O/tools/ttydrive" - "$@"
}
have_PYTHON() {
	$PERF check -q feature libpython || { echo "perf was built without Python"; return 1; }
}
# the module for Python, which "python FILE" finds. One with the address sanitizer needs its library in Python
have_MODULE() {
	[ -e "$O/python/perf.abi3.so" ] || { echo "the module is not built (make python)"; return 1; }
	MODULE_PRELOAD=
	! grep -q __asan_init "$O/python/perf.abi3.so" || MODULE_PRELOAD=$(gcc -print-file-name=libasan.so)
	echo "import perf" | python 2> /dev/null || { echo "python3 cannot load the module"; return 1; }
}
python() {
	LD_PRELOAD=$MODULE_PRELOAD ASAN_OPTIONS=detect_leaks=0 PYTHONPATH=$O/python PYTHONDONTWRITEBYTECODE=1 \
		python3 -W error "$@"
}
# a shell starts programs in the background with SIGINT ignored: as_foreground CMD... undoes that
have_SIGINT() {
	env --default-signal=INT true 2> /dev/null || { echo "env(1) cannot reset signals"; return 1; }
}
as_foreground() {
	exec env --default-signal=INT "$@"
}
have_PERL() {
	$PERF check -q feature libperl || { echo "perf was built without Perl"; return 1; }
}
have_CHROMIUM() {
	command -v chromium > /dev/null || { echo "needs chromium"; return 1; }
	[ -n "${CHROMIUM_WORKS-}" ] || chromium --headless --no-sandbox --disable-gpu --dump-dom about:blank > /dev/null 2>&1 ||
		{ echo "chromium does not start here"; return 1; }
	CHROMIUM_WORKS=1
}
have_CPUS2() {
	[ "$(nproc)" -ge 2 ] || { echo "needs two CPUs"; return 1; }
	for cpu in 0 1; do
		taskset -c $cpu true 2> /dev/null || { echo "needs the CPUs 0 and 1"; return 1; }
	done
}

# --- checks

# the files of a script that failed, until it fails again, in a folder that "make clean" removes
keep_files() {
	kept=$TEST_KEEP/$(basename "$SCRIPT" .sh)
	rm -rf "$kept" && mkdir -p "$TEST_KEEP" && mv "$TMP/work" "$kept" && echo "# files: $kept"
} 2> /dev/null

# on_end COMMANDS: what a script cleans up itself; its status stays
on_end() { at_end=$1; }

finish() {
	status=$?
	eval "${at_end-}" || :
	# no plan from what was ended in the middle, or where the shell found a mistake in the script
	[ $nr_checks -gt 0 ] && [ -z "${skipped_all-}" ] && [ $status = 0 ] && echo "1..$nr_checks"
	cd /
	[ $nr_failed = 0 ] || [ -z "${TEST_KEEP-}" ] || keep_files
	rm -rf "$TMP"
	[ $nr_failed = 0 ] || exit 1
	exit $status
}
trap finish EXIT
trap 'exit 130' INT TERM

# missing PREREQ...: prints why the first missing one is missing
missing() {
	for p; do
		why=$(have_$p) || { echo "${why:-needs $p}"; return 0; }
	done
	return 1
}

# skip_all WHY: ends the script, which can check nothing here
skip_all() {
	echo "1..0 # SKIP $1"
	skipped_all=1
	exit 0
}

need() {
	why=$(missing "$@") && skip_all "$why"
	for p; do have_$p; done
}

SKIPPED=77	# status of a check that says why it can look at nothing here

# A check's text with "AT=N" before the statement on its Nth line, so that a failure can name it. Not inside
# of what goes on from the line before: quotes, here-documents, pipes and lists, and not before words that end
# or divide a compound statement.
mark_lines() {
	awk '
		# quoted: the quote that is open at the end of the line, if any; returns the line without its comment
		function scan(s,  i, c) {
			for (i = 1; i <= length(s); i++) {
				c = substr(s, i, 1)
				if (c == "\\" && quoted != single) i++
				else if (quoted != "") { if (c == quoted) quoted = "" }
				else if (c == "\"" || c == single) quoted = c
				else if (c == "#" && (i == 1 || substr(s, i - 1, 1) ~ /[ \t]/)) return substr(s, 1, i - 1)
			}
			return s
		}
		BEGIN { single = "\047" }
		{
			word = $1
			# AT=N would take the place of the status that $? asks for
			starts = heredoc == "" && quoted == "" && !goes_on && $0 !~ /^[^;|&]*\$\?/
			if (starts && word ~ /^[A-Za-z_"$:[(]/ && word !~ /^(done|fi|esac|then|else|elif|do|in)(;|$)/ && !cases && $0 !~ /^[^(]*\)/)
				sub(/^[ \t]*/, "&AT=" NR "; ")
			print
		}
		heredoc != "" { end = $0; sub(/^\t+/, "", end); if (end == heredoc) heredoc = ""; next }
		{
			text = scan($0)
			if (text ~ /(^|[ \t;])case .* in$/) cases++
			if (text ~ /(^|[ \t;])esac/ && cases) cases--
			goes_on = text ~ /(\\|\||&&|\{|\()[ \t]*$/ && text !~ /(^|[ \t])(\{|\()[ \t]*$/
			if (match(text, /<<-?[ \t]*[\\"]?[A-Za-z_]+/)) {
				heredoc = substr(text, RSTART, RLENGTH)
				sub(/^<<-?[ \t]*[\\"]?/, "", heredoc)
			}
		}'
}

# says why a check failed: the line, what test saw in it, and the beginning of the text files that it names.
# Only regular files are read: a link may lead to a pipe that nobody writes to
tell_failure() { # STATUS
	[ "$1" != 0 ] && [ "$1" != $SKIPPED ] && [ -n "$AT" ] || return 0
	line=$(printf '%s\n' "$TEXT" | sed -n "$AT{s/^[[:blank:]]*//;p;q}")
	number=$(awk -v title="$TITLE" -v at="$AT" 'begun && NR == begun + at - 1 { print NR; exit } index($0, title) { begun = NR }' "$SCRIPT")
	{
		echo "${SCRIPT##*/}${number:+:$number}: $line"
		case $line in *test\ *) [ -z "$SAW" ] || echo "test $SAW" ;; esac
		for word in $(printf '%s' "$line" | tr -c 'A-Za-z0-9_./-' ' '); do
			case " ${shown-} $SRC/ $SCRIPT " in *" $word "*) continue ;; esac
			[ -f "$word" ] && [ ! -L "$word" ] && [ "${word#/}" = "$word" ] || continue
			head -c 20000 "$word" > "$TMP/shown"
			grep -Iq . "$TMP/shown" || continue
			echo "$word:"
			head -n 20 "$TMP/shown" | cut -c 1-200 | sed 's/^/  /'
			shown="${shown-} $word"
		done
	} > "$TMP/failure" 2>&1 < /dev/null
}
# as test(1), which says nothing
test() {
	command test "$@" || { SAW_STATUS=$? SAW=$*; return $SAW_STATUS; }
}

check() {
	nr_checks=$((nr_checks + 1))
	[ ! -e "$TMP/failure" ] && [ ! -e "$TMP/why" ] || rm -f "$TMP/failure" "$TMP/why"
	TITLE=$1 TEXT=$2
	marked=$(printf '%s\n' "$2" | mark_lines)
	for try in $(seq "${LIVE_TRIES-1}"); do
		( set -e; AT='' SAW=''; trap 'tell_failure $?' EXIT; eval "$marked"; all_at_once ) > "$TMP/log" 2>&1 < /dev/null
		rc=$?
		[ $rc != 0 ] && [ $rc != $SKIPPED ] || break
	done
	if [ $rc = 0 ]; then
		echo "ok $nr_checks - $1"
	elif [ $rc = $SKIPPED ]; then
		echo "ok $nr_checks - $1 # SKIP $(cat "$TMP/why")"
	else
		nr_failed=$((nr_failed + 1))
		echo "not ok $nr_checks - $1"
		[ ! -e "$TMP/failure" ] || sed 's/^/# /' "$TMP/failure"
		echo "# status $rc; printed:"
		head -n 60 "$TMP/log" | cut -c 1-400 | sed 's/^/#   /'
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

# check_live_if PREREQS TITLE BODY: of what the kernel tells while something runs. It fails if it fails three
# times: Linux 6.18 at times gives no samples of tracepoints for a task, and hides switches from BPF programs
check_live_if() {
	LIVE_TRIES=3
	check_if "$@"
	unset LIVE_TRIES
}

# --- for use inside checks

# skip WHY: what the check needs is not here
skip() {
	echo "$1" > "$TMP/why"	# wherever the output goes
	exit $SKIPPED
}
# upstream CMD...: runs one of upstream's perfs. 6.1 aborts on records in which the kernel left the build-id
# bit of another recording on this machine; that proves nothing
upstream() {
	upstream_status=0
	"$@" || upstream_status=$?
	[ $upstream_status != 134 ] || skip "upstream 6.1 aborts on build-ids of a recording beside this one"
	return $upstream_status
}
# beginnings TOOL FILE: the addresses of FILE to which upstream's perf TOOL gives the first byte of a
# function. A caller that ends in its call returns there: upstream names the next function, perf the one that
# called
beginnings() {
	"$1" script -i "$2" --no-inline -F ip,sym,symoff 2> /dev/null | awk '$2 ~ /[+]0x0$/ { print $1 }' | sort -u
}
# same EXPECTED ACTUAL: files are equal; shows the difference
same() {
	diff -u "$1" "$2"
}
# expect NAME [FILE]: FILE (or the file NAME) is as the expectation file NAME of the script,
# SCRIPT.expect/NAME, which "tests/run --regen SCRIPT" writes. For output that is too long to stand in the
# check
expect() {
	expected=${SCRIPT%.sh}.expect/$1 got=${2-$1}
	script=$SCRIPT
	[ ! -e "$SRC/tests/run" ] || script=${SCRIPT#"$(cd "$SRC" && pwd -P)/"}
	[ -e "$got" ] || { echo "no file '$got' to compare"; return 1; }
	if [ -n "${TEST_REGEN-}" ] && [ ! -e "$TMP/written/$1" ]; then
		mkdir -p "$TMP/written" "${expected%/*}"
		cp "$got" "$TMP/written/$1"
		cp "$got" "$expected"
		echo "${script%.sh}.expect/$1" >> "$TEST_REGEN"
		return
	fi
	[ -e "$expected" ] || { echo "no expectation file ${script%.sh}.expect/$1: tests/run --regen $script makes it"; return 1; }
	diff -u "$expected" "$got" > "$TMP/unexpected" && return
	tail -n +3 "$TMP/unexpected" | head -n 40
	echo "$(tail -n +3 "$TMP/unexpected" | grep -c "^[-+]") lines of difference from ${script%.sh}.expect/$1: tests/run --regen $script accepts them"
	return 1
}
# fails_with STATUS CMD...: it exits with that status
fails_with() {
	want=$1
	shift
	got=0
	"$@" || got=$?
	[ $got = "$want" ] || { echo "status $got, not $want: $*"; return 1; }
}
# not CMD...: it runs and fails: it is there, does not crash, and grep, cmp, diff and test could read what
# they compare. Instead of "! CMD", which set -e does not look at: in the middle of a check that can never
# fail
not() {
	not_status=0
	"$@" || not_status=$?
	case $not_status:$1 in
	0:*) echo "this was not to succeed: $*" ;;
	126:* | 127:* | 13[2-9]:*) echo "status $not_status: $*" ;;
	[2-9]:grep | [2-9]:cmp | [2-9]:diff | [2-9]:same | [2-9]:test) echo "cannot compare: $*" ;;
	*) return 0 ;;
	esac
	return 1
}
# says TEXT FILE: FILE contains TEXT
says() {
	grep -qF -- "$1" "$2" || { echo "no '$1' in $2:"; cat "$2"; return 1; }
}
# CMD | finds [OPTION...] PATTERN: a line matches. Unlike "grep -q" it does not end CMD by SIGPIPE, and a
# failure shows what was there
finds() {
	piped=$(cat)
	printf "%s\n" "$piped" | grep "$@" > "$TMP/found" && return
	echo "not found: $*, in:"
	printf "%s\n" "$piped" | head -n 40
	return 1
}
silent_about() {
	not grep -F -- "$1" "$2"
}
# in_browser PAGE[#FRAGMENT] SCRIPT: opens a page and runs a script in it, which prints by say(VALUE) and lets
# the page draw by "await drawn()". Fails if the page loads anything, or reports an error
in_browser() {
	in_page=${1%%#*}
	{
		cat "$in_page"
		printf '<pre id="said"></pre><script>const say = t => said.textContent += t + "\\n";\n'
		printf 'const drawn = async () => draw();\n'
		printf '(async () => { await drawn();\n%s\n' "$2"
		printf 'say("requests: " + performance.getEntriesByType("resource").length); say("done"); })();</script>\n'
	} > in-browser.html
	timeout -k 5 100 chromium --headless --no-sandbox --disable-gpu --window-size=1000,700 --virtual-time-budget=20000 \
		--enable-logging=stderr --dump-dom "file://$PWD/in-browser.html${1#"$in_page"}" > browser.dom 2> browser.err
	sed -n '/<pre id="said">/,/<.pre>/p' browser.dom | sed 's/<.pre>.*//; s/<[^>]*>//g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' | grep . > said
	grep CONSOLE browser.err >> said || :
	grep -qx "requests: 0" said && grep -qx "done" said && ! grep -q CONSOLE said || { cat said; return 1; }
	grep -v -x -e "requests: 0" -e "done" said || :
}

# trace_format NAME ID SIZE:FIELD...: the format file of a tracepoint with these numbers, each at a multiple
# of 8 or, where all have 4 bytes, of 4; -SIZE:FIELD is signed, text:FIELD is the length << 16 | offset of a
# text, in 4 bytes
trace_format() {
	printf "name: $1\nID: $2\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	printf "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	printf "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	printf "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	format_name=$1
	shift 2
	case " $*" in *8:*) step=8 ;; *) step=4 ;; esac
	off=8
	for field; do
		case $field in
		-4:*) printf "\tfield:int ${field#*:};\toffset:$off;\tsize:4;\tsigned:1;\n" ;;
		text:*) printf "\tfield:__data_loc char[] ${field#*:};\toffset:$off;\tsize:4;\tsigned:0;\n" ;;
		4:*) printf "\tfield:unsigned int ${field#*:};\toffset:$off;\tsize:4;\tsigned:0;\n" ;;
		*) printf "\tfield:unsigned long ${field#*:};\toffset:$off;\tsize:8;\tsigned:0;\n" ;;
		esac
		off=$((off + step))
	done
	printf "\nprint fmt: \"$format_name\"\n"
}
# until_true CMD...: waits for it, a minute at most. What is to happen first is waited for, not given some
# time: a busy machine may need ten times as long
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
# header_covers FILE BYTES: the data section ends there or later, as the header, which comes up to date now
# and then, has it by now
header_covers() {
	# shellcheck disable=SC2046 # two numbers
	set -- "$2" $(od -An -tu8 -j 40 -N 16 "$1")
	test $(($2 + $3)) -ge "$1"
}
# has_events PID: it has opened events
has_events() {
	ls -l "/proc/$1/fd" | finds "anon_inode:\[perf_event\]"
}
# children PID: the processes that it started; without ps(1), which a bare machine does not have
children() {
	grep -lx "PPid:.$1" /proc/[0-9]*/status 2> /dev/null | cut -d / -f 3
}
# kill_recorder PID: with a signal that it cannot catch; and its workload, which would go on forever
kill_recorder() {
	workload=$(children "$1")
	kill -9 "$1"
	[ -z "$workload" ] || kill -9 $workload
	wait "$1" || true
}
# mkdata FILE: the perf.data file that standard input describes
mkdata() {
	"$MKDATA" -o "$1"
}
# at_once CMD...: begins it in a directory of its own, for commands that mostly wait; six go on at a time.
# all_at_once, with which each check ends: waits for the rest; fails with what the first failed one printed
at_once_pids='' at_once_jobs=0
at_once() {
	at_once_jobs=$((at_once_jobs + 1))
	at_once_dir=at-once.$nr_checks.$at_once_jobs
	rm -rf "$at_once_dir"
	mkdir "$at_once_dir"
	( cd "$at_once_dir"; "$@" > printed 2>&1; : > succeeded ) &
	at_once_pids="$at_once_pids $!"
	[ "$(echo $at_once_pids | wc -w)" -lt 6 ] || wait_oldest
}
wait_oldest() {
	set -- $at_once_pids
	wait "$1" || true
	shift
	at_once_pids="$*"
}
all_at_once() {
	while [ -n "$at_once_pids" ]; do
		wait_oldest
	done
	for job in $(seq $at_once_jobs); do
		at_once_dir=at-once.$nr_checks.$job
		[ -e $at_once_dir/succeeded ] || { cat $at_once_dir/printed; return 1; }
		rm -r $at_once_dir
	done
	at_once_jobs=0
}
