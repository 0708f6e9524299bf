#!/bin/sh
. "$(dirname "$0")/../cli/lib.sh"

check 'names the events of a pipe, its own words for those without a name' '
	printf "PERFILE2\020\0\0\0\0\0\0\0" > p.data
	printf "\100\0\0\0\0\0\110\0\1\0\0\0\100\0\0\0\2\0\0\0\0\0\0\0" >> p.data	# software, page-faults
	printf "\1\0\0\0\0\0\0\0\7\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\140\0\0\0\0\0\0\0" >> p.data
	head -c 16 /dev/zero >> p.data
	$PERF evlist -i p.data > out
	test "$(cat out)" = "page-faults:u"
	$PERF evlist -F -i p.data | finds "^page-faults:u: sample_period=1$"
	$PERF evlist -v -i p.data | finds "config: 0x2 (PERF_COUNT_SW_PAGE_FAULTS)"
	$PERF evlist -i - < p.data | cmp - out
	cat p.data | $PERF evlist -i - | cmp - out
'
check 'refuses details with groups' '
	rc=0; $PERF evlist -g -v -i p.data 2> err || rc=$?
	test $rc = 129
	grep -q "not compatible" err
'
check 'says which file was not there, and which are' '
	cp p.data perf.data.old
	rc=0; $PERF evlist -i perf.data 2> err || rc=$?
	test $rc = 1
	grep -q "failed to open perf.data: No such file or directory" err
	grep -q "perf.data.old" err
'
check_if NONROOT 'a file that this user may not read is told with its owner' '
	mkdir -p shared closed
	chmod 755 . shared
	printf "event cycles\n" | mkdata shared/perf.data
	cp shared/perf.data closed
	chmod 600 shared/perf.data
	chmod 700 closed
	fails_with 1 as_nobody $PERF_COPY evlist -i shared/perf.data 2> err
	says "failed to open shared/perf.data: Permission denied" err
	says "it belongs to root: read it with sudo, or make it yours with" err
	fails_with 1 as_nobody $PERF_COPY evlist -i closed/perf.data 2> err
	says "its directory is closed to this user" err
'
check_if ROOT 'opens a file of somebody else with -f only' '
	cp p.data o.data; chown 12345 o.data
	rc=0; $PERF evlist -i o.data 2> err || rc=$?
	test $rc = 1
	grep -q "not owned by current user" err
	$PERF evlist -f -i o.data | finds page-faults
'
check_if NEWEST,EVENTS 'same lines as the newest upstream on its own files' '
	$NEWEST record -q -o n.data -e "{cpu-clock,task-clock}" -e page-faults:u true > log 2>&1
	for o in "" -v -F -g; do
		$PERF evlist $o -i n.data > a; $NEWEST evlist $o -i n.data > b; cmp a b
	done
'
check 'tracepoints without names get them from the formats' '
	$MKDATA -o t.data "$SRC/tests/fuzz/corpus/data/tracepoint-names.mk"
	$PERF evlist -i t.data > out
	grep -q "^sys:e$" out
	grep -q "^unknown tracepoint id=0x6$" out
'
