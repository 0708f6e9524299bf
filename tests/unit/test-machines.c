/*
 * Unit tests of parsing and opening on machines that are not here: what is opened where, and what happens
 * when it is refused.
 */
#include "test.h"
#include "err-text.h"
#include "fake-root.h"
#include "machines.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include "../../util/pmu/parse-events.h"
#include "../../util/kernel/open.h"
#include "../../util/observe/sample-attr.h"

static struct evset *set;
static struct open_fds fds;
static struct strbuf notes;
static struct err err;

static const struct sample_attr_opts plain;

/* parses and opens: counting (record NULL) or sampling, of all CPUs or of task 10 */
static int try(enum machine m, const char *events, enum target_kind kind,
	       const struct sample_attr_opts *record)
{
	struct target target = { .kind = kind };
	struct open_opts o = { .target = &target, .stat = !record, .notes = &notes };
	int ret;

	open_release(&fds);
	evset_free(set);
	set = evset_new();
	strbuf_setlen(&notes, 0);
	err = (struct err)ERR_INIT;
	machine_kernel.log[0] = '\0';
	machine_kernel.opened = 0;
	ret = parse_events(set, events, NULL, &err);
	if (ret)
		return ret;
	vec_push(&target.tids, kind == TARGET_SYSTEM ? -1 : 10);
	vec_push(&target.pids, kind == TARGET_SYSTEM ? -1 : 10);
	if (kind == TARGET_SYSTEM)
		cpulist_parse(&target.cpus, machine_cpus(m), NULL);
	else
		cpulist_add(&target.cpus, -1);
	if (record)
		ret = sample_attr_config(set, record, &target, &notes, &err);
	return ret ? ret : open_events(&fds, set, &o, &err);
}

#define OPENS(m, events, kind, want) do { \
		CHECK_INT(try(m, events, kind, NULL), 0); \
		CHECK_STR(machine_kernel.log, want); \
	} while (0)

static bool says(const char *text)
{
	bool found = strstr(err_text(&err), text);

	if (!found)
		printf("said: %s\n", err_text(&err));
	return found;
}

TEST(intel_hybrid)
{
	machine_boot(MACHINE_INTEL_HYBRID);
	OPENS(MACHINE_INTEL_HYBRID, "cycles", TARGET_SYSTEM,
	      "0:a00000000 cpu4\n0:a00000000 cpu5\n0:a00000000 cpu6\n"
	      "0:a00000000 cpu7\n0:400000000 cpu0\n0:400000000 cpu1\n0:400000000 cpu2\n0:400000000 cpu3");
	CHECK_STR(evset_at(set, 0)->name, "cpu_atom/cycles/");
	OPENS(MACHINE_INTEL_HYBRID, "cycles,cs", TARGET_TASKS,
	      "0:a00000000 cpu-1\n0:400000000 cpu-1\n1:3 cpu-1");
	OPENS(MACHINE_INTEL_HYBRID, "{cycles,instructions}", TARGET_TASKS,
	      "0:a00000000 cpu-1\n0:a00000001 cpu-1 g0\n"
	      "0:400000000 cpu-1\n0:400000001 cpu-1 g2");
	OPENS(MACHINE_INTEL_HYBRID, "slots,topdown-retiring", TARGET_SYSTEM,
	      "4:400 cpu0\n4:400 cpu1\n4:400 cpu2\n4:400 cpu3\n"
	      "4:8000 cpu0\n4:8000 cpu1\n4:8000 cpu2\n4:8000 cpu3");
	OPENS(MACHINE_INTEL_HYBRID, "mem-loads", TARGET_TASKS, "10:5d0 cpu-1\n4:1cd cpu-1");
	OPENS(MACHINE_INTEL_HYBRID, "cpu_atom/r3c/,cpu_core/event=0x3c,cmask=2/", TARGET_TASKS,
	      "10:3c cpu-1\n4:200003c cpu-1");
	OPENS(MACHINE_INTEL_HYBRID, "cycles/cpu=3-4/", TARGET_SYSTEM, "0:a00000000 cpu4\n0:400000000 cpu3");
	OPENS(MACHINE_INTEL_HYBRID, "power/energy-pkg/", TARGET_SYSTEM, "25:2 cpu0");
	CHECK(try(MACHINE_INTEL_HYBRID, "cpu/cycles/", TARGET_TASKS, NULL) < 0);
	CHECK(says("there is no PMU or event 'cpu'"));
}

