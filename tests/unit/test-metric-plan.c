/*
 * Unit tests of metrics by name: which events they need, in which groups, and what comes of counts
 * that are made up.
 */
#include "test.h"
#include "err-text.h"
#include "fake-root.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "../../util/event/event.h"
#include "../../util/stat/metric-list.h"
#include "../../util/stat/metric.h"

#define M(name_, expr_, ...) { .name = name_, .expr = expr_, __VA_ARGS__ }

/* a plan over a table of the test's own, and counts for its events */
struct plan {
	struct event_table table;
	struct stat_metrics *m;
	struct evset *set;
	struct tallies t;
	struct stat_values v;
	struct err err;
};

static const char *or_empty(const char *s)
{
	return s ? s : "";
}

static void add_metrics(struct plan *p, const struct table_metric *rows, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct table_metric *r = &rows[i];

		vec_push(&p->table.metric, (struct table_metric){
			.name = r->name, .expr = r->expr, .threshold = or_empty(r->threshold),
			.scale_unit = or_empty(r->scale_unit), .groups = or_empty(r->groups), .desc = "",
			.long_desc = "", .constraint = or_empty(r->constraint), .pmu = or_empty(r->pmu),
			.per_core = r->per_core });
	}
}

static int make(struct plan *p, const struct table_metric *rows, size_t nr, struct stat_metrics_opts o)
{
	memset(p, 0, sizeof(*p));
	p->set = evset_new();
	add_metrics(p, rows, nr);
	o.table = &p->table;
	return stat_metrics_plan(&p->m, p->set, &o, &p->err);
}

#define PLAN(p, rows, ...) make(p, rows, ARRAY_SIZE(rows), (struct stat_metrics_opts){ __VA_ARGS__ })

/* "{a,b}W c": groups in braces */
static char *events(const struct plan *p)
{
	struct strbuf sb = STRBUF_INIT;

	vec_foreach(&p->set->ev, e) {
		const struct event *ev = *e;
		bool leads = ev->leader == ev->idx;
		bool more = ev->idx + 1 < p->set->ev.nr &&
			    evset_at(p->set, ev->idx + 1)->leader == ev->leader;

		CHECK_INT(evset_at(p->set, ev->idx) == ev, 1);
		strbuf_addf(&sb, "%s%s%s", leads ? ev->idx ? " " : "" : ",", leads && more ? "{" : "",
			    ev->name);
		if (!leads && !more)
			strbuf_addf(&sb, "}%s", ev->weak_group ? "W" : "");
	}
	return strbuf_detach(&sb);
}

/* every event of one name counts the same; -1: not supported, what is not named: not counted */
struct value { const char *name; double v; };
static void count(struct plan *p, const struct value *values, size_t nr)
{
	u32 n = p->set->ev.nr;

	p->t.nr_events = n;
	p->t.nr_ids = 1;
	p->t.v = xcalloc(n + 1, sizeof(*p->t.v));
	for (u32 i = 0; i < n; i++) {
		p->t.v[i] = (struct tally){ .event = i, .nr = 2, .state = COUNT_READ };
		for (size_t k = 0; k < nr; k++)
			if (!strcmp(values[k].name, evset_at(p->set, i)->name)) {
				p->t.v[i].scaled = values[k].v;
				p->t.v[i].ena = p->t.v[i].run = 1;
				if (values[k].v < 0)
					p->t.v[i] = (struct tally){ .event = i, .state = COUNT_UNSUPPORTED };
			}
	}
	p->v = (struct stat_values){ .tallies = &p->t, .elapsed_ns = 2e9 };
}

/*
 * "event: value label[!]" of all lines that have some; ! where the threshold says bad, + where it says good
 */
static char *shown(struct plan *p, const struct value *values, size_t nr)
{
	struct stat_derive *d;
	struct strbuf sb = STRBUF_INIT, label = STRBUF_INIT, num = STRBUF_INIT;

	count(p, values, nr);
	d = stat_derive_new(p->set, p->m, NULL);
	for (u32 i = 0; i < p->set->ev.nr; i++) {
		struct view_block b = { 0 };
		struct view_line line = { 0 };

		stat_derive_add(d, &p->v, i, 0, &b, &line);
		for (u32 k = 0; k < line.nr_derived; k++) {
			const struct view_derived *m = &b.derived.v[line.derived + k];
			const char *why = m->value.type == VIEW_ABSENT ? m->value.text : NULL;

			CHECK(m->by_name);
			strbuf_reset(&num);
			view_derived_number(m, &num);
			strbuf_reset(&label);
			view_derived_label(m, false, &label);
			strbuf_addf(&sb, "%s%s: %s%s%s%s%s%s", sb.len ? "\n" : "", evset_at(p->set, i)->name,
				    num.buf + strspn(num.buf, " "), *strbuf_str(&label) == '%' ? "" : " ",
				    strbuf_str(&label), m->grade == VIEW_BAD ? "!" :
				    m->grade == VIEW_GOOD ? "+" : "", why ? " " : "", why ? why : "");
		}
		vec_release(&b.derived);
		arena_release(&b.arena);
	}
	stat_derive_free(d);
	free(p->t.v);
	strbuf_release(&label);
	return strbuf_detach(&sb);
}

