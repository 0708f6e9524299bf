/*
 * Unit tests of derived values from end to end: scripted counters on a fake machine, aggregates,
 * intervals, columns.
 */
#include "test.h"
#include "fake-root.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../../ui/lines.h"
#include "../../util/pmu/parse-events.h"
#include "../../util/stat/cpu-location.h"
#include "../../util/stat/stat-display.h"
#include "../../util/count/count-read.h"
#include "../../util/count/counting.h"

#define FIRST_FD 1000

/* a counter that was opened */
struct fake_counter {
	struct pe_attr attr;
	int cpu, leader;
};
static struct fake_counter counters[256];
static int nr_counters;

/* what a counter counts in one step of time, in which a CPU is busy for 1 ms */
static u64 (*per_step)(const struct fake_counter *c);
static u64 step;

static int fake_open(const struct pe_attr *a, s32 pid, int cpu, int group_fd, unsigned long flags)
{
	REQUIRE(nr_counters < (int)ARRAY_SIZE(counters));
	if (per_step(&(struct fake_counter){ .attr = *a, .cpu = cpu }) == UINT64_MAX)
		return -ENOENT;
	counters[nr_counters] = (struct fake_counter){ *a, cpu,
						       group_fd < 0 ? nr_counters : group_fd - FIRST_FD };
	return FIRST_FD + nr_counters++;
}

static long fake_read(int fd, void *buf, size_t size)
{
	const struct fake_counter *c = &counters[fd - FIRST_FD];
	u64 word[64] = { 0 }, fmt = c->attr.read_format;
	size_t n = 3;

	word[1] = word[2] = step * 1000000;
	if (!(fmt & PERF_FORMAT_GROUP)) {
		word[0] = per_step(c) * step;
	} else {
		for (int i = 0; i < nr_counters; i++)
			if (&counters[counters[i].leader] == c) {
				word[0]++;
				word[n] = per_step(&counters[i]) * step;
				n += 1 + !!(fmt & PERF_FORMAT_ID) + !!(fmt & PERF_FORMAT_LOST);
			}
	}
	REQUIRE(n * sizeof(u64) <= size);
	memcpy(buf, word, n * sizeof(u64));
	return n * sizeof(u64);
}

static bool is(const struct fake_counter *c, u32 type, u32 config)
{
	return c->attr.type == type && (u32)c->attr.config == config;
}

/*
 * CPU 0 and 1 are one core: 1 and 3 GHz; CPU 2 and 3 another one: 2 GHz, and no instructions at all on CPU 3
 */
static u64 four_cpus(const struct fake_counter *c)
{
	static const u64 cycles[] = { 1000000, 3000000, 2000000, 2000000 },
			insns[] = { 2000000, 3000000, 1000000, 0 };

	if (is(c, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES))
		return cycles[c->cpu] / (c->attr.flags & ATTR_EXCLUDE_KERNEL ? 2 : 1);
	if (is(c, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS))
		return insns[c->cpu];
	if (is(c, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK) ||
	    is(c, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK))
		return 1000000;
	return UINT64_MAX;	/* the CPU does not have it */
}

/* a virtual machine that takes every event and counts none */
static u64 only_zeros(const struct fake_counter *c)
{
	return c->attr.type == PERF_TYPE_SOFTWARE ? 1000000 : 0;
}

struct fake_machine {
	struct evset *set;
	struct target target;
	struct open_fds fds;
	struct counts counts;
	struct count_reader reader;
	struct stat_metrics *plan;
	struct stat_show *show;
	struct stat_show_opts o;
	struct lines_printer printer;
	int fd;
	struct arena arena;
	struct err err;
};

static const struct lines_opts commas = { .separator = "," };
static bool two_kinds;		/* CPU 0 and 1 are big, 2 and 3 are small */

