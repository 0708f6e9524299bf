#!/bin/sh
# perf record asks the kernel for the same attributes as the newest upstream does for the same command line:
# the files of both are shown by upstream's evlist -v and compared, names included.
. "$(dirname "$0")/../cli/lib.sh"
need NEWEST ROOT TRACEFS
# early

# Intended differences, taken out of both sides:
#	size			ours is the smallest that holds the fields in use, so that older perfs read
#				the file
#	data in dwarf terms	upstream samples ADDR and DATA_SRC for call-graph=dwarf of one event, not
#				for the option
shown() {
	"$NEWEST" evlist -v -i "$1" 2> /dev/null | sed -e '/^#/d' -e 's/, size: [0-9]*,/,/' \
		-e '/call-graph=dwarf/{s/|ADDR//;s/|DATA_SRC//;}'
}
# same_attrs ARGS...: both record, both files say the same
same_attrs() {
	# the kernel may change a limit between the two
	for try in 1 2 3; do
		rm -f ours.data theirs.data
		"$PERF" record -q -o ours.data "$@" > ours.out 2>&1 < /dev/null || { cat ours.out; return 1; }
		"$NEWEST" record -q -o theirs.data "$@" > theirs.out 2>&1 < /dev/null || { cat theirs.out; return 1; }
		shown ours.data > ours
		shown theirs.data > theirs
		test -s theirs
		cmp -s ours theirs && return
	done
	echo "record $*"
	diff theirs ours
	return 1
}
# same ARGS...: begins that, beside others: upstream waits for most of its second
same() {
	at_once same_attrs "$@"
}

check 'targets' '
	same -e cpu-clock true
	same -e cpu-clock -a true
	same -e cpu-clock -C 0 true
	same -e cpu-clock -i true
	same -e cpu-clock --per-thread true
	same -e cpu-clock,cs --per-thread -T true
	same -e cpu-clock -D 10 true
	same -e cpu-clock -D 10 -a true
	sleep 600 & pid=$!
	same -e cpu-clock -p $pid sleep 0.1
	same -e cpu-clock -t $pid sleep 0.1
	all_at_once
	kill $pid'
check 'periods and frequencies' '
	same -e cpu-clock -c 1000000 true
	same -e page-faults -F 100 true
	same -e page-faults -F max true
	same -e cpu-clock -n true
	same -e cpu-clock -P true
	same -e cpu-clock --no-period true
	same -e cpu-clock --no-timestamp true
	same -e sched:sched_switch -c 10 true
	same -e sched:sched_switch -F 100 true'
check 'what is sampled' '
	for o in -d -W -T -s -R --sample-cpu --sample-identifier --phys-data "--data-page-size --code-page-size" --intr-regs=ax,bx \
			--user-regs=ip,sp -I --transaction --sample-mem-info --all-cgroups "-k boottime"; do
		same $o -e cpu-clock true
	done
	same -d -g -e cpu-clock -a true
	same -W --phys-data --all-cgroups -s -e cpu-clock -a true'
check 'side-band' '
	for o in --switch-events --latency --namespaces --all-user --all-kernel --no-bpf-event --no-buildid-mmap --no-buffering \
			--data-mmap; do
		same $o -e cpu-clock true
	done
	same --switch-events --all-kernel -e cpu-clock -a true'
check 'call graphs' '
	same -g -e cpu-clock true
	same --call-graph fp,16 -e cpu-clock true
	same --call-graph dwarf -e cpu-clock true
	same --call-graph dwarf,4096 -e cpu-clock -a true
	same --user-callchains -g -e cpu-clock true
	same --kernel-callchains -g -e cpu-clock true
	same -g -e sched:sched_switch true
	same -g -e cpu-clock/call-graph=no/,cs true
	same -e cpu-clock/call-graph=dwarf,stack-size=4096/ true
	same -e cpu-clock/max-stack=5,call-graph=fp/ true'
check 'events' '
	same -e cpu-clock,page-faults true
	same -e cpu-clock,sched:sched_switch true
	same -e mem:0x1000:rw true
	same -e mem:0x1000:x true
	same -e mem:0x1000 true
	same -e software/cpu-clock/ true
	same -e cpu-clock/period=1000000/ true
	same -e cpu-clock/freq=50,name=foo,call-graph=fp,time=0,no-inherit/u true
	same -e cpu-clock/overwrite/ true
	same -e dummy,cpu-clock true
	same -e cs,faults,migrations,major-faults,minor-faults,alignment-faults,emulation-faults,bpf-output,cgroup-switches -a true'
check 'modifiers and groups' '
	for m in u k h uk G H I S D e P R pp; do
		same -e cpu-clock:$m true
	done
	same -e sched:sched_switch:u true
	same -e "{cpu-clock,page-faults}:S" true
	same -e "{cpu-clock,page-faults}:u" -a true
	same -e "{cpu-clock:u,page-faults:k}:H" true
	same -e "{cpu-clock,cs}:uS" -i true
	same -e cpu-clock:S,page-faults true'
