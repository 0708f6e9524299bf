#!/bin/sh
# Words of messages, comments, the tutorial and manual pages: phrases that are not idiomatic English fail.
. "$(dirname "$0")/../cli/lib.sh"
cd "$SRC" || exit 1

phrases='\<(behind|so many|of theirs|in front of|(is|are) no [a-z]+)\>|not built-in yet'

# prints the lines of standard input that have such a phrase, and fails if there are any; there must be lines
clean() {
	sed -E "s/\<(there (is|are) no|(is|are) no longer)\>/-/Ig" > "$TMP/lines"
	test -s "$TMP/lines"
	not grep -E "$phrases" "$TMP/lines"
}

check 'messages' '
	awk "FNR == 1 { in_comment = 0 }
		{ line = \$0; gsub(/\/\*.*\*\//, \"\", line) }
		line ~ /\/\*/ { in_comment = 1; sub(/\/\*.*/, \"\", line) }
		!in_comment && line ~ /\".*\"/ && line !~ /_Static_assert/ { print FILENAME \":\" FNR \": \" line }
		/\*\// { in_comment = 0 }" perf.c builtin-*.c plugins/*.c python/*.[cd]* util/*/*.c util/*/*.def ui/*.c > "$TMP/literals"
	grep -oE "\"([^\"\\]|\\\\.)*\"" "$TMP/literals" | clean'
check 'comments' '
	awk "FNR == 1 { in_comment = 0 }
		in_comment { text = text \" \" \$0 }
		!in_comment && /\/\*/ { in_comment = 1; at = FNR; text = substr(\$0, index(\$0, \"/*\")) }
		in_comment && /\*\// { in_comment = 0; gsub(/[ \t*]+/, \" \", text); print FILENAME \":\" at \":\" text }" \
		$(git ls-files "*.[ch]" "*.def" | grep -v "^tests/unit/test-event-filter") | clean'
check 'the tutorial and manual pages' '
	grep -n "" Documentation/tutorial.txt Documentation/perf-*.txt | clean'