TEST(intel_hybrid_sampling)
{
	machine_boot(MACHINE_INTEL_HYBRID);
	CHECK_INT(try(MACHINE_INTEL_HYBRID, "cycles:P", TARGET_TASKS, &plain), 0);
	CHECK_STR(strbuf_str(&notes), "");
	CHECK_INT(attr_precise(&evset_at(set, 0)->attr), 3);
	CHECK_INT(try(MACHINE_INTEL_HYBRID, "cpu_core/mem-loads,ldlat=30/P", TARGET_SYSTEM, &plain), 0);
	CHECK_U64(evset_at(set, 0)->attr.config1, 30);
	CHECK(fds.fd[open_at(&fds, 0, 3, 0)] >= 0);
	CHECK_INT(fds.fd[open_at(&fds, 0, 4, 0)], -1);
}

TEST(intel_server)
{
	machine_boot(MACHINE_INTEL_SERVER);
	/* one CPU a package */
	OPENS(MACHINE_INTEL_SERVER, "uncore_imc/cas_count_read/", TARGET_SYSTEM,
	      "20:304 cpu0\n20:304 cpu4\n21:304 cpu0\n21:304 cpu4");
	CHECK_STR(evset_at(set, 1)->unit, "MiB");
	OPENS(MACHINE_INTEL_SERVER, "cas_count_read", TARGET_SYSTEM,
	      "20:304 cpu0\n20:304 cpu4\n21:304 cpu0\n21:304 cpu4");
	OPENS(MACHINE_INTEL_SERVER, "uncore_imc_[1]/event=4/", TARGET_SYSTEM, "21:4 cpu0\n21:4 cpu4");
	OPENS(MACHINE_INTEL_SERVER, "cha/event=0x50,umask=0x1ff,tid_en/", TARGET_SYSTEM,
	      "22:10001ff50 cpu0\n22:10001ff50 cpu4");
	OPENS(MACHINE_INTEL_SERVER, "{imc/event=1/,imc/event=2/}", TARGET_SYSTEM,
	      "20:1 cpu0\n20:1 cpu4\n20:2 cpu0 g0\n"
	      "20:2 cpu4 g1\n21:1 cpu0\n21:1 cpu4\n21:2 cpu0 g4\n21:2 cpu4 g5");
	OPENS(MACHINE_INTEL_SERVER, "{slots,topdown-retiring}:W", TARGET_TASKS,
	      "4:400 cpu-1\n4:8000 cpu-1 g0");
	CHECK_INT(try(MACHINE_INTEL_SERVER, "power/energy-pkg/,cs", TARGET_TASKS, NULL), 0);
	CHECK_INT(fds.refused[0], EINVAL);
	CHECK(try(MACHINE_INTEL_SERVER, "power/energy-pkg/", TARGET_TASKS, &plain) < 0);
	CHECK(says("event 'power/energy-pkg/' counts whole CPUs or packages (PMU power): "
		   "it cannot follow a task"));
	CHECK(says("this works now: the same with -a"));
	CHECK(try(MACHINE_INTEL_SERVER, "power/energy-pkg/", TARGET_SYSTEM, &plain) < 0);
	CHECK(says("event 'power/energy-pkg/' can be counted (perf stat), not sampled: "
		   "PMU power has no samples"));
	CHECK(try(MACHINE_INTEL_SERVER, "cha/umask=0x400000000/", TARGET_SYSTEM, NULL) < 0);
	CHECK(says("value 0x400000000 is too large for 'umask' of PMU uncore_cha_0: "
		   "the largest is 0x3ffffffff"));
}

