/* Unit tests of opening events, against a scripted perf_event_open. */
#include "test.h"
#include "err-text.h"
#include "fake-root.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include "../../util/pmu/parse-events.h"
#include "../../util/kernel/open.h"
#include "../../util/observe/sample-attr.h"

/* a kernel: what it refuses */
static struct {
	u64 unknown_flags, unknown_sample, unknown_read, unknown_branch;	/* EINVAL */
	bool no_inherited_reads;	/* EINVAL for PERF_SAMPLE_READ of what is inherited, in groups */
	bool no_hardware_clock;		/* EINVAL for a clock of hardware events */
	bool no_hardware;	/* ENOENT */
	u32 max_precise;	/* EOPNOTSUPP above */
	bool user_only;		/* EACCES for the kernel */
	int errnum;		/* of everything */
	s32 dead_tid;		/* ESRCH */
	bool no_group_cache;	/* EINVAL for members of groups of type HW_CACHE */
	int next_fd, opened, max_fds;
	int for_all;		/* was asked for all tasks of a CPU, without inheritance and not at exec */
} kernel;

static int fake_open(const struct pe_attr *a, s32 pid, int cpu, int group_fd, unsigned long flags)
{
	if (a->size != attr_size_needed(a) && a->size < attr_size_needed(a))
		return -E2BIG;
	if (kernel.errnum)
		return -kernel.errnum;
	if ((a->flags & kernel.unknown_flags) || (a->sample_type & kernel.unknown_sample) ||
	    (a->read_format & kernel.unknown_read) || (a->branch_sample_type & kernel.unknown_branch))
		return -EINVAL;
	if (kernel.no_inherited_reads && (a->flags & ATTR_INHERIT) && (a->sample_type & PERF_SAMPLE_READ))
		return -EINVAL;
	if (kernel.no_hardware_clock && (a->flags & ATTR_USE_CLOCKID) && a->type == PERF_TYPE_HARDWARE)
		return -EINVAL;
	if (kernel.no_hardware && a->type == PERF_TYPE_HARDWARE)
		return -ENOENT;
	if (a->type == PERF_TYPE_HARDWARE && attr_precise(a) > kernel.max_precise)
		return -EOPNOTSUPP;
	if (kernel.user_only && !(a->flags & ATTR_EXCLUDE_KERNEL))
		return -EACCES;
	if (kernel.no_group_cache && a->type == PERF_TYPE_HW_CACHE && group_fd >= 0)
		return -EINVAL;
	if (pid && pid == kernel.dead_tid)
		return -ESRCH;
	kernel.opened++;
	kernel.for_all += pid == -1 && cpu >= 0 &&
			  !(a->flags & (ATTR_INHERIT | ATTR_DISABLED | ATTR_ENABLE_ON_EXEC));
	return 100 + kernel.next_fd++;
}

static struct evset *set;
static struct target target;
static struct open_fds fds;
static struct strbuf notes;
static struct err err;
static const char *paranoid = "2\n";	/* NULL: there is no such file */

static bool last_for_all;	/* the last event is to be opened for all tasks */

/* parses, configures as record does, and opens on two CPUs and the given threads */
static int try(const char *events, const struct sample_attr_opts *o, enum target_kind kind, s32 tid, s32 tid2)
{
	struct open_opts opts = { .target = &target, .notes = &notes };

	if (paranoid)
		fake_file("/proc/sys/kernel/perf_event_paranoid", paranoid);
	open_set_syscall_for_test(fake_open);
	set = evset_new();
	REQUIRE(!parse_events(set, events, NULL, &err));
	evset_at(set, set->ev.nr - 1)->all_tasks = last_for_all;
	target = (struct target){ .kind = kind };
	vec_push(&target.tids, tid);
	vec_push(&target.pids, tid);
	if (tid2) {
		vec_push(&target.tids, tid2);
		vec_push(&target.pids, tid2);
	}
	cpulist_add(&target.cpus, 0);
	cpulist_add(&target.cpus, 1);
	REQUIRE(!sample_attr_config(set, o, &target, &notes, &err));
	return open_events(&fds, set, &opts, &err);
}

static const struct sample_attr_opts plain;

