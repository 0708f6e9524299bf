#!/bin/sh
# in-guest.sh PART...: what runs inside a guest. Variables: PERF, O (object directory of its architecture),
# OUT (folder that the host sees too).
. "$(dirname "$0")/../cli/lib.sh"

LOOP=$O/vm-loop
ROUNDS=20000000		# of two instructions
export LOOP ROUNDS

# samples FILE [EVENT]: how many there are
samples() {
	$PERF script -i "$1" -F event | grep -c "${2:-.}"
}
# near GOT WANT: within 1 %
near() {
	awk -v got="$1" -v want="$2" 'BEGIN { exit !(got >= want * 0.99 && got <= want * 1.01) }' ||
		{ echo "$1 is not within 1 % of $2"; return 1; }
}
# widths of columns are not what is compared with other versions
squeeze() {
	sed "s/  */ /g; s/^ //; s/ \$//"
}
# what the host, too, has of the build-id cache: the vdso
PERF_BUILDID_DIR=$OUT/cache
export PERF_BUILDID_DIR
# report and script of NAME.data as this machine prints them, for the host to compare with
keep() {
	(cd "$OUT" && $PERF report --stdio -i "$1.data" > "$1.report" && $PERF script -i "$1.data" > "$1.script")
	case $1 in flat | trace) (cd "$OUT" && $PERF report -D -i "$1.data" > "$1.dump") ;; esac
}
# record NAME ARGS...: $OUT/NAME.data
record() {
	name=$1
	shift
	$PERF record -q -o "$OUT/$name.data" "$@" > /dev/null
	keep "$name"
}

part_units() {
	# the processor is emulated: tests of many rounds take fewer
	check 'unit tests' 'PERF_TEST_SHORT=1 "$O/unit-tests" -t 400 > log || { grep -v "^ok" log; exit 1; }'
}

part_record() {
	check 'a flat profile' 'record flat -e "$EVENT:u" -c "$PERIOD" "$PERF" test -w deterministic 300
		grep -q deterministic_spin "$OUT/flat.report"'
	check 'user and kernel, all CPUs' 'record all -a -e "$EVENT" -c "$PERIOD" ls -R /usr/share/X11
		grep -q "\[k\]" "$OUT/all.report"'
	check 'call chains by frame pointers' 'record chain -g -e "$EVENT" -c "$PERIOD" "$PERF" test -w callchain 0.2
		grep -q burn "$OUT/chain.report"'
	check 'call chains by stack dumps' 'record dwarf --call-graph dwarf,4096 -e "$EVENT:u" -c "$((PERIOD * 5))" \
			"$PERF" test -w callchain 0.2
		grep -q burn "$OUT/dwarf.report"
		# stacks of s390 are not unwound
		[ "$(uname -m)" = s390x ] || grep -q serve_requests "$OUT/dwarf.report"'
	check 'tracepoints' 'record trace -a -e "sched:*" -e raw_syscalls:sys_enter ls
		grep -q "next_comm=ls" "$OUT/trace.script"'
	check 'compressed' 'record packed -z -e "$EVENT" -c "$PERIOD" ls -R /usr/share/X11
		test "$(samples "$OUT/packed.data")" -gt 0'
	check 'through a pipe' '$PERF record -q -o - -e "$EVENT:u" -c "$PERIOD" "$PERF" test -w deterministic 300 > "$OUT/pipe.data"
		keep pipe
		test "$(samples "$OUT/pipe.data")" -gt 0'
	check 'the perf packaged for this machine reads all of them' '
		command -v perf > /dev/null
		for f in flat all chain dwarf trace packed; do
			perf script -f -i "$OUT/$f.data" -G -F pid,tid,time,period,event 2> err | squeeze > theirs
			$PERF script -i "$OUT/$f.data" -G -F pid,tid,time,period,event | squeeze > ours
			test -s ours
			cmp theirs ours || { cat err; echo "$f differs"; exit 1; }
		done
	'
	check 'a file of the perf packaged for this machine' '
		perf record -q -g -e "$EVENT" -c "$PERIOD" -o theirs.data ls -R /usr/share/X11 > /dev/null
		perf script -i theirs.data -G -F pid,tid,time,period,event | squeeze > theirs
		$PERF script -i theirs.data -G -F pid,tid,time,period,event | squeeze > ours
		same theirs ours
	'
}

