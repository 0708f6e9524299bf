/* Live tasks: what runs, by the records of its beginning, its name and its maps. */
#include "live-tasks.h"
#include "synthesize.h"
#include "task-maps.h"
#include "../base/timesort.h"
#include "../base/vec.h"
#include "../event/abi.h"
#include "../event/record.h"
#include "../event/record-put.h"
#include "../event/sample.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#define COMM_BYTES 16u
/* maps that are gone are forgotten at the latest then */
#define READ_AGAIN_NS (900 * 1000000000ull)
/* of maps of one process, most of which are gone by then: /proc has the others */
#define TOO_MANY_BYTES (256u << 10)
/* a task can be sampled after its EXIT record, which comes before it gives back its memory */
#define DEAD_PASSES 4u
/* of records before they are applied */
#define LOG_BYTES (256u << 10)

struct live_process;

/* a thread; the leader stays in the table while others run */
struct live_task {
	s32 tid;
	bool ended;
	char comm[COMM_BYTES];
	struct live_process *process;
	struct live_task *prev, *next;	/* of its process, a ring with the leader at its head */
};

struct live_process {
	s32 ppid;
	u32 file;			/* the last one that has its state */
	u64 born, parent_born;		/* numbers: a pid can be used again */
	u32 running;			/* threads */
	struct live_task *leader;
	struct task_maps *maps;		/* NULL: none */
};

struct dead_process {
	s32 pid;
	u32 pass;		/* when it ended */
	u64 born;
};

/* tasks by tid: kernels give numbers up to 4 million */
#define PAGE_TASKS 1024u
#define PAGES 4096u

struct task_page {
	u32 nr;
	struct live_task *task[PAGE_TASKS];
};

struct live_tasks {
	struct live_opts o;
	bool loaded, missing;
	u32 file;			/* the number of the file that is written */
	struct strbuf pids, out;
	u32 pass;			/* number of passes */
	struct { VEC(struct dead_process); } dead;	/* in the order of pass; with live_opts.sampled */
	u32 trailer, time_off;		/* bytes after each record; where the time is in them, from the end */
	u64 born;			/* processes so far */
	struct task_page *page[PAGES];
	struct map_bodies bodies;
	struct live_mark mark;
	u64 loaded_ns;
	struct strbuf log;		/* records that are not applied yet */
	size_t seen;			/* bytes of log whose times are in refs */
	struct { VEC(struct time_ref); } refs;
	/* the newest time of the last pass, and of the one before: up to there all records have come */
	u64 newest, passed;
	u32 passes;			/* since the state was loaded */
	u64 settled;			/* records up to there may be of tasks that have ended before that */
};

/* ---- tables ---- */

static struct live_task **slot_of(struct live_tasks *t, s32 tid)
{
	struct task_page *page = tid > 0 && (u32)tid < PAGES * PAGE_TASKS ? t->page[tid / PAGE_TASKS] : NULL;

	return page ? &page->task[tid % PAGE_TASKS] : NULL;
}

static struct live_task *task_of(struct live_tasks *t, s32 tid)
{
	struct live_task **slot = slot_of(t, tid);

	return slot ? *slot : NULL;
}

static struct live_process *process_of(struct live_tasks *t, s32 pid)
{
	struct live_task *task = task_of(t, pid);

	return task && task->process->leader == task ? task->process : NULL;
}

static void drop_maps(struct live_tasks *t, struct live_process *p)
{
	task_maps_drop(&t->bodies, p->maps);
	p->maps = NULL;
}

static void drop_task(struct live_tasks *t, struct live_task *task)
{
	struct task_page **page = &t->page[task->tid / PAGE_TASKS];

	task->prev->next = task->next;
	task->next->prev = task->prev;
	(*page)->task[task->tid % PAGE_TASKS] = NULL;
	if (!--(*page)->nr) {
		free(*page);
		*page = NULL;
	}
	free(task);
}

