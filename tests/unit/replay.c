/*
 * Replay: current state, changed record by record. Linear searches everywhere: it is meant to be
 * seen to be right.
 */
#include "replay.h"
#include "../../util/base/cursor.h"
#include "../../util/event/record-type.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rmap {
	u64 start, end, pgoff;
	const char *name;
};
struct rproc {
	struct { VEC(struct rmap); } maps;	/* newest last */
};
struct rthread {
	s32 pid, tid;
	char comm[64];				/* "": none yet */
	bool dead;				/* still answers, until the tid is seen again */
	/* shared by the threads of a process; leaked, the test ends soon */
	struct rproc *proc;
};
struct replay {
	struct { VEC(struct rthread); } threads;
	char unknown[16];
};

struct replay *replay_new(void)
{
	struct replay *r = xcalloc(1, sizeof(*r));
	struct rthread idle = { .comm = "swapper", .proc = xcalloc(1, sizeof(*idle.proc)) };

	vec_push(&r->threads, idle);
	return r;
}

void replay_free(struct replay *r)
{
	vec_release(&r->threads);
	free(r);
}

static struct rthread *find(struct replay *r, s32 tid)
{
	vec_foreach(&r->threads, t)
		if (t->tid == tid)
			return t;
	return NULL;
}

static void add(struct replay *r, s32 pid, s32 tid, const char *comm, struct rproc *proc)
{
	struct rthread t = { .pid = pid, .tid = tid, .proc = proc };

	snprintf(t.comm, sizeof(t.comm), "%s", comm);
	vec_push(&r->threads, t);
}

static void drop(struct replay *r, s32 tid)
{
	struct rthread *t = find(r, tid);

	if (t)
		*t = r->threads.v[--r->threads.nr];
}

static struct rthread *get(struct replay *r, s32 pid, s32 tid)
{
	struct rthread *t = find(r, tid);

	/* an EXIT of a task that goes on running: it gained privileges by its exec */
	if (t && t->dead && t->pid == pid)
		t->dead = false;
	if (t && t->dead) {
		drop(r, tid);
		t = NULL;
	}
	if (!t)
		add(r, pid, tid, "", pid == tid ? xcalloc(1, sizeof(struct rproc)) : get(r, pid, pid)->proc);
	return find(r, tid);
}

static struct rproc *copy_of(const struct rproc *p)
{
	struct rproc *c = xcalloc(1, sizeof(*c));

	vec_foreach(&p->maps, m)
		vec_push(&c->maps, *m);
	return c;
}

static void apply_fork(struct replay *r, struct cursor *c, bool share_nothing)
{
	s32 pid = cursor_u32(c), ppid = cursor_u32(c), tid = cursor_u32(c), ptid = cursor_u32(c);
	struct rthread parent = *get(r, ppid, ptid);
	struct rproc *proc;

	drop(r, tid);
	if (pid == parent.pid)
		proc = parent.proc;
	else if (pid != tid)
		proc = get(r, pid, pid)->proc;
	else
		proc = share_nothing ? xcalloc(1, sizeof(*proc)) : copy_of(parent.proc);
	add(r, pid, tid, parent.comm, proc);
}

static void apply_mmap(struct replay *r, const struct rec *rec, struct cursor *c)
{
	s32 pid = cursor_u32(c), tid = cursor_u32(c);
	u64 start = cursor_u64(c), len = cursor_u64(c), pgoff = cursor_u64(c);

	if ((rec->misc & MISC_CPUMODE_MASK) != CPUMODE_USER)
		return;
	if (rec->type == REC_MMAP2)
		cursor_skip(c, 32);
	struct rmap m = { start, start + len, pgoff, (const char *)c->p };
	vec_push(&get(r, pid, tid)->proc->maps, m);
}

void replay_apply(struct replay *r, const struct rec *rec)
{
	struct cursor c = cursor_of(rec->p + 8, rec->size - 8, rec->swap);
	s32 pid, tid;

	switch (rec->type) {
	case REC_MMAP:
	case REC_MMAP2:
		apply_mmap(r, rec, &c);
		break;
	case REC_COMM:
		pid = cursor_u32(&c);
		tid = cursor_u32(&c);
		snprintf(get(r, pid, tid)->comm, sizeof(((struct rthread *)0)->comm), "%s",
			 (const char *)c.p);
		break;
	case REC_FORK:
		apply_fork(r, &c, rec->misc & MISC_FORK_EXEC);
		break;
	case REC_EXIT:
		cursor_skip(&c, 8);
		tid = cursor_u32(&c);
		if (tid && find(r, tid))
			find(r, tid)->dead = true;
		break;
	}
}

const char *replay_comm(struct replay *r, s32 tid)
{
	struct rthread *t = find(r, tid);

	if (t && t->comm[0])
		return t->comm;
	snprintf(r->unknown, sizeof(r->unknown), ":%d", tid);
	return r->unknown;
}

const char *replay_map(struct replay *r, s32 pid, s32 tid, u64 ip, u64 *ret_file_off)
{
	struct rthread *t = find(r, tid);

	if (!t)
		t = find(r, pid);
	if (!t)
		return NULL;
	for (size_t i = t->proc->maps.nr; i--;) {
		const struct rmap *m = &t->proc->maps.v[i];

		if (ip >= m->start && ip < m->end) {
			*ret_file_off = ip - m->start + m->pgoff;
			return m->name;
		}
	}
	return NULL;
}
