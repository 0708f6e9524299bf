#!/bin/sh
# perf ftrace: traces, histograms and profiles on a tracefs made of files, into whose trace_pipe (a FIFO) the
# traced command writes; what is put back, also after SIGKILL. Real tracers: tests/vm.
. "$(dirname "$0")/lib.sh"

T=root/sys/kernel/tracing
put() {
	printf "%s\n" "$2" > $T/$1
}
# an empty tracefs of a kernel whose instances have no tracers
make_root() {
	rm -rf root
	mkdir -p root/run root/proc $T/events $T/instances $T/options
	put available_tracers "function_graph function nop"
	put available_filter_functions "vfs_read
vfs_readv
ovl_read_iter [overlay]"
	put current_tracer nop
	put tracing_on 1
	put trace "# tracer: nop"
	: > $T/set_event
	for list in set_ftrace_filter set_ftrace_notrace set_graph_function set_graph_notrace set_ftrace_pid \
			set_ftrace_notrace_pid; do
		: > $T/$list
	done
	put max_graph_depth 0
	put tracing_thresh 0
	put buffer_size_kb 1408
	put tracing_cpumask f
	for o in funcgraph-tail funcgraph-proc funcgraph-abstime latency-format function-fork func_stack_trace; do
		put options/$o 0
	done
	for o in funcgraph-irqs funcgraph-cpu funcgraph-overhead funcgraph-duration sleep-time irq-info; do
		put options/$o 1
	done
	mkfifo $T/trace_pipe
}
# settings: what the files contain
settings() {
	(cd $T && find . -type f ! -name trace | sort | xargs grep -H "")
}
# traced ARGS...: perf ftrace on a command that writes the file text as the kernel would
traced() {
	PERF_FS_ROOT=$PWD/root timeout 60 $PERF ftrace "$@" sh -c "cat text > $T/trace_pipe"
}
cat > text <<'END'
 0)               |  vfs_read() {
 0)   1.884 us    |    __rcu_read_lock();
 0)   0.884 us    |    __rcu_read_lock();
 0)   ==========> |
 0)   2.000 us    |  irq_enter_rcu();
 0)   <========== |
 ------------------------------------------
 0)    cat-150    =>    bash-99   
 ------------------------------------------
CPU:0 [LOST 7 EVENTS]
 0) + 32.430 us   |  } /* vfs_read */
 1) # 2495.421 us |  } /* ovl_read_iter [overlay] */
END
make_root
settings > before

check 'trace passes text on, and puts every setting back' '
	traced -G vfs_read --graph-opts depth=3,noirqs > out
	{ echo "# tracer: nop"; cat text; } | same - out
	settings | same before -
'
check 'settings while it traces' '
	traced_settings() {
		PERF_FS_ROOT=$PWD/root timeout 60 $PERF ftrace "$@" sh -c "cd $T; grep -H . current_tracer tracing_on set_* \
			max_graph_depth tracing_thresh buffer_size_kb tracing_cpumask options/* > $PWD/during;
			echo \$\$ > $PWD/pid; : > trace_pipe"
		sed -i "s/:$(cat pid)$/:COMMAND/" during
	}
	traced_settings trace -G vfs_read -g "*rcu*" -T "vfs_*" -N vfs_readv -m 2M --inherit --graph-opts depth=3,thresh=5,noirqs,tail,verbose
	expect graph during
	traced_settings -T vfs_read -T ksys_read --func-opts call-graph,irq-info
	expect function during
	traced_settings -C 0 -t function
	grep -q "^tracing_cpumask:00000001$" during
	grep -q "^set_ftrace_notrace_pid:[1-9]" during
	not grep -q "^set_ftrace_pid:" during
	settings | same before -
'
check 'control characters do not reach the terminal' '
	printf " 0)  a\033[2Jb =>  c\n" > text2
	cp text text.kept
	cp text2 text
	traced -G vfs_read > out
	mv text.kept text
	printf " 0)  a\\\\x1b[2Jb =>  c\n" > want
	tail -n 1 out | same want -
'
check 'latency: powers of two, steps, nanoseconds' '
	traced latency -T vfs_read > out
	expect latency out
	traced latency -T vfs_read -n --hide-empty > out
	expect latency-ns out
	traced latency -T vfs_read --bucket-range 10 --min-latency 2 --max-latency 40 > out
	expect latency-steps out
	settings | same before -
'
check 'profile: by total and by other keys' '
	traced profile > out
	expect profile out
	traced profile -s count,name > out
	grep -v "^#" out | awk "{ print \$5 }" > names
	test "$(head -n 4 names | tr "\n" " ")" = "__rcu_read_lock irq_enter_rcu ovl_read_iter vfs_read "
	traced profile -s avg > out
	test "$(grep -v "^#" out | awk "NR == 1 { print \$5 }")" = ovl_read_iter
'
check 'latency and profile as JSON' '
	traced latency -T vfs_read --bucket-range 1000 --max-latency 2000 --json > out
	expect latency-json out
	traced profile --json > out
	expect profile-json out
	traced profile --csv -s name > out
	grep -E "^[0-9]+,[0-9]+,[0-9]+,[0-9]+,vfs_read$" out
	traced latency -T vfs_read -x: > out
	says ":" out
	fails_with 129 $PERF ftrace profile --json -x, true 2> err
'
check 'what a killed run has left is put back by the next one' '
	PERF_FS_ROOT=$PWD/root $PERF ftrace -G vfs_read --graph-opts depth=3,tail sh -c "echo > started; exec sleep 60 < /dev/null" > /dev/null 2>&1 &
	pid=$!
	until_true test -e started
	rm started
	child=$(children $pid)
	grep -q function_graph $T/current_tracer
	grep -q 3 $T/max_graph_depth
	# one that lives is not disturbed
	fails_with 1 traced profile 2> err
	grep -q "another perf ftrace\|somebody traces already" err
	grep -q function_graph $T/current_tracer
	kill -9 $pid
	wait $pid || true
	kill $child || true
	grep -q function_graph $T/current_tracer
	traced profile > out
	settings | same before -
