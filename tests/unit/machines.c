/* Machines that are not here. Facts about PMUs: sysfs of such machines and Documentation/ of the kernel. */
#include "machines.h"
#include "fake-root.h"
#include "test.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include "../../util/base/cpulist.h"
#include "../../util/event/attr.h"
#include "../../util/kernel/open.h"

struct machine_kernel machine_kernel;

/* a PMU as its kernel driver behaves */
struct driver {
	u32 type;
	const char *cpus;	/* where it counts; NULL: everywhere */
	bool core;		/* takes generic hardware and cache events */
	bool system_only;	/* EINVAL for tasks and for sampling (uncore) */
	bool no_sampling;	/* EOPNOTSUPP for sampling */
};

struct spec {
	const char *cpus;
	u32 max_precise, counters;
	void (*files)(void);
	struct driver driver[8];
};

static void cpu_files(const char *cpus)
{
	fake_file("/sys/devices/system/cpu/online", cpus);
	fake_file("/sys/devices/system/cpu/present", cpus);
	fake_file("/proc/sys/kernel/perf_event_paranoid", "2\n");
	fake_pmu("software", "1\n", NULL);
	fake_pmu("breakpoint", "5\n", NULL);
}

#define X86_FORMATS "format/event=config:0-7\n", "format/umask=config:8-15\n", "format/edge=config:18\n", \
		"format/inv=config:23\n", "format/cmask=config:24-31\n"

static void intel_hybrid_files(void)
{
	cpu_files("0-7\n");
	fake_pmu("cpu_core", "4\n", "cpus=0-3\n", X86_FORMATS, "format/ldlat=config1:0-15\n",
		 "caps/max_precise=3\n", "events/cpu-cycles=event=0x3c\n",
		 "events/slots=event=0x00,umask=0x4\n", "events/mem-stores=event=0xcd,umask=0x2\n",
		 "events/mem-loads=event=0xcd,umask=0x1,ldlat=3\n",
		 "events/topdown-retiring=event=0x00,umask=0x80\n", NULL);
	fake_pmu("cpu_atom", "10\n", "cpus=4-7\n", X86_FORMATS, "format/ldlat=config1:0-15\n",
		 "caps/max_precise=3\n", "events/cpu-cycles=event=0x3c\n",
		 "events/mem-loads=event=0xd0,umask=0x5,ldlat=3\n", NULL);
	fake_pmu("uncore_imc_0", "24\n", "cpumask=0\n", "format/event=config:0-7\n", NULL);
	fake_pmu("power", "25\n", "cpumask=0\n", "format/event=config:0-7\n",
		 "events/energy-pkg=event=0x02\n", "events/energy-pkg.unit=Joules\n",
		 "events/energy-pkg.scale=2.3283064365386962890625e-10\n", NULL);
}

static void intel_server_files(void)
{
	cpu_files("0-7\n");
	fake_pmu("cpu", "4\n", X86_FORMATS, "format/offcore_rsp=config1:0-63\n",
		 "format/ldlat=config1:0-15\n", "format/frontend=config1:0-23\n", "caps/max_precise=3\n",
		 "events/cpu-cycles=event=0x3c\n", "events/instructions=event=0xc0\n",
		 "events/mem-loads=event=0xcd,umask=0x1,ldlat=3\n", "events/slots=event=0x00,umask=0x4\n",
		 "events/topdown-retiring=event=0x00,umask=0x80\n", NULL);
	for (int i = 0; i < 2; i++)
		fake_pmu(i ? "uncore_imc_1" : "uncore_imc_0", i ? "21\n" : "20\n", "cpumask=0,4\n",
			 "format/event=config:0-7\n", "format/umask=config:8-15\n",
			 "events/cas_count_read=event=0x04,umask=0x03\n",
			 "events/cas_count_read.scale=6.103515625e-5\n", "events/cas_count_read.unit=MiB\n",
			 NULL);
	fake_pmu("uncore_cha_0", "22\n", "cpumask=0,4\n", "format/event=config:0-7\n",
		 "format/umask=config:8-15,32-57\n", "format/tid_en=config:16\n", NULL);
	fake_pmu("power", "23\n", "cpumask=0,4\n", "format/event=config:0-7\n",
		 "events/energy-pkg=event=0x02\n", "events/energy-pkg.unit=Joules\n",
		 "events/energy-pkg.scale=2.3283064365386962890625e-10\n", NULL);
	fake_pmu("intel_pt", "8\n", "format/pt=config:0\n", "format/tsc=config:10\n", "nr_addr_filters=2\n",
		 NULL);
}

