/* Futex: the handlers of its events. Operations and their numbers: <linux/futex.h>. */
#include "futex-private.h"
#include "../syscall/syscall.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>

enum { ENTER_FUTEX, ENTER_OP };
static const struct tracing_field enter_fields[] = {
	{ .name = "uaddr" }, { .name = "op" }, { .name = NULL }
};
static const struct tracing_field enter2_fields[] = { { .name = "uaddr" }, { .name = NULL } };
enum { EXIT_RET };
static const struct tracing_field exit_fields[] = { { .name = "ret" }, { .name = NULL } };
enum { RAW_ID, RAW_ARGS };
static const struct tracing_field raw_enter_fields[] = {
	{ .name = "id" }, { .name = "args", .is_bytes = true }, { .name = NULL }
};
enum { RAW_RET = 1 };
static const struct tracing_field raw_exit_fields[] = {
	{ .name = "id" }, { .name = "ret" }, { .name = NULL }
};
enum { WAKING_TID };
static const struct tracing_field waking_fields[] = { { .name = "pid" }, { .name = NULL } };

/* raw_syscalls are told apart by number; files of a machine with both kinds are of its 64-bit programs */
s64 futex_number(u16 machine)
{
	const struct syscall_table *t = syscall_table_find(machine, 64);

	if (!t)
		t = syscall_table_find(machine, 32);
	return t ? syscall_nr_of(t, syscall_by_name("futex")) : -1;
}

static enum futex_call call_of(u32 op)
{
	switch (op & (u32)FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
	case FUTEX_WAIT_REQUEUE_PI:
	case FUTEX_LOCK_PI:
	case FUTEX_LOCK_PI2:
		return FUTEX_CALL_WAIT;
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
	case FUTEX_WAKE_OP:
	case FUTEX_REQUEUE:
	case FUTEX_CMP_REQUEUE:
	case FUTEX_CMP_REQUEUE_PI:
	case FUTEX_UNLOCK_PI:
		return FUTEX_CALL_WAKE;
	default:
		return FUTEX_CALL_OTHER;
	}
}

/* what waits and wakes inside of the C library says nothing about the program */
static bool is_runtime(const struct dso *d)
{
	static const char *const prefix[] = {
		"libc.so", "libc-", "libc.musl", "ld-linux", "ld-musl", "libpthread", "libstdc++", "[vdso"
	};

	for (size_t i = 0; d && i < ARRAY_SIZE(prefix); i++)
		if (!strncmp(d->short_name, prefix[i], strlen(prefix[i])))
			return true;
	return false;
}

/* the innermost frame of the program; that of a library of the runtime where there is no other */
static struct futex_place place_of(struct futex *f, const struct tracing_sample *ts)
{
	const struct dsos *dsos = machine_dsos(f->session->machine);
	struct futex_place ret = { .dso = ID_NONE };
	struct sample_chain chain;
	struct chain_run run;

	arena_reset(&f->scratch);
	chain = sample_chain_of(&f->resolver, ts->sample, tracing_ctx(ts), f->opts->max_stack);
	while (sample_chain_next(&chain, &run)) {
		for (u64 i = 0; run.cpumode == CPUMODE_USER && i < run.nr; i++) {
			struct loc loc = locator_find(&f->resolver.locator, tracing_ctx(ts), CPUMODE_USER,
						      run.ip[i]);

			/* garbage that frame pointers led to */
			if (loc.dso == ID_NONE)
				continue;
			if (ret.dso == ID_NONE || !is_runtime(dsos_at(dsos, loc.dso)))
				ret = (struct futex_place){ loc.dso, loc.dso_addr };
			if (!is_runtime(dsos_at(dsos, loc.dso)))
				return ret;
		}
	}
	return ret;
}

struct futex_task *futex_task(struct futex *f, s32 tid)
{
	struct futex_task *t;
	u32 id;

	HIDX_FOREACH(&f->task.idx, hash_u64((u32)tid), id)
		if (f->task.v[id]->tid == tid)
			return f->task.v[id];
	hidx_insert(&f->task.idx, hash_u64((u32)tid), f->task.nr);
	t = xcalloc(1, sizeof(*t));
	*t = (struct futex_task){ .tid = tid, .comm = ID_NONE };
	vec_push(&f->task, t);
	return t;
}

static struct futex_task *current_task(struct futex *f, const struct tracing_sample *ts)
{
	struct futex_task *t = futex_task(f, ts->sample->tid);

	t->pid = ts->sample->pid;
	t->comm = machine_comm_id(f->session->machine, tracing_ctx(ts)->thread, ts->when);
	return t;
}

static struct futex_wake *last_wake(struct futex *f, s32 pid, u64 futex)
{
	u64 hash = hash_mix(hash_u64(futex), (u32)pid);

	return vec_find_or_add(&f->wake, &f->wake.idx, hash, e, e->futex == futex && e->pid == pid,
			       (struct futex_wake){ .futex = futex, .pid = pid, .tid = -1 });
}

