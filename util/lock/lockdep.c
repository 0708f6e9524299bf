/* Lockdep: the handlers and their state. */
#include "lockdep.h"

#include <string.h>

/* of lock_acquire */
#define TRY 1u
#define READ 2u
/* of contention_begin */
#define MUTEX 32u

enum { ACQUIRE_ADDR, ACQUIRE_NAME, ACQUIRE_FLAGS };
static const struct tracing_field acquire_fields[] = {
	{ .name = "lockdep_addr" }, { .name = "name", .is_bytes = true }, { .name = "flags" },
	{ .name = NULL }
};
enum { LOCK_ADDR, LOCK_NAME };
static const struct tracing_field lock_fields[] = {
	{ .name = "lockdep_addr" }, { .name = "name", .is_bytes = true }, { .name = NULL }
};
enum { BEGIN_ADDR, BEGIN_FLAGS };
static const struct tracing_field begin_fields[] = {
	{ .name = "lock_addr" }, { .name = "flags" }, { .name = NULL }
};
static const struct tracing_field end_fields[] = { { .name = "lock_addr" }, { .name = NULL } };

static struct lockdep_row *row_of(struct lockdep_rows *rows, u64 key)
{
	return vec_find_or_add(rows, &rows->idx, hash_u64(key), e, e->key == key,
			       (struct lockdep_row){ .key = key, .comm = ID_NONE });
}

static u32 name_of(struct lockdep *l, const struct tracing_sample *ts, u32 field)
{
	u32 len = tracing_text_len(&ts->bytes[field]);

	return len ? strtab_addn(&l->names, ts->bytes[field].data, len) : 0;
}

/* notes thread and lock for info; returns the row of the report */
static struct lockdep_row *note(struct lockdep *l, const struct tracing_sample *ts, u64 addr, u32 name)
{
	u32 comm = machine_comm_id(l->session->machine, tracing_ctx(ts)->thread, ts->when);
	struct lockdep_row *lock = row_of(&l->lock, addr);
	u64 key = addr;

	if (name)
		lock->name = name;
	row_of(&l->thread, ts->sample->tid)->comm = comm;
	if (l->opts->threads)
		key = ts->sample->tid;
	else if (l->opts->combine && lock->name)
		key = lock->name;
	lock = row_of(&l->row, key);
	lock->comm = comm;
	if (name)
		lock->name = name;
	return lock;
}

static struct lockdep_use *use_of(struct lockdep *l, const struct tracing_sample *ts, u64 addr)
{
	s32 task = ts->sample->tid ? (s32)ts->sample->tid : -1 - (s32)ts->sample->cpu;
	u64 hash = hash_mix(hash_u64(addr), (u32)task);

	return vec_find_or_add(&l->use, &l->use.idx, hash, e, e->addr == addr && e->task == task,
			       (struct lockdep_use){ .addr = addr, .task = task });
}

static void set_state(struct lockdep *l, struct lockdep_use *u, int state)
{
	if (u->state == LOCKDEP_WAITING)
		l->losses.nr_unfinished++;
	u->state = state;
}

static void handle_acquire(void *ctx, const struct tracing_sample *ts)
{
	struct lockdep *l = ctx;
	struct lockdep_row *row = note(l, ts, ts->value[ACQUIRE_ADDR], name_of(l, ts, ACQUIRE_NAME));
	struct lockdep_use *u = use_of(l, ts, ts->value[ACQUIRE_ADDR]);

	/* for these the kernel may have no lock_acquired event */
	u->counted = ts->value[ACQUIRE_FLAGS] & (TRY | READ);
	row->nr_acquired += u->counted;
	set_state(l, u, u->counted ? LOCKDEP_HELD : LOCKDEP_ACQUIRING);
}

static void handle_contended(void *ctx, const struct tracing_sample *ts)
{
	struct lockdep *l = ctx;
	struct lockdep_use *u = use_of(l, ts, ts->value[LOCK_ADDR]);

	note(l, ts, ts->value[LOCK_ADDR], name_of(l, ts, LOCK_NAME));
	if (u->state != LOCKDEP_HELD)
		u->counted = false;
	set_state(l, u, LOCKDEP_WAITING);
	u->since = ts->when.time;
}

