#!/bin/sh
# Man pages: every page takes its options from the command's rows, speaks of no others, and can be made; every
# configuration key of a row is explained.
. "$(dirname "$0")/../cli/lib.sh"
cd "$SRC" || exit 1
$PERF --list-cmds | tr ' ' '\n' | grep . > "$TMP/commands"
[ -s "$TMP/commands" ] || exit 1

check 'every page of a command takes its options from the rows' '
	for f in Documentation/perf.txt Documentation/perf-*.txt; do
		case $f in
		*/perf-script-p*.txt | */perf-python.txt) continue ;;			# languages
		*/perf-amd-ibs.txt | */perf-arm-spe.txt | */perf-coresight.txt | */perf-intel-pt.txt) continue ;;			# traces
		esac
		grep -q "^// options$" "$f" || { echo "$f has no line \"// options\""; bad=1; }
	done
	test -z "${bad-}"
'
# what the commands say of themselves: "OPTION" lines, and "COMMAND KEY" lines
while read -r c; do
	$PERF "$c" --list-opts | tr ' ' '\n' >> "$TMP/known"
	$PERF "$c" --list-config | awk -v c="$c" '{ for (i = 1; i <= NF; i++) print c, $i }' >> "$TMP/keys"
done < "$TMP/commands"
$PERF --list-opts | tr ' ' '\n' >> "$TMP/known"
# words of analyses by name that look like options
grep -ohE '"--[a-z-]+=?"' util/analyses/*.c | tr -d '"=' >> "$TMP/known"

check 'pages name only options that exist' '
	grep -oE "(^|[^a-z-])--[a-z][a-z0-9-]+" Documentation/perf*.txt | sed "s/:[^-]*--/ --/" > "$TMP/named"
	test -s "$TMP/known"
	test -s "$TMP/named"
	awk "
		NR == FNR { known[\$0]; next }
		{
			word = substr(\$2, 3)
			positive = word
			sub(/^no-/, \"\", positive)
		}
		!(\"--\" word in known || \"--no-\" word in known || \"--\" positive in known || positive == \"opt\") { print; bad = 1 }
		END { exit bad }" "$TMP/known" "$TMP/named"
'
check 'every configuration key of a row is in perf-config(1)' '
	test -s "$TMP/keys"
	awk "
		NR == FNR { key = \$0; if (sub(/::.*/, \"\", key)) explained[key]; next }
		!(\$2 in explained) { print \$2 \" of \" \$1; bad = 1 }
		END { exit bad }" Documentation/perf-config.txt "$TMP/keys"
'
check 'config-keys.def has them all; what is read is in perf-config(1), and what is there is read' '
	{
		cut -d " " -f 2 "$TMP/keys"
		grep -rhoE "config_get(_bool)?\(\"[a-z-]+\.[a-z_-]+\"" --include=*.c util builtin-*.c perf.c | sed "s/.*(\"//; s/\"//"
	} | sort -u > "$TMP/read"
	sed -n "s/^CONFIG_KEY(\"\([^\"]*\)\",.*/\1/p" util/cli/config-keys.def | sort -u > "$TMP/rows"
	test -s "$TMP/read"
	test -s "$TMP/rows"
	comm -23 "$TMP/read" "$TMP/rows" > "$TMP/without"
	sed "s/\$/ has no row/" "$TMP/without"
	test ! -s "$TMP/without"
	sed "s/\*.*//" "$TMP/rows" | while read -r key; do
		grep -q "^$key" Documentation/perf-config.txt || { echo "$key is not explained"; exit 1; }
		case $key in call-graph.* | daemon.base | session- | *.) continue ;; esac	# read by other ways
		grep -qx "$key" "$TMP/read" || { echo "nothing reads $key"; exit 1; }
	done
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
have_MAN() {
	command -v man > /dev/null || { echo "needs man"; return 1; }
}
check 'pages can be made' '
	mkdir "$TMP/man"
	for f in Documentation/perf.txt Documentation/perf-*.txt; do
		$PERF help --roff "$f" > "$TMP/man/$(basename "$f" .txt).1"
	done
	for page in "$TMP"/man/*.1; do grep -q "^.SH .NAME" "$page"; done
'
check_if MAN 'pages are shown without a warning, a dash, or marks that were to be taken away' '
	for f in "$TMP"/man/*.1; do
		LC_ALL=C.UTF-8 MANWIDTH=80 man -l "$f" > "$TMP/shown" 2> "$TMP/warned"
		sed "s|^|$(basename "$f"): |" "$TMP/warned"
		test ! -s "$TMP/warned"
		grep -qx SYNOPSIS "$TMP/shown"
		not grep -nE "( |^)—( |\$)|(^|[ (])(\`|_|$(printf "\\047")-)[a-z-]" "$TMP/shown"
	done
'
