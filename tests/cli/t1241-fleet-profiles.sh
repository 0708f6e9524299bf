#!/bin/sh
# perf data convert of profiles of other tools: read directly, they give what their recordings give.
. "$(dirname "$0")/lib.sh"

printf '%s 3\n%s 2\n%s 5\n' 'a;main;_ZN3foo3barEv;do_idle_[k]' 'a;main;op<(x) (inlined);f@@V_1' 'b;[unknown];main' > 1.folded
printf '%s 20\n%s 1\n%s 7\n' 'a;main;_ZN3foo3barEv;do_idle_[k]' 'c;main;main' 'b' > 2.folded
printf '# a remark\n\n%s 100\nnot a stack\n' 'é;\033[31m;x' > 3.folded
cat > own.mk <<'END'
event cpu-clock type=1 sample=ip|tid|time|period|callchain flags=sample_id_all|comm|mmap2
comm tid=1 comm="a" time=1
mmap2 tid=1 addr=0x1000 len=0x1000 prot=5 flags=2 filename="/x/prog" time=2
sample tid=1 ip=0x1010 time=3 period=9 chain=-512,0x1010,0x1110
END
mkdata own.data < own.mk || exit 1
# pprof NAME FOLDED: with samples and times
for i in 1 2; do $PERF data convert --to pprof -o $i.pb.gz $i.folded 2> err || exit 1; done
# of each input a recording
for f in *.folded; do $PERF data convert --from folded -o $f.data $f 2> err || exit 1; done
for f in *.pb.gz; do $PERF data convert --from pprof -o $f.data $f 2> err || exit 1; done
touch -d 2026-01-01 ./*	# pprof has the time of the newest one
# both OUT INPUT...: directly, and from recordings
both() {
	out=$1
	shift
	for to in folded pprof; do
		$PERF data convert --to $to -o "$out.$to" "$@" 2> err
		# shellcheck disable=SC2046
		$PERF data convert --to $to -o "$out.data.$to" $(for f; do test $f = own.data && echo $f || echo $f.data; done) 2> err
		cmp "$out.$to" "$out.data.$to"
		test -s "$out.$to"
	done
	$PERF data convert --to rows -o "$out.rows" "$@" 2> err
	# shellcheck disable=SC2046
	$PERF data convert --to rows -o "$out.data.rows" $(for f; do test $f = own.data && echo $f || echo $f.data; done) 2> err
	test "$(wc -l < "$out.rows/sample.tsv")" -gt 1
	diff -r "$out.rows" "$out.data.rows"
}

check 'one profile' '
	for f in *.folded *.pb.gz; do both one-$f $f; done'
check 'several of one format, and of two, and with a recording' '
	both three 1.folded 2.folded 3.folded
	both gz 1.pb.gz 2.pb.gz
	both all 1.folded 2.pb.gz own.data 3.folded 1.pb.gz
	says "a;main;" all.folded'
check 'rows of a profile are the same alone and after others' '
	for f in 1.folded 2.pb.gz own.data 3.folded 1.pb.gz 2.folded; do
		$PERF data convert --to rows -o alone-$f.rows $f 2> err
	done
	for order in "1.folded 2.pb.gz own.data 3.folded 1.pb.gz 2.folded" "2.folded 3.folded 2.pb.gz 1.folded own.data 1.pb.gz"; do
		# shellcheck disable=SC2086
		$PERF data convert --to rows -f -o many.rows $order 2> err
		for t in profile frame stack sample; do
			sort many.rows/$t.tsv > out
			cat alone-*.rows/$t.tsv | sort -u > want
			same want out
		done
	done
	has_lines . many.rows/profile.tsv 5'
check 'their order changes nothing' '
	$PERF data convert --to pprof -o x1 1.folded 2.pb.gz own.data 2> err
	$PERF data convert --to pprof -o x2 own.data 2.pb.gz 1.folded 2> err
	cmp x1 x2'
check 'where places or tasks are shown, and with filters' '
	for more in "--by line" "--by address" "--labels comm,tid" "--comm a"; do
		$PERF data convert --to folded $more -o m1 1.folded 2> err
		$PERF data convert --to folded $more -o m2 1.folded.data 2> err
		cmp m1 m2
		rm m1 m2
	done'
check 'names of tables: kernel and modules, paths, inlined functions' '
	cat > names.mk <<-\END2
	event cpu-clock type=1 sample=ip|tid|time|period|callchain flags=sample_id_all|comm|mmap2
	comm tid=1 comm="a b" time=1
	mmap tid=-1 addr=0xffffffff81000000 len=0x100000 pgoff=0xffffffff81000000 misc=kernel filename="[kernel.kallsyms]_stext" time=2
	mmap tid=-1 addr=0xffffffffc0000000 len=0x1000 misc=kernel filename="/lib/modules/6/x-fs.ko.xz" time=2
	mmap2 tid=1 addr=0x1000 len=0x1000 prot=5 flags=2 filename="/x/[prog]" time=2
	mmap2 tid=1 addr=0x4000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
	sample tid=1 ip=0x1010 time=3 period=9 chain=-128,0xffffffff81000010,0xffffffffc0000010,-512,0x1010,0x4010
	sample tid=1 ip=0x1010 time=3 period=9 chain=-512,0x1010,0x4010,0x9000
	END2
	mkdata names.own < names.mk
	for by in function address; do
		$PERF data convert --to pprof --by $by -o $by.pb.gz names.own 2> err
		$PERF data convert --from pprof -o $by.pb.gz.data $by.pb.gz 2> err
		touch -d 2026-01-01 $by.pb.gz $by.pb.gz.data
		both names-$by $by.pb.gz
	done
	says "[x_fs]" names-function.rows/frame.tsv'
# text TEXT: an entry of the table of strings
text() { printf "\\062\\$(printf %03o ${#1})%s" "$1"; }
# two_builds FIRST SECOND: a pprof file with two modules of one name and these build-ids
two_builds() {
	printf "\012\004\010\001\020\002\022\004\010\001\020\001\022\004\010\002\020\002"
	printf "\032\006\010\001\050\003\060\004\032\006\010\002\050\003\060\005"
	printf "\042\010\010\001\020\001\042\002\010\001\042\010\010\002\020\002\042\002\010\002"
	printf "\052\004\010\001\020\006\052\004\010\002\020\007"
	for s in "" samples count /usr/bin/env "$1" "$2" of_first of_second; do text "$s"; done
}
check 'modules of one name with different build-ids, or with one on one side, are apart, in any order' '
	printf "env;of_first 1\nenv;of_second 2\n" > want
	for ids in aa01:bb02 aa01: :aa01 aa01:aa0100 aa0100:aa01; do
		two_builds ${ids%:*} ${ids#*:} > builds.pb
		$PERF data convert --from pprof -o builds.$ids builds.pb 2> err
		for f in builds.pb builds.$ids; do
			$PERF report -i $f --folded > out
			same want out
			$PERF script -i $f -F ip,sym,dso > out
			says "of_first (/usr/bin/env)" out
			says "of_second (/usr/bin/env)" out
			$PERF buildid-list -i $f > list
			test "$(sort -u list | wc -l)" = 2
			$PERF data convert --to folded $f > out
			same want out
		done
	done'
have_PYTHON() { echo "import gzip" | python3 2> /dev/null || skip "no python3 with its gzip module"; }
dump() { python3 "$SRC/tests/tools/pprof-dump.py" "$@"; }
check_if PYTHON 'so are modules of the kernel' '
	printf "env;of_first 1\nenv;of_second 2\n" > want
	for ids in aa01:bb02 aa01: :aa01; do
		two_builds ${ids%:*} ${ids#*:} | sed "s,/usr/bin/env,/k/xfs.ko.xz," > module.pb
		$PERF data convert --from pprof -o module.$ids module.pb 2> err
		for f in module.pb module.$ids; do
			$PERF report -i $f --folded | sed "s/^[^;]*/env/" > out
			same want out
			$PERF script -i $f -F ip,sym,dso > out
			says "of_first ([xfs])" out
			says "of_second ([xfs])" out
			$PERF buildid-list -i $f > list
			test "$(sort -u list | wc -l)" = 2
			for by in function address; do
				$PERF data convert --to pprof --by $by -o x.pb.gz $f 2> err
				dump x.pb.gz > dump
				grep ^mapping dump | cut -d" " -f3 | sort > got
				for id in "${ids%:*}" "${ids#*:}"; do echo "${id:--}"; done | sort | same - got
				rm x.pb.gz
			done
		done
	done'
