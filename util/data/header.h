/*
 * Header of a plain perf.data file: magic, sections of attributes and data, bitmap of features, whose
 * sections are listed after the data.
 */
#ifndef PERF_DATA_HEADER_H
#define PERF_DATA_HEADER_H

#include "data.h"

/* looks at the first DATA_PIPE_HEADER bytes of an input: true if it is in pipe format. Sets the byte order */
bool data_is_pipe_header(struct data *d, const void *p);
/* reads the header of a file (base, size): attributes, ids, features, data section; also of pipe format */
int data_read_header(struct data *d, const u8 *base, u64 size, int fd, struct err *err);

#endif