static void enter(struct futex *f, const struct tracing_sample *ts, u64 futex, enum futex_call call)
{
	struct futex_task *t = current_task(f, ts);

	/* the same call, by two events that the file has of it */
	if (t->call == call && t->futex == futex && t->begin == ts->when.time)
		return;
	f->losses.nr_unfinished += t->call == FUTEX_CALL_WAIT;
	t->call = call;
	t->futex = futex;
	t->begin = ts->when.time;
	t->waker = -1;
	t->waker_sure = false;
	t->place = (struct futex_place){ .dso = ID_NONE };
	if (call != FUTEX_CALL_OTHER)
		t->place = place_of(f, ts);
	if (call == FUTEX_CALL_WAKE) {
		struct futex_wake *w = last_wake(f, t->pid, futex);

		w->time = t->begin;
		w->tid = t->tid;
		w->at = t->place;
	}
}

static void leave(struct futex *f, const struct tracing_sample *ts, s64 result)
{
	struct futex_task *t = current_task(f, ts);
	enum futex_call call = t->call;

	t->call = FUTEX_CALL_NONE;
	if (call == FUTEX_CALL_NONE) {
		/* each call has one exit, but two events can tell of it */
		f->losses.nr_unstarted += t->left != ts->when.time;
	} else if (call == FUTEX_CALL_WAIT && result == -ETIMEDOUT) {
		f->nr_timeouts++;
	} else if (call == FUTEX_CALL_WAIT && result == -EAGAIN) {
		f->nr_refused++;
	} else if (call == FUTEX_CALL_WAIT && ts->when.time >= t->begin) {
		const struct futex_wake *w = last_wake(f, t->pid, t->futex);

		if (t->waker < 0 && w->tid >= 0 && w->tid != t->tid && w->time >= t->begin) {
			t->waker = w->tid;
			t->woken = w->time;
			t->wake_at = w->at;
		}
		futex_add_wait(f, t, ts->when.time);
	}
	t->left = ts->when.time;
}

static void handle_enter(void *ctx, const struct tracing_sample *ts)
{
	enter(ctx, ts, ts->value[ENTER_FUTEX], call_of(ts->value[ENTER_OP]));
}

static void handle_enter_wait(void *ctx, const struct tracing_sample *ts)
{
	enter(ctx, ts, ts->value[ENTER_FUTEX], FUTEX_CALL_WAIT);
}

static void handle_enter_wake(void *ctx, const struct tracing_sample *ts)
{
	enter(ctx, ts, ts->value[ENTER_FUTEX], FUTEX_CALL_WAKE);
}

static void handle_exit(void *ctx, const struct tracing_sample *ts)
{
	leave(ctx, ts, ts->value[EXIT_RET]);
}

/* one of the six arguments, 8 or 4 bytes each; 0 where it is not there */
static u64 raw_argument(const struct futex *f, const struct tracing_bytes *args, u32 i)
{
	u32 size = args->len / 6;
	u64 value = 0;

	if (size == 4) {
		u32 half;

		memcpy(&half, (const char *)args->data + i * size, size);
		value = f->session->data->swap ? __builtin_bswap32(half) : half;
	} else if (size == 8) {
		memcpy(&value, (const char *)args->data + i * size, size);
		value = f->session->data->swap ? __builtin_bswap64(value) : value;
	}
	return value;
}

static void handle_raw_enter(void *ctx, const struct tracing_sample *ts)
{
	const struct tracing_bytes *args = &ts->bytes[RAW_ARGS];
	struct futex *f = ctx;

	if ((s64)ts->value[RAW_ID] == f->futex_nr)
		enter(f, ts, raw_argument(f, args, 0), call_of(raw_argument(f, args, 1)));
}

static void handle_raw_exit(void *ctx, const struct tracing_sample *ts)
{
	struct futex *f = ctx;

	if ((s64)ts->value[RAW_ID] == f->futex_nr)
		leave(f, ts, ts->value[RAW_RET]);
}

/*
 * A waiter can be woken more than once before it returns, for instance by a signal: the waker is the task in
 * a call that wakes waiters of this futex, else the first one. The idle task wakes for timers.
 */
static void handle_waking(void *ctx, const struct tracing_sample *ts)
{
	struct futex *f = ctx;
	struct futex_task *t = futex_task(f, ts->value[WAKING_TID]), *by;
	bool sure;

	if (t->call != FUTEX_CALL_WAIT || !ts->sample->tid || (s32)ts->sample->tid == t->tid)
		return;
	by = current_task(f, ts);
	sure = by->call == FUTEX_CALL_WAKE && by->futex == t->futex;
	if (t->waker >= 0 && (!sure || t->waker_sure))
		return;
	t->waker = by->tid;
	t->waker_sure = sure;
	t->woken = ts->when.time;
	t->wake_at = sure ? by->place : place_of(f, ts);
}

const struct tracing_row futex_rows[FUTEX_NR_ROWS] = {
	{ "syscalls:sys_enter_futex", enter_fields, handle_enter, true },
	{ "syscalls:sys_exit_futex", exit_fields, handle_exit, true },
	{ "syscalls:sys_enter_futex_wait", enter2_fields, handle_enter_wait, true },
	{ "syscalls:sys_exit_futex_wait", exit_fields, handle_exit, true },
	{ "syscalls:sys_enter_futex_wake", enter2_fields, handle_enter_wake, true },
	{ "syscalls:sys_exit_futex_wake", exit_fields, handle_exit, true },
	{ "sched:sched_waking", waking_fields, handle_waking, true },
	{ "raw_syscalls:sys_enter", raw_enter_fields, handle_raw_enter, true },
	{ "raw_syscalls:sys_exit", raw_exit_fields, handle_raw_exit, true },
};
