#!/bin/sh
# perf script --dlfilter: filters in shared objects, compiled against perf_dlfilter.h
. "$(dirname "$0")/../cli/lib.sh"
need GCC

mkdir -p root/tmp
printf '1000 100 main\n1100 100 work\n1200 100 leaf\n' > root/tmp/perf-100.map
export PERF_FS_ROOT=$PWD/root
mkdata x.data <<'EOT'
event cycles type=hardware config=0 period=10 sample=ip|tid|time|cpu|period|callchain flags=sample_id_all|comm|mmap2
comm tid=100 comm="app" time=1
mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
sample tid=100 ip=0x1010 time=100 chain=-512,0x1010
sample tid=100 ip=0x1110 time=200 chain=-512,0x1110,0x1010
sample tid=100 ip=0x1210 time=300 chain=-512,0x1210,0x1110,0x1010
sample tid=200 ip=0x1010 time=400
EOT
# compile NAME: the filter on standard input
compile() {
	cat - > "$1.c"
	gcc -Wall -Werror -shared -fPIC -I "$SRC/util/script" -o "$1.so" "$1.c"
}
script() { $PERF script -i x.data -G -F tid,ip,sym "$@"; }

cat > common.h <<'EOT'
#include <stdio.h>
#include <stddef.h>
#include <string.h>
#include "perf_dlfilter.h"
struct perf_dlfilter_fns perf_dlfilter_fns;
EOT
check 'what it prints stands before the line of its sample' '
	compile prints <<-\EOF
	#include "common.h"
	int start(void **data, void *ctx) { printf("begin\n"); return 0; }
	int stop(void *data, void *ctx) { printf("end\n"); return 0; }
	int filter_event(void *data, const struct perf_dlfilter_sample *s, void *ctx)
	{
		if (s->time == 300)
			printf("dropped\n");
		else if (s->time != 200)
			printf("%llu:", s->time);
		return s->time == 300;
	}
	EOF
	script --dlfilter prints.so > out 2> err
	sed "s/  */ /g;s/ *\$//" out > got
	printf "%s\n" begin "100: 100 1010 main" " 100 1110 work" dropped "400: 200 1010 [unknown]" end | same - got
	script --dlfilter prints.so --json > out 2> err
	sed "s/{.*}/{}/" out > got
	printf "%s\n" "{}" begin "100:{}" "{}" dropped "400:{}" end | same - got
'
check 'it sees each sample once, in order, and says which ones are shown' '
	compile f <<-\EOF
	#include "common.h"
	int start(void **data, void *ctx)
	{
		int nr;
		char **args = perf_dlfilter_fns.args(ctx, &nr);

		*data = args[nr - 1];
		fprintf(stderr, "start %d\n", nr);
		return perf_dlfilter_fns.resolve_ip(ctx) != NULL;
	}
	int stop(void *data, void *ctx)
	{
		fprintf(stderr, "stop\n");
		return 0;
	}
	int filter_event_early(void *data, const struct perf_dlfilter_sample *s, void *ctx)
	{
		fprintf(stderr, "early %llu %s %d\n", s->time, s->event, perf_dlfilter_fns.resolve_ip(ctx)->filtered);
		return s->time == 300;
	}
	int filter_event(void *data, const struct perf_dlfilter_sample *s, void *ctx)
	{
		const struct perf_dlfilter_al *al = perf_dlfilter_fns.resolve_ip(ctx);

		fprintf(stderr, "late %llu %s+%x %s %llu\n", s->time, al->sym, al->symoff, al->comm,
			s->raw_callchain_nr);
		return !strcmp(al->sym, data);
	}
	EOF
	fails_with 129 $PERF script -i x.data --dlarg one 2> err
	grep -q "^Error: --dlarg .one. needs --dlfilter FILE, which gets the argument" err
	script --dlfilter f.so --dlarg one --dlarg work --pid 100 > out 2> err
	printf "%s\n" "    100              1010 main" | diff - out
	cat > want <<-EOF
	start 2
	early 100 cycles 0
	late 100 main+10 app 2
	early 200 cycles 0
	late 200 work+10 app 3
	early 300 cycles 0
	early 400 cycles 1
	stop
	EOF
	diff want err
	script -j 3 --dlfilter f.so --dlarg one --dlarg work --pid 100 2> err | cmp - out
	diff want err
	script --json --pid 100 --dlfilter ./f.so --dlarg leaf 2> err | grep -c "\"tid\"" | finds -x 2
