#!/bin/sh
# perf iostat: what it asks of perf stat. (The numbers: unit tests.)
. "$(dirname "$0")/lib.sh"

check 'the command itself' '
	$PERF iostat -h > out 2> err || test $? = 129
	cat out err | finds "perf iostat list"
	$PERF --list-cmds | tr " " "\n" | finds -x iostat
'
# a machine with ports: sysfs below another root
port() {
	dev=root/sys/bus/event_source/devices/uncore_iio_$1
	mkdir -p "$dev/format"
	echo 77 > "$dev/type"
	echo config:0-7 > "$dev/format/event"
	echo "$3" > "$dev/die$2"
}
check 'list' '
	port 0 0 0000:00
	port 0 1 0000:80
	port 3 0 0000:5d
	PERF_FS_ROOT=$PWD/root $PERF iostat list > out
	printf "%s\n" "S0-uncore_iio_0<0000:00>" "S1-uncore_iio_0<0000:80>" "S0-uncore_iio_3<0000:5d>" | diff - out
	PERF_FS_ROOT=$PWD/root $PERF stat --iostat=list | diff - out
'
check 'ports that are not there are named, and terms that the stack lacks' '
	port 0 0 0000:00
	rc=0; PERF_FS_ROOT=$PWD/root $PERF iostat 0000:17,0000:00 -- true 2> err || rc=$?
	test $rc = 1
	says "'"'"'0000:17'"'"' is not a root port of this machine" err
	rc=0; PERF_FS_ROOT=$PWD/root $PERF iostat 0:0 true 2> err || rc=$?
	test $rc = 1
	says "umask" err
'
check 'a command and options behind it go to perf stat' '
	rc=0; PERF_FS_ROOT=$PWD/none $PERF iostat -I 100 true 2> err || rc=$?
	test $rc = 1
	says "no root ports are known here" err
	rc=0; $PERF iostat -p 1 2> err || rc=$?
	test $rc = 129
'
