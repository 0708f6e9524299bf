#!/bin/sh
# System calls fail that ask what kind of file an output is, and where: what was there stays, and a message
# says so.
. "$(dirname "$0")/lib.sh"

have_X86_64() {
	[ "$(uname -m)" = x86_64 ] || { echo "tests/tools/faults knows the registers of x86-64 only"; return 1; }
}
have_TRACED() {
	"$O/tools/faults" -l 1 true 9> calls 2> err || { echo "processes cannot be traced here: $(cat err)"; return 1; }
}
need PLAIN X86_64 TRACED

echo 'a;b 1' > x.folded
# each_call OUTPUT COMMAND...: lets each newfstatat fail in turn; the output is as without a fault, or the
# command fails and the output is what was there before
each_call() {
	out=$1
	shift
	echo before > "$out"
	"$O/tools/faults" -l 262 "$@" > /dev/null 2> err 9> calls
	cp "$out" want
	n=$(cut -d ' ' -f 2 calls)
	test "$n" -gt 1
	for i in $(seq "$n"); do
		rm -f "$out"*
		echo before > "$out"
		status=0
		"$O/tools/faults" -f 262:13:"$i" "$@" > /dev/null 2> err || status=$?
		if test $status = 0; then
			cmp "$out" want
		else
			says "Error: " err
			echo before | same - "$(test -e "$out.old" && echo "$out.old" || echo "$out")"
		fi
		ls > files
		not grep "\.new" files
	done
}
check 'a converted file' '
	each_call out.folded $PERF data convert --force --to folded -o out.folded -i x.folded
'
check 'a recording' '
	$PERF data convert --from folded -o x.data x.folded
	each_call out.data $PERF inject -i x.data -o out.data
'
