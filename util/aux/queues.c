/* Queues: see queues.h. */
#include "queues.h"

#include <stdlib.h>

#define PIECE_SIZE (64u << 10)

/* the bytes of a CPU or thread up to here were there at this time */
struct aux_mark {
	u32 cpu;
	s32 tid;
	u64 off, time;
};

struct aux_queues {
	struct { VEC(struct aux_part); } part;
	struct { VEC(struct aux_mark); } mark;
	struct strbuf buf;	/* for cutting */
	u32 next;		/* the next piece begins here */
	u64 at;
	u64 nr;			/* of records in the pieces before it */
};

struct aux_queues *aux_queues_new(void)
{
	return xcalloc(1, sizeof(struct aux_queues));
}

void aux_queues_free(struct aux_queues *q)
{
	if (!q)
		return;
	vec_release(&q->part);
	vec_release(&q->mark);
	strbuf_release(&q->buf);
	free(q);
}

void aux_queues_add(struct aux_queues *q, const struct data *d, const struct rec *rec,
		    const struct rec_auxtrace_view *v)
{
	struct aux_part p = {
		.idx = v->idx, .order = q->part.nr, .cpu = v->cpu, .tid = v->tid, .off = v->offset,
		.p = rec->p + rec->size, .len = data_payload_size(d, rec),
	};

	if (p.len)
		vec_push(&q->part, p);
}

void aux_queues_add_time(struct aux_queues *q, const struct rec_aux_view *v, const struct sample *id)
{
	vec_push(&q->mark, (struct aux_mark){ id->cpu, id->tid, v->offset, id->time });
}

static int cmp_parts(const void *pa, const void *pb)
{
	const struct aux_part *a = pa, *b = pb;

	if (a->idx != b->idx)
		return a->idx < b->idx ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static int cmp_marks(const void *pa, const void *pb)
{
	const struct aux_mark *a = pa, *b = pb;

	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	if (a->off != b->off)
		return a->off < b->off ? -1 : 1;
	return a->time < b->time ? -1 : a->time > b->time;
}

/*
 * A recorder pads payloads to 8 bytes, and snapshots may have the end of the one before: what the next part
 * has, too, is cut off.
 */
void aux_queues_sort(struct aux_queues *q)
{
	if (q->mark.nr)
		qsort(q->mark.v, q->mark.nr, sizeof(*q->mark.v), cmp_marks);
	if (q->part.nr)
		qsort(q->part.v, q->part.nr, sizeof(*q->part.v), cmp_parts);
	for (size_t i = 1; i < q->part.nr; i++) {
		struct aux_part *a = &q->part.v[i - 1], *b = &q->part.v[i];
		u64 len = b->off - a->off;

		b->follows = a->idx == b->idx && b->off > a->off && len <= a->len;
		if (b->follows)
			a->len = len;
	}
}

bool aux_queues_of_cpus(const struct aux_queues *q)
{
	vec_foreach(&q->part, p)
		if ((s32)p->cpu >= 0)
			return true;
	return false;
}

/* len bytes from there on: in place, or put together in buf. Fewer where the parts end */
static struct aux_bytes bytes_at(const struct aux_queues *q, u32 part, u64 at, u64 len, struct strbuf *buf)
{
	const struct aux_part *p = &q->part.v[part];
	u64 off = p->off + at, left = p->len - at;

	if (left >= len || part + 1 == q->part.nr || !p[1].follows)
		return (struct aux_bytes){ p->p + at, MIN(left, len), off };
	strbuf_reset(buf);
	strbuf_add(buf, p->p + at, left);
	while (buf->len < len && ++part < q->part.nr && q->part.v[part].follows)
		strbuf_add(buf, q->part.v[part].p, MIN(q->part.v[part].len, len - buf->len));
	return (struct aux_bytes){ (const u8 *)buf->buf, buf->len, off };
}

/* the next piece: as long as no place to begin is found, with twice as many bytes */
static u64 piece_size(struct aux_queues *q, const struct aux_kind *kind)
{
	for (u64 room = 2 * PIECE_SIZE;; room *= 2) {
		struct aux_bytes b = bytes_at(q, q->next, q->at, room, &q->buf);
		u64 nr = 0;
		size_t len = kind->cut(&b, MIN((size_t)PIECE_SIZE, b.len), &nr);

		if (len == b.len && b.len == room)
			continue;
		q->nr += nr;
		return len;
	}
}

static void skip(struct aux_queues *q, u64 len)
{
	q->at += len;
	while (q->next < q->part.nr && q->at >= q->part.v[q->next].len)
		q->at -= q->part.v[q->next++].len;
}

size_t aux_queues_cut(struct aux_queues *q, const struct aux_kind *kind, struct aux_cut *ret, size_t max)
{
	size_t nr = 0;

	for (; nr < max && q->next < q->part.nr; nr++) {
		ret[nr] = (struct aux_cut){ q->next, q->at, 0, q->nr };
		ret[nr].starts = !q->at && !q->part.v[q->next].follows;
		ret[nr].len = piece_size(q, kind);
		skip(q, ret[nr].len);
	}
	return nr;
}

/* of the last AUX record of the CPU that begins at or before off */
static u64 time_of(const struct aux_queues *q, u32 cpu, u64 off)
{
	const struct aux_mark key = { .cpu = cpu, .off = off, .time = UINT64_MAX };
	size_t lo = 0, hi = q->mark.nr;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (cmp_marks(&q->mark.v[mid], &key) <= 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && q->mark.v[lo - 1].cpu == cpu ? q->mark.v[lo - 1].time : 0;
}

void aux_queues_piece(const struct aux_queues *q, const struct aux_cut *cut, size_t ahead, struct strbuf *buf,
		      struct aux_piece *ret)
{
	const struct aux_part *p = &q->part.v[cut->part];

	*ret = (struct aux_piece){ .b = bytes_at(q, cut->part, cut->at, cut->len + ahead, buf), .cpu = p->cpu,
				   .tid = p->tid, .time = time_of(q, p->cpu, p->off + cut->at),
				   .first = cut->first, .starts = cut->starts };
	ret->ahead = ret->b.len > cut->len ? ret->b.len - cut->len : 0;
	ret->b.len -= ret->ahead;
}
