/* Wall-faults: see wall-faults.h. */
#include "wall-faults.h"

#define KEPT_MAX 64u	/* of a thread */

static struct wall_fault_thread *find(struct wall_faults *f, s32 tid)
{
	u32 i;

	HIDX_FOREACH(&f->by_tid, hash_u64((u32)tid), i)
		if (f->thread.v[i].tid == tid)
			return &f->thread.v[i];
	return NULL;
}

static struct wall_fault_thread *add(struct wall_faults *f, s32 tid)
{
	hidx_insert(&f->by_tid, hash_u64((u32)tid), f->thread.nr);
	vec_push(&f->thread, (struct wall_fault_thread){ .tid = tid });
	return &f->thread.v[f->thread.nr - 1];
}

static void give_slice(struct wall_faults *f, const struct wall_slice *s)
{
	if (f->to->slice)
		f->to->slice(f->ctx, s);
}

static void give_run(struct wall_faults *f, const struct wall_run *r)
{
	if (f->to->run)
		f->to->run(f->ctx, r);
}

static void give(struct wall_faults *f, struct wall_fault_thread *t)
{
	f->nr_keeping -= t->kept.nr > 0;
	vec_foreach(&t->kept, k) {
		if (k->is_run)
			give_run(f, &k->run);
		else
			give_slice(f, &k->slice);
	}
	t->kept.nr = 0;
}

static bool is_fault(const struct wall_slice *s)
{
	return s->state == WALL_BLOCKED && s->wait == WALL_WAIT_FAULT;
}

/* a fault does not go on after these */
static bool ends_fault(const struct wall_slice *s)
{
	return !is_fault(s) && s->state != WALL_ON && s->state != WALL_RUNNABLE;
}

static void keep(struct wall_faults *f, struct wall_fault_thread *t, const struct wall_fault_item *item)
{
	if (t->kept.nr == KEPT_MAX)
		give(f, t);
	f->nr_keeping += !t->kept.nr;
	vec_push(&t->kept, *item);
}

static void take_slice(void *ctx, const struct wall_slice *s)
{
	struct wall_faults *f = ctx;
	struct wall_fault_thread *t = f->nr_keeping || is_fault(s) ? find(f, s->tid) : NULL;

	if (!t && is_fault(s))
		t = add(f, s->tid);
	if (t && ends_fault(s))
		give(f, t);
	if (t && (t->kept.nr || is_fault(s)))
		keep(f, t, &(struct wall_fault_item){ .slice = *s });
	else
		give_slice(f, s);
}

static void take_run(void *ctx, const struct wall_run *r)
{
	struct wall_faults *f = ctx;
	struct wall_fault_thread *t = f->nr_keeping ? find(f, r->tid) : NULL;

	if (t && t->kept.nr)
		keep(f, t, &(struct wall_fault_item){ .run = *r, .is_run = true });
	else
		give_run(f, r);
}

const struct wall_ops wall_faults_ops = { .slice = take_slice, .run = take_run };

bool wall_faults_complete(struct wall_faults *f, s32 tid, u32 target)
{
	struct wall_fault_thread *t = find(f, tid);

	if (!t || !t->kept.nr)
		return false;
	vec_foreach(&t->kept, k)
		if (!k->is_run && is_fault(&k->slice))
			k->slice.target = target;
	give(f, t);
	return true;
}

void wall_faults_give(struct wall_faults *f, s32 tid)
{
	struct wall_fault_thread *t = find(f, tid);

	if (t)
		give(f, t);
}

void wall_faults_give_all(struct wall_faults *f)
{
	vec_foreach(&f->thread, t)
		give(f, t);
}

void wall_faults_release(struct wall_faults *f)
{
	vec_foreach(&f->thread, t)
		vec_release(&t->kept);
	vec_release(&f->thread);
	hidx_release(&f->by_tid);
}
