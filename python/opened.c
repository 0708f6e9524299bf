/* Opened: see opened.h. */
#include "opened.h"
#include "events.h"
#include "../util/count/count-read.h"
#include "../util/count/tool-events.h"
#include "../util/stat/metric.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct opened_events *opened_new(struct evset *set)
{
	struct opened_events *o = xcalloc(1, sizeof(*o));

	o->set = set;
	o->users = 1;
	return o;
}

struct opened_events *opened_use(struct opened_events *o)
{
	o->users++;
	return o;
}

void opened_close(struct opened_events *o)
{
	if (!o->is_open)
		return;
	tool_reader_free(o->tools);
	o->tools = NULL;
	o->tools_ns = 0;
	open_release(&o->fds);
	target_release(&o->target);
	memset(&o->fds, 0, sizeof(o->fds));
	memset(&o->target, 0, sizeof(o->target));
	o->is_open = false;
}

void opened_drop(struct opened_events *o)
{
	if (!o || --o->users)
		return;
	opened_close(o);
	stat_metrics_free(o->metrics);
	target_release(&o->counted);
	if (o->file)
		origin_drop(o->file);
	else
		evset_free(o->set);
	free(o);
}

void opened_target(struct target *t, const struct cpulist *cpus, const struct tid_list *tids)
{
	*t = (struct target){ .kind = TARGET_TASKS, .cpu_list = true };
	for (size_t i = 0; i < cpus->nr; i++)
		vec_push(&t->cpus, cpus->v[i]);
	for (size_t i = 0; i < tids->nr; i++) {
		vec_push(&t->tids, tids->v[i]);
		vec_push(&t->pids, -1);
		if (tids->v[i] < 0)
			t->kind = TARGET_SYSTEM;
	}
}

static u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

static bool has_tools(const struct opened_events *o)
{
	vec_foreach(&o->set->ev, ev)
		if (event_is_tool(*ev))
			return true;
	return false;
}

/* time that passes while the events are disabled does not count */
static void run_tools(struct opened_events *o, bool on)
{
	if (!o->tools || on == o->tools_run)
		return;
	if (on)
		tool_reader_start(o->tools, now_ns() - o->tools_ns);
	else
		tool_reader_end(o->tools, NULL, now_ns());
	o->tools_ns = on ? 0 : tool_reader_elapsed(o->tools);
	o->tools_run = on;
}

static void start_tools(struct opened_events *o)
{
	if (!has_tools(o))
		return;
	o->tools = tool_reader_new(o->set, &o->target);
	tool_reader_start(o->tools, now_ns());
	o->tools_run = true;
	/* the first event says whether they wait for enable() */
	if (evset_at(o->set, 0)->attr.flags & ATTR_DISABLED)
		run_tools(o, false);
}

/* an event that was left out: fine for metrics, which say that they have no value */
static int explain_refused(const struct opened_events *o, struct err *err)
{
	vec_foreach(&o->set->ev, ev)
		if (!o->metrics && o->fds.refused && o->fds.refused[(*ev)->idx])
			return open_explain(o->set, *ev, &o->target, o->fds.refused[(*ev)->idx], err);
	return 0;
}

bool opened_open(struct opened_events *o, const struct cpulist *cpus, const struct tid_list *tids)
{
	struct strbuf notes = STRBUF_INIT;
	struct open_opts opts = { .target = &o->target, .notes = &notes };
	struct err err = ERR_INIT;
	int ret;

	if (o->file) {
		PyErr_SetString(PyExc_TypeError, "this event was read from a file: it cannot be opened");
		return false;
	}
	if (o->is_open)
		return true;
	opened_target(&o->target, cpus, tids);
	/* perf's own events are not opened, only counted; for metrics, others may be missing, too */
	opts.stat = o->as_stat || has_tools(o);
	opts.no_fallback = !o->as_stat;
	Py_BEGIN_ALLOW_THREADS
	ret = open_events(&o->fds, o->set, &opts, &err);
	if (!ret) {
		o->is_open = true;
		ret = explain_refused(o, &err) ?: open_set_filters(&o->fds, o->set, &err);
	}
	Py_END_ALLOW_THREADS
	if (!ret)
		start_tools(o);
	else if (!o->is_open)
		target_release(&o->target);
	if (ret) {
		raise_err(&err);
		opened_close(o);
	} else if (raise_notes(&notes) || raise_warnings()) {
		opened_close(o);
		ret = -1;
	}
	strbuf_release(&notes);
	return !ret;
}

