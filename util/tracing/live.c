/* Live: see live.h. */
#include "live.h"
#include "dispatch.h"
#include "../event/record-type.h"

#include <stdlib.h>
#include "../host/hostinfo.h"
#include "../record/synthesize.h"
#include "../record/tracing-data.h"
#include "../session/feed.h"

/* a sample that waits: where it is in its queue */
struct waiting {
	u64 time;
	u32 off;
};

/* the samples of one ring, in the order of time */
struct queue {
	struct strbuf bytes;
	struct { VEC(struct waiting); } w;
	size_t next;			/* the first that was not handled */
	/* of the last passes: the most bytes and samples, and their number */
	size_t most_bytes, most_samples;
	u32 nr_passes;
};

/* room that this many passes did not need is given back: a burst does not cost memory for ever */
#define PASSES 256u
#define ROOM_KEPT 4u		/* times the most that was needed */

struct tracing_live {
	struct session *s;
	struct tracing_opts *o;
	struct tracing_dispatch dispatch;
	struct features feat;
	struct ring_counts counts;
	struct { VEC(struct queue); } q;	/* by source, then by ring */
	u32 nr_sources;
	const struct event *source_event;
	const struct ring *ring;		/* the first one */
	u64 newest, limit;	/* time of the newest record; of the newest one of the pass before */
	u64 off;		/* orders records of equal times, as a file offset would */
	bool sideband;		/* some came since it was last applied */
};

/* ---- records ---- */

static void add_waiting(struct queue *q, u64 time, u32 off)
{
	size_t at = q->w.nr;

	vec_push(&q->w, (struct waiting){ time, off });
	/* an interrupt writes into the record that it interrupts: a few are in the wrong order */
	for (; at > q->next && q->w.v[at - 1].time > time; at--)
		q->w.v[at] = q->w.v[at - 1];
	q->w.v[at] = (struct waiting){ time, off };
}

static int on_record(void *ctx, const struct ring *ring, const struct rec_header *h)
{
	struct tracing_live *l = ctx;
	struct rec r = { .p = (const u8 *)h, .size = h->size, .type = h->type, .misc = h->misc };
	struct queue *q = &l->q.v[l->nr_sources + (ring - l->ring)];
	u64 time;

	if (sample_time(l->s->data->plan, &r, &time) && time != UINT64_MAX)
		l->newest = MAX(l->newest, time);
	else
		time = 0;
	if (h->type != REC_SAMPLE) {
		l->sideband = true;
		session_feed(l->s, h);
		return 0;
	}
	add_waiting(q, time, q->bytes.len);
	strbuf_add(&q->bytes, h, h->size);
	return 0;
}

struct tracing_given *tracing_live_room(struct tracing_live *l, u32 source, u64 time, u32 size)
{
	struct queue *q = &l->q.v[source];
	u32 bytes = (sizeof(struct tracing_given) + size + 7) & ~7u;
	struct tracing_given *g = (void *)strbuf_room(&q->bytes, bytes);

	l->newest = MAX(l->newest, time);
	l->counts.samples++;
	add_waiting(q, time, q->bytes.len);
	q->bytes.len += bytes;
	g->size = size;
	return g;
}

size_t tracing_live_memory(const struct tracing_live *l)
{
	size_t sum = 0;

	vec_foreach(&l->q, q)
		sum += q->bytes.alloc + q->w.alloc * sizeof(*q->w.v);
	return sum;
}

void tracing_live_lost(struct tracing_live *l, u64 nr)
{
	/* whichever of both tells more is shown */
	l->s->nr_lost += nr;
	l->s->nr_lost_samples += nr;
}

/* before the queue gets shorter */
static void measure(struct queue *q)
{
	q->most_bytes = MAX(q->most_bytes, q->bytes.len);
	q->most_samples = MAX(q->most_samples, q->w.nr);
	q->nr_passes++;
}

static void give_back(struct queue *q)
{
	size_t bytes = ROOM_KEPT * MAX(q->most_bytes, 4096), samples = ROOM_KEPT * MAX(q->most_samples, 64);

	if (q->nr_passes < PASSES)
		return;
	if (q->bytes.alloc > 2 * bytes)
		strbuf_shrink(&q->bytes, bytes);
	if (q->w.alloc > 2 * samples)
		vec_shrink(&q->w, samples);
	q->most_bytes = q->most_samples = q->nr_passes = 0;
}

/* the rest of a queue moves to its beginning */
static void forget_handled(struct queue *q)
{
	size_t nr = q->w.nr - q->next;
	u32 from = UINT32_MAX;

	measure(q);
	for (size_t i = 0; i < nr; i++)
		from = MIN(from, q->w.v[q->next + i].off);
	if (!nr)
		from = q->bytes.len;
	for (size_t i = 0; i < nr; i++) {
		q->w.v[i] = q->w.v[q->next + i];
		q->w.v[i].off -= from;
	}
	q->w.nr = nr;
	q->next = 0;
	if (q->bytes.len != from)
		memmove(q->bytes.buf, q->bytes.buf + from, q->bytes.len - from);
	strbuf_setlen(&q->bytes, q->bytes.len - from);
	give_back(q);
}

/* ---- in the order of time ---- */