TEST(matrix_and_ids)
{
	kernel.max_precise = 3;
	REQUIRE(!try("cycles,cs", &plain, TARGET_TASKS, 10, 11));
	CHECK_INT(fds.nr_events, 2);
	CHECK_INT(fds.nr_cpus, 2);
	CHECK_INT(fds.nr_threads, 2);
	CHECK_INT(kernel.opened, 8);
	CHECK_INT(fds.fd[open_at(&fds, 1, 0, 0)], 104);
	REQUIRE(!open_read_ids(&fds, set, &err));
	CHECK_INT(evset_at(set, 1)->nr_ids, 4);
	CHECK(evset_by_id(set, 1104) == evset_at(set, 1));
	CHECK_STR(strbuf_str(&notes), "");
	open_release(&fds);
}

TEST(event_for_all_tasks_beside_those_of_tasks)
{
	last_for_all = true;
	REQUIRE(!try("faults,cs", &plain, TARGET_WORKLOAD, 10, 11));
	CHECK_INT(kernel.opened, 4 + 2);
	CHECK_INT(kernel.for_all, 2);
	CHECK_INT(fds.fd[open_at(&fds, 1, 0, 1)], -1);
	CHECK(fds.fd[open_at(&fds, 1, 1, 0)] >= 0);
	open_release(&fds);
}

TEST(smallest_attr_size)
{
	struct pe_attr a = { .type = 1 };

	CHECK_INT(attr_size_needed(&a), 64);
	a.config2 = 1;
	CHECK_INT(attr_size_needed(&a), 72);
	a.clockid = 1;
	CHECK_INT(attr_size_needed(&a), 96);
	a.sample_max_stack = 1;
	CHECK_INT(attr_size_needed(&a), 112);
	a.config4 = 1;
	CHECK_INT(attr_size_needed(&a), 144);
	REQUIRE(!try("cpu-clock/max-stack=3,call-graph=fp/,cs", &plain, TARGET_TASKS, 10, 0));
	CHECK_INT(evset_at(set, 0)->attr.size, 112);
	CHECK_INT(evset_at(set, 1)->attr.size, 112);
}

TEST(old_kernel_loses_only_what_it_lacks)
{
	const struct sample_attr_opts o = { .namespaces = true,
					    .sample = { [ABI_SAMPLE_NR_WEIGHT_STRUCT] = true } };

	kernel.unknown_flags = ATTR_BUILD_ID | ATTR_NAMESPACES;
	kernel.unknown_read = PERF_FORMAT_LOST;
	kernel.unknown_sample = PERF_SAMPLE_WEIGHT_STRUCT;
	REQUIRE(!try("cs,faults", &o, TARGET_TASKS, 10, 0));
	CHECK(!(evset_at(set, 0)->attr.flags & (ATTR_BUILD_ID | ATTR_NAMESPACES)));
	CHECK(evset_at(set, 0)->attr.flags & ATTR_BPF_EVENT);
	CHECK(evset_at(set, 0)->attr.flags & ATTR_MMAP2);
	CHECK_U64(evset_at(set, 1)->attr.read_format, PERF_FORMAT_ID);
	CHECK(evset_at(set, 1)->attr.sample_type & PERF_SAMPLE_WEIGHT);
	CHECK_STR(strbuf_str(&notes),
		  "this kernel is too old (linux 4.12 is needed): namespaces (--namespaces) are left out\n");
}

TEST(very_old_kernel)
{
	kernel.unknown_flags = ~0ull << 22;
	kernel.unknown_read = PERF_FORMAT_LOST;
	kernel.unknown_sample = PERF_SAMPLE_IDENTIFIER;
	REQUIRE(!try("cs,cpu-clock:S", &plain, TARGET_SYSTEM, -1, 0));
	CHECK(evset_at(set, 0)->attr.sample_type & PERF_SAMPLE_ID);
	CHECK(!(evset_at(set, 0)->attr.sample_type & PERF_SAMPLE_IDENTIFIER));
	CHECK_INT(kernel.opened > 0, 1);
}

TEST(refusals_that_no_feature_explains_change_nothing)
{
	kernel.errnum = EINVAL;
	CHECK_INT(try("cs", &plain, TARGET_TASKS, 10, 0), -EINVAL);
	CHECK_STR(err_text(&err), "the kernel refuses event 'cs' as invalid\n"
		  "Hint: -vv shows the attributes; dmesg may say more");
	CHECK(!fds.fd);
}

