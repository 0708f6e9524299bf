/* Unit tests of event tables: identities of CPUs, mapfile.csv, rows out of JSON, bad files. */
#include "test.h"
#include "fake-root.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "../../util/base/fs.h"
#include "../../util/base/plugin.h"
#include "../../util/base/strbuf.h"
#include "../../util/pmu/cpu-ident.h"
#include "../../util/pmu/event-table.h"
#include "../../util/pmu/pmu.h"

static void need_json(void)
{
	unsetenv("PERF_CPUID");
	unsetenv("PERF_EVENT_TABLES");
	if (!plugin_find("jansson", NULL))
		SKIP("built without jansson");
}

/* a file below the test's directory */
static void put(const char *path, const char *text)
{
	char buf[256];
	FILE *f;

	snprintf(buf, sizeof(buf), "%s", path);
	for (char *p = strchr(buf, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		mkdir(buf, 0755);
		*p = '/';
	}
	f = fopen(path, "w");
	REQUIRE(f);
	fputs(text, f);
	fclose(f);
}

static void intel(void)
{
	fake_file("/proc/cpuinfo",
		  "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\n"
		  "model name\t: a CPU\nstepping\t: 4\n");
}

static char *load(const char *dir)
{
	struct strbuf sb = STRBUF_INIT;
	struct event_table t;
	struct err err = ERR_INIT;
	int ret = event_table_load(&t, dir, &err);

	if (ret) {
		CHECK_INT(err.code, ret);
		strbuf_addf(&sb, "%d %s", ret, err.msg);
		return strbuf_detach(&sb);
	}
	vec_foreach(&t.event, e) {
		strbuf_addf(&sb, "%s%s/%s/%s", sb.len ? "\n" : "", e->pmu, e->name, e->terms);
		if (e->scale != 1.0 || *e->unit)
			strbuf_addf(&sb, " x%g%s", e->scale, e->unit);
		if (*e->desc)
			strbuf_addf(&sb, " \"%s\"", e->desc);
		strbuf_addf(&sb, "%s%s", e->per_pkg ? " pkg" : "", e->deprecated ? " old" : "");
	}
	vec_foreach(&t.metric, m)
		strbuf_addf(&sb, "%s%s{%s} %s [%s]%s%s%s", sb.len ? "\n" : "", m->name, m->groups, m->expr,
			    m->threshold, m->per_core ? " core" : "", *m->pmu ? " on " : "", m->pmu);
	event_table_release(&t);
	return strbuf_detach(&sb);
}

TEST(identities)
{
	struct cpu_idents ids = { 0 };

	unsetenv("PERF_CPUID");
	intel();
	cpu_idents_read(&ids);
	REQUIRE(ids.nr == 1);
	CHECK_STR(ids.v[0], "GenuineIntel-6-55-4");
	cpu_idents_release(&ids);
	fake_file("/proc/cpuinfo",
		  "processor\t: 0\ncpu\t\t: POWER9 (architected)\nrevision\t: 2.2 (pvr 004e 1202)\n");
	cpu_idents_read(&ids);
	REQUIRE(ids.nr == 1);
	CHECK_STR(ids.v[0], "0x004e1202");
	cpu_idents_release(&ids);
	fake_file("/proc/cpuinfo", "vendor_id       : IBM/S390\n# processors    : 4\n");
	fake_file("/proc/sysinfo", "Manufacturer:         IBM\nType:                 8561\n"
		  "Model:                703              T01\n");
	fake_file("/proc/service_levels", "CPU-MF: Counter facility version=3.6, authorization=002f\n");
	cpu_idents_read(&ids);
	REQUIRE(ids.nr == 1);
	CHECK_STR(ids.v[0], "IBM,8561,703,T01,3.6,002f");
	cpu_idents_release(&ids);
	fake_file("/proc/cpuinfo", "processor\t: 0\nBogoMIPS\t: 50\n");
	fake_file("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", "0x00000000411fd051\n");
	fake_file("/sys/devices/system/cpu/cpu1/regs/identification/midr_el1", "0x00000000411fd052\n");
	fake_file("/sys/devices/system/cpu/cpu2/online", "0\n");
	fake_file("/sys/devices/system/cpu/cpu3/regs/identification/midr_el1", "0x00000000410fd0b0\n");
	cpu_idents_read(&ids);
	REQUIRE(ids.nr == 2);
	CHECK_STR(ids.v[0], "0x00000000410fd050");
	CHECK_STR(ids.v[1], "0x00000000410fd0b0");
	cpu_idents_release(&ids);
}

TEST(identities_match_regular_expressions)
{
	CHECK_INT(cpu_ident_matches("GenuineIntel-6-55-4", "GenuineIntel-6-55-[01234]"), 1);
	CHECK_INT(cpu_ident_matches("GenuineIntel-6-55-7", "GenuineIntel-6-55-[01234]"), 0);
	CHECK_INT(cpu_ident_matches("GenuineIntel-6-8E-9", "GenuineIntel-6-(4E|5E|8E|9E)"), 1);
	CHECK_INT(cpu_ident_matches("GenuineIntel-6-8E-9", "GenuineIntel-6"), 0);
	CHECK_INT(cpu_ident_matches("AuthenticAMD-23-1-2", "AuthenticAMD-23-([12][0-9A-F]|[0-9A-F])"), 1);
	CHECK_INT(cpu_ident_matches("0x004e1202", "0x004e[[:xdigit:]]{4}"), 1);
	CHECK_INT(cpu_ident_matches("IBM,8561,703,T01,3.6,002f", "^IBM.8561.*[13]\\.[1-5].[[:xdigit:]]+$"),
		  0);
	CHECK_INT(cpu_ident_matches("IBM,8561,703,T01,3.6,002f", "^IBM.8561.*3\\.6.[[:xdigit:]]+$"), 1);
	CHECK_INT(cpu_ident_matches("x", "("), -EINVAL);
	CHECK_INT(cpu_ident_matches("x", "((((a{99999}){99999}){99999}"), -EINVAL);
}

TEST(plain_directory)
{
	char *s;

	need_json();
	intel();
	put("t/cache.json", "[{\"EventName\": \"L2.MISS\", \"EventCode\": \"0x24\", \"UMask\": \"0x3f\", "
	    "\"SampleAfterValue\": \"200003\","
	    "\"CounterMask\": \"1\", \"Invert\": \"1\", \"EdgeDetect\": \"0\", "
	    "\"BriefDescription\": \"misses\"},\n"
	    "{\"EventName\": \"OFF.RSP\", \"EventCode\": \"0xB7, 0xBB\", \"UMask\": \"1\", "
	    "\"MSRIndex\": \"0x1a6,0x1a7\","
	    "\"MSRValue\": \"0x10001\", \"Deprecated\": \"1\"},\n"
	    "{\"EventName\": \"INST.ANY\", \"EventCode\": \"0x00\", \"UMask\": \"0x01\", "
	    "\"Counter\": \"Fixed counter 1\"}]");
	put("t/uncore.json", "{\"Header\": {\"Info\": \"x\"}, \"Events\": [{\"EventName\": \"UNC_M_CAS\", "
	    "\"Unit\": \"iMC\", \"EventCode\":"
	    "\"0x4\", \"UMaskExt\": \"0x10\", \"PerPkg\": \"1\", \"ScaleUnit\": \"64Bytes\", "
	    "\"PortMask\": \"0x2\"},"
	    "{\"EventName\": \"unc_cha_x\", \"Unit\": \"CHA\", \"ConfigCode\": \"0x12\"}]}");
	put("t/README.md", "no table");
	s = load("t");
	CHECK_STR(s, "cpu/inst.any/event=0xc0\n"
		  "cpu/l2.miss/event=0x24,umask=0x3f,inv=0x1,cmask=0x1,period=200003 \"misses\"\n"
		  "cpu/off.rsp/event=0xb7,umask=0x1,offcore_rsp=0x10001 old\n"
		  "uncore_cha/unc_cha_x/config=0x12\n"
		  "uncore_imc/unc_m_cas/event=0x4,umask=0x1000,ch_mask=0x2 x64Bytes pkg");
	free(s);
}

TEST(metrics)
{
	char *s;

	need_json();
	intel();
	put("t/m.json",
	    "[{\"MetricName\": \"IPC\", \"MetricExpr\": \"instructions / cycles\", \"MetricGroup\": \"A;B\","
	    "\"MetricThreshold\": \"IPC < 1\", \"AggregationMode\": \"PerCore\", \"Unit\": \"cpu_core\"},"
	    "{\"MetricName\": \"none\"}]");
	s = load("t");
	CHECK_STR(s, "IPC{A;B} instructions / cycles [IPC < 1] core on cpu_core");
	free(s);
}

TEST(metrics_by_formula)
{
	char *s;

	need_json();
	intel();
	put("t/m.json", "{\"Header\": {}, \"Metrics\": [{\"MetricName\": \"Bound\", "
	    "\"UnitOfMeasure\": \"percent\", \"Events\": ["
	    "{\"Name\": \"PERF_METRICS.FRONTEND_BOUND\", \"Alias\": \"a\"}, "
	    "{\"Name\": \"TOPDOWN.SLOTS:perf_metrics\", \"Alias\": \"b\"},"
	    "{\"Name\": \"UOPS.DEC0:c1:e1\", \"Alias\": \"a_a\"}, {\"Name\": \"INST.ANY:USER\", "
	    "\"Alias\": \"d\"}],"
	    "\"Constants\": [{\"Name\": \"HYPERTHREADING_ON\", \"Alias\": \"smt_on\"}, {\"Name\": \"1000\", "
	    "\"Alias\": \"e\"}],"
	    "\"Formula\": \"100 * ( a / b ) + max( a_a , 1e3 ) / ( d if smt_on else e )\", "
	    "\"MetricGroup\": \"A\","
	    "\"Threshold\": {\"ThresholdMetrics\": [{\"Alias\": \"a\", "
	    "\"Value\": \"metric_TMA_..Bound(%)\"}], \"Formula\": \"a > 20\"}},"
	    "{\"MetricName\": \"unknown_letter\", \"Formula\": \"a / q\", \"Events\": [{\"Name\": \"X\", "
	    "\"Alias\": \"a\"}]},"
	    "{\"MetricName\": \"unknown_thing\", \"Formula\": \"a\", "
	    "\"Events\": [{\"Name\": \"system.sockets[0]\", \"Alias\": \"a\"}]},"
	    "{\"MetricName\": \"no_lists\", \"Formula\": \"a\", \"Events\": 5}]}");
	s = load("t");
	CHECK_STR(s, "Bound{A} 100 * ( topdown\\-fe\\-bound / slots ) + max( "
		  "cpu@uops.dec0\\,cmask\\=1\\,edge\\=1@ , 1e3 ) / ( inst.any:u if #smt_on else 1000 "
		  ") [Bound > 20]");
	free(s);
}

TEST(mapfile_chooses)
{
	char *s;

	need_json();
	intel();
	put("t/mapfile.csv", "Family-model,Version,Filename,EventType,Core Type\n"
	    "GenuineIntel-6-3F,v1,other,core,\n"
	    "GenuineIntel-6-55-[0-4],v2,/skx/core.json,core,,,\n"
	    "GenuineIntel-6-55-[0-4],v2,more,uncore\n"
	    "GenuineIntel-6-55-4,v2,atom.json,hybridcore,0x20\n");
	put("t/other/a.json", "this is not read");
	put("t/skx/core.json", "[{\"EventName\": \"a\", \"EventCode\": \"1\"}]");
	put("t/skx/ignored.json", "[{\"EventName\": \"no\", \"EventCode\": \"1\"}]");
	put("t/more/b.json", "[{\"EventName\": \"b\", \"EventCode\": \"2\"}]");
	put("t/atom.json", "[{\"EventName\": \"c\", \"EventCode\": \"3\"}]");
	s = load("t");
	CHECK_STR(s, "cpu/a/event=0x1\ncpu/b/event=0x2\ncpu_atom/c/event=0x3");
	free(s);
	fake_file("/proc/cpuinfo", "vendor_id : Other\ncpu family : 1\nmodel : 1\n");
	s = load("t");
	CHECK_STR(s, "");
	free(s);
	setenv("PERF_CPUID", "GenuineIntel-6-55-3", 1);
	s = load("t");
	CHECK_STR(s, "cpu/a/event=0x1\ncpu/b/event=0x2");
	free(s);
}

TEST(standard_events)
{
	char *s;

	need_json();
	fake_file("/proc/cpuinfo", "processor : 0\n");
	fake_file("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", "0x00000000410fd030\n");
	put("t/mapfile.csv", "0x00000000410fd030,v1,arm/core,core\n");
	put("t/common.json",
	    "[{\"EventName\": \"L1I_REFILL\", \"EventCode\": \"0x01\", \"BriefDescription\": \"refills\"}]");
	put("t/arm/core/c.json", "[{\"ArchStdEvent\": \"L1I_REFILL\"}, {\"ArchStdEvent\": \"UNKNOWN\"},"
	    "{\"ArchStdEvent\": \"L1I_REFILL\", \"EventName\": \"mine\", \"BriefDescription\": \"own\"}]");
	s = load("t");
	CHECK_STR(s, "cpu/l1i_refill/event=0x1 \"refills\"\ncpu/mine/event=0x1 \"own\"");
	free(s);
}

TEST(bad_rows_are_left_out)
{
	static const struct { const char *text, *says; } cases[] = {
		{ "[{\"EventName\": \"a\", \"EventCode\": \"x1\"}]",
		  "t/a.json:1: an event code should be a number, not 'x1'" },
		{ "[\n\n{\"EventName\": \"a\", \"EventCode\": \"1\", \"UMask\": \"1=2\"}]",
		  "t/a.json:3: a number is expected, not '1=2'" },
		{ "[{\"EventName\": \"a,b\"}]", "t/a.json:1: this cannot be the name of an event: 'a,b'" },
		{ "[{\"EventName\": \"a\\u001b[2J\"}]",
		  "t/a.json:1: this cannot be the name of an event: 'a\\x1b[2J'" },
		{ "[{\"MetricName\": \"\\u00e4\", \"MetricExpr\": \"1\"}]",
		  "t/a.json:1: this cannot be the name of a metric" },
	};

	need_json();
	intel();
	put("t/b.json", "[{\"EventName\": \"good\"}, {\"EventName\": \"b/ad\"}]");
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct event_table t;
		struct err err = ERR_INIT;

		put("t/a.json", cases[i].text);
		REQUIRE(!event_table_load(&t, "t", &err));
		CHECK_STR(err.msg, "");
		CHECK_INT(t.nr_bad, 2);
		CHECK(event_table_find(&t, NULL, "good") && t.event.nr == 1 && !t.metric.nr);
		if (strncmp(t.bad, cases[i].says, strlen(cases[i].says)))
			CHECK_STR(t.bad, cases[i].says);
		event_table_release(&t);
	}
}

