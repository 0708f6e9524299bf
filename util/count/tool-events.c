/* Tool events: their names, and reading them. */
#include "tool-events.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include "../base/fs.h"
#include "../base/units.h"
#include "hwmon.h"
#include "tool-facts.h"

#define NSEC 1000000000ull

const struct tool_row tool_rows[] = {
#define TOOL(config, name, kind, unit, desc) { config, name, TOOL_##kind, unit, desc },
#include "tool-events.def"
#undef TOOL
};
const size_t nr_tool_rows = ARRAY_SIZE(tool_rows);

const struct tool_row *tool_row_find(const char *name, size_t len)
{
	for (size_t i = 0; i < nr_tool_rows; i++)
		if (strlen(tool_rows[i].name) == len && !memcmp(tool_rows[i].name, name, len))
			return &tool_rows[i];
	return NULL;
}

const struct tool_row *tool_row_by_config(u64 config)
{
	for (size_t i = 0; i < nr_tool_rows; i++)
		if (tool_rows[i].config == config)
			return &tool_rows[i];
	return NULL;
}

bool tool_row_available(const struct tool_row *row)
{
	u64 v;

	return row->kind != TOOL_FACT || tool_fact_by_name(row->name, NULL, &v);
}

/* the time that a cell had used before counting started, and the last value that was read */
struct cell {
	u64 start, last;
};

struct tool_reader {
	const struct evset *set;
	const struct target *target;
	struct cell *cell;		/* [event][cpu or thread]: one dimension is enough, see place() */
	u32 nr_places;
	u64 start_ns, end_ns;		/* CLOCK_MONOTONIC; end 0: it still runs */
	bool have_usage;
	struct rusage usage;		/* of the workload as a whole */
};

/* where the times of a cell are kept; false if nothing belongs to it */
static bool place(const struct tool_reader *r, u32 cpu, u32 thread, u32 *ret)
{
	*ret = r->target->kind == TARGET_SYSTEM ? cpu : thread;
	return (r->target->kind == TARGET_SYSTEM ? thread : cpu) == 0 && *ret < r->nr_places;
}

static u64 ticks_to_ns(u64 ticks)
{
	long hz = sysconf(_SC_CLK_TCK);

	return hz > 0 ? ticks * (NSEC / hz) : 0;
}

/*
 * "cpu3 USER NICE SYSTEM IDLE IOWAIT IRQ SOFTIRQ ..." of /proc/stat; the first line is for all CPUs (cpu -1)
 */
static bool cpu_times(int cpu, u64 *user, u64 *sys)
{
	struct strbuf text = STRBUF_INIT;
	unsigned long long v[7];
	char word[24];
	const char *p;
	bool ok = false;

	snprintf(word, sizeof(word), cpu < 0 ? "cpu " : "cpu%d ", cpu);
	if (!fs_read("/proc/stat", &text))
		for (p = strbuf_str(&text); p && !ok; p = strchr(p, '\n')) {
			p += *p == '\n';
			ok = !strncmp(p, word, strlen(word)) &&
			     sscanf(p + strlen(word), "%llu %llu %llu %llu %llu %llu %llu", &v[0], &v[1],
				    &v[2], &v[3], &v[4], &v[5], &v[6]) == 7;
		}
	strbuf_release(&text);
	if (!ok)
		return false;
	*user = ticks_to_ns(v[0] + v[1]);
	*sys = ticks_to_ns(v[2] + v[5] + v[6]);
	return true;
}

/* fields 14 to 17 after the name, which may contain anything: utime stime cutime cstime */
static bool task_times(const char *path, bool children, u64 *user, u64 *sys)
{
	unsigned long long u, s, cu, cs;
	struct strbuf text = STRBUF_INIT;
	const char *p;
	bool ok = false;

	if (!fs_read(path, &text) && (p = strrchr(strbuf_str(&text), ')')))
		ok = sscanf(p + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu", &u, &s,
			    &cu, &cs) == 4;
	strbuf_release(&text);
	if (!ok)
		return false;
	*user = ticks_to_ns(u + (children ? cu : 0));
	*sys = ticks_to_ns(s + (children ? cs : 0));
	return true;
}

static bool thread_times(const struct target *t, u32 thread, u64 *user, u64 *sys)
{
	s32 tid = t->tids.v[thread], pid = thread < t->pids.nr ? t->pids.v[thread] : -1;
	char path[64];

	if (t->kind == TARGET_WORKLOAD) {
		snprintf(path, sizeof(path), "/proc/%d/stat", tid);
		return tid > 0 && task_times(path, true, user, sys);
	}
	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid > 0 ? pid : tid, tid);
	return task_times(path, false, user, sys);
}