static void done(struct plan *p)
{
	stat_metrics_free(p->m);
	evset_free(p->set);
	vec_release(&p->table.metric);
}

#define CHECK_EVENTS(p, want) do { char *got_ = events(p); CHECK_STR(got_, want); free(got_); } while (0)
#define CHECK_SHOWN(p, want, ...) \
	do { \
		const struct value values_[] = { __VA_ARGS__ }; \
		char *got_ = shown(p, values_, ARRAY_SIZE(values_)); \
		CHECK_STR(got_, want); \
		free(got_); \
	} while (0)

static void intel(void)
{
	fake_pmu("cpu", "4", "events/slots=event=0x00,umask=0x4",
		 "events/topdown-retiring=event=0x00,umask=0x80",
		 "events/topdown-be-bound=event=0x00,umask=0x83", "format/event=config:0-7",
		 "format/umask=config:8-15", NULL);
	fake_pmu("uncore_imc_0", "20", "cpumask=0", "events/reads=event=0x1", "events/reads.scale=0.5",
		 "format/event=config:0-7", NULL);
	fake_pmu("uncore_imc_1", "21", "cpumask=0", "events/reads=event=0x1", "events/reads.scale=0.5",
		 "format/event=config:0-7", NULL);
}

TEST(nothing_asked_nothing_planned)
{
	struct plan p;

	intel();
	CHECK_INT(make(&p, NULL, 0, (struct stat_metrics_opts){ 0 }), 0);
	CHECK(!p.m);
	CHECK_INT(p.set->ev.nr, 0);
	done(&p);
}

TEST(builtin_metrics)
{
	struct plan p;

	intel();
	CHECK_INT(make(&p, NULL, 0, (struct stat_metrics_opts){ .list = "insn_per_cycle,branch_miss_rate, "
								"CPUs_utilized" }), 0);
	CHECK_EVENTS(&p, "{instructions,cpu-cycles}W {branch-misses,branches}W task-clock");
	CHECK_SHOWN(&p, "instructions: 1.50 instructions  insn_per_cycle+\n"
		    "branch-misses: 10.0 %  branch_miss_rate!\n"
		    "task-clock: 0.50 CPUs  CPUs_utilized",
		    { "instructions", 300 }, { "cpu-cycles", 200 }, { "branch-misses", 10 },
		    { "branches", 100 }, { "task-clock", 1e9 });
	done(&p);
}

TEST(not_counted_is_said_and_never_a_number)
{
	struct plan p;

	intel();
	CHECK_INT(make(&p, NULL, 0, (struct stat_metrics_opts){ .list = "insn_per_cycle,cycles_frequency" }),
		  0);
	CHECK_SHOWN(&p, "instructions: nan instructions  insn_per_cycle needs 'cpu-cycles', "
		    "which was not counted\n"
		    "cpu-cycles: nan GHz  cycles_frequency needs 'cpu-cycles', which was not counted",
		    { "instructions", 300 }, { "cpu-cycles", -1 }, { "task-clock", 1e9 });
	done(&p);
}

TEST(groups_are_shared_unless_told)
{
	static const struct table_metric t[] = {
		M("ab", "instructions / cycles"), M("abc", "instructions / cycles + branches"),
		M("d", "faults / cycles"),
	};
	struct plan p;

	intel();
	CHECK_INT(PLAN(&p, t, .list = "ab,abc,d"), 0);
	CHECK_EVENTS(&p, "{instructions,cycles,branches}W faults");
	CHECK_SHOWN(&p, "instructions: 0.50 ab\ninstructions: 4.50 abc\ncycles: 0.25 d",
		    { "instructions", 2 }, { "cycles", 4 }, { "branches", 4 }, { "faults", 1 });
	done(&p);
	CHECK_INT(PLAN(&p, t, .list = "ab,abc,d", .no_merge = true), 0);
	CHECK_EVENTS(&p, "{instructions,cycles,branches}W {instructions,cycles}W cycles faults");
	done(&p);
	CHECK_INT(PLAN(&p, t, .list = "ab,abc,d", .no_group = true), 0);
	CHECK_EVENTS(&p, "instructions cycles branches faults");
	CHECK_SHOWN(&p, "instructions: 0.50 ab\ninstructions: 4.50 abc\ncycles: 0.25 d",
		    { "instructions", 2 }, { "cycles", 4 }, { "branches", 4 }, { "faults", 1 });
	done(&p);
}