TEST(cycles_become_cpu_clock)
{
	kernel.no_hardware = true;
	REQUIRE(!try("cycles:P,cycles:upp,cycles/name=foo/", &plain, TARGET_TASKS, 10, 0));
	CHECK_STR(evset_at(set, 0)->name, "cpu-clock");
	CHECK_STR(evset_at(set, 1)->name, "cpu-clock:u");
	CHECK_STR(evset_at(set, 2)->name, "foo");
	CHECK_INT(evset_at(set, 0)->attr.type, PERF_TYPE_SOFTWARE);
	CHECK_INT(attr_precise(&evset_at(set, 1)->attr), 0);
	CHECK(evset_at(set, 1)->attr.flags & ATTR_EXCLUDE_KERNEL);
	CHECK_STR(strbuf_str(&notes), "no hardware counter for 'cycles' here (a virtual machine without "
		  "PMU?): using cpu-clock\n");
}

TEST(no_such_counter)
{
	kernel.no_hardware = true;
	CHECK_INT(try("instructions", &plain, TARGET_TASKS, 10, 0), -ENOENT);
	CHECK_STR(err_text(&err), "event 'instructions' is not supported: "
		  "this machine has no hardware counters (virtual machines often have none)\n"
		  "Hint: this works now: software events and tracepoints, like -e cpu-clock");
}

TEST(what_the_machine_lacks_is_left_out)
{
	kernel.no_hardware = true;
	REQUIRE(!try("instructions,{branches,cs,faults}:S,cpu-clock", &plain, TARGET_WORKLOAD, 10, 0));
	REQUIRE(set->ev.nr == 3);
	CHECK_STR(evset_at(set, 0)->name, "cs");
	CHECK_INT(evset_at(set, 1)->leader, 0);
	CHECK_INT(evset_at(set, 2)->leader, 2);
	CHECK_INT(evset_at(set, 2)->idx, 2);
	CHECK(evset_at(set, 0)->attr.flags & ATTR_MMAP2);
	CHECK(evset_at(set, 0)->attr.flags & ATTR_ENABLE_ON_EXEC);
	CHECK_U64(evset_at(set, 0)->attr.sample_period, 4000);
	CHECK_INT(fds.nr_events, 3);
	CHECK_INT(kernel.opened, 6);
	CHECK(strstr(strbuf_str(&notes), "event 'branches' is not supported: "
		     "this machine has no hardware counters (virtual machines often have none): left out\n"));
}

TEST(precision_goes_down)
{
	kernel.max_precise = 1;
	REQUIRE(!try("cycles:P,cycles:ppp", &plain, TARGET_TASKS, 10, 0));
	CHECK_INT(attr_precise(&evset_at(set, 0)->attr), 1);
	CHECK_INT(attr_precise(&evset_at(set, 1)->attr), 1);
	CHECK_STR(strbuf_str(&notes), "'cycles:ppp': using precision 1 instead of 3: "
		  "the CPU does not support more for this event\n");
}

TEST(user_space_only)
{
	kernel.user_only = true;
	REQUIRE(!try("cs,faults:p", &plain, TARGET_TASKS, 10, 0));
	CHECK_STR(evset_at(set, 0)->name, "cs:u");
	CHECK_STR(evset_at(set, 1)->name, "faults:pu");
	CHECK(evset_at(set, 1)->attr.flags & ATTR_EXCLUDE_HV);
	CHECK_STR(strbuf_str(&notes), "kernel.perf_event_paranoid is 2: only user space is measured (:u)\n");
}

TEST(not_permitted)
{
	kernel.errnum = EACCES;
	fake_file("/proc/self/status", "Name:\tperf\nCapEff:\t0000000000000000\n");
	CHECK_INT(try("cs:k", &plain, TARGET_TASKS, 10, 0), -EACCES);
	CHECK(strstr(err_text(&err), "no permission for event 'cs:k': "
		     "measuring the kernel needs CAP_PERFMON, because kernel.perf_event_paranoid is 2"));
	CHECK(strstr(err_text(&err), "\nHint: this works now: -e cs:u\n"));
	CHECK(strstr(err_text(&err), "sysctl kernel.perf_event_paranoid=1"));
	CHECK_STR(strbuf_str(&notes), "");
	CHECK_INT(try("cs", &plain, TARGET_SYSTEM, -1, 0), -EACCES);
	CHECK(strstr(err_text(&err), "measuring whole CPUs (-a, -C)"));
	CHECK(strstr(err_text(&err), "sysctl kernel.perf_event_paranoid=0"));
}

