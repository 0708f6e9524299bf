#!/bin/sh
# perf data convert --to: samples added up by stack, in formats of other programs
. "$(dirname "$0")/lib.sh"

# stacks PERIOD: two events with call chains; two stacks of the first one are equal
stacks() {
	cat <<-EOF
	event a sample=ip|tid|time|cpu|id|period|callchain type=1 config=0 flags=sample_id_all|comm|mmap2
	event b sample=ip|tid|time|cpu|id|period|callchain type=1 config=2 flags=sample_id_all|comm|mmap2
	feature cmdline u32:2 str:"perf" str:"record"
	comm tid=100 comm="q\"\\x1b;x\\xff" time=1
	mmap2 tid=100 addr=0x1000 len=0x2000 prot=5 flags=2 filename="//anon" time=2
	sample ev=a tid=100 cpu=3 time=10 period=$1 ip=0x1010 chain=-512,0x1010,0x1110,0x1210
	sample ev=a tid=100 cpu=3 time=11 period=$1 ip=0x1014 chain=-512,0x1014,0x1110,0x1210
	sample ev=a tid=100 cpu=2 time=12 period=$1 ip=0x1110 chain=-512,0x1110,0x1210
	sample ev=b tid=100 cpu=2 time=13 period=7 ip=0x1010 chain=-512,0x1010,0x1110,0x1210
	EOF
}
stacks 100 > a.mk
stacks 5 > b.mk
sed '/callchain/s/|callchain//; s/ chain=.*//' a.mk > flat.mk
for f in a b flat; do
	mkdata $f.data < $f.mk || exit 1
done
mkdir -p root/tmp
printf '1000 100 inner\n1100 100 outer<a;b>\n1200 100 main\n' > root/tmp/perf-100.map
export PERF_FS_ROOT="$PWD/root"
convert() { $PERF data convert "$@"; }
have_PYTHON() { echo "import gzip" | python3 2> /dev/null || skip "no python3 with its gzip module"; }
have_PYTHON3() { python3 -c "import json, sys; sys.exit(sys.version_info < (3, 9))" 2> /dev/null ||
	skip "no python3 of version 3.9 or later"; }
dump() { python3 "$SRC/tests/tools/pprof-dump.py" "$@"; }