bool opened_enable(struct opened_events *o, bool on)
{
	struct err err = ERR_INIT;

	if (!o->is_open)
		return true;
	if ((on ? open_enable : open_disable)(&o->fds, o->set, &err)) {
		raise_err(&err);
		return false;
	}
	run_tools(o, on);
	return true;
}

int opened_cpu_at(const struct opened_events *o, int cpu)
{
	int any = -1;

	for (u32 i = 0; i < o->fds.nr_cpus; i++) {
		if (o->fds.cpu[i] == cpu)
			return (int)i;
		if (o->fds.cpu[i] < 0)
			any = (int)i;
	}
	if (any < 0)
		PyErr_Format(PyExc_TypeError, "CPU %d is not part of the event's CPUs", cpu);
	return any;
}

int opened_thread_at(const struct opened_events *o, int tid)
{
	for (u32 i = 0; i < o->fds.nr_threads; i++)
		if (o->fds.tid[i] == tid)
			return (int)i;
	PyErr_Format(PyExc_TypeError, "thread %d is not part of the event's threads", tid);
	return -1;
}

/* what read(2) of a counter gives (read_format in <linux/perf_event.h>); pos: its place in its group */
static bool parse_read(const struct event *ev, const u64 *word, size_t nr, size_t pos,
		       struct counts_values *ret)
{
	u64 format = ev->attr.read_format;
	bool group = format & ABI_READ_GROUP;
	size_t at = 0, each = 1 + !!(format & ABI_READ_ID) + !!(format & ABI_READ_LOST);
	u64 members = 1;

	*ret = (struct counts_values){ 0 };
	if (group && at < nr)
		members = word[at++];
	if (!group && at < nr)
		ret->val = word[at++];
	if (format & ABI_READ_TIME_ENABLED && at < nr)
		ret->ena = word[at++];
	if (format & ABI_READ_TIME_RUNNING && at < nr)
		ret->run = word[at++];
	if (group) {
		at += pos * each;
		if (pos >= members || at + each > nr)
			return false;
		ret->val = word[at++];
	}
	if (format & ABI_READ_ID && at < nr)
		ret->id = word[at++];
	if (format & ABI_READ_LOST && at < nr)
		ret->lost = word[at++];
	return true;
}

static bool read_tool(const struct opened_events *o, const struct event *ev, u32 cpu, u32 thread,
		      struct counts_values *ret)
{
	u64 value, time = tool_reader_elapsed(o->tools);
	int code = tool_read(o->tools, ev, cpu, thread, &value);

	*ret = (struct counts_values){ .val = code ? 0 : value, .ena = time, .run = code ? 0 : time };
	if (!code || code == -ENODATA)
		return true;
	struct err err = ERR_INIT;

	err_sys(&err, -code, "event '%s' cannot be read", ev->name);
	raise_err(&err);
	return false;
}

bool opened_read(const struct opened_events *o, const struct event *ev, u32 cpu, u32 thread,
		 struct counts_values *ret)
{
	size_t words = ev->attr.read_format & ABI_READ_GROUP ? 3 + 3 * (size_t)o->set->ev.nr : 5;
	struct err err = ERR_INIT;
	u64 *word;
	int fd;
	long n;

	if (!o->is_open) {
		PyErr_SetString(PyExc_ValueError, "the event is not open");
		return false;
	}
	if (event_is_tool(ev))
		return read_tool(o, ev, cpu, thread, ret);
	fd = o->fds.fd[open_at(&o->fds, ev->idx, cpu, thread)];
	*ret = (struct counts_values){ 0 };
	if (fd < 0)
		return true;	/* it does not belong on this CPU, or the thread had ended */
	word = xcalloc(words, sizeof(*word));
	n = count_read_raw(fd, word, words * sizeof(*word));
	if (n < 0)
		err_sys(&err, (int)-n, "event '%s' cannot be read", ev->name);
	else if (!parse_read(ev, word, (size_t)n / sizeof(*word),
			     ev->idx == ev->leader ? 0 : ev->idx - ev->leader,
			     ret))
		err_set(&err, -EIO, "event '%s' cannot be read: its group is not on a counter", ev->name);
	free(word);
	if (!err.code)
		return true;
	raise_err(&err);
	return false;
}
