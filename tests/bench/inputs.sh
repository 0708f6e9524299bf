# shellcheck shell=bash disable=SC2015,SC2016,SC2154
# The profiles that tests/bench/run reads, made once in $DIR: what the machine does while this project is
# compiled over and over, recorded by the installed perf where there is one, else by ours. As root the whole
# system is recorded, otherwise the user part of the load alone. input FILE makes what is missing; why_not
# says why it could not.

# compiles this project's files until it is stopped, one job a CPU
load_compile='
	for cpu in $(seq "$(nproc)"); do
		while :; do
			for f in util/*/*.c; do
				gcc -O2 -g -std=gnu11 -D_GNU_SOURCE -I"$O/include" -include config.h -c -o "$tmp/load$cpu.o" "$f"
			done
		done &
	done
	wait'
# reports and prints a profile over and over, with real call chains, until it is stopped, one job a CPU
load_frames='
	for cpu in $(seq "$(nproc)"); do
		while :; do
			"$DIR/frames/perf" report --stdio -f -j 1 -i "$DIR/flat.data"
			"$DIR/frames/perf" script -f -i "$DIR/flat.data"
		done &
	done
	wait'

start_load() {
	setsid bash -c "$1" > /dev/null 2>&1 &
	load_pid=$!
}
stop_load() {
	[ -n "$load_pid" ] || return 0
	kill -- "-$load_pid" 2> /dev/null
	wait "$load_pid" 2> /dev/null
	load_pid=
}

# record_load FILE LOAD SECONDS ARGS...
record_load() {
	local file=$1 load=$2 secs=$3 recorder=$PERF
	shift 3
	[ -x /usr/bin/perf ] && recorder=/usr/bin/perf
	echo "recording $DIR/$file ($secs s)" >&2
	# -B: version 6.1 aborts on build-ids that some kernels leak between events
	if [ "$(id -u)" = 0 ]; then
		start_load "$load"
		sleep 1
		"$recorder" record -B -a -m 8M -o "$DIR/$file.new" "$@" -- sleep "$secs" > "$tmp/record.log" 2>&1
	else
		"$recorder" record -B -o "$DIR/$file.new" "$@" -- timeout "$secs" bash -c "$load" > "$tmp/record.log" 2>&1
	fi
	stop_load
	mv "$DIR/$file.new" "$DIR/$file" 2> /dev/null && return
	why_not="$file could not be recorded: $(grep -m 1 . "$tmp/record.log")"
	return 1
}

# input FILE: makes it unless it is there
input() {
	local u secs=$((40 / $(nproc) + 4))
	[ ! -s "$DIR/$1" ] || return 0
	[ "$(id -u)" = 0 ] && u= || u=:u
	case $1 in
	flat.data) record_load "$1" "$load_compile" "$secs" -F 25000 -e "cpu-clock$u" ;;
	group.data) record_load "$1" "$load_compile" "$secs" -F 12500 -e "{cpu-clock$u,task-clock$u}" ;;
	dwarf.data) record_load "$1" "$load_compile" "$secs" -F $((60000 / secs / $(nproc))) --call-graph dwarf -e "cpu-clock:u" ;;
	stacks.data) record_load "$1" "$load_compile" "$secs" -F 25000 -g -e "cpu-clock$u" ;;
	large.data)
		input stacks.data || return
		[ "$(df --output=avail -k "$DIR" | tail -n 1)" -gt 4000000 ] || { why_not="$1 needs 4 GB below $DIR"; return 1; }
		"$O/tools/grow" 8 "$DIR/stacks.data" "$DIR/$1.new" && mv "$DIR/$1.new" "$DIR/$1" || { why_not="$1 could not be made"; return 1; } ;;
	frames.data)
		input flat.data || return
		make -s O="$DIR/frames" CFLAGS="-O2 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls" all > "$tmp/make.log" 2>&1 ||
			{ why_not="$1: perf could not be built with frame pointers: $(grep -m 1 -i error "$tmp/make.log")"; return 1; }
		record_load "$1" "$load_frames" "$secs" -F 25000 -g -e "cpu-clock$u" ;;
	trace.data)
		[ "$(id -u)" = 0 ] || { why_not="$1: recording tracepoints of the whole system needs root"; return 1; }
		record_load "$1" "$load_compile" 1.1 -N -c 1 \
			-e 'sched:*,kmem:mm_page_alloc,kmem:mm_page_free,syscalls:sys_enter_openat,syscalls:sys_exit_openat' ;;
	sched.data) record_command "$1" sched record -m 16M -- "$PERF" test -w context_switch_loop 200000 ;;
	wall-5m.data) record_command "$1" record --wall -e cpu-clock -F 21000 -m 16M -- "$PERF" test -w context_switch_loop 2500000 ;;
	kwork.data) record_command "$1" kwork -k irq,softirq,workqueue,sched record -m 16M -- \
		"$PERF" test -w context_switch_loop 350000 ;;
	kmem.data) record_command "$1" kmem record -m 16M -- sh -c "$few_files" ;;
	lock.data) record_command "$1" lock record -m 16M -- sh -c "$one_pipe" ;;
	big-c|big-cxx) build_big "$1" ;;
	pt.data) trace_steps "$1" 4000 ;;
	etm.data) trace_loop "$1" 200 ;;
	pt-part.data) trace_steps "$1" 800 ;;
	pt-lines.data) trace_steps "$1" 20 ;;
	spe.data) trace_operations "$1" 500000 ;;
	calls.data) record_command "$1" trace record -m 16M -- dd if=/dev/zero of=/dev/null bs=1 count=500k ;;
	esac
}

# trace_steps FILE TIMES: a program is executed step by step; its Intel PT, written as many times
trace_steps() {
	local source=${PERF_PTGEN:-../shared/traces/ptgen.c}
	[ "$(uname -m)" = x86_64 ] || { why_not="$1: steps through programs of x86-64"; return 1; }
	[ -r "$source" ] || { why_not="$1: the tool that makes traces is not here (PERF_PTGEN: its source)"; return 1; }
	echo "making $DIR/$1" >&2
	gcc -O2 -w -o "$tmp/ptgen" "$source" 2> "$tmp/ptgen.log" &&
		"$tmp/ptgen" -r "$2" -o "$DIR/$1.new" -- /bin/true 2> "$tmp/ptgen.log" && mv "$DIR/$1.new" "$DIR/$1" && return
	why_not="$1 could not be made: $(grep -m 1 . "$tmp/ptgen.log")"
	return 1
}

# trace_loop FILE TIMES: a CoreSight trace of a loop with calls and returns, TIMES * 84,000 instructions
trace_loop() {
	local at=0 turn
	echo "making $DIR/$1" >&2
	. tests/cli/coresight-lib.sh
	program > "$DIR/etm-prog" || return
	for turn in 1 2; do	# the second time with the offset of the trace in the index
		{ cat <<-END
		event cs_etm// type=8 config=0x4000 period=1 sample=ip|tid|identifier ids=10 flags=sample_id_all|exclude_kernel
		event dummy:u type=software config=9 sample=ip|tid|identifier ids=11 flags=sample_id_all|mmap|comm|mmap2
		feature arch str:"aarch64"
		feature nrcpus u32:6 u32:6
		feature cpuid str:"0x00000000410fd030"
		feature auxtrace u64:1 u64:$at u64:48
		auxtrace_info auxtrace_type=3 priv=1,0x800000001,0,0x4040404040404040,0,7,0x1000,0x10,0x28000ea1,0x4100f400,0x488,0,0xcc
		comm ev=dummy:u tid=100 comm="etm" s_id=11
		mmap2 ev=dummy:u tid=100 addr=0x400000 len=0x1000 prot=5 flags=2 filename="$DIR/etm-prog" s_id=11
		itrace_start ev=cs_etm// pid=100 tid=100 s_id=10
		END
		awk -v times="$2" 'BEGIN {
			# ASYNC, trace info, context and address 0x400080; then packets of three atoms: ENE EEN EEE NEE
			sync = "0,0,0,0,0,0,0,0,0,0,0,128,1,0,133,32,0,64,0,0,0,0,0,48"
			for (i = 0; i < 4000; i++)
				loop = loop ",253,251,255,254"
			for (i = 0; i < times; i++)
				text = text "," sync loop
			size = int((times * (24 + 16000) + 13) / 14) * 16
			print "aux ev=cs_etm// aux_offset=0 aux_size=" size " flags=0 tid=100 s_id=10"
			print "auxtrace offset=0 reference=9 idx=0 tid=100 cpu=-1 etm-frames:16" text
		}'; } | "$O/tools/mkdata" -o "$DIR/$1.new" || { why_not="$1 could not be made"; return 1; }
		at=$("$PERF" script -D -i "$DIR/$1.new" 2> /dev/null | sed -n 's/^\(0x[0-9a-f]*\) .*PERF_RECORD_AUXTRACE size.*/\1/p')
	done
	mv "$DIR/$1.new" "$DIR/$1"
}

