/*
 * Why an event could not be opened or a ring could not be mapped: the rule that refused, and a command that
 * works.
 */
#include "open.h"

#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "open-private.h"
#include "rights.h"
#include "../base/fs.h"

#define DEVICES "/sys/bus/event_source/devices"

struct refusal {
	const struct evset *set;
	const struct event *ev;
	const struct target *target;
	int errnum;
};

/* "cpu" on x86, other names elsewhere: a core's PMU has a list of its CPUs */
bool have_core_pmu(void)
{
	struct strbuf path = STRBUF_INIT;
	struct dirent *de;
	bool found = false;
	DIR *dir;

	dir = opendir(fs_path(&path, DEVICES));
	while (dir && !found && (de = readdir(dir))) {
		strbuf_reset(&path);
		strbuf_addf(&path, DEVICES "/%s/cpus", de->d_name);
		found = !strcmp(de->d_name, "cpu") || fs_exists(path.buf);
	}
	if (dir)
		closedir(dir);
	strbuf_release(&path);
	return found;
}

/* the lowest value of the sysctl that forbids what was requested; a very large number if none does */
static s64 paranoid_limit(const struct refusal *r, const char **ret_what)
{
	if (r->ev->attr.type == PERF_TYPE_TRACEPOINT && !(r->ev->attr.flags & ATTR_EXCLUDE_KERNEL)) {
		*ret_what = "reading tracepoints";
		return -1;
	}
	if (r->target->kind == TARGET_SYSTEM) {
		*ret_what = "measuring whole CPUs (-a, -C)";
		return 0;
	}
	if (r->ev->attr.sample_type & PERF_SAMPLE_PHYS_ADDR) {
		*ret_what = "sampling physical addresses (--phys-data)";
		return 1;
	}
	if (!(r->ev->attr.flags & ATTR_EXCLUDE_KERNEL)) {
		*ret_what = "measuring the kernel";
		return 1;
	}
	*ret_what = "measuring";
	return 2;
}

static bool is_hardware(const struct event *ev)
{
	return ev->attr.type == PERF_TYPE_HARDWARE || ev->attr.type == PERF_TYPE_HW_CACHE ||
	       ev->attr.type == PERF_TYPE_RAW;
}

/* the event's name with only the modifier u, as a user can type it */
static void user_name(const struct event *ev, char *buf, size_t size)
{
	const char *colon = strrchr(ev->name, ':'), *slash = strrchr(ev->name, '/');
	const char *end = ev->name + strlen(ev->name);

	if (slash && ev->pmu)
		end = slash + 1;
	else if (colon && ev->attr.type != PERF_TYPE_BREAKPOINT)
		end = colon;
	if (is_hardware(ev) && !have_core_pmu())
		snprintf(buf, size, "cpu-clock:u");
	else
		snprintf(buf, size, "%.*s%su", (int)(end - ev->name), ev->name, slash && ev->pmu ? "" : ":");
}

static void hint_permission(const struct refusal *r, s64 limit, bool sysctl_known, struct err *err)
{
	char name[200];

	if (r->ev->attr.type == PERF_TYPE_TRACEPOINT) {
		err_hint(err, "this works now: software events, like -e cpu-clock:u");
	} else if (r->target->kind == TARGET_SYSTEM) {
		user_name(r->ev, name, sizeof(name));
		err_hint(err, "this works now: a command or processes of your own, -e %s without -a and -C",
			 name);
	} else if (r->ev->attr.sample_type & PERF_SAMPLE_PHYS_ADDR) {
		err_hint(err, "this works now: the same without --phys-data");
	} else if (limit == 1) {
		user_name(r->ev, name, sizeof(name));
		err_hint(err, "this works now: -e %s", name);
	}
	if (rights_in_user_namespace())
		err_hint(err, "this is a user namespace (unshare -r, rootless container): "
			 "its root has no rights over the kernel's events");
	if (sysctl_known)
		err_hint(err, "to allow it, as root: sysctl kernel.perf_event_paranoid=%lld, or for this "
			 "program only: setcap cap_perfmon,cap_sys_ptrace,cap_syslog+ep $(command -v perf)",
			 (long long)limit);
}

