/* Spool: bytes that were unpacked go to an unlinked temporary file, which is then mapped like any other. */
#ifndef PERF_DATA_SPOOL_H
#define PERF_DATA_SPOOL_H

#include "../base/err.h"
#include "../base/types.h"

struct spool {
	int fd;
	u64 size;		/* bytes added so far */
	u8 *buf;
	size_t used;		/* bytes of buf that are not written yet */
	int error;		/* negative errno of the first failed write; later ones do nothing */
};

int spool_open(struct spool *s, struct err *err);
void spool_add(struct spool *s, const void *p, size_t len);
/* writes the rest; hands the descriptor over. fd or negative errno with err */
int spool_finish(struct spool *s, struct err *err);

#endif
