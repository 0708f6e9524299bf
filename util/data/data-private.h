/* The contents of struct data, for util/data only. */
#ifndef PERF_DATA_PRIVATE_H
#define PERF_DATA_PRIVATE_H

#include <byteswap.h>
#include "data.h"
#include "spool.h"
#include "../base/mapping.h"
#include "../base/strbuf.h"

struct tracepoint_name {
	u64 config;
	size_t place;
	const char *name;	/* owned by the event set's arena */
};

struct data_private {
	struct { VEC(struct mapping); } map;
	struct { VEC(int); } fd;		/* closed at the end */
	/* of the file that was opened: to see at the end whether it still is the same; no head: a pipe */
	int input_fd;
	u64 input_size;
	u8 *head;
	size_t head_len;
	u64 attrs_off;				/* the bytes before it never change */
	/* names from records that name events, then names from attributes */
	struct { VEC(struct tracepoint_name); } tp_name;
	bool maybe_packed;			/* streams may hold COMPRESSED records */
	struct data_live *live;			/* NULL if no more data will come */
	struct strbuf fed;			/* records that were handed over: feed.h */
	bool borrowed;				/* events and features belong to somebody else */
};

/* magic numbers as a u64 of the machine that wrote the file */
#define DATA_MAGIC1 0x454c494646524550ull	/* "PERFFILE", always in this byte order */
#define DATA_MAGIC2 0x32454c4946524550ull	/* "PERFILE2" on a little-endian machine */
#define DATA_PIPE_HEADER 16u

/* what files of both byte orders begin with */
static inline bool data_is_magic(u64 magic)
{
	return magic == DATA_MAGIC1 || bswap_64(magic) == DATA_MAGIC1 || magic == DATA_MAGIC2 ||
	       bswap_64(magic) == DATA_MAGIC2;
}

struct file_section {
	u64 off, size;
};

/* maps a whole file; its stream index is its position in d->stream. Negative errno with err. */
int data_map(struct data *d, int fd, u64 size, const u8 **ret_base, struct err *err);
void data_add_stream(struct data *d, const char *name, int fd, const u8 *base, u64 start, u64 end);
/* reads the header of a plain file (base, size): attributes, ids, features, data section */
int data_read_header(struct data *d, const u8 *base, u64 size, int fd, struct err *err);
/* adds one attribute of attr_size bytes with its ids (ids_size bytes, in file byte order) to the event set */
void data_add_attr(struct data *d, const u8 *attr, u32 attr_size, const u8 *ids, u64 ids_size);
/* p: u64 config, then a NUL-terminated name: names the tracepoint with this config */
void data_name_by_config(struct data *d, const void *p, u64 size);
/* the same for a name of len bytes; data_finish_events() gives it to events that have no name by then */
void data_add_tracepoint_name(struct data *d, u64 config, const char *name, size_t len);
/* adds the names from the formats in TRACING_DATA to tracepoints without a name */
void data_name_tracepoints(struct data *d);
/* tells the plan where samples of probes have the address of the probe */
void data_find_probes(struct data *d);
/* looks at the first DATA_PIPE_HEADER bytes of an input: true if it is in pipe format. Sets the byte order */
bool data_is_pipe_header(struct data *d, const void *p);
/*
 * copies an input that cannot be mapped to a temporary file, after what was already read of it: a file
 * descriptor, or negative errno. all: even if it is not a recording
 */
int data_spool_input(struct data *d, bool all, int fd, const struct strbuf *seen, u64 *ret_size,
		     struct err *err);
/* takes attributes, features and the like from the records of a stream in pipe format */
void data_collect_header_records(struct data *d, const struct data_stream *s);
/* adds the data.N files of a directory as further streams */
int data_add_dir_streams(struct data *d, int dirfd, struct err *err);
/*
 * number of bytes that a record says follow it, which nobody has checked: data_payload_size() is what may be
 * read
 */
u64 rec_declared_payload(const struct rec *rec);
/* replaces streams that hold COMPRESSED records by their unpacked form */
int data_unpack_streams(struct data *d, struct err *err);
/* adds a hint to err: which files may have been meant */
void data_hint_missing(const char *path, struct err *err);
/* the same for a file that may not be read: whose it is */
void data_hint_denied(const char *path, struct err *err);
/*
 * adds the names, ids and groups in features to the event set, and names to the events that still have none
 */
void data_apply_event_desc(struct data *d, const void *p, u64 size);
void data_finish_events(struct data *d);

#endif
