/* Tests of trace PMUs on fake machines: default terms, valid values, words of AUXTRACE_INFO. */
#include "test.h"
#include "fake-root.h"
#include "../../util/base/alloc.h"
#include "../../util/base/strbuf.h"
#include "../../util/pmu/parse-events.h"
#include "../../util/pmu/trace-pmu.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

static struct err err;

static void intel_pt(const char *psb_cyc)
{
	fake_pmu("intel_pt", "8", "format/pt=config:0", "format/cyc=config:1", "format/branch=config:13",
		 "format/mtc=config:9", "format/tsc=config:10", "format/noretcomp=config:11",
		 "format/psb_period=config:24-27", "format/mtc_period=config:14-17",
		 "format/cyc_thresh=config:19-22", "caps/mtc=1", "caps/mtc_periods=249",
		 "caps/psb_periods=3f",
		 "caps/cycle_thresholds=1fff", "caps/event_trace=1", "max_nonturbo_ratio=24",
		 "tsc_art_ratio=168:2", "nr_addr_filters=2", NULL);
	fake_file("/sys/bus/event_source/devices/intel_pt/caps/psb_cyc", psb_cyc);
}

static u64 config_of(const char *event)
{
	struct evset *set = evset_new();
	u64 config;

	err_clear(&err);
	if (parse_events(set, event, &(struct parse_events_opts){ .no_tracefs = true }, &err)) {
		evset_free(set);
		return UINT64_MAX;
	}
	CHECK(evset_at(set, 0)->trace);
	config = evset_at(set, 0)->attr.config;
	evset_free(set);
	return config;
}

TEST(terms_of_intel_pt)
{
	intel_pt("1\n");
	/* psb_period=3, mtc_period=3, branch, tsc, mtc, pt */
	CHECK_U64(config_of("intel_pt//u"), 0x300e601);
	CHECK_U64(config_of("intel_pt/cyc,noretcomp/"), 0x300ee03);
	CHECK_U64(config_of("intel_pt/branch=0,psb_period=0/"), 0xc601);
	CHECK_U64(config_of("intel_pt/config=0x400/"), 0x400);
	CHECK_U64(config_of("intel_pt/psb_period=6/"), UINT64_MAX);
	CHECK(strstr(err.msg, "does not have psb_period=6: valid values are 0-5"));
	CHECK_U64(config_of("intel_pt/mtc_period=4/"), UINT64_MAX);
	CHECK(strstr(err.msg, "valid values are 0,3,6,9"));
	CHECK_U64(config_of("intel_pt/cyc,cyc_thresh=13/"), UINT64_MAX);
	CHECK(strstr(err.msg, "valid values are 0-12"));
	fake_file("/sys/bus/event_source/devices/intel_pt/caps/psb_cyc", "0\n");
	CHECK_U64(config_of("intel_pt//u"), 0xe601);
	CHECK_U64(config_of("intel_pt/psb_period=1/"), UINT64_MAX);
	CHECK(strstr(err.msg, "valid values are 0"));
	fake_file("/sys/bus/event_source/devices/intel_pt/caps/psb_cyc", "1\n");
	fake_file("/sys/bus/event_source/devices/intel_pt/caps/mtc_periods", "7\n");
	CHECK_U64(config_of("intel_pt//u"), 0x300a601);
	fake_file("/sys/bus/event_source/devices/intel_pt/caps/mtc", "0\n");
	CHECK_U64(config_of("intel_pt//u"), 0x2401);
}

/* "1,0x400,...": the words of the first event; more: what they depend on */
static const char *words_of(const char *event, struct trace_info in)
{
	static char text[2000];
	struct pmus pmus = { 0 };
	struct strbuf out = STRBUF_INIT;
	struct evset *set = evset_new();
	size_t len = 0;

	REQUIRE(!parse_events(set, event, &(struct parse_events_opts){ .no_tracefs = true }, &err));
	in.set = set;
	in.ev = evset_at(set, 0);
	in.pmus = &pmus;
	in.pmu = pmus_find(&pmus, in.ev->pmu, strlen(in.ev->pmu));
	REQUIRE(in.pmu && trace_pmu_of(in.pmu));
	if (in.system_wide)
		evset_at(set, 0)->attr.flags |= ATTR_CONTEXT_SWITCH;
	trace_pmu_of(in.pmu)->words(&in, &out);
	for (size_t i = 0; i < out.len; i += 8) {
		u64 v;

		memcpy(&v, out.buf + i, sizeof(v));
		len += snprintf(text + len, sizeof(text) - len, "%s%llx", i ? "," : "",
				(unsigned long long)v);
	}
	strbuf_release(&out);
	evset_free(set);
	pmus_release(&pmus);
	return text;
}

