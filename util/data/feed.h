/*
 * Feed: a profile without a file: the records of a live observation, handed over one by one. It is a struct
 * data with one stream, which holds what was handed over and not dropped yet.
 */
#ifndef PERF_DATA_FEED_H
#define PERF_DATA_FEED_H

#include "data.h"

/*
 * set and feat stay the caller's and must outlive the data; the events have their ids. data_close() ends it
 */
struct data *data_feed_new(struct evset *set, const struct features *feat);
/* appends a copy of a whole record; earlier struct rec of the stream are void */
void data_feed(struct data *d, const void *rec, size_t size);
/* drops all records of the stream; offsets begin anew */
void data_feed_drop(struct data *d);

#endif