# a counter that is exact: the known loop
part_cycles() {
	check 'cycles:u -c P gives count/P samples' '
		for p in 100000 250000; do
			$PERF record -q -N -o loop.data -e cycles:u -c $p "$LOOP" $ROUNDS
			near "$(samples loop.data)" "$((2 * ROUNDS / p))"
		done
	'
	check 'a group samples with its leader' '
		$PERF record -q -N -o group.data -e "{cycles:u,instructions:u}:S" -c 1000000 "$LOOP" $ROUNDS
		$PERF script -i group.data -F event,period > periods
		near "$(awk "/cycles/ { n += \$1 } END { print n }" periods)" "$((2 * ROUNDS))"
		near "$(awk "/instructions/ { n += \$1 } END { print n }" periods)" "$((2 * ROUNDS))"
	'
	check ':u and :k divide what is counted' '
		$PERF record -q -N -o u.data -e cycles:u -c 100000 "$PERF" test -w deterministic 300
		$PERF record -q -N -o k.data -e cycles:k -c 100000 "$PERF" test -w deterministic 300
		$PERF script -i u.data -F ip > u
		$PERF script -i k.data -F ip > k
		test -s u && test -s k
		# the interrupt can come an instruction late, on the other side; 127 samples of one kind, and 12
		# of the other
		test "$(grep -c "^ *ffff8" u)" -le $(($(wc -l < u) / 25)) || { cat u; exit 1; }
		test "$(grep -vc "^ *ffff8" k)" -le $(($(wc -l < k) / 4)) || { cat k; exit 1; }
	'
}

# frame records do not tell the caller of a function that has none
part_leaf() {
	check 'the caller of a leaf function is in its chains by frame pointer' '
		$PERF record -q -N -g -o "$OUT/leaf.data" -e cycles:u -c 200000 "$O/vm-leaf"
		$PERF script -i "$OUT/leaf.data" -F ip,sym > chains
		awk "\$2 == \"leaf\" { n++; getline; got = \$2; getline; if (got != \"caller\" || \$2 != \"_start\") bad++ }
			END { exit n < 40 || bad }" chains || { head -n 20 chains; exit 1; }
		$PERF report --stdio -g caller -i "$OUT/leaf.data" > report
		grep -A 2 -e "---_start" report | tr -d " \n" | finds -e "---_startcallerleaf"
	'
	check 'the perf packaged for this machine has the same chains' '
		command -v perf > /dev/null
		perf script -f -i "$OUT/leaf.data" -F tid,time,ip,sym | squeeze | sed "s/ *[0-9a-f]* \([a-z_]*\)$/\1/" > theirs
		$PERF script -i "$OUT/leaf.data" -F tid,time,ip,sym | squeeze | sed "s/ *[0-9a-f]* \([a-z_]*\)$/\1/" > ours
		same theirs ours
	'
}

# main_offset: where main is in the file $LOOP
main_offset() {
	nm "$LOOP" | awk '$3 == "main" { print "at", $1 }' > symbols
	readelf -lW "$LOOP" | cat symbols - | awk '
		function hex(s, n, i) {
			s = tolower(s)
			sub(/^0x/, "", s)
			for (i = 1; i <= length(s); i++)
				n = n * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
			return n
		}
		$1 == "at" { at = hex($2) }
		$1 == "LOAD" && at >= hex($3) && at < hex($3) + hex($5) { printf "0x%x", at - hex($3) + hex($2) }'
}
TRACEFS=/sys/kernel/tracing
part_probes() {
	check 'a probe on a function of the kernel is an event' '
		rc=0; $PERF stat -e probe:vfs_read true 2> err || rc=$?
		test $rc = 129
		grep -q "Hint: a probe on a function of the kernel is added by: perf probe .vfs_read=FUNCTION" err
		echo "p:probe/vfs_read vfs_read" >> $TRACEFS/kprobe_events
		$PERF list probe > list
		grep -q "^  probe:vfs_read " list
		$PERF stat -x, -e probe:vfs_read,"{probe:*}" -o csv cat /proc/version > /dev/null
		test "$(grep -c "^[1-9][0-9]*,,probe:vfs_read," csv)" = 2 || { cat csv; exit 1; }
		$PERF record -q -N -e probe:vfs_read -o "$OUT/probe.data" cat /proc/version > /dev/null
		echo > $TRACEFS/kprobe_events
		$PERF script -i "$OUT/probe.data" > script
		grep -q "probe:vfs_read: (" script
	'
	check 'probes without tracefs: the PMU kprobe' '
		$PERF stat -x, -e kprobe/func=vfs_read/,kprobe/retprobe,func=vfs_read/ -o csv cat /proc/version > /dev/null
		test "$(grep -c "^[1-9]" csv)" = 2 || { cat csv; exit 1; }
		rc=0; $PERF stat -e kprobe/func=no_such_function/ true 2> err || rc=$?
		grep -q "no_such_function" err
	'
	check 'probes without tracefs: the PMU uprobe' '
		command -v nm > /dev/null || skip "needs nm"
		offset=$(main_offset)
		$PERF stat -x, -e "uprobe/path=\"$LOOP\",name=up,offset=$offset/" \
			-o csv "$LOOP" 5
		grep -q "^1,,up," csv || { cat csv; exit 1; }
	'
}

