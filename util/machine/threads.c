/* Threads: their lives and names. A tid is reused: each life is a struct thread of its own. */
#include "machine-private.h"

#include <stdio.h>
#include <string.h>

static struct thread_slot *slot_find(const struct machine *w, s32 tid)
{
	u32 i;

	HIDX_FOREACH(&w->slot_idx, hash_u64((u32)tid), i)
		if (w->slots.v[i].tid == tid)
			return &w->slots.v[i];
	return NULL;
}

struct thread_slot *threads_slot(struct machine *w, s32 tid)
{
	struct thread_slot *s = slot_find(w, tid);

	if (!s) {
		hidx_insert(&w->slot_idx, hash_u64((u32)tid), w->slots.nr);
		s = vec_add(&w->slots);
		s->tid = tid;
		s->current = s->exited = ID_NONE;
	}
	return s;
}

static struct thread *thread_new(struct machine *w, s32 pid, s32 tid, u32 maps, struct when now)
{
	struct thread t = {
		.idx = w->threads.nr, .pid = pid, .tid = tid, .ppid = -1, .ptid = -1,
		.birth = now, .death = WHEN_END, .maps = maps, .from_map = true,
	};

	vec_push(&w->threads, t);
	vec_push(&w->comm_now, ID_NONE);
	threads_slot(w, tid)->current = t.idx;
	threads_slot(w, tid)->exited = ID_NONE;
	return &w->threads.v[t.idx];
}

/*
 * The kernel also writes EXIT when it stops observing a task that goes on: one that gets more rights by its
 * exec (sudo, ping). Later records of this tid, without a FORK before them, belong to the same task.
 */
static struct thread *revive(struct machine *w, s32 pid, s32 tid)
{
	struct thread_slot *s = slot_find(w, tid);
	struct thread *t;

	if (!s || s->exited == ID_NONE || w->threads.v[s->exited].pid != pid)
		return NULL;
	t = &w->threads.v[s->exited];
	t->death = WHEN_END;
	s->current = t->idx;
	s->exited = ID_NONE;
	return t;
}

struct thread *threads_get(struct machine *w, s32 pid, s32 tid, struct when now)
{
	const struct thread_slot *s = slot_find(w, tid);
	struct thread *t;
	u32 maps;

	if (s && s->current != ID_NONE)
		return &w->threads.v[s->current];
	t = revive(w, pid, tid);
	if (t)
		return t;
	if (pid == tid)
		maps = maps_new(w, pid, ID_NONE);
	else
		maps = threads_get(w, pid, pid, now)->maps;
	return thread_new(w, pid, tid, maps, now);
}

static void set_comm(struct machine *w, u32 thread, u32 comm, bool exec, struct when now)
{
	struct comm_row row = { thread, { .from = now, .comm = comm, .exec = exec } };

	w->comm_now.v[thread] = comm;
	vec_push(&w->comm_rows, row);
}

void threads_comm(struct machine *w, s32 pid, s32 tid, const char *name, bool exec, struct when now)
{
	struct thread *t = threads_get(w, pid, tid, now);
	const struct thread_slot *leader = slot_find(w, t->pid);

	t->from_map = false;
	if (leader && leader->current != ID_NONE)
		w->threads.v[leader->current].from_map = false;
	if (exec) {
		w->maps.v[t->maps].nr_text = 0;
		w->maps.v[t->maps].own_text = true;
	}
	set_comm(w, t->idx, strtab_add(&w->comms, name), exec, now);
}

static void end_life(struct machine *w, struct thread_slot *s, struct when now)
{
	struct thread *t;

	if (s->current == ID_NONE)
		return;
	t = &w->threads.v[s->current];
	t->death = now;
	s->current = ID_NONE;
}

void threads_fork(struct machine *w, s32 pid, s32 ppid, s32 tid, s32 ptid, bool share_nothing,
		  struct when now)
{
	struct thread parent, *t = threads_get(w, ppid, ptid, now);
	u32 maps;

	t->from_map = false;
	parent = *t;

