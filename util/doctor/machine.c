/* Doctor, machine: a check per row of machine.def. */
#include "machine.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../base/cpulist.h"
#include "../base/fs.h"
#include "../base/units.h"
#include "../bpf/map.h"
#include "../event/event.h"
#include "../kernel/open.h"
#include "../kernel/probe-events.h"
#include "../kernel/rights.h"
#include "../kernel/tracefs.h"
#include "../pmu/pmu.h"
#include "../sym/debuginfod.h"
#include "../sym/kernel-list.h"

#define SYSCTL "/proc/sys/kernel/"
/* what the kernel allows unless somebody lowered it; less makes perf lose samples or callers */
#define USUAL_MLOCK_KB 516u
#define USUAL_STACK 127u
#define LOW_RATE 4000u		/* the default frequency of record */
#define LOW_FILES 1024u

struct machine_exam {
	struct pmus pmus;
	const struct pmu *core;		/* NULL: no hardware counters here */
	bool is_live;			/* the files belong to the running kernel, which can be asked */
	const char *parts;
};

/* opens an event of this process as record would; 0 or a negative errno with err */
static int try_event(const char *name, u32 type, u64 config, struct err *err)
{
	struct event ev = { .name = name, .attr = {
		.type = type, .size = PE_ATTR_SIZE_MIN, .config = config,
		.flags = ATTR_DISABLED | ATTR_EXCLUDE_HV | ATTR_EXCLUDE_KERNEL } };
	struct evset set = { 0 };
	struct target target = { .kind = TARGET_WORKLOAD };
	int fd = open_raw(&ev.attr, 0, -1, -1, 0);

	if (fd < 0)
		return open_explain(&set, &ev, &target, -fd, err);
	close_raw(fd);
	return 0;
}

static void check_events(struct machine_exam *x, struct finding *f)
{
	struct err err = ERR_INIT;

	if (!fs_exists(PARANOID_FILE))
		finding_set(f, FINDING_MISSING, "this kernel has no perf events, or /proc is not mounted");
	else if (x->is_live &&
		 try_event("cpu-clock:u", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, &err))
		finding_set_err(f, FINDING_MISSING, &err);
	else
		finding_set(f, FINDING_OK, "%s", x->is_live ? "software events of own processes work" :
			    "the kernel has them");
}

static void check_rights(struct machine_exam *x UNUSED, struct finding *f)
{
	if (rights_in_user_namespace()) {
		finding_set(f, FINDING_LIMITED, "this is a user namespace (unshare -r, rootless container): "
			    "its root has no rights over the kernel's events");
		finding_remedy(f, "run perf outside of it");
	} else if (rights_perfmon()) {
		finding_set(f, FINDING_OK, "CAP_PERFMON: all processes, the kernel and whole CPUs");
	} else {
		finding_set(f, FINDING_LIMITED, "no CAP_PERFMON: kernel.perf_event_paranoid decides");
	}
}

static void check_paranoid(struct machine_exam *x UNUSED, struct finding *f)
{
	s64 v;

	if (fs_read_s64(PARANOID_FILE, &v))
		return;
	finding_set(f, rights_perfmon() || v < 0 ? FINDING_OK : v > 2 ? FINDING_MISSING : FINDING_LIMITED,
		    "kernel.perf_event_paranoid is %lld: %s", (long long)v, paranoid_meaning(v));
}

static void check_lockdown(struct machine_exam *x UNUSED, struct finding *f)
{
	if (kernel_is_confidential())
		finding_set(f, FINDING_MISSING, "the kernel is locked down (confidentiality): no "
			    "tracepoints, probes and BPF programs for anyone");
	else if (tracefs_locked_down())
		finding_set(f, FINDING_LIMITED, "the kernel is locked down: no /proc/kcore, no new probes");
}

static void check_hardware(struct machine_exam *x, struct finding *f)
{
	struct err err = ERR_INIT;

	if (!x->core)
		finding_set(f, FINDING_MISSING, "this machine has no hardware counters "
			    "(virtual machines often have none)");
	else if (x->is_live &&
		 try_event("cycles:u", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, &err))
		finding_set_err(f, FINDING_MISSING, &err);
	else
		finding_set(f, FINDING_OK, "PMU %s", x->core->name);
}

/* a number in the caps folder of the CPUs' PMU; false: the kernel does not say it */
static bool core_cap(const struct machine_exam *x, const char *cap, u64 *ret)
{
	struct strbuf path = STRBUF_INIT;
	bool known;

	strbuf_addf(&path, "/sys/bus/event_source/devices/%s/caps/%s", x->core->name, cap);
	known = !fs_read_u64(path.buf, ret);
	strbuf_release(&path);
	return known;
}

static void check_precise(struct machine_exam *x, struct finding *f)
{
	u64 most;

	if (!x->core || !core_cap(x, "max_precise", &most))
		return;
	finding_set(f, most ? FINDING_OK : FINDING_MISSING, "modifier p: %s%.*s",
		    most ? "up to " : "the CPU has no precise samples", (int)MIN(most, (u64)3), "ppp");
}

