#!/bin/sh
. "$(dirname "$0")/../cli/lib.sh"
need EVENTS

have_KCORE() {
	have_ROOT && [ -r /proc/kcore ] && head -c 4 /proc/kcore > /dev/null 2>&1 || { echo "no readable /proc/kcore"; return 1; }
}
have_NOKCORE() {
	[ ! -e /proc/kcore ] || { echo "there is a /proc/kcore"; return 1; }
}

check_if KCORE 'a directory with data and the kernel beside it' '
	$PERF record -q --kcore -o d -e cpu-clock true
	test -s d/data -a -s d/kcore_dir/kcore -a -s d/kcore_dir/kallsyms -a -f d/kcore_dir/modules
	test "$(stat -c %a d/kcore_dir/kcore)" = 400
	# modules and BPF programs come and go
	grep -v "\[" /proc/kallsyms > want
	grep -v "\[" d/kcore_dir/kallsyms | cmp - want
	$PERF report --stdio -i d > /dev/null
	$PERF record -q --kcore -o d -e cpu-clock true
	test -s d.old/kcore_dir/kcore
'
check_if NOKCORE 'a kernel that shows no /proc/kcore: said at once, and nothing is left' '
	fails_with 1 $PERF record --kcore -o d -e cpu-clock true 2> err
	says "this kernel has no /proc/kcore" err
	test ! -e d
'
check 'not into a pipe' '
	fails_with 1 $PERF record --kcore -o - -e cpu-clock true > out 2> err
	says "cannot be combined with a pipe" err
'
check_if ROOT 'the list beside the data names what the kernel does, before any other' '
	$PERF record -q -o x.data -a -e cpu-clock sh -c "for i in 1 2 3 4 5 6 7 8; do cat /proc/self/maps; done" > /dev/null
	$PERF script -i x.data -F ip,sym,dso | finds "kernel.kallsyms" || skip "no kernel symbols to be seen"
	rm -rf dir
	mkdir -p dir/kcore_dir
	cp x.data dir/data
	sed "/ _s\{0,1\}text\$/!s/^\([0-9a-f]* [a-zA-Z] \)/\1kept_/" /proc/kallsyms > dir/kcore_dir/kallsyms
	$PERF script -i dir -F ip,sym,dso | grep "kernel.kallsyms" | grep -v "unknown" > names
	test -s names
	not grep -v "kept_\|_text\|_stext" names
'
