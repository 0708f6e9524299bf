#!/bin/sh
# Every header compiles alone, and twice.
. "$(dirname "$0")/../cli/lib.sh"
need GCC
cd "$SRC" || exit 1

check 'headers compile alone' '
	ls perf.h arch/*.h arch/*/*.h ui/*.h ui/*/*.h util/*/*.h tests/unit/*.h 2> /dev/null > "$TMP/headers" || true
	test "$(wc -l < "$TMP/headers")" -gt 100
	xargs -P "$(nproc)" -I{} sh -c "printf \"#include \\\"%s\\\"\n#include \\\"%s\\\"\n\" \"{}\" \"{}\" |
		gcc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Wno-unused-parameter -Werror -I. -I\"$O/include\" -include config.h \
			-fsyntax-only -x c - 2>&1 || exit 255" < "$TMP/headers"
'
check 'headers begin with a comment that says what the module owns' '
	test -s "$TMP/headers"
	for h in $(cat "$TMP/headers"); do
		head -c 2 "$h" | grep -q "^/\*" || { echo "$h"; bad=1; }
	done
	test -z "${bad-}"
'
