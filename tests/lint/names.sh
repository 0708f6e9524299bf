#!/bin/sh
# Names: a struct tag has one meaning, a private header is its folder's alone, a file name says what the file
# holds.
. "$(dirname "$0")/../cli/lib.sh"
need GIT
cd "$SRC" || exit 1

check 'no struct, union or enum tag is defined twice' '
	git ls-files "*.c" "*.h" "*.def" | xargs grep -hoE "^(struct|union|enum) [a-z_0-9]+ \{" | sort | uniq -d > "$TMP/twice"
	sed "s/ {\$//" "$TMP/twice" | while read -r tag; do
		git grep -nE "^$tag \{" -- "*.c" "*.h" "*.def"
	done
	test ! -s "$TMP/twice"
'
check 'headers of one folder alone are called NAME-private.h, and no other folder includes them' '
	git ls-files "*.h" | grep -E "[-/](priv|internal|inside|private|parts)[.]h\$" | grep -vE "[a-z0-9]-private[.]h\$" > "$TMP/odd" || :
	cat "$TMP/odd"
	test ! -s "$TMP/odd"
	git grep -nE "#include \"[^\"]*/[^\"]*-private\.h\"" -- "util/*.[ch]" "ui/*.[ch]" "arch/*.[ch]" "builtin-*.c" perf.c > "$TMP/outside" || :
	cat "$TMP/outside"
	test ! -s "$TMP/outside"
'
check 'no file is called after nothing in particular' '
	git ls-files "util/*.[ch]" "ui/*.[ch]" "builtin-*.[ch]" | grep -E "/(more|extras?|show|words|misc|utils?|helpers?|common|run|stuff)\.[ch]\$" > "$TMP/vague" || :
	cat "$TMP/vague"
	test ! -s "$TMP/vague"
'
check 'the top has only the folders and files that README and ARCHITECTURE know, not what a test left behind' '
	git ls-files | sed "s|/.*|/|" | sort -u |
		grep -vxE "(\.ci|Documentation|arch|completion|config|packaging|plugins|python|tests|ui|util)/|\.gitignore|LICENSE|Makefile|NEWS|README\.md|REUSE\.toml|perf\.c|builtin-[a-z0-9-]+\.(c|h|def)" > "$TMP/left" || :
	cat "$TMP/left"
	test ! -s "$TMP/left"
'
