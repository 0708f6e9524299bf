/*
 * Live: a pipe that is read while its recorder writes. The stream is a large reserved piece of address space
 * that is filled from its start; the reader returns the part that it no longer needs (data_dont_need), so
 * only the pending part is in memory. [start, end) only ever contains whole records.
 */
#ifndef PERF_DATA_LIVE_H
#define PERF_DATA_LIVE_H

#include "data.h"

struct data_live;

/*
 * Reads the beginning of a pipe up to its first record from the kernel: then attributes and features are
 * known. 1, or 0 if this input cannot be read live (not in pipe format, or counters in samples): *ret_seen
 * then has what was read, and the caller continues after it. Negative errno with err.
 */
struct strbuf;
int data_live_open(struct data *d, int fd, struct strbuf *ret_seen, struct err *err);
void data_live_free(struct data_live *l);
/*
 * To be called if data->live is set: waits for more bytes and extends the stream by the whole records among
 * them. Returns 1, or 0 after the end of the input, or negative errno; clears data->live at the end.
 */
int data_more(struct data *d, struct err *err);
/* true if data_more() would return at once */
bool data_more_waits(const struct data *d);

#endif
