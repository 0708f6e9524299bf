/* Made records: see made.h. */
#include "made.h"
#include "spool.h"
#include "streams.h"
#include "tracing-formats.h"

/* an offset that no record of the file has: records of equal times are ordered by offset */
static u64 first_offset(const struct data *d)
{
	u64 off = d->file_size;

	vec_foreach(&d->stream, s)
		off = MAX(off, s->end);
	return off;
}

u32 data_made_begin(struct data *d)
{
	u64 start = first_offset(d);

	sample_plan_free(d->plan);
	d->plan = sample_plan_new(d->evset);
	data_find_probes(d);
	data_add_stream(d, "made", -1, NULL, start, start);
	return d->stream.nr - 1;
}

int data_made_end(struct data *d, u32 stream, struct spool *spool, struct err *err)
{
	struct data_stream *s = &d->stream.v[stream];
	u64 size = spool->size, start = s->start;
	int fd = spool_finish(spool, err), ret;
	const u8 *base;

	if (fd < 0)
		return fd;
	vec_push(&d->priv->fd, fd);
	if (!size)
		return 0;
	ret = data_map(d, fd, size, &base, err);
	if (ret < 0)
		return ret;
	s->base = base - start;
	s->end = start + size;
	s->fd = fd;
	s->fd_start = start;
	return 0;
}
