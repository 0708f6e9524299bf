#!/bin/sh
# The test helper itself, and mkdata.
. "$(dirname "$0")/../cli/lib.sh"

check 'mkdata writes a file with the right magic and sizes' '
	mkdata x.data <<-END
	event cpu-clock sample=ip|tid|time
	sample ip=0x1234 tid=7 time=99
	END
	test "$(head -c 8 x.data)" = PERFILE2
	test "$(stat -c %s x.data)" = $((104 + 8 + 144 + 32))
'
check 'mkdata writes the other byte order' '
	printf "order big\nevent a sample=ip\nsample ip=0x1122334455667788\n" | mkdata b.data
	test "$(head -c 8 b.data)" = 2ELIFREP
	test "$(tail -c 8 b.data | od -An -tx1 | tr -d " ")" = 1122334455667788
'
check 'mkdata names the line of a mistake' '
	fails_with 1 $MKDATA -o y.data <<-END 2> err
	event a
	nonsense
	END
	says "line 2: '\''nonsense'\'' is not known" err
'
check 'damage: patch and truncate at labels' '
	mkdata z.data <<-END
	event a sample=ip
	sample ip=1
	label here
	sample ip=2
	patch @here+8 u64:0x77
	truncate @here+12
	END
	test "$(tail -c 4 z.data | od -An -tx1 | tr -d " ")" = 77000000
'
