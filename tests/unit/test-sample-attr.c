/* Unit tests of the attributes that record's options give, and of their parsers. */
#include "test.h"
#include "fake-root.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include "../../arch/arch.h"
#include "../../util/pmu/parse-events.h"
#include "../../util/kernel/open.h"
#include "../../util/observe/sample-attr.h"

static struct evset *set;
static struct err err;
static struct strbuf notes;

static int config(const char *events, enum target_kind kind, struct sample_attr_opts o)
{
	struct target t = { .kind = kind };

	fake_file("/proc/sys/kernel/perf_event_max_sample_rate", "50000\n");
	fake_file("/proc/sys/kernel/perf_event_max_stack", "127\n");
	fake_tracepoint("sched", "sched_switch", "300\n");
	set = evset_new();
	strbuf_reset(&notes);
	REQUIRE(!parse_events(set, events, NULL, &err));
	return sample_attr_config(set, &o, &t, &notes, &err);
}

#define CONFIG(events, kind, ...) config(events, kind, (struct sample_attr_opts){ __VA_ARGS__ })
#define ATTR(i) (&evset_at(set, i)->attr)

TEST(plain_command)
{
	REQUIRE(!CONFIG("cpu-clock", TARGET_WORKLOAD, .freq = 0));
	CHECK_INT(set->ev.nr, 1);
	CHECK_U64(ATTR(0)->sample_type,
		  PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD);
	CHECK_U64(ATTR(0)->sample_period, 4000);
	CHECK_U64(ATTR(0)->read_format, PERF_FORMAT_ID | PERF_FORMAT_LOST);
	CHECK_U64(ATTR(0)->flags, ATTR_DISABLED | ATTR_INHERIT | ATTR_MMAP | ATTR_COMM | ATTR_FREQ |
		  ATTR_ENABLE_ON_EXEC | ATTR_TASK | ATTR_SAMPLE_ID_ALL | ATTR_MMAP2 | ATTR_COMM_EXEC |
		  ATTR_KSYMBOL | ATTR_BPF_EVENT | ATTR_BUILD_ID);
}

/* an option that asks for one field of samples sets its bit and nothing else */
TEST(each_field_that_an_option_asks_for)
{
	static const u32 nr[] = {
#define SAMPLE_FIELD(name, bit, ...) bit,
#include "../../util/event/sample-fields.def"
#undef SAMPLE_FIELD
	};
	struct pe_attr plain;

	REQUIRE(!CONFIG("cpu-clock", TARGET_WORKLOAD, .freq = 0));
	plain = *ATTR(0);
	for (size_t i = 0; i < ARRAY_SIZE(nr); i++) {
		struct sample_attr_opts o = { .freq = 0 };
		struct pe_attr want = plain;

		if (nr[i] == ABI_SAMPLE_NR_READ || nr[i] == ABI_SAMPLE_NR_REGS_USER ||
		    nr[i] == ABI_SAMPLE_NR_REGS_INTR)
			continue;	/* these set more than a bit, and have options of their own */
		want.sample_type |= 1ull << nr[i];
		o.sample[nr[i]] = true;
		REQUIRE(!config("cpu-clock", TARGET_WORKLOAD, o));
		CHECK(!memcmp(ATTR(0), &want, sizeof(want)));
	}
}

TEST(system_wide_has_a_dummy_for_side_band)
{
	REQUIRE(!CONFIG("cpu-clock", TARGET_SYSTEM, .callgraph = { .mode = CALLGRAPH_FP }));
	REQUIRE(set->ev.nr == 2);
	CHECK_U64(ATTR(0)->flags, ATTR_DISABLED | ATTR_FREQ | ATTR_SAMPLE_ID_ALL);
	CHECK(ATTR(0)->sample_type & PERF_SAMPLE_CPU);
	CHECK(ATTR(0)->sample_type & PERF_SAMPLE_IDENTIFIER);
	CHECK_STR(evset_at(set, 1)->name, "dummy:u");
	CHECK(evset_at(set, 1)->dummy);
	CHECK(ATTR(1)->flags & ATTR_MMAP2);
	CHECK(!(ATTR(1)->flags & ATTR_DISABLED));
	CHECK(!(ATTR(1)->sample_type & PERF_SAMPLE_CALLCHAIN));
}

TEST(delay_starts_the_dummy_at_exec)
{
	REQUIRE(!CONFIG("cs", TARGET_WORKLOAD, .delayed = true));
	REQUIRE(set->ev.nr == 2);
	CHECK(!(ATTR(0)->flags & ATTR_ENABLE_ON_EXEC));
	CHECK(ATTR(1)->flags & ATTR_ENABLE_ON_EXEC);
}

