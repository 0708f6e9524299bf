/* Open: the matrix of descriptors, event x CPU x thread. */
#include "open.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "breakpoint.h"
#include "open-close.h"
#include "open-private.h"
#include "tracefs.h"
#include "../base/fs.h"
#include "../base/log.h"
#include "../event/attr.h"

#define FDS_MAX (1ull << 28)	/* more descriptors than any kernel provides */

static open_syscall scripted;

void open_set_syscall_for_test(open_syscall fn)
{
	scripted = fn;
}

bool open_is_scripted(void)
{
	return scripted;
}

int open_raw(const struct pe_attr *attr, s32 pid, int cpu, int group_fd, unsigned long flags)
{
	struct pe_attr a = *attr;
	long fd;

	if (scripted)
		return scripted(attr, pid, cpu, group_fd, flags);
	a.flags = pe_attr_kernel_flags(a.flags);
	fd = syscall(__NR_perf_event_open, &a, pid, cpu, group_fd, flags);
	return fd < 0 ? -errno : fd;
}

void close_raw(int fd)
{
	if (!scripted)
		close(fd);
}

int open_ioctl(int fd, unsigned long request, unsigned long arg)
{
	if (!scripted)
		return ioctl(fd, request, arg) < 0 ? -errno : 0;
	if (request == PERF_EVENT_IOC_ID)
		*(u64 *)arg = fd + 1000;
	return 0;
}

/* all PERF_ATTR_SIZE_VERn; VER8 and VER9 are newer than many headers */
u32 attr_size_needed(const struct pe_attr *a)
{
	static const u8 sizes[] = { PE_ATTR_SIZE_MIN, 72, 80, 96, 104, 112, 120, 128, 136, 144 };
	const u8 *bytes = (const u8 *)a;
	u32 end = sizeof(*a);

	while (end > PE_ATTR_SIZE_MIN && !bytes[end - 1])
		end--;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		if (end <= sizes[i])
			return sizes[i];
	return sizeof(*a);
}

/* the same for all events, because a file has one size for all */
void open_set_attr_sizes(struct evset *set)
{
	u32 size = PE_ATTR_SIZE_MIN;

	vec_foreach(&set->ev, ev)
		size = MAX(size, attr_size_needed(&(*ev)->attr));
	vec_foreach(&set->ev, ev)
		(*ev)->attr.size = size;
}

void open_note(const struct opening *o, const char *fmt, ...)
{
	va_list ap;

	if (!o->opts->notes)
		return;
	va_start(ap, fmt);
	strbuf_vaddf(o->opts->notes, fmt, ap);
	va_end(ap);
	strbuf_addch(o->opts->notes, '\n');
}

static int fds_init(struct open_fds *f, const struct evset *set, const struct target *t, struct err *err)
{
	u64 total = set->ev.nr;

	memset(f, 0, sizeof(*f));
	if (!set->ev.nr || !t->cpus.nr || !t->tids.nr)
		return err_set(err, -EINVAL, "there is nothing to open: %zu events, %zu CPUs, %zu threads",
			       set->ev.nr, t->cpus.nr, t->tids.nr);
	if (__builtin_mul_overflow(total, (u64)t->cpus.nr, &total) ||
	    __builtin_mul_overflow(total, (u64)t->tids.nr, &total) || total > FDS_MAX)
		return err_set(err, -E2BIG, "%zu events x %zu CPUs x %zu threads are too many to open: "
			       "name fewer, or use -a", set->ev.nr, t->cpus.nr, t->tids.nr);
	f->nr_events = set->ev.nr;
	f->nr_cpus = t->cpus.nr;
	f->nr_threads = t->tids.nr;
	f->fd = xmalloc(total * sizeof(*f->fd));
	for (u64 i = 0; i < total; i++)
		f->fd[i] = -1;
	f->cpu = xmemdup(t->cpus.v, t->cpus.nr * sizeof(*f->cpu));
	f->tid = xmemdup(t->tids.v, t->tids.nr * sizeof(*f->tid));
	f->refused = xcalloc(f->nr_events, sizeof(*f->refused));
	f->stopped = xcalloc(f->nr_events, sizeof(*f->stopped));
	f->stops = xcalloc(f->nr_events, sizeof(*f->stops));
	return 0;
}

static size_t nr_fds(const struct open_fds *f)
{
	return (size_t)f->nr_events * f->nr_cpus * f->nr_threads;
}

static void close_range_of(struct open_fds *f, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		if (f->fd[i] >= 0)
			close_raw(f->fd[i]);
		f->fd[i] = -1;
	}
}

