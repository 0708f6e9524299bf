/* Unit tests of derived values, on counts that are made up. */
#include "test.h"
#include "fake-root.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "../../util/pmu/parse-events.h"
#include "../../util/stat/metric.h"
#include "../../util/stat/topdown.h"

/* a set, and one tally for each event and aggregate */
struct metric_fixture {
	struct evset *set;
	struct tallies t;
	struct stat_values v;
	struct view_block b;
	u32 cgroup[16];
};

/*
 * events and, in order, the values of aggregate 0, then of 1, ...; negative: -1 unsupported, -2
 * never ran, -3 absent
 */
static void setup(struct metric_fixture *f, const char *events, u32 nr_ids, const double *values)
{
	struct err err = ERR_INIT;

	memset(f, 0, sizeof(*f));
	f->set = evset_new();
	if (parse_events(f->set, events, NULL, &err))
		unit_fail(__FILE__, __LINE__, "%s", err.msg);
	f->t.nr_events = f->set->ev.nr;
	f->t.nr_ids = nr_ids;
	f->t.v = xcalloc(f->t.nr_events * nr_ids, sizeof(*f->t.v));
	for (u32 id = 0; id < nr_ids; id++)
		for (u32 ev = 0; ev < f->t.nr_events; ev++) {
			double val = values[id * f->t.nr_events + ev];
			struct tally *t = tally_at(&f->t, ev, id);

			*t = (struct tally){ .event = ev, .id = id, .nr = 1, .state = COUNT_READ,
					     .scaled = val, .val = val, .ena = 1, .run = 1 };
			if (val >= 0)
				continue;
			t->scaled = t->val = t->run = t->ena = 0;
			t->state = val == -1 ? COUNT_UNSUPPORTED : val == -2 ? COUNT_READ : COUNT_ABSENT;
		}
	f->v = (struct stat_values){ .tallies = &f->t, .elapsed_ns = 2e9, .user_ns = -1, .system_ns = -1 };
}

/* "0.500 CPUs utilized; 1.0 GHz" of one event in one aggregate */
static char *derive(struct metric_fixture *f, const u32 *cgroup, u32 ev, u32 id)
{
	struct stat_derive *d = stat_derive_new(f->set, NULL, cgroup);
	struct strbuf sb = STRBUF_INIT, label = STRBUF_INIT, num = STRBUF_INIT;
	struct view_line line = { .place = id };

	stat_derive_add(d, &f->v, ev, id, &f->b, &line);
	for (u32 i = 0; i < line.nr_derived; i++) {
		const struct view_derived *m = &f->b.derived.v[line.derived + i];

		strbuf_reset(&num);
		view_derived_number(m, &num);
		strbuf_reset(&label);
		view_derived_label(m, false, &label);
		strbuf_addf(&sb, "%s%s%s%s", i ? ";" : "", num.buf, label.buf[0] == '%' ? "" : " ",
			    label.buf);
	}
	stat_derive_free(d);
	strbuf_release(&label);
	strbuf_release(&num);
	return strbuf_detach(&sb);
}

#define CHECK_DERIVED(f, ev, id, want) \
	do { char *got_ = derive(f, NULL, ev, id); CHECK_STR(got_, want); free(got_); } while (0)

static void no_machine(void)
{
	fake_file("/sys/x", "");
}

TEST(generic_values)
{
	struct metric_fixture f;

	no_machine();
	setup(&f,
	      "task-clock,cycles,instructions,branches,branch-misses,page-faults,cs,stalled-cycles-frontend,"
	      "stalled-cycles-backend,cache-misses,cache-references", 1,
	      (double[]){ 1e9, 3.008e9, 5.14368e9, 981.215e6, 15.11e6, 51000, 0, 6.016e8, 1.504e9, 25, 50 });
	CHECK_DERIVED(&f, 0, 0, "   0.500 CPUs utilized");
	CHECK_DERIVED(&f, 1, 0, "   3.008 GHz");
	CHECK_DERIVED(&f, 2, 0, "   1.71  insn per cycle;   0.29  stalled cycles per insn");
	CHECK_DERIVED(&f, 3, 0, " 981.215 M/sec");
	CHECK_DERIVED(&f, 4, 0, "   1.54% of all branches");
	CHECK_DERIVED(&f, 5, 0, "  51.000 K/sec");
	CHECK_DERIVED(&f, 6, 0, "   0.000 /sec");
	CHECK_DERIVED(&f, 7, 0, "  20.00% frontend cycles idle");
	CHECK_DERIVED(&f, 8, 0, "  50.00% backend cycles idle");
	CHECK_DERIVED(&f, 9, 0, "  50.00% of all cache refs");
}