TEST(words_of_intel)
{
	struct perf_event_mmap_page page = { .time_shift = 10, .time_mult = 500, .time_zero = 0x1234,
					     .cap_user_time_zero = 1 };

	intel_pt("1\n");
	fake_pmu("intel_bts", "9", NULL);
	CHECK_STR(words_of("intel_pt//u", (struct trace_info){ .page = &page, .per_cpu = true,
							       .system_wide = true }),
		  "8,a,1f4,1234,1,400,800,3,0,1,200,3c000,a8,2,2,18,0,1");
	CHECK_STR(words_of("intel_pt//u", (struct trace_info){ .snapshot = true }),
		  "8,0,0,0,0,400,800,0,1,0,200,3c000,a8,2,2,18,0,1");
	CHECK_STR(words_of("intel_bts//", (struct trace_info){ .page = &page }), "9,a,1f4,1234,1,0");
	CHECK_STR(words_of("intel_bts//", (struct trace_info){ .snapshot = true }), "9,0,0,0,0,1");
}

TEST(filter_in_words_of_intel_pt)
{
	struct strbuf out = STRBUF_INIT;
	struct pmus pmus = { 0 };
	struct evset *set = evset_new();
	struct trace_info in = { .set = set, .pmus = &pmus };
	u64 word[6];

	intel_pt("1\n");
	REQUIRE(!parse_events(set, "intel_pt//k", &(struct parse_events_opts){ .no_tracefs = true }, &err));
	REQUIRE(!parse_filter(set, 0, "filter 0x10/0x20", &err));	/* 16 characters: no zero fits */
	in.ev = evset_at(set, 0);
	in.pmu = pmus_find(&pmus, "intel_pt", 8);
	trace_pmu_of(in.pmu)->words(&in, &out);
	REQUIRE(out.len == (17 + 3 + 1) * 8);
	memcpy(word, out.buf + 16 * 8, 5 * 8);
	CHECK_U64(word[0], 16);
	CHECK(!memcmp(&word[1], "filter 0x10/0x20\0\0\0\0\0\0\0", 24));
	CHECK_U64(word[4], 1);
	evset_free(set);
	pmus_release(&pmus);
	strbuf_release(&out);
}

TEST(arm_spe)
{
	struct evset *set = evset_new();
	const struct parse_events_opts o = { .no_tracefs = true };

	fake_pmu("arm_spe_0", "10", "cpumask=0-3", "format/ts_enable=config:0", "format/pa_enable=config:1",
		 "format/load_filter=config:33", "caps/min_interval=1024", NULL);
	fake_pmu("arm_spe_1", "11", "cpumask=4-7", "format/ts_enable=config:0", NULL);
	REQUIRE(!parse_events(set, "arm_spe_0/load_filter=1/,arm_spe_1//,arm_spe_0/ts_enable=0,period=7/", &o,
			      &err));
	CHECK_U64(evset_at(set, 0)->attr.config, 0x200000001);
	CHECK_U64(evset_at(set, 0)->attr.sample_period, 1024);
	CHECK_U64(evset_at(set, 1)->attr.sample_period, 4096);
	CHECK_U64(evset_at(set, 2)->attr.config, 0);
	CHECK_U64(evset_at(set, 2)->attr.sample_period, 7);
	fake_file("/sys/devices/system/cpu/cpu3/regs/identification/midr_el1", "0x00000000410fd0c0\n");
	fake_file("/sys/devices/system/cpu/cpu5/regs/identification/midr_el1", "0x00000000410fd490\n");
	/* CPUs 3 and 5 of two kinds, and one that no PMU has */
	CHECK_STR(words_of("arm_spe_0//", (struct trace_info){ .cpu = (int[]){ 3, 5, 9 }, .nr_cpus = 3 }),
		  "2,4,a,2,1010101010101010,3,4,410fd0c0,a,400,0,1010101010101010,5,4,410fd490,b,0,0");
	fake_file("/sys/devices/system/cpu/online", "5\n");
	CHECK_STR(words_of("arm_spe_1//", (struct trace_info){ .cpu = (int[]){ -1 }, .nr_cpus = 1 }),
		  "2,4,b,1,1010101010101010,5,4,410fd490,b,0,0");
	/* counting: nothing is sampled */
	evset_free(set);
	set = evset_new();
	REQUIRE(!parse_events(set, "arm_spe_0//", &(struct parse_events_opts){ .counting = true,
									       .no_tracefs = true }, &err));
	CHECK_U64(evset_at(set, 0)->attr.sample_period, 0);
	evset_free(set);
}

#define CPU(n) "/sys/bus/event_source/devices/cs_etm/cpu" #n "/"

