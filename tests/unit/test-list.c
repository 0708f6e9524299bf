/* Unit tests of perf list: what is collected on fake machines, what arguments choose, how it is printed. */
#include "test.h"
#include "fake-root.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "../../ui/items.h"
#include "../../util/list/list.h"
#include "../../util/pmu/event-table.h"
#include "../../util/kernel/open.h"

/* a CPU that counts cycles, instructions and loads of the first cache */
static int some_counters(const struct pe_attr *attr, s32 pid, int cpu, int group_fd, unsigned long flags)
{
	if (attr->type == PERF_TYPE_HARDWARE)
		return attr->config <= PERF_COUNT_HW_INSTRUCTIONS ? 1000 : -ENOENT;
	if (attr->type == PERF_TYPE_HW_CACHE)
		return attr->config == 0 ? 1000 : -ENOENT;
	return attr->config == PERF_COUNT_SW_CGROUP_SWITCHES ? -EINVAL : 1000;
}

static int no_counters(const struct pe_attr *attr, s32 pid, int cpu, int group_fd, unsigned long flags)
{
	return attr->type == PERF_TYPE_SOFTWARE ? 1000 : -ENOENT;
}

static int not_permitted(const struct pe_attr *attr, s32 pid, int cpu, int group_fd, unsigned long flags)
{
	return -EACCES;
}

static void machine(open_syscall fn)
{
	open_set_syscall_for_test(fn);
	unsetenv("PERF_EVENT_TABLES");
	unsetenv("PERF_BUILDID_DIR");
	setenv("HOME", "/nonexistent", 1);
	setenv("XDG_DATA_HOME", "/nonexistent", 1);
	fake_file("/proc/cpuinfo", "");
}

static struct table_source tables;

/* the list as lines "NAME [TAG]", followed by its notes */
static char *list(u32 kinds, const char *pattern, const char *unit, bool instances)
{
	struct list_request req = { .kinds = kinds, .patterns = &pattern, .nr_patterns = pattern != NULL,
				    .unit = unit, .instances = instances, .tables = &tables };
	struct strbuf sb = STRBUF_INIT;
	struct err err = ERR_INIT;
	struct list l;

	if (list_make(&l, &req, &err)) {
		strbuf_addf(&sb, "error: %s", err.msg);
		return strbuf_detach(&sb);
	}
	vec_foreach(&l, e)
		strbuf_addf(&sb, "%s%s%s [%s]\n", e->name, *e->alias ? " OR " : "", e->alias, e->tag);
	strbuf_addstr(&sb, strbuf_str(&l.notes));
	list_release(&l);
	return strbuf_detach(&sb);
}

#define CHECK_LIST(kinds, pattern, unit, instances, want) \
	do { \
		char *got_ = list(kinds, pattern, unit, instances); \
		CHECK_STR(got_, want); \
		free(got_); \
	} while (0)

TEST(events_that_the_cpu_lacks_are_left_out)
{
	machine(some_counters);
	fake_pmu("cpu", "4\n", NULL);
	CHECK_LIST(LIST_BIT(HW), NULL, NULL, false,
		   "cpu-cycles OR cycles [Hardware event]\ninstructions [Hardware event]\n");
	CHECK_LIST(LIST_BIT(CACHE), NULL, NULL, false, "L1-dcache-loads [Hardware cache event]\n");
	CHECK_LIST(0, "cgroup*", NULL, false, "");
	CHECK_LIST(LIST_BIT(HW), NULL, "uncore_imc", false, "no PMU is called 'uncore_imc' (here: cpu)\n");
}

TEST(no_counters_is_said_once)
{
	machine(no_counters);
	CHECK_LIST(LIST_BIT(HW) | LIST_BIT(CACHE), NULL, NULL, false,
		   "no hardware events are listed: this machine has no hardware counters (virtual machines "
		   "often have none)\n");
	/* nobody asked for them */
	CHECK_LIST(0, "task-cl", NULL, false, "task-clock [Software event]\n");
}

TEST(without_an_answer_events_stay)
{
	char *s;

	machine(not_permitted);
	s = list(LIST_BIT(HW), NULL, NULL, false);
	CHECK(strstr(s, "cpu-cycles OR cycles"));
	CHECK(strstr(s, "ref-cycles"));
	free(s);
}

