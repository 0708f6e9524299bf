#!/bin/sh
# Files without a build-id in the recording: when they are the recorded ones.
. "$(dirname "$0")/lib.sh"

# made [EXTRA]: a file of host $HOST with a sample in prog, which has a build-id now; EXTRA: more of the map
made() {
	echo "int main(void) { return 0; }" > prog.c
	[ -f prog ] || gcc -Wl,--build-id=sha1 -Wl,-Ttext=0x401000 -nostartfiles -static -Wl,-emain -o prog prog.c
	off=$(readelf -SW prog | awk "{ sub(/^ *\\[ *[0-9]+\\]/, \"\") } \$1 == \".text\" { print \"0x\" \$4; exit }")
	cat > x.mk <<-END
	event cpu-clock config=cpu-clock sample=ip|tid|time flags=sample_id_all|mmap2
	feature hostname str:"${HOST-$(uname -n)}"
	feature osrelease str:"$(uname -r)"
	feature arch str:"$(uname -m)"
	feature event_desc
	comm tid=7 comm="x" time=1
	mmap2 tid=7 addr=0x401000 len=0x1000 pgoff=$off prot=5 flags=2 $1 filename="$PWD/prog$DELETED" time=2
	sample tid=7 ip=0x401000 time=5
	END
	mkdata x.data < x.mk
}
inode() {
	echo "maj=$(stat -c %Hd prog) min=$(stat -c %Ld prog) ino=$(stat -c %i prog)"
}
# names ARGS...: the name that script shows of the sample
names() {
	$PERF script -F ip,sym -i x.data "$@" 2> err | awk "{ print \$2 }"
}
# no_ids INJECT PACK: neither adds a build-id, and they say so
no_ids() {
	$PERF inject -b -i x.data -o y.data 2> err
	$PERF buildid-list -i y.data > list
	not grep -qE "^[0-9a-f]{20}" list
	says "$1" err
	$PERF pack -i x.data -o y.data 2> err
	test "$(wc -l < err)" = 1
	$PERF buildid-list -i y.data > list
	not grep -qE "^[0-9a-f]{20}" list
	says "$2" err
}
# before, after: the file was changed then, by the time of the recording
before() { touch -d "now + 1 hour" x.data; }
after() { touch -d "now - 1 hour" x.data; }

check_if GCC 'of this machine, and not changed since' '
	made
	before
	test "$(names)" = main
	test ! -s err
	made "$(inode)"
	before
	test "$(names)" = main
	test ! -s err
	$PERF inject -b -i x.data -o y.data
	$PERF buildid-list -i y.data > list
	grep -qE "^[0-9a-f]{20,} .*prog" list'
check_if GCC 'a file with the recorded inode that was changed since gives doubtful names' '
	made "$(inode)"
	after
	test "$(names)" = main
	says "may not be the recorded file, which has no build-id: it was changed after the recording" err
	test "$(wc -l < err)" = 1
	no_ids "was changed after the recording" "was changed after the recording"
	$PERF inject -f -b -i x.data -o y.data
	$PERF buildid-list -i y.data > list
	grep -qE "^[0-9a-f]{20,} .*prog" list'
check_if GCC 'another inode and a later change: it is another file' '
	made "maj=8 ino=1"
	after
	test "$(names)" = "[unknown]"
	says "is not the recorded file, which has no build-id: it has another inode and is newer" err
	$PERF report -i x.data > out 2> err
	test "$(grep -c "another inode" err)" = 1
	no_ids "has another inode" "has another inode"
	before
	test "$(names)" = main
	says "may not be the recorded file" err'
check_if GCC 'a file that was deleted is not the one at its path' '
	DELETED=" (deleted)" made
	before
	test "$(names)" = "[unknown]"
	says "that one was deleted while it ran" err
	cp prog "prog (deleted)"
	before
	test "$(names)" = main
	test ! -s err
	rm "prog (deleted)"'
check_if GCC 'files of this machine are not used for recordings of another one' '
	HOST=not-this-one made
	before
	test "$(names)" = "[unknown]"
	says "the recording is of another machine (not-this-one) and has no build-ids of prog" err
	says "--symfs / that they are here" err
	test "$(wc -l < err)" = 1
	no_ids "a file of this machine" "of another machine (not-this-one)"
	test "$(names --symfs /)" = main
	test ! -s err
	$PERF pack -f -i x.data -o y.data
	$PERF buildid-list -i y.data > list
	grep -qE "^[0-9a-f]{20,} .*prog" list'
check_if GCC 'what inject makes of generated code is newer than the recording, and may have another inode' '
	made "maj=8 ino=1"
	mv prog jitted-7-12.so
	sed "s|$PWD/prog|$PWD/jitted-7-12.so|" x.mk | mkdata x.data
	after
	test "$(names)" = main
	test ! -s err
	mv jitted-7-12.so prog'
check_if GCC 'a build-id decides on any machine' '
	HOST=not-this-one made "maj=8 ino=1"
	$PERF inject -b --known-build-ids "$($PERF buildid-list -i prog) $PWD/prog" -i x.data -o y.data
	mv y.data x.data
	after
	test "$(names)" = main
	test ! -s err'
