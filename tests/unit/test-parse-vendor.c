/* Unit tests of vendors' event names in event strings: event tables and libpfm4. */
#include "test.h"
#include "err-text.h"
#include "fake-root.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "../../util/base/plugin.h"
#include "../../util/base/strbuf.h"
#include "../../util/event/event.h"
#include "../../util/pmu/event-table.h"
#include "../../util/pmu/parse-events.h"
#include "../../util/pmu/parse-pfm.h"

static void machine(void)
{
	FILE *f;

	unsetenv("PERF_CPUID");
	fake_file("/proc/cpuinfo", "vendor_id : GenuineIntel\ncpu family : 6\nmodel : 85\nstepping : 4\n");
	fake_pmu("cpu", "4\n", "format/event=config:0-7\n", "format/umask=config:8-15\n",
		 "events/own=event=0x1\n", NULL);
	fake_pmu("uncore_imc_0", "20\n", "format/event=config:0-7\n", "cpumask=0\n", NULL);
	fake_pmu("uncore_imc_1", "21\n", "format/event=config:0-7\n", "cpumask=0\n", NULL);
	fake_tracepoint("sched", "sched_switch", "5\n");
	mkdir("t", 0755);
	f = fopen("t/a.json", "w");
	REQUIRE(f);
	fputs("[{\"EventName\": \"INST_RETIRED.ANY\", \"EventCode\": \"0xc0\", \"UMask\": \"0x01\", "
	      "\"SampleAfterValue\": \"2000003\"},\n"
	      "{\"EventName\": \"UNC_CAS\", \"EventCode\": \"0x4\", \"Unit\": \"iMC\", "
	      "\"ScaleUnit\": \"64Bytes\", \"PerPkg\": \"1\"},\n"
	      "{\"EventName\": \"ELSEWHERE\", \"EventCode\": \"0x4\", "
	      "\"Unit\": \"CHA\"},{\"EventName\": \"ODD\", \"EventCode\": \"0x4\", \"PortMask\": \"1\"}]", f);
	fclose(f);
}

static char *describe(const char *str, struct table_source *tables, bool pfm)
{
	const struct parse_events_opts o = { .tables = tables };
	struct evset *set = evset_new();
	struct err err = ERR_INIT;
	struct strbuf sb = STRBUF_INIT;

	if (pfm ? parse_pfm_events(set, str, &err) : parse_events(set, str, &o, &err)) {
		CHECK_INT(set->ev.nr, 0);
		strbuf_addf(&sb, "error: %s", err_text(&err));
	}
	vec_foreach(&set->ev, p) {
		const struct event *ev = *p;

		strbuf_addf(&sb, "%s%s%s %u:0x%llx", ev->idx ? "\n" : "", ev->leader != ev->idx ? "+" : "",
			    ev->name, ev->attr.type, (unsigned long long)ev->attr.config);
		if (ev->attr.sample_period)
			strbuf_addf(&sb, " period=%llu", (unsigned long long)ev->attr.sample_period);
		if (ev->attr.flags & ATTR_EXCLUDE_KERNEL)
			strbuf_addstr(&sb, " xk");
		if (ev->attr.flags & ATTR_EXCLUDE_USER)
			strbuf_addstr(&sb, " xu");
		if (ev->per_pkg)
			strbuf_addf(&sb, " %gx%s pkg", ev->scale, ev->unit);
	}
	evset_free(set);
	return strbuf_detach(&sb);
}

static void check(struct table_source *tables, const char *str, const char *want)
{
	char *got = describe(str, tables, false);

	if (strncmp(want, "error", 5))
		CHECK_STR(got, want);
	else if (!strstr(got, want))
		CHECK_STR(got, want);
	free(got);
}

