#!/bin/sh
# Types of data beside the newest upstream: where it names a type and a member, perf names the same.
. "$(dirname "$0")/../cli/lib.sh"
. "$SRC/tests/cli/annotate-types-lib.sh"
need NEWEST

# lines "FUNCTION+OFFSET TYPE +OFFSET (MEMBER)", sorted
members() {
	"$@" report -i x.data --stdio -s symoff,typeoff 2> err | sed -n "s/^ *[0-9.]*% *\\[[^]]*\\] *//p" |
		sed "s/   */ /g; s/ *$//" | LC_ALL=C sort
}

check 'where upstream knows a type, perf knows the same' '
	everywhere | mkdata x.data
	members $NEWEST | grep -v "(unknown)" > theirs.all
	# it takes the type of one of two ways (merged), or what was before a call (changed), and names no typedef of a struct without a name
	grep -v "^\(merged\|changed\|kept\)+" theirs.all | sed "s/ struct  *+0x8 (r)/ anon_t +0x8 (r)/" > theirs
	members $PERF > ours
	test "$(wc -l < theirs)" -ge 15
	LC_ALL=C comm -23 theirs ours > all
	$PERF annotate -i x.data --json --no-source | python3 -c "
import json, sys
for f in json.load(sys.stdin)[\"functions\"]:
	for l in f[\"lines\"]:
		if \"(\" not in l[\"operands\"]:
			print(\"%s+%#x \" % (f[\"symbol\"], l[\"address\"] - f[\"address\"]))
" > registers
	# upstream may give an instruction between registers the type of the one before it
	grep -v -F -f registers all > missing || true
	same /dev/null missing
'
check 'perf knows more' '
	members $NEWEST | grep -c "+.* +.*(" > theirs
	members $PERF | grep -c "+.* +.*(" > ours
	test "$(cat ours)" -gt "$(cat theirs)"
'
check 'blocks of members are the same' '
	everywhere walk | awk "/^sample/ && !(\$2 in seen) { seen[\$2] = 1 } { print }" | mkdata x.data
	# upstream knows the first byte of an instruction only, so shares differ
	cut_shares() { sed "s/^ *[0-9.]*//; s/ (.* samples)//; s/	 *{/	{/; s/union *	/union	/"; }
	$NEWEST annotate -i x.data --stdio --data-type=node 2> err | cut_shares > theirs
	$PERF annotate -i x.data --data-type=node | cut_shares > ours
	same theirs ours
'
