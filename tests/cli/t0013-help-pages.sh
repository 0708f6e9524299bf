#!/bin/sh
. "$(dirname "$0")/../cli/lib.sh"

check 'lists the commands' '
	$PERF help -a | says "   config " /dev/stdin
	$PERF config --help > out || test $? = 129	# the options, where no page was built
	test -s out
'
check 'without a page, the options' '
	cp "$PERF" perf		# away from its pages
	PERF_MAN_PATH=/nonexistent ./perf help config > out 2> err || true
	says "no page perf-config.1 was found" err
	says "Usage: perf config" out
'
check 'a page is shown by man' '
	mkdir -p bin man/man1
	cp "$PERF" perf
	printf "#!/bin/sh\necho \"man \$*\"\n" > bin/man
	chmod +x bin/man
	: > man/man1/perf-config.1
	test "$(PATH=$PWD/bin:$PATH PERF_MAN_PATH=$PWD/man ./perf help config)" = "man $PWD/man/man1/perf-config.1"
	test "$(PATH=$PWD/bin:$PATH PERF_MAN_PATH=$PWD/man ./perf config --help)" = "man $PWD/man/man1/perf-config.1"
	rm -r bin man
'
check 'no such command' '
	fails_with 1 $PERF help confg 2> err
	says "did you mean '"'config'"'" err
	fails_with 129 $PERF help a b 2> /dev/null
'
