/* Unit tests of counting: readings through a scripted read(2), tallies, and the text table. */
#include "test.h"
#include "fake-root.h"
#include "machines.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../../ui/lines.h"
#include "../../util/base/fs.h"
#include "../../util/pmu/parse-events.h"
#include "../../util/stat/default-events.h"
#include "../../util/stat/cpu-location.h"
#include "../../util/stat/pmu-filter.h"
#include "../../util/stat/stat-display.h"
#include "../../util/count/count-batch.h"
#include "../../util/count/count-read.h"
#include "../../util/count/counting.h"

/* what reading a descriptor returns: the words of row n for fd 100 + n */
static struct {
	u64 word[8];
	int nr;		/* words; negative: -errno */
} replies[8];

static long fake_read(int fd, void *buf, size_t size)
{
	int nr = replies[fd - 100].nr;

	if (nr < 0)
		return nr;
	memcpy(buf, replies[fd - 100].word, MIN(nr * sizeof(u64), size));
	return nr * sizeof(u64);
}

static int next_fd, hardware_errno = ENOENT, member_errno;
static int fake_open(const struct pe_attr *a, s32 pid, int cpu, int group_fd, unsigned long flags)
{
	if (a->type == PERF_TYPE_HARDWARE && hardware_errno)
		return -hardware_errno;
	if (a->type == PERF_TYPE_HARDWARE && group_fd >= 0 && member_errno)
		return -member_errno;
	return 100 + next_fd++ % 8;
}

static struct evset *set;
static struct target target;
static struct open_fds fds;
static struct counts counts;
static struct count_reader reader;
static struct err err;

static int try_open(const char *events, u32 nr_cpus)
{
	const struct open_opts o = { .target = &target, .stat = true };
	const struct counting_opts c = { 0 };

	set = evset_new();
	REQUIRE(!parse_events(set, events, NULL, &err));
	target = (struct target){ .kind = TARGET_SYSTEM };
	vec_push(&target.tids, -1);
	vec_push(&target.pids, -1);
	for (u32 i = 0; i < nr_cpus; i++)
		cpulist_add(&target.cpus, i);
	open_set_syscall_for_test(fake_open);
	count_set_read_for_test(fake_read);
	counting_set_attrs(set, &c, target.kind);
	return open_events(&fds, set, &o, &err);
}

static void open_on(const char *events, u32 nr_cpus)
{
	REQUIRE(!try_open(events, nr_cpus));
	count_reader_init(&reader, &fds, set, NULL, false, &counts);
}

TEST(stat_read_single_and_group)
{
	/* opened event by event: cs on CPU 0, CPU 1, then the group's leader, then its member */
	open_on("cs,{page-faults,migrations}", 2);
	CHECK_INT(reader.op.nr, 4);	/* a group is read at once */
	replies[0].nr = replies[1].nr = 3;
	memcpy(replies[0].word, (u64[]){ 7, 100, 100 }, 24);
	memcpy(replies[1].word, (u64[]){ 8, 100, 50 }, 24);
	replies[2].nr = replies[3].nr = 7;
	memcpy(replies[2].word, (u64[]){ 2, 100, 90, 11, 1102, 22, 1104 }, 56);
	memcpy(replies[3].word, (u64[]){ 2, 100, 90, 12, 1103, 23, 1105 }, 56);
	count_read(&reader, &counts);
	CHECK_INT(counts.v[counts_at(&counts, 0, 1, 0)].val, 8);
	CHECK_INT(counts.v[counts_at(&counts, 0, 1, 0)].run, 50);
	CHECK_INT(counts.v[counts_at(&counts, 1, 1, 0)].val, 12);
	CHECK_INT(counts.v[counts_at(&counts, 2, 0, 0)].val, 22);
	CHECK_INT(counts.v[counts_at(&counts, 2, 0, 0)].run, 90);
	/* a CPU that went offline keeps its counts */
	replies[1].nr = -ENODEV;
	replies[2].nr = 2;	/* fewer bytes than a group has */
	count_read(&reader, &counts);
	CHECK_INT(counts.state[counts_at(&counts, 0, 1, 0)], COUNT_GONE);
	CHECK_INT(counts.v[counts_at(&counts, 0, 1, 0)].val, 8);
	CHECK_INT(counts.state[counts_at(&counts, 1, 0, 0)], COUNT_GONE);
}