# functions of the kernel, by name and by register: no debug information is needed
case $(uname -m) in
aarch64) THIRD=x2 ;;
s390x) THIRD=r4 ;;
*) THIRD=dx ;;
esac
export THIRD
no_probes() { # no probe is left
	$PERF probe -l > left
	test ! -s left || { cat left; exit 1; }
}
part_kernel_probes() {
	check 'probe: a function by name, an argument by number and by register, the result' '
		trap "$PERF probe -q -d probe:* 2> err || true" EXIT
		$PERF probe "read=vfs_read n=\$arg3 same=%$THIRD:u64" "done=vfs_read%return r=\$retval:s64" 2> err ||
			$PERF probe -a "read=vfs_read n=\$arg3 same=%$THIRD:u64" -a "done=vfs_read%return r=\$retval:s64" 2> err
		grep -q "probe:read .*on vfs_read with n=" err
		$PERF probe -l > list
		grep -q "probe:done .*on vfs_read%return.* with r" list
		$PERF record -q -N -e "probe:*" -o "$OUT/kprobe.data" cat /proc/version > version
		$PERF script -i "$OUT/kprobe.data" -F event,trace > script
		awk "/probe:read:/ { split(\$(NF - 1), n, \"=\"); split(\$NF, s, \"=\"); if (n[2] != s[2] + 0) bad = 1; reads++ }
			END { exit bad || !reads }" script
		grep -q "probe:done: .* r=$(wc -c < version)$" script
		$PERF probe -q -d "probe:*"
		no_probes
	'
	check 'probe: functions that cannot be probed' '
		fails_with 1 $PERF probe vfs_raed 2> err
		says "vfs_read" err
		forbidden=$(awk "NR > 3 && !/[.]/ { print \$2; exit }" /sys/kernel/debug/kprobes/blacklist)
		[ -z "$forbidden" ] || fails_with 1 $PERF probe "$forbidden" 2> err
		[ -z "$forbidden" ] || says "cannot be probed" err
		fails_with 1 $PERF probe -m no_such_module foo 2> err
		says "no_such_module" err
		no_probes
	'
	check 'probe: a function of a module' '
		grep -q "^9p " /proc/modules || skip "the module 9p is not loaded"
		trap "$PERF probe -q -d probe:* 2> err || true" EXIT
		$PERF probe -m 9p -F "v9fs_file_*" > functions
		grep -qx v9fs_file_open functions
		$PERF probe -q -m 9p v9fs_file_open
		$PERF probe -l > list
		grep -q "probe:v9fs_file_open .*on v9fs_file_open in 9p" list
		$PERF stat -x, -e probe:v9fs_file_open -o csv cat /etc/hostname > out 2>&1 || true
		grep -q ",,probe:v9fs_file_open," csv
	'
	check 'probe: for the duration of a command, and latencies' '
		$PERF stat -x, -e "probe(vfs_read),probe(vfs_read%return)" -o csv cat /proc/version > out
		test "$(grep -c "^[1-9][0-9]*,,probe:vfs_read" csv)" = 2
		$PERF probe --latency vfs_read cat /proc/version > out
		grep -q "^ *probe:vfs_read  *[1-9][0-9]* " out
		grep -q "^ *ksys_read .*%" out
		silent_about "without a return" out
		no_probes
	'
}