TEST(no_call)
{
	kernel.errnum = ENOSYS;
	CHECK_INT(try("cs", &plain, TARGET_TASKS, 10, 0), -ENOSYS);
	CHECK(strstr(err_text(&err), "a container or sandbox forbids the call (seccomp)"));
	CHECK(strstr(err_text(&err), "--cap-add PERFMON"));
}

TEST(what_needs_a_capability_of_its_own)
{
	kernel.errnum = EACCES;
	fake_file("/proc/self/status", "Name:\tperf\nCapEff:\t0000000000000000\n");
	CHECK_INT(try("cs:u", &(struct sample_attr_opts){ .namespaces = true }, TARGET_TASKS, 10, 0),
		  -EACCES);
	CHECK(strstr(err_text(&err),
		     "(--namespaces) needs CAP_PERFMON, whatever kernel.perf_event_paranoid is (here 2)"));
	CHECK(strstr(err_text(&err), "this works now: the same without --namespaces"));
}

TEST(forbidden_although_allowed)
{
	kernel.errnum = EPERM;
	fake_file("/proc/self/status", "Name:\tperf\nCapEff:\t0000004000000000\n");
	CHECK_INT(try("cs", &plain, TARGET_SYSTEM, -1, 0), -EPERM);
	CHECK(strstr(err_text(&err), "a security module, a seccomp filter (containers) or lockdown refuses"));
}

TEST(threads_that_end_leave_holes)
{
	kernel.dead_tid = 11;
	REQUIRE(!try("cs", &plain, TARGET_TASKS, 10, 11));
	CHECK(fds.fd[open_at(&fds, 0, 0, 0)] >= 0);
	CHECK_INT(fds.fd[open_at(&fds, 0, 0, 1)], -1);
	REQUIRE(!open_read_ids(&fds, set, &err));
	CHECK_INT(evset_at(set, 0)->nr_ids, 2);
	open_release(&fds);
	CHECK_INT(try("cs", &plain, TARGET_TASKS, 11, 0), -ESRCH);
	CHECK_STR(err_text(&err), "process or thread 11 has ended");
}

TEST(weak_groups_are_split)
{
	kernel.max_precise = 3;
	kernel.no_group_cache = true;
	CHECK_INT(try("{cycles,LLC-loads}", &plain, TARGET_TASKS, 10, 0), -EINVAL);
	CHECK(strstr(err_text(&err), "does not fit into the group of 'cycles'"));
	REQUIRE(!try("{cycles,LLC-loads}:W", &plain, TARGET_TASKS, 10, 0));
	CHECK_INT(evset_at(set, 1)->leader, 1);
	CHECK(evset_at(set, 1)->attr.flags & ATTR_DISABLED);
}

TEST(every_refusal_is_one_message)
{
	static const struct {
		int errnum;
		const char *events, *text;
	} cases[] = {
		{ EMFILE, "cs", "too many open files: 1 events x 2 CPUs x 1 threads need 2" },
		{ ENOSPC, "mem:0x1000:w", "all hardware breakpoints are in use" },
		{ EBUSY, "cs", "the counter hardware is in use by someone else" },
		{ EOPNOTSUPP, "cs", "not supported: it may be counted, but not sampled" },
		{ ENODEV, "cs", "not known to this kernel" },
		{ EINVAL, "mem:0x1001/4:w", "the CPU cannot watch 4 bytes at 0x1001" },
		{ E2BIG, "cs", "fields that this kernel does not know" },
		{ ENOMEM, "cs", "event 'cs' cannot be opened: Cannot allocate memory" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		kernel.errnum = cases[i].errnum;
		CHECK_INT(try(cases[i].events, &plain, TARGET_TASKS, 10, 0), -cases[i].errnum);
		if (!strstr(err_text(&err), cases[i].text))
			unit_fail(__FILE__, __LINE__, "errno %d: %s", cases[i].errnum, err_text(&err));
	}
}

TEST(refusals_of_traces)
{
	struct evset *set = evset_new();
	const struct target t = { .kind = TARGET_WORKLOAD };
	struct event *ev = evset_add(set, "intel_pt//u"), *other = evset_add(set, "cycles:u");
	static const struct { int errnum; const char *text, *hint; } cases[] = {
		{ EBUSY, "the trace hardware is in use", "pt_mode=1" },
		{ EOPNOTSUPP, "cannot do what its terms", "as intel_pt//u" },
		{ ENODEV, "is not available on these CPUs", "dmesg" },
		{ EINVAL, "refuses the terms of 'intel_pt//u' (config 0x2401)", "and with -a" },
	};

	ev->trace = true;
	ev->pmu = "intel_pt";
	ev->attr.config = 0x2401;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		err_clear(&err);
		CHECK_INT(open_explain(set, ev, &t, cases[i].errnum, &err), -cases[i].errnum);
		CHECK(strstr(err_text(&err), cases[i].text));
		CHECK(strstr(err_text(&err), cases[i].hint));
	}
	other->leader = 0;
	other->attr.flags |= ATTR_AUX_OUTPUT;
	err_clear(&err);
	open_explain(set, other, &t, EINVAL, &err);
	CHECK(strstr(err_text(&err), "does not fit into the group of the trace 'intel_pt//u'"));
	evset_free(set);
}