TEST(stat_read_states)
{
	open_on("cs,cycles,{instructions,page-faults}", 1);
	CHECK_INT(counts.state[0], COUNT_READ);
	CHECK_INT(counts.state[1], COUNT_UNSUPPORTED);
	CHECK_INT(counts.refused[1], ENOENT);
	/* a member does not count without its leader */
	CHECK_INT(counts.state[3], COUNT_UNSUPPORTED);
	CHECK_INT(reader.op.nr, 1);
}

/* the whole text of the file, which is closed; valid until the next call */
static const char *written(int fd)
{
	static struct strbuf text;

	lseek(fd, 0, SEEK_SET);
	strbuf_reset(&text);
	fd_read_all(fd, &text);
	close(fd);
	return strbuf_str(&text);
}

static bool big_num;

/* a table of the counts as they are now, over ns of a command */
static const char *table(const char *what, struct stat_show_opts *o, const struct cpu_location *place, u64 ns)
{
	const struct stat_times times = { .elapsed_ns = ns };
	const struct lines_opts look = { .big_num = big_num };
	struct lines_printer printer;
	struct stat_show *show;
	char path[] = "table.XXXXXX";
	int fd = mkstemp(path);

	REQUIRE(fd >= 0);
	lines_printer_init(&printer, lines_format_find("text"), &look, fd);
	o->sink = &printer.sink;
	o->title = what;
	o->place = place;
	o->target = &target;
	show = stat_show_new(o, set);
	stat_show_run_end(show, &counts, &times);
	REQUIRE(!stat_show_table(show, &err) && !stat_show_finish(show, &err));
	stat_show_free(show);
	lines_printer_release(&printer);
	return written(fd);
}

static void set_count(u32 ev, u32 cpu, u64 val, u64 ena, u64 run)
{
	counts.v[counts_at(&counts, ev, cpu, 0)] = (struct count){ val, ena, run };
}

TEST(stat_text_global)
{
	struct stat_show_opts o = { .mode = AGGR_GLOBAL };

	big_num = true;
	open_on("cs,task-clock", 2);
	set_count(0, 0, 1000000, 1000000000, 1000000000);
	set_count(0, 1, 234567, 1000000000, 1000000000);
	set_count(1, 0, 500000000, 1000000000, 500000000);
	set_count(1, 1, 500000000, 1000000000, 500000000);
	CHECK_STR(table("'system wide'", &o, NULL, 1000000000),
		  "\n Performance counter stats for 'system wide':\n\n"
		  "         1,234,567      cs                               #  617.284 "
		  "K/sec                  \n"
		  "          2,000.00 msec task-clock                       #    2.000 CPUs "
		  "utilized            (50.00%)\n"
		  "\n       1.000000000 seconds time elapsed\n\n");
}

/*
 * two readings, the first of which took from 0.9 to 1.1 ms; the counters were busy all the time
 * until they were read
 */
static const char *busy_intervals(struct stat_show_opts *o, const char *output, bool clear)
{
	const struct lines_opts look = { .separator = ",", .clear = clear };
	int fd = open("out", O_CREAT | O_TRUNC | O_RDWR, 0600);
	struct lines_printer printer;
	struct stat_show *show;

	lines_printer_init(&printer, lines_format_find(output), &look, fd);
	*o = (struct stat_show_opts){ .mode = AGGR_GLOBAL, .intervals = true, .sink = &printer.sink,
				      .cgroup = o->cgroup };
	show = stat_show_new(o, set);
	set_count(0, 0, 900000, 900000, 900000);
	set_count(0, 1, 950000, 950000, 950000);
	REQUIRE(!stat_show_interval(show, &counts, 900000, 1100000, &err));
	set_count(0, 0, 1900000, 1900000, 1900000);
	set_count(0, 1, 1950000, 1950000, 1950000);
	REQUIRE(!stat_show_interval(show, &counts, 1900000, 2000000, &err));
	stat_show_free(show);
	lines_printer_release(&printer);
	return written(fd);
}

