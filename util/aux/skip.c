/* Skip: see skip.h. */
#include "skip.h"
#include "../event/record-type.h"

#include <byteswap.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#define RUN_MAX 65528u		/* the largest size of a record */
#define ID_AT 8u
#define TIME_AT 32u

/* samples of a CPU or thread; skipped ones become a few records that nobody reads */
struct region {
	u64 at, end;		/* the next sample, or the end */
	u64 time;		/* of that sample */
	u64 run;		/* the last of these records, which ends at at; its size, 0: there is none */
	u32 run_size;
};

struct skipper {
	struct aux *a;
	u8 *base;
	struct { VEC(struct region); } of;
};

static struct rec_header header_at(const struct skipper *s, u64 at)
{
	struct rec_header h;

	memcpy(&h, s->base + at, sizeof(h));
	if (s->a->data->swap)
		h = (struct rec_header){ bswap_32(h.type), bswap_16(h.misc), bswap_16(h.size) };
	return h;
}

static u64 word_at(const struct skipper *s, u64 at)
{
	u64 v;

	memcpy(&v, s->base + at, sizeof(v));
	return s->a->data->swap ? bswap_64(v) : v;
}

/* errors stay */
static void to_sample(const struct skipper *s, struct region *r)
{
	while (r->at < r->end) {
		struct rec_header h = header_at(s, r->at);

		if (h.type == REC_SAMPLE)
			break;
		r->at += h.size;
		r->run_size = 0;
	}
	r->time = r->at < r->end && s->a->sample_type & ABI_SAMPLE_TIME ? word_at(s, r->at + TIME_AT) : 0;
}

static void uncount(struct aux *a, u64 id)
{
	for (u32 i = 0; i < AUX_EVENTS_MAX; i++)
		if (a->event[i].on && a->event[i].id == id)
			a->event[i].nr--;
}

static void skip_sample(struct skipper *s, struct region *r)
{
	u32 size = header_at(s, r->at).size, type = REC_FINISHED_INIT;
	u16 all;

	uncount(s->a, word_at(s, r->at + ID_AT));
	if (!r->run_size || r->run_size + size > RUN_MAX) {
		r->run = r->at;
		r->run_size = 0;
	}
	r->run_size += size;
	r->at += size;
	all = s->a->data->swap ? bswap_16(r->run_size) : r->run_size;
	type = s->a->data->swap ? bswap_32(type) : type;
	memcpy(s->base + r->run, &type, sizeof(type));
	memcpy(s->base + r->run + 6, &all, sizeof(all));
	to_sample(s, r);
}

static struct region *oldest(struct skipper *s)
{
	struct region *ret = NULL;

	vec_foreach(&s->of, r)
		if (r->at < r->end && (!ret || r->time < ret->time))
			ret = r;
	return ret;
}

int aux_skip(struct aux *a, struct spool *spool, struct err *err)
{
	struct skipper s = { .a = a };
	struct region *r;

	if (!spool->size || !a->start.nr || spool_sync(spool))
		return 0;	/* spool_finish() tells the error */
	s.base = mmap(NULL, spool->size, PROT_READ | PROT_WRITE, MAP_SHARED, spool->fd, 0);
	if (s.base == MAP_FAILED)
		return err_sys(err, errno, "cannot map the samples of the trace");
	for (size_t i = 0; i < a->start.nr; i++) {
		struct region region = { .at = a->start.v[i],
					 .end = i + 1 < a->start.nr ? a->start.v[i + 1] : spool->size };

		to_sample(&s, &region);
		vec_push(&s.of, region);
	}
	for (u64 left = a->opts.skip; left && (r = oldest(&s)); left--)
		skip_sample(&s, r);
	vec_release(&s.of);
	munmap(s.base, spool->size);
	return 0;
}
