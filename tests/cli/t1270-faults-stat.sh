#!/bin/sh
# System calls fail that ask what kind of file an output is, and where: what was there stays, and a message
# says so.
. "$(dirname "$0")/lib.sh"

need PLAIN FAULTS

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
