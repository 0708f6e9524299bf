#!/bin/sh
# Recordings that perf data makes, of profiles of other tools and of several recordings: the newest upstream
# reads the same samples from them.
. "$(dirname "$0")/../cli/lib.sh"
need NEWEST

# alike FILE FIELDS: samples and rows
alike() {
	$PERF script -i "$1" -F "$2" > ours
	"$NEWEST" script -i "$1" -F "$2" > theirs 2> err
	test -s ours
	same theirs ours
	$PERF report -i "$1" --stdio --no-children -g none -s comm,dso -F overhead,period,sample,comm,dso -t , > ours
	"$NEWEST" report -i "$1" --stdio --no-children -g none -s comm,dso -F overhead,period,sample,comm,dso -t , > theirs 2> err
	for f in ours theirs; do sed '/^#/d; /^$/d' $f | tr -d ' ' | sort > $f.rows; done
	test -s ours.rows
	same theirs.rows ours.rows
}

check 'folded stacks' '
	printf "%s\n" "app;main;work_[k] 5" "app;main;sort 6" "other;main 7" "other 1" "b c;x;y;z 100" > x.folded
	$PERF data convert --from folded -o folded.data x.folded 2> err
	alike folded.data comm,tid,event,period,ip,dso'
check 'a module that is a file here, too, gives no names of other functions' '
	seq 20000 | sed "s/.*/app;main;function_& &/" > many.folded
	$PERF data convert --from folded -o many.data many.folded 2> err
	cp "$PERF" folded	# so the module is called
	alike many.data comm,tid,event,period,ip,dso
	"$NEWEST" script -i many.data -F ip,sym > theirs 2> err
	test "$(grep -c unknown theirs)" = 40000
	$PERF script -i many.data -F ip,sym > ours
	test "$(grep -c "function_[0-9]" ours)" = 20000'
check 'pprof with two modules of one name, with and without a build-id' '
	text() { printf "\\062\\$(printf %03o ${#1})%s" "$1"; }
	{
		printf "\012\004\010\001\020\002\022\004\010\001\020\001\022\006\012\002\002\001\020\002"
		printf "\032\006\010\001\050\003\060\004\032\004\010\002\050\003"
		printf "\042\010\010\001\020\001\042\002\010\001\042\010\010\002\020\002\042\002\010\002"
		printf "\052\004\010\001\020\005\052\004\010\002\020\006"
		for s in "" samples count /srv/module aa01 of_first of_second; do text "$s"; done
	} > two.pb
	$PERF data convert --from pprof -o two.data two.pb 2> err
	alike two.data comm,tid,event,period,ip,dso
	"$NEWEST" buildid-list -i two.data > theirs 2> err
	says "aa01" theirs'
# part COMM FIRST IDS: samples of one task
part() {
	cat <<-END
	event cpu-clock ids=$3 sample=identifier|ip|tid|time|period|callchain type=1 config=0 flags=sample_id_all|comm|mmap2
	feature hostname str:"box"
	feature osrelease str:"6.1"
	feature nrcpus u32:2 u32:2
	comm tid=$2 comm="$1" time=1
	mmap2 tid=$2 addr=0x1000 len=0x2000 prot=5 flags=2 filename="/srv/$1" time=2
	sample tid=$2 time=$2 period=$2 ip=0x1010 id=${3%,*} chain=-512,0x1010,0x1110
	sample tid=$2 time=$(($2 + 10)) period=1 ip=0x1020 id=${3#*,} chain=-512,0x1020
	END
}
check 'recordings beside each other' '
	part first 100 1,2 | mkdata a.data
	part second 105 3,4 | mkdata b.data
	part third 200 1,2 | mkdata c.data
	$PERF data merge -o merged.data a.data b.data c.data 2> err
	says "6 samples of 3 files" err
	alike merged.data comm,tid,time,event,period,ip,dso
	"$NEWEST" evlist -i merged.data > theirs 2> err
	echo cpu-clock | same - theirs'
check_if EVENTS 'recordings of two recorders' '
	for i in 1 2; do
		$PERF record -q -e cpu-clock:u -o $i.data -- $PERF test -w deterministic 20 > log 2>&1
	done
	$PERF data merge -o both.data 1.data 2.data 2> err
	alike both.data comm,tid,time,event,period,ip,dso'