TEST(pmus)
{
	machine(no_counters);
	fake_pmu("cpu", "4\n", "events/mem-loads=event=0xcd\n", NULL);
	fake_pmu("uncore_imc_0", "20\n", "events/cas=event=0x4\n", NULL);
	fake_pmu("uncore_imc_1", "21\n", "events/cas=event=0x4\n", NULL);
	CHECK_LIST(LIST_BIT(PMU), NULL, NULL, false, "cpu/mem-loads/ OR mem-loads [Kernel PMU event]\n"
		   "uncore_imc/cas/ [Kernel PMU event]\n");
	CHECK_LIST(LIST_BIT(PMU), NULL, NULL, true, "cpu/mem-loads/ OR mem-loads [Kernel PMU event]\n"
		   "uncore_imc_0/cas/ [Kernel PMU event]\nuncore_imc_1/cas/ [Kernel PMU event]\n");
	CHECK_LIST(LIST_BIT(PMU), NULL, "imc", false, "uncore_imc/cas/ [Kernel PMU event]\n");
	/* libpfm has events for the CPU of this machine, such as PM_L2_CASTOUT_MOD on POWER */
	CHECK_LIST(0, "IMC/CAS", NULL, false, "uncore_imc/cas/ [Kernel PMU event]\n");
}

TEST(tracepoints_and_probes)
{
	machine(no_counters);
	fake_tracepoint("sched", "sched_switch", "5\n");
	fake_tracepoint("sched", "sched_wakeup", "6\n");
	fake_tracepoint("irq", "sched_irq", "7\n");
	fake_tracepoint("probe_libc", "malloc", "8\n");
	fake_tracepoint("probe", "malloc_x", "9\n");
	fake_file("/sys/kernel/tracing/uprobe_events", "p:probe_libc/malloc /lib/libc.so.6:0x10\n");
	CHECK_LIST(LIST_BIT(TRACEPOINT), NULL, NULL, false,
		   "irq:sched_irq [Tracepoint event]\nprobe:malloc_x [Tracepoint event]\n"
		   "probe_libc:malloc [Tracepoint event]\nsched:sched_switch [Tracepoint event]\n"
		   "sched:sched_wakeup [Tracepoint event]\n");
	CHECK_LIST(LIST_BIT(PROBE), NULL, NULL, false, "probe_libc:malloc [Tracepoint event]\n");
	CHECK_LIST(0, "sched:*", NULL, false,
		   "sched:sched_switch [Tracepoint event]\nsched:sched_wakeup [Tracepoint event]\n");
	CHECK_LIST(0, "sched*", NULL, false,
		   "irq:sched_irq [Tracepoint event]\nsched:sched_switch [Tracepoint event]\n"
		   "sched:sched_wakeup [Tracepoint event]\n");
	CHECK_LIST(0, "SWITCH", NULL, false,
		   "cgroup-switches [Software event]\ncontext-switches OR cs [Software event]\n"
		   "sched:sched_switch [Tracepoint event]\n");
}

TEST(empty_sections_say_why)
{
	machine(no_counters);
	fake_tracepoint("irq", "sched_irq", "7\n");
	CHECK_LIST(LIST_BIT(HWMON), NULL, NULL, false,
		   "no sensors are listed: the kernel has none (/sys/class/hwmon)\n");
	CHECK_LIST(LIST_BIT(PROBE), NULL, NULL, false,
		   "no probes are listed: none is set (kprobe_events and uprobe_events of tracefs)\n");
	CHECK_LIST(LIST_BIT(TABLE), NULL, NULL, false,
		   "no vendor events are listed: there is no table of them for this CPU\n");
	/* the more specific reason is given alone; if something is listed, no reason is given */
	CHECK_LIST(LIST_BIT(CACHE), NULL, NULL, false, "no hardware events are listed: "
		   "this machine has no hardware counters (virtual machines often have none)\n");
	CHECK_LIST(LIST_BIT(HWMON) | LIST_BIT(TRACEPOINT), NULL, NULL, false,
		   "irq:sched_irq [Tracepoint event]\n");
}

TEST(no_probes_without_tracefs)
{
	char *is;

	machine(no_counters);
	is = list(LIST_BIT(PROBE), NULL, NULL, false);
	CHECK(strstr(is, "tracefs") && !strstr(is, "no probes are listed"));
	free(is);
}

TEST(sensors)
{
	machine(no_counters);
	fake_file("/sys/class/hwmon/hwmon0/name", "coretemp\n");
	fake_file("/sys/class/hwmon/hwmon0/temp1_input", "40000\n");
	fake_file("/sys/class/hwmon/hwmon0/temp1_label", "Package id 0\n");
	CHECK_LIST(LIST_BIT(HWMON), NULL, NULL, false, "temp_package_id_0 OR temp1 [Hwmon event]\n");
	CHECK_LIST(LIST_BIT(HWMON), NULL, "hwmon_other", false,
		   "no PMU is called 'hwmon_other' (here: none)\n");
}

