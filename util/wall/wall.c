/* Wall: the state machine of threads. See wall.h. */
#include "wall.h"
#include "../base/list-word.h"

#include <errno.h>
#include <string.h>

static const struct {
	const char *word;
} states[] = {
#define WALL_STATE(ID, word, what) { word },
#include "states.def"
#undef WALL_STATE
};

static const struct {
	const char *word;
	bool is_idle;
} waits[] = {
#define WALL_WAIT(ID, word, is_idle, what) { word, is_idle },
#include "waits.def"
#undef WALL_WAIT
};

const char *wall_state_word(enum wall_state s)
{
	return states[s].word;
}

const char *wall_wait_word(enum wall_wait w)
{
	return waits[w].word;
}

bool wall_wait_is_idle(enum wall_wait w)
{
	return waits[w].is_idle;
}

static u32 states_of_word(const char *word, size_t len)
{
	if (len == 3 && !strncmp(word, "all", 3))
		return (1u << WALL_NR_STATES) - 1;
	for (u32 i = 0; i < WALL_NR_STATES; i++)
		if (strlen(states[i].word) == len && !strncmp(states[i].word, word, len))
			return 1u << i;
	return 0;
}

int wall_states_parse(const char *list, u32 *ret)
{
	u32 all = 0;

	for (const char *p = list; ; p++) {
		size_t len = list_word_len(p);
		u32 bits = states_of_word(p, len);

		if (!bits)
			return -EINVAL;
		all |= bits;
		p += len;
		if (!*p)
			break;
	}
	*ret = all;
	return 0;
}

void wall_init(struct wall *w, const struct wall_source *source, const struct wall_ops *ops, void *ctx)
{
	*w = (struct wall){ .ops = ops, .ctx = ctx, .source = *source, .totals.first = UINT64_MAX };
}

void wall_release(struct wall *w)
{
	vec_release(&w->thread);
	hidx_release(&w->by_tid);
	vec_release(&w->on_cpu);
}

/* time never runs backwards */
static u64 tick(struct wall *w, u64 time)
{
	if (w->totals.first > w->now)
		w->totals.first = w->now = time;
	w->now = MAX(w->now, time);
	w->totals.last = w->now;
	return w->now;
}

static struct wall_thread *find_thread(struct wall *w, s32 tid)
{
	u32 i;

	HIDX_FOREACH(&w->by_tid, hash_u64((u32)tid), i)
		if (w->thread.v[i].tid == tid)
			return &w->thread.v[i];
	return NULL;
}

/* the thread of an event, whose time was told to tick(); NULL for idle tasks */
static struct wall_thread *thread_of(struct wall *w, const struct wall_event *e)
{
	struct wall_thread *t;

	if (e->tid <= 0)
		return NULL;
	t = find_thread(w, e->tid);
	if (!t) {
		hidx_insert(&w->by_tid, hash_u64((u32)e->tid), w->thread.nr);
		t = vec_add(&w->thread);
		/* it was there when the recording began, else its beginning would have been recorded */
		*t = (struct wall_thread){ .tid = e->tid, .pid = -1, .parent = -1, .stack = WALL_NO_STACK,
			.waker_stack = WALL_NO_STACK,
			.cpu = UINT32_MAX, .since = w->totals.first, .place = WALL_PLACE_NEW };
	}
	if (e->pid >= 0)
		t->pid = e->pid;
	if (e->cpu != UINT32_MAX)
		t->cpu = e->cpu;
	return t;
}

static void count_thread(struct wall *w, struct wall_thread *t)
{
	w->totals.nr_threads += !t->counted;
	t->counted = true;
}

/* CPU time since the last sample belongs to this stack */
static void give_run(struct wall *w, struct wall_thread *t, u64 time, u32 stack)
{
	if (t->ran && w->ops->run)
		w->ops->run(w->ctx, &(struct wall_run){ .pid = t->pid, .tid = t->tid, .time = time,
			.ns = t->ran, .stack = stack, .cpu = t->cpu });
	t->ran = 0;
}

