#!/bin/sh
# perf bench: each benchmark runs, with little to do, and says what it measured.
. "$(dirname "$0")/lib.sh"
Q="'"

# rate BENCHMARK...: runs it; there is a positive number for programs
rate() {
	$PERF bench -r 1 --json "$@" > json
	python3 - "$1/$2" <<-EOF
		import json, sys
		doc = json.load(open("json"))
		assert doc["perf"] == "bench" and doc["version"] == 1
		[bench] = doc["benchmarks"]
		assert bench["benchmark"] == sys.argv[1], bench
		assert bench["values"] and all(v["value"] >= 0 for v in bench["values"]), bench
		assert any(v["value"] > 0 for v in bench["values"]), bench
	EOF
}
have_PYTHON() {
	command -v python3 > /dev/null || { echo "needs python3"; return 1; }
}
have_BREAKPOINTS() {
	$PERF bench breakpoint enable > /dev/null 2>&1 || { echo "the processor, or the kernel, gives no breakpoints"; return 1; }
}
have_SECCOMP() {
	$PERF bench sched seccomp-notify -l 1 > /dev/null 2>&1 || { echo "seccomp gives no notifications"; return 1; }
}

check 'collections and their benchmarks are listed' '
	$PERF bench > out
	says "sched: task switches" out
	$PERF bench sched > out
	says "pipe: two tasks" out
	says "all: all of these" out
	$PERF bench internals > names
	grep -q "pmu-scan: " names
	for help in -h --help; do
		$PERF bench internals $help | cmp - names
	done
'
check 'what there is not is said' '
	fails_with 129 $PERF bench nosuch 2> err
	says "is not a collection of benchmarks" err
	fails_with 129 $PERF bench sched nosuch 2> err
	says "is not a benchmark of the collection" err
	fails_with 129 $PERF bench sched pipe more 2> err
	says "unexpected argument" err
	fails_with 129 $PERF bench -f fancy sched pipe 2> err
	says "is default or simple" err
	fails_with 1 $PERF bench mem memcpy -f nosuch > out 2> err
	says "is not known" err
	fails_with 1 $PERF bench futex wake-parallel -t 3 -w 2 > out 2> err
	says "cannot be divided" err
	fails_with 1 $PERF bench sched pipe -G no-such-group,nor-this -l 10 > out 2> err
	says "a task of the benchmark failed" err
'
check 'text is as of other perfs, and simple is the number alone' '
	$PERF bench sched pipe -l 10 > out
	test "$(sed -n 1p out)" = "# Running '\''sched/pipe'\'' benchmark:"
	test "$(sed -n 2p out)" = "# Executed 10 pipe operations between two processes"
	grep -qE "^     Total time: [0-9]+\.[0-9]{3} \[sec\]\$" out
	grep -qE "^ +[0-9]+\.[0-9]{6} usecs/op\$" out
	grep -qE "^ +[0-9]+ ops/sec\$" out
	$PERF bench -f simple sched messaging -g 1 -l 1 > out
	grep -qxE "[0-9]+\.[0-9]{3}" out
	test "$(wc -l < out)" = 1
'
check 'all of a collection' '
	$PERF bench mem mmap -f help > out
	says "populate ..." out
	$PERF bench -f simple mem memset -s 64KB -k 4KB > out
	test -s out
	not grep -vxE "[0-9]+\.[0-9]{6}" out
'
check_if PYTHON 'tasks' '
	rate sched messaging -g 1 -l 2
	rate sched messaging -g 1 -l 2 -t -p
	rate sched pipe -l 10 -s 100000
	rate sched pipe -l 10 -n -T
'
have_BPF_UPROBES() {
	have_BPF && have_UPROBES
}
check_if PYTHON,BPF_UPROBES 'probes in programs' '
	rate uprobe baseline -l 2 -u 1
	for b in empty trace_printk empty_ret trace_printk_ret; do rate uprobe $b -l 2 -u 0; done
	cat /sys/kernel/tracing/trace > trace 2>/dev/null || skip "no /sys/kernel/tracing/trace"
	says "bpf_trace_printk: perf bench" trace
