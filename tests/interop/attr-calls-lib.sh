# shellcheck shell=sh disable=SC2086
# attr-calls-lib.sh, for the scripts that compare the system calls of commands: perf_event_open is called with
# the attributes, tasks, CPUs and groups with which the newest upstream calls it, for the command lines of
# attr-calls.txt; intended differences are listed there with their reasons and taken out of both sides here.
. "$(dirname "$0")/../cli/lib.sh"
need NEWEST ROOT TRACEFS STRACE

here=$SRC/tests/interop
sleep 7200 & sleeper=$!
on_end 'kill $sleeper'

# what is not compared on a line with a difference of this name
uncompared() {
	case $1 in
	default) sed '/type=PERF_TYPE_HARDWARE/d' ;;
	order) sed -E 's/ (bpf_event|build_id|comm|comm_exec|ksymbol|mmap2|mmap|task)=1//g' | sort -u ;;
	tracking) sed '/config=PERF_COUNT_SW_DUMMY/d' ;;
	clock) sed -e '/refused/d' -e 's/PERF_COUNT_SW_TASK_CLOCK/PERF_COUNT_SW_CPU_CLOCK/' -e 's/ precise_ip=[0-9]//' | sort -u ;;
	detail) sed '/type=PERF_TYPE_HW_CACHE/d' ;;
	overwrite) sed -E -e '/PERF_COUNT_SW_DUMMY/d' -e 's/ (bpf_event|build_id|comm|comm_exec|ksymbol|mmap2|mmap|task)=1//g' \
		-e 's/\|PERF_SAMPLE_IDENTIFIER//' ;;
	termdwarf) sed -E 's/\|PERF_SAMPLE_(ADDR|DATA_SRC)//g' ;;
	tool) sed 's/ comm_exec=1//' ;;
	mixed) sed -E -e 's/\|PERF_FORMAT_GROUP//' -e 's/ (disabled|enable_on_exec|sample_period)=1//g' -e 's/ \|.*//' ;;
	*) cat ;;
	esac
}
# calls WHO PROGRAM ARGS...
calls() {
	who=$1
	shift
	set +f
	rm -f trace.*
	# with a filter in the kernel the process only stops at these calls; of recorders the thousands of reads
	# are those of /proc
	strace -ff $filter -v -s 512 -e trace=perf_event_open,ioctl,close$reads -o trace "$@" > "$who.out" 2>&1 < /dev/null || true
	awk -v tried=1 -f "$here/attr-calls.awk" trace.* | sort | uncompared "$difference" > "$who"
}
# compare_line DIFFERENCE COMMAND...: both make the same calls; the kernel may change a limit between the two
compare_line() {
	difference=$1
	shift
	for try in 1 2 3; do
		calls ours "$PERF" "$@"
		calls theirs "$NEWEST" "$@"
		# its default events need counters of some processors
		[ -s theirs ] || ! grep -q '^No supported events found' theirs.out || return 0
		test -s theirs || { echo "upstream opened nothing: $*"; cat theirs.out; return 1; }
		cmp -s ours theirs && return
	done
	echo "$*"
	diff theirs ours
	return 1
}
# every line of the list that begins with this command
compare() {
	lines=0 reads=,read filter=
	[ "$1" != record ] || reads=
	strace -f --seccomp-bpf true 2> /dev/null && filter=--seccomp-bpf
	while read -r line; do
		case $line in
		\#* | '') continue ;;
		\[*) difference=${line%%]*}; difference=${difference#[}; line=${line#*] } ;;
		*) difference= ;;
		esac
		[ "${line%% *}" = "$1" ] || continue
		line=$(echo "$line" | sed -e "s/PID/$sleeper/" -e 's/WORKLOAD/true/' -e 's/^record/record -o x.data/')
		lines=$((lines + 1))
		set -f	# the events in it are no globs of the shell
		at_once compare_line "$difference" $line
		set +f
	done < "$here/attr-calls.txt"
	echo "$lines lines"
	test $lines -ge 60
}
