#!/bin/sh
# Help rows: each stands alone, because -h sorts them: it starts with a verb or a noun, has no full stop and
# fits a line. A row of an option that cannot be used yet says why, in one of two forms.
. "$(dirname "$0")/../cli/lib.sh"
cd "$SRC" || exit 1

# "command option<TAB>text" of every row but those that list values
{
	echo perf
	$PERF --list-cmds | tr ' ' '\n' | sed 's/^/perf /'
} | while read -r perf c; do
	$PERF ${c:+"$c"} --man-options | awk -v c="$perf${c:+ $c}" '
		/::$/ { option = $0 }
		/^\t/ {
			sub(/^\t(pass:c\[)?/, "")
			sub(/\]$/, "")
			sub(/\] (Not with|Configuration key:) .*/, "")
			gsub(/\\\]/, "]")
			print c " " option "\t" $0
		}'
done > "$TMP/rows"

# prints the rows that a filter finds and fails if there are any
none() {
	"$@" > "$TMP/found" || :
	cat "$TMP/found"
	test ! -s "$TMP/found"
}
texts() {
	cut -f 2 "$TMP/rows" | grep "$@"
}
check 'no row is empty, ends with a full stop or is longer than 75 columns, lists of values apart' '
	test "$(wc -l < "$TMP/rows")" -gt 300
	grep -vE "make rows by|call graphs: graph|selects an event type|layout:|as one of:" "$TMP/rows" > "$TMP/plain"
	none awk -F "\t" "length(\$2) == 0 || \$2 ~ /[.]\$/ || length(\$2) > 75" "$TMP/plain"
'
check 'rows start with a verb or a noun, in lower case' '
	none texts -E "^(and|or|but|only|with|without|of|in|on|at|the|an?|what|which|where|when|so|not?|th(is|at|ese|ose)|it|all|as|by|for|from|to) "
	none texts -E "^([ABD-IK-MO-Z]|C[^P]|J[^S]|N[^U])"
'
check 'a row of an option that cannot be used says why in one of two forms' '
	none texts -iE "not built|built in yet"
	texts "^(" > "$TMP/gated"
	none grep -vE "^\((not available yet|not supported): .*\)\$" "$TMP/gated"
'