static void end_wait(struct lockdep_row *row, struct lockdep_use *u, u64 time)
{
	if (time >= u->since)
		lock_times_add(&row->times, time - u->since);
	u->state = LOCKDEP_HELD;
}

static void handle_acquired(void *ctx, const struct tracing_sample *ts)
{
	struct lockdep *l = ctx;
	struct lockdep_row *row = note(l, ts, ts->value[LOCK_ADDR], name_of(l, ts, LOCK_NAME));
	struct lockdep_use *u = use_of(l, ts, ts->value[LOCK_ADDR]);

	row->nr_acquired += !u->counted;
	u->counted = false;
	if (u->state == LOCKDEP_WAITING)
		end_wait(row, u, ts->when.time);
	u->state = LOCKDEP_HELD;
}

static void handle_release(void *ctx, const struct tracing_sample *ts)
{
	struct lockdep *l = ctx;
	struct lockdep_use *u = use_of(l, ts, ts->value[LOCK_ADDR]);

	note(l, ts, ts->value[LOCK_ADDR], name_of(l, ts, LOCK_NAME));
	set_state(l, u, LOCKDEP_FREE);
	u->counted = false;
}

/* a second begin event of a mutex with other flags continues the wait: see contention.h */
static void handle_begin(void *ctx, const struct tracing_sample *ts)
{
	struct lockdep *l = ctx;
	u32 flags = ts->value[BEGIN_FLAGS];
	struct lockdep_use *u;

	if (l->has_acquire)
		return;
	note(l, ts, ts->value[BEGIN_ADDR], 0);
	u = use_of(l, ts, ts->value[BEGIN_ADDR]);
	if (u->state != LOCKDEP_WAITING || !(flags & u->flags & MUTEX) || flags == u->flags) {
		set_state(l, u, LOCKDEP_WAITING);
		u->since = ts->when.time;
	}
	u->flags = flags;
}

static void handle_end(void *ctx, const struct tracing_sample *ts)
{
	struct lockdep *l = ctx;
	struct lockdep_row *row;
	struct lockdep_use *u;

	if (l->has_acquire)
		return;
	u = use_of(l, ts, ts->value[BEGIN_ADDR]);
	if (u->state != LOCKDEP_WAITING) {
		l->losses.nr_unstarted++;
		return;
	}
	row = note(l, ts, ts->value[BEGIN_ADDR], 0);
	row->nr_acquired++;
	end_wait(row, u, ts->when.time);
}

const struct tracing_row lockdep_rows[LOCKDEP_NR_ROWS] = {
	{ "lock:lock_acquire", acquire_fields, handle_acquire, true },
	{ "lock:lock_acquired", lock_fields, handle_acquired, true },
	{ "lock:lock_contended", lock_fields, handle_contended, true },
	{ "lock:lock_release", lock_fields, handle_release, true },
	{ "lock:contention_begin", begin_fields, handle_begin, true },
	{ "lock:contention_end", end_fields, handle_end, true },
};

void lockdep_init(struct lockdep *l, const struct session *s, const struct lockdep_opts *opts)
{
	const struct evset *set = s->data->evset;

	*l = (struct lockdep){ .session = s, .opts = opts };
	for (u32 i = 0; i < set->ev.nr; i++)
		l->has_acquire |= !strcmp(evset_at(set, i)->name, "lock:lock_acquire");
}

static void rows_release(struct lockdep_rows *rows)
{
	vec_release(rows);
	hidx_release(&rows->idx);
}

void lockdep_release(struct lockdep *l)
{
	strtab_release(&l->names);
	vec_release(&l->use);
	hidx_release(&l->use.idx);
	rows_release(&l->row);
	rows_release(&l->thread);
	rows_release(&l->lock);
	arena_release(&l->arena);
}