check_if PYTHON 'an id that is not hex is not a build-id, not even its beginning' '
	for ids in aa01/kk-x:bb02_ aa01=: ab:abc; do
		two_builds ${ids%:*} ${ids#*:} > text.pb
		$PERF buildid-list -i text.pb > list
		$PERF data convert --to pprof --by address -o text.pb.gz text.pb 2> err
		$PERF data convert --to rows -o text.rows text.pb 2> err
		dump text.pb.gz > dump
		says /usr/bin/env dump
		grep -E "aa01|bb|abc" list text.rows/frame.tsv dump && exit 1
		rm -r text.pb.gz text.rows
	done'
check 'files that exist say nothing of modules of such profiles' '
	two_builds "" aa01 > builds.pb
	$PERF report -i builds.pb --folded > want
	says "env;of_first 1" want
	for option in -b --buildid-all -B --mmap2-buildid-all "--known-build-ids=bb02 /usr/bin/env"; do
		$PERF inject --buildid-all "$option" -i builds.pb -o with.data
		$PERF report -i with.data --folded > out
		same want out
		rm with.data
	done
	# the kernel: addresses of a list mean nothing
	two_builds aa01 bb02 | sed "s,.usr/bin/env,[kernel.wor]," > kernel.pb
	printf "ffff800000000000 T decoy\nffff800000100000 T decoy2\n" > decoy
	$PERF report -i kernel.pb --folded --kallsyms decoy > out
	says ";of_first 1" out'
check 'stacks that begin as the one before them keep their own frames' '
	printf "%s\n" "a;b 1" "a;bc 2" "a;b;c 4" "a;b 8" ";;a;;b 16" "a 32" ";; 64" "ab;b;c 128" "ab;b 256" "a;b;c 512" > like.folded
	$PERF data convert --to folded like.folded > out
	printf "%s\n" " 64" "a 32" "a;b 25" "a;b;c 516" "a;bc 2" "ab;b 256" "ab;b;c 128" | same - out'
check 'of pprof, the first element of an id counts, in any order; what is unknown is left out' '
	{
		printf "\012\004\010\001\020\002\022\006\012\002\001\002\020\001\022\006\012\002\002\002\020\002"
		printf "\022\005\012\001\002\020\004\022\006\012\002\011\002\020\010\022\006\012\002\011\002\020\020"
		printf "\042\006\010\002\042\002\010\001\042\006\010\001\042\002\010\002\042\006\010\002\042\002\010\003"
		printf "\052\004\010\001\020\003\052\004\010\002\020\004\052\004\010\003\020\005\052\004\010\002\020\006"
		for s in "" samples count a b c d; do text "$s"; done
	} > ids.pb
	$PERF data convert --to folded ids.pb > out 2> err
	printf "pprof;a 28\npprof;a;a 2\npprof;a;b 1\n" | same - out
	says "2 references" err'
check 'one of a fleet in which nothing ran, or with many samples, has its rows' '
	printf "\012\004\010\001\020\002\062\000\062\007samples\062\005count" > nothing.pb
	$PERF data convert --to rows -o fleet.rows nothing.pb 1.folded nothing.pb 2> err
	says "1 profile, " err
	# two million samples of a type of time
	printf "\012\004\010\001\020\002\012\004\010\003\020\004\022\014\012\001\001\022\007\200\211\172\200\222\364\001\042\006\010\001\042\002\010\001" > big.pb
	printf "\052\004\010\001\020\005\062\000\062\007samples\062\005count\062\003cpu\062\013nanoseconds\062\001f" >> big.pb
	$PERF data convert --to rows -o big.rows big.pb 2> err
	cut -f 4,5 big.rows/sample.tsv | tail -1 | finds -x "2000000	4000000"'
check 'no advice is given on how to record them' '
	seq 100 | sed "s/.*/app;main;f& 9/" > short.folded
	$PERF report -i short.folded --folded > out 2> err
	says "app;main;f7 9" out
	test ! -s err'
check 'numbers of samples add up' '
	printf "a;main 3000000\n" > many.folded
	for i in 1 2 3 4; do cat many.folded many.folded; done > lines.folded
	$PERF data convert --to pprof -o n.pb.gz many.folded lines.folded 2> err
	says "9 samples, 1 stacks" err'
check 'what is damaged is said, once for each input' '
	$PERF data convert --to folded -o d.folded --force 3.folded 3.folded 2> err
	test "$(grep -c "line" err)" = 2 || { cat err; false; }
	echo nothing > bad.folded
	fails_with 1 $PERF data convert --to folded -o e.folded 1.folded bad.folded 2> err
	says "bad.folded" err
	test ! -e e.folded'
check 'a profile of a time in which nothing ran adds nothing' '
	# pprof: one type of samples and three texts
	printf "\012\004\010\001\020\002\062\000\062\007samples\062\005count" > idle.pb
	$PERF data convert --to folded -o without.folded 1.folded 2> err
	$PERF data convert --to folded -o with.folded 1.folded idle.pb 2> err
	cmp with.folded without.folded
	$PERF data convert --to folded -o - idle.pb > none 2> err
	test ! -s none
	fails_with 1 $PERF report --stdio -i idle.pb 2> err
	says "has no stacks" err'