TEST(metrics_of_metrics)
{
	static const struct table_metric t[] = {
		M("base", "instructions / cycles"), M("twice", "BASE * 2"),
		M("all", "twice + base + branches"),
	};
	struct plan p;

	intel();
	CHECK_INT(PLAN(&p, t, .list = "all"), 0);
	CHECK_EVENTS(&p, "{instructions,cycles,branches}W");
	CHECK_SHOWN(&p, "instructions: 13.00 all", { "instructions", 4 }, { "cycles", 4 },
		    { "branches", 10 });
	CHECK_SHOWN(&p, "instructions: nan all needs 'cycles', which was not counted", { "instructions", 4 },
		    { "branches", 10 });
	done(&p);
}

TEST(metrics_in_circles_are_refused)
{
	static const struct table_metric t[] = {
		M("a", "b + 1"), M("b", "c + 1"), M("c", "a + cycles"), M("cycles", "cycles / 2"),
	};
	struct plan p;

	intel();
	CHECK_INT(PLAN(&p, t, .list = "a"), -ELOOP);
	CHECK_STR(err_text(&p.err), "metric 'a' depends on itself");
	CHECK_INT(p.set->ev.nr, 0);
	done(&p);
	/* an event with the name of the metric is not a cycle */
	CHECK_INT(PLAN(&p, t, .list = "cycles"), 0);
	CHECK_EVENTS(&p, "cycles");
	done(&p);
}

TEST(chains_that_are_too_long_are_refused)
{
	struct table_metric t[300];
	struct plan p;

	intel();
	for (u32 i = 0; i < ARRAY_SIZE(t); i++)
		t[i] = (struct table_metric)M(xasprintf("m%u", i),
					      i ? xasprintf("m%u + m%u", i - 1, i - 1) : "cycles");
	CHECK_INT(PLAN(&p, t, .list = "m299"), -ELOOP);
	done(&p);
	/* each event once, however many metrics need it */
	CHECK_INT(PLAN(&p, t, .list = "m60"), 0);
	CHECK_SHOWN(&p, "cycles: 1152921504606846976.00 m60", { "cycles", 1 });
	done(&p);
}

TEST(names_groups_and_globs)
{
	static const struct table_metric t[] = {
		M("x_one", "cycles", .groups = "g1;g2"), M("x_two", "instructions", .groups = "g2"),
		M("bad", "no_such_event / 2", .groups = "g2"), M("wrong", "cycles +"),
	};
	struct plan p;

	intel();
	CHECK_INT(PLAN(&p, t, .list = "x_*"), 0);
	CHECK_EVENTS(&p, "cycles instructions");
	done(&p);
	CHECK_INT(PLAN(&p, t, .list = "g[2-9]"), 0);
	CHECK_EVENTS(&p, "cycles instructions");
	done(&p);
	/* what of a group cannot be counted is left out */
	CHECK_INT(PLAN(&p, t, .list = "G2"), 0);
	CHECK_EVENTS(&p, "cycles instructions");
	done(&p);
	CHECK_INT(PLAN(&p, t, .list = "bad"), -EINVAL);
	CHECK(strstr(err_text(&p.err),
		     "metric 'bad' cannot be counted here: event 'no_such_event' not found"));
	done(&p);
	CHECK_INT(PLAN(&p, t, .list = "wrong"), -EINVAL);
	CHECK_STR(err_text(&p.err), "metric 'wrong': a value is missing at the end\n  cycles +\n          ^");
	done(&p);
	CHECK_INT(PLAN(&p, t, .list = "x_ones"), -EINVAL);
	CHECK_STR(err_text(&p.err), "there is no metric or group 'x_ones' (did you mean 'x_one'?)\n"
		  "Hint: 'perf list metric metricgroup' lists those available");
	done(&p);
	CHECK_INT(PLAN(&p, t, .list = "x_one,,x_two"), -EINVAL);
	done(&p);
	CHECK_INT(PLAN(&p, t, .list = ""), -EINVAL);
	done(&p);
}

