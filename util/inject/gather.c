/* Gather: see gather.h. */
#include "gather.h"
#include "../data/writer.h"

#define COPIED_MAX (256u << 10)
#define SPAN_MIN (16u << 10)	/* copying fewer bytes is cheaper than writing them from where they are */

int gather_flush(struct gather *g, struct writer *w)
{
	struct iovec iov[2] = { { g->copied.buf, g->copied.len }, g->span };
	int ret = 0;

	if (g->copied.len)
		ret = writer_writev(w, iov, g->span.iov_len ? 2 : 1);
	else if (g->span.iov_len)
		ret = writer_writev(w, &g->span, 1);
	strbuf_reset(&g->copied);
	g->span.iov_len = 0;
	return ret;
}

/* more records will follow the copied ones, so the span must be one of them, or be written */
static int end_span(struct gather *g, struct writer *w)
{
	if (g->span.iov_len >= SPAN_MIN)
		return gather_flush(g, w);
	if (g->span.iov_len)
		strbuf_add(&g->copied, g->span.iov_base, g->span.iov_len);
	g->span.iov_len = 0;
	return g->copied.len >= COPIED_MAX ? gather_flush(g, w) : 0;
}

int gather_copy(struct gather *g, struct writer *w, const void *p, size_t size)
{
	int ret = end_span(g, w);

	if (ret || !size)
		return ret;
	strbuf_add(&g->copied, p, size);
	return g->copied.len >= COPIED_MAX ? gather_flush(g, w) : 0;
}

int gather_span(struct gather *g, struct writer *w, const void *p, size_t size)
{
	int ret = 0;

	if (g->span.iov_len && (const char *)g->span.iov_base + g->span.iov_len == p) {
		g->span.iov_len += size;
		return 0;
	}
	ret = end_span(g, w);
	g->span = (struct iovec){ (void *)p, size };
	return ret;
}

void gather_release(struct gather *g)
{
	strbuf_release(&g->copied);
}
