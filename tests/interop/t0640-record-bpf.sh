#!/bin/sh
# BPF programs that are loaded before a recording begins: records and features as upstream writes them.
. "$(dirname "$0")/../cli/lib.sh"
need ROOT EVENTS GCC NEWEST

cat > load.c <<'END'
#include <linux/bpf.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	struct bpf_insn insn[] = { { .code = 0xb7 }, { .code = 0x95 } };
	union bpf_attr a;
	int fd;

	memset(&a, 0, sizeof(a));
	a.prog_type = BPF_PROG_TYPE_SOCKET_FILTER;
	a.insns = (unsigned long)insn;
	a.insn_cnt = 2;
	a.license = (unsigned long)"GPL";
	strcpy(a.prog_name, "hello_filter");
	fd = syscall(__NR_bpf, BPF_PROG_LOAD, &a, sizeof(a));
	if (fd < 0)
		return 1;
	if (write(1, "loaded\n", 7) != 7)
		return 1;
	sleep(60);
	return 0;
}
END
have_LOADED() {
	[ -s loaded ] || { echo "no BPF program can be loaded here"; return 1; }
}
if gcc -o load load.c > cc.log 2>&1; then
	./load > loaded &
	loader=$!
	sleep 0.5
fi
# what the file says of BPF, whatever other programs are there; addresses of records are those of the file
said() {
	"$NEWEST" report -D -i "$1" 2> /dev/null | grep -a "PERF_RECORD_KSYMBOL\|PERF_RECORD_BPF_EVENT" | sed "s/^0 0x[0-9a-f]* //" | sort
	"$NEWEST" report --header-only -i "$1" 2> /dev/null | grep "^# bpf_prog_info\|^# btf"
}
check_if LOADED 'programs that are there: the records and features of upstream' '
	$NEWEST record -q -o theirs.data -e cpu-clock true
	$PERF record -q -o ours.data -e cpu-clock true
	said theirs.data > theirs
	said ours.data > ours
	grep -q hello_filter theirs
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
	$PERF record -q -o late.data -e cpu-clock sh -c "./load > /dev/null & sleep 0.5; kill \$!"
	$PERF record -q -o late.data -e cpu-clock sh -c "timeout 3 ./load > late & sleep 0.5"
	test "$($PERF report --header-only -i late.data | grep -c "^# bpf_prog_info of id")" -ge 2
'
[ -z "${loader-}" ] || kill "$loader" 2> /dev/null