	end_life(w, threads_slot(w, tid), now);
	if (pid == parent.pid)
		maps = parent.maps;
	else if (pid == tid)
		maps = maps_new(w, pid, share_nothing ? ID_NONE : parent.maps);
	else
		maps = threads_get(w, pid, pid, now)->maps;
	t = thread_new(w, pid, tid, maps, now);
	t->from_map = false;
	t->ppid = ppid;
	t->ptid = ptid;
	if (w->comm_now.v[parent.idx] != ID_NONE)
		set_comm(w, t->idx, w->comm_now.v[parent.idx], false, now);
}

void threads_exit(struct machine *w, s32 tid, struct when now)
{
	struct thread_slot *s = slot_find(w, tid);
	u32 idx = s ? s->current : ID_NONE;

	if (idx == ID_NONE || !tid)	/* the idle thread never ends */
		return;
	end_life(w, s, now);
	s->exited = idx;
}

/* by_tid: the lives of each tid, oldest first */
static void freeze_lives(struct machine *w)
{
	u32 *slot_of = xmalloc(MAX(w->threads.nr, 1ul) * sizeof(*slot_of)), pos = 0;

	vec_foreach(&w->slots, s)
		s->nr = 0;
	for (u32 i = 0; i < w->threads.nr; i++) {
		slot_of[i] = slot_find(w, w->threads.v[i].tid) - w->slots.v;
		w->slots.v[slot_of[i]].nr++;
	}
	for (u32 i = 0; i < w->slots.nr; i++) {
		w->slots.v[i].first = pos;
		pos += w->slots.v[i].nr;
		w->slots.v[i].nr = 0;
	}
	w->by_tid = xreallocarray(w->by_tid, MAX(pos, 1u), sizeof(*w->by_tid));
	for (u32 i = 0; i < w->threads.nr; i++) {
		struct thread_slot *s = &w->slots.v[slot_of[i]];

		w->by_tid[s->first + s->nr++] = i;
	}
	free(slot_of);
}

static u32 comm_of_tid(struct machine *w, s32 tid)
{
	char buf[16];

	snprintf(buf, sizeof(buf), ":%d", tid);
	return strtab_add(&w->comms, buf);
}

/*
 * sorts the names of each thread, oldest first; a thread that starts without a name is ":TID" until its first
 * one
 */
static void freeze_comms(struct machine *w)
{
	struct comm_span *out = xreallocarray(w->comm_spans, w->comm_rows.nr + w->threads.nr + 1ul,
					      sizeof(*out));
	u32 *nr = xcalloc(w->threads.nr + 1, sizeof(*nr)),
			*first_row = xmalloc((w->threads.nr + 1) * sizeof(*first_row));

	memset(first_row, 0xff, (w->threads.nr + 1) * sizeof(*first_row));
	for (u32 i = 0; i < w->comm_rows.nr; i++) {
		const struct comm_row *r = &w->comm_rows.v[i];

		if (!nr[r->thread]++)
			first_row[r->thread] = i;
	}
	w->comm_spans = out;
	for (u32 i = 0; i < w->threads.nr; i++) {
		struct thread *t = &w->threads.v[i];
		const struct comm_span *first = nr[i] ? &w->comm_rows.v[first_row[i]].span : NULL;

		t->comms = out;
		t->nr_comms = 0;
		if (!first || first->from.time != t->birth.time || first->from.off != t->birth.off) {
			*out++ = (struct comm_span){ .from = t->birth, .comm = comm_of_tid(w, t->tid) };
			t->nr_comms = 1;
		}
		t->starts_nameless = t->nr_comms;
		out += nr[i];
	}
	for (u32 i = 0; i < w->comm_rows.nr; i++) {
		const struct comm_row *r = &w->comm_rows.v[i];
		struct thread *t = &w->threads.v[r->thread];

		w->comm_spans[t->comms - w->comm_spans + t->nr_comms++] = r->span;
	}
	free(nr);
	free(first_row);
	if (!w->grows) {
		vec_release(&w->comm_rows);
		vec_release(&w->comm_now);
	}
}

void threads_freeze(struct machine *w)
{
	freeze_lives(w);
	freeze_comms(w);
}

#define EXPECT_THREADS 2048u	/* fewer stay in the cache anyway */

