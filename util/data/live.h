/*
 * Live: a pipe that is read while its recorder writes. The stream is a large reserved piece of address space that fills from
 * the front; who reads gives back what it is done with (data_dont_need), so only what is pending is held. Only whole records
 * are ever inside [start, end).
 */
#ifndef PERF_DATA_LIVE_H
#define PERF_DATA_LIVE_H

#include "data.h"

struct data_live;

/*
 * Reads the begin of a pipe up to its first record of the kernel: then attributes and features are known. 1, or 0 where
 * this input cannot be read live (no pipe format, counters in samples): what was read is in *ret_seen then, and the caller
 * goes on behind it. Negative errno with err.
 */
struct strbuf;
int data_live_open(struct data *d, int fd, struct strbuf *ret_seen, struct err *err);
void data_live_free(struct data_live *l);

#endif
