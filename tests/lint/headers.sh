#!/bin/sh
# Every header compiles alone, and twice. A header that is the first include of a source compiles alone, or
# that source would not be built; only the others are compiled here. Guards make the second time empty.
# Headers of BPF programs (*.bpf.h) are compiled by "make bpf" alone.
. "$(dirname "$0")/../cli/lib.sh"
need GCC
cd "$SRC" || exit 1
ls ./*.h arch/*.h arch/*/*.h ui/*.h ui/*/*.h util/*/*.h tests/unit/*.h tests/machine/*.h 2> /dev/null | sed 's|^\./||' | grep -v '\.bpf\.h$' | sort > "$TMP/headers"
[ "$(wc -l < "$TMP/headers")" -gt 100 ] || exit 1

# the header that each source includes before anything else, from the top of the tree
find ./*.c arch ui util tests/unit tests/machine -name '*.c' -exec awk '
	FNR == 1 { done = 0 }
	done || !/^#/ { next }
	{ done = 1 }
	/^#include "/ {
		folder = FILENAME
		sub(/^\.\//, "", folder)
		sub(/[^\/]*$/, "", folder)
		gsub(/"/, "", $2)
		print $2
		print folder $2
	}' {} + | sort -u > "$TMP/first"

check 'headers compile alone' '
	test "$(comm -12 "$TMP/headers" "$TMP/first" | wc -l)" -gt 100
	comm -23 "$TMP/headers" "$TMP/first" | xargs -P "$(nproc)" -n 20 sh -c "
		mkdir \"$TMP/alone.\$\$\"
		for h; do echo \"#include \\\"\$h\\\"\" > \"$TMP/alone.\$\$/\$(echo \"\$h\" | tr / :).c\"; done
		gcc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Wno-unused-parameter -Werror -I. -I\"$O/include\" \
			-include config.h -fsyntax-only \"$TMP/alone.\$\$\"/*.c || exit 255" sh
'
check 'headers have guards' '
	xargs awk "
		FNR == 1 { directives = 0 }
		!/^#/ { next }
		++directives == 1 { guard = \$1 == \"#ifndef\" ? \$2 : \"\" }
		directives == 2 && (\$1 != \"#define\" || \$2 != guard) { print FILENAME \": begins with no guard\"; bad = 1 }
		END { exit bad }" < "$TMP/headers"
'
check 'headers begin with a comment that says what the module owns' '
	xargs awk "
		FNR == 1 && !/^\/\*/ { print FILENAME; bad = 1 }
		END { exit bad }" < "$TMP/headers"
'
