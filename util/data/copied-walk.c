/* Copied walk: see copied-walk.h. */
#include "copied-walk.h"
#include "streams.h"
#include "../event/record.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define RECORD_MAX ((u64)UINT16_MAX)

struct copied_walk copied_walk_of(struct rec_walk walk, u8 *buf)
{
	return (struct copied_walk){ .walk = walk, .safe = walk.off, .start = walk.off, .end = walk.off,
				     .buf = buf };
}

bool copied_walk_lacks(const struct copied_walk *c)
{
	u64 off = c->walk.off, left = c->end > off ? c->end - off : 0;
	struct rec_header h;

	if (off == c->walk.end || c->end == c->walk.end)
		return false;
	if (left < sizeof(h))
		return true;
	memcpy(&h, c->walk.base + off, sizeof(h));
	return (c->walk.swap ? bswap_16(h.size) : h.size) > left;
}

/* false: the bytes are not those of a file, or not all of them can be read */
static bool copy_piece(struct copied_walk *c)
{
	const struct data_stream *st = c->walk.stream;
	u64 len = c->end - c->start;
	ssize_t n;

	if (!c->buf || st->fd < 0 || c->walk.data->priv->live)
		return false;
	do
		n = pread(st->fd, c->buf, len, c->start - st->fd_start);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)len;
}

static void release_mapped(const struct copied_walk *c)
{
	if (c->mapped)
		data_dont_need(c->walk.stream, c->start, c->end);
}

void copied_walk_next(struct copied_walk *c)
{
	release_mapped(c);
	c->start = c->walk.off;
	c->end = MIN(c->start + COPIED_WALK_SIZE, c->walk.end);
	c->safe = c->end > RECORD_MAX ? c->end - RECORD_MAX : 0;
	c->mapped = !copy_piece(c);
	c->walk.base = c->mapped ? c->walk.stream->base : c->buf - c->start;
	if (c->mapped)
		data_will_need(c->walk.stream, c->start, c->end);
}

void copied_walk_end(struct copied_walk *c)
{
	release_mapped(c);
}
