#!/bin/sh
# Shell scripts are free of what shellcheck knows to be wrong.
. "$(dirname "$0")/../cli/lib.sh"
have_SHELLCHECK() {
	command -v shellcheck > /dev/null || { echo "shellcheck is not installed"; return 1; }
}
need SHELLCHECK
cd "$SRC" || exit 1
check 'shellcheck finds no errors' '
	shellcheck -x -S error $(git ls-files "*.sh" .ci/run tests/run tests/bench/run tests/fuzz/run-corpus)
'