TEST(coresight)
{
	fake_pmu("cs_etm", "12", "format/cycacc=config:12", "format/contextid=config:14",
		 "format/contextid1=config:14", "format/contextid2=config:15", "format/timestamp=config:28",
		 "format/retstack=config:29", "format/branch_broadcast=config:8", NULL);
	fake_file(CPU(0) "trcidr/trcidr0", "0x28000ea1\n");
	fake_file(CPU(0) "trcidr/trcidr1", "0x41000422\n");
	fake_file(CPU(0) "trcidr/trcidr2", "0x488\n");
	fake_file(CPU(0) "trcidr/trcidr8", "0x0\n");
	fake_file(CPU(0) "mgmt/trcauthstatus", "0xcc\n");
	fake_file(CPU(0) "mgmt/trcdevarch", "0x47704a13\n");
	fake_file(CPU(0) "ts_source", "1\n");
	/* an ETE, whose ID the kernel chooses; and an ETMv3 */
	fake_file(CPU(1) "trcidr/trcidr0", "0x1\n");
	fake_file(CPU(1) "mgmt/trcdevarch", "0x47705a13\n");
	fake_file(CPU(1) "mgmt/trctraceid", "0x7\n");
	fake_file(CPU(3) "mgmt/etmccer", "0x34c01ac2\n");
	fake_file(CPU(3) "mgmt/etmidr", "0x411cf312\n");
	fake_file("/sys/devices/system/cpu/online", "2\n");
	CHECK_U64(config_of("cs_etm//u"), 0);
	fake_file("/sys/devices/system/cpu/online", "0-3\n");
	CHECK_U64(config_of("cs_etm//u"), 0x10004000);
	CHECK_STR(words_of("cs_etm//u", (struct trace_info){ .cpu = (int[]){ 0, 1, 2, 3 }, .nr_cpus = 4,
							     .snapshot = true }),
		  "1,c00000003,1,"
		  "4040404040404040,0,8,840,80000010,28000ea1,41000422,488,0,cc,1,"
		  "5050505050505050,1,9,840,7,1,0,0,0,0,47705a13,ffffffffffffffff,"
		  "3030303030303030,3,4,10004000,16,34c01ac2,411cf312");
	/* of threads: all CPUs that are online */
	fake_file("/sys/devices/system/cpu/online", "0\n");
	CHECK_STR(words_of("cs_etm/contextid2,cycacc,retstack,branch_broadcast,contextid1=0,timestamp=0/",
			   (struct trace_info){ .cpu = (int[]){ -1 }, .nr_cpus = 1 }),
		  "1,c00000001,0,4040404040404040,0,8,9098,80000010,28000ea1,41000422,488,0,cc,1");
}

TEST(hisi_ptt)
{
	fake_pmu("hisi_ptt0_2", "13", "format/type=config:0-7", NULL);
	CHECK_STR(words_of("hisi_ptt0_2/type=8/", (struct trace_info){ 0 }), "d");
}

TEST(why_a_trace_pmu_is_absent)
{
	struct evset *set = evset_new();
	const struct parse_events_opts o = { .no_tracefs = true };
	static const struct { const char *event, *why; } cases[] = {
		{ "intel_pt//u", "the firmware" }, { "intel_bts//", "flag bts" }, { "arm_spe//", "kpti=off" },
		{ "arm_spe_0//", "kpti=off" }, { "cs_etm//", "a sink that the firmware describes" },
		{ "hisi_ptt0_2//", "Kunpeng" },
	};

	fake_file("/proc/cpuinfo", "vendor_id\t: GenuineIntel\nCPU implementer\t: 0x41\n");
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		err_clear(&err);
		CHECK_INT(parse_events(set, cases[i].event, &o, &err), -ENOENT);
		REQUIRE(err.nr_hints >= 2);
		CHECK(strstr(err_hint_at(&err, 0), cases[i].why));
	}
	fake_file("/proc/cpuinfo", "vendor_id\t: GenuineIntel\nflags\t\t: fpu vme hypervisor\n");
	err_clear(&err);
	CHECK_INT(parse_events(set, "intel_pt//u", &o, &err), -ENOENT);
	CHECK(strstr(err_hint_at(&err, 0), "this is a virtual machine: few of them give Intel PT"));
	err_clear(&err);
	CHECK_INT(parse_events(set, "cs_etm//", &o, &err), -ENOENT);
	CHECK_STR(err_hint_at(&err, 0),
		  "Arm CPUs have Arm CoreSight, and the CPUs of this machine are others");
	/* other unknown PMUs say nothing of traces */
	err_clear(&err);
	CHECK_INT(parse_events(set, "no_such//u", &o, &err), -ENOENT);
	CHECK_INT(err.nr_hints, 1);
	evset_free(set);
}