static void drop_process(struct live_tasks *t, struct live_process *p)
{
	while (p->leader->next != p->leader)
		drop_task(t, p->leader->next);
	drop_task(t, p->leader);
	drop_maps(t, p);
	free(p);
}

static void end_task(struct live_tasks *t, struct live_task *task)
{
	struct live_process *p = task->process;

	if (task->ended)
		return;
	task->ended = true;
	if (!--p->running && t->o.sampled)
		vec_push(&t->dead, (struct dead_process){ p->leader->tid, t->pass, p->born });
	else if (!p->running)
		drop_process(t, p);
	else if (task != p->leader)
		drop_task(t, task);
}

static void drop_dead(struct live_tasks *t)
{
	size_t nr = 0;

	t->pass++;
	for (; nr < t->dead.nr && t->pass - t->dead.v[nr].pass > DEAD_PASSES; nr++) {
		struct live_process *p = process_of(t, t->dead.v[nr].pid);

		if (p && p->born == t->dead.v[nr].born && !p->running)
			drop_process(t, p);
	}
	if (nr)
		memmove(t->dead.v, t->dead.v + nr, (t->dead.nr - nr) * sizeof(*t->dead.v));
	t->dead.nr -= nr;
}

/* whoever had the number before is gone */
static struct live_task *add_task(struct live_tasks *t, s32 tid, struct live_process *p)
{
	struct live_task *old = task_of(t, tid), *task = xcalloc(1, sizeof(*task)), *head;
	struct task_page **page = &t->page[tid / PAGE_TASKS];

	if (old && old->process == p) {
		free(task);
		return old;
	}
	if (old && old->process->leader == old)
		drop_process(t, old->process);
	else if (old)
		end_task(t, old);
	if (!*page)
		*page = xcalloc(1, sizeof(**page));
	(*page)->nr++;
	(*page)->task[tid % PAGE_TASKS] = task;
	head = p->leader ? p->leader : task;
	p->leader = head;
	p->running++;
	*task = (struct live_task){ .tid = tid, .process = p, .next = head,
				    .prev = head == task ? task : head->prev };
	task->prev->next = task;
	head->prev = task;
	return task;
}

static void forget_all(struct live_tasks *t)
{
	for (u32 i = 0; i < PAGES; i++)
		for (u32 k = 0; t->page[i] && k < PAGE_TASKS; k++)
			if (t->page[i]->task[k])
				drop_process(t, t->page[i]->task[k]->process);
	t->loaded = t->missing = false;
}

/* ---- records ---- */

static void set_comm(struct live_task *task, const char *comm)
{
	memset(task->comm, 0, sizeof(task->comm));
	memcpy(task->comm, comm, strnlen(comm, sizeof(task->comm) - 1));
}

/* from: what a forked process has in common with its parent; NULL: /proc tells, or nobody knows */
static void start_process(struct live_tasks *t, const struct rec_task_view *v,
			  const struct live_process *from, bool live)
{
	struct live_task *forker = from ? task_of(t, v->ptid) : NULL;
	struct live_process *p = xcalloc(1, sizeof(*p));
	char comm[COMM_BYTES] = "";

	if (forker)
		memcpy(comm, forker->comm, sizeof(comm));
	/* what the kernel tells is in the file anyway */
	*p = (struct live_process){ .ppid = v->ppid, .born = ++t->born, .file = live ? t->file : 0 };
	if (from) {
		p->parent_born = from->born;
		p->maps = task_maps_share(from->maps);
	}
	set_comm(add_task(t, v->pid, p), comm);
}

static void on_fork(struct live_tasks *t, const struct rec_task_view *v, bool live)
{
	struct live_process *p = process_of(t, v->pid);
	struct live_task *forker = task_of(t, v->ptid);
	char comm[COMM_BYTES] = "";

	if (v->tid == v->pid) {
		struct live_process *from = live ? process_of(t, v->ppid) : NULL;

		t->missing |= live && !from && v->ppid > 0;
		if (v->ppid != v->pid)
			start_process(t, v, from, live);
	} else if (p) {
		if (forker)
			memcpy(comm, forker->comm, sizeof(comm));
		set_comm(add_task(t, v->tid, p), comm);
	} else {
		t->missing = true;
	}
}

