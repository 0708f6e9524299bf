#!/bin/sh
# Small files that ask for very much: memory and time stay in proportion to the bytes that are there.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/data-lib.sh"

# in 2 GB of address space (sanitizers need more for themselves, and take their time) and a minute of the CPU,
# however many share it
little() {
	case $O in
	*san*)	timeout 200 "$@" ;;
	*)	(ulimit -v 2000000 && ulimit -t 60 && exec "$@") ;;
	esac
}
# every way to read it; what was worth saying is in err
reads() {
	: > err
	for how in "report --stdio" script evlist "report --header-only" "report -D" "buildid-list"; do
		rc=0
		rm -f out said
		little $PERF $how -i "$1" > out 2> said || rc=$?
		[ -s out ] || [ "$how" = buildid-list ] || [ -s said ] || { echo "$how: nothing is said"; return 1; }
		cat said >> err
		test $rc -le 1 || { echo "$how: $rc"; tail -n 5 err; return 1; }
	done
}

check 'ids of all events lie over each other' '
	{ echo "event e config=cpu-clock sample=ip|tid|time ids=1"
	  printf "repeat 7999\nevent e config=cpu-clock sample=ip|tid|time ids=none\nend\nsample ip=1 tid=1 time=1\n"
	  printf "repeat 40000\ncomm tid=1 comm=\"0123456789abcde\"\nend\n"
	  # each attribute is followed by the place of its ids: a megabyte of the file for all of them
	  awk "BEGIN { for (i = 0; i < 8000; i++) print \"patch @attrs+\" 128 + i * 144 \" u64:0,1000000\" }"; } | mkdata x.data
	reads x.data
	says "event attributes are damaged" err
'
check 'very many events, and very many names of tracepoints' '
	{ printf "format pipe\nrepeat 60000\nevent \"\" type=tracepoint config=\$i sample=ip|tid|time ids=none\nend\n"
	  printf "sample ip=1 tid=1 time=1\nrepeat 60000\nrecord type=65 u64:0x100000+\$i text:\"a:b\" zero:5\nend\n"; } | mkdata x.data
	reads x.data
'
check 'compressed records that unpack to gigabytes' '
	# frames of blocks that are 128 KiB of one byte each
	blocks=$(i=0; while [ $i -lt 1000 ]; do echo 02001008; i=$((i + 1)); done | tr -d "\n")
	{ small; printf "feature compressed u32:1,1,1,1,0xffffffff\nrepeat 20\nrecord type=81 hex:28b52ffd0038$blocks\nend\n"; } |
		mkdata x.data
	reads x.data
	says "unpack to more than 4096 times their size" err
	shows_both x.data
'