# C names, where the guest has the debug information of its kernel
part_kernel_debuginfo() {
	vmlinux=/usr/lib/debug/boot/vmlinux-$(uname -r)
	[ -e "$vmlinux" ] || vmlinux=
	export vmlinux
	check 'probe: variables and members of the kernel by their C names' '
		[ -n "$vmlinux" ] || skip "needs the debug information of the kernel"
		trap "$PERF probe -q -d probe:* 2> err || true" EXIT
		$PERF probe -V vfs_read > vars
		grep -q "struct file\*	file" vars
		grep -q "size_t	count" vars
		$PERF probe -q -a "read=vfs_read count file->f_pos" -a "done=vfs_read%return \$retval" \
			-a "open=vfs_open name=path->dentry->d_name.name:string"
		$PERF record -q -N -e "probe:*" -o "$OUT/kvars.data" cat /proc/version > version
		$PERF script -i "$OUT/kvars.data" -F event,trace > script
		grep -q "probe:read: .* count=[0-9]* f_pos=0$" script
		grep -q "probe:done: .* arg1=$(wc -c < version)$" script
		grep -q "probe:open[_0-9]*: .* name=\"version\"" script
	'
	check 'probe: lines of the kernel, and what is not there' '
		[ -n "$vmlinux" ] || skip "needs the debug information of the kernel"
		rc=0; $PERF probe -D "vfs_read:1" > out 2> err || rc=$?
		next=$(sed -n "s/.*the next line that has code is //p" err)
		$PERF probe -D "${next:-vfs_read:1} count" > out
		grep -q "^p:probe/vfs_read_L[0-9]* vfs_read+[0-9]* count=" out
		fails_with 1 $PERF probe -D "vfs_read file->nosuch" 2> err
		says "f_path" err
		fails_with 1 $PERF probe -D "vfs_read nosuch" 2> err
		says "perf probe -V vfs_read" err
	'
}

