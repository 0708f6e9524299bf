#!/bin/sh
# Shell scripts are free of what shellcheck knows to be wrong.
. "$(dirname "$0")/../cli/lib.sh"
have_SHELLCHECK() {
	command -v shellcheck > /dev/null || { echo "shellcheck is not installed"; return 1; }
}
need GIT
cd "$SRC" || exit 1
check '"not" says that a command fails: "! command" in the middle of a check is nothing that set -e looks at' '
	grep -nE "^[[:blank:]]+! " tests/cli/*.sh tests/interop/*.sh tests/lint/*.sh | not grep -vF "||"
'
check '"finds" reads all that a program prints: "grep -q" ends it by SIGPIPE, and shows nothing' '
	git ls-files "tests/cli/*.sh" "tests/interop/*.sh" "tests/vm/*.sh" > "$TMP/scripts"
	test -s "$TMP/scripts"
	xargs grep -nE "^[[:blank:]]*[^#[:blank:]].*[^|][|] *grep -[a-zA-Z]*q" < "$TMP/scripts" > "$TMP/hits" || true
	cat "$TMP/hits"
	test ! -s "$TMP/hits"
'
check 'tests call nothing of procps or psmisc, which a bare machine does not have: "children", "kill" and /proc do the same' '
	words="ps|pgrep|pkill|killall|pidof|pstree|fuser|free|uptime|sysctl|top|watch|vmstat"
	git ls-files "tests/*.sh" tests/run tests/bench/run tests/fuzz/run-corpus > "$TMP/scripts"
	test -s "$TMP/scripts"
	xargs grep -nE "^[^#]*(^|[;|&(]|then|do|exec)[[:blank:]]*($words)( |$)" < "$TMP/scripts" > "$TMP/hits" || true
	cat "$TMP/hits"
	test ! -s "$TMP/hits"
'
check 'no check ends with "exit 0": "skip" and "skip_all" say why there is nothing to look at' '
	git ls-files "tests/cli/t*.sh" "tests/interop/t*.sh" "tests/lint/*.sh" > "$TMP/scripts"
	test -s "$TMP/scripts"
	xargs grep -nE "^[^#]*(^|[;|&{(]|then|do)[[:blank:]]*exit 0([ ;}]|$)" < "$TMP/scripts" | grep -v "t0001-harness.sh" > "$TMP/hits" || true
	cat "$TMP/hits"
	test ! -s "$TMP/hits"
'
check 'until_true tries its command again, so that does not contain what was found out once' '
	git ls-files "tests/*.sh" > "$TMP/scripts"
	test -s "$TMP/scripts"
	xargs grep -nE "until_true (test|\[|expr) .*\"[$]\(" < "$TMP/scripts" > "$TMP/hits" || true
	cat "$TMP/hits"
	test ! -s "$TMP/hits"
'
check_if SHELLCHECK 'shellcheck finds no errors' '
	shellcheck -x -S error $(git ls-files "*.sh" .ci/run tests/run tests/bare/run tests/bench/run tests/fuzz/run-corpus)
'
