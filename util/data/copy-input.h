/*
 * Copy-input: copies an input that cannot be mapped, a pipe or a compressed file, to a temporary file without
 * a name. An input that is not a recording or a profile is read no further than is needed to say so.
 */
#ifndef PERF_DATA_COPY_INPUT_H
#define PERF_DATA_COPY_INPUT_H

#include "data.h"

struct strbuf;

/*
 * seen: what was already read of the input, and all: even if it is not a recording. The descriptor of the
 * file, or a negative errno with err
 */
int data_spool_input(struct data *d, bool all, int fd, const struct strbuf *seen, u64 *ret_size,
		     struct err *err);

#endif
