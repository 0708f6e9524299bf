/* Wall-live: see wall-live.h. */
#include "wall-live.h"
#include "../base/fs.h"
#include "../base/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NO_ROW UINT32_MAX

/* ---- names and sums ---- */

static struct wall_live_thread *thread_of(struct wall_live *l, s32 tid)
{
	return vec_find_or_add(&l->thread, &l->by_tid, hash_u64((u32)tid), t, t->tid == tid,
			       (struct wall_live_thread){ .tid = tid, .row = NO_ROW });
}

/* the kernel's name of a thread that has not left a CPU yet */
static void read_name(struct wall_live_thread *t)
{
	char path[48];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/comm", t->tid);
	f = fopen(path, "re");
	t->nameless = !f || !fgets(t->name, sizeof(t->name), f);
	if (t->nameless)
		snprintf(t->name, sizeof(t->name), ":%d", t->tid);
	t->name[strcspn(t->name, "\n")] = '\0';
	if (f)
		fclose(f);
}

/* an exec or prctl() gives it another name, and a row of its own from then on */
static void set_name(struct wall_live *l, s32 tid, const char *name)
{
	struct wall_live_thread *t = thread_of(l, tid);

	if (!strncmp(t->name, name, sizeof(t->name) - 1))
		return;
	snprintf(t->name, sizeof(t->name), "%.15s", name);
	/* it had that name before, too, as far as is known */
	if (t->nameless && t->row != NO_ROW)
		memcpy(l->row.v[t->row].name, t->name, sizeof(t->name));
	else
		t->row = NO_ROW;
	t->nameless = false;
}

static struct wall_live_row *row_of(struct wall_live *l, s32 pid, s32 tid)
{
	struct wall_live_thread *t = thread_of(l, tid);
	struct wall_live_row row = { .pid = pid, .tid = tid };

	if (!*t->name)
		read_name(t);
	if (t->row == NO_ROW) {
		memcpy(row.name, t->name, sizeof(row.name));
		t->row = l->row.nr;
		vec_push(&l->row, row);
	}
	return &l->row.v[t->row];
}

static void take_slice(void *ctx, const struct wall_slice *s)
{
	struct wall_live *l = ctx;
	struct wall_live_row *row = row_of(l, s->pid, s->tid);

	row->ns[s->state] += s->end - s->begin;
	row->nr_waits += s->state == WALL_BLOCKED && s->waker >= 0;
}

static const struct wall_ops ops = { .slice = take_slice };

/* ---- records ---- */

static void take_event(struct wall_live *l, const struct wall_switch_event *s)
{
	const struct wall_switch_raw *raw = &s->raw;
	struct wall_event e = { .time = s->time, .pid = s->pid, .tid = s->tid, .cpu = s->cpu,
				.stack = WALL_NO_STACK };
	u64 woken = raw->woken[0] | (u64)raw->woken[1] << 32;

	if (s->time < l->start)
		return;
	if (raw->flags & WALL_RAW_UNSEEN)
		wall_unseen(&l->wall, &e);
	if (raw->flags & WALL_RAW_HAS_LEFT) {
		if (*s->name)
			set_name(l, s->tid, s->name);
		if (raw->letter == 'X' || raw->letter == 'Z')
			wall_end(&l->wall, &e);
		else
			wall_leave(&l->wall, &e, raw->letter, raw->letter == WALL_RAW_THROTTLED ?
				   WALL_WAIT_THROTTLED : WALL_WAIT_OTHER, false);
	}
	if (!raw->next_tid)
		return;
	e.pid = raw->next_pid;
	e.tid = raw->next_tid;
	if (*s->next_name)
		set_name(l, e.tid, s->next_name);
	if (raw->flags & WALL_RAW_BEGAN) {
		if (woken > l->start)
			wall_began(&l->wall, &e, woken);
	} else if (woken) {
		wall_woken(&l->wall, &e, woken, raw->flags & WALL_RAW_BY_INTERRUPT ? 0 : raw->waker_tid);
	}
	if (raw->flags & WALL_RAW_NEXT_UNSEEN)
		wall_unseen(&l->wall, &e);
	if (!(raw->flags & WALL_RAW_MISSED))
		wall_arrive(&l->wall, &e);
}

static void keep_event(void *ctx, const struct wall_switch_event *s)
{
	struct wall_live *l = ctx;

	vec_push(&l->pending, *s);
}

static int by_time(const void *a, const void *b)
{
	const struct wall_switch_event *x = a, *y = b;

	return x->time < y->time ? -1 : x->time > y->time;
}

void wall_live_take(struct wall_live *l, bool last)
{
	/* rings are read one after the other: what is newer may have older records in another ring */
	u64 until = last ? UINT64_MAX : clock_ns(CLOCK_MONOTONIC), lost;
	size_t nr = 0;

	lost = wall_switches_read(l->switches, keep_event, l);
	if (l->pending.nr)
		qsort(l->pending.v, l->pending.nr, sizeof(*l->pending.v), by_time);
	for (; nr < l->pending.nr && l->pending.v[nr].time <= until; nr++)
		take_event(l, &l->pending.v[nr]);
	if (lost)
		wall_lost(&l->wall, l->wall.now);
	l->lost += lost;
	if (nr)
		memmove(l->pending.v, l->pending.v + nr, (l->pending.nr - nr) * sizeof(*l->pending.v));
	l->pending.nr -= nr;
	wall_flush(&l->wall, last ? clock_ns(CLOCK_MONOTONIC) : until);
}

void wall_live_clear(struct wall_live *l)
{
	l->row.nr = 0;
	vec_foreach(&l->thread, t)
		t->row = NO_ROW;
}

/* ---- the whole ---- */

int wall_live_open(struct wall_live *l, const struct wall_switches_opts *o, struct err *err)
{
	*l = (struct wall_live){ 0 };
	wall_init(&l->wall, &(struct wall_source){ .has_arrivals = true }, &ops, l);
	l->switches = wall_switches_open(o, err);
	return l->switches ? 0 : err->code;
}

void wall_live_begin(struct wall_live *l, u64 time, s32 pid)
{
	struct wall_event e = { .time = time, .pid = pid, .tid = pid, .cpu = UINT32_MAX,
				.stack = WALL_NO_STACK };

	l->start = time;
	if (pid > 0)
		wall_seen(&l->wall, &e);
}

void wall_live_asleep(struct wall_live *l, s32 pid, s32 tid)
{
	struct wall_event e = { .time = l->start, .pid = pid, .tid = tid, .cpu = UINT32_MAX,
				.stack = WALL_NO_STACK };

	wall_seen_asleep(&l->wall, &e, WALL_WAIT_OTHER);
}

void wall_live_release(struct wall_live *l)
{
	wall_switches_free(l->switches);
	wall_release(&l->wall);
	vec_release(&l->pending);
	vec_release(&l->row);
	vec_release(&l->thread);
	hidx_release(&l->by_tid);
}