/* the first process of the target that belongs to another user, or -1 */
static s32 foreign_process(const struct target *t)
{
	struct strbuf text = STRBUF_INIT;
	s32 found = -1;

	for (size_t i = 0; t->kind == TARGET_TASKS && i < t->tids.nr && found < 0; i++) {
		unsigned int uid = geteuid();
		char path[64];
		const char *line;

		snprintf(path, sizeof(path), "/proc/%d/status", t->tids.v[i]);
		strbuf_reset(&text);
		if (fs_read(path, &text))
			continue;
		line = strstr(strbuf_str(&text), "\nUid:");
		if (line && sscanf(line, "\nUid: %*u %u", &uid) == 1 && uid != geteuid())
			found = t->tids.v[i];
	}
	strbuf_release(&text);
	return found;
}

static void explain_permission(const struct refusal *r, struct err *err)
{
	const char *what;
	s64 limit = paranoid_limit(r, &what), paranoid = 2;
	bool known = !fs_read_s64(PARANOID_FILE, &paranoid);
	s32 foreign = foreign_process(r->target);

	if (!known && !fs_exists(PARANOID_FILE)) {
		err_set(err, -r->errnum,
			"event '%s': this kernel has no perf events, or /proc is not mounted", r->ev->name);
		return;
	}
	if (!rights_perfmon() && paranoid > limit) {
		err_set(err, -r->errnum, "no permission for event '%s': %s needs CAP_PERFMON, because "
			"kernel.perf_event_paranoid is %lld (%s)", r->ev->name, what, (long long)paranoid,
			paranoid_meaning(paranoid));
		hint_permission(r, limit, true, err);
	} else if (!rights_perfmon() && (r->ev->attr.flags & ATTR_NAMESPACES)) {
		err_set(err, -r->errnum, "no permission for event '%s': recording namespaces (--namespaces) "
			"needs CAP_PERFMON, whatever kernel.perf_event_paranoid is (here %lld)", r->ev->name,
			(long long)paranoid);
		err_hint(err, "this works now: the same without --namespaces");
	} else if (foreign >= 0 && !rights_perfmon()) {
		err_set(err, -r->errnum, "no permission for event '%s': process %d belongs to another user",
			r->ev->name, foreign);
		err_hint(err, "this works now: processes of your own; for others: root, "
			 "or CAP_PERFMON with CAP_SYS_PTRACE");
	} else {
		err_set(err, -r->errnum, "event '%s' is forbidden, although kernel.perf_event_paranoid is "
			"%lld (%s): a security module, a seccomp filter (containers) or lockdown refuses",
			r->ev->name, (long long)paranoid, paranoid_meaning(paranoid));
		err_hint(err, "in a container: start it with --cap-add PERFMON and a seccomp profile that "
			 "allows perf_event_open");
	}
}

/* pipes, rings, the output and the files that are read for it, in addition to the events */
#define OWN_FILES 16

static void explain_files(const struct refusal *r, struct err *err)
{
	struct rlimit lim = { 0 };
	u64 needed = (u64)r->set->ev.nr * r->target->cpus.nr * r->target->tids.nr;

	getrlimit(RLIMIT_NOFILE, &lim);
	err_set(err, -r->errnum, "too many open files: %zu events x %zu CPUs x %zu threads need %llu "
		"descriptors in addition to perf's own, the limit (ulimit -n) is %llu", r->set->ev.nr,
		r->target->cpus.nr, r->target->tids.nr, (unsigned long long)needed,
		(unsigned long long)lim.rlim_cur);
	err_hint(err, r->target->tids.nr > 1 ?
		 "raise it (ulimit -n %llu), name fewer events, or use --per-thread or -a" :
		 "raise it (ulimit -n %llu), or name fewer events", (unsigned long long)needed + OWN_FILES);
}