TEST(amd_zen)
{
	machine_boot(MACHINE_AMD_ZEN);
	OPENS(MACHINE_AMD_ZEN, "cpu/event=0x1cb/", TARGET_TASKS, "4:1000000cb cpu-1");
	OPENS(MACHINE_AMD_ZEN, "amd_l3/event=0x6,umask=0x1/,amd_df/event=0x381f/", TARGET_SYSTEM,
	      "11:106 cpu0\n12:180000080000001f cpu0");
	CHECK_INT(try(MACHINE_AMD_ZEN, "ibs_op/cnt_ctl=1/,ibs_fetch/rand_en,swfilt=1/u", TARGET_TASKS,
		      &plain), 0);
	CHECK_U64(evset_at(set, 0)->attr.config, 1ull << 19);
	CHECK_U64(evset_at(set, 1)->attr.config2, 1);
	/* precise cycles are IBS, which measures the host only on some kernels */
	machine_kernel.precise_host_only = true;
	CHECK_INT(try(MACHINE_AMD_ZEN, "cycles:pp", TARGET_TASKS, &plain), 0);
	CHECK_INT(attr_precise(&evset_at(set, 0)->attr), 2);
	CHECK(evset_at(set, 0)->attr.flags & ATTR_EXCLUDE_GUEST);
	CHECK_STR(strbuf_str(&notes), "");
}

TEST(arm_clusters)
{
	machine_boot(MACHINE_ARM_CLUSTERS);
	OPENS(MACHINE_ARM_CLUSTERS, "cycles:u", TARGET_SYSTEM,
	      "0:700000000 cpu0\n0:700000000 cpu1\n0:700000000 cpu2\n"
	      "0:700000000 cpu3\n0:800000000 cpu4\n0:800000000 cpu5");
	OPENS(MACHINE_ARM_CLUSTERS, "r11,inst_retired", TARGET_TASKS,
	      "7:11 cpu-1\n8:11 cpu-1\n7:8 cpu-1\n8:8 cpu-1");
	OPENS(MACHINE_ARM_CLUSTERS, "arm_dsu/l3d_cache/", TARGET_SYSTEM, "11:2b cpu0");
	CHECK_INT(try(MACHINE_ARM_CLUSTERS, "arm_spe/ts_enable=1,load_filter=1,min_latency=10/",
		      TARGET_SYSTEM, &plain), 0);
	CHECK_U64(evset_at(set, 0)->attr.config, 1ull << 33 | 1);
	CHECK_U64(evset_at(set, 0)->attr.config2, 10);
	CHECK_INT(fds.fd[open_at(&fds, 0, 0, 0)], -1);
	CHECK(fds.fd[open_at(&fds, 0, 5, 0)] >= 0);
	CHECK(try(MACHINE_ARM_CLUSTERS, "arm_spe/min_latency=4096/", TARGET_SYSTEM, &plain) < 0);
	CHECK(says("value 0x1000 is too large for 'min_latency' of PMU arm_spe_0: the largest is 0xfff"));
}

TEST(arm_spe)
{
	machine_boot(MACHINE_ARM_CLUSTERS);
	CHECK_INT(try(MACHINE_ARM_CLUSTERS, "arm_spe_0/ts_enable,pa_enable,pct_enable=1,jitter=1,"
		      "branch_filter=0,store_filter,discard=1,"
		      "event_filter=0xffffffffffffffff,inv_event_filter=0x2/u", TARGET_SYSTEM, &plain), 0);
	CHECK_U64(evset_at(set, 0)->attr.config, 1 | 1 << 1 | 1 << 2 | 1 << 16 | 1ull << 34 | 1ull << 35);
	CHECK_U64(evset_at(set, 0)->attr.config1, UINT64_MAX);
	CHECK_U64(evset_at(set, 0)->attr.config3, 2);
	CHECK(evset_at(set, 0)->attr.flags & ATTR_EXCLUDE_KERNEL);
	CHECK(try(MACHINE_ARM_CLUSTERS, "arm_spe/ts_enable=2/", TARGET_SYSTEM, &plain) < 0);
	CHECK(says("value 0x2 is too large for 'ts_enable' of PMU arm_spe_0: the largest is 0x1"));
	CHECK(try(MACHINE_ARM_CLUSTERS, "arm_spe/event_filter=0x1ffffffffffffffff/", TARGET_SYSTEM,
		  &plain) < 0);
	CHECK(says("term 'event_filter' of PMU arm_spe_0 needs a number of 64 bits"));
	CHECK(try(MACHINE_ARM_CLUSTERS, "arm_spe/evnet_filter=1/", TARGET_SYSTEM, &plain) < 0);
	CHECK(says("(did you mean 'event_filter'"));
}

