#!/bin/sh
# CPU time of real programs by perf record --wall beside perf sched timehist of the same file: the work is
# fixed, and both read the same records, so that load changes nothing.
# serial: all CPUs are recorded
. "$(dirname "$0")/lib.sh"

have_SQLITE() {
	sqlite3 :memory: 'SELECT 1' > /dev/null 2>&1 || skip "sqlite3 is not installed"
}
have_MAKE() {
	make --version > /dev/null 2>&1 || skip "make is not installed"
}
have_PYTHON3() {
	python3 -c 'import threading' 2> /dev/null || skip "python3 is not installed"
}
have_NODE() {
	node -e 0 > /dev/null 2>&1 || skip "node is not installed"
}
have_JAVA() {
	java -version > /dev/null 2>&1 || skip "java is not installed"
}
recorded() {
	$PERF record -q --wall=tracepoints -a -e cpu-clock -m 16M -o w.data -- "$@" > program.out 2> err || { cat err; return 1; }
	test ! -s err || cat err
	$PERF script --wall=all -i w.data -G -F tid,trace 2> /dev/null |
		sed -E 's/^ *([0-9]+) +state=([^ ]*) wait=[^ ]* ns=([0-9]*) .*/\1 \2 \3/' > slices
	$PERF sched timehist -i w.data 2> /dev/null |
		sed -nE 's/^ *[0-9.]+ \[[0-9]+\] .*\[([0-9]+)(\/[0-9]+)?\] +[0-9.]+ +[0-9.]+ +([0-9.]+) .*/\1 \3/p' > timehist
	# tasks that began and left their CPU for good meanwhile: timehist does not count what is not over
	{
		$PERF report -D -i w.data 2> /dev/null |
			sed -nE 's/.*PERF_RECORD_FORK\([0-9]+:([0-9]+)\).*/begun \1/p; s/.*PERF_RECORD_EXIT\([0-9]+:([0-9]+)\).*/ended \1/p'
		$PERF script --no-wall -i w.data -G -F event,trace 2> /dev/null |
			sed -nE 's/.*sched_switch: .* prev_pid=([0-9]+) .* prev_state=[XZ].*/left \1/p'
	} > lives
	awk '$1 == "begun" { begun[$2] = 1 } $1 == "left" && $2 in begun { print $2 }' lives > ended
	# the kernel did not tell the switch with which they left it
	awk '$1 == "begun" { begun[$2] = 1 } $1 == "ended" && $2 in begun { over[$2] = 1 } $1 == "left" { delete over[$2] }
		END { for (t in over) print t }' lives > untold
}
# the CPU time of each such task is equal, within 1 % and the microseconds that timehist rounds to; where
# records are missing it is unknown, and timehist guesses
agrees() {
	status=0
	awk -v least="$1" '
		FILENAME == "ended" { ended[$1] = 1 }
		FILENAME == "untold" { missing++ }
		FILENAME == "slices" { ns[$1 " " $2] += $3 }
		FILENAME == "timehist" { ms[$1] += $2; rows[$1]++ }
		END {
			for (t in ended) {
				missing += ns[t " unknown"] > 0
				if (!rows[t] || ns[t " unknown"])
					continue
				nr++
				diff = ns[t " on"] / 1e6 - ms[t]
				if (diff < 0)
					diff = -diff
				if (diff > ms[t] / 100 + rows[t] * 0.001 + 0.01) {
					printf "%d: %.3f ms on a CPU, timehist has %.3f in %d rows\n", t, ns[t " on"] / 1e6, ms[t], rows[t]
					bad = 1
				}
			}
			if (bad || nr >= least)
				exit bad
			printf "only %d tasks, and %d of which records are missing\n", nr, missing
			exit nr + missing < least ? 1 : 2
		}' ended untold slices timehist || status=$?
	test $status != 2 || skip "records are missing"
	return $status
}

check_if ROOT,TRACEFS,MAKE 'a parallel make' '
	{
		echo "all: a b c d"
		printf "a b c d:\n\t@n=0; while [ \$\$n -lt 3000 ]; do n=\$\$((n + 1)); done\n\t@sleep 0.01\n"
	} > Makefile
	recorded make -j3
	agrees 4'
check_if ROOT,TRACEFS,GIT 'git' '
	recorded sh -c "git init -q r && cd r && seq 5000 > a && git add a && git -c user.name=a -c user.email=a@b commit -q -m x && git log -p"
	agrees 3'
check_if ROOT,TRACEFS,SQLITE 'sqlite3' '
	recorded sh -c "sqlite3 a.db \"CREATE TABLE t(a); WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 50000)
		INSERT INTO t SELECT x * x FROM c; CREATE INDEX i ON t(a); SELECT sum(a) FROM t;\"; true"
	agrees 1'
check_if ROOT,TRACEFS,PYTHON3 'threads of python3' '
	recorded python3 -c "
import threading, time
def work():
	sum(i * i for i in range(100000))
	time.sleep(0.01)
threads = [threading.Thread(target=work) for i in range(4)]
[t.start() for t in threads]
[t.join() for t in threads]"
	agrees 2'
check_if ROOT,TRACEFS,NODE 'threads of node' '
	recorded node -e "
		const { Worker, isMainThread } = require(\"worker_threads\");
		for (let i = 0; i < 2; i++)
			new Worker(\"let s = 0; for (let i = 0; i < 3e6; i++) s += Math.sqrt(i)\", { eval: true });"
	agrees 3'
check_if ROOT,TRACEFS,JAVA 'threads of java' '
	recorded java -version
	agrees 5'
