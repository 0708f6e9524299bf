#!/bin/sh
# Attributes of every age: what a file's attribute lacks is zero, what it has too much is ignored.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/data-lib.sh"

for size in 64 72 80 96 104 112 120 128 136 144; do
	check "attribute of $size bytes" "
		small size=$size | mkdata x.data
		shows_both x.data
	"
done
check 'attribute of a future kernel, unknown fields not zero' '
	small size=256 tail=0xff | mkdata x.data
	shows_both x.data
'
check 'the same in a pipe' '
	for size in 64 96 136 144 256; do
		{ echo format pipe; small size=$size tail=0x55; } | mkdata x.data
		shows_both x.data
	done
'
check 'an attribute smaller than any there was is refused with a message' '
	small size=32 | mkdata x.data
	fails_with 1 $PERF script -i x.data > out 2> err
	says "Error: x.data: " err
	test ! -s out
'
