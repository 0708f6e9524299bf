#!/bin/sh
# perf archive: what is packed, that the report elsewhere is the same, and that unpacking writes nothing else
. "$(dirname "$0")/lib.sh"
need GCC

have_BZIP2() {
	$PERF check -q feature bzip2 || { echo "built without bzip2"; return 1; }
	command -v tar > /dev/null && command -v bzip2 > /dev/null || { echo "needs tar and bzip2"; return 1; }
}
CACHE=$PWD/cache
perf_in() { # CACHE ARGS...
	in_cache=$1
	shift
	$PERF --buildid-dir "$in_cache" "$@"
}
echo "int work(int x) { return x + 1; } int main(void) { return work(1); }" > prog.c
gcc -g -O0 -Wl,--build-id=sha1 -o prog prog.c
ID=$($PERF buildid-list -i prog)
addr=$(nm prog | awk '$3 == "work" { print $1 }')
off=$(readelf -lW prog | awk '/R E/ { print $2, $3; exit }')
AT=$((0x$addr - ${off#* } + ${off% *}))
printf "%s\n" "event a sample=ip,tid" "feature event_desc" "comm tid=9 comm=prog" \
	"mmap2-buildid tid=9 addr=0x400000 len=0x10000 pgoff=0 prot=5 filename=$PWD/prog id=$ID" \
	"mmap2-buildid tid=9 addr=0x600000 len=0x10000 pgoff=0 prot=5 filename=/no/file id=aabb" \
	"sample ip=$((0x400000 + AT)) tid=9" "sample ip=0x600010 tid=9" | mkdata p.data
report() {
	perf_in "$1" report --stdio -s dso,sym -i p.data 2> /dev/null | grep -v "^#"
}
report "$CACHE" > want
cp prog prog.keep
# a tar file of one member: NAME FILE
tar_of() {
	rm -rf evil
	mkdir evil
	cp "$2" evil/x
	tar -cf "$3" --transform "s|^.*\$|$1|" -P -C evil x
}

check_if BZIP2 'the report with the archive alone is that with the files' '
	grep -q "\[\.\] work" want
	perf_in "$CACHE" archive p.data 2> err
	says "wrote p.data.tar.bz2: 1 file of 1 program" err
	says "1 other has" err
	test ! -e "$CACHE"
	tar -tf p.data.tar.bz2 > got
	printf "%s\n" ".build-id/$(echo $ID | cut -c 1-2)/${ID#??}" "${PWD#/}/prog/$ID/elf" | same - got
	rm prog
	report "$PWD/empty" > without
	not same want without
	perf_in "$PWD/other" archive --unpack p.data.tar.bz2 2> err
	says "added 1 file to" err
	report "$PWD/other" | same want -
	cmp prog.keep "$PWD/other/$PWD/prog/$ID/elf"
	test -x "$PWD/other/$PWD/prog/$ID/elf"
	cp prog.keep prog
'
check_if BZIP2 'files of the cache are packed, also with tar the layout is that of a cache' '
	perf_in "$CACHE" buildid-cache -a prog
	rm prog
	perf_in "$CACHE" archive p.data 2> err
	mkdir third
	tar -xf p.data.tar.bz2 -C third
	report "$PWD/third" | same want -
	cp prog.keep prog
'
check_if BZIP2 '--all has the recording, too, and --unpack finds the archive' '
	mkdir -p all there
	cd all
	perf_in "$CACHE" archive --all ../p.data 2> err
	set -- perf.all-*.tar.bz2
	test $# = 1
	tar -tf "$1" > got
	printf "p.data\nperf.symbols.tar.bz2\n" | same - got
	mv "$1" ../there
	cd ../there
	perf_in "$PWD/cache" archive --unpack 2> err
	cmp p.data ../p.data
	rm ../prog
	report "$PWD/cache" | same ../want -
	cp ../prog.keep ../prog
	fails_with 1 $PERF --buildid-dir "$PWD/cache" archive --unpack 2> err
	says "p.data" err
	cmp p.data ../p.data
'
check_if BZIP2 'nothing is written outside of the cache, and wrong builds are refused' '
	mkdir -p jail outside
	hex=0123456789abcdef0123456789abcdef01234567
	for name in "../outside/$hex/elf" "/$PWD/outside/$hex/elf" "a/../../outside/$hex/elf" "a/$hex/evil" ".build-id/ab/elf" "$hex/elf" \
			"a/xx/elf" "a/$hex/elf"; do
		tar_of "$name" prog.keep evil.tar
		perf_in "$PWD/jail" archive -v --unpack evil.tar 2> err
		says "left out 1 file: it is" err
	done
	test -z "$(find outside jail -type f)"
	# a link in the archive that leads out, and a file through it
	rm -rf evil
	mkdir -p evil/usr
	ln -s "$PWD/outside" evil/usr/bin
	tar -C evil -cf evil.tar usr/bin
	tar_of "usr/bin/$ID/elf" prog.keep evil2.tar
	tar -Af evil.tar evil2.tar
	perf_in "$PWD/jail" archive --unpack evil.tar 2> err
	test -z "$(find outside -type f)"
	test ! -L jail/usr/bin
'
check_if BZIP2 'damaged archives are refused' '
	perf_in "$CACHE" archive p.data 2> err
	size=$(wc -c < p.data.tar.bz2)
	head -c $((size / 2)) p.data.tar.bz2 > cut.tar.bz2
	fails_with 1 $PERF --buildid-dir "$PWD/no" archive --unpack cut.tar.bz2 2> err
	says "archive is damaged" err
	echo "no archive at all, but more than one block of text $(seq 200)" > text
	fails_with 1 $PERF --buildid-dir "$PWD/no" archive --unpack text 2> err
	says "archive is damaged" err
	fails_with 1 $PERF archive --unpack nothing 2> err
	fails_with 129 $PERF archive a b 2> err
	fails_with 129 $PERF archive --all --unpack 2> err
	test -z "$(find no -type f 2> /dev/null)"
'
check 'long names' '
	d=$(printf "%0120d/%0120d" 1 2)
	mkdir -p "$d"
	cp prog.keep "$d/prog"
	printf "%s\n" "event a sample=ip,tid" "comm tid=9 comm=prog" \
		"mmap2-buildid tid=9 addr=0x400000 len=0x10000 pgoff=0 prot=5 filename=$PWD/$d/prog id=$ID" \
		"sample ip=$((0x400000 + AT)) tid=9" | mkdata long.data
	perf_in "$PWD/nocache" archive long.data 2> err
	perf_in "$PWD/long" archive --unpack long.data.tar* 2> err
	cmp "long/$PWD/$d/prog/$ID/elf" prog.keep
'
have_MOUNTS() {
	unshare -m true 2> /dev/null || { echo "needs mount namespaces"; return 1; }
}
check_if ROOT,BZIP2,PLAIN,MOUNTS 'the same report in a root of its own, which has nothing but perf and the cache' '
	perf_in "$CACHE" archive p.data 2> err
	mkdir -p root/proc root/tmp root/bin root/lib/perf
	for f in $(ldd "$PERF" "$O"/lib/perf/*.so | tr " \t" "\n\n" | grep "^/.*[^:]$" | sort -u); do
		mkdir -p "root$(dirname $f)"
		cp -L "$f" "root$f"
	done
	cp "$PERF" root/bin/perf
	cp "$O"/lib/perf/*.so root/lib/perf/
	cp p.data p.data.tar.bz2 root
	unset PERF_CONFIG
	in_root() { # perf finds its plug-ins by /proc
		unshare -m sh -c "mount -t proc proc root/proc && exec chroot root /bin/perf --buildid-dir /cache \"\$@\"" - "$@"
	}
	in_root archive --unpack /p.data.tar.bz2 2> err || { cat err; false; }
	in_root report --stdio -s dso,sym -i /p.data 2> err | grep -v "^#" > got
	same want got
'
# a recording that takes long to compress, so that perf is ended in the middle
check 'a signal leaves no unfinished file' '
	mkdir ended
	cp p.data ended/
	truncate -s 6G ended/p.data
	( cd ended; exec $PERF --buildid-dir "$CACHE" archive --all p.data 2> err ) & pid=$!
	begun() { ls ended/perf.all.??????; }
	until_true begun
	kill -TERM $pid
	rc=0; wait $pid || rc=$?
	test $rc = 143
	rm ended/p.data
	test "$(ls ended)" = err
'
