/* Compress: unpacks whole .gz, .xz, .lzma and .zst images in memory, within bounds. */
#ifndef PERF_OBJ_COMPRESS_H
#define PERF_OBJ_COMPRESS_H

#include "../base/err.h"

enum compress_kind { COMPRESS_NONE, COMPRESS_GZ, COMPRESS_XZ, COMPRESS_ZST };

/* by the magic number at the start */
enum compress_kind compress_kind_of(const void *head, size_t len);
/* *ret is malloc'ed; -EBADMSG: damaged, -EFBIG: larger than max */
int compress_unpack(enum compress_kind kind, const void *in, size_t len, size_t max, u8 **ret,
		    size_t *ret_len, struct err *err);

#endif
