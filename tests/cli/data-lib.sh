# shellcheck shell=sh disable=SC2034
# data-lib.sh: for tests of traps in perf.data files (t1xxx). Sourced after lib.sh.

# the lines of a small file's two samples, and the file (event line to be completed by the caller)
FIELDS=comm,pid,tid,cpu,time,event,ip,period
printf '%s\n' \
	'             cat     100/100     [001]     1.000001:     250000 cpu-clock:            400100 ' \
	'             cat     100/100     [000]     1.000251:     250000 cpu-clock:            400110 ' | sed 's/ $//' > "$TMP/two-samples"
TWO_SAMPLES=$TMP/two-samples

# small EVENT-KEYS: text of a file with a process, a map and two samples
small() {
	cat <<-END
	event cpu-clock config=cpu-clock period=250000 sample=ip|tid|time|cpu|period flags=sample_id_all|comm|mmap2|task $*
	feature event_desc
	feature nrcpus u32:2,2
	comm tid=100 comm="cat" time=1000000000
	mmap2 tid=100 addr=0x400000 len=0x1000 prot=5 flags=2 filename="/bin/no-such-cat" time=1000000001
	sample tid=100 cpu=1 ip=0x400100 time=1000001999 period=250000
	sample tid=100 cpu=0 ip=0x400110 time=1000251999 period=250000
	END
}

# script_lines FILE ARGS...: what script prints on stdout, blanks at line ends dropped; stderr to "err"
script_lines() {
	file=$1
	shift
	$PERF script -i "$file" "$@" 2> err | sed 's/ *$//'
}

# shows_both FILE: its two samples are printed
shows_both() {
	script_lines "$1" -F $FIELDS > out
	same "$TWO_SAMPLES" out
}

# survives CMD...: any exit status but that of a crash or a hang, and something that is said of the file
survives() {
	got=0
	timeout 100 "$@" > out 2> err < /dev/null || got=$?
	[ $got -lt 124 ] || { echo "status $got: $*"; tail -n 5 err; return 1; }
	[ -s out ] || [ -s err ] || { echo "nothing is said: $*"; return 1; }
}