/* ends the present slice at that time, as this state */
static void close_slice_at(struct wall *w, struct wall_thread *t, enum wall_state state, s32 waker, u64 time)
{
	bool waits = state == WALL_BLOCKED || state == WALL_IDLE;
	u64 ns = time > t->since ? time - t->since : 0;
	struct wall_slice s = { .pid = t->pid, .tid = t->tid, .state = state, .begin = t->since,
				.end = time, .stack = t->stack, .waker = waker, .cpu = t->cpu,
				.wait = waits ? t->wait : WALL_WAIT_NONE,
				.target = waits ? t->target : 0, .waker_stack = t->waker_stack };

	if (t->lost != w->totals.nr_lost) {
		s.state = WALL_UNKNOWN;
		s.wait = WALL_WAIT_NONE;
		s.target = 0;
		s.waker_stack = WALL_NO_STACK;
		s.waker = -1;
	}
	t->waker_stack = WALL_NO_STACK;
	t->lost = w->totals.nr_lost;
	t->since = MAX(time, t->since);
	if (!ns)
		return;
	if (t->parent >= 0 && (s.state == WALL_RUNNABLE || s.state == WALL_UNKNOWN))
		s.waker = t->parent;
	t->parent = -1;
	count_thread(w, t);
	w->totals.ns[s.state] += ns;
	if (s.state == WALL_ON)
		t->ran += ns;
	if (w->ops->slice)
		w->ops->slice(w->ctx, &s);
}

static void close_slice(struct wall *w, struct wall_thread *t, enum wall_state state, s32 waker)
{
	close_slice_at(w, t, state, waker, w->now);
}

static enum wall_state sleep_state(const struct wall_thread *t)
{
	return wall_wait_is_idle(t->wait) ? WALL_IDLE : WALL_BLOCKED;
}

/* the state that the place was until now, where nothing contradicts it */
static enum wall_state state_of(const struct wall_thread *t)
{
	switch (t->place) {
	case WALL_PLACE_ON:
		return WALL_ON;
	case WALL_PLACE_READY:
		return WALL_RUNNABLE;
	case WALL_PLACE_ASLEEP:
		return sleep_state(t);
	default:
		return WALL_UNKNOWN;
	}
}

static void begin_life(struct wall *w, struct wall_thread *t, enum wall_place place)
{
	t->place = place;
	t->since = w->now;
	t->lost = w->totals.nr_lost;
	t->stack = WALL_NO_STACK;
	t->wait = WALL_WAIT_NONE;
	t->target = 0;
	t->ran = 0;
	t->parent = -1;
	t->counted = false;
	t->ending = false;
	t->woken = 0;
}

/* it slept since the recording began; where, nobody has seen */
static void wake_new(struct wall *w, struct wall_thread *t, u64 woken, s32 waker)
{
	t->wait = WALL_WAIT_EARLIER;
	w->totals.nr_waits++;
	close_slice_at(w, t, WALL_BLOCKED, waker, woken);
	t->place = WALL_PLACE_READY;
}

/* not known yet to be watched: that is known when it runs */
static bool is_other(const struct wall *w, const struct wall_thread *t)
{
	return w->source.has_others && t->place == WALL_PLACE_NEW;
}

/* woken again: it has run */
static void note_wake(struct wall *w, struct wall_thread *t, s32 waker)
{
	t->woken = t->woken ? UINT64_MAX : w->now;
	t->woken_by = waker;
}

/* it runs, so its wake-up counts */
static void take_noted_wake(struct wall *w, struct wall_thread *t)
{
	if (t->place == WALL_PLACE_NEW && t->woken && t->woken != UINT64_MAX)
		wake_new(w, t, t->woken, t->woken_by);
}

/* another thread had the CPU on which this one was seen first: when it came is not recorded */
static bool came_later(const struct wall *w, const struct wall_thread *t)
{
	const struct wall_cpu *c = t->cpu < w->on_cpu.nr ? &w->on_cpu.v[t->cpu] : NULL;

	return t->place == WALL_PLACE_NEW &&
	       (t->woken || (c && c->first >= 0 && (c->first != t->tid || c->shared)));
}

/*
 * It is on a CPU now. One that is first seen running has run since the recording began: it would have been
 * seen arriving.
 */
static void put_on(struct wall *w, struct wall_thread *t)
{
	take_noted_wake(w, t);
	if (t->place == WALL_PLACE_DEAD)
		begin_life(w, t, WALL_PLACE_ON);
	else if ((t->place != WALL_PLACE_NEW && t->place != WALL_PLACE_ON) || came_later(w, t))
		close_slice(w, t, WALL_UNKNOWN, -1);
	t->place = WALL_PLACE_ON;
}

static bool has_ended(const struct wall_thread *t)
{
	return t->place == WALL_PLACE_DEAD || t->place == WALL_PLACE_ENDING;
}

