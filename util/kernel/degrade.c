/* Degrading: what to leave out if the kernel, the CPU or the permissions refuse an event. */
#include "open-private.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include "../base/fs.h"
#include "../base/log.h"

static const struct degrade_row {
	const char *what, *since;
	u64 flags, sample_type, read_format, branch;
	const char *note;
} rows[] = {
#define DEGRADE(what, since, flags, sample_type, read_format, branch, note) \
	{ what, since, flags, sample_type, read_format, branch, note },
#include "degrade.def"
#undef DEGRADE
};

static bool row_used(const struct degrade_row *r, const struct pe_attr *a)
{
	return (a->flags & r->flags) || (a->sample_type & r->sample_type) ||
	       (a->read_format & r->read_format) || (a->branch_sample_type & r->branch);
}

/* tries a software event with only the row's bits: EINVAL then means that the kernel does not know them */
static bool row_missing(const struct degrade_row *r, const struct pe_attr *used)
{
	struct pe_attr a = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TID | r->sample_type, .read_format = r->read_format,
		.flags = r->flags | ATTR_DISABLED | ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV,
	};
	int fd;

	if (r->flags & ATTR_USE_CLOCKID)
		a.clockid = used->clockid;
	if (r->flags & ATTR_BUILD_ID)
		a.flags |= ATTR_MMAP | ATTR_MMAP2;
	if (r->flags & (ATTR_EXCLUDE_GUEST | ATTR_EXCLUDE_HOST))
		a.flags &= ~ATTR_EXCLUDE_HOST;	/* with both set it would count nothing */
	if (r->branch) {
		a.sample_type |= PERF_SAMPLE_BRANCH_STACK;
		a.branch_sample_type = r->branch | PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY;
	}
	a.size = attr_size_needed(&a);
	fd = open_raw(&a, 0, -1, -1, 0);
	if (fd >= 0)
		close_raw(fd);
	return fd == -EINVAL || fd == -E2BIG;
}

static void row_drop(const struct degrade_row *r, struct pe_attr *a)
{
	if (a->sample_type & r->sample_type & PERF_SAMPLE_WEIGHT_STRUCT)
		a->sample_type |= PERF_SAMPLE_WEIGHT;
	if (a->sample_type & r->sample_type & PERF_SAMPLE_IDENTIFIER)
		a->sample_type |= PERF_SAMPLE_ID;
	a->flags &= ~r->flags;
	a->sample_type &= ~r->sample_type;
	a->read_format &= ~r->read_format;
	a->branch_sample_type &= ~r->branch;
	if (r->flags & ATTR_USE_CLOCKID)
		a->clockid = 0;
}

/*
 * before 6.13 a group cannot be both read in samples and inherited: the one that the user asked for has
 * priority
 */
static bool drop_inherit(struct opening *o)
{
	struct pe_attr a = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_READ | PERF_SAMPLE_ID,
		.read_format = PERF_FORMAT_ID | PERF_FORMAT_GROUP,
		.flags = ATTR_DISABLED | ATTR_INHERIT | ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV,
	};
	bool any = false;
	int fd;

	vec_foreach(&o->set->ev, ev)
		any |= ((*ev)->attr.flags & ATTR_INHERIT) && ((*ev)->attr.sample_type & PERF_SAMPLE_READ);
	if (!any)
		return false;
	a.size = attr_size_needed(&a);
	fd = open_raw(&a, 0, -1, -1, 0);
	if (fd >= 0)
		close_raw(fd);
	if (fd != -EINVAL)
		return false;
	vec_foreach(&o->set->ev, ev)
		(*ev)->attr.flags &= ~ATTR_INHERIT;
	open_note(o, "this kernel cannot follow children while groups are read in samples (:S): "
		  "only the named tasks themselves are recorded (linux 6.13 can)");
	return true;
}

bool degrade_features(struct opening *o)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct degrade_row *r = &rows[i];
		const struct pe_attr *used = NULL;

		vec_foreach(&o->set->ev, ev)
			if (row_used(r, &(*ev)->attr))
				used = &(*ev)->attr;
		if (!used || (o->rows_done & (1ull << i)) || !row_missing(r, used))
			continue;
		o->rows_done |= 1ull << i;
		vec_foreach(&o->set->ev, ev)
			row_drop(r, &(*ev)->attr);
		log_v("kernel lacks %s (linux %s)", r->what, r->since);
		if (r->note)
			open_note(o, "this kernel is too old (linux %s is needed): %s", r->since, r->note);
		return true;
	}
	return drop_inherit(o);
}

/* ---- single events ---- */

/*
 * the name with other modifiers: "cycles" -> "cycles:u"; a name that the user gave (no colon, slash or known
 * word) is kept
 */
static void add_modifier(struct opening *o, struct event *ev, const char *letters)
{
	size_t len = strlen(ev->name), size = len + strlen(letters) + 2;
	char *name = arena_alloc(&o->set->arena, size);
	const char *colon = strrchr(ev->name, ':');
	bool has_mods = len && ev->name[len - 1] != '/' &&
			((colon && ev->attr.type != PERF_TYPE_TRACEPOINT) || strrchr(ev->name, '/'));

	snprintf(name, size, "%s%s%s", ev->name, has_mods || (len && ev->name[len - 1] == '/') ? "" : ":",
		 letters);
	ev->name = name;
}