TEST(one_kind_of_cores_cannot_carry_the_side_band)
{
	const struct sample_attr_opts o = { .freq = 0 };
	struct target t = { .kind = TARGET_TASKS };

	fake_pmu("cpu_core", "4", "cpus=0-1", "format/event=config:0-7", NULL);
	set = evset_new();
	REQUIRE(!parse_events(set, "cpu_core/event=1/", NULL, &err));
	cpulist_add(&t.cpus, 0);
	cpulist_add(&t.cpus, 1);
	REQUIRE(!sample_attr_config(set, &o, &t, NULL, &err));
	CHECK_INT(set->ev.nr, 1);
	cpulist_add(&t.cpus, 2);
	REQUIRE(!sample_attr_config(set, &o, &t, NULL, &err));
	CHECK_INT(set->ev.nr, 2);
}

TEST(ids_only_where_needed)
{
	REQUIRE(!CONFIG("cs,faults", TARGET_TASKS, .freq = 10));
	CHECK(ATTR(0)->sample_type & PERF_SAMPLE_ID);
	REQUIRE(!CONFIG("cs,sched:sched_switch", TARGET_TASKS, .freq = 10));
	CHECK(ATTR(0)->sample_type & PERF_SAMPLE_IDENTIFIER);
	CHECK(!(ATTR(0)->sample_type & PERF_SAMPLE_ID));
	REQUIRE(!CONFIG("cs", TARGET_TASKS, .freq = 10));
	CHECK(!(ATTR(0)->sample_type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER)));
	REQUIRE(!CONFIG("cs", TARGET_TASKS, .freq = 10, .pipe = true));
	CHECK(ATTR(0)->sample_type & PERF_SAMPLE_ID);
}

TEST(group_reads)
{
	REQUIRE(!CONFIG("{cs,faults}:S", TARGET_TASKS, .freq = 0));
	CHECK(ATTR(0)->read_format & PERF_FORMAT_GROUP);
	CHECK_U64(ATTR(0)->sample_period, 4000);
	CHECK_U64(ATTR(1)->sample_period, 0);
	CHECK(!(ATTR(1)->flags & (ATTR_FREQ | ATTR_DISABLED)));
}

TEST(frequency_limit)
{
	CHECK_INT(CONFIG("cs", TARGET_TASKS, .freq = 60000), 0);
	CHECK_U64(ATTR(0)->sample_period, 50000);
	CHECK(strstr(strbuf_str(&notes), "frequency lowered from 60000 to 50000 Hz"));
	CHECK_INT(CONFIG("cs", TARGET_TASKS, .freq = 60000, .strict_freq = true), -EINVAL);
	CHECK_INT(CONFIG("cs", TARGET_TASKS, .freq = SAMPLE_FREQ_MAX), 0);
	CHECK_U64(ATTR(0)->sample_period, 50000);
	CHECK_INT(CONFIG("cs", TARGET_TASKS, .freq = 1, .count = 1), -EINVAL);
}

TEST(stack_limit)
{
	CHECK_INT(CONFIG("cs", TARGET_TASKS, .max_stack = 200), 0);
	CHECK_INT(ATTR(0)->sample_max_stack, 0);
	CHECK_INT(CONFIG("cs", TARGET_TASKS, .max_stack = 100, .callgraph = { .mode = CALLGRAPH_FP }), 0);
	CHECK_INT(ATTR(0)->sample_max_stack, 100);
	CHECK_INT(CONFIG("cs", TARGET_TASKS, .max_stack = 200, .callgraph = { .mode = CALLGRAPH_FP }),
		  -EOVERFLOW);
}

TEST(callgraph_option)
{
	struct callgraph_opts o;

	CHECK_INT(parse_callgraph("dwarf", &o, &err), 0);
	CHECK(o.mode == CALLGRAPH_DWARF && o.dump_size == 8192);
	CHECK_INT(parse_callgraph("dwarf,4097", &o, &err), 0);
	CHECK_INT(o.dump_size, 4104);
	CHECK(!o.user_chain);
	CHECK_INT(parse_callgraph("dwarf,4096,fp", &o, &err), 0);
	CHECK(o.dump_size == 4096 && o.user_chain);
	CHECK_INT(parse_callgraph("fp,16,defer", &o, &err), 0);
	CHECK(o.mode == CALLGRAPH_FP && o.max_stack == 16 && o.defer);
	CHECK_INT(parse_callgraph("lbr", &o, &err), 0);
	CHECK(parse_callgraph("dwarf,65536", &o, &err) < 0);
	CHECK(parse_callgraph("lbr,1", &o, &err) < 0);
	CHECK(parse_callgraph("", &o, &err) < 0);
	CHECK_STR(err.msg, "unknown call-graph mode '': fp, dwarf[,SIZE][,fp] or lbr");
	CHECK(parse_callgraph("foo", &o, &err) < 0);
	CHECK_STR(err.msg, "unknown call-graph mode 'foo': fp, dwarf[,SIZE][,fp] or lbr");
}

TEST(branch_filter)
{
	u64 v;

	CHECK_INT(parse_branch_filter("any,u", &v, &err), 0);
	CHECK_U64(v, PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER);
	CHECK_INT(parse_branch_filter("u", &v, &err), 0);
	CHECK_U64(v, PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER);
	CHECK_INT(parse_branch_filter("any_call,save_type,HW_INDEX", &v, &err), 0);
	CHECK_U64(v,
		  PERF_SAMPLE_BRANCH_ANY_CALL | PERF_SAMPLE_BRANCH_TYPE_SAVE | PERF_SAMPLE_BRANCH_HW_INDEX);
	CHECK(parse_branch_filter("any,foo", &v, &err) < 0);
}