TEST(names_of_tables)
{
	struct table_source tables = { .dir = "t" };

	if (!plugin_find("jansson", NULL))
		SKIP("built without jansson");
	machine();
	/* the kernel knows it: the table is not read */
	check(&tables, "cycles,own,sched:sched_switch,cpu/event=1/",
	      "cycles 0:0x0\nown 4:0x1\nsched:sched_switch 2:0x5\n"
	      "cpu/event=1/ 4:0x1");
	CHECK(!tables.tried);
	check(&tables, "inst_retired.any", "inst_retired.any 4:0x1c0 period=2000003");
	CHECK(tables.tried);
	check(&tables, "INST_RETIRED.ANY:u", "INST_RETIRED.ANY:u 4:0x1c0 period=2000003 xk");
	check(&tables, "cpu/inst_retired.any/", "cpu/inst_retired.any/ 4:0x1c0 period=2000003");
	check(&tables, "cpu/inst_retired.any,period=7/k",
	      "cpu/inst_retired.any,period=7/k 4:0x1c0 period=7 xu");
	check(&tables, "inst_retired.any/period=7/", "inst_retired.any/period=7/ 4:0x1c0 period=7");
	check(&tables, "{inst_retired.any,cycles}", "inst_retired.any 4:0x1c0 period=2000003\n+cycles 0:0x0");
	check(&tables, "unc_cas", "unc_cas 20:0x4 64xBytes pkg\nunc_cas 21:0x4 64xBytes pkg");
	check(&tables, "uncore_imc_1/unc_cas/", "uncore_imc_1/unc_cas/ 21:0x4 64xBytes pkg");
	check(&tables, "uncore_imc/unc_cas/",
	      "uncore_imc_0/unc_cas/ 20:0x4 64xBytes pkg\nuncore_imc_1/unc_cas/ 21:0x4 64xBytes pkg");
	check(&tables, "inst_retired.ani",
	      "error: event 'inst_retired.ani' not found (did you mean 'inst_retired.any'?)");
	check(&tables, "elsewhere",
	      "error: event 'elsewhere' belongs to the PMU uncore_cha, which this machine does not have");
	check(&tables, "odd", "error: event 'odd' of PMU cpu is described as");
	table_source_release(&tables);
}

TEST(tables_of_the_search_path_and_broken_ones)
{
	struct table_source tables = { .dir = "nowhere" };

	if (!plugin_find("jansson", NULL))
		SKIP("built without jansson");
	machine();
	setenv("PERF_EVENT_TABLES", "t", 1);
	check(NULL, "inst_retired.any", "inst_retired.any 4:0x1c0 period=2000003");
	check(&tables, "inst_retired.any",
	      "error: event 'inst_retired.any' not found\n  inst_retired.any\n  ^~~~~~~~~~~~~~~~\n"
	      "Hint: 'perf list' shows the available events\n"
	      "Hint: no event table was searched: cannot read the directory nowhere");
	table_source_release(&tables);
}

static void need_libpfm4(void)
{
	if (!plugin_find("libpfm4", NULL))
		SKIP("built without libpfm4");
#ifndef __x86_64__
	SKIP("libpfm4 knows the CPU of this test on x86 only");
#endif
}

TEST(names_of_libpfm4)
{
	need_libpfm4();
	machine();
	unsetenv("PERF_EVENT_TABLES");
	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	check(NULL, "inst_retired:any_p", "inst_retired:any_p 4:0xc0");
	check(NULL, "skl::INST_RETIRED:ANY_P:u", "skl::INST_RETIRED:ANY_P:u 4:0xc0 xk");
	check(NULL, "{cycles,skl::INST_RETIRED:ANY_P:k}",
	      "cycles 0:0x0\n+skl::INST_RETIRED:ANY_P:k 4:0xc0 xu");
	check(NULL, "inst_retired:nosuch", "error: event 'inst_retired:nosuch': libpfm4:");
	check(NULL, "nosuch_retired", "error: event 'nosuch_retired' not found");
	check(NULL, "sched:sched_switch", "sched:sched_switch 2:0x5");
}

TEST(pfm_events)
{
	static const struct { const char *str, *want; } cases[] = {
		{ "INST_RETIRED:ANY_P:u", "INST_RETIRED:ANY_P:u 4:0xc0 xk" },
		{ "inst_retired:any_p,{MEM_LOAD_RETIRED:L1_HIT,MEM_LOAD_RETIRED:L1_MISS}",
		  "inst_retired:any_p 4:0xc0\n"
		  "MEM_LOAD_RETIRED:L1_HIT 4:0x1d1\n+MEM_LOAD_RETIRED:L1_MISS 4:0x8d1" },
		{ "{inst_retired:any_p", "error: --pfm-events: the group has no closing brace" },
		{ "{inst_retired,{x", "error: --pfm-events: a group inside a group at '{x'" },
		{ "", "error: --pfm-events: an event's name is expected at ''" },
		{ "nosuch", "error: event 'nosuch': libpfm4: event not found\nHint: 'perf list pfm' lists" },
	};

	need_libpfm4();
	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *s = describe(cases[i].str, NULL, true);

		if (strncmp(s, cases[i].want, strlen(cases[i].want)))
			CHECK_STR(s, cases[i].want);
		free(s);
	}
}