static size_t nr_breakpoints(const struct evset *set)
{
	size_t nr = 0;

	vec_foreach(&set->ev, ev)
		nr += (*ev)->attr.type == PERF_TYPE_BREAKPOINT;
	return nr;
}

static void explain_space(const struct refusal *r, struct err *err)
{
	if (r->ev->attr.type == PERF_TYPE_BREAKPOINT) {
		err_set(err, -r->errnum,
			"event '%s': all hardware breakpoints are in use (x86 has 4, shared with debuggers)",
			r->ev->name);
		err_hint(err,
			 "use fewer mem: events (this list has %zu), or end the debugger that holds some",
			 nr_breakpoints(r->set));
		return;
	}
	err_set(err, -r->errnum, "event '%s': the kernel has no space for more events of this kind",
		r->ev->name);
}

static void explain_busy_trace(const struct refusal *r, struct err *err)
{
	err_set(err, -r->errnum, "event '%s': the trace hardware is in use by someone else", r->ev->name);
	err_hint(err, "a trace has one user at a time on a CPU: end the other recording, also one of the "
		 "firmware or of a debugger");
	if (strstr(r->ev->name, "intel_pt"))
		err_hint(err, "guests of KVM have it while the module kvm_intel has pt_mode=1");
}

static void explain_busy(const struct refusal *r, struct err *err)
{
	s64 watchdog = 0;

	if (r->ev->trace) {
		explain_busy_trace(r, err);
		return;
	}
	err_set(err, -r->errnum, "event '%s': the counter hardware is in use by someone else", r->ev->name);
	if (!fs_read_s64("/proc/sys/kernel/nmi_watchdog", &watchdog) && watchdog)
		err_hint(err, "the NMI watchdog holds a counter; as root: sysctl kernel.nmi_watchdog=0");
	err_hint(err, "other users of it: another perf, oprofile, a hypervisor, a firmware agent");
}

static void explain_unsupported(const struct refusal *r, struct err *err)
{
	const struct pe_attr *a = &r->ev->attr;

	if (event_is_tool(r->ev)) {
		err_set(err, -r->errnum,
			"event '%s' is read by perf itself: it can be counted (perf stat), not sampled",
			r->ev->name);
		return;
	}
	if (a->sample_type & PERF_SAMPLE_BRANCH_STACK) {
		err_set(err, -r->errnum, "event '%s': branch stacks (-b, -j, "
			"--call-graph lbr) are not supported by this event or CPU", r->ev->name);
		err_hint(err, is_hardware(r->ev) ? "virtual machines rarely have them" :
			 "they need a hardware event, like cycles");
		return;
	}
	if (attr_precise(a)) {
		err_set(err, -r->errnum, "event '%s': the CPU has no precise sampling for it", r->ev->name);
		err_hint(err, "leave the modifier p out");
		return;
	}
	if (a->flags & ATTR_AUX_OUTPUT) {
		err_set(err, -r->errnum, "event '%s': the CPU cannot write it into the AUX area",
			r->ev->name);
		return;
	}
	if (r->ev->trace) {
		err_set(err, -r->errnum, "event '%s' is not supported: the trace hardware cannot do what its "
			"terms or modifiers ask for", r->ev->name);
		err_hint(err, "try it without terms, as %s//u; dmesg may say more", r->ev->pmu);
		return;
	}
	err_set(err, -r->errnum, "event '%s' is not supported: %s", r->ev->name,
		a->sample_period || (a->flags & ATTR_FREQ) ?
		"it may be counted, but not sampled (the PMU has no interrupt)" :
		"this CPU or kernel does not have it");
	if (r->ev->pmu)
		err_hint(err, "its PMU is %s; 'perf stat -e %s' may count it", r->ev->pmu, r->ev->name);
}

