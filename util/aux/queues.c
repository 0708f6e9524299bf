/* Queues: see queues.h. */
#include "queues.h"
#include "../base/search.h"

#include <stdlib.h>
#include <string.h>

#define PIECE_SIZE (64u << 10)
#define MIN_ROOM 4096u	/* bytes in which a place to begin is looked for at first */

/* the bytes of a CPU or thread up to here were there at this time */
struct aux_mark {
	u32 cpu;
	s32 tid;
	u64 off, time, flags;
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

	/* no trace is so long: ends of damaged parts do not wrap */
	p.off = MIN(p.off, UINT64_MAX - 1 - p.len);
	if (p.len)
		vec_push(&q->part, p);
}

#define SAMPLES_IDX (1u << 31)	/* numbers of streams that come from samples */
#define SAME_MIN 64u		/* fewer bytes can be equal by chance */
#define PLACES_MAX 64u		/* bytes that repeat themselves are looked for no further */

/* how many of the first bytes of p the last ones of before are */
static u64 overlap(const struct aux_part *before, const u8 *p, u64 len)
{
	const u8 *at = before->p, *end = before->p + before->len;

	for (u32 i = 0; i < PLACES_MAX && len >= SAME_MIN; i++, at++) {
		at = memmem(at, end - at, p, SAME_MIN);
		if (!at)
			break;
		if ((u64)(end - at) <= len && !memcmp(at, p, end - at))
			return end - at;
	}
	return 0;
}

void aux_queues_add_sample(struct aux_queues *q, s32 cpu, s32 tid, const u8 *p, u64 len)
{
	struct aux_part part = { .idx = SAMPLES_IDX | (cpu < 0 ? tid : cpu), .order = q->part.nr, .cpu = cpu,
				 .tid = cpu < 0 ? tid : -1 };
	size_t i = q->part.nr;
	u64 same = 0;

	while (i && q->part.v[i - 1].idx != part.idx)
		i--;
	if (i) {
		const struct aux_part *before = &q->part.v[i - 1];

		same = overlap(before, p, len);
		part.off = before->off + before->len + !same;
	}
	part.p = p + same;
	part.len = len - same;
	if (part.len)
		vec_push(&q->part, part);
}

void aux_queues_add_time(struct aux_queues *q, const struct rec_aux_view *v, const struct sample *id)
{
	vec_push(&q->mark, (struct aux_mark){ id->cpu, id->tid, v->offset, id->time, v->flags });
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
	/* streams of threads: AUX records name the CPU that the thread ran on */
	for (size_t i = 0; i < q->mark.nr && q->part.nr && q->part.v[0].cpu == (u32)-1; i++)
		q->mark.v[i].cpu = -1;
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

/* bytes of the next piece that parts with the same time have, PIECE_SIZE at most */
static u64 same_time(const struct aux_queues *q)
{
	const struct aux_part *p = &q->part.v[q->next];
	u64 len = p->len - q->at;

	for (u32 i = q->next + 1; i < q->part.nr && len < PIECE_SIZE; i++) {
		if (!q->part.v[i].follows || q->part.v[i].time != p->time)
			break;
		len += q->part.v[i].len;
	}
	return MIN(len, (u64)PIECE_SIZE);
}

/* the next piece: as long as no place to begin is found, with twice as many bytes */
static u64 piece_size(struct aux_queues *q, const struct aux_kind *kind)
{
	u64 want = same_time(q);

	for (u64 room = want + MIN(want + MIN_ROOM, (u64)PIECE_SIZE);; room *= 2) {
		struct aux_bytes b = bytes_at(q, q->next, q->at, room, &q->buf);
		u64 nr = 0;
		size_t len = kind->cut(&b, MIN(want, (u64)b.len), &nr);

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

void aux_queues_rewind(struct aux_queues *q)
{
	q->next = q->at = q->nr = 0;
	skip(q, 0);
}

const struct aux_part *aux_queues_parts(const struct aux_queues *q, size_t *ret_nr)
{
	*ret_nr = q->part.nr;
	return q->part.v;
}

void aux_queues_replace(struct aux_queues *q, struct aux_part *v, size_t nr)
{
	vec_release(&q->part);
	for (size_t i = 0; i < nr; i++)
		vec_push(&q->part, v[i]);
	free(v);
	aux_queues_sort(q);
}

/* number of AUX records whose bytes begin at or before off, and of CPUs before that one */
static size_t marks_to(const struct aux_queues *q, u32 cpu, u64 off)
{
	const struct aux_mark key = { .cpu = cpu, .off = off, .time = UINT64_MAX };
	return LOWER_BOUND(q->mark.nr, i, cmp_marks(&q->mark.v[i], &key) <= 0);
}

void aux_queues_mark(const struct aux_queues *q, const struct aux_part *part, u64 off, u64 *ret_time,
		     u64 *ret_flags, u64 *ret_end)
{
	size_t i = marks_to(q, part->cpu, off);
	bool known = i && q->mark.v[i - 1].cpu == part->cpu;

	*ret_time = known ? q->mark.v[i - 1].time : 0;
	*ret_flags = known ? q->mark.v[i - 1].flags : 0;
	*ret_end = i < q->mark.nr && q->mark.v[i].cpu == part->cpu ? q->mark.v[i].off : UINT64_MAX;
}

/* of the last AUX record of the CPU that begins at or before off */
static u64 time_of(const struct aux_queues *q, const struct aux_part *part, u64 off)
{
	u64 time, flags, end;

	if (part->time)
		return part->time;
	aux_queues_mark(q, part, off, &time, &flags, &end);
	return time;
}

void aux_queues_piece(const struct aux_queues *q, const struct aux_cut *cut, size_t ahead, struct strbuf *buf,
		      struct aux_piece *ret)
{
	const struct aux_part *p = &q->part.v[cut->part];

	*ret = (struct aux_piece){ .b = bytes_at(q, cut->part, cut->at, cut->len + ahead, buf), .cpu = p->cpu,
				   .tid = p->tid, .source = p->source,
				   .time = time_of(q, p, p->off + cut->at),
				   .first = cut->first, .starts = cut->starts };
	ret->ahead = ret->b.len > cut->len ? ret->b.len - cut->len : 0;
	ret->b.len -= ret->ahead;
}