static void amd_zen_files(void)
{
	cpu_files("0-3\n");
	fake_pmu("cpu", "4\n", "format/event=config:0-7,32-35\n", "format/umask=config:8-15\n",
		 "format/cmask=config:24-31\n", "caps/max_precise=0\n", "events/cpu-cycles=event=0x76\n",
		 "events/branches=event=0xc2\n", NULL);
	fake_pmu("ibs_fetch", "9\n", "format/rand_en=config:57\n", "format/swfilt=config2:0\n", NULL);
	fake_pmu("ibs_op", "10\n", "format/cnt_ctl=config:19\n", "format/swfilt=config2:0\n", NULL);
	fake_pmu("amd_l3", "11\n", "cpumask=0\n", "format/event=config:0-7\n", "format/umask=config:8-15\n",
		 "format/threadmask=config:56-63\n", NULL);
	fake_pmu("amd_df", "12\n", "cpumask=0\n", "format/event=config:0-7,32-35,59-60\n",
		 "format/umask=config:8-15\n", NULL);
}

static void arm_files(void)
{
	cpu_files("0-5\n");
	fake_pmu("armv8_cortex_a53", "7\n", "cpus=0-3\n", "format/event=config:0-15\n",
		 "events/cpu_cycles=event=0x0011\n", "events/inst_retired=event=0x0008\n", NULL);
	fake_pmu("armv8_cortex_a72", "8\n", "cpus=4-5\n", "format/event=config:0-15\n",
		 "format/long=config1:0\n", "events/cpu_cycles=event=0x0011\n",
		 "events/inst_retired=event=0x0008\n", NULL);
	fake_pmu("arm_spe_0", "9\n", "cpumask=4-5\n", "format/ts_enable=config:0\n",
		 "format/pa_enable=config:1\n", "format/pct_enable=config:2\n", "format/jitter=config:16\n",
		 "format/branch_filter=config:32\n", "format/load_filter=config:33\n",
		 "format/store_filter=config:34\n", "format/discard=config:35\n",
		 "format/event_filter=config1:0-63\n", "format/inv_event_filter=config3:0-63\n",
		 "format/min_latency=config2:0-11\n", "nr_addr_filters=0\n", NULL);
	fake_pmu("arm_dsu_0", "11\n", "cpumask=0\n", "format/event=config:0-31\n",
		 "events/l3d_cache=event=0x02b\n", NULL);
}

static void s390_files(void)
{
	cpu_files("0-1\n");
	fake_pmu("cpum_cf", "4\n", "format/event=config:0-63\n", "events/CPU_CYCLES=event=0x0000\n",
		 "events/INSTRUCTIONS=event=0x0001\n", NULL);
	fake_pmu("cpum_sf", "8\n", "format/event=config:0-63\n", "events/SF_CYCLES_BASIC=event=0xb0000\n",
		 NULL);
	fake_pmu("pai_crypto", "9\n", "format/event=config:0-63\n", "events/CRYPTO_ALL=event=0x1000\n", NULL);
}

static void power_files(void)
{
	cpu_files("0-3\n");
	fake_pmu("cpu", "4\n", "format/event=config:0-49\n", "format/pmcxsel=config:0-7\n",
		 "events/cpu-cycles=event=0x1e\n", "events/mem_access=event=0x10401e0\n", NULL);
	fake_pmu("hv_24x7", "9\n", "cpumask=0\n", "format/domain=config:0-3\n", "format/core=config:16-31\n",
		 "format/offset=config:32-63\n", "events/PM_PB_CYC=domain=1,core=?,offset=0x80\n", NULL);
	fake_pmu("nest_mcs01_imc", "11\n", "cpumask=0\n", "format/event=config:0-15\n",
		 "events/PM_MCS01_64B_RD_DISP_PORT01=event=0x118\n", NULL);
}

static void vm_files(void)
{
	cpu_files("0-1\n");
}

static const struct spec specs[] = {
	[MACHINE_INTEL_HYBRID] = { "0-7", 3, 8, intel_hybrid_files,
				   { { 4, "0-3", .core = true }, { 10, "4-7", .core = true },
		{ 24, "0", .system_only = true }, { 25, "0", .system_only = true } } },
	[MACHINE_INTEL_SERVER] = { "0-7", 3, 8, intel_server_files, { { 4, NULL, .core = true },
		{ 20, "0,4", .system_only = true }, { 21, "0,4", .system_only = true },
		{ 22, "0,4", .system_only = true }, { 23, "0,4", .system_only = true }, { 8 } } },
	[MACHINE_AMD_ZEN] = { "0-3", 2, 6, amd_zen_files, { { 4, NULL, .core = true }, { 9 }, { 10 },
		{ 11, "0", .system_only = true }, { 12, "0", .system_only = true } } },
	[MACHINE_ARM_CLUSTERS] = { "0-5", 0, 6, arm_files, { { 7, "0-3", .core = true },
		{ 8, "4-5", .core = true }, { 9, "4-5" }, { 11, "0", .system_only = true } } },
	[MACHINE_S390] = { "0-1", 0, 6, s390_files, { { 4, NULL, .core = true, .no_sampling = true }, { 8 },
		{ 9, NULL, .no_sampling = true } } },
	[MACHINE_POWER] = { "0-3", 0, 6, power_files, { { 4, NULL, .core = true },
		{ 9, "0", .system_only = true }, { 11, "0", .system_only = true } } },
	[MACHINE_VM] = { "0-1", 0, 0, vm_files, { { 0 } } },
};

