/* Dispatch: see dispatch.h. */
#include "dispatch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
		 * the format would tell its true name; without it only the name in the file says
		 * whether it is needed
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
	return tracing_bind(&b->binding, te, b->row->field, err);
}

static int say_no_events(const struct tracing_dispatch *d, struct err *err)
{
	struct strbuf names = STRBUF_INIT;

	for (u32 i = 0; i < d->o->nr_rows; i++)
		strbuf_addf(&names, "%s%s", i ? ", " : "", d->o->row[i].event);
	err_set(err, -ENOENT, "%s has none of the events %s", d->s->data->path, strbuf_str(&names));
	err_hint(err, "record them with %s", d->o->record);
	strbuf_release(&names);
	return -ENOENT;
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
	return ret || any || d->o->other ? ret : say_no_events(d, err);
}

static bool is_wanted(const struct tracing_dispatch *d, const struct sample *sample,
		      const struct sample_ctx *ctx)
{
	const struct resolved_sample rs = {
		.session = d->s, .sample = sample, .ctx = *ctx,
		.comm = d->o->filter.comms.active ?
			machine_comm_id(d->s->machine, ctx->thread, ctx->when) : ID_NONE,
	};

	return sample_filter_keep(&d->o->filter, &rs) == FILTER_KEEP;
}

void tracing_dispatch_sample(struct tracing_dispatch *d, const struct rec *rec)
{
	struct tracing_sample ts = { .session = d->s, .formats = d->formats,
				     .generation = d->generation };
	const struct bound_event *b;
	struct tracing_values values;
	struct sample sample;

	arena_reset(&d->scratch);
	/* damaged samples and those of unknown events were counted when the file was scanned */
	if (sample_decode(d->s->data->plan, rec, &sample, &d->scratch) || !sample.event)
		return;
	b = &d->event[sample.event->idx];
	if (!b->row && !d->o->other)
		return;
	ts.sample = &sample;
	ts.ctx = locator_sample_ctx(&d->locator, d->s, &sample, rec);
	if (d->filters && !is_wanted(d, &sample, &ts.ctx))
		return;
	if (!b->row) {
		d->o->other(d->o->ctx, &ts);
		return;
	}
	if (!tracing_read(&b->binding, d->formats, sample.raw, sample.raw_size, &values)) {
		diag_count(&d->s->diag, DIAG_BAD_TRACEPOINT, rec->off);
		return;
	}
	ts.row = b->row;
	ts.value = values.number;
	ts.bytes = values.bytes;
	ts.present = values.present;
	b->row->handle(d->o->ctx, &ts);
}

static bool has_filters(const struct sample_filter *f)
{
	return f->comm_list || f->pid_list || f->tid_list || f->cpu_list || f->time_spec ||
	       f->parallelism_list || f->switching.on || f->switching.off;
}

int tracing_dispatch_init(struct tracing_dispatch *d, struct session *s, struct tracing_opts *o,
			  struct err *err)
{
	int ret;

	*d = (struct tracing_dispatch){ .s = s, .o = o, .filters = has_filters(&o->filter),
					.event = xcalloc(s->data->evset->ev.nr + 1, sizeof(*d->event)) };
	locator_init(&d->locator, s->machine);
	ret = bind_events(d, err);
	return ret ? ret : sample_filter_parse(&o->filter, s, err);
}

void tracing_dispatch_release(struct tracing_dispatch *d)
{
	locator_release(&d->locator);
	tracefmt_free(d->formats);
	arena_release(&d->scratch);
	free(d->event);
}