TEST(thresholds_may_need_more)
{
	static const struct table_metric t[] = {
		M("part", "branches / cycles", .threshold = "part > 0.2 & whole > 0.5", .scale_unit = "100%"),
		M("whole", "instructions / cycles", .threshold = "whole > 9"),
		M("odd", "cycles", .threshold = "odd > no_such_thing"),
	};
	struct plan p;

	intel();
	CHECK_INT(PLAN(&p, t, .list = "part"), 0);
	CHECK_EVENTS(&p, "{branches,cycles,instructions}W");
	CHECK_SHOWN(&p, "branches: 25.0 %  part!", { "branches", 25 }, { "cycles", 100 },
		    { "instructions", 60 });
	CHECK_SHOWN(&p, "branches: 25.0 %  part+", { "branches", 25 }, { "cycles", 100 },
		    { "instructions", 40 });
	done(&p);
	CHECK_INT(PLAN(&p, t, .list = "part,whole", .no_threshold = true), 0);
	CHECK_EVENTS(&p, "{branches,cycles}W {instructions,cycles}W");
	CHECK_SHOWN(&p, "branches: 25.0 %  part\ninstructions: 10.00 whole!",
		    { "branches", 25 }, { "cycles", 100 }, { "instructions", 1000 });
	done(&p);
	CHECK_INT(PLAN(&p, t, .list = "odd"), 0);
	CHECK_EVENTS(&p, "cycles");
	done(&p);
}

TEST(constraints_and_slots)
{
	static const struct table_metric t[] = {
		M("alone", "instructions / cycles", .constraint = "NO_GROUP_EVENTS"),
		M("nmi", "instructions / branches", .constraint = "NO_GROUP_EVENTS_NMI"),
		M("td", "topdown\\-retiring / (topdown\\-retiring + cpu@topdown\\-be\\-bound@)"),
	};
	struct plan p;

	intel();
	fake_file("/proc/sys/kernel/nmi_watchdog", "0\n");
	CHECK_INT(PLAN(&p, t, .list = "alone,nmi"), 0);
	CHECK_EVENTS(&p, "{instructions,branches}W instructions cycles");
	done(&p);
	fake_file("/proc/sys/kernel/nmi_watchdog", "1\n");
	CHECK_INT(PLAN(&p, t, .list = "alone,nmi"), 0);
	CHECK_EVENTS(&p, "instructions cycles branches");
	done(&p);
	CHECK_INT(PLAN(&p, t, .list = "td"), 0);
	CHECK_EVENTS(&p, "{cpu/slots/,topdown-retiring,cpu/topdown-be-bound/}W");
	CHECK_SHOWN(&p, "topdown-retiring: 0.25 td", { "topdown-retiring", 1 },
		    { "cpu/topdown-be-bound/", 3 });
	done(&p);
}

TEST(counters_of_different_pmus_have_groups_of_their_own)
{
	static const struct table_metric t[] = {
		M("bytes", "uncore_imc@reads@ / instructions + cycles * 0"),
		M("n", "source_count(uncore_imc@reads@) + 0 * cycles"),
	};
	struct plan p;

	intel();
	CHECK_INT(PLAN(&p, t, .list = "bytes,n"), 0);
	CHECK_EVENTS(&p, "uncore_imc_0/reads/ uncore_imc_1/reads/ {instructions,cycles}W");
	/* both instances, times their scale */
	CHECK_SHOWN(&p, "uncore_imc_0/reads/: 15.00 bytes\nuncore_imc_0/reads/: 4.00 n",
		    { "uncore_imc_0/reads/", 20 }, { "uncore_imc_1/reads/", 40 }, { "instructions", 2 },
		    { "cycles", 1 });
	done(&p);
}

TEST(kinds_of_cores_are_grouped_apart)
{
	static const struct table_metric t[] = { M("ipc", "instructions / cycles") };
	struct plan p;

	fake_pmu("cpu_core", "4", "cpus=0-1", NULL);
	fake_pmu("cpu_atom", "10", "cpus=2-3", NULL);
	CHECK_INT(PLAN(&p, t, .list = "ipc"), 0);
	CHECK_EVENTS(&p,
		     "{cpu_atom/instructions/,cpu_atom/cycles/}W {cpu_core/instructions/,cpu_core/cycles/}W");
	/* a task that only ran on one kind */
	CHECK_SHOWN(&p, "cpu_atom/instructions/: 2.00 ipc", { "cpu_core/instructions/", 8 },
		    { "cpu_core/cycles/", 4 });
	done(&p);
}

