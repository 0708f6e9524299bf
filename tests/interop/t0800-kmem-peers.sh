#!/bin/sh
# perf kmem stat: the same numbers, names and order as from upstream, of files of both.
. "$(dirname "$0")/../cli/lib.sh"
need PEER61 ROOT EVENTS TRACEFS

# rows FILE: without titles, lines, bars, and what upstream does not tell: lost events
rows() {
	grep -v -e "^-----" -e "^#" -e "^ Callsite" -e "^ Alloc Ptr" -e "^Events lost" "$1" | tr "|" " " | tr -s " " | sed "s/^ //; s/ $//" | grep .
}
# same_numbers FILE ARGS...
same_numbers() {
	file=$1
	shift
	"$PEER" kmem -i "$file" "$@" stat > theirs 2> err || skip "upstream cannot read $file: $(tail -n 1 err)"
	$PERF kmem -i "$file" "$@" stat > ours
	rows theirs > theirs.rows
	rows ours > ours.rows
	test "$(wc -l < theirs.rows)" -gt 8
	same theirs.rows ours.rows || { echo "differs with: $*"; return 1; }
}
all_same() {
	same_numbers "$1" --caller --raw-ip
	same_numbers "$1" --caller
	same_numbers "$1" --alloc
	same_numbers "$1" --caller --alloc -l 5
	same_numbers "$1" --caller -s pingpong,hit -l 7 --alloc -s callsite -l 50
	same_numbers "$1" --caller -s frag --alloc -s bytes,ptr
}
check 'a file of upstream' '
	"$PEER" kmem record -o theirs.data ls -lR /usr/share/doc > /dev/null 2> err || skip "upstream cannot record: $(tail -n 1 err)"
	all_same theirs.data'
check 'a file of ours' '
	$PERF kmem record -q -o ours.data ls -lR /usr/share/doc > /dev/null 2>&1
	all_same ours.data'