static void handle_record(struct tracing_live *l, const struct rec_header *h)
{
	struct rec r = { .p = (const u8 *)h, .size = h->size, .type = h->type, .misc = h->misc,
			 .off = l->off };

	tracing_dispatch_sample(&l->dispatch, &r, sample_event(l->s->data->plan, &r));
}

static void handle(struct tracing_live *l, struct queue *q)
{
	const struct waiting *w = &q->w.v[q->next++];
	const void *p = q->bytes.buf + w->off;

	l->off++;
	l->s->nr_samples++;
	l->s->first_time = MIN(l->s->first_time, w->time);
	l->s->last_time = MAX(l->s->last_time, w->time);
	if (q < l->q.v + l->nr_sources)
		tracing_dispatch_given(&l->dispatch, l->source_event, w->time, p, l->off);
	else
		handle_record(l, p);
}

/* the queue whose next sample is the oldest; *ret_until: the time of the oldest one of the others */
static struct queue *oldest(struct tracing_live *l, u64 *ret_until)
{
	u64 first = UINT64_MAX;
	struct queue *best = NULL;

	*ret_until = UINT64_MAX;
	vec_foreach(&l->q, q) {
		u64 time;

		if (q->next == q->w.nr)
			continue;
		time = q->w.v[q->next].time;
		if (!best || time < first) {
			*ret_until = best ? first : UINT64_MAX;
			first = time;
			best = q;
		} else {
			*ret_until = MIN(*ret_until, time);
		}
	}
	return best;
}

/* side-band first: the names and maps of samples depend on all that is not newer */
static void handle_until(struct tracing_live *l, u64 limit)
{
	struct queue *q;
	u64 until;

	if (l->sideband) {
		session_feed_apply(l->s, limit);
		locator_reset(&l->dispatch.task.locator);
		l->dispatch.generation++;
		l->sideband = session_feed_waits(l->s);
	}
	while (!tracing_stopped(l->o) && (q = oldest(l, &until)) && q->w.v[q->next].time <= limit) {
		until = MIN(until, limit);
		do
			handle(l, q);
		while (q->next < q->w.nr && q->w.v[q->next].time <= until && !tracing_stopped(l->o));
	}
	vec_foreach(&l->q, done)
		forget_handled(done);
}

static void pass(struct tracing_live *l, struct rings *rings)
{
	while (l->q.nr < l->nr_sources + rings->r.nr)
		vec_add(&l->q);
	l->ring = rings->r.v;
	rings_read(rings, &l->counts, on_record, l);
}

void tracing_live_read(struct tracing_live *l, struct rings *rings)
{
	pass(l, rings);
	handle_until(l, l->limit);
	l->limit = l->newest;
}

void tracing_live_end(struct tracing_live *l, struct rings *rings)
{
	if (rings)
		pass(l, rings);
	handle_until(l, UINT64_MAX);
}

/* ---- begin and end ---- */

/* what runs already */
static void feed_state(struct tracing_live *l, const struct tracing_live_opts *lo)
{
	const struct synth_opts o = { .trailer = synth_trailer_size(&evset_at(lo->set, 0)->attr),
		.jobs = 1, .no_maps = !lo->maps, .timeout_ns = lo->map_timeout_ns };
	struct synth_notes notes = { 0 };
	struct strbuf sb = STRBUF_INIT;

	if (lo->maps || lo->kernel) {
		synth_kernel(&sb, &o, &notes);
		synth_bpf_programs(&sb, &o);
	}
	if (lo->cgroups)
		synth_cgroups(&sb, &o);
	synth_target(&sb, lo->target, &o, &notes);
	synth_notes_log(&notes);
	session_feed_all(l->s, &sb);
	/* handlers can ask for names before the first event */
	session_feed_apply(l->s, 0);
	strbuf_release(&sb);
}

int tracing_live_open(struct tracing_live **ret, const struct tracing_live_opts *lo, struct tracing_opts *o,
		      struct err *err)
{
	struct tracing_live *l = *ret = xcalloc(1, sizeof(*l));
	int r;

	l->o = o;
	l->counts.first_time = UINT64_MAX;
	l->nr_sources = lo->nr_sources;
	l->source_event = lo->source_event;
	while (l->q.nr < l->nr_sources)
		vec_add(&l->q);
	hostinfo_gather(&l->feat, "");
	r = tracing_data_gather(&l->feat, lo->set, err);
	session_open_fed(&l->s, &(struct session_fed_opts){ .set = lo->set, .feat = &l->feat, .sym = lo->sym,
							    .jobs = 1 });
	feed_state(l, lo);
	if (!r)
		r = tracing_dispatch_init(&l->dispatch, l->s, o, err);
	return r;
}

struct session *tracing_live_session(struct tracing_live *l)
{
	return l->s;
}

const struct ring_counts *tracing_live_counts(const struct tracing_live *l)
{
	return &l->counts;
}

void tracing_live_close(struct tracing_live *l)
{
	if (!l)
		return;
	vec_foreach(&l->q, q) {
		strbuf_release(&q->bytes);
		vec_release(&q->w);
	}
	vec_release(&l->q);
	sample_filter_release(&l->o->filter);
	tracing_dispatch_release(&l->dispatch);
	session_close(l->s);
	features_release(&l->feat);
	free(l);
}