TEST(what_a_branch_does_not_need_is_not_counted)
{
	static const struct table_metric t[] = {
		M("has", "branches / cycles if has_event(no_such_event) else instructions / cycles"),
		M("cpus", "cycles if #num_cpus > 100000 else instructions"),
		M("fallback",
		  "stalled\\-cycles\\-backend if has_event(stalled\\-cycles\\-backend) else instructions"),
	};
	struct plan p;

	intel();
	CHECK_INT(PLAN(&p, t, .list = "has"), 0);
	CHECK_EVENTS(&p, "{instructions,cycles}W");
	done(&p);
	CHECK_INT(PLAN(&p, t, .list = "fallback"), 0);
	CHECK_EVENTS(&p, "stalled-cycles-backend");
	/* the kernel refused it later: no count is made up for it */
	CHECK_SHOWN(&p, "stalled-cycles-backend: nan fallback needs 'instructions', which was not counted",
		    { "stalled-cycles-backend", -1 });
	done(&p);
}

TEST(constants_alone_have_a_line)
{
	static const struct table_metric t[] = { M("sec", "duration_time", .scale_unit = "1e3ms"),
						 M("two", "1 + 1") };
	struct plan p;

	intel();
	CHECK_INT(PLAN(&p, t, .list = "sec,two"), 0);
	CHECK_EVENTS(&p, "duration_time");
	CHECK_SHOWN(&p, "duration_time: 2000.0 ms  sec\nduration_time: 2.00 two", { "duration_time", 1 });
	done(&p);
}

TEST(what_would_be_wrong_is_refused)
{
	static const struct table_metric t[] = {
		M("lat", "cycles:R / 2"), M("freq", "cycles / #no_such_fact"), M("zero", "cycles / 0")
	};
	struct plan p;

	intel();
	/* a count is not a latency */
	CHECK_INT(PLAN(&p, t, .list = "lat"), -EINVAL);
	CHECK_STR(err_text(&p.err), "metric 'lat' cannot be counted here: "
		  "retire latencies (modifier R) cannot be sampled beside counting yet");
	done(&p);
	CHECK_INT(PLAN(&p, t, .list = "freq,zero"), 0);
	CHECK_SHOWN(&p, "cycles: nan freq needs #no_such_fact, which this machine does not tell\n"
		    "cycles: nan zero its expression divides by zero", { "cycles", 4 });
	done(&p);
}

TEST(names_cannot_drive_a_terminal)
{
	static const struct table_metric t[] = { M("a\033[2J", "cycles", .scale_unit = "1\033]0;x\007") };
	struct plan p;

	intel();
	CHECK_INT(PLAN(&p, t, .list = "a*"), 0);
	CHECK_SHOWN(&p, "cycles: 4.00 \\x1b]0;x\\x07  a\\x1b[2J", { "cycles", 4 });
	done(&p);
}

TEST(names_that_are_lists_are_refused)
{
	static const struct table_metric t[] = { M("two", "cycles\\,instructions / 2"),
						 M("grp", "\\{cycles\\}") };
	struct plan p;

	intel();
	CHECK_INT(PLAN(&p, t, .list = "two"), -EINVAL);
	done(&p);
	CHECK_INT(PLAN(&p, t, .list = "grp"), -EINVAL);
	done(&p);
}

TEST(parameters_make_a_metric_a_chip)
{
	static const struct table_metric t[] = { M("mem", "hv@chip\\=?@ / 2") };
	struct plan p;

	fake_pmu("hv", "30", "format/chip=config:0-7", NULL);
	fake_file("/sys/devices/hv_24x7/interface/sockets", "2\n");
	CHECK_INT(PLAN(&p, t, .list = "mem"), 0);
	CHECK_EVENTS(&p, "hv/chip=0/ hv/chip=1/");
	CHECK_SHOWN(&p, "hv/chip=0/: 2.00 mem_0\nhv/chip=1/: 3.00 mem_1", { "hv/chip=0/", 4 },
		    { "hv/chip=1/", 6 });
	done(&p);
}

TEST(parameters_count_chips_and_cores)
{
	static const struct table_metric t[] = { M("mem", "hv@chip\\=?@"),
						 M("ipc", "hv@chip\\=?@ / 2", .per_core = true) };
	struct plan p;

	fake_pmu("hv", "30", "format/chip=config:0-7", NULL);
	fake_file("/sys/devices/hv_24x7/interface/sockets", "1\n");
	fake_file("/sys/devices/hv_24x7/interface/chipspersocket", "2\n");
	fake_file("/sys/devices/hv_24x7/interface/coresperchip", "2\n");
	CHECK_INT(PLAN(&p, t, .list = "mem"), 0);
	CHECK_EVENTS(&p, "hv/chip=0/ hv/chip=1/");
	done(&p);
	CHECK_INT(PLAN(&p, t, .list = "ipc"), 0);
	CHECK_EVENTS(&p, "hv/chip=0/ hv/chip=1/ hv/chip=2/ hv/chip=3/");
	done(&p);
}

