#!/bin/sh
# perf data convert --to-json: the document, what is refused
. "$(dirname "$0")/lib.sh"

cat > d.mk <<'END'
event a sample=ip|tid|time|cpu|callchain flags=sample_id_all|comm|mmap2
feature hostname str:"box"
feature cmdline u32:2 str:"perf" str:"record \"x\""
comm tid=100 comm="q\"\\\x01\xff" time=1
mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
sample tid=100 cpu=3 time=20 ip=0x1010 chain=-512,0x1010,0x1110,0x9000
sample tid=200 cpu=0 time=10 ip=0x1010
END
mkdata d.data < d.mk || exit 1
mkdir -p root/tmp
printf '1000 100 inner\n1100 100 outer\n' > root/tmp/perf-100.map
convert() { PERF_FS_ROOT=$PWD/root $PERF data convert -i d.data "$@"; }

check 'samples in the order of time, with names' '
	convert --to-json - > out 2> err
	sed -n "/\"samples\"/,\$p" out | tr -d " \n\t" > samples
	printf "%s" "\"samples\":[{\"timestamp\":10,\"pid\":200,\"tid\":200,\"cpu\":0,\"comm\":\":200\"," > want
	printf "%s" "\"callchain\":[]},{\"timestamp\":20,\"pid\":100,\"tid\":100,\"cpu\":3," >> want
	says "$(cat want)" samples
	says "{\"ip\":\"0x1010\",\"symbol\":\"inner\",\"dso\":\"[JIT]tid100\"},{\"ip\":\"0x1110\",\"symbol\":\"outer\"" samples
	says "{\"ip\":\"0x9000\"}]}]}" samples
	says "\"hostname\": \"box\"" out
	says "\"linux-perf-json-version\": 1" out
	says "(2 samples)" err'
check 'it is valid, whatever the texts are' '
	echo "import json" | python3 2> err || skip "no python3 with its json module"
	convert --to-json - > out 2> err
	python3 -m json.tool out > /dev/null
	python3 -c "
import json
d = json.load(open(\"out\"))
assert d[\"samples\"][1][\"comm\"].startswith(\"q\\\"\\\\\")
assert d[\"headers\"][\"cmdline\"] == [\"perf\", \"record \\\"x\\\"\"]"'
check 'a part of the time' '
	convert --to-json - --time 0.000000015, > out 2> err
	test "$(grep -c timestamp out)" = 1
	says "(1 samples)" err
	says "Skipped 1 samples" err'
check 'a file that exists is kept, unless it is to be replaced' '
	echo mine > there
	fails_with 1 convert --to-json there 2> err
	says "there exists already" err
	says "force" err
	echo mine | same - there
	convert --force --to-json there 2> err
	says "timestamp" there'
check 'no profile, no place to write, no word' '
	fails_with 1 $PERF data convert -i none.data --to-json x.json 2> err
	says "none.data" err
	test ! -e x.json
	fails_with 1 convert --to-json none/x.json 2> err
	says "cannot create none/x.json" err
	if test -e /dev/full; then
		fails_with 1 convert --force --to-json - > /dev/full 2> err
		says "cannot write" err
	fi
	fails_with 129 convert 2> err
	says "to-json and --to-ctf what to write" err
	fails_with 129 $PERF data 2> err
	says "a subcommand is missing: convert" err'
