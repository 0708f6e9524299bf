/*
 * A perf.data file opened for reading: plain file, pipe, directory; either byte order; compressed or not.
 * Pipes and compressed data are unpacked into an unlinked temporary file first, so that every later phase
 * sees plain bytes that can be mapped and read in any order; a pipe may also be read live (data_more). Owns
 * the mapping, the event set and the features; const after data_open. Format:
 * Documentation/dev/perf-data-format.txt.
 */
#ifndef PERF_DATA_DATA_H
#define PERF_DATA_DATA_H

#include "../base/diag.h"
#include "../base/err.h"
#include "../base/pool.h"
#include "../event/event.h"
#include "../event/sample.h"
#include "features.h"

/* one sequence of records: the data section, a file of a directory, or the unpacked form of one */
struct data_stream {
	const u8 *base;		/* base[off] is the byte at file offset off */
	u64 start, end;		/* file offsets of the first record and after the last byte */
	u32 idx;		/* position in data->stream; records with equal times: lower stream first */
	int fd;			/* -1: the bytes are not in a file */
	u64 fd_start;		/* the offset at which its first byte is */
	char name[16];		/* of the file in a directory: "data", "data.0" */
};

struct data {
	char *path;			/* as the user named it; "-" for standard input */
	bool swap;			/* the file is in the other byte order */
	bool is_pipe;			/* pipe format (header of 16 bytes, attributes as records) */
	bool is_dir;
	bool live;			/* the stream grows: data_more() */
	bool truncated;			/* it ends too early; diag has the details */
	u32 version;			/* 1: PERFFILE, 2: PERFILE2 */
	u64 data_offset, data_size;	/* as in the header */
	u64 file_size;
	s64 mtime;			/* seconds since the epoch */
	s64 changed_ns;			/* the same of a regular file, in nanoseconds; 0: it is a pipe */
	u32 attr_size;			/* of one entry of the attr section */
	const char *imported;		/* format of a profile of another tool (import.h), or NULL */
	struct { VEC(struct data_stream); } stream;
	struct evset *evset;
	struct sample_plan *plan;
	/*
	 * number of COMPRESSED and COMPRESSED2 records that were unpacked; the streams no longer contain them
	 */
	u64 nr_packed[2];
	/* decoded header features; absent ones are NULL / 0, see feat.present */
	struct features feat;
	struct diag diag;
	struct data_private *priv;	/* mappings, temporary files */
};

#endif
