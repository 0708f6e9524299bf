/*
 * Unzip: a recording that somebody compressed as a whole: gzip, xz, zstd, bzip2. Bytes go in as they are
 * read, and come out in pieces. All of them are hostile: memory and output are limited.
 */
#ifndef PERF_DATA_UNZIP_H
#define PERF_DATA_UNZIP_H

#include "../base/err.h"
#include "../base/types.h"

#define UNZIP_MAGIC_MAX 6	/* bytes that unzip_new() looks at */

/*
 * the content of a small file that gzip made, to be freed: one piece, much faster than the functions below.
 * NULL: it is another file, large, damaged, of several streams, or the library is not there
 */
u8 *unzip_whole(const u8 *p, size_t len, size_t *ret_len);

struct unzip;
typedef void unzip_put(void *ctx, const void *p, size_t len);

/* whether a file begins as a compressed one does */
bool unzip_is_packed(const void *head, size_t len);
/* for a file with this head; NULL with err if the library is not there */
struct unzip *unzip_new(const void *head, size_t len, unzip_put *put, void *ctx, struct err *err);
/*
 * unpacks the next bytes, and calls put with the result. 0, -EBADMSG if they are damaged, -EFBIG if the
 * result is larger than any recording, -ENOMEM; after an error nothing more may be added
 */
int unzip_add(struct unzip *u, const void *p, size_t len);
/* whether the compressed data is complete so far */
bool unzip_at_end(const struct unzip *u);
void unzip_free(struct unzip *u);

#endif