TEST(mmap_refusals)
{
	/* so large that neither the number of CPUs nor this machine's limit of locked memory matters */
	fake_file("/proc/sys/kernel/perf_event_mlock_kb", "1000000\n");
	CHECK_INT(open_explain_mmap(&(struct map_sizes){ 2, 1024, 0 }, EPERM, &err), -EPERM);
	CHECK(strstr(err_text(&err), "kernel.perf_event_mlock_kb allows each user 1000000 KiB"));
	CHECK(strstr(err_text(&err), "-m 256"));
	/* as many as fit for all of them: a million rings get the smallest there is */
	CHECK_INT(open_explain_mmap(&(struct map_sizes){ 1u << 30, 1024, 0 }, EPERM, &err), -EPERM);
	CHECK(strstr(err_text(&err), "like -m 1;"));
	CHECK_INT(open_explain_mmap(&(struct map_sizes){ 2, 1024, 0 }, ENOMEM, &err), -ENOMEM);
	CHECK(strstr(err_text(&err), "not enough memory for 2 ring buffers of 1024 pages"));
	CHECK_INT(open_explain_mmap(&(struct map_sizes){ 2, 3, 0 }, EINVAL, &err), -EINVAL);
}

TEST(mmap_refusals_of_aux_areas)
{
	const struct map_sizes large = { 2, 128, 1u << 30 }, many = { 1u << 30, 128, 1024 };

	fake_file("/proc/sys/kernel/perf_event_mlock_kb", "1000000\n");
	CHECK_INT(open_explain_mmap(&large, EPERM, &err), -EPERM);
	CHECK(strstr(err_text(&err), "2 ring buffers of 128 pages"));
	CHECK(strstr(err_text(&err), ", with AUX areas of 1073741824 pages ("));
	CHECK(strstr(err_text(&err), "like -m 128,"));
	CHECK(!strstr(err_text(&err), "like -m 128,1073741824"));
	CHECK_INT(open_explain_mmap(&many, EPERM, &err), -EPERM);
	CHECK(strstr(err_text(&err), "like -m 1,1;"));
	/* the limits allow it, so others use a part of them */
	CHECK_INT(open_explain_mmap(&(struct map_sizes){ 1, 1, 8 }, EPERM, &err), -EPERM);
	CHECK(strstr(err_text(&err), "like -m 1,2;"));
	CHECK_INT(open_explain_mmap(&(struct map_sizes){ 2, 128, 1024 }, ENOMEM, &err), -ENOMEM);
	CHECK(strstr(err_text(&err), "-m 128,256"));
	CHECK_INT(open_explain_mmap(&(struct map_sizes){ 2, 128, 1 }, EINVAL, &err), -EINVAL);
	CHECK(strstr(err_text(&err), "refuses an AUX area of 1 pages"));
	CHECK_INT(open_explain_mmap(&(struct map_sizes){ 2, 128, 1 }, EOPNOTSUPP, &err), -EOPNOTSUPP);
	CHECK(strstr(err_text(&err), "an AUX area of 1 pages cannot be mapped"));
}