static u64 timeval_ns(struct timeval tv)
{
	return tv.tv_sec * NSEC + tv.tv_usec * 1000ull;
}

/* the time used until now, in ns; false if the process has ended */
static bool used(const struct tool_reader *r, enum tool_kind kind, u32 where, u64 *ret)
{
	u64 user, sys;
	bool ok;

	if (r->have_usage && r->target->kind == TARGET_WORKLOAD) {
		*ret = timeval_ns(kind == TOOL_USER ? r->usage.ru_utime : r->usage.ru_stime);
		return true;
	}
	ok = r->target->kind == TARGET_SYSTEM ? cpu_times(r->target->cpus.v[where], &user, &sys) :
	     thread_times(r->target, where, &user, &sys);
	if (ok)
		*ret = kind == TOOL_USER ? user : sys;
	return ok;
}

static const struct tool_row *row_of(const struct event *ev)
{
	return ev->attr.type == PE_TYPE_TOOL ? tool_row_by_config(ev->attr.config) : NULL;
}

static bool is_cpu_time(const struct tool_row *row)
{
	return row && (row->kind == TOOL_USER || row->kind == TOOL_SYSTEM);
}

struct tool_reader *tool_reader_new(const struct evset *set, const struct target *t)
{
	struct tool_reader *r = xcalloc(1, sizeof(*r));

	r->set = set;
	r->target = t;
	r->nr_places = t->kind == TARGET_SYSTEM ? t->cpus.nr : t->tids.nr;
	vec_foreach(&set->ev, ev)
		if (is_cpu_time(row_of(*ev)) && !r->cell)
			r->cell = xcalloc((size_t)set->ev.nr * MAX(r->nr_places, 1u), sizeof(*r->cell));
	return r;
}

void tool_reader_free(struct tool_reader *r)
{
	if (r)
		free(r->cell);
	free(r);
}

void tool_reader_start(struct tool_reader *r, u64 now_ns)
{
	vec_foreach(&r->set->ev, ev) {
		const struct tool_row *row = row_of(*ev);
		struct cell *c = r->cell ? r->cell + (size_t)(*ev)->idx * r->nr_places : NULL;

		for (u32 i = 0; is_cpu_time(row) && i < r->nr_places; i++) {
			/*
			 * a workload that waits for its exec has used almost nothing, and rusage has no start
			 * value
			 */
			if (r->target->kind == TARGET_WORKLOAD || !used(r, row->kind, i, &c[i].start))
				c[i].start = 0;
			c[i].last = c[i].start;
		}
	}
	r->end_ns = 0;
	r->start_ns = now_ns;
}

void tool_reader_end(struct tool_reader *r, const struct rusage *ru, u64 now_ns)
{
	r->end_ns = now_ns;
	if (ru) {
		r->usage = *ru;
		r->have_usage = true;
	}
}

u64 tool_reader_elapsed(const struct tool_reader *r)
{
	return (r->end_ns ? r->end_ns : clock_ns(CLOCK_MONOTONIC)) - r->start_ns;
}

static int read_cpu_time(struct tool_reader *r, const struct event *ev, const struct tool_row *row, u32 where,
			 u64 *ret)
{
	struct cell *c = &r->cell[(size_t)ev->idx * r->nr_places + where];
	u64 now;

	/* a thread that has ended keeps its last value; clock ticks of a CPU can go back a little */
	if (used(r, row->kind, where, &now))
		c->last = MAX(now, c->start);
	*ret = c->last - c->start;
	return 0;
}

int tool_read(struct tool_reader *r, const struct event *ev, u32 cpu, u32 thread, u64 *ret)
{
	const struct tool_row *row = row_of(ev);
	u32 where;

	if (is_cpu_time(row))
		return place(r, cpu, thread, &where) ? read_cpu_time(r, ev, row, where, ret) : -ENODATA;
	if (cpu || thread)
		return -ENODATA;
	if (ev->attr.type != PE_TYPE_TOOL)
		return hwmon_read(ev->attr.type - PE_TYPE_HWMON, ev->attr.config, ret);
	if (!row)
		return -ENOENT;
	if (row->kind == TOOL_ELAPSED) {
		*ret = tool_reader_elapsed(r);
		return 0;
	}
	return tool_fact_by_name(row->name, r->target, ret) ? 0 : -ENOENT;
}