static void fake_topology(void)
{
	char path[128], text[16];

	fake_file("/sys/devices/system/cpu/online", "0-3\n");
	if (two_kinds) {
		fake_pmu("cpu_core", "4", "cpus=0-1", "format/event=config:0-7", NULL);
		fake_pmu("cpu_atom", "10", "cpus=2-3", "format/event=config:0-7", NULL);
	} else {
		fake_pmu("cpu", "4", "format/event=config:0-7", NULL);
	}
	for (int cpu = 0; cpu < 4; cpu++) {
		static const char *const files[] = { "physical_package_id", "die_id", "cluster_id",
						     "core_id" };

		for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
			snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/topology/%s", cpu,
				 files[i]);
			snprintf(text, sizeof(text), "%d\n", i == 3 ? cpu / 2 : 0);
			fake_file(path, text);
		}
	}
}

/* all four CPUs; -e events and -M list, either may be NULL */
static void start(struct fake_machine *m, const char *events, const char *list, enum aggr_mode mode)
{
	const struct counting_opts config = { 0 };
	const struct open_opts o = { .target = &m->target, .stat = true };
	const struct stat_metrics_opts mo = { .list = list, .target = &m->target };

	memset(m, 0, sizeof(*m));
	nr_counters = 0;
	step = 0;
	fake_topology();
	m->set = evset_new();
	m->target.kind = TARGET_SYSTEM;
	vec_push(&m->target.tids, -1);
	vec_push(&m->target.pids, -1);
	for (int i = 0; i < 4; i++)
		cpulist_add(&m->target.cpus, i);
	open_set_syscall_for_test(fake_open);
	count_set_read_for_test(fake_read);
	if ((events && parse_events(m->set, events, NULL, &m->err)) ||
	    stat_metrics_plan(&m->plan, m->set, &mo, &m->err))
		unit_fail(__FILE__, __LINE__, "%s", m->err.msg);
	counting_set_attrs(m->set, &config, m->target.kind);
	if (open_events(&m->fds, m->set, &o, &m->err))
		unit_fail(__FILE__, __LINE__, "%s", m->err.msg);
	count_reader_init(&m->reader, &m->fds, m->set, NULL, false, &m->counts);
	m->fd = open("out", O_CREAT | O_TRUNC | O_RDWR, 0600);
	lines_printer_init(&m->printer, lines_format_find("separated"), &commas, m->fd);
	m->o = (struct stat_show_opts){ .mode = mode, .no_merge = mode == AGGR_NONE, .sink = &m->printer.sink,
					.plan = m->plan, .target = &m->target, .title = "test" };
	m->show = stat_show_new(&m->o, m->set);
	stat_show_locations(m->show, mode == AGGR_GLOBAL ? NULL : places_of_cpus(&m->arena, m->counts.cpu, 4,
										 0), NULL);
}

static void intervals(struct fake_machine *m)
{
	m->o.intervals = true;
	for (u64 i = 1; i <= 2; i++) {
		step = i;
		count_read(&m->reader, &m->counts);
		CHECK_INT(stat_show_interval(m->show, &m->counts, i * 1000000, i * 1000000, &m->err), 0);
	}
}

/* the whole run was 2 ms */
static void end(struct fake_machine *m)
{
	const struct stat_times t = { .elapsed_ns = 2000000 };

	step = 2;
	count_read(&m->reader, &m->counts);
	stat_show_run_end(m->show, &m->counts, &t);
	CHECK_INT(stat_show_table(m->show, &m->err), 0);
}

static char *printed(struct fake_machine *m)
{
	static char buf[8192];
	ssize_t n = pread(m->fd, buf, sizeof(buf) - 1, 0);

	REQUIRE(n >= 0);
	buf[n] = '\0';
	stat_show_free(m->show);
	stat_metrics_free(m->plan);
	lines_printer_release(&m->printer);
	close(m->fd);
	return buf;
}

