/* Count-samples: walks records that are read from a descriptor, and the records in compressed ones. */
#include "count-samples.h"
#include "unpack.h"
#include "walk.h"
#include "../event/record-type.h"

#include <stdlib.h>
#include <unistd.h>

static struct rec_header header_of(const u8 *p)
{
	struct rec_header h;

	memcpy(&h, p, sizeof(h));
	return h;
}

/* whole records */
static void count(void *ctx, const void *p, size_t len)
{
	struct rec_header h;
	u64 *nr = ctx;

	for (size_t off = 0; off + sizeof(h) <= len; off += h.size) {
		h = header_of((const u8 *)p + off);
		if (h.size < sizeof(h))
			return;
		*nr += h.type == REC_SAMPLE;
	}
}

/* number of bytes of the whole records in the buffer, and of payloads after them; 0 if there is none */
static size_t count_buffer(struct unpacker *u, struct data *d, const u8 *buf, size_t len)
{
	struct err err = ERR_INIT;
	size_t off = 0;

	while (off + sizeof(struct rec_header) <= len) {
		struct rec_header h = header_of(buf + off);
		struct rec rec = { .p = buf + off, .size = h.size, .type = h.type, .misc = h.misc };

		if (h.size < sizeof(h) || off + h.size > len)
			break;
		off += rec_declared_payload(&rec);
		if (h.type == REC_COMPRESSED && !u->state && unpacker_begin(u, d, &err) < 0)
			break;
		unpacker_add(u, &rec, h.size);
		off += h.size;
	}
	return off;
}

u64 samples_between(int fd, u64 from, u64 to)
{
	const size_t room = 1 << 20;
	struct data *d = xcalloc(1, sizeof(*d));
	u64 nr = 0;
	struct unpacker u = { .put = count, .ctx = &nr };
	u8 *buf = xmalloc(room);
	size_t used;

	for (; from < to; from += used) {
		ssize_t n = pread(fd, buf, MIN((u64)room, to - from), from);

		used = n > 0 ? count_buffer(&u, d, buf, n) : 0;
		if (!used)
			break;
	}
	if (u.state)
		unpacker_end(&u, from);
	free(buf);
	free(d);
	return nr;
}
