/* Feeds: see feed.h. */
#include "feed.h"
#include "aux-private.h"
#include "log.h"
#include "queues.h"

#include <stdlib.h>

/* a piece is decoded, too, if the one after it is wanted: its last periods go on there */
#define PIECES_BEFORE 1
#define PART_MAX (256u << 10)	/* bytes of records that a feed decodes at once */
#define PART_MIN (64u << 10)
#define PARTS_SIZE (16u << 20)	/* of all feeds together, if there are many */

struct feed {
	size_t next, end;	/* pieces in aux_feeds.cut */
	bool active;		/* the walk is inside a piece */
	bool lost;		/* instead of pieces: errors that AUX records told of */
	struct aux_piece piece;
	struct strbuf buf;	/* the bytes of a piece that lies in several records */
	struct aux_out out;
	void *walk;		/* of kinds that decode a piece in parts */
	void *before;		/* if the kind measures: what it says of all pieces so far */
	u64 rest[AUX_CARRIED];	/* counted after the last samples */
};

struct aux_feeds {
	const struct aux *a;
	void *worker;
	void *summary;
	size_t part;
	struct { VEC(struct aux_cut); } cut;
	u64 left_out;		/* number of pieces that nobody wants */
	struct { VEC(struct feed); } of;
};

static void add_feed(struct aux_feeds *f, size_t first)
{
	struct feed feed = { .next = first, .end = first, .out = { .a = f->a, .worker = f->worker } };

	vec_push(&f->of, feed);
}

static void cut_all(struct aux_feeds *f)
{
	enum { MAX = 256 };
	struct aux_cut cut[MAX];
	size_t nr, parts;
	const struct aux_part *part = aux_queues_parts(f->a->queues, &parts);
	u32 idx = 0;

	while ((nr = aux_queues_cut(f->a->queues, f->a->kind, cut, MAX))) {
		for (size_t i = 0; i < nr; i++) {
			if (!f->cut.nr || part[cut[i].part].idx != idx)
				add_feed(f, f->cut.nr);
			idx = part[cut[i].part].idx;
			vec_push(&f->cut, cut[i]);
			f->of.v[f->of.nr - 1].end = f->cut.nr;
		}
	}
}

struct aux_feeds *aux_feeds_new(const struct aux *a)
{
	struct aux_feeds *f = xcalloc(1, sizeof(*f));
	const struct aux_kind *kind = a->kind;

	f->a = a;
	f->worker = kind->worker_new ? kind->worker_new(a) : NULL;
	f->summary = xcalloc(1, kind->measure_size + 1);
	if (a->lost.nr) {
		add_feed(f, 0);
		f->of.v[0].lost = true;
	}
	cut_all(f);
	vec_foreach(&f->of, feed) {
		feed->walk = kind->walk_size ? xcalloc(1, kind->walk_size) : NULL;
		feed->before = a->measures ? xcalloc(1, kind->measure_size) : NULL;
	}
	f->part = MIN(MAX(PARTS_SIZE / MAX(f->of.nr, (size_t)1), (size_t)PART_MIN), (size_t)PART_MAX);
	return f;
}

u32 aux_feeds_nr(const struct aux_feeds *f)
{
	return f->of.nr;
}

size_t aux_feeds_part(const struct aux_feeds *f)
{
	return f->part;
}

/* the time at the beginning of a piece; 0: not known */
static u64 time_of(struct aux_feeds *f, size_t cut)
{
	struct strbuf buf = STRBUF_INIT;
	struct aux_piece piece;
	u64 ret;

	aux_queues_piece(f->a->queues, &f->cut.v[cut], 0, &buf, &piece);
	ret = f->a->kind->time(f->a, &piece.b);
	strbuf_release(&buf);
	return ret;
}

static bool is_wanted(struct aux_feeds *f, const struct feed *feed, size_t cut)
{
	const struct aux_want *want = &f->a->want;
	size_t end = cut + 1 + PIECES_BEFORE;
	u64 from = 0, to = 0;

	if (!want->fn)
		return true;
	if (f->a->kind->time && !f->a->timeless) {
		from = time_of(f, cut);
		for (size_t i = cut + 1; i <= end && i < feed->end && !f->cut.v[i].starts; i++)
			to = i == end ? time_of(f, i) : 0;
	}
	return want->fn(want->ctx, from, to ? to : UINT64_MAX, feed->piece.cpu, feed->piece.tid);
}

