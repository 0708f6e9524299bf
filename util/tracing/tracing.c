/* Tracing: binds rows to the events of a file and runs their handlers. */
#include "tracing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../base/progress.h"
#include "../kernel/tracefs.h"

#define TRACING_BATCH 256u

struct bound_event {
	const struct tracing_row *row;	/* NULL: nothing reads this event */
	struct tracing_binding binding;
};

struct tracing_run {
	struct session *s;
	const struct tracing_opts *o;
	struct tracefmt *formats;
	struct bound_event *event;	/* by event idx */
	struct locator locator;
	struct arena scratch;
};

static const struct tracing_row *find_row(const struct tracing_opts *o, const char *system, const char *name)
{
	size_t len = strlen(system);

	for (u32 i = 0; i < o->nr_rows; i++)
		if (!strncmp(o->row[i].event, system, len) && o->row[i].event[len] == ':' &&
		    !strcmp(o->row[i].event + len + 1, name))
			return &o->row[i];
	return NULL;
}

static int bind_event(struct tracing_run *r, const struct event *ev, struct err *err)
{
	const struct tracefmt_event *te = tracefmt_event(r->formats, ev->attr.config);
	struct bound_event *b = &r->event[ev->idx];

	if (!te) {
		/*
		 * the format would tell its true name; without it only the name in the file says
		 * whether it is needed
		 */
		for (u32 i = 0; i < r->o->nr_rows; i++)
			if (!strcmp(r->o->row[i].event, ev->name))
				return err_set(err, -EBADMSG,
					       "%s: the format of event '%s' is missing or damaged",
					       r->s->data->path, ev->name);
		return 0;
	}
	b->row = find_row(r->o, tracefmt_event_system(te), tracefmt_event_name(te));
	if (!b->row)
		return 0;
	if (!(ev->attr.sample_type & PERF_SAMPLE_RAW)) {
		err_set(err, -EINVAL, "event '%s' was recorded without its fields", ev->name);
		err_hint(err, "record with %s, or with perf record -R", r->o->record);
		return -EINVAL;
	}
	return tracing_bind(&b->binding, te, b->row->field, err);
}

static int say_no_events(const struct tracing_run *r, struct err *err)
{
	struct strbuf names = STRBUF_INIT;

	for (u32 i = 0; i < r->o->nr_rows; i++)
		strbuf_addf(&names, "%s%s", i ? ", " : "", r->o->row[i].event);
	err_set(err, -ENOENT, "%s has none of the events %s", r->s->data->path, strbuf_str(&names));
	err_hint(err, "record them with %s", r->o->record);
	strbuf_release(&names);
	return -ENOENT;
}

static int bind_events(struct tracing_run *r, struct err *err)
{
	const struct feat_blob *blob = &r->s->data->feat.tracing_data;
	const struct evset *set = r->s->data->evset;
	bool any = false;
	int ret = 0;

	for (u32 i = 0; i < set->ev.nr && !ret; i++) {
		if (evset_at(set, i)->attr.type != PERF_TYPE_TRACEPOINT)
			continue;
		if (!blob->data)
			return err_set(err, -ENOENT, "%s has tracepoints, but not their formats",
				       r->s->data->path);
		if (!r->formats)
			r->formats = tracefmt_new(blob->data, blob->size, err);
		if (!r->formats)
			return -EBADMSG;
		ret = bind_event(r, evset_at(set, i), err);
		any |= r->event[i].row != NULL;
	}
	return ret || any ? ret : say_no_events(r, err);
}

static bool is_wanted(const struct tracing_run *r, const struct sample *sample, const struct sample_ctx *ctx)
{
	const struct resolved_sample rs = {
		.session = r->s, .sample = sample, .ctx = *ctx,
		.comm = machine_comm_id(r->s->machine, ctx->thread, ctx->when),
	};

	return sample_filter_keep(&r->o->filter, &rs) == FILTER_KEEP;
}

