#!/bin/sh
# Man pages: every page takes its options from the command's rows, speaks of no others, and can be made; every
# configuration key of a row is explained.
. "$(dirname "$0")/../cli/lib.sh"
cd "$SRC" || exit 1
$PERF --list-cmds | tr ' ' '\n' > "$TMP/commands"
[ -s "$TMP/commands" ] || exit 1

check 'every page of a command takes its options from the rows' '
	for f in Documentation/perf.txt Documentation/perf-*.txt; do
		grep -q "^// options$" "$f" || { echo "$f has no line \"// options\""; bad=1; }
	done
	test -z "${bad-}"
'
check 'pages name only options that exist' '
	for c in $(cat "$TMP/commands"); do $PERF "$c" --list-opts; done | tr " " "\n" > "$TMP/known"
	$PERF --list-opts | tr " " "\n" >> "$TMP/known"
	grep -oE "(^|[^a-z-])--[a-z][a-z0-9-]+" Documentation/perf*.txt | sed "s/:[^-]*--/ --/" > "$TMP/named"
	test -s "$TMP/named"
	while read -r file o; do
		grep -qx -e "$o" -e "--no-${o#--}" -e "--${o#--no-}" "$TMP/known" ||
			grep -q "^$o$" <<-EOF || { echo "$file: $o"; exit 1; }
			--opt
			--no-opt
			EOF
	done < "$TMP/named"
'
check 'every configuration key of a row is in perf-config(1)' '
	for c in $(cat "$TMP/commands"); do
		for key in $($PERF "$c" --list-config); do
			grep -q "^$key::" Documentation/perf-config.txt || { echo "$key of $c"; exit 1; }
			echo "$key" >> "$TMP/keys"
		done
	done
	test -s "$TMP/keys"
'
check 'config-keys.def has them all; what is read is in perf-config(1), and what is there is read' '
	{
		for c in $(cat "$TMP/commands"); do $PERF "$c" --list-config; done
		grep -rhoE "config_get(_bool)?\(\"[a-z-]+\.[a-z_-]+\"" --include=*.c util builtin-*.c perf.c | sed "s/.*(\"//; s/\"//"
	} | sort -u > "$TMP/read"
	while read -r key; do
		grep -q "^CONFIG_KEY(\"$key\"," util/cli/config-keys.def || { echo "$key has no row"; exit 1; }
	done < "$TMP/read"
	test -s "$TMP/read"
	sed -n "s/^CONFIG_KEY(\"\([^*]*\)\*\{0,1\}\",.*/\1/p" util/cli/config-keys.def > "$TMP/rows"
	test -s "$TMP/rows"
	while read -r key; do
		grep -q "^$key" Documentation/perf-config.txt || { echo "$key is not explained"; exit 1; }
		case $key in call-graph.* | daemon.base | session- | *.) continue ;; esac	# read by other ways
		grep -qx "$key" "$TMP/read" || { echo "nothing reads $key"; exit 1; }
	done < "$TMP/rows"
'
# "--" between blanks becomes a dash, and a word longer than a line of man(1) cannot be broken; as they stand
# are indented lines, blocks between "----", and, but for their length, `backticks`
check 'pages have no dash where they mean two hyphens, and no word longer than a line' '
	awk "
		FNR == 1 { block = 0 }
		/^----\$/ { block = !block; next }
		block || /^[[:blank:]]/ { next }
		{
			for (i = 1; i <= NF; i++)
				if (length(\$i) > 71) { print FILENAME \":\" FNR \": too long for a line: \" \$i; bad = 1 }
			gsub(/\`[^\`]*\`/, \"x\")
			if (/(^| )--( |\$)/) { print FILENAME \":\" FNR \": becomes a dash, write \\\\--: \" \$0; bad = 1 }
		}
		END { exit bad }" Documentation/perf*.txt
'
have_ASCIIDOCTOR() {
	command -v asciidoctor > /dev/null || { echo "needs asciidoctor"; return 1; }
}
have_MAN() {
	command -v man > /dev/null || { echo "needs man"; return 1; }
}
check_if ASCIIDOCTOR 'pages can be made' '
	mkdir "$TMP/man"
	for f in Documentation/perf.txt Documentation/perf-*.txt; do
		config/man.sh "$PERF" "$f" "$TMP/man/$(basename "$f" .txt).1"
	done
'
check_if ASCIIDOCTOR,MAN 'pages are shown without a warning, a dash, or marks that were to be taken away' '
	for f in "$TMP"/man/*.1; do
		LC_ALL=C.UTF-8 MANWIDTH=80 man -l "$f" > "$TMP/shown" 2> "$TMP/warned"
		sed "s|^|$(basename "$f"): |" "$TMP/warned"
		test ! -s "$TMP/warned"
		grep -qx SYNOPSIS "$TMP/shown"
		not grep -nE "( |^)—( |\$)|(^|[ (])(\`|_|$(printf "\\047")-)[a-z-]" "$TMP/shown"
	done
'
