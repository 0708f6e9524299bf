#!/bin/sh
# Facts about architectures stand in arch/: other code names none. What is left elsewhere is listed here, and
# the list only becomes shorter.
. "$(dirname "$0")/../cli/lib.sh"
cd "$SRC" || exit 1

# machine numbers, architectures of the compiler, names in quotes
named() { # FILE...
	grep -nE '\bEM_[A-Z0-9]+(_[A-Z0-9]+)?\b|__(x86_64|i386|aarch64|arm|riscv|s390x?|powerpc64|mips|loongarch)__|"(x86|x86_64|aarch64|arm64|riscv|s390x?|powerpc|ppc64|mips|loongarch)"' "$@" |
		grep -vE 'EM_NONE|KMEM_|MEM_'
}
# tables of system calls by machine; code for this machine itself: byte search, benchmarks of memory, filters
cat > "$TMP/left" <<'END'
util/base/vdso.c
util/bench/mem-copy.c
util/bpf/bpf-filter-code.c
util/machine/dsos.c
util/obj/jit-elf.c
util/syscall/syscall.h
util/syscall/table.c
util/trace/call-regs.c
util/trace/pair.c
util/trace/select.c
END
check 'no file outside of arch/ names an architecture but those that are listed' '
	git ls-files "builtin-*.[ch]" "util/*.[ch]" "ui/*.[ch]" perf.c > "$TMP/files"
	test "$(wc -l < "$TMP/files")" -gt 500
	# shellcheck disable=SC2046 # a list of files
	named $(cat "$TMP/files") | cut -d: -f1 | sort -u | same "$TMP/left" -
'
check 'a file that names one is found' '
	cd "$TMP"
	printf "%s\n" "if (e_machine == EM_AARCH64)" > a.c
	printf "%s\n" "#ifdef __x86_64__" > b.c
	printf "%s\n" "KMEM_NR + HIST_FIRST_MEM_PART; /* the x86 way */" > c.c
	named a.c b.c c.c | cut -d: -f1 > found
	printf "%s\n" a.c b.c | same - found
'