/* all other threads are gone, and the one that called exec has the number of the leader from now on */
static void on_exec(struct live_tasks *t, struct live_process *p)
{
	while (p->leader->next != p->leader)
		drop_task(t, p->leader->next);
	p->leader->ended = false;
	p->running = 1;
	drop_maps(t, p);
}

static void on_comm(struct live_tasks *t, const struct record_view *v)
{
	struct live_process *p = process_of(t, v->comm.pid);
	struct live_task *task;

	if (p && v->misc & MISC_COMM_EXEC)
		on_exec(t, p);
	task = task_of(t, v->comm.tid);
	if (p && task && task->process == p)
		set_comm(task, v->comm.comm);
	else
		t->missing = true;
}

static void on_map(struct live_tasks *t, const struct rec *rec, s32 pid)
{
	struct live_process *p = process_of(t, pid);

	if (!p)
		t->missing = true;
	else if (t->o.maps && rec->size >= 40 + t->trailer)
		p->maps = task_maps_add(&t->bodies, p->maps, rec->p, rec->size - t->trailer);
}

/* live: the kernel's record; else one that says what is in /proc */
static void apply(struct live_tasks *t, const struct rec_header *h, bool live)
{
	struct rec rec = { .p = (const u8 *)h, .size = h->size, .type = h->type, .misc = h->misc };
	struct record_view v;
	struct live_task *task;
	const s32 *pid = (const s32 *)(h + 1);

	/* the kernel's maps have -1, and tasks that cannot be seen from here 0 */
	if (record_decode(&rec, &v) || *pid <= 0 || (u32)*pid >= PAGES * PAGE_TASKS)
		return;
	if (h->type == REC_FORK && v.task.tid > 0 && (u32)v.task.tid < PAGES * PAGE_TASKS) {
		on_fork(t, &v.task, live);
	} else if (h->type == REC_EXIT) {
		task = task_of(t, v.task.tid);
		if (task)
			end_task(t, task);
	} else if (h->type == REC_COMM) {
		on_comm(t, &v);
	} else if (h->type == REC_MMAP || h->type == REC_MMAP2) {
		on_map(t, &rec, *pid);
	}
}

static u64 time_of(const struct live_tasks *t, const struct rec_header *h)
{
	u64 time = 0;

	if (h->size >= sizeof(*h) + t->trailer)
		memcpy(&time, (const u8 *)h + h->size - t->time_off, sizeof(time));
	return time;
}

static const struct rec_header *next_record(const void *records, size_t len, size_t at)
{
	const struct rec_header *h = (const void *)((const u8 *)records + at);

	return len - at >= sizeof(*h) && h->size >= sizeof(*h) + 8 && h->size <= len - at ? h : NULL;
}

/*
 * in the order of time. A record of one ring can come after later ones of another, but not after those of the
 * next pass: what is newer than the pass before stays
 */
static void apply_log(struct live_tasks *t)
{
	size_t nr = t->refs.nr, keep = 0;
	struct time_ref *tmp = xmalloc((nr + 1) * sizeof(*tmp));
	const struct rec_header *h;

	time_sort(t->refs.v, nr, tmp);
	free(tmp);
	for (size_t i = 0; i < nr && t->refs.v[i].time <= t->passed; i++) {
		bool missing = t->missing;

		if (t->loaded)
			apply(t, (const void *)(t->log.buf + t->refs.v[i].ref), true);
		t->missing = t->refs.v[i].time <= t->settled ? missing : t->missing;
	}
	t->refs.nr = 0;
	for (size_t at = 0; (h = next_record(t->log.buf, t->log.len, at)); ) {
		u64 time = time_of(t, h);
		u16 size = h->size;

		if (time > t->passed) {
			vec_push(&t->refs, (struct time_ref){ time, keep });
			memmove(t->log.buf + keep, h, size);
			keep += size;
		}
		at += size;
	}
	strbuf_setlen(&t->log, keep);
	t->seen = keep;
}

