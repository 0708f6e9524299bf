/* Tracing: runs the rows' handlers on the samples of a file. */
#include "tracing.h"
#include "dispatch.h"
#include "../event/record.h"

#include <stdlib.h>
#include <string.h>
#include "../base/progress.h"
#include "../kernel/tracefs.h"
#include "../session/read-ahead.h"

struct losses {
	u64 records, samples;		/* as LOST and LOST_SAMPLES tell them */
};

/* a record that tells of a loss at another time than --time asks for */
static void note_loss(const struct tracing_opts *o, const struct rec *r, u64 time, struct losses *outside)
{
	const struct sample_filter *shown = o->shown ? o->shown : &o->filter;
	struct record_view v;

	if ((r->type != REC_LOST && r->type != REC_LOST_SAMPLES) || record_decode(r, &v) < 0 ||
	    time_filter_ok(&shown->times, time))
		return;
	if (r->type == REC_LOST)
		outside->records += v.lost.lost;
	else if (!(v.misc & MISC_LOST_BY_BPF))
		outside->samples += v.lost_samples.lost;
}

#define PREFETCH_RECORDS 8u

static void handle_batch(struct tracing_dispatch *d, const struct read_batch *b, struct losses *outside)
{
	for (size_t i = 0; i < b->nr && !tracing_stopped(d->o); i++) {
		if (likely(i + PREFETCH_RECORDS < b->nr)) {
			__builtin_prefetch(b->rec[i + PREFETCH_RECORDS].p);
			__builtin_prefetch(b->rec[i + PREFETCH_RECORDS].p + 64);
		}
		if (b->rec[i].type == REC_SAMPLE) {
			tracing_dispatch_sample(d, &b->rec[i], b->event[i]);
			continue;
		}
		note_loss(d->o, &b->rec[i], b->time[i], outside);
		if (d->o->side_band)
			d->o->side_band(d->o->ctx, &b->rec[i], b->time[i]);
	}
}

/* a dummy has no samples: because of it alone the event of each need not be looked at */
static bool is_unwanted(const struct tracing_dispatch *d, u32 idx)
{
	return !d->event[idx].row && !evset_at(d->s->data->evset, idx)->dummy;
}

/* the events whose samples nobody wants, by idx; NULL: there are none. The caller frees it */
static bool *unwanted_events(const struct tracing_dispatch *d)
{
	u32 nr = d->s->data->evset->ev.nr, nr_unwanted = 0;
	bool *unwanted;

	for (u32 i = 0; i < nr && !d->o->other; i++)
		nr_unwanted += is_unwanted(d, i);
	if (!nr_unwanted)
		return NULL;
	unwanted = xcalloc(nr, sizeof(*unwanted));
	for (u32 i = 0; i < nr; i++)
		unwanted[i] = is_unwanted(d, i);
	return unwanted;
}

static void handle_all(struct tracing_dispatch *d)
{
	struct losses outside = { 0 };
	bool *unwanted = unwanted_events(d);
	struct read_ahead *ahead = read_ahead_open(d->s, unwanted);
	const struct read_batch *b;
	struct diag diag = { 0 };

	progress_at("reading events");
	d->diag = &diag;		/* that of the session is the reader's */
	while (!tracing_stopped(d->o) && (b = read_ahead_next(ahead)))
		handle_batch(d, b, &outside);
	read_ahead_close(ahead, &diag);
	free(unwanted);
	diag_merge(&d->s->diag, &diag);
	session_complete(d->s);
	d->s->nr_lost -= MIN(outside.records, d->s->nr_lost);
	d->s->nr_lost_samples -= MIN(outside.samples, d->s->nr_lost_samples);
}

int tracing_run(struct session *s, struct tracing_opts *o, struct err *err)
{
	struct tracing_dispatch d;
	int ret = tracing_dispatch_init(&d, s, o, err);

	if (!ret)
		handle_all(&d);
	sample_filter_release(&o->filter);
	tracing_dispatch_release(&d);
	return ret;
}

bool tracing_has_event(const char *event)
{
	const char *colon = strchr(event, ':');
	char *system = xstrndup(event, colon - event);
	u64 id;
	bool there = !tracefs_event_id(system, colon + 1, &id, NULL);

	free(system);
	return there;
}

const char **tracing_record_args_of(const char *const *fixed, const struct tracing_row *row, u32 nr_rows,
				    int argc, const char **argv, int *ret_argc)
{
	const char **args;
	int nr = 0;

	while (fixed[nr])
		nr++;
	args = xcalloc(nr + 2 * nr_rows + argc + 1, sizeof(*args));
	memcpy(args, fixed, nr * sizeof(*args));
	for (u32 i = 0; i < nr_rows; i++) {
		if (row[i].maybe && !tracing_has_event(row[i].event))
			continue;
		args[nr++] = "-e";
		args[nr++] = row[i].event;
	}
	memcpy(args + nr, argv + 1, (argc - 1) * sizeof(*args));
	*ret_argc = nr + argc - 1;
	return args;
}

const char **tracing_record_args(const struct tracing_row *row, u32 nr_rows, int argc, const char **argv,
				 int *ret_argc)
{
	static const char *const fixed[] = { "record", "-a", "-R", "-c", "1", NULL };

	return tracing_record_args_of(fixed, row, nr_rows, argc, argv, ret_argc);
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