/* everything that a newer kernel than linux 2.6.32 is needed for */
static const struct sample_attr_opts everything = {
	.data = true, .namespaces = true, .all_cgroups = true, .text_poke = true, .switch_events = true,
	.use_clockid = true, .clockid = 1, .identifier = true,
	.sample = { [ABI_SAMPLE_NR_PHYS_ADDR] = true, [ABI_SAMPLE_NR_DATA_PAGE_SIZE] = true,
		    [ABI_SAMPLE_NR_CODE_PAGE_SIZE] = true, [ABI_SAMPLE_NR_WEIGHT_STRUCT] = true },
	.branch_sample_type = 0xffffff, .callgraph = { .mode = CALLGRAPH_FP, .defer = true },
};

TEST(each_lack_of_an_older_kernel)
{
	static const struct {
		const char *what;
		u64 flags, sample, read, branch;
		const char *note;
	} rows[] = {
#define DEGRADE(what, since, flags, sample, read, branch, note) { what, flags, sample, read, branch, note },
#include "../../util/kernel/degrade.def"
#undef DEGRADE
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		u64 flags = 0, sample = 0, read = 0, branch = 0;

		memset(&kernel, 0, sizeof(kernel));
		CHECK_INT(try("cs:H,faults:G", &everything, TARGET_TASKS, 10, 0), 0);
		vec_foreach(&set->ev, ev) {
			flags |= (*ev)->attr.flags;
			sample |= (*ev)->attr.sample_type;
			read |= (*ev)->attr.read_format;
			branch |= (*ev)->attr.branch_sample_type;
		}
		if (!(flags & rows[i].flags) && !(sample & rows[i].sample) && !(read & rows[i].read) &&
		    !(branch & rows[i].branch))
			unit_fail(__FILE__, __LINE__, "%s: not asked for", rows[i].what);
		kernel.unknown_flags = rows[i].flags;
		kernel.unknown_sample = rows[i].sample;
		kernel.unknown_read = rows[i].read;
		kernel.unknown_branch = rows[i].branch;
		strbuf_setlen(&notes, 0);
		if (try("cs:H,faults:G", &everything, TARGET_TASKS, 10, 0))
			unit_fail(__FILE__, __LINE__, "%s: %s", rows[i].what, err_text(&err));
		vec_foreach(&set->ev, ev)
			CHECK(!((*ev)->attr.flags & rows[i].flags) &&
			      !((*ev)->attr.branch_sample_type & rows[i].branch));
		if (rows[i].note && !strstr(strbuf_str(&notes), rows[i].note))
			unit_fail(__FILE__, __LINE__, "%s: the note is missing", rows[i].what);
		/* nothing else is lost */
		CHECK_INT(__builtin_popcountll(evset_at(set, 0)->attr.sample_type & PERF_SAMPLE_PHYS_ADDR) ==
			  0, !!(rows[i].sample & PERF_SAMPLE_PHYS_ADDR));
	}
}

TEST(groups_are_read_or_inherited)
{
	kernel.no_inherited_reads = true;
	REQUIRE(!try("{cs,faults}:S", &plain, TARGET_TASKS, 10, 0));
	CHECK(!(evset_at(set, 0)->attr.flags & ATTR_INHERIT));
	CHECK_STR(strbuf_str(&notes), "this kernel cannot follow children while groups are read in samples "
		  "(:S): only the named tasks themselves are recorded (linux 6.13 can)\n");
}

TEST(clocks_of_hardware_events)
{
	kernel.no_hardware_clock = true;
	kernel.max_precise = 3;
	CHECK_INT(try("cycles:u", &(struct sample_attr_opts){ .use_clockid = true, .clockid = 7 },
		      TARGET_TASKS, 10, 0), -EINVAL);
	CHECK_STR(err_text(&err), "event 'cycles:u': this clock (-k) cannot be read by hardware events\n"
		  "Hint: this works: -k monotonic, -k monotonic_raw");
}