/* closes tracepoints, which takes long */
static void release_slow(struct open_fds *f)
{
	struct { VEC(int); } slow = { 0 };

	for (u32 e = 0; f->is_slow && e < f->nr_events; e++)
		for (size_t i = open_at(f, e, 0, 0), end = open_at(f, e + 1, 0, 0); f->is_slow[e] && i < end;
		     i++) {
			if (f->fd[i] >= 0)
				vec_push(&slow, f->fd[i]);
			f->fd[i] = -1;
		}
	if (slow.nr)
		close_in_background(slow.v, slow.nr);
	vec_release(&slow);
}

void open_release(struct open_fds *f)
{
	if (f->fd) {
		release_slow(f);
		close_range_of(f, 0, nr_fds(f));
	}
	free(f->is_slow);
	free(f->fd);
	free(f->id);
	free(f->cpu);
	free(f->tid);
	free(f->refused);
	free(f->stopped);
	free(f->stops);
	memset(f, 0, sizeof(*f));
}

bool event_wants_cpu(const struct event *ev, int cpu)
{
	if (!ev->nr_cpus || cpu < 0)
		return true;
	for (u32 i = 0; i < ev->nr_cpus; i++)
		if (ev->cpus[i] == cpu)
			return true;
	return false;
}

/* on any CPU (-1) the kernel opens no event for all tasks */
static bool is_for_all(const struct event *ev, int cpu)
{
	return ev->all_tasks && cpu >= 0;
}

static int open_cell(struct opening *o, struct event *ev, u32 c, u32 t)
{
	struct open_fds *f = o->fds;
	int group = ev->leader == ev->idx ? -1 : f->fd[open_at(f, ev->leader, c, t)];
	int cgroup = o->opts->event_cgroup_fd ? o->opts->event_cgroup_fd[ev->idx] : -1;
	unsigned long flags = o->no_cloexec ? 0 : PERF_FLAG_FD_CLOEXEC;
	s32 pid = is_for_all(ev, f->cpu[c]) ? -1 : f->tid[t];
	int fd;

	if (cgroup >= 0 && o->target->kind == TARGET_SYSTEM && !ev->all_tasks) {
		pid = cgroup;
		flags |= PERF_FLAG_PID_CGROUP;
	}
	fd = open_raw(&ev->attr, pid, f->cpu[c], group, flags);
	log_vv("sys_perf_event_open: pid %d  cpu %d  group_fd %d  flags 0x%lx = %d", pid, f->cpu[c], group,
	       flags, fd);
	if (fd >= 0 && o->no_cloexec && !scripted)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
}

/* PERF_FLAG_FD_CLOEXEC exists since linux 3.14; before that any flag gives EINVAL */
static bool cloexec_missing(struct opening *o)
{
	struct pe_attr a = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY,
			     .size = PE_ATTR_SIZE_MIN,
			     .flags = ATTR_DISABLED | ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV };
	int fd;

	if (o->no_cloexec)
		return false;
	fd = open_raw(&a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0)
		close_raw(fd);
	o->no_cloexec = fd == -EINVAL;
	return o->no_cloexec;
}

/* a thread that has ended, or a CPU that went offline, leaves a hole, unless nothing else is left */
static bool may_be_hole(const struct opening *o, int errnum)
{
	if (errnum == ESRCH)
		return o->target->kind == TARGET_TASKS && !o->target->by_tid && o->target->tids.nr > 1;
	return errnum == ENODEV && o->target->cpus.nr > 1 && !o->target->cpu_list;
}

enum step { STEP_NEXT, STEP_SAME_CELL, STEP_SAME_EVENT, STEP_ALL_OVER, STEP_FAIL };

/* what to do about a refusal */
static enum step on_refusal(struct opening *o, struct event *ev, int errnum)
{
	bool alone = ev->leader == ev->idx;
	u64 limit;

	if (errnum == EMFILE && raise_file_limit(&limit)) {
		log_v("limit of open files raised to %llu", (unsigned long long)limit);
		return STEP_SAME_CELL;
	}
	if ((errnum == EINVAL || errnum == E2BIG) && (cloexec_missing(o) || degrade_features(o)))
		return STEP_ALL_OVER;
	if (degrade_event(o, ev, errnum))
		return alone ? STEP_SAME_EVENT : STEP_ALL_OVER;
	return may_be_hole(o, errnum) ? STEP_NEXT : STEP_FAIL;
}