TEST(cache_rates_have_their_own_base)
{
	struct metric_fixture f;

	no_machine();
	setup(&f, "L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses,dTLB-loads,"
	      "dTLB-load-misses,iTLB-load-misses,"
	      "L1-icache-loads,L1-icache-load-misses,iTLB-loads", 1,
	      (double[]){ 100, 5, 10, 4, 1000, 1, 1, 8, 2, 4 });
	CHECK_DERIVED(&f, 0, 0, "");
	CHECK_DERIVED(&f, 1, 0, "   5.00% of all L1-dcache accesses");
	CHECK_DERIVED(&f, 3, 0, "  40.00% of all LL-cache accesses");
	CHECK_DERIVED(&f, 5, 0, "   0.10% of all dTLB cache accesses");
	CHECK_DERIVED(&f, 6, 0, "  25.00% of all iTLB cache accesses");
	CHECK_DERIVED(&f, 8, 0, "  25.00% of all L1-icache accesses");
}

TEST(no_ratio_on_an_uncounted_base)
{
	struct metric_fixture f;

	no_machine();
	/* not supported, never ran, absent, zero: nothing that looks like a measured value */
	for (int bad = -3; bad <= 0; bad++) {
		setup(&f, "cycles,instructions,branches,branch-misses", 1, (double[]){ bad, 1000, bad, 10 });
		CHECK_DERIVED(&f, 0, 0, "");
		CHECK_DERIVED(&f, 1, 0, "");
		CHECK_DERIVED(&f, 3, 0, "");
	}
	/* an event that did not count has no value even where its base has */
	setup(&f, "task-clock,cycles,branch-misses,branches", 1, (double[]){ 1e9, -1, -2, 10 });
	CHECK_DERIVED(&f, 1, 0, "");
	CHECK_DERIVED(&f, 2, 0, "");
	/* cpu-clock stands in where task-clock did not count */
	setup(&f, "task-clock,cycles,cpu-clock", 1, (double[]){ -1, 2e9, 1e9 });
	CHECK_DERIVED(&f, 1, 0, "   2.000 GHz");
}

TEST(frequencies_never_round_to_nothing)
{
	struct metric_fixture f;

	no_machine();
	setup(&f, "task-clock,cycles", 1, (double[]){ 1e9, 0 });
	CHECK_DERIVED(&f, 1, 0, "");
	setup(&f, "task-clock,cycles", 1, (double[]){ 1e9, 400000 });
	CHECK_DERIVED(&f, 1, 0, "   0.400 MHz");
	setup(&f, "task-clock,cycles", 1, (double[]){ 1e9, 7 });
	CHECK_DERIVED(&f, 1, 0, "   7.000 Hz");
}

TEST(modifiers_pair_with_their_own)
{
	struct metric_fixture f;

	no_machine();
	setup(&f, "cycles:u,cycles:k,instructions:u,instructions:k,instructions", 1,
	      (double[]){ 100, 1000, 200, 500, 700 });
	CHECK_DERIVED(&f, 2, 0, "   2.00  insn per cycle");
	CHECK_DERIVED(&f, 3, 0, "   0.50  insn per cycle");
	CHECK_DERIVED(&f, 4, 0, "");
	/* the clock knows no modes */
	setup(&f, "task-clock,cycles:u", 1, (double[]){ 1e9, 1e9 });
	CHECK_DERIVED(&f, 1, 0, "   1.000 GHz");
}

TEST(identity_counts_not_the_name)
{
	struct metric_fixture f;

	no_machine();
	setup(&f, "cpu-cycles/name=waits/,instructions/name=cycles/", 1, (double[]){ 100, 50 });
	CHECK_DERIVED(&f, 1, 0, "   0.50  insn per cycle");
}

TEST(groups_pair_within)
{
	struct metric_fixture f;

	no_machine();
	setup(&f, "{cycles,branches},{instructions,cycles}", 1, (double[]){ 100, 1, 100, 50 });
	CHECK_DERIVED(&f, 2, 0, "   2.00  insn per cycle");
}

TEST(each_aggregate_has_its_base)
{
	struct metric_fixture f;

	no_machine();
	setup(&f, "task-clock,cycles,instructions", 2, (double[]){ 1e9, 1e9, 1e9, 2e9, 8e9, 4e9 });
	CHECK_DERIVED(&f, 1, 0, "   1.000 GHz");
	CHECK_DERIVED(&f, 1, 1, "   4.000 GHz");
	CHECK_DERIVED(&f, 2, 0, "   1.00  insn per cycle");
	CHECK_DERIVED(&f, 2, 1, "   0.50  insn per cycle");
	/* the value of another CPU is not used as the base */
	setup(&f, "cycles,instructions", 2, (double[]){ 1e9, 1e9, -3, 4e9 });
	CHECK_DERIVED(&f, 1, 1, "");
}