TEST(each_cpu_by_its_own_clock)
{
	struct fake_machine m;

	per_step = four_cpus;
	start(&m, "cpu-clock,cycles,instructions", NULL, AGGR_NONE);
	end(&m);
	CHECK_STR(printed(&m),
		  "CPU0,2.00,msec,cpu-clock,2000000,100.00,1.000,CPUs utilized\n"
		  "CPU1,2.00,msec,cpu-clock,2000000,100.00,1.000,CPUs utilized\n"
		  "CPU2,2.00,msec,cpu-clock,2000000,100.00,1.000,CPUs utilized\n"
		  "CPU3,2.00,msec,cpu-clock,2000000,100.00,1.000,CPUs utilized\n"
		  "CPU0,2000000,,cycles,2000000,100.00,1.000,GHz\n"
		  "CPU1,6000000,,cycles,2000000,100.00,3.000,GHz\n"
		  "CPU2,4000000,,cycles,2000000,100.00,2.000,GHz\n"
		  "CPU3,4000000,,cycles,2000000,100.00,2.000,GHz\n"
		  "CPU0,4000000,,instructions,2000000,100.00,2.00,insn per cycle\n"
		  "CPU1,6000000,,instructions,2000000,100.00,1.00,insn per cycle\n"
		  "CPU2,2000000,,instructions,2000000,100.00,0.50,insn per cycle\n"
		  "CPU3,0,,instructions,2000000,100.00,0.00,insn per cycle\n");
}

TEST(each_core_by_the_sum_of_its_clocks)
{
	struct fake_machine m;

	per_step = four_cpus;
	start(&m, "cpu-clock,cycles,instructions", NULL, AGGR_CORE);
	end(&m);
	CHECK_STR(printed(&m),
		  "S0-D0-C0,2,4.00,msec,cpu-clock,4000000,100.00,2.000,CPUs utilized\n"
		  "S0-D0-C0,2,8000000,,cycles,4000000,100.00,2.000,GHz\n"
		  "S0-D0-C0,2,10000000,,instructions,4000000,100.00,1.25,insn per cycle\n"
		  "S0-D0-C1,2,4.00,msec,cpu-clock,4000000,100.00,2.000,CPUs utilized\n"
		  "S0-D0-C1,2,8000000,,cycles,4000000,100.00,2.000,GHz\n"
		  "S0-D0-C1,2,2000000,,instructions,4000000,100.00,0.25,insn per cycle\n");
}

TEST(metrics_of_cores_and_intervals)
{
	struct fake_machine m;

	per_step = four_cpus;
	start(&m, NULL, "insn_per_cycle,CPUs_utilized,cycles_frequency", AGGR_CORE);
	intervals(&m);
	/* the second interval says what was counted in it, not since the start */
	CHECK_STR(printed(&m),
		  "0.001000000,S0-D0-C0,2,5000000,,instructions,2000000,100.00,1.25,instructions  "
		  "insn_per_cycle\n"
		  "0.001000000,S0-D0-C0,2,4000000,,cpu-cycles,2000000,100.00,2.00,GHz  cycles_frequency\n"
		  "0.001000000,S0-D0-C0,2,2.00,msec,cpu-clock,2000000,100.00,2.00,CPUs  CPUs_utilized\n"
		  "0.001000000,S0-D0-C1,2,1000000,,instructions,2000000,100.00,0.25,instructions  "
		  "insn_per_cycle\n"
		  "0.001000000,S0-D0-C1,2,4000000,,cpu-cycles,2000000,100.00,2.00,GHz  cycles_frequency\n"
		  "0.001000000,S0-D0-C1,2,2.00,msec,cpu-clock,2000000,100.00,2.00,CPUs  CPUs_utilized\n"
		  "0.002000000,S0-D0-C0,2,5000000,,instructions,2000000,100.00,1.25,instructions  "
		  "insn_per_cycle\n"
		  "0.002000000,S0-D0-C0,2,4000000,,cpu-cycles,2000000,100.00,2.00,GHz  cycles_frequency\n"
		  "0.002000000,S0-D0-C0,2,2.00,msec,cpu-clock,2000000,100.00,2.00,CPUs  CPUs_utilized\n"
		  "0.002000000,S0-D0-C1,2,1000000,,instructions,2000000,100.00,0.25,instructions  "
		  "insn_per_cycle\n"
		  "0.002000000,S0-D0-C1,2,4000000,,cpu-cycles,2000000,100.00,2.00,GHz  cycles_frequency\n"
		  "0.002000000,S0-D0-C1,2,2.00,msec,cpu-clock,2000000,100.00,2.00,CPUs  CPUs_utilized\n");
}