# trace_operations FILE NUMBER: an Arm SPE trace of two CPUs: half loads and stores, a fifth branches, at
# 8,000 addresses of this perf's functions, some of them far more often than others
trace_operations() {
	local at=(0 0) turn
	echo "making $DIR/$1" >&2
	cp "$PERF" "$DIR/spe-prog" || return
	for turn in 1 2; do	# the second time with the offsets of the traces in the index
		{ cat <<-END
		event arm_spe_0// type=9 config=0x300000001 period=1024 sample=ip|tid|time|cpu|identifier ids=10 flags=sample_id_all
		event dummy:u type=software config=9 sample=ip|tid|time|cpu|identifier ids=11 flags=sample_id_all|mmap|comm|mmap2
		feature arch str:"aarch64"
		feature nrcpus u32:2 u32:2
		feature cpuid str:"0x00000000410fd0c0"
		feature auxtrace u64:2 u64:${at[0]} u64:48 u64:${at[1]} u64:48
		time_conv time_shift=1 time_mult=4 time_zero=100
		auxtrace_info auxtrace_type=4 priv=9,1
		comm ev=dummy:u tid=100 comm="spe" time=1000 s_id=11
		mmap2 ev=dummy:u tid=100 addr=0x400000 len=0x400000 prot=5 flags=2 filename="$DIR/spe-prog" time=1001 s_id=11
		END
		awk -v nr="$2" 'BEGIN {
			srand(1)
			for (i = 0; i < 8000; i++)
				place[i] = 4194304 + 28672 + int(rand() * 600000) * 4
			for (cpu = 0; cpu < 2; cpu++) {
				printf "auxtrace offset=0 reference=9 idx=%d tid=-1 cpu=%d", cpu, cpu
				for (i = 0; i < nr / 2; i++) {
					x = rand()
					pc = place[int(rand() * rand() * rand() * 8000)]
					printf " spe-pc:%d spe-context:100 spe-latency:%d spe-issue:%d", pc, rand() * 200, rand() * 50
					if (x < 0.5) {
						miss = rand()
						printf " spe-translation:%d spe-ldst:%d spe-va:%.0f spe-source:%d spe-events:%s", rand() * 9,
							x < 0.1, 281470000000000 + int(rand() * 1000000) * 8, miss < 0.05 ? 8 : 0,
							miss < 0.05 ? "0x31e" : miss < 0.2 ? "0x11e" : "0x016"
					} else if (x < 0.7) {
						printf " spe-branch:3 spe-target:%d spe-events:0x%d", place[int(rand() * 8000)], x < 0.52 ? 82 : 2
					} else {
						printf " spe-other:0 spe-events:2"
					}
					printf " spe-time:%d", 2000 + i * 100 + cpu
				}
				print ""
			}
		}'; } | "$O/tools/mkdata" -o "$DIR/$1.new" || { why_not="$1 could not be made"; return 1; }
		mapfile -t at < <("$PERF" script -D -i "$DIR/$1.new" 2> /dev/null |
			sed -n 's/^0 0 \(0x[0-9a-f]*\) .*PERF_RECORD_AUXTRACE size.*/\1/p')
	done
	mv "$DIR/$1.new" "$DIR/$1"
}

