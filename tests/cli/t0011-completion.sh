#!/bin/sh
. "$(dirname "$0")/../cli/lib.sh"
have_BASH() {
	command -v bash > /dev/null || { echo "needs bash"; return 1; }
}
need BASH

# complete WORD...: what bash offers for the last word
cat > complete.sh <<'EOF'
. "$SRC/completion/perf.bash"
COMP_WORDS=("$PERF" "$@")
COMP_CWORD=$#
_perf
printf '%s\n' "${COMPREPLY[@]}"
EOF
check 'commands, options, workloads, keys, features' '
	test "$(bash complete.sh vers)" = version
	bash complete.sh --build | says "--buildid-dir" /dev/stdin
	test "$(bash complete.sh --buildid-dir x vers)" = version
	test "$(bash complete.sh config --us)" = --user
	test "$(bash complete.sh test -w callc)" = callchain
	test "$(bash complete.sh help chec)" = check
	test "$(bash complete.sh config report.chi)" = report.children
	test "$(bash complete.sh check feature libel)" = libelf
	test -z "$(bash complete.sh record ./some-fi)"
'
check 'sub-commands, sort keys, fields, modes, system calls' '
	test "$(bash complete.sh sched time)" = timehist
	test "$(bash complete.sh kmem sta)" = stat
	test -z "$(bash complete.sh record sta)"
	test "$(bash complete.sh report -s symbol_fr)" = symbol_from
	test "$(bash complete.sh report --sort dso,symbol_fr)" = dso,symbol_from
	test "$(bash complete.sh script -F comm,srcli)" = comm,srcline
	test "$(bash complete.sh script report syscall-counts-)" = syscall-counts-by-pid
	test "$(bash complete.sh script scto)" = sctop
	test "$(bash complete.sh record --call-graph dw)" = dwarf
	test "$(bash complete.sh report -g fold)" = folded
	test "$(bash complete.sh report -g graph,addr)" = graph,address
	test "$(bash complete.sh list ra)" = raw
	test "$(bash complete.sh data convert --to ct)" = ctf
	test "$(bash complete.sh explain symbol_fr)" = symbol_from
'
check 'perf prints the words of each kind, and names the kinds' '
	for kind in sort-keys script-fields script-names syscalls \
		record-call-graphs report-call-graphs list-kinds data-formats; do
		$PERF --list-words $kind > words
		test "$(wc -l < words)" -gt 1
		fails_with 1 grep "[ ,]" words
	done
	fails_with 129 $PERF --list-words nothing 2> err
	says "is not one of sort-keys, script-fields, script-names, syscalls" err
'
# line WORD...: the same, with the line as bash has it: words end at colons, too
cat > line.sh <<'EOF'
. "$SRC/completion/perf.bash"
COMP_LINE="$PERF $1"
COMP_POINT=${#COMP_LINE}
shift
COMP_WORDS=("$PERF" "$@")
COMP_CWORD=$#
_perf
printf '%s\n' "${COMPREPLY[@]}"
EOF
check 'events, also behind others, and system calls' '
	test "$(bash line.sh "trace -e openat,clock_nano" trace -e openat,clock_nano)" = openat,clock_nanosleep
	test "$(bash line.sh "stat -e task-cl" stat -e task-cl)" = task-clock
	test "$(bash line.sh "record -e cpu-clock,page-fau" record -e cpu-clock,page-fau)" = cpu-clock,page-faults
	test "$(bash line.sh "list metricg" list metricg)" = metricgroup
'
check_if TRACEFS 'tracepoints' '
	test "$(bash line.sh "record -e sched:sched_switc" record -e sched : sched_switc)" = sched_switch
	test "$(bash line.sh "record -e cs,sched:sched_switc" record -e cs,sched : sched_switc)" = sched_switch
'

have_ZSH() {
	command -v zsh > /dev/null || { echo "needs zsh"; return 1; }
}
have_FISH() {
	command -v fish > /dev/null || { echo "needs fish"; return 1; }
}
# the file as a function, with what zsh's completion calls
cat > complete.zsh <<'EOF'
compadd() { print -l -- ${(P)2} }
compset() { : }
_files() { print files }
words=($PERF "$@") CURRENT=$(($# + 1)) PREFIX=${@[-1]}
_perf() { . $SRC/completion/_perf }
_perf
EOF
check_if ZSH 'zsh: the same words' '
	zsh -f complete.zsh sched time > out; grep -qx timehist out
	zsh -f complete.zsh vers > out; grep -qx version out
	zsh -f complete.zsh report --sor > out; grep -qx -e --sort out
	zsh -f complete.zsh report -s dso,sym > out; grep -qx symbol_from out
	zsh -f complete.zsh script -F srcl > out; grep -qx srcline out
	zsh -f complete.zsh trace -e clock > out; grep -qx clock_nanosleep out
	zsh -f complete.zsh record --call-graph dw > out; grep -qx dwarf out
	zsh -f complete.zsh report -g addr > out; grep -qx address out
	zsh -f complete.zsh test -w determ > out; grep -qx deterministic out
	zsh -f complete.zsh list metricg > out; grep -qx metricgroup out
	zsh -f complete.zsh explain srcline_fr > out; grep -qx srcline_from out
	zsh -f complete.zsh config report.perc > out; grep -q "^report.percent" out
	zsh -f complete.zsh check feature libel > out; grep -qx libelf out
	test "$(zsh -f complete.zsh record ./a)" = files
'
cat > complete.fish <<'EOF'
source $SRC/completion/perf.fish
complete -C "$argv[1]"
EOF
check_if FISH 'fish: the same words' '
	ln -sf "$PERF" perf
	export PATH="$PWD:$PATH"
	test "$(fish complete.fish "perf sched timeh")" = timehist
	test "$(fish complete.fish "perf vers")" = version
	test "$(fish complete.fish "perf report --sort dso,symbol_fr")" = dso,symbol_from
	test "$(fish complete.fish "perf script -F srcl")" = srcline
	test "$(fish complete.fish "perf trace -e clock_nano")" = clock_nanosleep
	test "$(fish complete.fish "perf report -g addr")" = address
	test "$(fish complete.fish "perf test -w determ")" = deterministic
	test "$(fish complete.fish "perf list metricg")" = metricgroup
	test "$(fish complete.fish "perf explain symbol_fr")" = symbol_from
	fish complete.fish "perf config report.perc" > out
	grep -q "^report.percent" out
	test "$(fish complete.fish "perf check feature libel")" = libelf
	test "$(fish complete.fish "perf record ./complete.f")" = ./complete.fish
'