static bool is_dead(char letter)
{
	return letter == 'X' || letter == 'Z';
}

/* threads end while they run */
static void die(struct wall *w, struct wall_thread *t, enum wall_place place)
{
	if (!has_ended(t)) {
		put_on(w, t);
		close_slice(w, t, WALL_ON, -1);
		give_run(w, t, w->now, t->stack);
	}
	t->place = place;
}

/* a CPU has one thread at a time */
static void take_cpu(struct wall *w, u32 cpu, s32 tid)
{
	struct wall_thread *t;
	struct wall_cpu *c;

	if (cpu >= WALL_MAX_CPUS)
		return;
	while (w->on_cpu.nr <= cpu)
		vec_push(&w->on_cpu, (struct wall_cpu){ .now = -1, .first = -1 });
	c = &w->on_cpu.v[cpu];
	t = c->now == tid ? NULL : find_thread(w, c->now);
	c->now = tid;
	c->first = c->first < 0 ? tid : c->first;
	c->shared |= tid != c->first;
	if (!t || t->place != WALL_PLACE_ON || t->cpu != cpu || w->source.has_turns)
		return;
	close_slice(w, t, WALL_UNKNOWN, -1);
	t->place = WALL_PLACE_GONE;
}

void wall_take_cpu(struct wall *w, const struct wall_event *e)
{
	if (w->totals.first > w->now)
		return;		/* no thread is known yet */
	tick(w, e->time);
	take_cpu(w, e->cpu, e->tid);
}

void wall_leave(struct wall *w, const struct wall_event *e, char letter, enum wall_wait wait, bool again)
{
	u64 now = tick(w, e->time);
	struct wall_thread *t = thread_of(w, e);

	if (!t)
		return;
	if (t->place == WALL_PLACE_ENDING)	/* it ran on */
		t->place = WALL_PLACE_ON;
	if (is_dead(letter))
		die(w, t, WALL_PLACE_DEAD);
	if (has_ended(t))
		return;
	if (again && t->place != WALL_PLACE_ON && t->place != WALL_PLACE_NEW)
		return;
	put_on(w, t);
	take_cpu(w, e->cpu, e->tid);
	close_slice(w, t, WALL_ON, -1);
	/*
	 * a wait without a stack does not have the stack of another one, or of a sample, unless the recording
	 * has no better ones
	 */
	if (e->stack != WALL_NO_STACK || !again || w->source.has_stacks)
		t->stack = e->stack;
	if (!w->source.has_samples)
		give_run(w, t, now, t->stack);
	t->place = letter == 'R' ? WALL_PLACE_READY : WALL_PLACE_ASLEEP;
	t->wait = letter == 'R' ? WALL_WAIT_NONE : wait;
	t->target = e->target;
}

void wall_arrive(struct wall *w, const struct wall_event *e)
{
	struct wall_thread *t;

	tick(w, e->time);
	take_cpu(w, e->cpu, e->tid);
	t = thread_of(w, e);
	if (!t || t->place == WALL_PLACE_ON || t->place == WALL_PLACE_ENDING)
		return;
	if (t->place == WALL_PLACE_DEAD) {
		begin_life(w, t, WALL_PLACE_ON);
		return;
	}
	/* nobody wakes a thread whose quota is new */
	if (t->place == WALL_PLACE_ASLEEP && t->wait != WALL_WAIT_THROTTLED) {
		w->totals.nr_waits++;
		w->totals.nr_without_wakeup++;
	}
	take_noted_wake(w, t);
	/* first seen when it gets a CPU: it was runnable or asleep before */
	close_slice(w, t, state_of(t), -1);
	t->place = WALL_PLACE_ON;
}

const struct wall_thread *wall_asleep(struct wall *w, s32 tid)
{
	const struct wall_thread *t = find_thread(w, tid);

	return t && t->place == WALL_PLACE_ASLEEP ? t : NULL;
}

void wall_wait_was(struct wall *w, s32 tid, enum wall_wait wait, u32 target)
{
	struct wall_thread *t = find_thread(w, tid);

	if (!t || t->place != WALL_PLACE_ASLEEP)
		return;
	t->wait = wait;
	t->target = target;
}