/* ---- to files ---- */

static void take(struct live_tasks *t, const void *records, size_t len)
{
	const struct rec_header *h;

	for (size_t at = 0; (h = next_record(records, len, at)); at += h->size)
		apply(t, h, false);
}

static void put_task(const struct live_tasks *t, struct strbuf *out, const struct live_task *task, s32 ppid)
{
	s32 pid = task->process->leader->tid;

	record_put(out, &(struct record_view){
		.type = REC_FORK, .task = { .pid = pid, .ppid = ppid, .tid = task->tid, .ptid = ppid } },
		NULL, t->trailer);
	synth_comm(out, pid, task->tid, task->comm, t->trailer);
}

static void put_process(struct live_tasks *t, struct strbuf *out, const struct live_process *p)
{
	const struct live_process *parent = process_of(t, p->ppid);
	s32 pid = p->leader->tid, ppid = p->ppid;

	/* children of one that is gone belong to init */
	if (ppid > 0 && (!parent || parent->born != p->parent_born))
		ppid = pid > 1;
	put_task(t, out, p->leader, ppid);
	task_maps_put(p->maps, pid, t->trailer, out);
	for (const struct live_task *task = p->leader->next; task != p->leader; task = task->next)
		put_task(t, out, task, pid);
}

/* the state of a process, into the file that is written, before anything changes it there */
static void want(struct live_tasks *t, struct live_process *p)
{
	size_t at = t->out.len;
	s32 pid;

	if (!p || p->file == t->file)
		return;
	p->file = t->file;
	if (task_maps_bytes(p->maps) < TOO_MANY_BYTES) {
		put_process(t, &t->out, p);
		return;
	}
	pid = p->leader->tid;
	t->o.read_process(t->o.ctx, pid, &t->out);
	take(t, t->out.buf + at, t->out.len - at);
	p = process_of(t, pid);
	if (p)
		p->file = t->file;
}

/* the processes that a record is of: u32 pid, and of a FORK u32 ppid, follow the header */
static void want_of(struct live_tasks *t, const struct rec_header *h)
{
	const s32 *pid = (const s32 *)(h + 1);

	want(t, process_of(t, pid[0]));
	if (h->type == REC_FORK)
		want(t, process_of(t, pid[1]));
}

static void want_sampled(struct live_tasks *t)
{
	for (size_t at = 0; at + sizeof(s32) <= t->pids.len; at += sizeof(s32))
		want(t, process_of(t, *(const s32 *)(t->pids.buf + at)));
	strbuf_reset(&t->pids);
}

void live_tasks_pass(struct live_tasks *t, u64 newest)
{
	const struct rec_header *h;

	t->passed = t->newest;
	t->newest = MAX(t->newest, newest);
	while ((h = next_record(t->log.buf, t->log.len, t->seen))) {
		u64 time = time_of(t, h);

		vec_push(&t->refs, (struct time_ref){ time, t->seen });
		t->newest = MAX(t->newest, time);
		t->seen += h->size;
		if (t->o.sampled)
			want_of(t, h);
	}
	want_sampled(t);
	drop_dead(t);
	if (t->settled == UINT64_MAX && ++t->passes > 2)
		t->settled = t->newest;
	/* a file can last for days */
	if (t->log.len > LOG_BYTES)
		apply_log(t);
}

struct strbuf *live_tasks_log(struct live_tasks *t)
{
	return &t->log;
}

struct strbuf *live_tasks_pids(struct live_tasks *t)
{
	return t->o.sampled ? &t->pids : NULL;
}

struct strbuf *live_tasks_out(struct live_tasks *t)
{
	return &t->out;
}

/* ---- the state ---- */

struct live_pids {
	VEC(s32);
};

