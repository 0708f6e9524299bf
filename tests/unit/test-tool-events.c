/* Unit tests of tool events and sensors: parsing, facts of fake machines, reading times and sensors. */
#include "test.h"
#include "fake-root.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include "../../util/pmu/parse-events.h"
#include "../../util/count/hwmon.h"
#include "../../util/kernel/open.h"
#include "../../util/count/tool-events.h"
#include "../../util/count/tool-facts.h"

static struct evset *set;
static struct err err;

static int parse(const char *str)
{
	evset_free(set);
	set = evset_new();
	return parse_events(set, str, NULL, &err);
}

/* two packages of one die, two cores each, two threads a core */
static void eight_cpus(void)
{
	char path[128], text[32];

	fake_file("/sys/devices/system/cpu/present", "0-7\n");
	fake_file("/sys/devices/system/cpu/online", "0-7\n");
	fake_file("/sys/devices/system/cpu/smt/active", "1\n");
	for (int cpu = 0; cpu < 8; cpu++) {
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/topology/core_cpus_list", cpu);
		snprintf(text, sizeof(text), "%d,%d\n", cpu % 4, cpu % 4 + 4);
		fake_file(path, text);
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/topology/package_cpus_list", cpu);
		fake_file(path, cpu % 4 < 2 ? "0-1,4-5\n" : "2-3,6-7\n");
	}
}

static u64 fact(const char *name, const struct target *t)
{
	u64 v;

	return tool_fact_by_name(name, t, &v) ? v : 999;
}

TEST(facts)
{
	struct target t = { .kind = TARGET_SYSTEM };

	eight_cpus();
	CHECK_U64(fact("num_cpus", NULL), 8);
	CHECK_U64(fact("num_cpus_online", NULL), 8);
	CHECK_U64(fact("num_cores", NULL), 4);
	CHECK_U64(fact("num_packages", NULL), 2);
	CHECK_U64(fact("num_dies", NULL), 2);
	CHECK_U64(fact("smt_on", NULL), 1);
	CHECK_U64(fact("has_pmem", NULL), 0);
	CHECK_U64(fact("slots", NULL), 999);
	CHECK_U64(fact("target_cpu", NULL), 0);
	CHECK_U64(fact("target_cpu", &t), 1);
	CHECK_U64(fact("core_wide", NULL), 0);
	cpulist_parse(&t.cpus, "0,4", NULL);
	CHECK_U64(fact("core_wide", &t), 1);
	cpulist_add(&t.cpus, 1);
	CHECK_U64(fact("core_wide", &t), 0);
	CHECK_U64(fact("nonsense", NULL), 999);
	fake_file("/sys/bus/nd/devices/region0/x", "");
	CHECK_U64(fact("has_pmem", NULL), 1);
	fake_pmu("armv8_pmuv3_0", "8", "caps/slots=0x5", NULL);
	CHECK_U64(fact("slots", NULL), 5);
}

TEST(machine_that_tells_nothing)
{
	fake_file("/sys/x", "");
	CHECK_U64(fact("num_cores", NULL), 999);
	CHECK_U64(fact("num_cpus", NULL), 999);
	CHECK_U64(fact("smt_on", NULL), 999);
}

TEST(names)
{
	fake_file("/sys/x", "");
	REQUIRE(!parse("duration_time,user_time:u,tool/system_time/,tool/config=5/,num_cpus/name=foo/,tool/"
		       "smt_on,name=bar/"));
	CHECK_INT(set->ev.nr, 6);
	for (u32 i = 0; i < 6; i++) {
		CHECK(event_is_tool(evset_at(set, i)));
		CHECK_STR(evset_at(set, i)->pmu, "tool");
	}
	CHECK_STR(evset_at(set, 0)->name, "duration_time");
	CHECK_STR(evset_at(set, 0)->unit, "ns");
	CHECK(!evset_at(set, 0)->snapshot);
	CHECK_STR(evset_at(set, 1)->name, "user_time:u");
	CHECK_STR(evset_at(set, 2)->name, "tool/system_time/");
	CHECK_U64(evset_at(set, 3)->attr.config, 5);
	CHECK(evset_at(set, 3)->snapshot);
	CHECK_STR(evset_at(set, 4)->name, "foo");
	CHECK_STR(evset_at(set, 5)->name, "bar");
	CHECK(parse("slots") < 0);
	CHECK(parse("tool//") < 0);
	CHECK(parse("tool/nope/") < 0);
	CHECK(parse("duration_tim") < 0);
	CHECK(!!strstr(err.msg, "did you mean 'duration_time'?"));
	fake_pmu("cpu", "4", "format/event=config:0-7", "events/slots=event=0x4", NULL);
	REQUIRE(!parse("slots"));
	CHECK_INT(evset_at(set, 0)->attr.type, 4);
}

