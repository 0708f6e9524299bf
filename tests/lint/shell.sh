#!/bin/sh
# Shell scripts are free of what shellcheck knows to be wrong.
. "$(dirname "$0")/../cli/lib.sh"
have_SHELLCHECK() {
	command -v shellcheck > /dev/null || { echo "shellcheck is not installed"; return 1; }
}
cd "$SRC" || exit 1
check '"not" says that a command fails: "! command" in the middle of a check is nothing that set -e looks at' '
	grep -nE "^[[:blank:]]+! " tests/cli/*.sh tests/interop/*.sh tests/lint/*.sh | not grep -vF "||"
'
check_if SHELLCHECK 'shellcheck finds no errors' '
	shellcheck -x -S error $(git ls-files "*.sh" .ci/run tests/run tests/bench/run tests/fuzz/run-corpus)
'