TEST(what_the_cpu_lacks_has_no_ratio)
{
	struct fake_machine m;

	per_step = four_cpus;
	start(&m, "cycles:u,instructions,branches,branch-misses", NULL, AGGR_GLOBAL);
	end(&m);
	/* cycles:u is not the base of instructions, and without a clock there is no frequency */
	CHECK_STR(printed(&m),
		  "8000000,,cycles:u,8000000,100.00,,\n"
		  "12000000,,instructions,8000000,100.00,,\n"
		  "<not supported>,,branches,0,100.00,,\n"
		  "<not supported>,,branch-misses,0,100.00,,\n");
}

TEST(counters_that_stand_still_derive_nothing)
{
	struct fake_machine m;

	per_step = only_zeros;
	start(&m, "cpu-clock,cycles,instructions,branch-misses,branches", "insn_per_cycle", AGGR_GLOBAL);
	end(&m);
	/* no zeros as if they were measured, such as 0.000 GHz or 0.00 instructions per cycle */
	CHECK_STR(printed(&m),
		  "8.00,msec,cpu-clock,8000000,100.00,4.000,CPUs utilized\n"
		  "<not counted>,,cycles,0,100.00,,\n"
		  "<not counted>,,instructions,0,100.00,,\n"
		  "<not counted>,,branch-misses,0,100.00,,\n"
		  "<not counted>,,branches,0,100.00,,\n"
		  "<not counted>,,instructions,0,100.00,,instructions  insn_per_cycle\n"
		  "<not counted>,,cpu-cycles,0,100.00,,\n");
}

TEST(kinds_of_cores_summed_up_and_apart)
{
	struct fake_machine m;

	per_step = four_cpus;
	two_kinds = true;
	start(&m, "cpu-clock,cycles,instructions", NULL, AGGR_GLOBAL);
	end(&m);
	CHECK_STR(printed(&m),
		  "8.00,msec,cpu-clock,8000000,100.00,4.000,CPUs utilized\n"
		  "16000000,,cycles,8000000,100.00,2.000,GHz\n"
		  "12000000,,instructions,8000000,100.00,0.75,insn per cycle\n");
	start(&m, "instructions,cycles", NULL, AGGR_NONE);
	end(&m);
	CHECK_STR(printed(&m),
		  "CPU2,2000000,,cpu_atom/instructions/,2000000,100.00,0.50,insn per cycle\n"
		  "CPU3,0,,cpu_atom/instructions/,2000000,100.00,0.00,insn per cycle\n"
		  "CPU0,4000000,,cpu_core/instructions/,2000000,100.00,2.00,insn per cycle\n"
		  "CPU1,6000000,,cpu_core/instructions/,2000000,100.00,1.00,insn per cycle\n"
		  "CPU2,4000000,,cpu_atom/cycles/,2000000,100.00,,\n"
		  "CPU3,4000000,,cpu_atom/cycles/,2000000,100.00,,\n"
		  "CPU0,2000000,,cpu_core/cycles/,2000000,100.00,,\n"
		  "CPU1,6000000,,cpu_core/cycles/,2000000,100.00,,\n");
	start(&m, NULL, "insn_per_cycle", AGGR_GLOBAL);
	end(&m);
	CHECK_STR(printed(&m),
		  "12000000,,instructions,8000000,100.00,0.75,instructions  insn_per_cycle\n"
		  "16000000,,cpu-cycles,8000000,100.00,,\n");
	start(&m, NULL, "insn_per_cycle", AGGR_NONE);
	end(&m);
	CHECK_STR(printed(&m),
		  "CPU2,2000000,,cpu_atom/instructions/,2000000,100.00,0.50,instructions  insn_per_cycle\n"
		  "CPU3,0,,cpu_atom/instructions/,2000000,100.00,0.00,instructions  insn_per_cycle\n"
		  "CPU2,4000000,,cpu_atom/cpu-cycles/,2000000,100.00,,\n"
		  "CPU3,4000000,,cpu_atom/cpu-cycles/,2000000,100.00,,\n"
		  "CPU0,4000000,,cpu_core/instructions/,2000000,100.00,2.00,instructions  insn_per_cycle\n"
		  "CPU1,6000000,,cpu_core/instructions/,2000000,100.00,1.00,instructions  insn_per_cycle\n"
		  "CPU0,2000000,,cpu_core/cpu-cycles/,2000000,100.00,,\n"
		  "CPU1,6000000,,cpu_core/cpu-cycles/,2000000,100.00,,\n");
}

