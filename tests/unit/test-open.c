/* Unit tests of opening events, against a scripted perf_event_open. */
#include "test.h"
#include "fake-root.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include "../../util/pmu/parse-events.h"
#include "../../util/sys/open.h"
#include "../../util/sys/record-attr.h"

/* a kernel: what it refuses */
static struct {
	u64 unknown_flags, unknown_sample, unknown_read;	/* EINVAL */
	bool no_hardware;	/* ENOENT */
	u32 max_precise;	/* EOPNOTSUPP above */
	bool user_only;		/* EACCES for the kernel */
	int errnum;		/* of everything */
	s32 dead_tid;		/* ESRCH */
	bool no_group_cache;	/* EINVAL for members of groups of type HW_CACHE */
	int next_fd, opened, max_fds;
} kernel;

static int fake_open(const struct pe_attr *a, s32 pid, int cpu, int group_fd, unsigned long flags)
{
	if (a->size != attr_size_needed(a) && a->size < attr_size_needed(a))
		return -E2BIG;
	if (kernel.errnum)
		return -kernel.errnum;
	if ((a->flags & kernel.unknown_flags) || (a->sample_type & kernel.unknown_sample) ||
	    (a->read_format & kernel.unknown_read))
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
	return 100 + kernel.next_fd++;
}

static struct evset *set;
static struct target target;
static struct open_fds fds;
static struct strbuf notes;
static struct err err;

/* parses, configures as record does, and opens on two CPUs and the given threads */
static int try(const char *events, const struct record_attr_opts *o, enum target_kind kind, s32 tid, s32 tid2)
{
	struct open_opts opts = { .target = &target, .notes = &notes };

	fake_file("/proc/sys/kernel/perf_event_paranoid", "2\n");
	open_set_syscall_for_test(fake_open);
	set = evset_new();
	REQUIRE(!parse_events(set, events, NULL, &err));
	target = (struct target){ .kind = kind };
	vec_push(&target.tids, tid);
	vec_push(&target.pids, tid);
	if (tid2) {
		vec_push(&target.tids, tid2);
		vec_push(&target.pids, tid2);
	}
	cpulist_add(&target.cpus, 0);
	cpulist_add(&target.cpus, 1);
	REQUIRE(!record_attr_config(set, o, &target, &notes, &err));
	return open_events(&fds, set, &opts, &err);
}

static const struct record_attr_opts plain;

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
	const struct record_attr_opts o = { .namespaces = true, .weight = true };

	kernel.unknown_flags = ATTR_BUILD_ID | ATTR_NAMESPACES;
	kernel.unknown_read = PERF_FORMAT_LOST;
	kernel.unknown_sample = PERF_SAMPLE_WEIGHT_STRUCT;
	REQUIRE(!try("cs,faults", &o, TARGET_TASKS, 10, 0));
	CHECK(!(evset_at(set, 0)->attr.flags & (ATTR_BUILD_ID | ATTR_NAMESPACES)));
	CHECK(evset_at(set, 0)->attr.flags & ATTR_BPF_EVENT);
	CHECK(evset_at(set, 0)->attr.flags & ATTR_MMAP2);
	CHECK_U64(evset_at(set, 1)->attr.read_format, PERF_FORMAT_ID);
	CHECK(evset_at(set, 1)->attr.sample_type & PERF_SAMPLE_WEIGHT);
	CHECK_STR(strbuf_str(&notes), "this kernel is too old (linux 4.12 is needed): namespaces (--namespaces) are left out\n");
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
	CHECK_STR(err.msg, "the kernel refuses event 'cs' as invalid\n-vv shows what was asked for; dmesg may say more");
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
	CHECK_STR(strbuf_str(&notes), "no hardware counter for 'cycles' here (a virtual machine without PMU?): using cpu-clock\n");
}

TEST(no_such_counter)
{
	kernel.no_hardware = true;
	CHECK_INT(try("instructions", &plain, TARGET_TASKS, 10, 0), -ENOENT);
	CHECK_STR(err.msg, "event 'instructions' is not supported: this machine has no hardware counters (virtual machines often "
		  "have none)\nworks now: software events and tracepoints, like -e cpu-clock");
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
	CHECK(strstr(strbuf_str(&notes), "event 'branches' is not supported: this machine has no hardware counters "
		     "(virtual machines often have none): left out\n"));
}