void wall_wake(struct wall *w, const struct wall_event *e, s32 waker)
{
	struct wall_thread *t;

	tick(w, e->time);
	t = thread_of(w, e);
	if (!t || t->place == WALL_PLACE_ON || t->place == WALL_PLACE_READY || t->place == WALL_PLACE_ENDING)
		return;
	if (t->place == WALL_PLACE_DEAD) {
		/* others may be woken on their way out */
		if (!w->source.has_others)
			begin_life(w, t, WALL_PLACE_READY);
		return;
	}
	if (is_other(w, t)) {
		note_wake(w, t, waker);
		return;
	}
	if (t->place == WALL_PLACE_GONE) {
		close_slice(w, t, WALL_UNKNOWN, -1);
		t->place = WALL_PLACE_READY;
		return;
	}
	t->waker_stack = e->stack;
	if (t->place == WALL_PLACE_NEW) {
		wake_new(w, t, w->now, waker);
		return;
	}
	w->totals.nr_waits++;
	close_slice(w, t, sleep_state(t), waker);
	t->place = WALL_PLACE_READY;
}

void wall_woken(struct wall *w, const struct wall_event *e, u64 woken, s32 waker)
{
	struct wall_thread *t;

	tick(w, e->time);
	t = thread_of(w, e);
	if (!t || (t->place != WALL_PLACE_ASLEEP && t->place != WALL_PLACE_NEW))
		return;
	t->waker_stack = e->stack;
	if (t->place == WALL_PLACE_NEW) {
		wake_new(w, t, MIN(woken, w->now), waker);
		return;
	}
	w->totals.nr_waits++;
	close_slice_at(w, t, sleep_state(t), waker, MIN(woken, w->now));
	t->place = WALL_PLACE_READY;
}

/* a sample of a thread on its way out: it ran until then */
static void sample_ending(struct wall *w, struct wall_thread *t, u32 stack)
{
	t->stack = stack;
	close_slice(w, t, WALL_ON, -1);
	give_run(w, t, w->now, stack);
}

/* false: the thread has left the CPU, and the record was only late on its way out */
static bool runs(struct wall *w, const struct wall_thread *t)
{
	if (has_ended(t))
		return false;
	return t->place == WALL_PLACE_ON || t->place == WALL_PLACE_NEW || t->place == WALL_PLACE_GONE ||
	       !w->source.has_arrivals;
}

void wall_sample(struct wall *w, const struct wall_event *e)
{
	u64 now = tick(w, e->time);
	struct wall_thread *t = thread_of(w, e);

	if (t && t->place == WALL_PLACE_ENDING)
		sample_ending(w, t, e->stack);
	if (!t || !runs(w, t))
		return;
	put_on(w, t);
	take_cpu(w, e->cpu, e->tid);
	t->stack = e->stack;
	close_slice(w, t, WALL_ON, -1);
	give_run(w, t, now, e->stack);
}

void wall_mark(struct wall *w, const struct wall_event *e)
{
	u64 now = tick(w, e->time);
	struct wall_thread *t = thread_of(w, e);

	if (!t || !runs(w, t))
		return;
	put_on(w, t);
	take_cpu(w, e->cpu, e->tid);
	close_slice(w, t, WALL_ON, -1);
	give_run(w, t, now, t->stack);
	if (e->stack != WALL_NO_STACK)
		t->stack = e->stack;
}

/* the thread of an event now, unless it has ended; NULL */
static struct wall_thread *living_thread(struct wall *w, const struct wall_event *e)
{
	struct wall_thread *t;

	tick(w, e->time);
	t = thread_of(w, e);
	return t && !has_ended(t) ? t : NULL;
}

void wall_unseen(struct wall *w, const struct wall_event *e)
{
	struct wall_thread *t = living_thread(w, e);

	if (!t)
		return;
	close_slice(w, t, WALL_UNKNOWN, -1);
	t->place = WALL_PLACE_ON;
	take_cpu(w, e->cpu, e->tid);
}

void wall_told(struct wall *w, const struct wall_event *e, u64 ns)
{
	struct wall_thread *t = living_thread(w, e);

	if (!t)
		return;
	t->since += MIN(ns, UINT64_MAX - t->since);
	t->parent = -1;
	count_thread(w, t);
}

void wall_resume(struct wall *w, const struct wall_event *e, u64 since)
{
	struct wall_thread *t;

	tick(w, e->time);
	t = thread_of(w, e);
	if (!t)
		return;
	since = MIN(since, w->now);
	if (has_ended(t))
		begin_life(w, t, WALL_PLACE_ON);
	else
		close_slice_at(w, t, WALL_UNKNOWN, -1, since);
	t->place = WALL_PLACE_ON;
	t->since = since;
}

