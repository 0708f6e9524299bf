/* Timechart view: which tracks are shown, in which order, and what is said about them. */
#include "sched.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../base/units.h"
#include "../fields/file-facts.h"

#define MAX_TASKS 2000u		/* a picture of more tracks cannot be read */
#define SHARE 1000u		/* tasks that ran for at least this part of the time are shown */

static u64 busy_of(const struct timechart *tc, const struct timechart_task *task)
{
	return tc->has_io ? task->io_ns : task->run_ns;
}

/* a task by its name, its tid, or the pid of its process */
static bool is_called(const struct timechart *tc, const struct timechart_task *task, const char *word)
{
	u64 id;

	if (!parse_u64(word, &id))
		return id == (u64)task->tid || (s64)id == task->pid;
	return !strcmp(word, strtab_get(&tc->timeline.labels, task->comm));
}

static bool is_chosen(const struct timechart *tc, const struct timechart_task *task)
{
	const struct sample_filter *f = &tc->tasks;

	return (!tc->o->process || is_called(tc, task, tc->o->process)) &&
	       id_filter_ok(&f->pids, task->pid) && id_filter_ok(&f->tids, task->tid) &&
	       name_filter_ok(&f->comms, strtab_get(&tc->timeline.labels, task->comm));
}

/* events of system calls do not tell names: side-band does */
static void use_last_name(struct timechart *tc, struct timechart_task *task)
{
	const struct thread *t = task->thread;

	if (t && t->nr_comms)
		task->comm = strtab_add(&tc->timeline.labels,
					machine_comm_name(tc->session->machine,
							  t->comms[t->nr_comms - 1].comm));
}

static int cmp_busy(const void *pa, const void *pb)
{
	u64 a = *(const u64 *)pa, b = *(const u64 *)pb;

	return a < b ? 1 : a > b ? -1 : 0;
}

/* a task that was at least so busy is shown */
static u64 threshold(const struct timechart *tc)
{
	u64 *busy = xcalloc(tc->task.nr + 1, sizeof(*busy)), min = MAX((tc->last - tc->first) / SHARE, 1ul);
	size_t nr = 0;

	vec_foreach(&tc->task, task)
		if (is_chosen(tc, task))
			busy[nr++] = busy_of(tc, task);
	qsort(busy, nr, sizeof(*busy), cmp_busy);
	if (nr > MAX_TASKS)
		min = MAX(min, busy[MAX_TASKS - 1]);
	if (tc->o->nr_tasks && nr)
		min = MIN(min, busy[MIN(nr, (size_t)tc->o->nr_tasks) - 1]);
	free(busy);
	return min;
}

static void describe_task(struct timechart *tc, const struct timechart_task *task)
{
	struct timeline_track *track = &tc->timeline.track.v[task->track];
	struct strbuf sb = STRBUF_INIT;

	strbuf_addf(&sb, "%s:%d", strtab_get(&tc->timeline.labels, task->comm), task->tid);
	track->name = arena_strdup(&tc->timeline.arena, strbuf_str(&sb));
	track->pid = task->pid;
	track->tid = task->tid;
	track->rank = task->first;
	strbuf_reset(&sb);
	if (task->pid >= 0 && task->pid != task->tid)
		strbuf_addf(&sb, "thread of process %ld; ", task->pid);
	if (tc->has_io)
		strbuf_addf(&sb, "%lu bytes; in I/O for ", task->io_bytes);
	else
		strbuf_addstr(&sb, "ran for ");
	duration_text(&sb, busy_of(tc, task));
	track->detail = arena_strdup(&tc->timeline.arena, strbuf_str(&sb));
	strbuf_release(&sb);
}

static u32 choose_tasks(struct timechart *tc)
{
	u64 min = threshold(tc);
	u32 nr = 0, nr_hidden = 0;

	vec_foreach(&tc->task, task) {
		struct timeline_track *track = &tc->timeline.track.v[task->track];
		bool busy = busy_of(tc, task) >= min && nr < MAX_TASKS;

		track->hidden = tc->o->power_only || !is_chosen(tc, task) || !busy;
		nr += !track->hidden;
		nr_hidden += track->hidden && !busy && is_chosen(tc, task);
		describe_task(tc, task);
	}
	if (nr_hidden && !tc->o->power_only)
		timeline_note(&tc->timeline, "%u task%s hardly busy %s not shown: -n shows more", nr_hidden,
			      nr_hidden == 1 ? " that was" : "s that were", nr_hidden == 1 ? "is" : "are");
	return nr;
}