TEST(topdown_by_groups)
{
	static const struct table_metric t[] = {
		M("tma_retiring", "instructions / cycles", .groups = "TopdownL1;tma_L1_group",
		  .scale_unit = "100%"),
		M("tma_deep", "branches / cycles", .groups = "TopdownL2"),
	};
	struct plan p;

	intel();
	CHECK_INT(PLAN(&p, t, .topdown = true), 0);
	CHECK_EVENTS(&p, "{instructions,cycles}W");
	done(&p);
	CHECK_INT(PLAN(&p, t, .topdown = true, .td_level = 2), 0);
	CHECK_EVENTS(&p, "{branches,cycles}W");
	done(&p);
	CHECK_INT(PLAN(&p, t, .topdown = true, .td_level = 7), -EOPNOTSUPP);
	done(&p);
}

TEST(events_may_be_taken_out)
{
	static const struct table_metric t[] = { M("ipc", "instructions / cycles"),
						 M("cpi", "cycles / instructions") };
	struct plan p;

	fake_pmu("cpu_core", "4", "cpus=0-1", NULL);
	fake_pmu("cpu_atom", "10", "cpus=2-3", NULL);
	CHECK_INT(PLAN(&p, t, .list = "ipc,cpi"), 0);
	for (u32 i = p.set->ev.nr; i-- > 0;)
		if (!strcmp(evset_at(p.set, i)->pmu, "cpu_atom"))
			evset_remove(p.set, i);
	CHECK_INT(p.set->ev.nr, 2);
	CHECK_SHOWN(&p, "cpu_core/instructions/: 2.00 ipc\ncpu_core/cycles/: 0.50 cpi",
		    { "cpu_core/instructions/", 8 }, { "cpu_core/cycles/", 4 });
	done(&p);
}

#define TD(name, umask) "events/topdown-" name "=event=0x00,umask=" umask
#define CORE_FORMAT "format/event=config:0-7", "format/umask=config:8-15", "format/in_tx=config:32"

TEST(topdown_of_sysfs_events)
{
	struct plan p;

	fake_pmu("cpu", "4", "events/slots=event=0x00,umask=0x4", TD("retiring", "0x80"),
		 TD("bad-spec", "0x81"), TD("fe-bound", "0x82"), TD("be-bound", "0x83"), CORE_FORMAT, NULL);
	CHECK_INT(make(&p, NULL, 0, (struct stat_metrics_opts){ .topdown = true }), 0);
	CHECK_EVENTS(&p, "{cpu/slots/,cpu/topdown-retiring/,cpu/topdown-bad-spec/,cpu/topdown-fe-bound/,cpu/"
		     "topdown-be-bound/}W");
	done(&p);
}

TEST(topdown_of_two_kinds_of_cores)
{
	struct plan p;

	fake_pmu("cpu_core", "4", "cpus=0-1", "events/slots=event=0x00,umask=0x4", TD("retiring", "0x80"),
		 TD("bad-spec", "0x81"), TD("fe-bound", "0x82"), TD("be-bound", "0x83"),
		 TD("heavy-ops", "0x84"), TD("br-mispredict", "0x85"), TD("fetch-lat", "0x86"),
		 TD("mem-bound", "0x87"), CORE_FORMAT, NULL);
	fake_pmu("cpu_atom", "10", "cpus=2-3", TD("retiring", "0x0"), TD("bad-spec", "0x0"),
		 TD("fe-bound", "0x0"), TD("be-bound", "0x0"), CORE_FORMAT, NULL);
	CHECK_INT(make(&p, NULL, 0, (struct stat_metrics_opts){ .list = "tma_retiring" }), 0);
	CHECK_EVENTS(&p, "{cpu_atom/topdown-retiring/,cpu_atom/topdown-bad-spec/,cpu_atom/topdown-fe-bound/,"
		     "cpu_atom/topdown-be-bound/}W "
		     "{cpu_core/slots/,cpu_core/topdown-retiring/,cpu_core/topdown-bad-spec/,"
		     "cpu_core/topdown-fe-bound/,cpu_core/topdown-be-bound/}W");
	CHECK_SHOWN(&p, "cpu_atom/topdown-retiring/: 50.0 %  tma_retiring+\n"
		    "cpu_core/topdown-retiring/: 80.0 %  tma_retiring!", { "cpu_atom/topdown-retiring/", 5 },
		    { "cpu_atom/topdown-bad-spec/", 5 }, { "cpu_atom/topdown-fe-bound/", 0 },
		    { "cpu_atom/topdown-be-bound/", 0 }, { "cpu_core/topdown-retiring/", 8 },
		    { "cpu_core/topdown-bad-spec/", 1 }, { "cpu_core/topdown-fe-bound/", 1 },
		    { "cpu_core/topdown-be-bound/", 0 });
	done(&p);
	CHECK_INT(make(&p, NULL, 0, (struct stat_metrics_opts){ .topdown = true, .td_level = 2 }), 0);
	CHECK_INT(p.set->ev.nr, 9);
	CHECK_STR(evset_at(p.set, 0)->name, "cpu_core/slots/");
	done(&p);
}

