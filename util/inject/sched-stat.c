/*
 * Sched-stat: where tasks slept and how long, in one sample. The call chain of sched_switch shows where a
 * task stopped; the event sched_stat_* at its wakeup has the length of the sleep, but the call chain of the
 * waker. So the last sched_switch of the sleeper replaces sched_stat_*, with the time and the period of that
 * event. sched_switch, sched_process_exit and sched_stat_* themselves are left out; samples of other events
 * pass.
 */
#include "inject-private.h"
#include "../base/hash.h"
#include "../event/record-type.h"
#include "../tep/tracefmt.h"

#include <errno.h>
#include <string.h>

enum task_event { EVENT_OTHER, EVENT_SWITCH, EVENT_STAT, EVENT_EXIT };

/* the last sched_switch of a task */
struct stopped {
	u32 tid;
	u32 alloc;
	u8 *rec;		/* a whole record; header.size is 0 if there is none */
	u32 size;
	const struct event *event;
};

struct sched_stat_state {
	struct tracefmt *formats;
	u8 *kind;				/* enum task_event by event idx */
	const struct tracefmt_field **pid;	/* field "pid" by event idx */
	struct { VEC(struct stopped); } task;
	struct hidx idx;
	struct arena scratch;
};

static enum task_event kind_of(const struct event *ev)
{
	if (!ev->tp_system || strcmp(ev->tp_system, "sched"))
		return EVENT_OTHER;
	if (!strcmp(ev->tp_name, "sched_switch"))
		return EVENT_SWITCH;
	if (!strcmp(ev->tp_name, "sched_process_exit"))
		return EVENT_EXIT;
	return strncmp(ev->tp_name, "sched_stat_", 11) ? EVENT_OTHER : EVENT_STAT;
}

static int no_event(const struct inject *in, const char *what, struct err *err)
{
	err_set(err, -ENOENT, "%s has no %s", in->session->data->path, what);
	err_hint(err, "record with -g -e sched:sched_switch -e sched:sched_stat_sleep "
		 "-e sched:sched_process_exit");
	return -ENOENT;
}

static int bind_event(struct inject *in, const struct event *ev, struct err *err)
{
	struct sched_stat_state *st = in->sched_stat;
	const struct tracefmt_event *te;

	if (st->kind[ev->idx] == EVENT_SWITCH &&
	    ~ev->attr.sample_type & (ABI_SAMPLE_TIME | ABI_SAMPLE_PERIOD))
		return err_set(err, -EINVAL, "samples of sched:sched_switch have no time or no period");
	if (st->kind[ev->idx] != EVENT_STAT)
		return 0;
	te = tracefmt_event(st->formats, ev->attr.config);
	st->pid[ev->idx] = te ? tracefmt_field(te, "pid") : NULL;
	return st->pid[ev->idx] ? 0 : err_set(err, -EBADMSG, "the format of %s has no field 'pid'", ev->name);
}

int sched_stat_start(struct inject *in, struct err *err)
{
	struct sched_stat_state *st = in->sched_stat = xcalloc(1, sizeof(*st));
	const struct feat_blob *blob = &in->session->data->feat.tracing_data;
	const struct evset *set = in->session->data->evset;
	bool has[EVENT_EXIT + 1] = { false };
	int ret = 0;

	st->kind = xcalloc(set->ev.nr, sizeof(*st->kind));
	st->pid = xcalloc(set->ev.nr, sizeof(*st->pid));
	vec_foreach(&set->ev, ev) {
		st->kind[(*ev)->idx] = kind_of(*ev);
		has[st->kind[(*ev)->idx]] = true;
	}
	if (!has[EVENT_SWITCH] || !has[EVENT_STAT])
		return no_event(in, has[EVENT_SWITCH] ? "event sched:sched_stat_*" :
				"event sched:sched_switch", err);
	if (!blob->data)
		return no_event(in, "formats of tracepoints", err);
	st->formats = tracefmt_new(blob->data, blob->size, err);
	if (!st->formats)
		return -EBADMSG;
	vec_foreach(&set->ev, ev)
		if (!ret)
			ret = bind_event(in, *ev, err);
	return ret;
}