TEST(clocks)
{
	s32 id;

	CHECK_INT(parse_clockid("monotonic", &id, &err), 0);
	CHECK_INT(id, 1);
	CHECK_INT(parse_clockid("CLOCK_BOOTTIME", &id, &err), 0);
	CHECK_INT(id, 7);
	CHECK_INT(parse_clockid("mono_raw", &id, &err), 0);
	CHECK_INT(id, 4);
	CHECK_INT(parse_clockid("11", &id, &err), 0);
	CHECK_STR(clockid_name(11), "tai");
	CHECK(parse_clockid("foo", &id, &err) < 0);
	/* numbers of clocks that no event can have */
	CHECK(parse_clockid("2", &id, &err) < 0);
	CHECK(parse_clockid("99", &id, &err) < 0);
}

static int refuse_all(const struct pe_attr *attr, s32 pid, int cpu, int group_fd, unsigned long flags)
{
	return -ENOENT;
}

TEST(register_lists)
{
	const struct arch *a = arch_native();
	u64 mask;

	if (!a || a != arch_by_uname("x86_64"))
		SKIP("names are checked on x86 only");
	open_set_syscall_for_test(refuse_all);
	CHECK_INT(parse_sample_regs("ax,R15", true, &mask, &err), 0);
	CHECK_U64(mask, 1 | 1 << 23);
	CHECK_INT(parse_sample_regs(NULL, false, &mask, &err), 0);
	CHECK_U64(mask, 0xff0fff);
	CHECK_INT(parse_sample_regs("?", true, &mask, &err), -ECANCELED);
	CHECK_STR(err.msg, "available registers: AX BX CX DX SI DI BP SP IP FLAGS CS SS R8 R9 R10 R11 "
		  "R12 R13 R14 R15");
	CHECK(parse_sample_regs("xmm0", true, &mask, &err) < 0);
	CHECK(parse_sample_regs("ds", false, &mask, &err) < 0);
}

TEST(registers_of_all_architectures)
{
	CHECK_STR(arch_reg_name(arch_by_uname("aarch64"), 30), "lr");
	CHECK_STR(arch_reg_name(arch_by_uname("aarch64"), 46), "vg");
	CHECK(!arch_reg_name(arch_by_uname("aarch64"), 40));
	CHECK(!arch_reg_name(arch_by_uname("aarch64"), 1000));
	CHECK_STR(arch_reg_name(arch_by_uname("riscv64"), 0), "pc");
	CHECK_STR(arch_reg_name(arch_by_uname("s390x"), 33), "PC");
	CHECK_STR(arch_reg_name(arch_by_uname("ppc64le"), 32), "nip");
	CHECK_STR(arch_reg_name(arch_by_machine(62), 62), "XMM15");
	CHECK(arch_by_machine(3) == arch_by_machine(62));
	CHECK(!arch_by_uname("vax"));
	CHECK(!arch_by_machine(0));
}

TEST(a_list_of_cpus_binds_the_events_and_watches_all)
{
	static const int own[] = { 2, 3 };
	struct target t = { .kind = TARGET_SYSTEM, .cpu_list = true };

	fake_file("/sys/devices/system/cpu/online", "0-3\n");
	fake_file("/proc/sys/kernel/perf_event_max_sample_rate", "50000\n");
	fake_file("/proc/sys/kernel/perf_event_max_stack", "127\n");
	set = evset_new();
	REQUIRE(!parse_events(set, "cpu-clock,page-faults", NULL, &err));
	evset_at(set, 1)->cpus = own;
	evset_at(set, 1)->nr_cpus = 2;
	cpulist_add(&t.cpus, 1);
	cpulist_add(&t.cpus, 2);
	REQUIRE(!sample_attr_watch_cpus(set, &t, &err));
	REQUIRE(!sample_attr_config(set, &(struct sample_attr_opts){ .freq = 0 }, &t, &notes, &err));
	CHECK_U64(t.cpus.nr, 4);
	CHECK_INT(evset_at(set, 0)->nr_cpus, 2);
	CHECK_INT(evset_at(set, 0)->cpus[0], 1);
	CHECK_INT(evset_at(set, 1)->nr_cpus, 1);
	CHECK_INT(evset_at(set, 1)->cpus[0], 2);
	CHECK(evset_at(set, 2)->dummy);
	CHECK_INT(evset_at(set, 2)->nr_cpus, 0);
	/* an event that is counted only on other CPUs */
	t.cpus.nr = 1;
	CHECK_INT(sample_attr_watch_cpus(set, &t, &err), -EINVAL);
	CHECK(strstr(err.msg, "cannot be counted on the CPUs of -C"));
	target_release(&t);
}
