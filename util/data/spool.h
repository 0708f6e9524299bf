/* Spool: writes unpacked bytes to an unlinked temporary file, which is then mapped like any other file. */
#ifndef PERF_DATA_SPOOL_H
#define PERF_DATA_SPOOL_H

#include "../base/err.h"
#include "../base/types.h"

struct spool {
	int fd;
	u64 size;		/* bytes added so far */
	u8 *buf;
	size_t used;		/* bytes of buf that are not written yet */
	int error;		/* negative errno of the first failed write; later writes do nothing */
};

/* a new temporary file without a name: its descriptor, or a negative errno with err */
int spool_file(struct err *err);
int spool_open(struct spool *s, struct err *err);
void spool_add(struct spool *s, const void *p, size_t len);
/* writes what was added so far to fd; 0 or negative errno, which spool_finish() describes */
int spool_sync(struct spool *s);
/* writes the rest and gives the descriptor to the caller: a file descriptor, or negative errno with err */
int spool_finish(struct spool *s, struct err *err);

#endif