'
check 'uprobe: what the probe adds to the run without one' '
	$PERF bench uprobe baseline -l 2 -u 1 > out
	same - out <<-END
	# Running ${Q}uprobe/baseline$Q benchmark:
	# Executed 2 usleep(1) calls
	$(sed -n 3p out)

	$(sed -n 5p out)
	END
	grep -qxE "     Total time: [0-9]+ usecs" out
	grep -qxE " [0-9]+\.[0-9]{3} usecs/op" out
'
check_if BPF_UPROBES 'uprobe: what probes add to the run without one' '
	$PERF bench uprobe all -u 0 -l 2 > out
	grep -qxE "     Total time: [0-9]+ usecs [+-][0-9]+ to baseline" out
	grep -qxE " [0-9.]+ usecs/op [+-][0-9.]+ usecs/op to baseline [+-][0-9.]+ usecs/op to previous" out
'
check_if PYTHON,SECCOMP 'answers by seccomp' 'rate sched seccomp-notify -l 10'
check_if PYTHON 'system calls' '
	rate syscall basic -l 10
	rate syscall getpgid -l 10
	rate syscall fork -l 2
	rate syscall execve -l 2
'
check_if PYTHON 'memory' '
	rate mem memcpy -s 64KB -l 2
	rate mem find_bit -i 1 -j 1
	rate mem mmap -s 64KB -r 7 -t 2
'
check_if PYTHON 'memory of nodes' '
	rate numa mem -p 2 -t 2 -G 1 -P 1 -T 1 -l 1
	for o in -R -W -Z -B -r "-H 0" "-C 0" -d; do rate numa mem -T 1 -l 1 $o; done
	$PERF bench numa mem -p 2 -t 3 -P 4 -l 2 > out
	grep -qx " # 6 tasks will execute (on [0-9]* nodes, [0-9]* CPUs):" out
	says " #          2x     4MB process shared mem operations" out
	# 6 times 2 times 1 MB and 4 MB
	grep -qx " main,                                    0.063, GB,             data-total" out
	fails_with 1 $PERF bench numa mem -M 1000 -l 1 > out 2> err
	says "a task could not run" err
	fails_with 1 $PERF bench numa mem -C 0,x -l 1 2> err
	says "is not a list of CPUs" err
'
check_if PYTHON 'parts of perf itself' '
	rate internals synthesize -i 1
	rate internals synthesize -t -I 1 -M 2
	rate internals pmu-scan -i 1
	rate internals evlist-open-close -i 1 -n 2
	$PERF bench internals evlist-open-close -i 1 -n 2 -e task-clock > out
	says "  Number of threads:	1" out
	says "  Number of events:	2 (" out
	$PERF bench internals evlist-open-close -i 1 --per-thread -t $$,1 > out
	says "  Number of cpus:	1" out
	says "  Number of events:	1 (2 fds)" out
	fails_with 1 $PERF bench internals evlist-open-close -p 0x 2> err
'
check_if PLAIN 'the records of this process are the same each time' '
	$PERF bench internals synthesize -i 2 > out
	test "$(grep -c "Average num. events: [1-9][0-9]*\.000 (+- 0.000)" out)" = 2
'
check_if PYTHON,ROOT 'the symbols of the kernel' 'rate internals kallsyms-parse -i 1'
check_if PYTHON 'futexes' '
	rate futex hash -r 1 -f 4
	rate futex wake -t 3 -w 2
	rate futex wake-parallel -t 4 -w 2 -s
	rate futex requeue -t 3 -q 2
	rate futex requeue -t 3 -p
	rate futex lock-pi -r 1 -M
'
check_if PYTHON 'descriptors' '
	rate epoll wait -r 1 -m -S -N 1
	rate epoll ctl -r 1 -R -f 8
'
check_if PYTHON,BREAKPOINTS 'breakpoints' '
	rate breakpoint thread -t 2 -p 2
	rate breakpoint enable -p 1 -a 1
'