static const struct spec *booted;
static struct {
	u32 leader_type, members;
} group_of[4096];		/* by descriptor of its leader */

/* which driver is asked; NULL: none knows it */
static const struct driver *driver_of(const struct pe_attr *a)
{
	bool generic = a->type == PERF_TYPE_HARDWARE || a->type == PERF_TYPE_HW_CACHE;
	u32 type = generic ? a->config >> 32 : a->type;

	for (size_t i = 0; i < ARRAY_SIZE(booted->driver); i++) {
		const struct driver *d = &booted->driver[i];

		if (d->type && (generic && !type ? d->core : d->type == type && (!generic || d->core)))
			return d;
	}
	return NULL;
}

static bool counts_on(const struct driver *d, int cpu)
{
	struct cpulist list = { 0 };
	bool found;

	if (!d->cpus)
		return true;
	cpulist_parse(&list, d->cpus, NULL);
	found = cpulist_has(&list, cpu);
	vec_release(&list);
	return found;
}

static int refuse_hardware(const struct pe_attr *a, s32 pid, int cpu, int group_fd, const struct driver *d)
{
	const struct machine_kernel *k = &machine_kernel;
	u32 precise = attr_precise(a);

	if (!d)
		return ENOENT;
	if (d->system_only && (pid != -1 || a->sample_period))
		return EINVAL;
	if (d->no_sampling && a->sample_period)
		return EOPNOTSUPP;
	if (cpu >= 0 && !counts_on(d, cpu))
		return d->core ? ENOENT : EINVAL;
	if (k->errnum && (!k->errnum_type || k->errnum_type == a->type))
		return k->errnum;
	if (d->core && precise > k->max_precise)
		return k->precise_einval ? EINVAL : EOPNOTSUPP;
	if (precise && k->precise_host_only && !(a->flags & ATTR_EXCLUDE_GUEST))
		return EOPNOTSUPP;
	if (group_fd >= 0 && (group_of[group_fd].members >= k->counters ||
			      (group_of[group_fd].leader_type && group_of[group_fd].leader_type != d->type)))
		return EINVAL;
	return 0;
}

static int kernel_open(const struct pe_attr *a, s32 pid, int cpu, int group_fd, unsigned long flags)
{
	const u64 newer = ATTR_BUILD_ID | ATTR_BPF_EVENT | ATTR_KSYMBOL | ATTR_NAMESPACES | ATTR_CGROUP;
	bool hardware = a->type != PERF_TYPE_SOFTWARE && a->type != PERF_TYPE_TRACEPOINT &&
			a->type != PERF_TYPE_BREAKPOINT;
	const struct driver *d = hardware ? driver_of(a) : NULL;
	struct machine_kernel *k = &machine_kernel;
	int fd = k->opened, ret = 0;
	size_t len = strlen(k->log);

	if (k->old && ((a->flags & newer) || (a->read_format & PERF_FORMAT_LOST)))
		return -EINVAL;
	if (hardware)
		ret = refuse_hardware(a, pid, cpu, group_fd, d);
	else if (a->type == PERF_TYPE_BREAKPOINT && k->breakpoints-- == 0)
		ret = ENOSPC;
	if (ret || fd >= (int)ARRAY_SIZE(group_of))
		return ret ? -ret : -EMFILE;
	group_of[fd].leader_type = d ? d->type : 0;
	group_of[fd].members = hardware;
	if (group_fd >= 0) {
		group_of[group_fd].members += hardware;
		group_of[group_fd].leader_type = d ? d->type : group_of[group_fd].leader_type;
	}
	k->opened++;
	len += snprintf(k->log + len, sizeof(k->log) - len, "%s%u:%llx cpu%d", len ? "\n" : "", a->type,
			(unsigned long long)a->config, cpu);
	if (group_fd >= 0 && len < sizeof(k->log))
		len += snprintf(k->log + len, sizeof(k->log) - len, " g%d", group_fd);
	if (attr_precise(a) && len < sizeof(k->log))
		snprintf(k->log + len, sizeof(k->log) - len, " p%u", attr_precise(a));
	return fd;
}

const char *machine_cpus(enum machine m)
{
	return specs[m].cpus;
}

void machine_boot(enum machine m)
{
	booted = &specs[m];
	booted->files();
	machine_kernel = (struct machine_kernel){ .max_precise = booted->max_precise,
						  .counters = booted->counters, .breakpoints = 4 };
	memset(group_of, 0, sizeof(group_of));
	open_set_syscall_for_test(kernel_open);
}