static void explain_missing(const struct refusal *r, struct err *err)
{
	if (r->errnum == ENODEV && (r->ev->term_flags & EVENT_TERM_CPU)) {
		err_set(err, -r->errnum,
			"event '%s': none of the CPUs of its term cpu= is online and measured", r->ev->name);
		return;
	}
	if (r->ev->trace) {
		err_set(err, -r->errnum, "event '%s': the trace hardware, or the sink for its bytes, is not "
			"available on these CPUs", r->ev->name);
		err_hint(err, "a CPU that is off, a sink that another trace uses, or a unit that a security "
			 "setting of the firmware forbids; dmesg may say more");
		return;
	}
	if (!is_hardware(r->ev)) {
		err_set(err, -r->errnum, "event '%s' is not known to this kernel", r->ev->name);
		return;
	}
	if (have_core_pmu()) {
		err_set(err, -r->errnum, "event '%s' is not supported by this CPU", r->ev->name);
		return;
	}
	err_set(err, -r->errnum, "event '%s' is not supported: "
		"this machine has no hardware counters (virtual machines often have none)", r->ev->name);
	err_hint(err, "this works now: software events and tracepoints, like -e cpu-clock");
}

/* cores list their CPUs in "cpus", shared units in "cpumask" */
static bool is_core_pmu(const char *pmu)
{
	char path[300];

	snprintf(path, sizeof(path), DEVICES "/%s/cpumask", pmu);
	return !fs_exists(path);
}

static bool needs_trace_group(const struct refusal *r)
{
	const struct pe_attr *a = &r->ev->attr;

	return evset_at(r->set, r->ev->leader)->trace &&
	       (a->aux_sample_size || a->aux_action || a->flags & ATTR_AUX_OUTPUT);
}

static void explain_invalid(const struct refusal *r, struct err *err)
{
	const struct event *ev = r->ev;
	bool system = r->target->kind == TARGET_SYSTEM;

	if (ev->trace) {
		err_set(err, -r->errnum, "the kernel refuses the terms of '%s' (config 0x%llx), or this kind "
			"of recording", ev->name, (unsigned long long)ev->attr.config);
		err_hint(err, "try it without terms, as %s//u%s; dmesg may say more", ev->pmu,
			 system ? "" : ", and with -a");
	} else if (needs_trace_group(r)) {
		err_set(err, -r->errnum, "event '%s' does not fit into the group of the trace '%s': the CPU "
			"or the kernel cannot do this", ev->name, evset_at(r->set, ev->leader)->name);
		err_hint(err, "aux-output needs Intel PT and a precise event (modifier ppp) on recent CPUs, "
			 "aux-sample-size linux 5.5, aux-action linux 6.13");
	} else if (ev->nr_cpus && system && ev->pmu && ev->attr.sample_period &&
	    ev->attr.type > PERF_TYPE_BREAKPOINT && !is_core_pmu(ev->pmu)) {
		err_set(err, -r->errnum,
			"event '%s' can be counted (perf stat), not sampled: PMU %s has no samples", ev->name,
			ev->pmu);
	} else if (ev->nr_cpus && !system && ev->pmu && !is_hardware(ev)) {
		err_set(err, -r->errnum,
			"event '%s' counts whole CPUs or packages (PMU %s): it cannot follow a task",
			ev->name, ev->pmu);
		err_hint(err, "this works now: the same with -a");
	} else if (ev->pmu && !system && ev->attr.type > PERF_TYPE_BREAKPOINT) {
		err_set(err, -r->errnum, "event '%s' is refused as invalid for a task (PMU %s)", ev->name,
			ev->pmu);
		err_hint(err, "many PMUs count whole CPUs only: try the same with -a%s",
			 ev->attr.sample_period ? ", and counting (perf stat): they cannot sample" : "");
	} else if (ev->attr.type == PERF_TYPE_BREAKPOINT) {
		err_set(err, -r->errnum, "event '%s': the CPU cannot watch %llu bytes at 0x%llx", ev->name,
			(unsigned long long)ev->attr.config2, (unsigned long long)ev->attr.config1);
		err_hint(err, "lengths are 1, 2, 4, 8, the address a multiple of it; "
			 "x cannot be combined with r and w");
	} else if (ev->attr.flags & ATTR_USE_CLOCKID && is_hardware(ev)) {
		err_set(err, -r->errnum, "event '%s': this clock (-k) cannot be read by hardware events",
			ev->name);
		err_hint(err, "this works: -k monotonic, -k monotonic_raw");
	} else if (ev->leader != ev->idx) {
		err_set(err, -r->errnum, "event '%s' does not fit into the group of '%s': not enough "
			"counters, or of another PMU", ev->name, evset_at(r->set, ev->leader)->name);
		err_hint(err, "use fewer events in the group, or modifier W, which splits it");
	} else {
		err_set(err, -r->errnum, "the kernel refuses event '%s' as invalid", ev->name);
		err_hint(err, "-vv shows the attributes; dmesg may say more");
	}
}

