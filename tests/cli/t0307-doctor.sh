#!/bin/sh
# perf doctor without words: what a machine can do, what a recording lacks, and what to do about it.
. "$(dirname "$0")/lib.sh"

unset DEBUGINFOD_URLS
put() { # FILE TEXT: of the fake machine
	mkdir -p "fs/$(dirname "$1")"
	printf '%s\n' "$2" > "fs/$1"
}
rights() { # CAPABILITIES: hexadecimal
	printf 'Name:\tperf\nCapEff:\t%s\n' "$1" > fs/proc/self/status
}
put proc/sys/kernel/perf_event_paranoid 3
put proc/sys/kernel/perf_event_mlock_kb 516
put proc/sys/kernel/perf_event_max_sample_rate 1000
put proc/sys/kernel/perf_event_max_stack 16
put proc/sys/kernel/kptr_restrict 1
put proc/sys/kernel/nmi_watchdog 1
put proc/sys/kernel/unprivileged_bpf_disabled 2
put proc/self/uid_map '0 0 4294967295'
put proc/self/status ''
put proc/kallsyms '0000000000000000 T _text'
put sys/kernel/security/lockdown 'none [integrity] confidentiality'
cpu=sys/bus/event_source/devices/cpu
put $cpu/type 4
put $cpu/caps/branches 0
put $cpu/caps/max_precise 3

# what limits of the shell and installed libraries decide is left out
doctor() { PERF_FS_ROOT=$PWD/fs "$PERF" doctor '-x;' "$@" | sed '/;open-files;/d; /;parts;/d; /;locked-memory;/d'; }

check 'a machine that forbids much: each finding has a remedy' '
	rights 0000000000000000
	doctor > out 2> err
	test ! -s err
	expect forbidden out
	PERF_FS_ROOT=$PWD/fs "$PERF" doctor > text
	says "sysctl kernel.perf_event_max_stack=127" text'
check 'a machine that allows all' '
	rights 000000c000000000
	put proc/sys/kernel/perf_event_max_sample_rate 100000
	put proc/sys/kernel/perf_event_max_stack 127
	put proc/sys/kernel/nmi_watchdog 0
	put proc/kallsyms "ffffffff81000000 T _text"
	put proc/kcore x
	put sys/kernel/btf/vmlinux x
	put sys/kernel/security/lockdown "[none] integrity confidentiality"
	put sys/kernel/tracing/events/sched/sched_switch/id 300
	put sys/kernel/tracing/kprobe_events ""
	put sys/kernel/tracing/uprobe_events ""
	put $cpu/caps/branches 32
	export DEBUGINFOD_URLS=https://127.0.0.1/
	doctor > out
	sed "s/^\(ok;debuginfod;\).*/\1/; s/^limited;debuginfod;no --debuginfod.*/ok;debuginfod;/" out > there
	expect allowed there
	silent_about "missing;" there'
check 'the root of a user namespace has no rights over events' '
	put proc/self/uid_map "0 1000 1"
	doctor > out
	grep -q "^limited;rights;this is a user namespace" out
	grep -q "^limited;paranoid;\|^missing;paranoid;" out
	put proc/self/uid_map "0 0 4294967295"'

cat > x.mk <<-END
	feature arch str:"x86_64"
	feature hostname str:"other"
	event cpu-clock:u type=software config=cpu-clock period=1 sample=ip|tid|time|period flags=sample_id_all|comm|mmap2|exclude_kernel
	mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="/nowhere/w" time=2
	repeat 8
	sample tid=100 time=100+\$i ip=0x1010 period=1
	end
	lost_samples lost=2
	throttle time=300 id=0
END

check 'a recording that lacks much' '
	mkdata x.data < x.mk
	doctor -i x.data > out 2> err
	sed "1,/^# What the recording/d" out > recording
	expect recording recording'
check 'perf.data of this folder is looked at; JSON has both tables' '
	mkdata perf.data < x.mk
	PERF_FS_ROOT=$PWD/fs "$PERF" doctor --json > out 2> err
	says "\"name\": \"machine\"" out
	says "\"name\": \"recording\"" out
	says "{\"state\": \"missing\", \"name\": \"chains\", \"found\": \"not recorded\", \"remedy\": \"record with -g" out
	rm perf.data
	PERF_FS_ROOT=$PWD/fs "$PERF" doctor --json > out
	silent_about "\"recording\"" out'
check 'complete stacks and a good recording' '
	mkdata x.data <<-END
	event cpu-clock config=cpu-clock period=1 sample=ip|tid|time|period|callchain flags=sample_id_all|mmap2
	mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="/nowhere/w" time=1
	repeat 3
	sample tid=100 time=100 ip=0x1010 period=1 chain=-512,0x1010,0x1020
	end
	sample tid=100 time=100 ip=0x1010 period=1 chain=-512,0x1010
	END
	doctor -i x.data > out 2> err
	grep -q "^limited;stacks;75.0% complete" out
	grep -q "^ok;lost;none" out
	silent_about "throttled" out
	silent_about ";side;" out'
check 'a perf.data that cannot be read is a finding, a named file an error' '
	: > perf.data
	doctor > out
	grep -q "^missing;file;perf.data is empty" out
	fails_with 1 "$PERF" doctor -i perf.data > out 2> err
	test ! -s out
	says "perf.data is empty" err'
check 'names in a file cannot drive a terminal' '
	sed "s|\"other\"|\"o\\\\x1b[31m\"|" x.mk | mkdata x.data
	PERF_FS_ROOT=$PWD/fs "$PERF" doctor -i x.data > out 2> err
	says "recorded on o" out
	test "$(tr -d "\n\t -~" < out | wc -c)" = 0'
check_if NONROOT 'the running kernel is asked without rights' '
	chmod 755 .
	as_nobody "$PERF_COPY" doctor > out 2> err
	says "perf events" out
	grep -q "^ *limited  *rights of this user" out'
check_if TUI 'on a terminal sentences go on below themselves, and no word of them is lost' '
	rights 0
	printf "size 60 70\nwait parts of\nscreen\n" > steps
	PERF_PAGER=cat PERF_FS_ROOT=$PWD/fs tui "$PERF" doctor < steps > out
	grep -q "^  limited  debuginfod  *no servers: give their URLs, or set$" out
	grep -q "^  *DEBUGINFOD_URLS; one for many$" out
	grep -q "^  *https://debuginfod.elfutils.org/$" out
	not grep "[a-z][.][.][.]" out'
