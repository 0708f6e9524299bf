#!/bin/sh
# perf buildid-cache: adds, lists, removes; the layout is upstream's
. "$(dirname "$0")/lib.sh"
need GCC

HOME=$PWD/home
export HOME
unset PERF_BUILDID_DIR
CACHE=$HOME/.debug
mkdir home dir
build() { # FILE TEXT: a program whose build-id depends on the text
	echo "const char text[] = \"$2\"; int main(void) { return text[0] == 0; }" > "$1.c"
	gcc -g -Wl,--build-id=sha1 -o "$1" "$1.c"
	$PERF buildid-list -i "$1"
}
ONE=$(build one first)
TWO=$(build two second)
entry() { # ID: the folder that the link leads to
	readlink -f "$CACHE/.build-id/$(echo "$1" | cut -c1-2)/$(echo "$1" | cut -c3-)"
}

check 'adds files by name and as a list, and lists them' '
	$PERF buildid-cache -a one,./two > out
	test ! -s out
	$PERF buildid-cache -l > out
	printf "%s\n" "$ONE $PWD/one" "$TWO $PWD/two" | sort > want
	same want out
	cmp one "$(entry "$ONE")/elf"
	test "$(readlink "$CACHE"/.build-id/*/"${ONE#??}")" = "../..$PWD/one/$ONE"
	$PERF buildid-cache -v -a one > out
	test "$(cat out)" = "in the cache already: $ONE $PWD/one"
'
check 'the copy does not change with the file' '
	cp one keep
	cat two > one
	cmp keep "$(entry "$ONE")/elf"
	cat keep > one
'
check 'the copy can be executed as the file can' '
	test -x "$(entry "$ONE")/elf"
	chmod 640 two
	$PERF buildid-cache -u two
	test ! -x "$(entry "$TWO")/elf"
	chmod 750 two
	$PERF buildid-cache -u two
	test -x "$(entry "$TWO")/elf"
'
check 'removes by file, and by path whatever the build-id' '
	$PERF buildid-cache -r two
	$PERF buildid-cache -l > out
	test "$(cat out)" = "$ONE $PWD/one"
	rc=0; $PERF buildid-cache -r two 2> err || rc=$?
	test $rc = 1
	grep -q "two is not in the build-id cache" err
	build one third > id
	$PERF buildid-cache -v -u one > out
	test "$(cat out)" = "added $(cat id) $PWD/one"
	test "$($PERF buildid-cache -l | grep -c "/one$")" = 2
	$PERF buildid-cache -v -p "$PWD/one" > out
	test "$(grep -c ^removed out)" = 2
	$PERF buildid-cache -l > out
	test ! -s out
	find "$CACHE" -mindepth 1 > left
	test ! -s left
'
check 'replaces an entry of the same build-id' '
	$PERF buildid-cache -a two
	echo damaged > "$(entry "$TWO")/elf"
	$PERF buildid-cache -v -u two > out
	test "$(cat out)" = "replaced $TWO $PWD/two"
	cmp two "$(entry "$TWO")/elf"
	$PERF buildid-cache -P
	$PERF buildid-cache -l > out
	test ! -s out
'
check 'report finds names in the cache when the program is gone' '
	build gone fourth > id
	$PERF buildid-cache -a gone
	addr=$(nm gone | awk "\$3 == \"main\" { print \$1 }")
	off=$(readelf -lW gone | awk "/R E/ { print \$2, \$3; exit }")
	at=$((0x$addr - ${off#* } + ${off% *}))
	printf "%s\n" "event a sample=ip,tid" "comm tid=9 comm=gone" \
		"mmap2-buildid tid=9 addr=0x400000 len=0x10000 pgoff=0 prot=5 filename=$PWD/gone id=$(cat id)" \
		"sample ip=$((0x400000 + at)) tid=9" > gone.mk
	mkdata g.data < gone.mk
	rm gone
	$PERF report --stdio -i g.data -s sym > out 2> err
	grep -q "\[\.\] main" out
'
check '--missing lists what a profile needs and the cache lacks' '
	printf "%s\n" "event a sample=ip" "sample ip=1" "buildid id=$ONE name=\"$PWD/one\"" "buildid id=$TWO name=\"$PWD/two\"" > m.mk
	mkdata m.data < m.mk
	$PERF buildid-cache -P -a two
	$PERF buildid-cache -M m.data > out
	test "$(cat out)" = "$ONE $PWD/one"
	hit="mmap2-buildid tid=7 addr=0x1000 len=0x1000 prot=5 flags=2 id=$ONE filename=\"$PWD/one\" time=2"
	printf "%s\n" "event a sample=ip|tid|time flags=sample_id_all|mmap|mmap2|build_id" "$hit" \
		"mmap2-buildid tid=7 addr=0x9000 len=0x1000 prot=5 flags=2 id=ffff0304 filename=/bin/x time=2" \
		"sample tid=7 ip=0x1010 time=3" | mkdata maps.data
	$PERF buildid-cache -M maps.data > out
	test "$(cat out)" = "$ONE $PWD/one"
'
check 'a folder that cannot be written says why' '
	mkdir locked
	chmod 755 . && chmod 555 locked
	as=
	if [ "$(id -u)" = 0 ]; then
		command -v setpriv > /dev/null || skip "needs setpriv to be another user"
		as="setpriv --reuid 65534 --regid 65534 --clear-groups"
		$as test -r one || skip "other users cannot read the folder of the test"
	fi
	fails_with 1 $as $PERF --buildid-dir "$PWD/locked/cache" buildid-cache -a one 2> err
	says "Permission denied" err
'
check '--gc and buildid-cache.max-size remove what was used longest ago' '
	$PERF buildid-cache -P -a two
	build one fifth > id
	sleep 1.1	# the time of a change of state, which cannot be set, differs by a second
	$PERF buildid-cache -a one
	$PERF buildid-cache -v --gc 20k > out
	grep -q "^1 entry removed" out
	test "$($PERF buildid-cache -l)" = "$(cat id) $PWD/one"
	printf "[buildid-cache]\n\tmax-size = 1k\n" > config
	PERF_CONFIG=$PWD/config $PERF buildid-cache -a two
	$PERF buildid-cache -l > out
	test ! -s out
'
check 'links of the cache that lead out of it are not followed' '
	mkdir -p "$CACHE/.build-id/ab" outside/abcdef
	echo precious > outside/abcdef/elf
	ln -s "../../../../outside/abcdef" "$CACHE/.build-id/ab/cdef"
	$PERF buildid-cache -l > out
	test ! -s out
	$PERF buildid-cache -P
	test "$(cat outside/abcdef/elf)" = precious
	rm -r "$CACHE"
'
check 'a file as another process sees it' '
	$PERF buildid-cache --target-ns $$ -a "$PWD/one"
	test "$($PERF buildid-cache -l | cut -d " " -f 2)" = "$PWD/one"
	$PERF buildid-cache --target-ns $$ -r "$PWD/one"
	$PERF buildid-cache -l > out
	test ! -s out
'
check 'says what is wrong' '
	for args in "-a nosuch|cannot add nosuch: No such file" "-a one.c|one.c" "-r one.c|cannot be read, or has no build-id" \
			"--target-ns $$ -a ../one|cannot add ../one" "-p nosuch|nosuch is not in the build-id cache" "-M one.c|one.c"; do
		rc=0; $PERF buildid-cache ${args%|*} 2> err || rc=$?
		test $rc = 1
		grep -q "${args#*|}" err
	done
	for args in "" "extra" "--gc x"; do
		rc=0; $PERF buildid-cache $args 2> err || rc=$?
		test $rc = 129
	done
	rc=0; HOME= $PERF buildid-cache -l 2> err || rc=$?
	test $rc = 1
	grep -q "HOME is not set" err
'
check_if NEWEST 'the newest upstream reads our cache, and we read its' '
	$PERF buildid-cache -a one,two
	"$NEWEST" buildid-cache -l > theirs
	$PERF buildid-cache -l > ours
	same ours theirs
	"$NEWEST" buildid-cache -r ./one
	"$NEWEST" buildid-cache -a ./keep
	"$NEWEST" buildid-cache -l > theirs
	$PERF buildid-cache -l > ours
	same ours theirs
	test "$(grep -c . ours)" = 2
'