TEST(no_group_holds_them)
{
	fake_file("/sys/x", "");
	REQUIRE(!parse("cs,{duration_time,faults,num_cpus,cs}:u"));
	CHECK_INT(set->ev.nr, 5);
	CHECK_STR(evset_at(set, 1)->name, "faults");
	CHECK_INT(evset_at(set, 1)->leader, 1);
	CHECK_STR(evset_at(set, 2)->name, "cs");
	CHECK_INT(evset_at(set, 2)->leader, 1);
	CHECK_STR(evset_at(set, 3)->name, "duration_time");
	CHECK_INT(evset_at(set, 3)->leader, 3);
	CHECK_INT(evset_at(set, 4)->idx, 4);
	CHECK_INT(evset_at(set, 4)->leader, 4);
}

static int some_fd(const struct pe_attr *a, s32 pid, int cpu, int group_fd, unsigned long flags)
{
	CHECK(a->type != PE_TYPE_TOOL);
	return 100;
}

TEST(never_opened)
{
	struct target t = { .kind = TARGET_TASKS };
	struct strbuf notes = STRBUF_INIT;
	struct open_opts o = { .target = &t, .stat = true, .notes = &notes };
	struct open_fds fds;

	fake_file("/sys/x", "");
	open_set_syscall_for_test(some_fd);
	vec_push(&t.tids, 1);
	cpulist_add(&t.cpus, 0);
	REQUIRE(!parse("duration_time,cs"));
	REQUIRE(!open_events(&fds, set, &o, &err));
	CHECK_INT(fds.fd[0], -1);
	CHECK_INT(fds.fd[1], 100);
	open_release(&fds);
	o.stat = false;
	REQUIRE(!open_events(&fds, set, &o, &err));
	CHECK_INT(set->ev.nr, 1);
	CHECK(!!strstr(strbuf_str(&notes), "it can be counted (perf stat), not sampled: left out"));
	REQUIRE(!parse("duration_time"));
	CHECK(open_events(&fds, set, &o, &err) < 0);
}

static void proc_stat(const char *cpu1)
{
	char text[300];

	snprintf(text, sizeof(text),
		 "cpu  9 9 9 9 9 9 9 9 9 9\ncpu0 100 0 50 9 9 0 0 9 9 9\n%s\ncpu10 7 7 7 7 7 7 7 7 7 7\n",
		 cpu1);
	fake_file("/proc/stat", text);
}

TEST(times_of_cpus)
{
	struct target t = { .kind = TARGET_SYSTEM };
	struct tool_reader *r;
	u64 v;

	vec_push(&t.tids, -1);
	cpulist_add(&t.cpus, 0);
	cpulist_add(&t.cpus, 1);
	proc_stat("cpu1 10 5 20 9 9 1 2 9 9 9");
	REQUIRE(!parse("user_time,system_time,duration_time,target_cpu"));
	r = tool_reader_new(set, &t);
	tool_reader_start(r, 1000);
	proc_stat("cpu1 20 10 30 9 9 2 4 9 9 9");
	REQUIRE(!tool_read(r, evset_at(set, 0), 1, 0, &v));
	CHECK_U64(v, 150000000);
	REQUIRE(!tool_read(r, evset_at(set, 1), 1, 0, &v));
	CHECK_U64(v, 130000000);
	REQUIRE(!tool_read(r, evset_at(set, 0), 0, 0, &v));
	CHECK_U64(v, 0);
	CHECK_INT(tool_read(r, evset_at(set, 0), 0, 1, &v), -ENODATA);
	CHECK_INT(tool_read(r, evset_at(set, 2), 1, 0, &v), -ENODATA);
	REQUIRE(!tool_read(r, evset_at(set, 2), 0, 0, &v));
	REQUIRE(!tool_read(r, evset_at(set, 3), 0, 0, &v));
	CHECK_U64(v, 1);
	tool_reader_free(r);
}

