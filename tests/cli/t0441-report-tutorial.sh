#!/bin/sh
# The chapter about elapsed time of the tutorial: each of its commands runs, and shows what the text says.
. "$(dirname "$0")/lib.sh"

# commands of the chapter as lines of shell: after "#" and a tab; one goes on in the next line
awk '/^11\. / { on = 1 } /^12\. / { exit }
	on && /^\t# (perf|mkdir|rmdir|echo) / { sub(/^\t# /, ""); print; open = gsub(/\047/, "&") % 2; next }
	on && open { sub(/^\t\t/, "\t"); print; open = 0 }' "$SRC/Documentation/tutorial.txt" > commands
# the first version of control groups has a folder for each controller
if [ ! -e /sys/fs/cgroup/cgroup.controllers ]; then
	sed -i "s|^echo \([0-9]*\) \([0-9]*\) > \(.*\)/cpu.max|echo \2 > \3/cpu.cfs_period_us\necho \1 > \3/cpu.cfs_quota_us|" commands
	sed -i "s|/sys/fs/cgroup/slow|/sys/fs/cgroup/cpu/slow|" commands
fi
sed -i "s|/slow|/perf-test-$$|" commands
have_QUOTA() {
	rmdir_later=$(sed -n "s/^rmdir //p" commands)
	mkdir "$rmdir_later" 2> /dev/null && rmdir "$rmdir_later" || { echo "no control groups here"; return 1; }
	case $rmdir_later in
	/sys/fs/cgroup/cpu/*) [ -e /sys/fs/cgroup/cpu/cpu.cfs_quota_us ] || [ -e /sys/fs/cgroup/cpu/cpu.shares ] ;;
	*) grep -qw cpu /sys/fs/cgroup/cgroup.subtree_control ;;
	esac || { echo "no quota of control groups here"; return 1; }
}
mkdir bin
ln -s "$PERF" bin/perf
# run NR PATTERN: the commands from the line with that pattern on, NR of them, as one script; each must work
run() {
	grep -n -F -- "$2" commands | head -n 1 | cut -d: -f1 > first
	test -s first
	{ echo "set -e"; tail -n +"$(cat first)" commands | head -n "$1"; } > script.sh
	PATH=$PWD/bin:$PATH sh script.sh > out 2> err || { cat err; return 1; }
}

check 'all commands are found' '
	test "$(grep -c "^perf record" commands)" = 6
	test "$(grep -c "^perf report" commands)" = 12
	test "$(grep -c "^perf s" commands)" = 3
	# one command has two lines
	test "$(grep -c "^	" commands)" = 1'
check_if ROOT,TRACEFS 'a look without a recording' '
	run 1 "perf stat"
	says "runnable" err
	grep "second" err'
check_if ROOT,TRACEFS 'a lock' '
	run 3 "lock.data perf test"
	grep "first *blocked *futex .*second:" out
	says "<svg" lock.svg
	says ">blocked 100.00%<" lock.svg'
check_if ROOT,TRACEFS 'a disk' '
	run 3 "disk.data perf test"
	grep "reader *blocked *disk " out
	says "io_schedule" disk.svg'
check_if ROOT,TRACEFS,QUOTA 'a quota' '
	run $(($(grep -n "^rmdir" commands | cut -d: -f1) - $(grep -n "^mkdir" commands | cut -d: -f1) + 1)) "mkdir "
	grep "spin1  *\(run\|throttled\|blocked\)" out
	says "<svg" quota.svg'
check_if ROOT,TRACEFS 'a process that hangs' '
	sleep 100 &
	sed -i "s/ 4711 / $! /" commands
	run 2 "perf record --wall -p" || echo failed >> err
	kill $!
	grep "sleep  *[0-9]*:sleep *blocked *timer " out'
check_if ROOT,TRACEFS 'wakers, lines of slices, the page and the critical path' '
	perf() { "$PERF" "$@"; }
	run 2 "wakers.data perf test"
	test -s out
	perf record --wall -o lock.data "$PERF" test -w convoy > record.out 2>&1
	run 4 "--wall=blocked --stdio -G"
	grep "first .*state=blocked wait=futex" out
	says "\"spanLength\"" lock.html
	grep "Children" out'
check_if ROOT,TRACEFS 'calls of a function' '
	"$PERF" probe -x "$PERF" --funcs=convoy_timed_lock > funcs 2>&1 && grep -q convoy funcs || skip "this perf has no symbols for its own functions"
	run 3 "--span convoy_timed_lock -o"
	says "Calls of convoy_timed_lock: 2" out
	grep "+.*blocked futex" out'