TEST(stat_cleared_screens_have_their_heading)
{
	const char *want = "\033[H\033[2J#           time             counts unit events\n     0.001100000 ",
			*second;
	struct stat_show_opts o = { 0 };

	open_on("cs", 2);
	second = strstr(busy_intervals(&o, "text", true) + 1, "\033[H\033[2J#           time");
	CHECK(second && !strncmp(busy_intervals(&o, "text", true), want, strlen(want)));
}

TEST(stat_intervals_no_more_cpus_than_there_are)
{
	struct stat_show_opts o = { 0 };

	open_on("cpu-clock", 2);
	CHECK_STR(busy_intervals(&o, "separated", false),
				      "0.001100000,1.85,msec,cpu-clock,1850000,100.00,1.682,CPUs utilized\n"
				      "0.002000000,2.00,msec,cpu-clock,2000000,100.00,2.000,CPUs utilized\n");
	o.cgroup = (const char *const[]){ "/" };
	CHECK(strstr(busy_intervals(&o, "separated", false), "2000000,100.00,2.000,CPUs utilized\n"));
	o.cgroup = NULL;
	counts.cpu[0] = -1;	/* tasks: their counters do not measure the time between readings */
	CHECK_STR(busy_intervals(&o, "separated", false),
				      "0.001100000,1.85,msec,cpu-clock,1850000,100.00,1.682,CPUs utilized\n"
				      "0.002000000,2.00,msec,cpu-clock,2000000,100.00,1.818,CPUs utilized\n");
}

TEST(stat_text_by_core)
{
	static const struct cpu_location place[] = { { .cpu = 0, .core = 1, .node = 0 },
						     { .cpu = 1, .core = 0, .node = 1 } };
	struct stat_show_opts o = { .mode = AGGR_CORE };

	fs_set_root(".");	/* no PMU, whatever this machine has */
	open_on("cs,cycles", 2);
	set_count(0, 0, 10, 5, 5);
	set_count(0, 1, 0, 0, 0);
	CHECK_STR(table("'system wide'", &o, place, 2500000),
		  "\n Performance counter stats for 'system wide':\n\n"
		  "S0-D0-C0           1      <not counted>      "
		  "cs                                                          \n"
		  "S0-D0-C0           0    <not supported>      "
		  "cycles                                                      \n"
		  "S0-D0-C1           1                 10      "
		  "cs                                                                 \n"
		  "S0-D0-C1           0    <not supported>      "
		  "cycles                                                      \n"
		  "\n       0.002500000 seconds time elapsed\n\n"
		  " event 'cycles' is not supported: this machine has no hardware counters (virtual machines "
		  "often have none)\n\n");
}

/* ---- what a PMU may do ---- */

static const char *hardware_table(const char *events)
{
	struct stat_show_opts o = { .mode = AGGR_GLOBAL };

	hardware_errno = 0;
	open_on(events, 1);
	count_read(&reader, &counts);
	return table("'x'", &o, NULL, 1000000000);
}

static void reply(int nth, u64 val, u64 ena, u64 run)
{
	replies[nth].nr = 3;
	memcpy(replies[nth].word, (u64[]){ val, ena, run }, 24);
}

TEST(stat_multiplexed)
{
	const char *text;

	reply(0, 1000, 1000, 250);
	reply(1, 3, 1000000, 100);
	text = hardware_table("cycles,instructions");
	CHECK(strstr(text, "\n              4000      cycles "));
	CHECK(strstr(text, "  (25.00%)\n"));
	CHECK(strstr(text, "not reliable: instructions\n"));
}

/* as --for-each-cgroup has it: an event again and again */
TEST(stat_notes_say_each_name_once)
{
	struct stat_show_opts o = { .mode = AGGR_GLOBAL };

	open_on("cycles,instructions,cs,cycles,instructions,cs", 1);
	CHECK(strstr(table("'x'", &o, NULL, 1000000000), "; the same: instructions\n"));
}

TEST(stat_starved_group)
{
	const char *text;

	fake_file("/proc/sys/kernel/nmi_watchdog", "1\n");
	replies[0].nr = 7;
	memcpy(replies[0].word, (u64[]){ 2, 1000, 0, 0, 1, 0, 2 }, 56);
	reply(2, 0, 1000, 0);
	text = hardware_table("{cycles,instructions},branches");
	CHECK(strstr(text, "<not counted>      cycles "));
	CHECK(strstr(text, "group {cycles, instructions} was never on the counters as a whole"));
	CHECK(strstr(text, "NMI watchdog"));
	CHECK(strstr(text, "never counted, because other events used the counters all the time: branches"));
}