static void check_branches(struct machine_exam *x, struct finding *f)
{
	u64 nr;

	if (!x->core || !core_cap(x, "branches", &nr))
		return;
	if (nr)
		finding_set(f, FINDING_OK, "the CPU keeps the last %llu branches", (unsigned long long)nr);
	else
		finding_set(f, FINDING_MISSING, "the CPU does not record branches");
}

static void check_watchdog(struct machine_exam *x, struct finding *f)
{
	u64 on;

	if (x->core && !fs_read_u64(SYSCTL "nmi_watchdog", &on) && on)
		finding_set(f, FINDING_LIMITED, "the NMI watchdog holds a hardware counter");
}

static void check_kernel_symbols(struct machine_exam *x UNUSED, struct finding *f)
{
	struct kallsyms *list = NULL;
	struct err err = ERR_INIT;
	u64 hidden = 0;
	int ret = kernel_list_read(&list, &err);

	fs_read_u64(SYSCTL "kptr_restrict", &hidden);
	if (!ret) {
		finding_set(f, FINDING_OK, "%zu name%s in /proc/kallsyms, kernel.kptr_restrict is %llu",
			    list->nr, plural(list->nr), (unsigned long long)hidden);
	} else if (ret == -EACCES) {
		finding_set(f, FINDING_MISSING, "the kernel hides its addresses from %s "
			    "(kernel.kptr_restrict is %llu)", hidden < 2 ? "this user" : "everyone",
			    (unsigned long long)hidden);
		finding_remedy(f, hidden < 2 ? "run as root, or 'sysctl kernel.kptr_restrict=0 "
			       "kernel.perf_event_paranoid=1'" : "as root: sysctl kernel.kptr_restrict=1");
	} else {
		finding_set_err(f, FINDING_MISSING, &err);
	}
	kallsyms_free(list);
}

static void check_kernel_code(struct machine_exam *x UNUSED, struct finding *f)
{
	int fd = fs_open("/proc/kcore", O_RDONLY | O_NONBLOCK);

	if (fd >= 0) {
		close(fd);
		finding_set(f, FINDING_OK, "/proc/kcore can be read");
	} else if (fd == -ENOENT) {
		finding_set(f, FINDING_MISSING, "this kernel has no /proc/kcore");
		finding_remedy(f, "annotate with --vmlinux FILE: the kernel's file with debug information");
	} else {
		finding_set(f, FINDING_LIMITED, "/proc/kcore: %s", strerror(-fd));
	}
}

static void check_kernel_types(struct machine_exam *x UNUSED, struct finding *f)
{
	int fd = fs_open("/sys/kernel/btf/vmlinux", O_RDONLY | O_NONBLOCK);

	if (fd >= 0)
		close(fd);
	finding_set(f, fd >= 0 ? FINDING_OK : FINDING_LIMITED, "%s", fd >= 0 ?
		    "/sys/kernel/btf/vmlinux can be read" :
		    "no BTF: the types of the kernel's functions are not known");
}

static void check_tracepoints(struct machine_exam *x UNUSED, struct finding *f)
{
	struct tracefs_events all = { 0 };
	struct err err = ERR_INIT;

	if (tracefs_list(&all, "*", "*", &err))
		finding_set_err(f, FINDING_MISSING, &err);
	else
		finding_set(f, all.nr ? FINDING_OK : FINDING_MISSING, "%zu in %s", all.nr, tracefs_path());
	tracefs_events_release(&all);
}

static void check_probes(struct finding *f, bool user)
{
	struct err err = ERR_INIT;

	if (probe_events_allowed(user, &err))
		finding_set_err(f, err.code == -ENOENT ? FINDING_MISSING : FINDING_LIMITED, &err);
	else
		finding_set(f, FINDING_OK, "%s can be written", user ? "uprobe_events" : "kprobe_events");
}

static void check_kprobes(struct machine_exam *x UNUSED, struct finding *f)
{
	check_probes(f, false);
}

static void check_uprobes(struct machine_exam *x UNUSED, struct finding *f)
{
	check_probes(f, true);
}

static void check_bpf(struct machine_exam *x, struct finding *f)
{
	struct bpf_map map = BPF_MAP_INIT;
	struct err err = ERR_INIT;

	if (!fs_exists(SYSCTL "unprivileged_bpf_disabled")) {
		finding_set(f, FINDING_MISSING, "this kernel was built without BPF");
		finding_remedy(f, "boot a kernel with CONFIG_BPF_SYSCALL");
	} else if (!rights_have(CAPABILITY_BPF) || !rights_perfmon()) {
		finding_set(f, FINDING_MISSING, "no CAP_BPF and CAP_PERFMON: no record --off-cpu and "
			    "--filter, lock contention -b, kwork -b, trace --bpf-summary");
	} else if (x->is_live && bpf_map_create(&map, BPF_MAP_TYPE_ARRAY, "doctor", 4, 8, 1, 0, &err)) {
		finding_set_err(f, FINDING_MISSING, &err);
	} else {
		finding_set(f, FINDING_OK, "programs can be loaded");
	}
	bpf_map_release(&map);
}

