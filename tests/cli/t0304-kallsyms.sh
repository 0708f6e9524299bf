#!/bin/sh
# perf kallsyms: functions of the kernel by name
. "$(dirname "$0")/lib.sh"

cat > list <<'END'
ffffffff81000000 T _text
ffffffff81000100 t do_one
ffffffff81000100 T one_alias
ffffffff81000180 T __pfx_do_two
ffffffff81000190 t do_two
ffffffff81000300 d do_data
ffffffff81000400 t do_one
ffffffff81000500 T last
ffffffffa0000020 t do_one	[ext4]
ffffffffa0000010 t do_evil	[ext4]
END

check 'a name, with all functions that share it' '
	$PERF kallsyms -i list do_one > out
	cat > want <<-END
	do_one: [kernel] [kernel.kallsyms] 0xffffffff81000100-0xffffffff81000180 (0xffffffff81000100-0xffffffff81000180)
	do_one: [kernel] [kernel.kallsyms] 0xffffffff81000400-0xffffffff81000500 (0xffffffff81000400-0xffffffff81000500)
	do_one: [ext4] [ext4] 0xffffffffa0000020-0xffffffffa0001020 (0xffffffffa0000020-0xffffffffa0001020)
	END
	same want out
'
check 'a pattern; data is no function' '
	$PERF kallsyms -i list "do_*" > out
	test "$(cut -d: -f1 out | tr "\n" " ")" = "do_one do_two do_one do_one do_evil "
'
check 'a name that is not there' '
	rc=0; $PERF kallsyms -i list nosuch last > out || rc=$?
	test $rc = 1
	grep -q "^nosuch: not found" out
	grep -q "^last: " out
	rc=0; $PERF kallsyms 2> err || rc=$?
	test $rc = 129
	rc=0; $PERF kallsyms -i /nosuch x 2> err || rc=$?
	test $rc = 1
	grep -q /nosuch err
'
check '-v tells on standard error what the list contains' '
	printf "ffffffff81000000 T one\nffffffffc0000000 t two\t[mod]\n" > two
	$PERF kallsyms -v -i two one > out 2> err
	says "two: 2 symbols; modules: 1" err
	test "$(wc -l < out)" = 1
'
check 'names cannot drive the terminal' '
	printf "ffffffff81000000 T do\033[31m_x\n" > evil
	$PERF kallsyms -i evil "do*" > out
	not grep "$(printf "\033")" out
'
check_if ROOT,NEWEST 'the same line as the newest upstream' '
	$PERF kallsyms vfs_read > ours || skip "this kernel hides its addresses"
	"$NEWEST" kallsyms vfs_read > theirs
	same theirs ours
'