/* the probe reads the same descriptors: none of them moves */
TEST(stat_counters_stand_still)
{
	const char *text;

	for (int i = 0; i < 8; i++)
		reply(i, 0, 1000, 1000);
	text = hardware_table("cycles,branch-misses,cs");
	CHECK(strstr(text, "<not counted>      cycles "));
	CHECK(strstr(text, "<not counted>      branch-misses "));
	CHECK(strstr(text, "                 0      cs "));
	CHECK(strstr(text, "do not count"));
}

TEST(stat_measured_zero)
{
	const char *text;

	reply(0, 7, 1000, 1000);
	reply(1, 0, 1000, 1000);
	reply(2, 7, 1000, 1000);	/* the probe's cycles move */
	text = hardware_table("cycles,branch-misses");
	CHECK(strstr(text, "                 0      branch-misses "));
	CHECK(!strstr(text, "do not count"));
}

TEST(stat_open_refusals)
{
	/* one that does not fit is left out alone, with its group's sentence */
	hardware_errno = 0;
	member_errno = EINVAL;
	open_on("{cycles,instructions},cs", 1);
	CHECK_INT(counts.state[0], COUNT_READ);
	CHECK_INT(counts.state[1], COUNT_UNSUPPORTED);
	CHECK_INT(counts.refused[1], EINVAL);
	count_reader_release(&reader);
	/* a weak group is split */
	member_errno = EINVAL;
	open_on("{cycles,instructions}:W", 1);
	CHECK_INT(counts.state[1], COUNT_READ);
	CHECK_INT(evset_at(set, 1)->leader, 1);
	CHECK_INT(reader.op.nr, 2);
	/* precision has no effect on counting, but the user asked for it */
	hardware_errno = EOPNOTSUPP;
	open_on("cycles,cs", 1);
	CHECK_INT(counts.refused[0], EOPNOTSUPP);
	/* other programs use all counters: nothing is counted */
	hardware_errno = EBUSY;
	CHECK_INT(try_open("cycles", 1), -EBUSY);
	CHECK(strstr(err.msg, "in use by someone else"));
}

TEST(stat_merge_pmus)
{
	struct tallies t;
	struct aggr a;
	u32 *first;

	fake_pmu("uncore_imc_0", "20", "cpumask=0", "format/event=config:0-7", "events/reads=event=0x4",
		 NULL);
	fake_pmu("uncore_imc_1", "21", "cpumask=0", "format/event=config:0-7", "events/reads=event=0x4",
		 NULL);
	open_on("uncore_imc/reads/,uncore_imc/reads/", 2);
	REQUIRE(set->ev.nr == 4);
	for (u32 e = 0; e < 4; e++) {
		CHECK_INT(counts.state[counts_at(&counts, e, 0, 0)], COUNT_READ);
		CHECK_INT(counts.state[counts_at(&counts, e, 1, 0)], COUNT_ABSENT);
		set_count(e, 0, e + 1, 1, 1);
	}
	first = tally_merging(set, false);
	aggr_init(&a, AGGR_GLOBAL, &counts, NULL, NULL);
	tallies_init(&t, &a, &counts, set, first, true);
	/* each -e by itself: 1 + 2 and 3 + 4 */
	CHECK_INT(first[1], 0);
	CHECK_INT(first[3], 2);
	CHECK_INT(tally_at(&t, 0, 0)->val, 3);
	CHECK_INT(tally_at(&t, 2, 0)->val, 7);
	CHECK_INT(tally_at(&t, 0, 0)->nr, 2);
	tallies_release(&t);
	free(first);
	first = tally_merging(set, true);
	CHECK_INT(first[1], 1);
	free(first);
	aggr_release(&a);
}

TEST(stat_runs_mean)
{
	struct tally_runs r = { 0 };
	struct tally v = { .state = COUNT_READ, .ena = 1, .run = 1 };
	struct tallies t = { .nr_events = 1, .nr_ids = 1, .v = &v };

	v.scaled = v.val = 2;
	tally_runs_add(&r, &t);
	v.scaled = v.val = 4;
	tally_runs_add(&r, &t);
	tally_runs_mean(&r, &t);
	CHECK(v.scaled == 3 && v.val == 3);
	CHECK(v.stddev == 1);	/* sample deviation sqrt(2), of the mean of two: 1 */
	tally_runs_release(&r);
}