static int bind_to(const char *events, const char *list, struct err *err)
{
	const struct stat_metrics_opts o = { .list = list };
	struct evset *set = evset_new();
	struct stat_metrics *m = NULL;
	int ret;

	*err = (struct err)ERR_INIT;
	REQUIRE(!parse_events(set, events, NULL, err));
	ret = stat_metrics_bind(&m, set, set->ev.nr, &o, err);
	stat_metrics_free(m);
	evset_free(set);
	return ret;
}

TEST(metrics_need_what_was_counted)
{
	struct err err;

	CHECK_INT(bind_to("cycles,cs,instructions", "insn_per_cycle", &err), 0);
	CHECK_INT(bind_to("cycles,cs,instructions", "branch_miss_rate", &err), -EINVAL);
	CHECK_STR(err.msg,
		  "metric 'branch_miss_rate' cannot be derived: event 'branch-misses' was not counted");
	/* no ratio of counts with different modifiers, unless the kernel was not counted */
	CHECK_INT(bind_to("cycles:u,instructions", "insn_per_cycle", &err), -EINVAL);
	CHECK_STR(err.msg, "metric 'insn_per_cycle' cannot be derived: event 'cpu-cycles' was not counted");
	CHECK_INT(bind_to("cycles:u,instructions:u", "insn_per_cycle", &err), 0);
}

/* as report does it: the events exist, and are repeated for a second group */
TEST(metrics_of_what_was_counted)
{
	struct stat_metrics_opts mo = { .list = "insn_per_cycle,cycles_frequency" };
	struct fake_machine m;

	per_step = four_cpus;
	start(&m, "cpu-clock,instructions,cpu-cycles,cpu-clock,instructions,cpu-cycles", NULL, AGGR_GLOBAL);
	mo.target = &m.target;
	REQUIRE(!stat_metrics_bind(&m.plan, m.set, 3, &mo, &m.err));
	m.o.plan = m.plan;
	end(&m);
	CHECK_STR(printed(&m),
		  "8.00,msec,cpu-clock,8000000,100.00,,\n"
		  "12000000,,instructions,8000000,100.00,0.75,instructions  insn_per_cycle\n"
		  "16000000,,cpu-cycles,8000000,100.00,2.00,GHz  cycles_frequency\n"
		  "8.00,msec,cpu-clock,8000000,100.00,,\n"
		  "12000000,,instructions,8000000,100.00,0.75,instructions  insn_per_cycle\n"
		  "16000000,,cpu-cycles,8000000,100.00,2.00,GHz  cycles_frequency\n");
}
