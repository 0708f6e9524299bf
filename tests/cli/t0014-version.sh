#!/bin/sh
. "$(dirname "$0")/../cli/lib.sh"

check 'says its version and what is built in' '
	test "$($PERF version | wc -l)" = 1
	$PERF version --build-options > out
	grep -Eq "^ *libelf: \[ on  \]  # HAVE_LIBELF_SUPPORT$" out
	fails_with 129 $PERF version x 2> /dev/null
'