/* -vv: the attribute, in the form that users of upstream know */
static void log_attr(const struct event *ev)
{
	static const char line[] = "------------------------------------------------------------";
	struct strbuf sb = STRBUF_INIT;

	if (log_level < 2)
		return;
	pe_attr_print(&ev->attr, ev->pmu, ev->tp_system ? ev->name : NULL, NULL, &sb);
	log_vv("%s\nperf_event_attr:\n%s\n%s", line, sb.buf, line);
	strbuf_release(&sb);
}

/* opens all cells of one event; 0 or the positive errno of a refusal, with the next step in *step */
static int open_event(struct opening *o, struct event *ev, enum step *step)
{
	struct open_fds *f = o->fds;
	bool any = false;
	int last = 0;

	if (event_is_tool(ev)) {
		*step = o->opts->stat ? STEP_NEXT : STEP_FAIL;
		return EOPNOTSUPP;
	}
	log_attr(ev);
	for (u32 c = 0; c < f->nr_cpus; c++) {
		if (!event_wants_cpu(ev, f->cpu[c]))
			continue;
		for (u32 t = 0; t < (is_for_all(ev, f->cpu[c]) ? 1 : f->nr_threads); t++) {
			int fd;

			do {
				fd = open_cell(o, ev, c, t);
				*step = fd < 0 ? on_refusal(o, ev, -fd) : STEP_NEXT;
			} while (*step == STEP_SAME_CELL);
			if (*step != STEP_NEXT)
				return -fd;
			if (fd < 0)
				last = -fd;
			f->fd[open_at(f, ev->idx, c, t)] = fd < 0 ? -1 : fd;
			any |= fd >= 0;
		}
	}
	/*
	 * on hybrid machines a PMU may have none of the CPUs of -C; it is an error only if the user named the
	 * CPU
	 */
	if (!any && !last && (ev->term_flags & EVENT_TERM_CPU))
		last = ENODEV;
	*step = any || !last ? STEP_NEXT : STEP_FAIL;	/* all threads have ended: this is an error */
	return last;
}

/* the maximum precision that the PMU of an event announces (caps/max_precise); false if it does not */
static bool told_precision(const struct event *ev, const char **ret_pmu, u64 *ret)
{
	char path[300];

	*ret_pmu = ev->pmu ? ev->pmu : "cpu";
	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/caps/max_precise", *ret_pmu);
	return !fs_read_u64(path, ret);
}

static void note_precision(struct opening *o)
{
	vec_foreach(&o->set->ev, p) {
		const struct event *ev = *p;
		unsigned int wanted = attr_precise(&o->saved[ev->idx]), got = attr_precise(&ev->attr);
		const char *pmu;
		u64 most;

		if (wanted <= got || ev->precise_max || ev->attr.type != o->saved[ev->idx].type)
			continue;
		if (told_precision(ev, &pmu, &most) && most < wanted)
			open_note(o, "'%s': using precision %u instead of %u: PMU %s supports at most %u "
				  "(caps/max_precise)", ev->name, got, wanted, pmu, (unsigned int)most);
		else
			open_note(o, "'%s': using precision %u instead of %u: "
				  "the CPU does not support more for this event", ev->name, got, wanted);
	}
}

static bool is_unsupported(int errnum)
{
	return errnum == ENOENT || errnum == EOPNOTSUPP || errnum == ENXIO || errnum == ENODEV;
}

/* leaves out an event that this machine lacks if there is something else to record; false if there is not */
static bool leave_out(struct opening *o, struct event *ev, int errnum)
{
	const u64 sideband = ATTR_MMAP | ATTR_COMM | ATTR_TASK | ATTR_MMAP_DATA | ATTR_MMAP2 |
			     ATTR_COMM_EXEC | ATTR_CONTEXT_SWITCH | ATTR_NAMESPACES | ATTR_KSYMBOL |
			     ATTR_BPF_EVENT | ATTR_CGROUP | ATTR_TEXT_POKE | ATTR_BUILD_ID |
			     ATTR_DEFER_OUTPUT;
	const u64 leading = ATTR_DISABLED | ATTR_ENABLE_ON_EXEC | ATTR_PINNED | ATTR_EXCLUSIVE | ATTR_FREQ;
	const struct pe_attr gone = ev->attr;
	struct err why = ERR_INIT;
	size_t others = 0;
	u32 idx = ev->idx;
	bool had_members = idx + 1 < o->set->ev.nr && evset_at(o->set, idx + 1)->leader == idx;

	vec_foreach(&o->set->ev, e)
		others += *e != ev && !(*e)->dummy;
	if (!is_unsupported(errnum) || !others || ev->dummy || ev->trace || o->opts->no_fallback)
		return false;
	open_explain(o->set, ev, o->target, errnum, &why);
	why.msg[strcspn(why.msg, "\n")] = '\0';
	open_note(o, "%s: left out", why.msg);
	evset_remove(o->set, idx);
	memmove(&o->saved[idx], &o->saved[idx + 1], (o->set->ev.nr - idx) * sizeof(*o->saved));
	o->fds->nr_events--;
	evset_at(o->set, 0)->attr.flags |= gone.flags & sideband;
	if (had_members) {	/* the next member leads now */
		struct pe_attr *new_leader = &evset_at(o->set, idx)->attr;

		new_leader->flags |= gone.flags & leading;
		new_leader->sample_period = new_leader->sample_period ? new_leader->sample_period :
					    gone.sample_period;
	}
	return true;
}