check 'folded: as report has it, by function, line and address, with one event, several, and none with chains' '
	for f in a flat; do
		$PERF report -i $f.data --folded > want
		test -s want
		convert --to folded $f.data | same want -
	done
	for by in line:srcline address:address; do
		$PERF report -i a.data --folded -g ${by#*:} > want
		convert --to folded --by ${by%:*} a.data | same want -
	done
	convert --to folded a.data > out
	says "cpu-clock;q\"\\x1b:x" out
	says "outer<a:b>;inner 200" out
	silent_about "$(printf "\\033")" out'
check 'it is the same with one thread and with several' '
	for by in function line address; do
		for format in pprof callgrind; do
			convert -j 1 --to $format --by $by a.data b.data > one
			convert -j 4 --to $format --by $by a.data b.data > four
			same one four
		done
	done'
check_if PYTHON 'pprof: sums, stacks, labels, modules' '
	convert --to pprof -o a.pb.gz --label "host=x=y" --labels comm,tid a.data 2> err
	says "4 samples, 3 stacks as pprof into" err
	dump a.pb.gz > out
	says "type cpu-clock-samples count" out
	says "type page-faults count" out
	says "sample 2,200,1,7 " out
	says "tid=100:q" out
	says ",host=x=y main" out
	grep "^sample 1,100,0,0 .*main;outer<a;b>\$" out
	says "comment command: perf record" out
	says "default cpu-clock" out
	silent_about "$(printf "\\033")" out'
check_if PYTHON 'pprof: the first mapping is the program, which readers show, else what was sampled most' '
	printf "%s\n" "event a type=1 sample=ip|tid|time|period flags=sample_id_all|comm|mmap2" \
		"comm tid=1 comm=\"prog\" time=1" \
		"mmap2 tid=1 addr=0x1000 len=0x1000 prot=5 flags=2 filename=\"/a/lib.so\" time=2" \
		"mmap2 tid=1 addr=0x3000 len=0x1000 prot=5 flags=2 filename=\"/b/prog-1\" time=2" \
		"mmap2 tid=1 addr=0x5000 len=0x1000 prot=5 flags=2 filename=\"/c/lib.so\" time=2" > first.mk
	for ip in 0x1010 0x3010 0x5010 0x5010; do echo "sample tid=1 ip=$ip time=3 period=9"; done >> first.mk
	for comm in prog other; do
		sed "s/\"prog\"/\"$comm\"/" first.mk | mkdata first.data
		convert --to pprof first.data > first.pb.gz
		dump first.pb.gz > out
		grep "^mapping" out | cut -d" " -f2 | tr "\n" " " >> firsts
		echo >> firsts
	done
	printf "%s \n" "/b/prog-1 /a/lib.so /c/lib.so" "/c/lib.so /a/lib.so /b/prog-1" | same - firsts'
check_if PYTHON 'pprof: without call chains it is the sampled function, and filters are those of report' '
	convert --to pprof flat.data > x
	dump x > out
	says "sample 2,200,1,7" out
	convert --to pprof --cpu 2 --symbols inner flat.data > x
	dump x > out
	grep "^sample" out > samples
	test "$(wc -l < samples)" = 1
	grep "^sample 0,0,1,7 .*inner\$" samples
	convert --to folded --cpu 3 a.data > out
	grep " 200\$" out'
check 'speedscope: an event is a profile, labels and modules are there, names are those of JSON' '
	convert --to speedscope -o a.json --label "host=x\"y" a.data 2> err
	says "4 samples, 3 stacks as speedscope into" err
	expect speedscope.json a.json
	convert --to speedscope --by address --labels tid flat.data > out
	says "{\"name\": \"inner +20\", \"file\": \"/tmp/perf-100.map\"}" out'
check_if PYTHON3 'speedscope: stacks and sums are those of folded' '
	for by in function line address; do
		convert --to folded --by $by a.data b.data > folded
		test -s folded
		convert --to speedscope --by $by a.data b.data > out
		LC_ALL=C sort folded > want
		python3 "$SRC/tests/tools/speedscope-dump.py" out | same want -
	done'
# weights FILE: the first event has weights, also in a sample without call chain
weights() {
	{
		sed "/^event a/s/|callchain/|callchain|weight/; /ev=a/s/ period/ weight=7 period/" a.mk
		echo "sample ev=a tid=100 cpu=2 time=14 period=9 ip=0x1010 weight=1000 chain="
	} | mkdata "$1"
}
check_if PYTHON3 'periods, numbers of samples and weights: of folded one is chosen, the others have all' '
	weights v.data
	convert --to folded v.data > usual
	convert --to folded -F period v.data | same usual -
	convert --to folded -F sample v.data | sed "s/q.*xff/q/" | same - /dev/fd/3 3<<-"END2"
	cpu-clock;q 1
	cpu-clock;q;main;outer<a:b> 1
	cpu-clock;q;main;outer<a:b>;inner 2
	page-faults;q;main;outer<a:b>;inner 1
	END2
	convert --to folded --fields weight v.data | sed "s/q.*xff/q/" | same - /dev/fd/3 3<<-"END2"
	cpu-clock;q 1000
	cpu-clock;q;main;outer<a:b> 7
	cpu-clock;q;main;outer<a:b>;inner 14
	END2
	convert --to speedscope v.data > v.json
	for value in period sample weight; do
		convert --to folded -F $value v.data | LC_ALL=C sort > want
		test -s want
		word=$(echo $value | sed "s/period//; s/sample/samples/")
		python3 "$SRC/tests/tools/speedscope-dump.py" v.json $word | same want -
	done
	fails_with 1 convert --to folded -F weight a.data 2> err
	says "no event has weights" err
	fails_with 129 convert --to folded -F comm a.data 2> err
	says "takes period, sample or weight" err
	fails_with 129 convert --to pprof -F sample a.data 2> err
	says "to pprof has all numbers: --fields belongs to formats that show one" err
	fails_with 129 convert --to-json - -F sample 2> err
	says "fields belongs to --to" err'
check 'several inputs are one profile, whatever their order' '
	for format in folded pprof speedscope callgrind; do
		convert --to $format a.data b.data > ab
		convert --to $format b.data a.data > ba
		same ab ba
	done
	convert --to folded a.data b.data > out
	says "inner 210" out
	convert --to folded a.data a.data > out
	says "inner 400" out'
check_if PYTHON 'pprof: sums of weights, with call chains and without, of the event that has them' '
	sed "/^event a/s/|callchain/|callchain|weight/; /ev=a/s/ period/ weight=7 period/" a.mk > w.mk
	echo "sample ev=a tid=100 cpu=2 time=14 period=9 ip=0x1010 weight=1000 chain=" >> w.mk
	sed "s/|callchain//; s/ chain=.*//" w.mk > wflat.mk
	for f in w wflat; do
		mkdata $f.data < $f.mk
		convert --to pprof -f -o $f.pb.gz $f.data $f.data 2> err
		dump $f.pb.gz > $f.out
		says "type cpu-clock-weight count" $f.out
		silent_about "type page-faults-weight" $f.out
	done
	grep "^sample" w.out | sed "s/ comm=[^ ]* / /" > out
	same - out <<-"END2"
	sample 2,18,2000,0,0 
	sample 2,200,14,0,0 main;outer<a;b>
	sample 4,400,28,2,14 main;outer<a;b>;inner
	END2
	grep "^sample" wflat.out | sed "s/ comm=[^ ]* / /" > out
	same - out <<-"END2"
	sample 6,418,2028,2,14 inner
	sample 2,200,14,0,0 outer<a;b>
	END2
	convert --to pprof -j 1 w.data > one
	convert --to pprof -j 4 w.data > four
	same one four'
check 'a file that exists is kept, words that are wrong are named' '
	echo mine > there
	fails_with 1 convert --to folded -o there a.data 2> err
	says "there exists already" err
	echo mine | same - there
	# before the inputs are read
	fails_with 1 convert --to folded -o there a.data missing.data 2> err
	says "there exists already" err
	convert --force --to folded -o there a.data
	says "inner 200" there
	fails_with 129 convert --to nothing a.data 2> err
	says "is not a format: folded, pprof, speedscope, callgrind, gecko, rows, sqlite, ctf" err
	fails_with 129 convert -h > out
	says "one of: folded pprof speedscope callgrind" out
	fails_with 129 convert --to pprof --by byte a.data 2> err
	says "takes function, line or address" err
	fails_with 129 convert --to pprof --label x a.data 2> err
	says "is not a label: key=value" err
	fails_with 1 convert --to pprof --labels comm,sym a.data 2> err
	says "depends on the sampled address" err
	fails_with 129 convert --to-json - --by line 2> err
	says "by belongs to --to" err
	fails_with 1 convert --to folded none.data 2> err
	says "none.data" err'
check 'profiles in pprof and folded are read as recordings, unasked, and by --from' '
	$PERF report -i a.data --folded > want
	convert --to pprof -o in.pb.gz a.data
	$PERF report -i in.pb.gz --folded | same want -
	$PERF report -i - --folded < in.pb.gz | same want -
	cat in.pb.gz | $PERF report -i - --folded | same want -
	convert --from pprof -o in.data in.pb.gz 2> err
	says "(pprof) into " err
	$PERF report -i in.data --folded | same want -
	touch -r in.pb.gz in.data
	convert --to pprof in.data > again
	convert --to pprof in.pb.gz | same again -
	sed "s/^cpu-clock;//; /^page-faults/d" want > in.folded
	test -s in.folded
	convert --from folded -o - in.folded > out.data
	$PERF report -i out.data --folded | same in.folded -
	convert --to folded in.folded in.folded > out
	says "inner 400" out
	$PERF script -i in.data -F comm,tid,ip,sym,dso > out
	finds "outer<a;b> (/tmp/perf-100.map)" < out'
check_if PYTHON 'pprof, read and written: samples, periods, lines and inlined functions are the same' '
	zcat -f "$SRC/tests/fuzz/corpus/pprof/inlined.bin" > inlined.pb
	dump inlined.pb > out
	grep "^sample" out | sort > want
	test -s want
	convert --to pprof --by line inlined.pb > again
	dump again > out
	grep "^sample" out | sort | same want -
	$PERF script -i inlined.pb -F ip,sym,srcline > out
	finds "(inlined)" < out'
check 'no code is shown for addresses that are made up' '
	$PERF annotate -i in.data --stdio inner > out 2>&1 || :
	says "comes from a profile of another program" out'
check 'what is no profile is said' '
	fails_with 129 convert --from nothing a.data 2> err
	says "is not a format: folded, pprof" err
	fails_with 129 convert --from pprof --to folded in.pb.gz 2> err
	says "from excludes --to" err
	fails_with 129 convert --from pprof in.pb.gz b.data 2> err
	says "takes one input" err
	fails_with 1 convert --from folded -o no.data a.data 2> err
	says "has no stacks" err
	fails_with 1 convert --from pprof -o no.data a.mk 2> err
	says "a.mk: the pprof profile is damaged at byte" err
	test ! -e no.data
	convert --to pprof -o in.pb.gz --force a.data
	head -c 60 in.pb.gz > cut.pb.gz
	fails_with 1 convert --from pprof -o no.data cut.pb.gz 2> err
	test ! -e no.data'
check_if PYTHON '--redact replaces names of files, threads and the machine, as pack does, whatever the order of inputs' '
	sed "s/filename=\"[^\"]*\"/filename=\"\/srv\/secret\/app\"/; s/comm=.* time/comm=\"private\" time/" a.mk > secret.mk
	{ sed -n "1,3p" secret.mk; echo "feature hostname str:\"bunker\""; sed -n "4,\$p" secret.mk; } | mkdata secret.data
	convert --to pprof --labels comm,tid secret.data > x
	dump x > plain
	convert --to pprof --labels comm,tid --redact secret.data b.data > x
	dump x > out
	for name in secret srv private; do
		says "$name" plain
		silent_about "$name" out
	done
	python3 -c "import gzip, sys; sys.stdout.buffer.write(gzip.open(\"x\").read())" > bytes
	for name in secret srv private bunker; do
		not grep -a "$name" bytes
	done
	says "mapping /dir" out
	says "comm=comm" out
	silent_about "perf record" out
	convert --to pprof --labels comm,tid --redact b.data secret.data | same x -
	convert --to rows -o redacted --redact secret.data
	cat redacted/*.tsv > out
	says "host" out
	for name in secret private bunker; do
		silent_about "$name" out
	done
	convert --to folded --labels host secret.data b.data > out
	finds "^cpu-clock;bunker;" < out
	finds "^cpu-clock;\[unknown\];main;" < out
	convert --to folded --labels host flat.data | awk "{ n += \$NF } END { print n }" | finds -x 307
	convert --to folded --labels host,comm secret.data > out
	finds "private.*bunker\|bunker.*private" < out
	convert --to folded --labels comm,host --redact secret.data > out
	silent_about bunker out
	convert --to folded --redact=dirs --labels comm secret.data > out
	says private out
	fails_with 129 convert --to folded --redact=x secret.data 2> err
	says "is not one of dirs, files, comms, args" err
	fails_with 129 convert --to-json - --redact -i secret.data 2> err
	says "redact belongs to --to" err
	fails_with 1 convert --to folded --redact --labels comm,weight secret.data 2> err
	says "may contain names" err'
check 'what cannot be written is said, and no part of it is left' '
	fails_with 1 convert --to pprof -o none/x a.data 2> err
	says "cannot create none/x" err
	test ! -e /dev/full || {
		fails_with 1 convert --to pprof a.data 2> err > /dev/full
		says "cannot write" err
	}'
