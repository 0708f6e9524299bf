/*
 * Mapping: files that are mapped read-only and stay safe to read when somebody truncates them. Bytes that are
 * gone read as zero (a SIGBUS handler maps zero pages over the hole), and mapping_torn() returns true. The
 * handler passes on every SIGBUS that does not concern one of these mappings. A zero follows the last byte,
 * so that a text whose end somebody overwrites ends there.
 */
#ifndef PERF_BASE_MAPPING_H
#define PERF_BASE_MAPPING_H

#include "types.h"

struct mapping {
	const u8 *p;	/* NULL if nothing is mapped */
	size_t len;
	int slot;	/* in the handler's table; -1: not guarded */
};

/* maps [0, len) of fd; 0 or negative errno. len 0 is a valid, empty mapping. */
int mapping_open(struct mapping *m, int fd, size_t len);
/* the same for libraries that write to what they read: what is written stays in this process */
int mapping_open_private(struct mapping *m, int fd, size_t len);
void mapping_close(struct mapping *m);
/* its pages need not stay in memory: whoever reads them again waits a little */
void mapping_rest(const struct mapping *m);
/* true after a read of bytes that are gone */
bool mapping_torn(const struct mapping *m);

#endif