static struct stopped *find_task(struct sched_stat_state *st, u32 tid)
{
	u32 i;

	HIDX_FOREACH(&st->idx, hash_u64(tid), i)
		if (st->task.v[i].tid == tid)
			return &st->task.v[i];
	return NULL;
}

static void keep_switch(struct sched_stat_state *st, const struct rec *rec, const struct sample *s)
{
	struct stopped *t = vec_find_or_add(&st->task, &st->idx, hash_u64(s->tid), o, o->tid == s->tid,
					    (struct stopped){ .tid = s->tid });

	if (t->alloc < rec->size) {
		t->rec = xrealloc(t->rec, rec->size);
		t->alloc = rec->size;
	}
	memcpy(t->rec, rec->p, rec->size);
	t->size = rec->size;
	t->event = s->event;
}

static void forget_task(struct sched_stat_state *st, u32 tid)
{
	struct stopped *t = find_task(st, tid);

	if (!t)
		return;
	free(t->rec);
	t->rec = NULL;
	t->size = t->alloc = 0;
}

/* where a field that takes one u64 is in samples of an event: after those that come before it */
static u32 slot_off(const struct event *ev, u64 field)
{
	static const u64 order[] = { ABI_SAMPLE_IDENTIFIER, ABI_SAMPLE_IP, ABI_SAMPLE_TID, ABI_SAMPLE_TIME,
				     ABI_SAMPLE_ADDR, ABI_SAMPLE_ID, ABI_SAMPLE_STREAM_ID, ABI_SAMPLE_CPU,
				     ABI_SAMPLE_PERIOD };
	u32 off = sizeof(struct rec_header);

	for (size_t i = 0; i < ARRAY_SIZE(order) && order[i] != field; i++)
		off += ev->attr.sample_type & order[i] ? sizeof(u64) : 0;
	return off;
}

/* the sample is whole: it was decoded before it was kept */
static int write_slept(struct inject *in, const struct stopped *t, const struct sample *stat)
{
	memcpy(t->rec + slot_off(t->event, ABI_SAMPLE_TIME), &stat->time, sizeof(u64));
	memcpy(t->rec + slot_off(t->event, ABI_SAMPLE_PERIOD), &stat->period, sizeof(u64));
	return inject_emit(in, t->rec);
}

static int merge_stat(struct inject *in, const struct sample *s)
{
	struct sched_stat_state *st = in->sched_stat;
	struct stopped *t;
	u64 pid;

	if (!tracefmt_value(st->formats, st->pid[s->event->idx], s->raw, s->raw_size, &pid))
		return 0;
	t = find_task(st, (u32)pid);
	return t && t->size ? write_slept(in, t, s) : 0;
}

int sched_stat_record(struct inject *in, const struct rec *rec, u64 time UNUSED)
{
	struct sched_stat_state *st = in->sched_stat;
	struct sample s;

	if (rec->type != REC_SAMPLE)
		return 1;
	arena_reset(&st->scratch);
	if (sample_decode(in->session->data->plan, rec, &s, &st->scratch) || !s.event)
		return 1;
	switch (st->kind[s.event->idx]) {
	case EVENT_SWITCH:
		keep_switch(st, rec, &s);
		return 0;
	case EVENT_EXIT:
		forget_task(st, s.tid);
		return 0;
	case EVENT_STAT:
		return merge_stat(in, &s);
	default:
		return 1;
	}
}

void sched_stat_end(struct inject *in)
{
	struct sched_stat_state *st = in->sched_stat;

	if (!st)
		return;
	vec_foreach(&st->task, t)
		free(t->rec);
	vec_release(&st->task);
	hidx_release(&st->idx);
	tracefmt_free(st->formats);
	arena_release(&st->scratch);
	free(st->pid);
	free(st->kind);
	free(st);
	in->sched_stat = NULL;
}