TEST(bad_tables_are_named)
{
	char *s;

	need_json();
	intel();
	put("t/a.json", "[{\"EventName\": \"a\"}\n{]");
	s = load("t");
	CHECK(strstr(s, "t/a.json:2: ',' or ']' is expected"));
	free(s);
}

TEST(bad_mapfiles_are_named)
{
	static const struct { const char *text, *says; } cases[] = {
		{ "(,v1,x,core\n", "t/mapfile.csv:1: the first column is not a regular expression" },
		{ "\nGenuineIntel-6-55,v1,../../etc,core\n",
		  "t/mapfile.csv:2: the third column should name a file" },
		{ "GenuineIntel-6-55,v1,,core\n", "t/mapfile.csv:1: the third column should name a file" },
		{ "GenuineIntel-6-55,v1,nowhere,core\n", "t/mapfile.csv:1: t/nowhere: No such file" },
	};

	need_json();
	intel();
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *s;

		put("t/mapfile.csv", cases[i].text);
		s = load("t");
		if (!strstr(s, cases[i].says))
			CHECK_STR(s, cases[i].says);
		free(s);
	}
	CHECK(strstr(load("nosuch"), "cannot read the directory nosuch: No such file"));
}

TEST(search_path)
{
	struct event_table t;

	need_json();
	intel();
	setenv("XDG_DATA_HOME", "xdg", 1);
	CHECK_INT(event_table_load(&t, NULL, NULL), 0);
	CHECK(!t.dir);
	put("root/usr/share/perf-events/a.json", "[{\"EventName\": \"a\", \"EventCode\": \"1\"}]");
	CHECK_INT(event_table_load(&t, NULL, NULL), 0);
	CHECK_STR(t.dir, "root/usr/share/perf-events");
	event_table_release(&t);
	put("xdg/perf-events/a.json", "[{\"EventName\": \"a\", \"EventCode\": \"1\"}]");
	CHECK_INT(event_table_load(&t, NULL, NULL), 0);
	CHECK_STR(t.dir, "xdg/perf-events");
	event_table_release(&t);
	put("env/a.json", "[{\"EventName\": \"a\", \"EventCode\": \"1\"}]");
	setenv("PERF_EVENT_TABLES", ":nosuch:env", 1);
	CHECK_INT(event_table_load(&t, NULL, NULL), 0);
	CHECK_STR(t.dir, "env");
	CHECK(event_table_find(&t, NULL, "A"));
	CHECK(event_table_find(&t, "cpu", "a"));
	CHECK(!event_table_find(&t, "uncore_imc", "a"));
	CHECK(!event_table_find(&t, NULL, "b"));
	event_table_release(&t);
}

