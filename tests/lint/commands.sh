#!/bin/sh
# Every row of commands.def has a man page and a test, and every man page a row.
. "$(dirname "$0")/../cli/lib.sh"
cd "$SRC" || exit 1
sed -n 's/^[A-Z]*COMMAND("\([a-z0-9-]*\)".*/\1/p' util/cli/commands.def > "$TMP/commands"

check 'every command has a man page' '
	test -s "$TMP/commands"
	while read -r c; do
		[ -e "Documentation/perf-$c.txt" ] || { echo "no Documentation/perf-$c.txt"; bad=1; }
	done < "$TMP/commands"
	test -z "${bad-}"
'
check 'every command has a test' '
	test -s "$TMP/commands"
	while read -r c; do
		ls tests/cli/t[0-9]*-"$c"-*.sh > /dev/null 2>&1 || ls tests/cli/t[0-9]*-"$c".sh > /dev/null 2>&1 ||
			{ echo "no tests/cli/tNNNN-$c-*.sh"; bad=1; }
	done < "$TMP/commands"
	test -z "${bad-}"
'
check 'every row of libs.tsv that is probed has a program and packages' '
	grep -v "^#" config/libs.tsv > "$TMP/libs"
	test -s "$TMP/libs"
	while IFS="	" read -r name need macro link without; do
		[ "$link" = - ] || [ "$need" = as ] && continue
		[ -e "config/probe-$name.c" ] && grep -q "^$name	" config/packages.tsv || { echo "$name"; exit 1; }
	done < "$TMP/libs"
'
check 'the manual of report lists every sort key, and no other' '
	sed -n "s/^[A-Z]*(\([a-z0-9_]*\).*/\1/p" util/fields/fields.def > "$TMP/keys"
	test -s "$TMP/keys"
	sed -n "/^== SORT KEYS/,/^== ROWS/s/^\`\([a-z0-9_]*\)\`::.*/\1/p" Documentation/perf-report.txt | diff "$TMP/keys" -
'
check 'the manual of script names every field of -F' '
	sed -n "s/^[A-Z]*(\"\([a-z0-9_-]*\)\",.*/\1/p" util/script/fields.def > "$TMP/fields"
	test "$(wc -l < "$TMP/fields")" -gt 40
	sed -n "/^== FIELDS/,\$p" Documentation/perf-script.txt | awk "NR > 1 && /^== /{ exit } 1" | tr -c "a-z0-9_-" "\n" > "$TMP/words"
	bad=
	while read -r field; do
		grep -qx -e "$field" "$TMP/words" || { bad=1; echo "$field"; }
	done < "$TMP/fields"
	test -z "$bad"
'
