/* Feed: see feed.h. */
#include "feed.h"
#include "streams.h"

#define FEED_KEEP (8u << 20)	/* bytes of memory that stay allocated for the next records */

struct data *data_feed_new(struct evset *set, const struct features *feat)
{
	struct data *d = xcalloc(1, sizeof(*d));

	d->path = xstrdup("live");
	d->priv = xcalloc(1, sizeof(*d->priv));
	d->priv->borrowed = true;
	d->evset = set;
	d->feat = *feat;
	d->plan = sample_plan_new(set);
	data_add_stream(d, "live", -1, NULL, 0, 0);
	return d;
}

static void set_stream(struct data *d)
{
	struct data_stream *s = &d->stream.v[0];

	s->base = (const u8 *)strbuf_str(&d->priv->fed);
	s->end = d->data_size = d->file_size = d->priv->fed.len;
}

void data_feed(struct data *d, const void *rec, size_t size)
{
	strbuf_add(&d->priv->fed, rec, size);
	set_stream(d);
}

void data_feed_drop(struct data *d)
{
	if (d->priv->fed.alloc > FEED_KEEP)
		strbuf_release(&d->priv->fed);
	strbuf_reset(&d->priv->fed);
	set_stream(d);
}