TEST(s390)
{
	machine_boot(MACHINE_S390);
	OPENS(MACHINE_S390, "cycles,cpum_cf/INSTRUCTIONS/,CRYPTO_ALL,rB0000", TARGET_TASKS,
	      "0:0 cpu-1\n4:1 cpu-1\n9:1000 cpu-1\n"
	      "4:b0000 cpu-1");
	CHECK_INT(try(MACHINE_S390, "cpum_sf/SF_CYCLES_BASIC/", TARGET_SYSTEM, &plain), 0);
	/* the counter facility has no interrupt */
	CHECK(try(MACHINE_S390, "cpum_cf/CPU_CYCLES/", TARGET_TASKS, &plain) < 0);
	CHECK(says("it may be counted, but not sampled (the PMU has no interrupt)"));
	CHECK_INT(try(MACHINE_S390, "cycles", TARGET_TASKS, &plain), 0);
	CHECK_STR(evset_at(set, 0)->name, "cpu-clock");
}

TEST(power)
{
	machine_boot(MACHINE_POWER);
	OPENS(MACHINE_POWER, "cycles,cpu/event=0x1e,pmcxsel=3/,mem_access", TARGET_TASKS,
	      "0:0 cpu-1\n4:3 cpu-1\n4:10401e0 cpu-1");
	OPENS(MACHINE_POWER, "hv_24x7/PM_PB_CYC,core=5/", TARGET_SYSTEM, "9:8000050001 cpu0");
	OPENS(MACHINE_POWER, "nest_mcs01_imc/PM_MCS01_64B_RD_DISP_PORT01/", TARGET_SYSTEM, "11:118 cpu0");
	CHECK(try(MACHINE_POWER, "hv_24x7/PM_PB_CYC/", TARGET_SYSTEM, NULL) < 0);
	CHECK(says("event 'PM_PB_CYC' of PMU hv_24x7 needs a value: add core=..."));
}

TEST(vm_with_nothing)
{
	machine_boot(MACHINE_VM);
	/* stat: the others are not supported */
	OPENS(MACHINE_VM, "cycles,cpu/instructions/,cs", TARGET_TASKS, "1:3 cpu-1");
	CHECK_INT(fds.fd[0], -1);
	CHECK_INT(try(MACHINE_VM, "cycles:ppp", TARGET_TASKS, &plain), 0);
	CHECK_STR(strbuf_str(&notes), "no hardware counter for 'cycles' here (a virtual machine without "
		  "PMU?): using cpu-clock\n");
	CHECK(try(MACHINE_VM, "LLC-loads", TARGET_TASKS, &plain) < 0);
	CHECK(says("this machine has no hardware counters"));
}

TEST(less_precision_is_said_with_its_reason)
{
	machine_boot(MACHINE_INTEL_SERVER);
	machine_kernel.max_precise = 2;
	CHECK_INT(try(MACHINE_INTEL_SERVER, "instructions:ppp", TARGET_TASKS, &plain), 0);
	CHECK_STR(strbuf_str(&notes), "'instructions:ppp': using precision 2 instead of 3: "
		  "the CPU does not support more for this event\n");
	machine_kernel.precise_einval = true;
	machine_kernel.max_precise = 0;
	CHECK_INT(try(MACHINE_INTEL_SERVER, "cycles:ppp,cycles:P", TARGET_TASKS, &plain), 0);
	CHECK_INT(attr_precise(&evset_at(set, 0)->attr), 0);
	CHECK_INT(attr_precise(&evset_at(set, 1)->attr), 0);
	CHECK(!!strstr(strbuf_str(&notes), "'cycles:ppp': using precision 0 instead of 3"));
	fake_file("/sys/bus/event_source/devices/cpu/caps/max_precise", "1\n");
	machine_kernel.max_precise = 1;
	CHECK_INT(try(MACHINE_INTEL_SERVER, "cycles:pp", TARGET_TASKS, &plain), 0);
	CHECK_STR(strbuf_str(&notes), "'cycles:pp': using precision 1 instead of 2: "
		  "PMU cpu supports at most 1 (caps/max_precise)\n");
}

