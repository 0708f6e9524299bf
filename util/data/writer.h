/*
 * Writer: a perf.data file (or pipe) as it grows. The header is always valid, and writer_commit() updates it:
 * if the recorder is killed or the disk is full, everything that was committed can be read, with its
 * features. Owns the descriptor. Layout: Documentation/dev/perf-data-format.txt.
 *
 * File:  header, ids of each event, attributes, features that are known at the start, data (records), table
 * of features, late
 *        features.
 * Pipe:  header of 16 bytes, then attributes, features and tracing data as records, then records.
 *
 * Readers look for the table of features right after the data. So a commit writes a table there, then the
 * header; when more data follows that table, the record before it (a bare header: the mark of a round) is
 * made longer, so that it covers the table.
 */
#ifndef PERF_DATA_WRITER_H
#define PERF_DATA_WRITER_H

#include <sys/uio.h>
#include "../base/err.h"
#include "../base/vec.h"
#include "../event/event.h"
#include "features.h"

struct data_section {
	u64 offset, size;
};

struct writer {
	int fd;
	bool pipe;
	bool plain;		/* data.N of a directory: records only, no header */
	bool regular;		/* a regular file: it is possible to seek in it and to truncate it */
	u64 data_off;		/* file offset of the first record */
	u64 size;		/* bytes of records after it, whole records only */
	int failed;		/* negative errno of the write that failed, or 0 */
	/* bytes of the last write that are in the file although it failed: whole records */
	size_t kept;
	/* a write holds a compressed frame, or a payload: it is kept as a whole or not at all */
	bool packed;
	bool cut_back;		/* records of earlier writes were removed to make room for the last table */
	u64 committed;		/* data size in the header */
	u64 mark;		/* file offset of the record before the last table; 0: no table yet */
	u16 mark_size;		/* its size, once it covers the table */
	u64 spare_off;		/* offset of zeros that are released when the disk is full */
	u64 bitmap[FEAT_NR / 64];	/* early features */
	struct { VEC(struct data_section); } early;	/* where they are, in bit order */
	struct { VEC(u64); } ends;	/* packed: data sizes after each write since the last commit */
	u64 commit_ns;		/* time of the last commit */
	struct async *async;	/* writes continue while the caller works; NULL: they do not */
};

/* true if writer_open() would write the pipe format to this path: "-", or a fifo */
bool writer_is_pipe(const char *path);
/*
 * Creates path (mode 0600) and writes header, ids and attributes. An existing file is kept as path.old. "-"
 * or a fifo is written as a pipe: features that are known (f->present) are then written as records now.
 */
int writer_open(struct writer *w, const char *path, const struct evset *set, const struct features *f,
		struct err *err);
/* the same for an empty regular file, whose descriptor the writer then owns */
int writer_open_file(struct writer *w, int fd, const struct evset *set, const struct features *f,
		     struct err *err);
/* the same for an open descriptor, which the writer then owns, in pipe format */
int writer_open_pipe(struct writer *w, int fd, const struct evset *set, const struct features *f,
		     struct err *err);
/* path/data.N of a directory: records without header */
int writer_open_plain(struct writer *w, const char *path, struct err *err);
/* from now on up to nr_blocks writes may be under way at a time; pipes are not affected */
void writer_set_async(struct writer *w, unsigned int nr_blocks);
/*
 * After a failed write the file may lack records that the caller passed: with async, and if records were
 * removed. Then returns true and the number of samples that are in the file. To be called once the file is
 * finished.
 */
bool writer_samples_dropped(const struct writer *w, u64 *ret_samples);

/*
 * Appends whole records, in at most two spans. 0 or a negative errno, which is also kept in w->failed: then
 * the file ends with the last whole record that fitted (w->kept bytes of this write), and later writes do
 * nothing.
 */
int writer_write(struct writer *w, const void *p, size_t len);
int writer_writev(struct writer *w, const struct iovec *iov, int nr);
/*
 * Appends a record whose payload follows it and is not in its size (AUXTRACE): at most two spans, and zeros
 * up to a multiple of 8 bytes. If it fails, nothing of them is in the file
 */
int writer_write_payload(struct writer *w, const void *rec, size_t len, const struct iovec *iov, int nr);
/*
 * Updates the header to what has been written so far. The last record must be a bare header of 8 bytes
 * (FINISHED_ROUND, ...). Cheap enough for every second or megabyte, but not for every record: each call
 * leaves a table of about 400 bytes in the file.
 */
int writer_commit(struct writer *w);
/* true if the next commit is due: a second has passed, or a megabyte was written */
bool writer_commit_due(const struct writer *w, u64 now_ns);
/*
 * writes the table of features and their payloads, then the header. On a pipe: only what is not known before
 * the end
 */
int writer_finish(struct writer *w, const struct evset *set, const struct features *f, struct err *err);
/* only closes the descriptor */
void writer_close(struct writer *w);
/* size of the file in bytes */
u64 writer_file_size(const struct writer *w);

#endif