TEST(topdown_of_older_cores)
{
	struct plan p;

	fake_pmu("cpu", "4", TD("total-slots", "0x1"), TD("slots-issued", "0x2"),
		 TD("slots-retired", "0x3"), TD("fetch-bubbles", "0x4"), TD("recovery-bubbles", "0x5"),
		 CORE_FORMAT, NULL);
	fake_file("/sys/bus/event_source/devices/cpu/events/topdown-total-slots.scale", "4");
	CHECK_INT(make(&p, NULL, 0, (struct stat_metrics_opts){ .topdown = true }), 0);
	CHECK_SHOWN(&p, "cpu/topdown-slots-issued/: 25.0 %  tma_bad_speculation!\n"
		    "cpu/topdown-slots-retired/: 50.0 %  tma_retiring+\n"
		    "cpu/topdown-total-slots/: 12.5 %  tma_backend_bound+\n"
		    "cpu/topdown-fetch-bubbles/: 12.5 %  tma_frontend_bound+",
		    { "cpu/topdown-total-slots/", 200 }, { "cpu/topdown-slots-issued/", 500 },
		    { "cpu/topdown-slots-retired/", 400 }, { "cpu/topdown-fetch-bubbles/", 100 },
		    { "cpu/topdown-recovery-bubbles/", 100 });
	done(&p);
}

TEST(topdown_of_arm)
{
	struct plan p;

	fake_pmu("armv8_cortex_a76", "8", "cpus=0-3", "caps/slots=0x8", "events/stall_slot=event=0x3f",
		 "events/stall_slot_frontend=event=0x3e", "events/stall_slot_backend=event=0x3d",
		 "events/op_retired=event=0x3a", "events/op_spec=event=0x3b", "events/cpu_cycles=event=0x11",
		 "format/event=config:0-15", NULL);
	CHECK_INT(make(&p, NULL, 0, (struct stat_metrics_opts){ .list = "retiring,frontend_bound" }), 0);
	CHECK_SHOWN(&p, "armv8_cortex_a76/op_retired/: 30.0 %  retiring\n"
		    "armv8_cortex_a76/stall_slot_frontend/: 10.0 %  frontend_bound",
		    { "armv8_cortex_a76/op_retired/", 45 }, { "armv8_cortex_a76/op_spec/", 90 },
		    { "armv8_cortex_a76/stall_slot/", 320 }, { "armv8_cortex_a76/cpu_cycles/", 100 },
		    { "armv8_cortex_a76/stall_slot_frontend/", 80 });
	done(&p);
}

TEST(transactions_and_interrupts)
{
	struct plan p;

	fake_pmu("cpu", "4", CORE_FORMAT, NULL);
	CHECK_INT(make(&p, NULL, 0, (struct stat_metrics_opts){ .transaction = true }), -EOPNOTSUPP);
	CHECK_STR(err_text(&p.err), "this CPU has no events of transactional execution (TSX)");
	done(&p);
	CHECK_INT(make(&p, NULL, 0, (struct stat_metrics_opts){ .smi_cost = true }), -EOPNOTSUPP);
	done(&p);
	fake_pmu("cpu", "4", "events/cycles-t=event=0x3c,in_tx=1", "events/cycles-ct=event=0x3c,in_tx=1",
		 "events/tx-start=event=0xc9", "events/el-start=event=0xc8", NULL);
	fake_pmu("msr", "9", "events/aperf=event=0x01", "events/smi=event=0x04", "format/event=config:0-63",
		 NULL);
	CHECK_INT(make(&p, NULL, 0, (struct stat_metrics_opts){ .transaction = true, .smi_cost = true }), 0);
	CHECK_SHOWN(&p, "cpu/cycles-t/: 40.0 %  tsx_transactional_cycles\n"
		    "cpu/cycles-t/: 10.0 %  tsx_aborted_cycles\n"
		    "msr/aperf/: 20.0 %  smi_cycles!\nmsr/smi/: 7.00 SMI#  smi_num\n"
		    "cpu/cycles-t/: 200.0 cycles / transaction  tsx_cycles_per_transaction\n"
		    "cpu/cycles-t/: 400.0 cycles / elision  tsx_cycles_per_elision",
		    { "cpu/cycles-t/", 400 }, { "cpu/cycles-ct/", 300 }, { "cpu/cycles/", 1000 },
		    { "cpu/tx-start/", 2 }, { "cpu/el-start/", 1 }, { "msr/aperf/", 1250 },
		    { "cycles", 1000 }, { "msr/smi/", 7 });
	done(&p);
}