TEST(each_cgroup_has_its_base)
{
	const u32 cgroup[] = { 0, 0, 1, 1 };
	struct metric_fixture f;
	char *got;

	no_machine();
	setup(&f, "cycles,instructions,cycles,instructions", 1, (double[]){ 100, 100, 100, 400 });
	got = derive(&f, cgroup, 3, 0);
	CHECK_STR(got, "   4.00  insn per cycle");
	free(got);
}

TEST(kinds_of_cores_do_not_mix)
{
	struct metric_fixture f;

	fake_pmu("cpu_core", "4", "cpus=0-1", NULL);
	fake_pmu("cpu_atom", "10", "cpus=2-3", NULL);
	setup(&f, "cycles,instructions", 1, (double[]){ 100, 1000, 300, 500 });
	CHECK_DERIVED(&f, 2, 0, "   3.00  insn per cycle");
	CHECK_DERIVED(&f, 3, 0, "   0.50  insn per cycle");
}

TEST(topdown_of_default_events)
{
	struct metric_fixture f;

	fake_pmu("cpu", "4", "events/slots=event=0x00,umask=0x4",
		 "events/topdown-retiring=event=0x00,umask=0x80",
		 "events/topdown-bad-spec=event=0x00,umask=0x81",
		 "events/topdown-fe-bound=event=0x00,umask=0x82",
		 "events/topdown-be-bound=event=0x00,umask=0x83",
		 "events/topdown-heavy-ops=event=0x00,umask=0x84",
		 "events/topdown-br-mispredict=event=0x00,umask=0x85",
		 "events/topdown-fetch-lat=event=0x00,umask=0x86",
		 "events/topdown-mem-bound=event=0x00,umask=0x87", "format/event=config:0-7",
		 "format/umask=config:8-15", NULL);
	setup(&f, "task-clock,{slots,topdown-retiring,topdown-bad-spec,topdown-fe-bound,topdown-be-bound,"
	      "topdown-heavy-ops,topdown-mem-bound}", 1, (double[]){ 1e9, 4e9, 40, 10, 20, 30, 15, 35 });
	CHECK_DERIVED(&f, 1, 0, "   4.000 G/sec");
	CHECK_DERIVED(&f, 2, 0, "    40.0% Retiring");
	CHECK_DERIVED(&f, 3, 0, "    10.0% Bad Speculation");
	CHECK_DERIVED(&f, 5, 0, "    30.0% Backend Bound");
	CHECK_DERIVED(&f, 6, 0, "    15.0% Heavy Operations;    25.0% Light Operations");
	/* parts are not exact: no less than nothing is left */
	CHECK_DERIVED(&f, 7, 0, "    35.0% Memory Bound;     0.0% Core Bound");
	setup(&f, "slots,topdown-retiring,topdown-bad-spec,topdown-fe-bound,topdown-be-bound", 1,
	      (double[]){ 4e9, 40, -2, 20, 30 });
	CHECK_DERIVED(&f, 1, 0, "");
}

TEST(topdown_is_counted_where_sysfs_has_it)
{
	struct evset *set = evset_new();
	struct err err = ERR_INIT;

	fake_file("/sys/x", "");
	CHECK_INT(stat_topdown_events(set, &err), 0);
	CHECK_INT(set->ev.nr, 0);
	fake_pmu("cpu_core", "4", "cpus=0-1", "events/slots=event=0x00,umask=0x4",
		 "events/topdown-retiring=event=0x00,umask=0x80",
		 "events/topdown-bad-spec=event=0x00,umask=0x81",
		 "events/topdown-fe-bound=event=0x00,umask=0x82",
		 "events/topdown-be-bound=event=0x00,umask=0x83", "format/event=config:0-7",
		 "format/umask=config:8-15", NULL);
	fake_pmu("cpu_atom", "10", "cpus=2-3", "events/topdown-retiring=event=0xc2",
		 "format/event=config:0-7", NULL);
	CHECK_INT(stat_topdown_events(set, &err), 0);
	REQUIRE(set->ev.nr == 5);
	CHECK_STR(evset_at(set, 0)->name, "slots");
	CHECK_STR(evset_at(set, 4)->name, "topdown-be-bound");
	CHECK_INT(evset_at(set, 4)->leader, 0);
	CHECK(evset_at(set, 0)->weak_group);
	CHECK_STR(evset_at(set, 4)->pmu, "cpu_core");
	CHECK_U64(evset_at(set, 4)->attr.config, 0x8300);
	evset_free(set);
}