/* CPUs of one core next to each other, cores of one socket, too */
static u64 topology_rank(const struct features *f, u64 cpu)
{
	if (cpu >= f->nr_cpus_avail)
		return UINT64_MAX;
	return (u64)(u16)(f->cpu_socket ? f->cpu_socket[cpu] : 0) << 48 |
	       (u64)(u16)(f->cpu_die ? f->cpu_die[cpu] : 0) << 32 |
	       (u64)(u16)f->cpu_core[cpu] << 16 | (u16)cpu;
}

static int choose_cpus(struct timechart *tc, struct err *err)
{
	const struct features *f = &tc->session->data->feat;
	struct strbuf name = STRBUF_INIT;

	if (tc->o->topology && !f->cpu_core)
		return err_set(err, -ENOENT, "-t: %s does not say how CPUs belong to cores",
			       tc->session->data->path);
	vec_foreach(&tc->cpu, c) {
		struct timeline_track *track;
		u64 cpu = c - tc->cpu.v;

		if (!c->seen)
			continue;
		track = &tc->timeline.track.v[c->track];
		strbuf_reset(&name);
		strbuf_addf(&name, "CPU %lu", cpu);
		track->name = arena_strdup(&tc->timeline.arena, strbuf_str(&name));
		track->rank = tc->o->topology ? topology_rank(f, cpu) : cpu;
		if (!f->cpu_core || cpu >= f->nr_cpus_avail)
			continue;
		strbuf_reset(&name);
		strbuf_addf(&name, "core %d, socket %d", f->cpu_core[cpu],
			    f->cpu_socket ? f->cpu_socket[cpu] : 0);
		track->detail = arena_strdup(&tc->timeline.arena, strbuf_str(&name));
	}
	strbuf_release(&name);
	return 0;
}

/* -T: without what power management did */
static void hide_power(struct timeline *t)
{
	size_t nr = 0;

	vec_foreach(&t->span, s)
		if (s->kind > TC_SPEED)
			t->span.v[nr++] = *s;
	t->span.nr = nr;
}

static void add_title(struct timechart *tc)
{
	struct strbuf sb = STRBUF_INIT;
	u64 ms = (tc->last - tc->first) / 1000000;

	strbuf_addf(&sb, "perf timechart: %s, %lu.%03lu s", tc->has_io ? "I/O of tasks" : "CPUs and tasks",
		    ms / 1000, ms % 1000);
	tc->timeline.title = arena_strdup(&tc->timeline.arena, strbuf_str(&sb));
	strbuf_release(&sb);
}

static void add_notes(struct timechart *tc)
{
	struct timeline *t = &tc->timeline;
	u64 lost = tracing_nr_lost(tc->session);

	if (lost)
		timeline_note(t, "%lu event%s lost while recording: states around %s missing", lost,
			      lost == 1 ? " was" : "s were", lost == 1 ? "it are" : "them are");
	if (tc->nr_doubtful)
		timeline_note(t, "%lu event%s not fit to earlier events: what %s not drawn", tc->nr_doubtful,
			      tc->nr_doubtful == 1 ? " does" : "s do",
			      tc->nr_doubtful == 1 ? "it ends is" : "they end is");
	if (tc->has_io && tc->o->io_min_ns > 1) {
		struct strbuf min = STRBUF_INIT;

		duration_text(&min, tc->o->io_min_ns);
		timeline_note(t, "I/O shorter than %s is drawn as long as that (--io-min-time)", min.buf);
		strbuf_release(&min);
	}
}

int timechart_finish(struct timechart *tc, struct err *err)
{
	u32 nr_tasks;
	int ret;

	tc->tasks = tc->o->tasks;
	ret = sample_filter_parse(&tc->tasks, tc->session, err);
	if (ret)
		return ret;
	timechart_sched_finish(tc);
	vec_foreach(&tc->task, task) {
		timechart_io_finish(tc, task);
		if (tc->has_io)
			use_last_name(tc, task);
	}
	ret = choose_cpus(tc, err);
	if (ret)
		return ret;
	nr_tasks = choose_tasks(tc);
	if (tc->o->process && !nr_tasks && !tc->o->power_only)
		return err_set(err, -ENOENT, "-p: no task is called '%s' or has that number", tc->o->process);
	if (sample_filter_given(&tc->tasks) && !nr_tasks && !tc->o->power_only)
		return err_set(err, -ENOENT, "no task passes the filters --pid, --tid and --comm");
	if (!tc->any)
		return err_set(err, -ENOENT, "%s has no events to draw", tc->session->data->path);
	if (tc->o->tasks_only)
		hide_power(&tc->timeline);
	add_notes(tc);
	tc->timeline.from = tc->first;
	tc->timeline.to = MAX(tc->last, tc->first);
	add_title(tc);
	file_facts(&tc->timeline.fact, &tc->timeline.arena, tc->session);
	timeline_finish(&tc->timeline);
	return 0;
}