static void explain_gone(const struct refusal *r, struct err *err)
{
	err_set(err, -r->errnum, r->target->tids.nr == 1 ? "process or thread %d has ended" :
		"all processes to observe have ended (the first: %d)", r->target->tids.v[0]);
}

static void explain_too_big(const struct refusal *r, struct err *err)
{
	err_set(err, -r->errnum,
		"event '%s' uses fields that this kernel does not know (attributes of %u bytes)", r->ev->name,
		r->ev->attr.size);
	err_hint(err, "terms like config3, aux-action or sigtrap need a newer kernel");
}

static void explain_no_call(const struct refusal *r, struct err *err)
{
	err_set(err, -r->errnum, "event '%s' cannot be opened: this kernel has no perf_event_open(), or a "
		"container or sandbox forbids the call (seccomp)", r->ev->name);
	err_hint(err, "in a container: start it with --cap-add PERFMON, or with --security-opt "
		 "seccomp=unconfined");
}

static const struct {
	int errnum;
	void (*explain)(const struct refusal *r, struct err *err);
} explanations[] = {
	{ EACCES, explain_permission },
	{ EPERM, explain_permission },
	{ EMFILE, explain_files },
	{ ENFILE, explain_files },
	{ ENOSPC, explain_space },
	{ EBUSY, explain_busy },
	{ EOPNOTSUPP, explain_unsupported },
	{ ENOENT, explain_missing },
	{ ENXIO, explain_missing },
	{ ENODEV, explain_missing },
	{ EINVAL, explain_invalid },
	{ ESRCH, explain_gone },
	{ E2BIG, explain_too_big },
	{ ENOSYS, explain_no_call },
};

int open_explain(const struct evset *set, const struct event *ev, const struct target *t, int errnum,
		 struct err *err)
{
	struct refusal r = { set, ev, t, errnum };

	for (size_t i = 0; i < ARRAY_SIZE(explanations); i++)
		if (explanations[i].errnum == errnum) {
			explanations[i].explain(&r, err);
			return -errnum;
		}
	err_sys(err, errnum, "event '%s' cannot be opened", ev->name);
	return -errnum;
}

/* pages of each ring if this user has that many, and no others yet */
static u64 pages_allowed(u64 nr_rings, u64 mlock_kb, u64 memlock_bytes)
{
	u64 bytes = mlock_kb * 1024 * MAX(sysconf(_SC_NPROCESSORS_ONLN), 1) + memlock_bytes;

	return bytes / page_size() / MAX(nr_rings, 1);
}

static u64 pow2_at_most(u64 v)
{
	return v ? 1ull << (63 - __builtin_clzll(v)) : 1;
}

/* what -m takes: "64", "64,32" */
static const char *size_words(const struct map_sizes *m, char *buf, size_t size)
{
	int len = snprintf(buf, size, "%llu", (unsigned long long)m->pages);

	if (m->aux_pages)
		snprintf(buf + len, size - len, ",%llu", (unsigned long long)m->aux_pages);
	return buf;
}

/* sizes of which all rings fit into this number of pages each. A ring has a page of control data, too */
static struct map_sizes smaller(const struct map_sizes *m, u64 allowed)
{
	struct map_sizes s = *m;

