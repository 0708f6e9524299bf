#!/bin/sh
# BPF programs that are loaded before a recording begins: records and features as upstream writes them.
. "$(dirname "$0")/../cli/lib.sh"
need ROOT EVENTS GCC NEWEST

cat > load.c <<'END'
#include <linux/bpf.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* load NAME [two]: two functions, the first calls the second */
int main(int argc, char **argv)
{
	struct bpf_insn insn[] = { { .code = 0x85, .src_reg = 1, .imm = 1 }, { .code = 0x95 }, { .code = 0xb7 }, { .code = 0x95 } };
	union bpf_attr a;
	int two = argc > 2, fd;

	memset(&a, 0, sizeof(a));
	a.prog_type = BPF_PROG_TYPE_SOCKET_FILTER;
	a.insns = (unsigned long)(two ? insn : insn + 2);
	a.insn_cnt = two ? 4 : 2;
	a.license = (unsigned long)"GPL";
	strncpy(a.prog_name, argv[1], sizeof(a.prog_name) - 1);
	fd = syscall(__NR_bpf, BPF_PROG_LOAD, &a, sizeof(a));
	if (fd < 0)
		return write(2, "refused\n", 8) > 0;
	if (write(1, "loaded\n", 7) != 7)
		return 1;
	sleep(600);
	return 0;
}
END
have_LOADED() {
	[ -s loaded ] || { echo "no BPF program can be loaded here"; return 1; }
}
if gcc -o load load.c > cc.log 2>&1; then
	./load hello_filter > loaded 2> refused &
	loader=$!
	./load "" > unnamed &
	loader="$loader $!"
	./load parts two > parts &
	loader="$loader $!"
	for f in loaded unnamed parts; do
		until_true test -s $f -o -s refused > /dev/null
	done
fi
# what the file says of BPF, whatever other programs are there; addresses of records are those of the file
said() {
	"$NEWEST" report -D -i "$1" 2> /dev/null | grep -a "PERF_RECORD_KSYMBOL\|PERF_RECORD_BPF_EVENT" | sed "s/^0 0x[0-9a-f]* //" | sort
	header_of "$NEWEST" "$1"
}
# upstream writes an empty list, too, where no program has types
header_of() {
	"$1" report -I --header-only -i "$2" 2> /dev/null | grep "^# bpf_prog_info\|^# btf\|^# .sub_prog" | grep -v "^# btf info empty"
}
check_if LOADED 'programs that are there: the records and features of upstream' '
	# other programs may come and go
	for try in $(seq 20); do
		$NEWEST record -q -o theirs.data -e cpu-clock true
		$PERF record -q -o ours.data -e cpu-clock true
		said theirs.data > theirs
		said ours.data > ours
		grep -q hello_filter theirs
		! cmp -s theirs ours || break
	done
	same theirs ours
'
check_if LOADED 'the header names their functions as upstream does' '
	header_of "$NEWEST" ours.data > theirs
	header_of "$PERF" ours.data > ours
	grep -q "sub_prog 1" ours
	same theirs ours
'
check_if LOADED,PEER61 'the packaged upstream names them' '
	"$PEER" report --header-only -i ours.data > header
	grep -q "bpf_prog_info .*hello_filter" header
'
check_if LOADED 'without --bpf-event there are none' '
	$PERF record -q --no-bpf-event -o without.data -e cpu-clock true
	test -z "$($PERF report -D -i without.data | grep -a hello_filter)"
'
check_if LOADED 'programs that come while recording are in the features' '
	$PERF record -q -o late.data -e cpu-clock sh -c "./load late > late & echo \$! > pid; until [ -s late ]; do sleep 0.1; done"
	kill "$(cat pid)"
	$PERF report --header-only -i late.data | finds "^# bpf_prog_info .*late"
'
[ -z "${loader-}" ] || kill $loader 2> /dev/null