/*
 * counting: the event is skipped, and the others are counted. Without their leader members are skipped, too,
 * because they must not count in another way than requested
 */
static bool skip_uncounted(struct opening *o, const struct event *ev, int errnum)
{
	if (!o->opts->stat || (!is_unsupported(errnum) && errnum != EINVAL))
		return false;
	o->fds->refused[ev->idx] = errnum;
	return true;
}

static int open_all(struct opening *o, struct err *err)
{
	struct open_fds *f = o->fds;

	for (u32 i = 0; i < f->nr_events;) {
		struct event *ev = evset_at(o->set, i);
		size_t first = open_at(f, i, 0, 0), end = first + (size_t)f->nr_cpus * f->nr_threads;
		enum step step;
		int errnum;

		if (!i)
			open_set_attr_sizes(o->set);
		if (o->opts->stat && f->refused[ev->leader] && ev->leader < i) {
			f->refused[i++] = f->refused[ev->leader];
			continue;
		}
		errnum = open_event(o, ev, &step);
		switch (step) {
		case STEP_NEXT:
			i++;
			break;
		case STEP_SAME_CELL:
		case STEP_SAME_EVENT:
			close_range_of(f, first, end);
			break;
		case STEP_ALL_OVER:
			close_range_of(f, 0, nr_fds(f));
			memset(f->refused, 0, f->nr_events * sizeof(*f->refused));
			i = 0;
			break;
		case STEP_FAIL:
			close_range_of(f, first, end);
			if (skip_uncounted(o, ev, errnum)) {
				i++;
				break;
			}
			if (leave_out(o, ev, errnum)) {
				close_range_of(f, 0, nr_fds(f));
				i = 0;
				break;
			}
			return open_explain(o->set, ev, o->target, errnum, err);
		}
	}
	return 0;
}

/*
 * a probe must not be in use when a user removes it right after perf ended, so only the kernel's own
 * tracepoints may stay open that long
 */
static void mark_slow(struct open_fds *f, const struct evset *set)
{
	struct strbuf dynamic = STRBUF_INIT;
	bool have_read = false;

	f->is_slow = xcalloc(set->ev.nr, sizeof(*f->is_slow));
	vec_foreach(&set->ev, p) {
		const struct event *ev = *p;

		if (ev->attr.type != PERF_TYPE_TRACEPOINT || !ev->tp_system)
			continue;
		if (!have_read)
			tracefs_dynamic_events(&dynamic);
		have_read = true;
		f->is_slow[ev->idx] = !tracefs_is_dynamic(&dynamic, ev->tp_system, ev->tp_name);
	}
	strbuf_release(&dynamic);
}

int open_events(struct open_fds *ret, struct evset *set, const struct open_opts *opts, struct err *err)
{
	struct opening o = { .fds = ret, .set = set, .opts = opts, .target = opts->target };
	size_t notes_before = opts->notes ? opts->notes->len : 0;
	int rc = fds_init(ret, set, opts->target, err);

	if (!rc)
		rc = breakpoints_resolve(set, opts->target, err);
	if (rc) {
		open_release(ret);
		return rc;
	}
	o.saved = xcalloc(set->ev.nr, sizeof(*o.saved));
	vec_foreach(&set->ev, p) {
		struct event *ev = *p;

		if (ev->precise_max)	/* from the highest precision down */
			ev->attr.flags |= ATTR_PRECISE_MASK;
		o.saved[ev->idx] = ev->attr;
	}
	rc = open_all(&o, err);
	if (!rc) {
		mark_slow(ret, set);
		note_precision(&o);
	} else {
		open_release(ret);
	}
	if (rc && opts->notes)	/* notes about attempts that failed are useless */
		strbuf_setlen(opts->notes, notes_before);
	free(o.saved);
	return rc;
}