# what perf ftrace changes, but for the buffer: one that was not used before grows
tracing_settings() {
	for f in current_tracer tracing_on set_ftrace_filter set_ftrace_notrace set_ftrace_pid set_graph_function \
			set_graph_notrace max_graph_depth tracing_thresh trace_options; do
		[ ! -e $TRACEFS/$f ] || sed "s|^|$f |" $TRACEFS/$f
	done
	ls $TRACEFS/instances
	grep -v "^#" $TRACEFS/trace
	test ! -s /run/perf-ftrace || cat /run/perf-ftrace
}
# is_tracing: somebody traces with function_graph
is_tracing() {
	cat $TRACEFS/current_tracer $TRACEFS/instances/*/current_tracer 2> /dev/null | finds function_graph
}
# function_graph, in an instance or in the top one. -T is given everywhere: a tracer of all functions takes an
# emulated kernel ten seconds to switch on, and as many to switch off
part_ftrace() {
	tracing_settings > before
	check 'ftrace: the functions that can be traced' '
		$PERF ftrace -F "vfs_rea*" > list
		grep -qx vfs_read list
		fails_with 1 $PERF ftrace -T vfs_raed true 2> err
		grep -q "did you mean .vfs_read" err
		tracing_settings | same before -
	'
	check 'ftrace: calls of a function' '
		$PERF ftrace -T vfs_read cat /proc/version > out
		grep -q "cat-[0-9]* .*: vfs_read <-" out
		tracing_settings | same before -
	'
	check 'ftrace: what a function calls' '
		$PERF ftrace -G vfs_read -T "vfs_*" -T "*rw_verify*" --graph-opts depth=2,noirqs,tail \
			cat /proc/version > out
		grep -q "|  vfs_read() {" out
		grep -q "us *|    rw_verify_area();" out
		grep -q "us *|  } /\* vfs_read" out
		not grep -q "us *|      " out
		tracing_settings | same before -
	'
	check 'ftrace: a histogram, and a profile' '
		$PERF ftrace latency -T vfs_read cat /proc/version > out
		test "$(awk "/ count:/ { print \$2 }" out)" -gt 1
		$PERF ftrace profile -a -T "vfs_*" cat /proc/version > out
		grep -q " vfs_read *$" out
		grep -q " vfs_open *$" out
		tracing_settings | same before -
	'
	check 'ftrace: Ctrl-C ends it, the next run cleans up after SIGKILL' '
		$PERF ftrace profile -a -T "vfs_*" > out &
		pid=$!
		until_true is_tracing
		kill -INT $pid
		wait $pid
		grep -q Function out
		tracing_settings | same before -
		$PERF ftrace -t function_graph -T "vfs_*" --graph-opts tail -a > out &
		pid=$!
		until_true is_tracing
		until_true test -s out
		kill -KILL $pid
		wait $pid || true
		is_tracing
		$PERF ftrace latency -T vfs_read cat /proc/version > out
		tracing_settings | same before -
	'
	check 'ftrace: others are not disturbed' '
		echo vfs_write > $TRACEFS/set_ftrace_filter
		echo function_graph > $TRACEFS/current_tracer
		fails_with 1 $PERF ftrace latency -T vfs_read true 2> err
		$PERF ftrace -T vfs_read cat /proc/version > out
		grep -q "vfs_read <-" out
		test "$(cat $TRACEFS/current_tracer)" = function_graph
		test "$(cat $TRACEFS/set_ftrace_filter)" = vfs_write
		echo nop > $TRACEFS/current_tracer
		echo > $TRACEFS/set_ftrace_filter
		echo > $TRACEFS/trace
		tracing_settings | same before -
	'
}

# value FILE EVENT: what "perf stat -x," counted, summed over the lines of that event
value() {
	awk -F, -v e="$2" '{ for (i = 1; i <= NF; i++) if ($i == e) { v = $(i - 2); n += v } } END { printf "%.0f\n", n }' "$1"
}
# percent FILE EVENT: for how much of the time the last such line was counted
percent() {
	awk -F, -v e="$2" '{ for (i = 1; i <= NF; i++) if ($i == e) p = $(i + 2) } END { print p }' "$1"
}
export_stat() {
	(cd "$OUT" && $PERF stat report -i "$1.data" 2> "$1.stat")
}

part_stat() {
	check 'stat: files are reported here and there' '
		$PERF stat record -o "$OUT/stat.data" -e task-clock:u,page-faults,context-switches "$LOOP" 1000 2> err || { cat err; exit 1; }
		export_stat stat
		grep -q page-faults "$OUT/stat.stat"
	'
	check 'stat: intervals over all CPUs' '
		$PERF stat -x, -a -A -I 100 --interval-count 3 -e task-clock,context-switches -o csv
		test "$(grep -c ,task-clock, csv)" = 3
		test "$(grep -c "CPU0," csv)" = 6
	'
}

# a counter that sees more than the loop: a few percent of a long one
part_stat_loop() {
	check 'stat: instructions and cycles of a loop of known length, the kernel included' '
		$PERF stat -x, -e instructions,cycles -o csv "$LOOP" $((ROUNDS * 10))
		near "$(value csv instructions)" "$((20 * ROUNDS))"
		near "$(value csv cycles)" "$((20 * ROUNDS))"
	'
}

# a counter that is exact, as perf stat shows it
part_stat_cycles() {
	check 'stat: instructions and cycles of a loop of known length' '
		$PERF stat -x, -e instructions:u,cycles:u -o csv "$LOOP" $ROUNDS
		near "$(value csv instructions:u)" "$((2 * ROUNDS))"
		near "$(value csv cycles:u)" "$((2 * ROUNDS))"
	'
	check 'stat: a group is counted together' '
		$PERF stat -x, -e "{cycles:u,instructions:u}" -o csv "$LOOP" $ROUNDS
		near "$(value csv cycles:u)" "$(value csv instructions:u)"
	'
	check 'stat: user and kernel make the whole' '
		$PERF stat -x, -e cycles,cycles:u,cycles:k -o csv ls -R /usr/share/X11 > /dev/null
		near "$(($(value csv cycles:u) + $(value csv cycles:k)))" "$(value csv cycles)"
		test "$(value csv cycles:k)" -gt 1000000
	'
	check 'stat: more events than the six counters take turns, and are scaled' '
		$PERF stat -x, -e r08:u,r08:u,r08:u,r08:u,r08:u,r08:u,r08:u,r08:u,r08:u -o csv "$LOOP" $((ROUNDS * 5))
		awk -F, -v want=$((ROUNDS * 10)) "/r08/ { n++; if (\$1 < want * 0.8 || \$1 > want * 1.2 || \$5 >= 100) bad++ }
			END { exit n != 9 || bad }" csv || { cat csv; exit 1; }
	'
	check 'stat: six take no turns' '
		$PERF stat -x, -e r08:u,r08:u,r08:u,r08:u,r08:u,r08:u -o csv "$LOOP" $ROUNDS
		test "$(percent csv r08:u)" = 100.00
		near "$(value csv r08:u)" "$((12 * ROUNDS))"
	'
	check 'stat: intervals add up' '
		$PERF stat -x, -I 20 -e instructions:u -o csv "$LOOP" $ROUNDS
		test "$(grep -c ,instructions:u, csv)" -ge 2
		near "$(value csv instructions:u)" "$((2 * ROUNDS))"
	'
}

# what the host needs to name the same symbols
part_files() {
	check 'symbols for the host' '
		cat /proc/kallsyms > "$OUT/kallsyms"
		for f in flat all chain dwarf trace packed pipe; do
			$PERF buildid-list -i "$OUT/$f.data"
		done | awk "\$2 ~ /^\\// { print \$2 }" | sort -u > dsos
		while read -r dso; do
			mkdir -p "$OUT/root/${dso%/*}"
			cp "$dso" "$OUT/root$dso"
		done < dsos
	'
}

case $(uname -m) in
s390x) EVENT=cpu-clock PERIOD=250000 ;;
*) EVENT=cycles PERIOD=200000 ;;
esac
export EVENT PERIOD
for part; do
	"part_$part"
done