TEST(cpus_that_are_not_measured)
{
	machine_boot(MACHINE_VM);
	CHECK_INT(try(MACHINE_VM, "cs/cpu=1/", TARGET_SYSTEM, &plain), 0);
	CHECK_INT(fds.fd[open_at(&fds, 0, 0, 0)], -1);
	CHECK_INT(try(MACHINE_VM, "cs/cpu=99/", TARGET_SYSTEM, &plain), -ENODEV);
	CHECK(says("event 'cs/cpu=99/': none of the CPUs of its term cpu= is online and measured"));
	CHECK_INT(try(MACHINE_VM, "cs/cpu=99/,faults", TARGET_SYSTEM, NULL), 0);
	CHECK_INT(fds.refused[0], ENODEV);
}

TEST(counters_in_use)
{
	machine_boot(MACHINE_INTEL_SERVER);
	fake_file("/proc/sys/kernel/nmi_watchdog", "1\n");
	machine_kernel.errnum = EBUSY;
	CHECK_INT(try(MACHINE_INTEL_SERVER, "cycles:D", TARGET_TASKS, &plain), -EBUSY);
	CHECK(says("the counter hardware is in use by someone else\nHint: the NMI watchdog holds a counter"));
	CHECK_INT(machine_kernel.opened, 0);
}

TEST(groups_that_do_not_fit)
{
	const char *ten = "{r1,r2,r3,r4,r5,r6,r7,r8,r9,ra}";

	machine_boot(MACHINE_INTEL_SERVER);
	CHECK_INT(try(MACHINE_INTEL_SERVER, ten, TARGET_TASKS, NULL), 0);
	CHECK_INT(fds.refused[8], EINVAL);
	CHECK_INT(try(MACHINE_INTEL_SERVER, ten, TARGET_TASKS, &plain), -EINVAL);
	CHECK(says("event 'r9' does not fit into the group of 'r1': not enough counters, or of another PMU"));
	CHECK_INT(try(MACHINE_INTEL_SERVER, "{r1,r2,r3,r4,r5,r6,r7,r8,r9,ra}:W", TARGET_TASKS, NULL), 0);
	CHECK_INT(evset_at(set, 1)->leader, 1);
	/* more groups than counters are not refused: the kernel multiplexes them */
	CHECK_INT(try(MACHINE_INTEL_SERVER, "{r1,r2,r3,r4,r5},{r6,r7,r8,r9,ra}", TARGET_TASKS, NULL), 0);
	CHECK_INT(evset_at(set, 9)->leader, 5);
}

TEST(breakpoint_slots)
{
	machine_boot(MACHINE_INTEL_SERVER);
	CHECK_INT(try(MACHINE_INTEL_SERVER, "mem:8:w,mem:16:w,mem:24:w,mem:32:w,mem:40:w", TARGET_TASKS,
		      &plain), -ENOSPC);
	CHECK(says("event 'mem:40:w': all hardware breakpoints are in use"));
	CHECK(says("this list has 5"));
}

TEST(old_kernel_on_a_hybrid_machine)
{
	machine_boot(MACHINE_INTEL_HYBRID);
	machine_kernel.old = true;
	CHECK_INT(try(MACHINE_INTEL_HYBRID, "cycles:ppp", TARGET_SYSTEM, &plain), 0);
	CHECK(!(evset_at(set, 0)->attr.flags & (ATTR_BUILD_ID | ATTR_KSYMBOL)));
	CHECK_INT(attr_precise(&evset_at(set, 1)->attr), 3);
}

TEST(one_kind_of_core_without_the_event)
{
	machine_boot(MACHINE_INTEL_HYBRID);
	machine_kernel.errnum = ENOENT;
	machine_kernel.errnum_type = 10;
	CHECK_INT(try(MACHINE_INTEL_HYBRID, "r3c", TARGET_SYSTEM, NULL), 0);
	CHECK_STR(machine_kernel.log, "4:3c cpu0\n4:3c cpu1\n4:3c cpu2\n4:3c cpu3");
	CHECK_INT(try(MACHINE_INTEL_HYBRID, "r3c", TARGET_SYSTEM, &plain), 0);
	CHECK(!!strstr(strbuf_str(&notes), "'cpu_atom/r3c/'"));
	CHECK_STR(evset_at(set, 0)->name, "cpu_core/r3c/");
}
