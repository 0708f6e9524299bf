/*
 * Made records: samples that perf makes of what a file contains, such as a hardware trace, as one more stream
 * of the file. Their events are in its event set, so whatever reads records finds no difference. The bytes
 * are in a temporary file, and offsets of these records are after all offsets of the file.
 */
#ifndef PERF_DATA_MADE_H
#define PERF_DATA_MADE_H

#include "data.h"

/*
 * After events were added to d->evset, and before anybody keeps d->plan or a stream: makes the plan anew, and
 * an empty stream. Returns its position in d->stream
 */
u32 data_made_begin(struct data *d);
struct spool;
/* ends the spool, whose records become the stream; 0 or negative errno with err */
int data_made_end(struct data *d, u32 stream, struct spool *spool, struct err *err);

#endif