TEST(times_of_threads)
{
	struct target t = { .kind = TARGET_TASKS };
	struct tool_reader *r;
	u64 v;

	vec_push(&t.tids, 10);
	vec_push(&t.pids, 10);
	vec_push(&t.tids, 11);
	vec_push(&t.pids, 10);
	cpulist_add(&t.cpus, 0);
	fake_file("/proc/10/task/10/stat", "10 (a) b) c) R 1 2 3 4 5 6 7 8 9 10 100 200 1000 2000 20 0 1\n");
	fake_file("/proc/10/task/11/stat", "11 (x) R 1 2 3 4 5 6 7 8 9 10 1 2 1000 2000 20 0 1\n");
	REQUIRE(!parse("user_time,system_time"));
	r = tool_reader_new(set, &t);
	tool_reader_start(r, 1000);
	fake_file("/proc/10/task/10/stat", "10 (a) b) c) R 1 2 3 4 5 6 7 8 9 10 103 204 1000 2000 20 0 1\n");
	REQUIRE(!tool_read(r, evset_at(set, 0), 0, 0, &v));
	CHECK_U64(v, 30000000);
	REQUIRE(!tool_read(r, evset_at(set, 1), 0, 0, &v));
	CHECK_U64(v, 40000000);
	fake_file("/proc/10/task/10/stat", "");	/* it is gone: the last value stays */
	REQUIRE(!tool_read(r, evset_at(set, 1), 0, 0, &v));
	CHECK_U64(v, 40000000);
	REQUIRE(!tool_read(r, evset_at(set, 1), 0, 1, &v));
	CHECK_U64(v, 0);
	tool_reader_free(r);
}

TEST(times_of_a_workload)
{
	struct target t = { .kind = TARGET_WORKLOAD };
	struct rusage ru = { .ru_utime = { 1, 5 }, .ru_stime = { 0, 7 } };
	struct tool_reader *r;
	u64 v;

	vec_push(&t.tids, 20);
	cpulist_add(&t.cpus, 0);
	fake_file("/proc/20/stat", "20 (a) R 1 2 3 4 5 6 7 8 9 10 3 4 10 20 20 0 1\n");
	REQUIRE(!parse("user_time,system_time,duration_time"));
	r = tool_reader_new(set, &t);
	tool_reader_start(r, 1000);
	REQUIRE(!tool_read(r, evset_at(set, 0), 0, 0, &v));
	CHECK_U64(v, 130000000);
	tool_reader_end(r, &ru, 6000);
	REQUIRE(!tool_read(r, evset_at(set, 0), 0, 0, &v));
	CHECK_U64(v, 1000005000);
	REQUIRE(!tool_read(r, evset_at(set, 1), 0, 0, &v));
	CHECK_U64(v, 7000);
	REQUIRE(!tool_read(r, evset_at(set, 2), 0, 0, &v));
	CHECK_U64(v, 5000);
	tool_reader_free(r);
}

static void two_chips(void)
{
	fake_file("/sys/class/hwmon/hwmon0/name", "coretemp\n");
	fake_file("/sys/class/hwmon/hwmon0/temp1_input", "45000\n");
	fake_file("/sys/class/hwmon/hwmon0/temp1_label", "Package id 0\n");
	fake_file("/sys/class/hwmon/hwmon0/temp1_crit", "100000\n");
	fake_file("/sys/class/hwmon/hwmon0/temp2_input", "-3000\n");
	fake_file("/sys/class/hwmon/hwmon0/temp2_label", "Core 0\n");
	fake_file("/sys/class/hwmon/hwmon1/name", "board\n");
	fake_file("/sys/class/hwmon/hwmon1/temp1_input", "51000\n");
	fake_file("/sys/class/hwmon/hwmon1/fan1_input", "2500\n");
	fake_file("/sys/class/hwmon/hwmon1/power1_input", "5000000\n");
	fake_file("/sys/class/hwmon/hwmon1/power1_average", "4000000\n");
	fake_file("/sys/class/hwmon/hwmon1/intrusion0_alarm", "1\n");
	fake_file("/sys/class/hwmon/hwmon1/temp70000_input", "1\n");
	fake_file("/sys/class/hwmon/hwmon1/tempx_input", "1\n");
	fake_file("/sys/class/hwmon/hwmonx/name", "odd\n");
	fake_file("/sys/class/hwmon/hwmon2/temp1_input", "1\n");	/* without a name */
}