'
check_if FAULTS 'what could not be put back, because the list of it could not be read, is put back by the next one' '
	make_root
	settings > before
	PERF="$O/tools/faults -f 8:29:2 $PERF" fails_with 1 traced -t function_graph -G vfs_read > /dev/null 2> err
	says "settings of tracing are not put back: /run/perf-ftrace cannot be read" err
	says "the next perf ftrace puts them back" err
	grep -q function_graph $T/current_tracer
	traced -t function_graph -G vfs_read > /dev/null
	settings | same before -
'
check 'SIGINT and SIGTERM end it: it shows what it has, and everything is put back' '
	for sig in INT TERM; do
		PERF_FS_ROOT=$PWD/root $PERF ftrace profile sh -c "cat text > $T/trace_pipe; echo > started; exec sleep 60" > out &
		pid=$!
		until_true test -e started
		rm started
		kill -$sig $pid
		wait $pid
		grep -q vfs_read out
		settings | same before -
	done
'
check 'a reader that goes away ends it, and everything is put back' '
	{ traced -G vfs_read 2> err; echo $? > status; } | head -n 1 > out
	test -s out
	silent_about Error err
	settings | same before -
'
check '-F lists functions, and globs choose' '
	PERF_FS_ROOT=$PWD/root $PERF ftrace -F > out
	test "$(wc -l < out)" = 3
	PERF_FS_ROOT=$PWD/root $PERF ftrace -F "ovl*" "*readv" > out
	printf "vfs_readv\novl_read_iter [overlay]\n" | same - out
	PERF_FS_ROOT=$PWD/root $PERF ftrace --funcs="ovl*" "*readv" > out
	printf "vfs_readv\novl_read_iter [overlay]\n" | same - out
	fails_with 1 env PERF_FS_ROOT=$PWD/root $PERF ftrace -F vfs_raed 2> err
	grep -q "did you mean .vfs_read" err
'
check 'the configuration names a tracer' '
	printf "[ftrace]\ntracer = function\n" > config
	PERF_CONFIG=$PWD/config PERF_FS_ROOT=$PWD/root $PERF ftrace sh -c "cat $T/current_tracer > during; : > $T/trace_pipe"
	test "$(cat during)" = function
	PERF_CONFIG=$PWD/config PERF_FS_ROOT=$PWD/root $PERF ftrace -G vfs_read sh -c "cat $T/current_tracer > during; : > $T/trace_pipe"
	test "$(cat during)" = function_graph
'
check 'nobody else is disturbed' '
	put current_tracer function
	fails_with 1 traced profile 2> err
	says "somebody traces already" err
	put current_tracer nop
	put set_graph_function their_function
	fails_with 1 traced -G vfs_read 2> err
	says "set_graph_function is in use" err
	test "$(cat $T/set_graph_function)" = their_function
	: > $T/set_graph_function
	settings | same before -
'
check 'errors say what to do' '
	put available_tracers "blk nop"
	fails_with 1 traced profile 2> err
	says "CONFIG_FUNCTION_GRAPH_TRACER" err
	put available_tracers "function_graph function nop"
	fails_with 1 traced -t functoin 2> err
	grep -q "did you mean .function" err
	fails_with 1 traced -t function -G vfs_read 2> err
	says "function_graph, not for function" err
	rm -rf empty
	mkdir empty
	fails_with 1 env PERF_FS_ROOT=$PWD/empty $PERF ftrace true 2> err
	says "tracefs is not mounted" err
	says "mount -t tracefs" err
	fails_with 1 traced --graph-opts args 2> err
	says "this kernel cannot do" err
	settings | same before -
	fails_with 255 env PERF_FS_ROOT=$PWD/root $PERF ftrace no-such-command 2> err
	says "no-such-command" err
	settings | same before -
'
check 'options that do not fit together' '
	fails_with 129 $PERF ftrace latency true 2> err
	fails_with 129 $PERF ftrace latency -T a -T b true 2> err
	fails_with 129 $PERF ftrace latency -T "a*" true 2> err
	fails_with 129 $PERF ftrace latency -T a -e x:y,x:z true 2> err
	fails_with 129 $PERF ftrace profile --graph-opts args true 2> err
	fails_with 129 $PERF ftrace profile -s speed true 2> err
	fails_with 129 $PERF ftrace -m 8 true 2> err
	fails_with 129 $PERF ftrace --func-opts fast true 2> err
	fails_with 129 $PERF ftrace --json true 2> err
	fails_with 1 $PERF ftrace latency -b -T a true 2> err
	says "without BPF" err
	fails_with 1 $PERF ftrace latency -T a --min-latency 4 true 2> err
	says "bucket-range" err
'
check_if ROOT,TRACEFS,EVENTS 'latency between two events of a thread' '
	$PERF ftrace latency -e raw_syscalls:sys_enter,raw_syscalls:sys_exit -n cat /dev/null > out
	test "$(awk "/ count:/ { print \$2 }" out)" -gt 5
	fails_with 1 $PERF ftrace latency -e sched:sched_switch true 2> err
	says "not a pair of events" err
	fails_with 1 $PERF ftrace latency -e sched:sched_switch,sched:sched_wakup true 2> err
	says "did you mean" err
	fails_with 1 $PERF ftrace latency -e sched:sched_switch,page-faults true 2> err
	says "not one tracepoint" err
'