TEST(units_and_pmus)
{
	static const struct { const char *unit, *pmu; bool on; } cases[] = {
		{ "uncore_imc", "uncore_imc_3", true }, { "uncore_imc", "uncore_imc_free_running_0", false },
		{ "uncore_msr", "msr", true }, { "uncore_msr", "msr2", true }, { "uncore_ms", "msr", false },
		{ "hisi_sccl,ddrc", "hisi_sccl1_ddrc0", true },
		{ "hisi_sccl,ddrc", "hisi_sccl1_l3c0", false },
		{ "hisi_sccl,ddrc", "x_hisi_sccl1_ddrc0", false }, { "cpu_atom", "cpu_core", false },
		{ "cpu", "cpu_core", true }, { "amd_l3", "amd_l3", true }, { ",", "cpu", false },
		{ "", "cpu", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct table_event ev = { .name = cases[i].pmu, .pmu = cases[i].unit };
		const struct pmu pmu = { .name = cases[i].pmu, .is_core = !strncmp(cases[i].pmu, "cpu", 3) };

		if (table_event_on(&ev, &pmu) != cases[i].on)
			CHECK_STR(cases[i].unit, cases[i].pmu);
	}
}

TEST(extends_pmus)
{
	struct table_source source = { .dir = "t" };
	const struct event_table *t;
	struct pmus ps = { 0 };
	struct pmu *pmu;

	need_json();
	intel();
	fake_pmu("cpu", "4\n", "events/own=event=0x1\n", "format/event=config:0-7\n", NULL);
	fake_pmu("uncore_imc_0", "20\n", "format/event=config:0-7\n", NULL);
	fake_pmu("uncore_imc_1", "21\n", "format/event=config:0-7\n", NULL);
	put("t/a.json", "[{\"EventName\": \"OWN\", \"EventCode\": \"2\"}, {\"EventName\": \"mine\", "
	    "\"EventCode\": \"3\"},"
	    "{\"EventName\": \"cas\", \"EventCode\": \"4\", \"Unit\": \"iMC\"}]");
	t = table_source_get(&source, NULL);
	REQUIRE(t);
	CHECK(table_source_get(&source, NULL) == t);
	CHECK_INT(event_table_extend(&ps, t), 3);
	pmu = pmus_find(&ps, "cpu", 3);
	REQUIRE(pmu && pmu_event(pmu, "own", 3) && pmu_event(pmu, "MINE", 4));
	CHECK_STR(pmu_event(pmu, "own", 3)->terms, "event=0x1");
	CHECK(!pmu_event(pmu, "cas", 3));
	pmu = pmus_find(&ps, "uncore_imc_1", 12);
	REQUIRE(pmu && pmu_event(pmu, "cas", 3));
	pmus_release(&ps);
	table_source_release(&source);
}
