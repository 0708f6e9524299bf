/* Fuzz target of util/archive: bzip2 and tar files are read, of every second member the bytes, too. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../util/archive/tar.h"
#include "../../util/base/alloc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct bytes_in {
	struct in_stream s;
	const uint8_t *p;
	size_t left;
};

/* in small pieces, as a pipe would give them */
static ssize_t bytes_read(struct in_stream *s, void *buf, size_t len)
{
	struct bytes_in *b = (struct bytes_in *)s;

	len = MIN(MIN(len, b->left), (size_t)700);
	memcpy(buf, b->p, len);
	b->p += len;
	b->left -= len;
	return len;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes_in in = { { bytes_read }, data, size };
	struct err err = ERR_INIT;
	struct unpack_stream *u = unpack_stream_new(&in.s, &err);
	size_t total = 0;
	struct tar_reader t;
	struct tar_member m;
	char buf[300];
	ssize_t n;

	if (!u)
		return 0;
	tar_reader_init(&t, unpack_stream_in(u));
	while (total < 1 << 22 && tar_next(&t, &m, &err) > 0) {
		total += strlen(m.name) + strlen(m.target) + 1;
		while (m.size & 1 && (n = t.s.read(&t.s, buf, sizeof(buf))) > 0)
			total += n;
	}
	tar_reader_release(&t);
	unpack_stream_free(u);
	return 0;
}