TEST(stat_batches)
{
	struct strbuf list = STRBUF_INIT;
	struct count_batch b;

	for (int i = 0; i < 250; i++)
		strbuf_addf(&list, "%s%s", i ? "," : "",
			    i == 20 ? "cycles" : i == 21 ? "{cs,page-faults}" : "cs");
	set = evset_new();
	REQUIRE(!parse_events(set, list.buf, NULL, &err));
	REQUIRE(set->ev.nr == 251);
	count_batch_begin(&b, set);
	CHECK_INT(evset_at(set, 19)->leader, 0);
	CHECK_INT(evset_at(set, 20)->leader, 20);	/* a counter of the CPU stays outside of groups */
	CHECK_INT(evset_at(set, 22)->leader, 21);	/* and a group as it was */
	CHECK_INT(evset_at(set, 23)->leader, 23);
	CHECK_INT(evset_at(set, 222)->leader, 23);
	CHECK_INT(evset_at(set, 223)->leader, 223);
	CHECK(count_batch_leads(&b, set, 0) && count_batch_leads(&b, set, 23));
	CHECK(!count_batch_leads(&b, set, 21) && !count_batch_leads(&b, set, 20));
	count_batch_end(&b, set);
	for (u32 i = 0; i < 251; i++)
		CHECK_INT(evset_at(set, i)->leader, i == 22 ? 21 : i);
	strbuf_release(&list);
}

TEST(stat_percore)
{
	/* CPUs 0 and 2 are one core */
	static const struct cpu_location place[] = { { .cpu = 0 }, { .cpu = 1, .core = 1 }, { .cpu = 2 } };
	struct stat_show_opts o = { .mode = AGGR_NONE };

	open_on("cs/percore/,cs", 3);
	for (u32 cpu = 0; cpu < 3; cpu++)
		for (u32 e = 0; e < 2; e++)
			set_count(e, cpu, 10 * (cpu + 1), 5, 5);
	CHECK_STR(table("'system wide'", &o, place, 1000),
		  "\n Performance counter stats for 'system wide':\n\n"
		  "S0-D0-C0                   40      "
		  "cs/percore/                                                        \n"
		  "S0-D0-C1                   20      "
		  "cs/percore/                                                        \n"
		  "CPU0                       10      "
		  "cs                                                                 \n"
		  "CPU1                       20      "
		  "cs                                                                 \n"
		  "CPU2                       30      "
		  "cs                                                                 \n"
		  "\n       0.000001000 seconds time elapsed\n\n");
	o.percore_show_thread = true;
	CHECK_STR(table("'system wide'", &o, place, 1000),
		  "\n Performance counter stats for 'system wide':\n\n"
		  "CPU0                       40      "
		  "cs/percore/                                                        \n"
		  "CPU1                       20      "
		  "cs/percore/                                                        \n"
		  "CPU2                       40      "
		  "cs/percore/                                                        \n"
		  "CPU0                       10      "
		  "cs                                                                 \n"
		  "CPU1                       20      "
		  "cs                                                                 \n"
		  "CPU2                       30      "
		  "cs                                                                 \n"
		  "\n       0.000001000 seconds time elapsed\n\n");
}

TEST(stat_hybrid)
{
	struct stat_show_opts o = { .mode = AGGR_GLOBAL };
	const char *text;

	fake_pmu("cpu_core", "4", "cpus=0", "format/event=config:0-7", NULL);
	fake_pmu("cpu_atom", "10", "cpus=1", "format/event=config:0-7", NULL);
	hardware_errno = 0;
	open_on("cycles,instructions:u", 2);
	REQUIRE(set->ev.nr == 4);
	for (u32 e = 0; e < 4; e++)
		set_count(e, 1 - (e & 1), 1000 * (e + 1), 5, 5);	/* cpu_atom comes first */
	text = table("'x'", &o, NULL, 1000);
	CHECK(strstr(text, "\n              3000      cycles "));
	CHECK(strstr(text, "\n              7000      instructions:u "));
	CHECK(!strstr(text, "cpu_"));
	o.no_merge = true;
	text = table("'x'", &o, NULL, 1000);
	CHECK(strstr(text, "\n              2000      cpu_core/cycles/ "));
	CHECK(strstr(text, "\n              3000      cpu_atom/instructions/u "));
	/* on each CPU the event of its kind of core */
	o.mode = AGGR_NONE;
	text = table("'x'", &o, (struct cpu_location[]){ { .cpu = 0 }, { .cpu = 1 } }, 1000);
	CHECK(strstr(text, "\nCPU0                     2000      cpu_core/cycles/ "));
	CHECK(strstr(text, "\nCPU1                     1000      cpu_atom/cycles/ "));
	CHECK(!strstr(text, "CPU1                     2000"));
}

