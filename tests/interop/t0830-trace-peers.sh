#!/bin/sh
# perf trace: the same calls, times, names and results as from upstream, of files of both; the same summaries.
# Known differences are taken out: what arguments look like, names of tasks after their numbers, and the end
# of rt_sigreturn, which upstream does not see. Of a file, upstream sums up threads only.
. "$(dirname "$0")/../cli/lib.sh"
need NEWEST ROOT EVENTS TRACEFS

load='for i in 1 2 3; do (cat /etc/hostname; ls / ) > /dev/null & done; wait; ls /nonexist; dd if=/dev/zero of=/dev/null bs=1 count=300'
# calls FILE: time, duration, number of the task, call
calls() {
	grep -v -e rt_sigreturn "$1" | sed -n -E 's/^( *[0-9.?]+ \([^)]*\): )[^ ]*\/([0-9]+ +(\.\.\. \[continued\]: )?[a-z0-9_]+)\(.*/\1\2/p'
}
# same_calls FILE
same_calls() {
	"$NEWEST" trace --sort-events -i "$1" -o theirs 2> err || skip "upstream cannot read $1: $(tail -n 1 err)"
	$PERF trace -i "$1" -o ours
	calls theirs > theirs.calls
	calls ours > ours.calls
	test "$(wc -l < theirs.calls)" -gt 1000
	same theirs.calls ours.calls
	sed -n -E "s/.*\) += (-?[0-9]+|0x[0-9a-f]+)( .*|$)/\1/p" theirs > theirs.results
	grep -v rt_sigreturn ours | sed -n -E "s/.*\) += (-?[0-9]+|0x[0-9a-f]+)( .*|<.*|$)/\1/p" > ours.results
	test "$(wc -l < theirs.results)" -gt 1000
	same theirs.results ours.results
}
# rows FILE: threads, and calls with their numbers, without percentiles; not those whose beginning was not
# always seen
rows() {
	grep -v -e rt_sigreturn -e " execve " -e " vfork " -e " clone " "$1" | cut -c 1-86 |
		sed -E 's/ events, .*/ events/; s/ +$//' | grep -E '^ [^ ].* events|^   [a-z0-9_]+ +[0-9]' |
		awk '/events/ { sub(/[0-9]+ events/, "") } { print }'
}
same_summary() {
	file=$1
	shift
	"$NEWEST" trace -s "$@" -i "$file" -o theirs 2> err || skip "upstream cannot read $file: $(tail -n 1 err)"
	$PERF trace -s "$@" -i "$file" -o ours
	rows theirs | sort > theirs.rows
	rows ours | sort > ours.rows
	test "$(wc -l < theirs.rows)" -gt 10
	for f in theirs ours; do
		awk '{ $4 = ""; print }' $f.rows | sort > $f.but-total
		awk '{ total = $4; $4 = ""; print $0, total }' $f.rows | sort | awk '{ print $NF }' > $f.totals
	done
	same theirs.but-total ours.but-total
	# upstream makes the total from the average, so that half a microsecond may be cut
	paste theirs.totals ours.totals | awk '{ d = $1 - $2 } d > 0.0011 || d < -0.0011 { print; bad = 1 } END { exit bad }'
}
check 'a file of upstream' '
	"$NEWEST" trace record -o theirs.data sh -c "$load" > /dev/null 2> err || skip "upstream cannot record: $(tail -n 1 err)"
	same_calls theirs.data
	same_summary theirs.data'
check 'a file of ours' '
	$PERF trace record -q -o ours.data sh -c "$load" > /dev/null 2>&1
	same_calls ours.data
	same_summary ours.data'
check 'live, both see the same calls of a command' '
	"$NEWEST" trace -e read,write,close -o theirs dd if=/dev/zero of=/dev/null bs=1 count=20 2> err || skip "upstream cannot trace: $(tail -n 1 err)"
	$PERF trace -e read,write,close -o ours dd if=/dev/zero of=/dev/null bs=1 count=20 2> err
	for f in theirs ours; do
		sed -n -E "s/.*dd\/[0-9]+ (read|write|close)\(.*= (-?[0-9]+)$/\1 \2/p" $f | sed "/write [0-9][0-9]/d" > $f.calls
	done
	test "$(wc -l < theirs.calls)" -gt 40 || skip "upstream did not see all calls"
	same theirs.calls ours.calls'
