/*
 * Streams of CoreSight buffers become streams of their trace sources: frames are taken apart, and the bytes
 * of each trace ID put into a temporary file. Buffers without frames stay where they are.
 */
#include "etm-walk.h"
#include "etm-frames.h"
#include "queues.h"
#include "../data/spool.h"
#include "../event/abi.h"

#include <stdlib.h>
#include <unistd.h>

#define SLICE (64u << 10)	/* bytes of a buffer that are taken apart at once */

struct splitter {
	struct aux *a;
	struct spool spool;
	struct etm_frames frames;
	u64 off[ETM_IDS];	/* in the stream of the source */
	u32 queue;		/* number of the stream that is taken apart */
	struct { VEC(struct aux_part); } part;
};

#define SINK(id) ((u32)((id) >> 8))
#define HAS_SINK(id) ((id) >> 56 & 15)		/* since minor version 1 */

/* IDs are given for a sink: the one of this buffer's CPU, if it is known */
static u32 cpu_of(const struct aux *a, u32 cpu, u32 id)
{
	const struct etm_setup *s = a->setup;
	u64 of_buffer = 0;
	u32 ret = -1;

	vec_foreach(&a->hw_id, it)
		if (it->cpu == cpu)
			of_buffer = it->id;
	vec_foreach(&a->hw_id, it)
		if ((it->id & 0x7f) == id &&
		    (!HAS_SINK(it->id) || !HAS_SINK(of_buffer) || SINK(it->id) == SINK(of_buffer)))
			ret = it->cpu;
	if (ret != (u32)-1)
		return ret;
	for (u32 i = 0; i < s->nr_units; i++)
		if (s->unit[i].id == id)
			return s->unit[i].cpu;
	return cpu;
}

/* the bytes that were found so far */
static void add_parts(struct splitter *s, const struct aux_part *of, u64 time)
{
	for (u32 id = 1; id < ETM_IDS; id++) {
		struct strbuf *b = &s->frames.of[id];
		struct aux_part p = {
			.idx = s->queue * ETM_IDS + id, .order = s->part.nr, .source = id, .off = s->off[id],
			.cpu = cpu_of(s->a, of->cpu, id), .tid = of->cpu == (u32)-1 ? of->tid : -1,
			.len = b->len, .time = time, .at = s->spool.size,
		};

		if (!b->len)
			continue;
		vec_push(&s->part, p);
		spool_add(&s->spool, b->buf, b->len);
		s->off[id] += b->len;
		strbuf_reset(b);
	}
}

/* bytes are missing: what follows is not the next byte of any source */
static void break_off(struct splitter *s)
{
	s->frames.nr = 0;
	s->frames.id = 0;
	for (u32 i = 0; i < ETM_IDS; i++)
		s->off[i]++;
}

static void split_part(struct splitter *s, const struct aux_part *p)
{
	u64 at = 0, time, flags, end;

	while (at < p->len) {
		u64 len = MIN(p->len - at, (u64)SLICE);

		aux_queues_mark(s->a->queues, p, p->off + at, &time, &flags, &end);
		len = MIN(len, end - p->off - at);
		while (len) {
			size_t used = etm_frames_add(&s->frames, p->p + at, len);

			at += used;
			len -= used;
			add_parts(s, p, time);
			if (s->frames.barrier)
				break_off(s);
		}
	}
}

/* the part's stream is of one source, and stays where it is: only its times are told apart */
static void keep_part(struct splitter *s, const struct aux_part *p)
{
	u64 time, flags, end;

	for (u64 at = 0; at < p->len; at = end - p->off) {
		struct aux_part kept = *p;

		aux_queues_mark(s->a->queues, p, p->off + at, &time, &flags, &end);
		end = MIN(end, p->off + p->len);
		kept.idx = s->queue * ETM_IDS;
		kept.order = s->part.nr;
		kept.tid = p->cpu == (u32)-1 ? p->tid : -1;
		kept.off += at;
		kept.p += at;
		kept.len = end - kept.off;
		kept.time = time;
		vec_push(&s->part, kept);
	}
}

static void split_parts(struct splitter *s)
{
	size_t nr;
	const struct aux_part *p = aux_queues_parts(s->a->queues, &nr);
	u64 time, flags, end;
	bool raw = false;

	for (size_t i = 0; i < nr; i++) {
		if (!i || p[i].idx != p[i - 1].idx)
			s->queue++;
		if (!p[i].follows) {
			break_off(s);
			aux_queues_mark(s->a->queues, &p[i], p[i].off, &time, &flags, &end);
			raw = (flags & ABI_AUX_FORMAT) == ABI_AUX_CORESIGHT_RAW ||
			      etm_has_no_frames(p[i].p, p[i].len);
		}
		if (raw)
			keep_part(s, &p[i]);
		else
			split_part(s, &p[i]);
	}
}

int etm_split(struct aux *a, struct err *err)
{
	struct splitter s = { .a = a };
	int ret = spool_open(&s.spool, err);
	u64 size;

	if (ret)
		return ret;
	split_parts(&s);
	etm_frames_release(&s.frames);
	size = s.spool.size;
	ret = spool_finish(&s.spool, err);
	if (ret >= 0) {
		int fd = ret;

		ret = mapping_open(&a->split, fd, size);
		close(fd);
		if (ret)
			err_sys(err, -ret, "cannot map the temporary file of the trace");
	}
	vec_foreach(&s.part, p)
		if (p->source && !ret)
			p->p = a->split.p + p->at;
	if (ret)
		vec_release(&s.part);
	else
		aux_queues_replace(a->queues, s.part.v, s.part.nr);
	return ret;
}