# opens and reads many files once: a fixed amount of work for the allocators
few_files='for i in $(seq 60); do grep -r -c include util tests > /dev/null; done; true'

# eight writers and a reader want the lock of one pipe: about half a million events
one_pipe='for i in 1 2 3 4 5 6 7 8; do
		dd if=/dev/zero bs=1 count=1000000 2> /dev/null &
	done | dd of=/dev/null bs=1 2> /dev/null'

# record_command FILE COMMAND... record ARGS...: by this perf
record_command() {
	local file=$1 command=()
	shift
	while [ "$1" != record ]; do
		command+=("$1")
		shift
	done
	[ "$(id -u)" = 0 ] || { why_not="$file: recording tracepoints of the whole system needs root"; return 1; }
	echo "recording $DIR/$file" >&2
	"$PERF" "${command[@]}" record -o "$DIR/$file.new" "${@:2}" > "$tmp/record.log" 2>&1 &&
		mv "$DIR/$file.new" "$DIR/$file" && return
	why_not="$file could not be recorded: $(grep -m 1 . "$tmp/record.log")"
	return 1
}

# sources of a program with about 100 MB of debug information: units that share many types (C), or containers
# of the standard library (C++). Every unit has functions of its own
big_sources() {
	awk -v kind="$1" -v dir="$2" 'BEGIN {
		if (kind == "big-c") {
			h = dir "/big.h"
			print "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <pthread.h>" > h
			for (i = 0; i < 2200; i++) {
				printf "struct node%d {\n", i > h
				for (k = 0; k < 8; k++)
					printf "\tint count%d;\n\tstruct node%d *next%d;\n", k, (i * 7 + k * 13) % 2200, k > h
				print "};" > h
			}
			print "struct root {" > h
			for (i = 0; i < 2200; i++)
				printf "\tstruct node%d *n%d;\n", i, i > h
			print "};\nstatic inline int sum_of(struct node1 *n) { int s = 0; for (; n; n = (void *)n->next1)" > h
			print "\ts += n->count1; return s; }" > h
		}
		for (u = 0; u < (kind == "big-c" ? 160 : 36); u++) {
			f = sprintf("%s/unit%d.%s", dir, u, kind == "big-c" ? "c" : "cc")
			if (kind == "big-c") {
				print "#include \"big.h\"" > f
				for (i = 0; i < 120; i++)
					printf "int unit%d_work%d(struct root *root, struct node%d *node, int nr)\n{\n\tint sum = 0;\n\n" \
						"\tfor (int i = 0; i < nr; i++)\n\t\tsum += node->count1 * i + sum_of(root->n1);\n" \
						"\tprintf(\"%%d\\n\", sum);\n\treturn sum;\n}\n", u, i, i > f
			} else {
				printf "#include <map>\n#include <string>\n#include <vector>\n#include <regex>\n#include <memory>\n" \
					"#include <unordered_map>\nnamespace big { namespace part%d {\n", u > f
				for (i = 0; i < 8; i++)
					printf "struct key%d { int a; std::string b; bool operator<(const key%d &o) const { return a < o.a; } };\n" \
						"struct table%d { std::map<key%d, std::vector<std::string>> m;\n" \
						"\tstd::unordered_map<std::string, std::shared_ptr<key%d>> u;\n" \
						"\tint insert(const std::string &name, int nr); };\n" \
						"int table%d::insert(const std::string &name, int nr)\n{\n" \
						"\tfor (int i = 0; i < nr; i++)\n\t\tm[key%d{i, name}].push_back(name);\n" \
						"\tu[name] = std::make_shared<key%d>(key%d{nr, name});\n\treturn (int)m.size();\n}\n",
						i, i, i, i, i, i, i, i, i > f
				print "bool matches(const std::string &s) { return std::regex_search(s, std::regex(s)); }\n} }" > f
			}
			close(f)
		}
		f = dir "/main." (kind == "big-c" ? "c" : "cc")
		print "int main(void) { return 0; }" > f
	}'
}

# build_big FILE: compiles it, which takes some minutes of CPU time
build_big() {
	local cc=gcc suffix=c dir=$tmp/$1
	[ "$1" = big-c ] || { cc=g++; suffix=cc; }
	command -v $cc > /dev/null || { why_not="$1: needs $cc"; return 1; }
	echo "compiling $DIR/$1" >&2
	mkdir -p "$dir"
	big_sources "$1" "$dir"
	if ! ls "$dir"/*.$suffix | xargs -P "$(nproc)" -I{} $cc -g3 -O2 -c -o {}.o {} 2> "$tmp/big.log" ||
			! $cc -o "$DIR/$1.new" "$dir"/*.o 2>> "$tmp/big.log"; then
		why_not="$1 could not be compiled: $(grep -m 1 . "$tmp/big.log")"
		return 1
	fi
	mkdir -p "$DIR/$1.src"
	cp "$dir"/*.[ch]* "$DIR/$1.src"
	rm -rf "$dir"
	# the pages that a linker has just written are small ones; those of a file that was read are not
	sync "$DIR/$1.new" && dd if="$DIR/$1.new" iflag=nocache count=0 status=none
	mv "$DIR/$1.new" "$DIR/$1"
}