static void check_mlock(struct machine_exam *x UNUSED, struct finding *f)
{
	struct rlimit lim = { 0 };
	u64 kb;

	if (fs_read_u64(SYSCTL "perf_event_mlock_kb", &kb))
		return;
	getrlimit(RLIMIT_MEMLOCK, &lim);
	if (rights_have(CAPABILITY_IPC_LOCK) || rights_perfmon())
		finding_set(f, FINDING_OK, "no limit for this user");
	else
		finding_set(f, kb < USUAL_MLOCK_KB && lim.rlim_cur / 1024 < USUAL_MLOCK_KB ? FINDING_LIMITED :
			    FINDING_OK, "kernel.perf_event_mlock_kb allows each user %llu KiB per CPU, "
			    "ulimit -l %llu KiB more", (unsigned long long)kb,
			    (unsigned long long)lim.rlim_cur / 1024);
}

static void check_files(struct machine_exam *x UNUSED, struct finding *f)
{
	struct rlimit lim = { 0 };

	getrlimit(RLIMIT_NOFILE, &lim);
	/* perf raises the limit as far as it may */
	finding_set(f, lim.rlim_max < LOW_FILES ? FINDING_LIMITED : FINDING_OK,
		    "up to %llu: an event needs one per CPU or thread", (unsigned long long)lim.rlim_max);
}

/* a limit of the kernel, by its path, and what it bounds */
static void check_limit(struct finding *f, const char *path, u64 least, const char *what)
{
	u64 limit;

	if (!fs_read_u64(path, &limit))
		finding_set(f, limit < least ? FINDING_LIMITED : FINDING_OK, "at most %llu %s",
			    (unsigned long long)limit, what);
}

static void check_rate(struct machine_exam *x UNUSED, struct finding *f)
{
	check_limit(f, SYSCTL "perf_event_max_sample_rate", LOW_RATE,
		    "samples per second and CPU (kernel.perf_event_max_sample_rate)");
}

static void check_stack(struct machine_exam *x UNUSED, struct finding *f)
{
	check_limit(f, SYSCTL "perf_event_max_stack", USUAL_STACK,
		    "callers per sample (kernel.perf_event_max_stack)");
}

static void check_debuginfod(struct machine_exam *x UNUSED, struct finding *f)
{
	struct err err = ERR_INIT;

	if (debuginfod_prepare(NULL, &err))
		finding_set_err(f, FINDING_LIMITED, &err);
	else
		finding_set(f, FINDING_OK, "--debuginfod asks the servers of DEBUGINFOD_URLS");
}

static void check_parts(struct machine_exam *x, struct finding *f)
{
	finding_set(f, x->parts ? FINDING_LIMITED : FINDING_OK, "%s",
		    x->parts ? x->parts : "all libraries that it uses are there");
}

static const struct {
	const char *name, *title, *remedy;
	void (*check)(struct machine_exam *x, struct finding *f);
} checks[] = {
#define CHECK(name, title, function, remedy) { name, title, remedy, check_##function },
#include "machine.def"
};

static void exam_start(struct machine_exam *x, const char *parts)
{
	*x = (struct machine_exam){ .parts = parts, .is_live = !fs_root() || !*fs_root() };
	pmus_scan(&x->pmus);
	vec_foreach(&x->pmus.pmu, p)
		if ((*p)->is_core && !x->core)
			x->core = *p;
}

void doctor_machine(struct view *v, const char *parts, u32 form)
{
	struct machine_exam x;
	struct findings found = { 0 };

	exam_start(&x, parts);
	for (size_t i = 0; i < ARRAY_SIZE(checks); i++) {
		struct finding f = { .name = checks[i].name, .title = checks[i].title, .arena = &v->arena };

		checks[i].check(&x, &f);
		findings_add(&found, &f, checks[i].remedy);
	}
	findings_show(&found, v, "machine", "What this machine can do", form);
	pmus_release(&x.pmus);
}

bool doctor_machine_has(const char *name, struct strbuf *why)
{
	struct arena arena = { 0 };
	struct finding f = { .name = name, .arena = &arena };
	struct machine_exam x;
	size_t i = 0;

	while (strcmp(checks[i].name, name))
		i++;
	exam_start(&x, NULL);
	checks[i].check(&x, &f);
	if (f.state != FINDING_OK) {
		const char *remedy = f.remedy ? f.remedy : checks[i].remedy;

		strbuf_addf(why, "%s%s%s", f.found, remedy ? "; " : "", remedy ? remedy : "");
	}
	pmus_release(&x.pmus);
	arena_release(&arena);
	return f.state == FINDING_OK;
}