	if (!m->aux_pages) {
		s.pages = MIN(pow2_at_most(MAX(allowed, 2ull) - 1), MAX(m->pages / 4, 1ull));
		return s;
	}
	/* most of the bytes are those of the trace */
	s.pages = MIN(m->pages, pow2_at_most(MAX(allowed, 2ull) - 1));
	while (s.pages > 1 && s.pages * 4 > allowed)
		s.pages /= 2;
	s.aux_pages = MIN(m->aux_pages, pow2_at_most(allowed > s.pages + 1 ? allowed - s.pages - 1 : 1));
	if (s.pages == m->pages && s.aux_pages == m->aux_pages)
		s.aux_pages = MAX(s.aux_pages / 4, 1ull);
	return s;
}

static void describe_map(const struct map_sizes *m, struct strbuf *out)
{
	u64 kb = page_size() / 1024;

	strbuf_addf(out, "%llu ring buffer%s of %llu pages (%llu KiB each)", (unsigned long long)m->nr_rings,
		    m->nr_rings == 1 ? "" : "s", (unsigned long long)m->pages,
		    (unsigned long long)(m->pages * kb));
	if (m->aux_pages)
		strbuf_addf(out, ", with AUX areas of %llu pages (%llu KiB each)",
			    (unsigned long long)m->aux_pages, (unsigned long long)(m->aux_pages * kb));
}

static int explain_mlock(const struct map_sizes *m, const char *what, struct err *err)
{
	struct rlimit lim = { 0 };
	struct map_sizes s;
	u64 mlock_kb = 0;
	char words[64];

	fs_read_u64("/proc/sys/kernel/perf_event_mlock_kb", &mlock_kb);
	getrlimit(RLIMIT_MEMLOCK, &lim);
	err_set(err, -EPERM, "no permission to map %s: kernel.perf_event_mlock_kb allows each user %llu KiB "
		"per CPU, and the limit of locked memory (ulimit -l) %llu KiB more", what,
		(unsigned long long)mlock_kb, (unsigned long long)lim.rlim_cur / 1024);
	/* the user's other recorders may use a part of it, so there may be less than the limits say */
	s = smaller(m, pages_allowed(m->nr_rings, mlock_kb, lim.rlim_cur));
	err_hint(err, "this works now: a smaller buffer, like -m %s; CAP_PERFMON or CAP_IPC_LOCK "
		 "has no limit", size_words(&s, words, sizeof(words)));
	return err->code;
}

int open_explain_mmap(const struct map_sizes *m, int errnum, struct err *err)
{
	struct map_sizes s = *m;
	struct strbuf what = STRBUF_INIT;
	char words[64];

	describe_map(m, &what);
	if (errnum == EPERM) {
		explain_mlock(m, strbuf_str(&what), err);
	} else if (errnum == ENOMEM) {
		err_set(err, -errnum, "not enough memory for %s", strbuf_str(&what));
		*(m->aux_pages ? &s.aux_pages : &s.pages) = MAX((m->aux_pages ?: m->pages) / 4, 1ull);
		err_hint(err, "try smaller ones: -m %s", size_words(&s, words, sizeof(words)));
	} else if (errnum == EINVAL && !m->aux_pages) {
		err_set(err, -errnum, "a ring buffer cannot have %llu pages: a power of two is needed",
			(unsigned long long)m->pages);
	} else if (errnum == EINVAL) {
		err_set(err, -errnum, "the kernel refuses an AUX area of %llu pages for this trace",
			(unsigned long long)m->aux_pages);
		err_hint(err, "some traces need 2 pages or more, others cannot be recorded by thread: try "
			 "another size, -m ,N, or -a");
	} else if (m->aux_pages) {
		err_sys(err, errnum, "an AUX area of %llu pages cannot be mapped",
			(unsigned long long)m->aux_pages);
	} else {
		err_sys(err, errnum, "a ring buffer of %llu pages cannot be mapped",
			(unsigned long long)m->pages);
	}
	strbuf_release(&what);
	return -errnum;
}