TEST(units_that_are_not_there)
{
	struct list_request req = { .kinds = LIST_BIT(SW), .unit = "nope" };
	struct err err = ERR_INIT;
	struct list l;

	machine(no_counters);
	fake_pmu("software", "1", NULL);
	fake_pmu("msr", "9", "format/event=config:0-63", NULL);
	REQUIRE(!list_make(&l, &req, &err));
	CHECK_STR(strbuf_str(&l.notes), "no PMU is called 'nope' (here: msr software)\n");
	list_release(&l);
	req.unit = "msr";
	REQUIRE(!list_make(&l, &req, &err));
	CHECK_STR(strbuf_str(&l.notes), "these sections have no events of PMU 'msr'\n");
	list_release(&l);
	req.unit = NULL;
	req.cputype = "atom";
	REQUIRE(!list_make(&l, &req, &err));
	CHECK_STR(strbuf_str(&l.notes),
		  "no kind of core is called 'atom': this machine has no hardware counters\n");
	list_release(&l);
}

TEST(kinds_by_word)
{
	u32 bits;

	CHECK(list_kind_find("hardware", &bits) && bits == LIST_BIT(HW));
	CHECK(list_kind_find("pmu", &bits) && bits == (LIST_BIT(PMU) | LIST_BIT(TABLE)));
	CHECK(list_kind_find("metrics", &bits) && bits == LIST_BIT(METRIC));
	CHECK(!list_kind_find("har", &bits));
	CHECK(!list_kind_find("", &bits));
}

TEST(json_has_aliases_of_their_own)
{
	const char *pattern = "faults";
	struct list_request req = { .patterns = &pattern, .nr_patterns = 1, .tables = &tables };
	struct strbuf sb = STRBUF_INIT;
	struct view_items items;
	struct list l;

	machine(no_counters);
	REQUIRE(!list_make(&l, &req, NULL));
	list_items(&l, &items);
	items_format_find("json")->show(&items, &(struct items_opts){ 0 }, &sb);
	CHECK(!strncmp(sb.buf, "[\n{\n\t\"Unit\": \"software\",\n\t\"Topic\": \"software\",\n"
		       "\t\"EventName\": \"alignment-faults\",\n", 80));
	CHECK(strstr(sb.buf, "\"EventName\": \"faults\""));
	CHECK(!strcmp(sb.buf + sb.len - 5, "\n}\n]\n"));
	list_release(&l);
	strbuf_release(&sb);
}

TEST(fields_of_tracepoints)
{
	static const char *const patterns[] = { "block:*" };
	struct strbuf sb = STRBUF_INIT;
	struct view_items items;
	struct list_fields l;

	machine(no_counters);
	fake_tracepoint("sched", "sched_switch", "5\n");
	fake_tracepoint("block", "rq", "6\n");
	fake_file("/sys/kernel/tracing/events/block/rq/format", "name: rq\nID: 6\nformat:\n"
		  "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
		  "\tfield:dev_t dev;\toffset:8;\tsize:4;\tsigned:0;\n"
		  "\tfield:char rwbs[ 10 ];\toffset:12;\tsize:10;\tsigned:0;\n"
		  "\tfield:__data_loc char[] cmd;\toffset:24;\tsize:4;\tsigned:0;\n"
		  "\tfield:u8 * p;\toffset:28;\tsize:8;\tsigned:0;\n"
		  "\tfield:;\toffset:x\n\tfield:int\n\nprint fmt: \"%d\", REC->dev\n");
	REQUIRE(!list_fields_make(&l, patterns, 1, false, NULL));
	list_fields_items(&l, &items);
	CHECK_INT(items.nr, 1);
	items_format_find("text")->show(&items, &(struct items_opts){ .width = 80 }, &sb);
	CHECK(strstr(sb.buf, "block:rq\n  dev                    dev_t                    4 bytes\n"));
	CHECK(strstr(sb.buf, "  cmd                    char[]                   of any length\n"));
	CHECK(strstr(sb.buf, "  p                      u8 *                     8 bytes\n"));
	CHECK(strstr(sb.buf, "  prints: \"%d\", REC->dev\n\ndev_t is a device number"));
	CHECK(!strstr(sb.buf, "common_type"));
	strbuf_reset(&sb);
	items_format_find("json")->show(&items, &(struct items_opts){ 0 }, &sb);
	CHECK(strstr(sb.buf, "\t\"EventName\": \"block:rq\",\n\t\"Fields\": [\n\t\t{ \"Name\": \"dev\", "
		     "\"Type\": \"dev_t\", \"Offset\": 8, \"Size\": 4, \"Signed\": false },\n"));
	CHECK(strstr(sb.buf, "\"Type\": \"__data_loc char[]\""));
	CHECK(strstr(sb.buf, "\t\"PrintFormat\": \"\\\"%d\\\", REC->dev\"\n}\n]\n"));
	strbuf_reset(&sb);
	items_format_find("names")->show(&items, &(struct items_opts){ 0 }, &sb);
	CHECK_STR(sb.buf, "block:rq\n");
	list_fields_release(&l);
	strbuf_release(&sb);
}
