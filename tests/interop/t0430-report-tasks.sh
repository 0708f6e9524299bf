#!/bin/sh
# report --stats, --tasks and --mmaps print what the newest upstream prints; records come in its order, also
# from directories.
. "$(dirname "$0")/../cli/lib.sh"
need ROOT NEWEST EVENTS

cat > forks.sh << 'EOF'
for i in 1 2 3 4; do /bin/true; ls / > /dev/null; (echo a | sed s/a/b/ | awk '{ print }' > /dev/null); done
EOF

same() {
	$PERF "$@" > ours 2> err || { cat err; return 1; }
	"$NEWEST" "$@" > theirs 2> /dev/null
	test -s theirs || [ -n "${may_be_empty-}" ]
	diff theirs ours > diff || { head -20 diff; return 1; }
}

check 'one command' '
	"$NEWEST" record -q -e cpu-clock -F 2000 -g -o one.data sh forks.sh
	same report -i one.data --stats
	same report -i one.data --tasks
	same report -i one.data --mmaps
'
check 'the whole system, data maps too' '
	"$NEWEST" record -q -a -d -e cpu-clock -F 2000 -o all.data sh forks.sh
	same report -i all.data --stats
	same report -i all.data --tasks
	same report -i all.data --mmaps
	same script -i all.data -F comm,pid,tid,cpu,time,ip,dso --ns
'
check 'a directory with a stream for each CPU' '
	"$NEWEST" record -q --threads=cpu -a -e cpu-clock -F 2000 -o dir.data sh forks.sh
	same report -i dir.data --tasks
	same script -i dir.data -F comm,pid,tid,cpu,time,ip,dso --ns
'
check 'a compressed recording' '
	"$NEWEST" record -q -z -a -e cpu-clock -F 2000 -o z.data sh forks.sh
	same report -i z.data --stats
'
check_if GCC 'dumps; build-ids of what stacks lead through' '
	printf "int spin(volatile int n) { int s = 0; while (n--) s += n; return s; } int main(void) { return spin(300000000) == 1; }" > w.c
	gcc -O0 -o w w.c
	"$NEWEST" record -q -e cpu-clock -F 500 --call-graph dwarf,4096 -o dw.data ./w
	same report -i dw.data -D
	same script -i dw.data -D --no-inline
	same buildid-list -i dw.data
	same buildid-list -H -i dw.data
'
check 'spans of time' '
	may_be_empty=1
	for t in 10% 10%/2 0%-10%,30%-40% 33%/3 50%-100%; do
		same script -i one.data -G -F tid,time,ip --ns --time $t
	done
'
check_if PEER61 'an older recorder: inodes in place of build-ids' '
	# 6.1 aborts where the kernel leaks the build-id bit of a recording beside it
	$PEER record -q -e cpu-clock -F 2000 -g -o old.data sh forks.sh || skip "upstream 6.1 aborts on build-ids of a recording beside this one"
	same report -i old.data --stats
	same report -i old.data --tasks
	same report -i old.data --mmaps
'