/* of all processes, in the order of /proc */
static struct live_pids all_pids(const struct live_tasks *t)
{
	struct live_pids ret = { 0 };

	for (u32 i = 0; i < PAGES; i++)
		for (u32 k = 0; t->page[i] && k < PAGE_TASKS; k++) {
			const struct live_task *task = t->page[i]->task[k];

			if (task && task->process->leader == task)
				vec_push(&ret, task->tid);
		}
	return ret;
}

/* of what /proc says: which process has the number of the parent now */
static void find_parents(struct live_tasks *t)
{
	struct live_pids pids = all_pids(t);

	vec_foreach(&pids, pid) {
		struct live_process *p = process_of(t, *pid), *parent = process_of(t, p->ppid);

		p->parent_born = parent ? parent->born : 0;
	}
	vec_release(&pids);
}

/* records that the last file has, but that are not part of the state yet */
static void put_log(struct live_tasks *t, struct strbuf *out)
{
	const struct rec_header *h;

	for (size_t at = 0; (h = next_record(t->log.buf, t->log.len, at)); at += h->size)
		want_of(t, h);
	strbuf_add(out, t->log.buf, t->log.len);
}

void live_tasks_load(struct live_tasks *t, const void *records, size_t len, const struct live_mark *mark,
		     u64 now_ns)
{
	apply_log(t);
	forget_all(t);
	take(t, records, len);
	find_parents(t);
	t->mark = *mark;
	t->loaded_ns = now_ns;
	t->loaded = true;
	t->missing = false;
	t->passes = 0;
	t->settled = UINT64_MAX;
	if (t->o.sampled)
		put_log(t, &t->out);
}

static bool is_current(const struct live_tasks *t, const struct live_mark *mark, u64 now_ns)
{
	return t->loaded && !t->missing && t->mark.lost == mark->lost && t->mark.stops == mark->stops &&
	       t->mark.cpus == mark->cpus && now_ns - t->loaded_ns < READ_AGAIN_NS;
}

static void put_all(struct live_tasks *t, struct strbuf *out)
{
	struct live_pids pids = all_pids(t);

	vec_foreach(&pids, pid)
		want(t, process_of(t, *pid));
	vec_release(&pids);
	strbuf_add(out, t->out.buf, t->out.len);
	strbuf_release(&t->out);
}

bool live_tasks_put(struct live_tasks *t, struct strbuf *out, const struct live_mark *mark, u64 now_ns)
{
	apply_log(t);
	t->file++;
	if (!is_current(t, mark, now_ns))
		return false;
	if (!t->o.sampled)
		put_all(t, out);
	put_log(t, out);
	return true;
}

/* ---- */

/* bytes from the end of a record to its time; 0: it has none */
static u32 time_from_end(const struct pe_attr *a)
{
	const u64 after = PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;

	if (!(a->flags & ATTR_SAMPLE_ID_ALL) || !(a->sample_type & PERF_SAMPLE_TIME))
		return 0;
	return 8 + 8 * __builtin_popcountll(a->sample_type & after);
}

struct live_tasks *live_tasks_new(const struct evset *set, const struct live_opts *o)
{
	const struct pe_attr *first = &evset_at(set, 0)->attr;
	struct live_tasks *t;

	vec_foreach(&set->ev, ev)
		if (!time_from_end(&(*ev)->attr) || time_from_end(&(*ev)->attr) != time_from_end(first) ||
		    synth_trailer_size(&(*ev)->attr) != synth_trailer_size(first))
			return NULL;
	t = xcalloc(1, sizeof(*t));
	t->o = *o;
	t->trailer = synth_trailer_size(first);
	t->time_off = time_from_end(first);
	return t;
}

void live_tasks_free(struct live_tasks *t)
{
	if (!t)
		return;
	forget_all(t);
	map_bodies_release(&t->bodies);
	strbuf_release(&t->log);
	strbuf_release(&t->pids);
	vec_release(&t->dead);
	strbuf_release(&t->out);
	vec_release(&t->refs);
	free(t);
}