TEST(sensors)
{
	struct hwmon_list l;

	two_chips();
	hwmon_scan(&l);
	REQUIRE(l.nr == 5);
	CHECK_STR(l.v[0].name, "temp_core_0");
	CHECK_STR(l.v[1].name, "temp_package_id_0");
	CHECK_STR(l.v[1].file_name, "temp1");
	CHECK_STR(l.v[1].items, "crit=100'C");
	CHECK_STR(l.v[2].name, "fan1");
	CHECK_STR(l.v[3].items, "average=4W");
	CHECK_U64(l.v[4].config, 0xa0001);
	hwmon_list_release(&l);
}

TEST(chips_of_one_name)
{
	struct arena a = { 0 };
	struct hwmon_list l;

	two_chips();
	fake_file("/sys/class/hwmon/hwmon7/name", "coretemp\n");
	fake_file("/sys/class/hwmon/hwmon7/temp1_input", "46000\n");
	hwmon_scan(&l);
	CHECK_STR(hwmon_pmu_name(&l, &l.v[0], &a), "hwmon0");
	CHECK_STR(hwmon_pmu_name(&l, &l.v[2], &a), "hwmon_board");
	REQUIRE(!parse("hwmon_coretemp/temp1/,temp1,hwmon7/temp1/"));
	REQUIRE(set->ev.nr == 6);
	CHECK_STR(evset_at(set, 0)->name, "hwmon0/temp1/");
	CHECK_STR(evset_at(set, 1)->name, "hwmon7/temp1/");
	CHECK_STR(evset_at(set, 2)->name, "hwmon0/temp1/");
	CHECK_STR(evset_at(set, 3)->name, "hwmon_board/temp1/");
	CHECK_STR(evset_at(set, 5)->name, "hwmon7/temp1/");
	hwmon_list_release(&l);
	arena_release(&a);
}

TEST(sensor_events)
{
	struct target t = { .kind = TARGET_TASKS };
	struct tool_reader *r;
	u64 v;

	two_chips();
	REQUIRE(!parse("temp1,temp_core_0:u,hwmon_board/fan1,name=f/,hwmon1/power1_average/,"
		       "temp_package_id_0_crit,hwmon_*/temp1/"));
	REQUIRE(set->ev.nr == 8);
	CHECK_STR(evset_at(set, 0)->name, "hwmon_coretemp/temp1/");
	CHECK_STR(evset_at(set, 1)->name, "hwmon_board/temp1/");
	CHECK_INT(evset_at(set, 1)->attr.type, 0xffff0001);
	CHECK_STR(evset_at(set, 2)->name, "temp_core_0:u");
	CHECK_STR(evset_at(set, 3)->name, "f");
	CHECK_STR(evset_at(set, 3)->unit, "rpm");
	vec_push(&t.tids, 1);
	cpulist_add(&t.cpus, -1);
	r = tool_reader_new(set, &t);
	tool_reader_start(r, 1000);
	REQUIRE(!tool_read(r, evset_at(set, 2), 0, 0, &v));
	CHECK_INT((s64)v, -3000);
	REQUIRE(!tool_read(r, evset_at(set, 4), 0, 0, &v));
	CHECK_U64(v, 4000000);
	REQUIRE(!tool_read(r, evset_at(set, 5), 0, 0, &v));
	CHECK_U64(v, 100000);
	fake_file("/sys/class/hwmon/hwmon1/fan1_input", "?\n");
	CHECK_INT(tool_read(r, evset_at(set, 3), 0, 0, &v), -EIO);
	tool_reader_free(r);
	CHECK(parse("temp3") < 0);
	CHECK(parse("temp1_nonsense") < 0);
	CHECK(parse("temp1_max") < 0);
	CHECK(parse("hwmon_board/temp2/") < 0);
	CHECK(parse("hwmon_board//") < 0);
	CHECK(parse("hwmon_other/temp1/") < 0);
}