static void handle_sample(struct tracing_run *r, const struct rec *rec)
{
	struct tracing_sample ts = { .session = r->s };
	const struct bound_event *b;
	struct tracing_values values;
	struct sample sample;

	arena_reset(&r->scratch);
	/* damaged samples and those of unknown events were counted when the file was scanned */
	if (sample_decode(r->s->data->plan, rec, &sample, &r->scratch) || !sample.event)
		return;
	b = &r->event[sample.event->idx];
	if (!b->row)
		return;
	ts.sample = &sample;
	ts.ctx = locator_sample_ctx(&r->locator, r->s, &sample, rec);
	if (!is_wanted(r, &sample, &ts.ctx))
		return;
	if (!tracing_read(&b->binding, r->formats, sample.raw, sample.raw_size, &values)) {
		diag_count(&r->s->diag, DIAG_BAD_TRACEPOINT, rec->off);
		return;
	}
	ts.row = b->row;
	ts.value = values.number;
	ts.bytes = values.bytes;
	ts.present = values.present;
	b->row->handle(r->o->ctx, &ts);
}

static void handle_all(struct tracing_run *r)
{
	struct ordered_reader *reader = ordered_reader_open(r->s);
	struct rec rec[TRACING_BATCH];
	u64 time[TRACING_BATCH], done = 0;
	size_t nr;

	progress_at("reading events");
	while ((nr = ordered_reader_next(reader, rec, time, TRACING_BATCH))) {
		for (size_t i = 0; i < nr; i++)
			if (rec[i].type == REC_SAMPLE)
				handle_sample(r, &rec[i]);
		progress_count(done += nr, r->s->nr_samples);
	}
	diag_merge(&r->s->diag, ordered_reader_diag(reader));
	ordered_reader_close(reader);
}

int tracing_run(struct session *s, struct tracing_opts *o, struct err *err)
{
	struct tracing_run r = { .s = s, .o = o,
				 .event = xcalloc(s->data->evset->ev.nr + 1, sizeof(*r.event)) };
	int ret = bind_events(&r, err);

	if (!ret)
		ret = sample_filter_parse(&o->filter, s, err);
	if (!ret) {
		locator_init(&r.locator, s->machine);
		handle_all(&r);
		locator_release(&r.locator);
	}
	sample_filter_release(&o->filter);
	tracefmt_free(r.formats);
	arena_release(&r.scratch);
	free(r.event);
	return ret;
}

static bool is_there(const char *event)
{
	const char *colon = strchr(event, ':');
	char *system = xstrndup(event, colon - event);
	u64 id;
	bool there = !tracefs_event_id(system, colon + 1, &id, NULL);

	free(system);
	return there;
}

const char **tracing_record_args(const struct tracing_row *row, u32 nr_rows, int argc, const char **argv,
				 int *ret_argc)
{
	static const char *const fixed[] = { "record", "-a", "-R", "-c", "1" };
	const char **args = xcalloc(ARRAY_SIZE(fixed) + 2 * nr_rows + argc + 1, sizeof(*args));
	int nr = ARRAY_SIZE(fixed);

	memcpy(args, fixed, sizeof(fixed));
	for (u32 i = 0; i < nr_rows; i++) {
		if (row[i].maybe && !is_there(row[i].event))
			continue;
		args[nr++] = "-e";
		args[nr++] = row[i].event;
	}
	memcpy(args + nr, argv + 1, (argc - 1) * sizeof(*args));
	*ret_argc = nr + argc - 1;
	return args;
}

/* the same loss may stand in records of both types, so they are not added up */
u64 tracing_nr_lost(const struct session *s)
{
	return MAX(s->nr_lost, s->nr_lost_samples);
}

void tracing_add_kernel_name(struct resolver *r, u64 addr, bool raw, struct arena *scratch,
			     struct strbuf *out)
{
	/* the kernel's own maps, as they are at the end of the recording */
	const struct sample_ctx at_end = { .when = WHEN_END };
	struct kernel_name found;

	if (raw || !kernel_name_find(r, &at_end, addr, scratch, &found)) {
		strbuf_addf(out, "%#lx", addr);
		return;
	}
	strbuf_add_safe(out, found.name);
	strbuf_addf(out, "+%lx", addr - found.start);
}
