/* Streams: see streams.h. */
#include "streams.h"

#include <errno.h>
#include <stdio.h>

int data_map(struct data *d, int fd, u64 size, const u8 **ret_base, struct err *err)
{
	struct mapping m;
	int ret = size > SIZE_MAX ? -EFBIG : mapping_open(&m, fd, size);

	if (ret < 0)
		return err_sys(err, -ret, "%s: cannot map the file", d->path);
	vec_push(&d->priv->map, m);
	*ret_base = m.p;
	return 0;
}

void data_add_stream(struct data *d, const char *name, int fd, const u8 *base, u64 start, u64 end)
{
	struct data_stream s = { .base = base, .start = start, .end = MAX(start, end), .fd = fd,
				 .idx = d->stream.nr };

	snprintf(s.name, sizeof(s.name), "%s", name);
	vec_push(&d->stream, s);
}