/* energy of a package, which both of its CPUs show, is counted once */
TEST(stat_per_package)
{
	static const struct cpu_location place[] = { { .cpu = 0 }, { .cpu = 1 }, { .cpu = 2, .socket = 1 } };
	struct stat_show_opts o = { .mode = AGGR_SOCKET };
	const char *text;

	fake_pmu("power", "20", "format/event=config:0-7", "events/energy-pkg=event=0x2",
		 "events/energy-pkg.per-pkg=1", "events/energy-pkg.unit=Joules",
		 "events/energy-pkg.scale=0.5", NULL);
	open_on("power/energy-pkg/", 3);
	REQUIRE(evset_at(set, 0)->per_pkg);
	for (u32 cpu = 0; cpu < 3; cpu++)
		set_count(0, cpu, 9 + cpu, 5, 5);
	text = table("'x'", &o, place, 1000);
	CHECK(strstr(text, "\nS0        1               4.50 Joules power/energy-pkg/ "));
	CHECK(strstr(text, "\nS1        1               5.50 Joules power/energy-pkg/ "));
}

TEST(stat_pmu_filter)
{
	fake_pmu("cpu_core", "4", "cpus=0", "format/event=config:0-7", NULL);
	fake_pmu("cpu_atom", "10", "cpus=1", "format/event=config:0-7", NULL);
	fake_pmu("uncore_imc_0", "11", "format/event=config:0-7", NULL);
	set = evset_new();
	REQUIRE(!parse_events(set, "cs,cycles,{cpu_atom/instructions/,cpu_atom/cycles/}", NULL, &err));
	REQUIRE(set->ev.nr == 5);
	REQUIRE(!stat_pmu_filter(set, "core", &err));
	REQUIRE(set->ev.nr == 4);
	CHECK_STR(evset_at(set, 1)->pmu, "cpu_core");
	CHECK_INT(evset_at(set, 3)->leader, 2);
	CHECK_INT(stat_pmu_filter(set, "uncore_imc_0", &err), -ENODEV);
	CHECK_STR(err.msg,
		  "event 'cycles' is not counted by a PMU called 'uncore_imc_0' (one that does: cpu_core)");
	/* also where every event has one PMU only */
	CHECK_INT(stat_pmu_filter(set, "cpu_big", &err), -ENODEV);
	CHECK_STR(err.msg, "this machine has no PMU called 'cpu_big' ('perf list pmu' shows those it has)");
}

TEST(stat_group_without_leader)
{
	struct stat_show_opts o = { .mode = AGGR_GLOBAL };
	const char *text;

	open_on("{cycles,cs},page-faults", 1);
	set_count(2, 0, 3, 5, 5);
	text = table("'x'", &o, NULL, 1000);
	CHECK(strstr(text, "<not supported>      cs "));
	CHECK(strstr(text, "\n event 'cs' is in a group with 'cycles', which is not supported"));
	CHECK(strstr(text, "                 3      page-faults "));
}

/* ---- machines that are not here ---- */

static long read_million(int fd, void *buf, size_t size)
{
	memcpy(buf, (u64[]){ 1000000, 1000000000, 1000000000 }, 24);
	return 24;
}