static bool cycles_to_clock(struct opening *o, struct event *ev, int errnum)
{
	const char *mods = strchr(ev->name, ':');
	char kept[32] = "";
	size_t n = 0;
	bool ours;

	/*
	 * EOPNOTSUPP: the counter has no interrupt; or it is about precision or branch stacks, which the
	 * clock cannot do either
	 */
	if (errnum != ENOENT && errnum != ENXIO && errnum != ENODEV &&
	    (errnum != EOPNOTSUPP || attr_precise(&ev->attr) ||
	     (ev->attr.sample_type & PERF_SAMPLE_BRANCH_STACK)))
		return false;
	if (o->opts->no_fallback || o->opts->stat || ev->attr.type != PERF_TYPE_HARDWARE ||
	    (u32)ev->attr.config != PERF_COUNT_HW_CPU_CYCLES)
		return false;
	/* precision means nothing for a timer */
	for (const char *p = mods ? mods + 1 : ""; *p && n < sizeof(kept) - 1; p++)
		if (*p != 'p' && *p != 'P')
			kept[n++] = *p;
	ours = !strncmp(ev->name, "cycles", 6) || !strncmp(ev->name, "cpu-cycles", 10);
	if (!o->noted_clock)
		open_note(o, "no hardware counter for '%s' here%s: using cpu-clock", ours ? "cycles" :
			  ev->name, have_core_pmu() ? "" : " (a virtual machine without PMU?)");
	o->noted_clock = true;
	ev->attr.type = PERF_TYPE_SOFTWARE;
	ev->attr.config = PERF_COUNT_SW_CPU_CLOCK;
	ev->attr.flags &= ~ATTR_PRECISE_MASK;
	ev->precise_max = false;
	if (ours) {
		size_t size = sizeof("cpu-clock:") + n;
		char *name = arena_alloc(&o->set->arena, size);

		snprintf(name, size, n ? "cpu-clock:%s" : "cpu-clock", kept);
		ev->name = name;
	}
	return true;
}

static bool exclude_kernel(struct opening *o, struct event *ev, int errnum)
{
	s64 paranoid;

	if ((errnum != EACCES && errnum != EPERM) || o->opts->no_fallback)
		return false;
	if (ev->attr.flags & (ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_USER) ||
	    ev->attr.type == PERF_TYPE_TRACEPOINT || o->target->kind == TARGET_SYSTEM)
		return false;
	if (fs_read_s64("/proc/sys/kernel/perf_event_paranoid", &paranoid) || paranoid < 2)
		/*
		 * paranoid levels up to 1 allow kernel samples; levels 3 and 4, which may forbid everything,
		 * refuse the next attempt as well
		 */
		return false;
	ev->attr.flags |= ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV;
	if (!o->noted_user)
		open_note(o, "kernel.perf_event_paranoid is %lld: only user space is measured (:u)",
			  (long long)paranoid);
	o->noted_user = true;
	add_modifier(o, ev, "u");
	return true;
}

static bool less_precise(struct opening *o, struct event *ev, int errnum)
{
	unsigned int p = attr_precise(&ev->attr);

	if ((errnum != EINVAL && errnum != EOPNOTSUPP && errnum != ENOTSUP) || !p)
		return false;
	ev->attr.flags = (ev->attr.flags & ~ATTR_PRECISE_MASK) | (u64)(p - 1) << ATTR_PRECISE_SHIFT;
	return true;
}

/* a leader with modifier W: its members become separate events */
static bool split_group(struct opening *o, struct event *ev, int errnum)
{
	struct event *leader = evset_at(o->set, ev->leader);

	if (errnum != EINVAL || !leader->weak_group || ev->leader == ev->idx)
		return false;
	vec_foreach(&o->set->ev, e)
		if ((*e)->leader == leader->idx) {
			(*e)->leader = (*e)->idx;
			(*e)->attr.flags |= leader->attr.flags & (ATTR_DISABLED | ATTR_ENABLE_ON_EXEC);
		}
	log_v("group of '%s' does not fit the counters: its events are counted separately", leader->name);
	return true;
}

bool degrade_event(struct opening *o, struct event *ev, int errnum)
{
	const unsigned int wanted = attr_precise(&o->saved[ev->idx]);

	if (cycles_to_clock(o, ev, errnum) || exclude_kernel(o, ev, errnum))
		return true;
	if (errnum == EOPNOTSUPP && wanted && !(ev->attr.flags & (ATTR_EXCLUDE_GUEST | ATTR_EXCLUDE_HOST))) {
		ev->attr.flags |= ATTR_EXCLUDE_GUEST;	/* some PMUs can sample precisely in the host only */
		return true;
	}
	if (less_precise(o, ev, errnum))
		return true;
	/* the precision was not the reason */
	ev->attr.flags = (ev->attr.flags & ~ATTR_PRECISE_MASK) | (u64)wanted << ATTR_PRECISE_SHIFT;
	return split_group(o, ev, errnum);
}

bool raise_file_limit(u64 *ret_limit)
{
	struct rlimit lim;

	if (getrlimit(RLIMIT_NOFILE, &lim))
		return false;
	*ret_limit = lim.rlim_cur;
	if (lim.rlim_cur < lim.rlim_max) {
		lim.rlim_cur = lim.rlim_max;
	} else {	/* root may raise it further, up to fs.nr_open */
		u64 most = 1 << 20;

		fs_read_u64("/proc/sys/fs/nr_open", &most);
		if (lim.rlim_max >= most)
			return false;
		lim.rlim_cur = lim.rlim_max = most;
	}
	if (setrlimit(RLIMIT_NOFILE, &lim))
		return false;
	*ret_limit = lim.rlim_cur;
	return true;
}