TEST(every_builtin_metric_is_sound)
{
	struct metric_list list = { 0 };
	struct metric_groups groups = { 0 };
	struct plan p;

	fake_pmu("cpu", "4", "events/slots=event=0x00,umask=0x4", TD("retiring", "0x80"),
		 TD("bad-spec", "0x81"), TD("fe-bound", "0x82"), TD("be-bound", "0x83"),
		 TD("heavy-ops", "0x84"), TD("br-mispredict", "0x85"), TD("fetch-lat", "0x86"),
		 TD("mem-bound", "0x87"), CORE_FORMAT, NULL);
	metric_list_make(&list, NULL);
	CHECK_INT(list.nr, 29);
	vec_foreach(&list, m) {
		if (make(&p, NULL, 0, (struct stat_metrics_opts){ .list = m->name }))
			unit_fail(__FILE__, __LINE__, "%s: %s", m->name, err_text(&p.err));
		CHECK(p.set->ev.nr > 0);
		CHECK(*m->desc && *m->groups);
		done(&p);
	}
	metric_groups_make(&groups, &list);
	vec_foreach(&groups, g)
		CHECK(*metric_group_desc(*g));
	metric_groups_release(&groups);
	metric_list_release(&list);
}

TEST(cpus_are_told_apart)
{
	static const struct table_metric t[] = {
		M("rev", "cycles if strcmp_cpuid_str(0x410fd493) else instructions"),
		M("intel", "cycles if strcmp_cpuid_str(GenuineIntel-6-55) else instructions"),
	};
	static const struct { const char *midr, *events; } arm[] = {
		{ "0x00000000410fd493", "cycles" }, { "0x00000000411fd490", "cycles" },
		{ "0x00000000410fd492", "instructions" }, { "0x00000000410fd0c3", "instructions" },
	};
	struct plan p;

	fake_file("/sys/x", "");
	setenv("PERF_CPUID", "GenuineIntel-6-55-4", 1);
	CHECK_INT(PLAN(&p, t, .list = "intel"), 0);
	CHECK_EVENTS(&p, "cycles");
	done(&p);
	setenv("PERF_CPUID", "GenuineIntel-6-8F-4", 1);
	CHECK_INT(PLAN(&p, t, .list = "intel"), 0);
	CHECK_EVENTS(&p, "instructions");
	done(&p);
	for (size_t i = 0; i < ARRAY_SIZE(arm); i++) {
		fake_file("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", arm[i].midr);
		CHECK_INT(PLAN(&p, t, .list = "rev"), 0);
		CHECK_EVENTS(&p, arm[i].events);
		done(&p);
	}
}

TEST(copies_of_the_set_have_their_own_values)
{
	const u32 cgroup[] = { 0, 0, 1, 1 };
	struct plan p;
	struct stat_derive *d;
	u32 n;

	intel();
	CHECK_INT(make(&p, NULL, 0, (struct stat_metrics_opts){ .list = "insn_per_cycle" }), 0);
	n = p.set->ev.nr;
	CHECK_INT(n, 2);
	for (u32 i = 0; i < n; i++) {
		const struct event *from = evset_at(p.set, i);

		evset_add(p.set, from->name)->attr = from->attr;
	}
	count(&p, (struct value[]){ { "instructions", 10 }, { "cpu-cycles", 10 } }, 2);
	p.t.v[2].scaled = 30;
	d = stat_derive_new(p.set, p.m, cgroup);
	for (u32 i = 0; i < p.set->ev.nr; i++) {
		struct view_block b = { 0 };
		struct view_line line = { 0 };

		stat_derive_add(d, &p.v, i, 0, &b, &line);
		CHECK_INT(line.nr_derived, i % 2 == 0);
		if (line.nr_derived)
			CHECK(b.derived.v[0].value.real == (i ? 3 : 1));
	}
	stat_derive_free(d);
	free(p.t.v);
	done(&p);
}
