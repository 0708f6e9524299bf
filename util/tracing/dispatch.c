/* Dispatch: see dispatch.h. */
#include "dispatch.h"
#include "../event/record-type.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../session/reads.h"

static const struct tracing_row *find_row(const struct tracing_opts *o, const char *system, const char *name)
{
	size_t len = strlen(system);

	for (u32 i = 0; i < o->nr_rows; i++)
		if (!strncmp(o->row[i].event, system, len) && o->row[i].event[len] == ':' &&
		    !strcmp(o->row[i].event + len + 1, name))
			return &o->row[i];
	return NULL;
}

static int bind_event(struct tracing_dispatch *d, const struct event *ev, struct err *err)
{
	const struct tracefmt_event *te = tracefmt_event(d->formats, ev->attr.config);
	struct bound_event *b = &d->event[ev->idx];

	if (!te) {
		/*
		 * only the format has its true name; without a format the name in the file decides whether it
		 * is needed
		 */
		for (u32 i = 0; i < d->o->nr_rows; i++)
			if (!strcmp(d->o->row[i].event, ev->name))
				return err_set(err, -EBADMSG,
					       "%s: the format of event '%s' is missing or damaged",
					       d->s->data->path, ev->name);
		return 0;
	}
	b->row = find_row(d->o, tracefmt_event_system(te), tracefmt_event_name(te));
	if (!b->row)
		return 0;
	if (!(ev->attr.sample_type & PERF_SAMPLE_RAW)) {
		err_set(err, -EINVAL, "event '%s' was recorded without its fields", ev->name);
		err_hint(err, "record with %s, or with perf record -R", d->o->record);
		return -EINVAL;
	}
	return tracing_bind(&b->binding, d->formats, te, b->row->field, err);
}

static int say_no_events(const struct tracing_dispatch *d, struct err *err)
{
	struct strbuf names = STRBUF_INIT;
	const u32 shown = MIN(d->o->nr_rows, 4u);

	for (u32 i = 0; i < shown; i++)
		strbuf_addf(&names, "%s%s", i ? ", " : "", d->o->row[i].event);
	if (d->o->nr_rows > shown)
		strbuf_addf(&names, " and %u more", (u32)d->o->nr_rows - shown);
	err_set(err, -ENOENT, "%s has none of the events %s", d->s->data->path, strbuf_str(&names));
	err_hint(err, "record them with %s", d->o->record);
	strbuf_release(&names);
	return -ENOENT;
}

static bool has_needed(const struct tracing_dispatch *d)
{
	bool has = false;

	for (u32 i = 0; i < d->s->data->evset->ev.nr; i++)
		has |= d->event[i].row && !strcmp(d->event[i].row->event, d->o->needs);
	return has;
}

static int bind_events(struct tracing_dispatch *d, struct err *err)
{
	const struct feat_blob *blob = &d->s->data->feat.tracing_data;
	const struct evset *set = d->s->data->evset;
	bool any = false;
	int ret = 0;

	for (u32 i = 0; i < set->ev.nr && !ret; i++) {
		if (evset_at(set, i)->attr.type != PERF_TYPE_TRACEPOINT)
			continue;
		if (!blob->data)
			return err_set(err, -ENOENT, "%s has tracepoints, but not their formats",
				       d->s->data->path);
		if (!d->formats)
			d->formats = tracefmt_new(blob->data, blob->size, err);
		if (!d->formats)
			return -EBADMSG;
		ret = bind_event(d, evset_at(set, i), err);
		any |= d->event[i].row != NULL;
	}
	if (ret)
		return ret;
	if (d->o->needs && any && !has_needed(d)) {
		err_set(err, -ENOENT, "%s has no event %s", d->s->data->path, d->o->needs);
		err_hint(err, "record it with %s", d->o->record);
		return -ENOENT;
	}
	return any || d->o->other ? 0 : say_no_events(d, err);
}

const struct sample_ctx *tracing_find_ctx(const struct tracing_sample *ts)
{
	struct tracing_task *t = ts->task;

	session_complete(ts->session);
	locator_ctx(&t->locator, ts->sample->pid, ts->sample->tid, ts->when, &t->ctx);
	t->found = true;
	return &t->ctx;
}

