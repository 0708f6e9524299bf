/* Inside of struct data; only util/data uses it. */
#ifndef PERF_DATA_PRIVATE_H
#define PERF_DATA_PRIVATE_H

#include "data.h"
#include "../base/mapping.h"
#include "../base/strbuf.h"

struct data_private {
	struct { VEC(struct mapping); } map;
	struct { VEC(int); } fd;		/* closed at the end */
	struct arena arena;			/* copies of what a pipe brings */
};

/* magic numbers as a u64 of the machine that wrote the file */
#define DATA_MAGIC1 0x454c494646524550ull	/* "PERFFILE", always in this order of bytes */
#define DATA_MAGIC2 0x32454c4946524550ull	/* "PERFILE2" on a little-endian machine */
#define DATA_PIPE_HEADER 16u

struct file_section {
	u64 off, size;
};

/* maps a whole file; its stream index is its place in d->stream. Negative errno with err. */
int data_map(struct data *d, int fd, u64 size, const u8 **ret_base, struct err *err);
void data_add_stream(struct data *d, int fd, const u8 *base, u64 start, u64 end);
/* header of a plain file (base, size): attributes, ids, features, data section */
int data_read_header(struct data *d, const u8 *base, u64 size, int fd, struct err *err);
/* one attribute of attr_size bytes with its ids (of ids_size bytes, file byte order) to the event set */
void data_add_attr(struct data *d, const u8 *attr, u32 attr_size, const u8 *ids, u64 ids_size);
/* names, ids and groups that features bring into the event set; names for the events that still have none */
void data_apply_event_desc(struct data *d, const void *p, u64 size);
void data_finish_events(struct data *d);

#endif