TEST(who_may_measure_what)
{
	static const struct sample_attr_opts phys = { .sample = { [ABI_SAMPLE_NR_PHYS_ADDR] = true } };
	static const struct {
		const char *paranoid, *events;
		bool system;
		const struct sample_attr_opts *o;
		const char *says, *works;
	} cases[] = {
		{ "3\n", "cs:u", false, &plain, "(ordinary users may not measure anything)", "to allow it" },
		{ "2\n", "cs:u", false, &phys, "sampling physical addresses (--phys-data) needs CAP_PERFMON",
		  "the same without --phys-data" },
		{ "2\n", "cycles:k", false, &plain, "measuring the kernel needs CAP_PERFMON",
		  "this works now: -e cpu-clock:u" },
		{ "2\n", "foo/event=1/k", false, &plain, "measuring the kernel needs CAP_PERFMON",
		  "this works now: -e foo/event=1/u" },
		{ "1\n", "cs", true, &plain,
		  "(ordinary users may measure their own processes, but not whole CPUs)",
		  "without -a and -C" },
		{ "0\n", "s:e", false, &plain, "reading tracepoints needs CAP_PERFMON, because "
		  "kernel.perf_event_paranoid is 0 (ordinary users may measure all but raw tracepoint data)",
		  "this works now: software events, like -e cpu-clock:u" },
		{ "1\n", "cs:u", false, &plain, "process 10 belongs to another user",
		  "this works now: processes of your own" },
		{ "-1\n", "cs:u", true, &plain, "(all users may measure everything): a security module",
		  "--cap-add PERFMON" },
	};

	fake_file("/proc/self/status", "Name:\tperf\nCapEff:\t0000000000000000\n");
	fake_file("/proc/10/status", "Name:\tx\nUid:\t4242\t4242\t4242\t4242\n");
	fake_tracepoint("s", "e", "5\n");
	fake_pmu("foo", "9", "format/event=config:0-7", NULL);
	kernel.errnum = EACCES;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		paranoid = cases[i].paranoid;
		CHECK_INT(try(cases[i].events, cases[i].o, cases[i].system ? TARGET_SYSTEM : TARGET_TASKS,
			      cases[i].system ? -1 : 10, 0), -EACCES);
		if (!strstr(err_text(&err), cases[i].says) || !strstr(err_text(&err), cases[i].works))
			unit_fail(__FILE__, __LINE__, "%zu: %s", i, err_text(&err));
	}
}

TEST(kernel_without_perf_events)
{
	fake_file("/proc/self/status", "Name:\tperf\nCapEff:\t0000000000000000\n");
	paranoid = NULL;
	kernel.errnum = EACCES;
	CHECK_INT(try("cs", &plain, TARGET_TASKS, 10, 0), -EACCES);
	CHECK_STR(err_text(&err), "event 'cs': this kernel has no perf events, or /proc is not mounted");
}

TEST(refusals_of_what_was_asked_for)
{
	static const struct sample_attr_opts branches = { .branch_sample_type = PERF_SAMPLE_BRANCH_ANY };
	static const struct {
		int errnum;
		const char *events;
		const struct sample_attr_opts *o;
		const char *says;
	} cases[] = {
		{ EOPNOTSUPP, "cs", &branches, "branch stacks (-b, -j, "
		  "--call-graph lbr) are not supported by this event or CPU\nHint: they need" },
		{ EOPNOTSUPP, "cs:pp", &plain,
		  "the CPU has no precise sampling for it\nHint: leave the modifier p out" },
		{ EOPNOTSUPP, "cs/aux-output/", &plain, "the CPU cannot write it into the AUX area" },
		{ EOPNOTSUPP, "foo/event=1/", &plain,
		  "its PMU is foo; 'perf stat -e foo/event=1/' may count it" },
		{ ENOSPC, "cs", &plain, "the kernel has no space for more events of this kind" },
		{ EINVAL, "foo/event=1/", &plain,
		  "is refused as invalid for a task (PMU foo)\nHint: many PMUs count whole CPUs only" },
		{ EINVAL, "cs", &plain, "the kernel refuses event 'cs' as invalid" },
		{ ENXIO, "instructions", &plain, "this machine has no hardware counters" },
	};

	fake_pmu("foo", "9", "format/event=config:0-7", NULL);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		kernel.errnum = cases[i].errnum;
		CHECK_INT(try(cases[i].events, cases[i].o, TARGET_TASKS, 10, 0), -cases[i].errnum);
		if (!strstr(err_text(&err), cases[i].says))
			unit_fail(__FILE__, __LINE__, "%s: %s", cases[i].events, err_text(&err));
	}
	CHECK_INT(open_explain_mmap(&(struct map_sizes){ 2, 8, 0 }, EACCES, &err), -EACCES);
	CHECK_STR(err_text(&err), "a ring buffer of 8 pages cannot be mapped: Permission denied");
}
