#!/bin/sh
. "$(dirname "$0")/../cli/lib.sh"

check 'shows features and tells by its status' '
	$PERF check feature libelf > out
	grep -Eq "^ *libelf: \[ on  \]  # HAVE_LIBELF_SUPPORT$" out
	$PERF check feature LIBELF,have_zlib_support > out
	test "$(wc -l < out)" = 2
	test -z "$($PERF check -q feature libelf)"
	off=$($PERF version --build-options | sed -n "s/^ *\([^ ]*\): \[ OFF.*/\1/p" | head -n 1)
	fails_with 1 $PERF check -q feature "libelf,$off"
'
check 'knows what it does not know' '
	fails_with 1 $PERF check feature nosuch 2> err
	says "no feature '"'nosuch'"'" err
	fails_with 129 $PERF check 2> /dev/null
	fails_with 129 $PERF check feature 2> /dev/null
	fails_with 129 $PERF check something 2> /dev/null
	test "$($PERF check --list-cmds)" = "feature "
'