/* each loop reads what the one before it has fetched */
void machine_expect_tasks(const struct machine *w, const s32 *tid, u32 nr)
{
	const struct thread_slot *slot[EXPECT_TASKS];
	const struct thread *thread[EXPECT_TASKS];
	u32 nr_slots = 0;

	if (w->threads.nr < EXPECT_THREADS)
		return;
	nr = MIN(nr, EXPECT_TASKS);
	for (u32 i = 0; i < nr; i++)
		hidx_prefetch(&w->slot_idx, hash_u64((u32)tid[i]));
	for (u32 i = 0; i < nr; i++) {
		u32 first = hidx_first(&w->slot_idx, hash_u64((u32)tid[i]));

		if (first == HIDX_NONE)
			continue;
		slot[nr_slots] = &w->slots.v[first];
		__builtin_prefetch(slot[nr_slots++]);
	}
	for (u32 i = 0; i < nr_slots; i++)
		__builtin_prefetch(&w->by_tid[slot[i]->first]);
	for (u32 i = 0; i < nr_slots; i++) {
		thread[i] = slot[i]->nr ? &w->threads.v[w->by_tid[slot[i]->first]] : w->threads.v;
		__builtin_prefetch(thread[i]);
		__builtin_prefetch((const char *)(thread[i] + 1) - 1);
	}
	for (u32 i = 0; i < nr_slots; i++)
		__builtin_prefetch(thread[i]->comms);
}

/* tids of the kernel are unique; a sample's pid is 0 or -1 where the task exits. NULL: unknown */
static const struct thread *thread_at(const struct machine *w, s32 tid, struct when when)
{
	const struct thread_slot *s = slot_find(w, tid);
	const struct thread *t;
	u32 lo, hi;

	if (!s || !s->nr)
		return NULL;
	lo = s->first;
	hi = s->first + s->nr;
	while (hi - lo > 1) {
		u32 mid = lo + (hi - lo) / 2;

		t = &w->threads.v[w->by_tid[mid]];
		if (when_before(when, t->birth))
			hi = mid;
		else
			lo = mid;
	}
	t = &w->threads.v[w->by_tid[lo]];
	if (when_before(when, t->birth))
		return NULL;
	/*
	 * a task continues for a while after its EXIT record: records belong to it until its id is used again
	 */
	return t;
}

static u32 first_comm(const struct thread *t)
{
	return t->nr_comms ? t->comms[t->starts_nameless && t->nr_comms > 1].comm : ID_NONE;
}

u32 machine_first_comm(const struct machine *w, s32 tid)
{
	const struct thread_slot *s = slot_find(w, tid);

	return s && s->nr ? first_comm(&w->threads.v[w->by_tid[s->first]]) : ID_NONE;
}

u32 machine_nr_threads(const struct machine *w)
{
	return w->threads.nr;
}

const struct thread *machine_thread_at(const struct machine *w, u32 idx)
{
	return idx < w->threads.nr ? &w->threads.v[idx] : NULL;
}

u32 machine_comm_search(const struct machine *w, const struct thread *t, struct when when)
{
	u32 lo = 0, hi;

	if (!t || !t->nr_comms)
		return ID_NONE;
	hi = t->nr_comms;
	while (hi - lo > 1) {
		u32 mid = lo + (hi - lo) / 2;

		if (when_before(when, t->comms[mid].from))
			hi = mid;
		else
			lo = mid;
	}
	return t->comms[lo].comm;
}

u32 machine_comm_or_first(const struct machine *w, const struct thread *t, struct when when)
{
	u32 comm = machine_comm_id(w, t, when);

	return t && t->starts_nameless && comm == t->comms[0].comm ? first_comm(t) : comm;
}

const char *machine_comm_name(const struct machine *w, u32 comm)
{
	return comm == ID_NONE ? "[unknown]" : strtab_get(&w->comms, comm);
}

const char *machine_comm(const struct machine *w, const struct sample_ctx *ctx)
{
	static _Thread_local char unknown[16];

	if (ctx->thread)
		return machine_comm_name(w, machine_comm_id(w, ctx->thread, ctx->when));
	snprintf(unknown, sizeof(unknown), ":%d", ctx->tid);
	return unknown;
}

struct sample_ctx machine_sample_ctx(const struct machine *w, s32 pid, s32 tid, struct when when)
{
	const struct thread *t = thread_at(w, tid, when),
			*leader = t || pid == tid ? t : thread_at(w, pid, when);

	return (struct sample_ctx){ .when = when, .pid = pid, .tid = tid,
				    .maps = leader ? leader->maps : ID_NONE, .thread = t };
}