void wall_gone(struct wall *w, const struct wall_event *e)
{
	struct wall_thread *t = living_thread(w, e);

	if (!t)
		return;
	close_slice(w, t, WALL_UNKNOWN, -1);
	t->place = WALL_PLACE_GONE;
}

void wall_left(struct wall *w, const struct wall_event *e, u64 left, char letter, enum wall_wait wait)
{
	struct wall_thread *t;

	tick(w, e->time);
	t = thread_of(w, e);
	if (!t || t->place != WALL_PLACE_ON)
		return;
	close_slice_at(w, t, WALL_ON, -1, MIN(left, w->now));
	t->stack = e->stack;
	t->place = letter == 'R' ? WALL_PLACE_READY : WALL_PLACE_ASLEEP;
	t->wait = letter == 'R' ? WALL_WAIT_NONE : wait;
	t->target = e->target;
}

void wall_seen_asleep(struct wall *w, const struct wall_event *e, enum wall_wait wait)
{
	struct wall_thread *t = living_thread(w, e);

	if (!t || t->place != WALL_PLACE_NEW || t->woken)
		return;
	t->place = WALL_PLACE_ASLEEP;
	t->wait = wait;
	t->target = e->target;
	t->stack = e->stack;
}

void wall_seen(struct wall *w, const struct wall_event *e)
{
	struct wall_thread *t;

	tick(w, e->time);
	t = thread_of(w, e);
	if (!t || has_ended(t) || is_other(w, t))
		return;
	put_on(w, t);
	take_cpu(w, e->cpu, e->tid);
}

static bool begins_as_other(struct wall *w, s32 parent)
{
	const struct wall_thread *p = find_thread(w, parent);

	return w->source.has_others && (!p || p->place == WALL_PLACE_NEW);
}

void wall_begin(struct wall *w, const struct wall_event *e, s32 parent)
{
	struct wall_thread *t;

	tick(w, e->time);
	t = thread_of(w, e);
	if (!t)
		return;
	/* the tid is used again, and the end of the thread before is missing */
	if (t->place != WALL_PLACE_NEW && !has_ended(t) && !t->ending) {
		close_slice(w, t, WALL_UNKNOWN, -1);
		give_run(w, t, w->now, t->stack);
	}
	begin_life(w, t, WALL_PLACE_READY);
	t->parent = parent;
	if (begins_as_other(w, parent)) {
		t->place = WALL_PLACE_NEW;
		t->woken = UINT64_MAX;
	}
}

void wall_began(struct wall *w, const struct wall_event *e, u64 began)
{
	struct wall_thread *t;

	tick(w, e->time);
	t = thread_of(w, e);
	/* has_ended: another thread has its tid now, if it is not on its way out */
	if (!t || (t->place != WALL_PLACE_NEW && !(has_ended(t) && began > t->since)))
		return;
	begin_life(w, t, WALL_PLACE_READY);
	t->since = MIN(MAX(began, w->totals.first), w->now);
}

void wall_end(struct wall *w, const struct wall_event *e)
{
	struct wall_thread *t;

	tick(w, e->time);
	t = thread_of(w, e);
	if (!t)
		return;
	if (is_other(w, t)) {
		t->place = WALL_PLACE_DEAD;
		return;
	}
	die(w, t, WALL_PLACE_ENDING);
	take_cpu(w, e->cpu, e->tid);
	t->ending = true;
}

void wall_lost(struct wall *w, u64 time)
{
	tick(w, time);
	w->totals.nr_lost++;
}

void wall_flush(struct wall *w, u64 now)
{
	if (w->totals.first > w->now)
		return;		/* no thread is known yet */
	tick(w, now);
	for (size_t i = 0; i < w->thread.nr; i++) {
		struct wall_thread *t = &w->thread.v[i];

		if (has_ended(t) || t->place == WALL_PLACE_NEW)
			continue;
		close_slice(w, t, state_of(t), -1);
		give_run(w, t, w->now, t->stack);
	}
}

void wall_finish(struct wall *w)
{
	for (size_t i = 0; i < w->thread.nr; i++) {
		struct wall_thread *t = &w->thread.v[i];

		/* of a thread on its way out, only what was recorded is known */
		if (has_ended(t) || is_other(w, t))
			continue;
		if (!t->ending)
			close_slice(w, t, state_of(t), -1);
		give_run(w, t, w->now, t->stack);
		t->place = WALL_PLACE_DEAD;
	}
}