/* what decoders of the pieces after it must know of one that is not decoded */
static void measure_piece(struct aux_feeds *f, struct feed *feed)
{
	const struct aux_kind *kind = f->a->kind;

	if (!feed->before)
		return;
	memset(f->summary, 0, kind->measure_size);
	kind->measure(f->a, &feed->piece, f->worker, f->summary);
	kind->add(feed->before, f->summary);
}

static void begin_piece(struct aux_feeds *f, struct feed *feed)
{
	const struct aux_kind *kind = f->a->kind;
	size_t nr = feed->next++;
	const struct aux_cut *cut = &f->cut.v[nr];

	aux_queues_piece(f->a->queues, cut, kind->ahead, &feed->buf, &feed->piece);
	if (cut->starts)
		memset(feed->rest, 0, sizeof(feed->rest));
	if (cut->starts && feed->before)
		memset(feed->before, 0, kind->measure_size);
	feed->piece.before = feed->before;
	if (!is_wanted(f, feed, nr)) {
		f->left_out++;
		return measure_piece(f, feed);
	}
	if (kind->begin)
		kind->begin(f->a, &feed->piece, &feed->out, feed->walk);
	feed->active = true;
}

/* a kind that decodes whole pieces */
static void whole_piece(struct aux_feeds *f, struct feed *feed)
{
	const struct aux_kind *kind = f->a->kind;

	kind->decode(f->a, &feed->piece, &feed->out);
	measure_piece(f, feed);
}

/* the piece until enough bytes of records are there, or to its end */
static void decode_part(struct aux_feeds *f, struct feed *feed, size_t enough)
{
	const struct aux_kind *kind = f->a->kind;

	if (kind->begin) {
		feed->active = kind->go_on(feed->walk, enough);
	} else {
		whole_piece(f, feed);
		feed->active = false;
	}
	aux_carry_rest(f->a, feed->rest, &feed->out);
	if (feed->active)
		return;
	aux_take_rest(&feed->out, feed->rest);
	if (kind->begin && feed->before)
		kind->carry(feed->walk, feed->before);
}

static void put_lost(const struct aux *a, struct feed *feed)
{
	vec_foreach(&a->lost, e)
		aux_out_error(&feed->out, e);
	feed->lost = false;
}

bool aux_feeds_fill(struct aux_feeds *f, u32 i, struct strbuf *rec)
{
	struct feed *feed = &f->of.v[i];

	feed->out.rec = *rec;
	if (feed->lost)
		put_lost(f->a, feed);
	while (feed->out.rec.len < f->part && (feed->active || feed->next < feed->end)) {
		if (!feed->active)
			begin_piece(f, feed);
		if (feed->active)
			decode_part(f, feed, f->part);
		aux_log_write(f->a->log, &feed->out);
	}
	*rec = feed->out.rec;
	feed->out.rec = (struct strbuf)STRBUF_INIT;
	return rec->len;
}

void aux_feeds_free(struct aux_feeds *f, struct aux *a)
{
	if (!f)
		return;
	vec_foreach(&f->of, feed) {
		for (u32 k = 0; k < AUX_EVENTS_MAX; k++)
			a->event[k].nr += feed->out.nr[k];
		diag_merge(&a->diag, &feed->out.diag);
		vec_foreach(&feed->out.missing, m)
			aux_add_missing(&a->missing, m->dso, m->nr);
		vec_release(&feed->out.missing);
		strbuf_release(&feed->buf);
		strbuf_release(&feed->out.log);
		strbuf_release(&feed->out.recent);
		free(feed->walk);
		free(feed->before);
	}
	a->left_out += f->left_out;
	if (f->worker)
		a->kind->worker_free(f->worker);
	vec_release(&f->of);
	vec_release(&f->cut);
	free(f->summary);
	free(f);
}