bool tracing_keeps(const struct sample_filter *f, const struct tracing_sample *ts)
{
	const struct sample_ctx *ctx = tracing_ctx(ts);
	const struct resolved_sample rs = {
		.machine = ts->session->machine, .features = &ts->session->data->feat,
		.sample = ts->sample, .ctx = *ctx,
		.comm = f->comms.active ?
			machine_comm_id(ts->session->machine, ctx->thread, ctx->when) : ID_NONE,
	};

	return sample_filter_keep(f, &rs) == FILTER_KEEP;
}

/* the sample is decoded */
static inline void dispatch(struct tracing_dispatch *d, struct bound_event *b, const struct sample *sample,
			    const struct rec *rec)
{
	struct tracing_sample *ts = &b->ts;

	ts->when = session_when(d->s, sample, rec);
	ts->generation = d->generation;
	d->task.found = false;
	if (unlikely(d->filters) && !tracing_keeps(&d->o->filter, ts))
		return;
	if (!b->row) {
		d->o->other(d->o->ctx, ts);
		return;
	}
	if (!tracing_read(&b->binding, sample->raw, sample->raw_size, &b->values)) {
		diag_count(d->diag, DIAG_BAD_TRACEPOINT, rec->off);
		return;
	}
	b->row->handle(d->o->ctx, ts);
}

void tracing_dispatch_given(struct tracing_dispatch *d, const struct event *event, u64 time,
			    const struct tracing_given *g, u64 off)
{
	struct bound_event *b = &d->event[event->idx];
	struct sample *sample = &d->sample[event->idx];

	if (!b->row && !d->o->other)
		return;
	sample->event = event;
	sample->time = time;
	sample->pid = g->pid;
	sample->tid = g->tid;
	sample->cpu = g->cpu;
	sample->raw = g->raw;
	sample->raw_size = g->size;
	dispatch(d, b, sample, &(struct rec){ .type = REC_SAMPLE, .off = off });
}

/*
 * Makes one sample of each member that counted from a sample with the counters of its group. Fields of a
 * tracepoint are those of the leader, so members that are tracepoints get none
 */
static void dispatch_members(struct tracing_dispatch *d, struct bound_event *b, const struct sample *sample,
			     const struct rec *rec)
{
	struct sample part = *sample;
	int what;

	b->ts.sample = &part;
	for (u32 i = 0; (what = session_read(d->s, rec, i, &part)) >= 0; i++)
		if (what && !d->event[part.event->idx].row)
			dispatch(d, b, &part, rec);
	b->ts.sample = sample;
}

void tracing_dispatch_sample(struct tracing_dispatch *d, const struct rec *rec, const struct event *event)
{
	struct bound_event *b;
	struct sample *sample;

	/* damaged samples and those of unknown events were counted when the file was scanned */
	if (unlikely(!event))
		return;
	b = &d->event[event->idx];
	if (!b->row && !d->o->other)
		return;
	sample = &d->sample[event->idx];
	arena_reset(&d->scratch);
	if (sample_decode_again(d->s->data->plan, rec, event, sample, &d->scratch))
		return;
	if (!b->row && session_has_reads(d->s, sample))
		dispatch_members(d, b, sample, rec);
	else
		dispatch(d, b, sample, rec);
}

/* what all samples of an event have in common */
static void init_samples(struct tracing_dispatch *d)
{
	for (u32 i = 0; i < d->s->data->evset->ev.nr; i++) {
		struct bound_event *b = &d->event[i];

		b->ts = (struct tracing_sample){
			.session = d->s, .row = b->row, .formats = d->formats, .sample = &d->sample[i],
			.task = &d->task, .value = b->values.number, .bytes = b->values.bytes,
			.present = b->binding.present,
		};
	}
}

int tracing_dispatch_init(struct tracing_dispatch *d, struct session *s, struct tracing_opts *o,
			  struct err *err)
{
	int ret;

	*d = (struct tracing_dispatch){ .s = s, .o = o, .diag = &s->diag,
					.filters = sample_filter_given(&o->filter),
					.event = xcalloc(s->data->evset->ev.nr + 1, sizeof(*d->event)),
					.sample = xcalloc(s->data->evset->ev.nr + 1, sizeof(*d->sample)) };
	locator_init(&d->task.locator, s->machine);
	ret = bind_events(d, err);
	init_samples(d);
	return ret ? ret : sample_filter_parse(&o->filter, s, err);
}

void tracing_dispatch_release(struct tracing_dispatch *d)
{
	locator_release(&d->task.locator);
	tracefmt_free(d->formats);
	arena_release(&d->scratch);
	free(d->event);
	free(d->sample);
}
