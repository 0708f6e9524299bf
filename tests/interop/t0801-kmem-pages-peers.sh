#!/bin/sh
# perf kmem --page: the same numbers as upstream, of files of both.
. "$(dirname "$0")/../cli/lib.sh"
need PEER61 ROOT EVENTS TRACEFS

# Upstream names migrate types as kernels before 4.4 had them, knows fewer functions of the page allocator, so
# call sites differ, and counts live pages that are handed out again without having been freed. Compared is
# all else: rows are added up without their call sites.
# rows FILE: "PAGE KB HITS ORDER FLAGS" of tables, then numbers of the summary and by order
rows() {
	sed -n 's/^# \(0[0-9a-f]*: .*\)/\1/p' "$1" | tr -s " "
	awk '$1 ~ /^[0-9]+$/ && (/UNMOVABL|MOVABLE|RECLAIM|RESERVED|HIGHATOM|CMA/) {
		gsub(/ \| /, " ")
		key = ""
		for (i = 1; i < NF; i++)
			if ($i ~ /^(UNMOVABL|MOVABLE|RECLAIM|RESERVED|HIGHATOM|CMA.*)$/)
				type = i
		page = type == 5 ? $1 : "-"
		key = page " " $(type - 1) " " $(type + 1)
		kb[key] += $(type - 3)
		hits[key] += $(type - 2)
	}
	END { for (key in kb) print "row", key, kb[key], hits[key] }' "$1" | sort
	grep "^Total" "$1" | tr -s " "
	awk 'NF == 6 && $1 < 11 && $1 ~ /^[0-9]+$/ && !/[|A-Z]/ { print "order", $0 }' "$1" | tr -s " "
}
# same_numbers FILE ARGS...
same_numbers() {
	file=$1
	shift
	"$PEER" kmem -i "$file" --page "$@" stat > theirs 2> err || skip "upstream cannot read $file: $(tail -n 1 err)"
	$PERF kmem -i "$file" --page "$@" stat > ours
	rows theirs > theirs.rows
	rows ours > ours.rows
	test "$(wc -l < theirs.rows)" -ge 17
	[ $# = 0 ] || grep -q "^row .* [1-9]" theirs.rows
	same theirs.rows ours.rows || { echo "differs with: $*"; return 1; }
}
all_same() {
	same_numbers "$1"
	same_numbers "$1" --caller
	same_numbers "$1" --alloc -s page
	same_numbers "$1" --caller --alloc --raw-ip
	# with each page handed out once, live pages are the same
	$PERF kmem -i "$1" --page stat > ours
	grep -q "again without being freed" ours || same_numbers "$1" --caller --alloc --live
}
check 'a file of upstream' '
	"$PEER" kmem --page record -o theirs.data ls -lR /usr/share/doc > /dev/null 2> err || skip "upstream cannot record: $(tail -n 1 err)"
	all_same theirs.data'
check 'a file of ours' '
	$PERF kmem --page record -q -o ours.data ls -lR /usr/share/doc > /dev/null 2>&1
	all_same ours.data'
check_if NEWEST 'the newest upstream, of a file of ours' '
	test -s ours.data || skip "there is no file"
	PEER=$NEWEST
	all_same ours.data'