static const char *machine_table(enum machine m, const char *events, enum aggr_mode mode, bool no_merge)
{
	struct stat_show_opts o = { .mode = mode, .no_merge = no_merge };
	const struct open_opts opts = { .target = &target, .stat = true };
	const struct counting_opts c = { 0 };
	const struct parse_events_opts parse = { .no_tracefs = true };
	static struct arena arena;

	machine_boot(m);
	for (int cpu = 0; m == MACHINE_INTEL_SERVER && cpu < 8; cpu++) {
		char path[96];

		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/topology/physical_package_id",
			 cpu);
		fake_file(path, cpu < 4 ? "0\n" : "1\n");
	}
	count_set_read_for_test(read_million);
	set = evset_new();
	if (events)
		REQUIRE(!parse_events(set, events, &parse, &err));
	else
		REQUIRE(!stat_default_events(set, 0, true, &err));
	target = (struct target){ .kind = TARGET_SYSTEM };
	vec_push(&target.tids, -1);
	vec_push(&target.pids, -1);
	REQUIRE(!cpulist_parse(&target.cpus, machine_cpus(m), &err));
	counting_set_attrs(set, &c, target.kind);
	REQUIRE(!open_events(&fds, set, &opts, &err));
	count_reader_init(&reader, &fds, set, NULL, false, &counts);
	count_read(&reader, &counts);
	return table("'x'", &o, places_of_cpus(&arena, counts.cpu, counts.nr_cpus, 0), 1000000000);
}

TEST(stat_machine_hybrid)
{
	const char *text = machine_table(MACHINE_INTEL_HYBRID, NULL, AGGR_GLOBAL, false);

	/* 4 CPUs of each kind */
	CHECK(strstr(text, "           8000000      cycles "));
	CHECK(strstr(text,
		     "           8000000      instructions                     #    1.00  insn per cycle"));
	CHECK(!strstr(text, "cpu_core"));
	CHECK(!strstr(text, "not supported"));
	text = machine_table(MACHINE_INTEL_HYBRID, "cycles,cpu_atom/instructions/", AGGR_NONE, true);
	CHECK(strstr(text, "CPU0                  1000000      cpu_core/cycles/ "));
	CHECK(!strstr(text, "CPU0                  1000000      cpu_atom"));
	CHECK(!strstr(text, "not counted"));
}

TEST(stat_machine_server)
{
	const char *text = machine_table(MACHINE_INTEL_SERVER, "uncore_imc/event=1/,cycles", AGGR_SOCKET,
					 false);

	/* two memory controllers, each read on one CPU of a package; 4 CPUs */
	CHECK(strstr(text, "S0        2            2000000      uncore_imc/event=1/ "));
	CHECK(strstr(text, "S0        4            4000000      cycles "));
	CHECK(strstr(text, "S1        4            4000000      cycles "));
	text = machine_table(MACHINE_INTEL_SERVER, "uncore_imc/event=1/", AGGR_GLOBAL, true);
	CHECK(strstr(text, "           2000000      uncore_imc_0/event=1/ "));
	CHECK(strstr(text, "           2000000      uncore_imc_1/event=1/ "));
}

TEST(stat_machine_arm_clusters)
{
	const char *text = machine_table(MACHINE_ARM_CLUSTERS, NULL, AGGR_GLOBAL, false);

	CHECK(strstr(text, "           6000000      cycles "));
}

TEST(stat_machine_s390)
{
	CHECK(strstr(machine_table(MACHINE_S390, NULL, AGGR_GLOBAL, false),
		     "           2000000      cycles "));
}

TEST(stat_machine_vm)
{
	const char *text = machine_table(MACHINE_VM, NULL, AGGR_GLOBAL, false);

	CHECK(strstr(text, "           2000000      context-switches "));
	CHECK(strstr(text, "   <not supported>      cycles "));
	CHECK(strstr(text, "no hardware counters (virtual machines often have none); the same: instructions, "
		     "branches, branch-misses\n"));
}

TEST(stat_hybrid_unsupported)
{
	struct stat_show_opts o = { .mode = AGGR_GLOBAL };

	fake_pmu("cpu_core", "4", "cpus=0", "format/event=config:0-7", NULL);
	fake_pmu("cpu_atom", "10", "cpus=1", "format/event=config:0-7", NULL);
	open_on("cycles,instructions:u", 2);
	/* once, and as the user called them */
	CHECK(strstr(table("'x'", &o, NULL, 1000),
		     "\n\n event 'cycles' is not supported by this CPU; the same: instructions:u\n\n"));
}