'
check 'it asks where addresses are' '
	compile a <<-\EOF
	#include "common.h"
	int filter_event(void *data, const struct perf_dlfilter_sample *s, void *ctx)
	{
		struct perf_dlfilter_al al = { .size = offsetof(struct perf_dlfilter_al, dso) }, none = { 0 };
		unsigned int line = 1, len = 1;

		if (perf_dlfilter_fns.resolve_address(ctx, 0x1108, &al) || perf_dlfilter_fns.resolve_addr(ctx) ||
		    !perf_dlfilter_fns.resolve_address(ctx, 0x1108, &none))
			return -5;
		if (perf_dlfilter_fns.srcline(ctx, &line) || line || perf_dlfilter_fns.insn(ctx, &len) || len ||
		    perf_dlfilter_fns.attr(ctx)->sample_period != 10)
			return -6;
		fprintf(stderr, "%s+%u %u\n", al.sym, al.symoff, s->size >= sizeof(*s));
		return 0;
	}
	EOF
	script --dlfilter a.so --tid 100 2> err > out
	printf "%s\n" "work+8 1" "work+8 1" "work+8 1" | diff - err
	test $(grep -c . out) = 3
'
check 'errors: of the filter, of the file' '
	printf "%s\n" "int start(void **d, void *c) { return -3; }" "int filter_event(void *d, const void *s, void *c) { return 0; }" | compile bad
	fails_with 1 script --dlfilter bad.so > out 2> err
	says "start() of the filter bad.so failed: error -3" err
	printf "%s\n" "int filter_event(void *d, const void *s, void *c) { return -9; }" | compile bad
	fails_with 1 script --dlfilter bad.so > out 2> err
	says "filter_event() of the filter bad.so failed: error -9" err
	echo "int nothing;" | compile empty
	fails_with 1 script --dlfilter empty.so > out 2> err
	says "empty.so is not a filter" err
	fails_with 1 script --dlfilter gone.so > out 2> err
	says "cannot load the filter gone.so" err
	says "list-dlfilters" err
'
check 'the list names filters, and runs nothing of them' '
	echo "#include <stdlib.h>
	__attribute__((constructor)) static void run(void) { exit(99); }
	int filter_event(void *d, const void *s, void *c) { return 0; }" | compile run
	echo "int other;" | compile other
	echo text > text.so
	$PERF script --list-dlfilters > out
	grep -qx "  run.so" out
	not grep -q "other\|text" out
'
check_if NEWEST 'the newest upstream loads the same filter and prints the same' '
	compile n <<-\EOF
	#include "common.h"
	int filter_event(void *data, const struct perf_dlfilter_sample *s, void *ctx)
	{
		const struct perf_dlfilter_al *al = perf_dlfilter_fns.resolve_ip(ctx);

		fprintf(stderr, "filter: %u %llu %d %d %u %llu %s %llx\n", s->size, s->time, s->pid, s->cpu, s->cpumode,
			s->raw_callchain_nr, al->comm, perf_dlfilter_fns.attr(ctx)->sample_type);
		return s->time == 200;
	}
	EOF
	$PERF script -i x.data -F tid,ip --dlfilter ./n.so > ours 2> err
	grep "^filter: " err > ours.err
	test -s ours.err
	$NEWEST script -i x.data -F tid,ip --dlfilter ./n.so > theirs 2> err
	grep "^filter: " err > theirs.err
	diff theirs ours
	diff theirs.err ours.err
'