TEST(precision_goes_down)
{
	kernel.max_precise = 1;
	REQUIRE(!try("cycles:P,cycles:ppp", &plain, TARGET_TASKS, 10, 0));
	CHECK_INT(attr_precise(&evset_at(set, 0)->attr), 1);
	CHECK_INT(attr_precise(&evset_at(set, 1)->attr), 1);
	CHECK_STR(strbuf_str(&notes), "'cycles:ppp': precision 3 was asked for, 1 is what there is: the CPU refuses more for this "
		  "event\n");
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
	CHECK(strstr(err.msg, "no permission for event 'cs:k': measuring the kernel needs CAP_PERFMON, because "
		     "kernel.perf_event_paranoid is 2"));
	CHECK(strstr(err.msg, "\nworks now: -e cs:u\n"));
	CHECK(strstr(err.msg, "sysctl kernel.perf_event_paranoid=1"));
	CHECK_STR(strbuf_str(&notes), "");
	CHECK_INT(try("cs", &plain, TARGET_SYSTEM, -1, 0), -EACCES);
	CHECK(strstr(err.msg, "measuring whole CPUs (-a, -C)"));
	CHECK(strstr(err.msg, "sysctl kernel.perf_event_paranoid=0"));
}

TEST(what_needs_a_capability_of_its_own)
{
	kernel.errnum = EACCES;
	fake_file("/proc/self/status", "Name:\tperf\nCapEff:\t0000000000000000\n");
	CHECK_INT(try("cs:u", &(struct record_attr_opts){ .namespaces = true }, TARGET_TASKS, 10, 0), -EACCES);
	CHECK(strstr(err.msg, "(--namespaces) needs CAP_PERFMON, whatever kernel.perf_event_paranoid is (here 2)"));
	CHECK(strstr(err.msg, "works now: the same without --namespaces"));
}

TEST(forbidden_although_allowed)
{
	kernel.errnum = EPERM;
	fake_file("/proc/self/status", "Name:\tperf\nCapEff:\t0000004000000000\n");
	CHECK_INT(try("cs", &plain, TARGET_SYSTEM, -1, 0), -EPERM);
	CHECK(strstr(err.msg, "a security module, a seccomp filter (containers) or lockdown refuses"));
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
	CHECK_STR(err.msg, "process or thread 11 has ended");
}

TEST(weak_groups_are_split)
{
	kernel.max_precise = 3;
	kernel.no_group_cache = true;
	CHECK_INT(try("{cycles,LLC-loads}", &plain, TARGET_TASKS, 10, 0), -EINVAL);
	CHECK(strstr(err.msg, "does not fit into the group of 'cycles'"));
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
		{ EOPNOTSUPP, "cs", "not supported: it can be counted at most, not sampled" },
		{ ENODEV, "cs", "not known to this kernel" },
		{ EINVAL, "mem:0x1001/4:w", "the CPU cannot watch 4 bytes at 0x1001" },
		{ E2BIG, "cs", "fields that this kernel does not know" },
		{ ENOMEM, "cs", "event 'cs' cannot be opened: Cannot allocate memory" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		kernel.errnum = cases[i].errnum;
		CHECK_INT(try(cases[i].events, &plain, TARGET_TASKS, 10, 0), -cases[i].errnum);
		if (!strstr(err.msg, cases[i].text))
			unit_fail(__FILE__, __LINE__, "errno %d: %s", cases[i].errnum, err.msg);
	}
}

TEST(mmap_refusals)
{
	fake_file("/proc/sys/kernel/perf_event_mlock_kb", "516\n");
	CHECK_INT(open_explain_mmap(1024, 2, EPERM, &err), -EPERM);
	CHECK(strstr(err.msg, "kernel.perf_event_mlock_kb allows each user 516 KiB"));
	CHECK(strstr(err.msg, "-m 256"));
	/* as many as fit for all of them: a million rings get the smallest there is */
	CHECK_INT(open_explain_mmap(1024, 1u << 30, EPERM, &err), -EPERM);
	CHECK(strstr(err.msg, "like -m 1;"));
	CHECK_INT(open_explain_mmap(1024, 2, ENOMEM, &err), -ENOMEM);
	CHECK(strstr(err.msg, "not enough memory for 2 ring buffers of 1024 pages"));
	CHECK_INT(open_explain_mmap(3, 2, EINVAL, &err), -EINVAL);
}
