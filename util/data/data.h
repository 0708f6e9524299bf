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
	int fd;
	char name[16];		/* of the file in a directory: "data", "data.0" */
};

struct importer;
struct stacks;
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

struct data_opts {
	/* NULL: "perf.data", or standard input if that is a pipe and there is no perf.data */
	const char *path;
	bool force;		/* open a file that belongs to someone else */
	bool header_only;	/* do not unpack streams */
	/*
	 * a pipe need not be read to its end: data_more() may be called. data->live is set if
	 * this is possible
	 */
	bool live;
	/* the input is of this format (import_find()), whatever its bytes look like; NULL: they show it */
	const struct importer *import;
	/* the input is not path, but what import_stacks() makes of these, with sums; NULL: it is path */
	const struct stacks *stacks;
};

/* the bytes of a recording that was made from another profile (d->imported); they belong to d */
const u8 *data_imported_bytes(const struct data *d, u64 *ret_size);
/*
 * Adds the stacks of a file that is a profile of another tool to the element of out for its format
 * (IMPORT_FORMATS of them), and makes no recording of it. True, with the time of the file in seconds, and
 * what was wrong with it in diag. False if it is a recording, or if data_open() has to say what is wrong:
 * nothing was added
 */
bool data_read_stacks(const struct data_opts *opts, struct stacks *out, s64 *ret_mtime, struct diag *diag);
/* whether data_open() will read standard input */
bool data_from_pipe(const struct data_opts *opts);
/*
 * 0 or negative errno with err. A damaged but readable file is opened, and its problems are counted in diag.
 */
int data_open(struct data **ret, const struct data_opts *opts, struct err *err);
void data_close(struct data *d);
/*
 * Whether an input that was closed before became unreadable while it was read: it was cut or overwritten, or
 * its disk failed. Readers see zeros then and go on; whoever ends the program asks this. 0, or a negative
 * errno with err
 */
int data_input_lost(struct err *err);
/*
 * To be called if data->live is set: waits for more bytes and extends the stream by the whole records among
 * them. Returns 1, or 0 after the end of the input, or negative errno; clears data->live at the end.
 */
int data_more(struct data *d, struct err *err);
/* true if data_more() would return at once */
bool data_more_waits(const struct data *d);

/* the name of the PMU that an attribute belongs to, if the file contains it; else NULL */
const char *data_pmu_name(const struct data *d, const struct pe_attr *attr);
/*
 * Applies an EVENT_UPDATE record to its event: unit, scale, name. data_open() does this for pipes. Files with
 * counts need it: the code that opens one calls it before the events are used.
 */
void data_apply_update(struct data *d, const struct rec *rec);
/* "system:name" of a tracepoint with this config, if the file contains it; else NULL */
const char *data_tracepoint_name(const struct data *d, const struct pe_attr *attr);
/*
 * The header as report --header-only shows it, starting with "# ========"; full: with the topology (-I).
 * Control characters from the file are escaped.
 */
void features_print(const struct data *d, struct strbuf *out, bool full);

/* Walks the records of [off, end) of a stream. */
struct rec_walk {
	const struct data *data;
	const struct data_stream *stream;
	u64 off, end;
	struct diag *diag;
	const u8 *base;		/* of the stream */
	bool swap;
};
struct rec_walk rec_walk_of(const struct data *d, const struct data_stream *s, u64 off, u64 end,
			    struct diag *diag);
/*
 * 1 and *ret filled, or 0 at the end. Damage is counted in diag; the walk then ends or skips a record, as the
 * format allows. AUXTRACE payloads (which follow their record and are not in its size) are skipped: rec.size
 * is the record alone.
 */
static inline int rec_next(struct rec_walk *w, struct rec *ret);

/*
 * Hints for reading: [off, end) of a stream is needed soon / no longer. They keep resident memory small;
 * failures do not matter.
 */
void data_will_need(const struct data_stream *s, u64 off, u64 end);
void data_dont_need(const struct data_stream *s, u64 off, u64 end);

/*
 * Number of bytes that follow a record of d and are not in its size: what the record declares, but no more
 * than its stream has. 0 for a record that is not in a stream.
 */
u64 data_payload_size(const struct data *d, const struct rec *rec);
int rec_next_slow(struct rec_walk *w, struct rec *ret);	/* all cases except the common one below */

static inline int rec_next(struct rec_walk *w, struct rec *ret)
{
	u64 left = w->end - w->off;
	struct rec_header h;

	if (unlikely(left < sizeof(h) || w->swap))
		return rec_next_slow(w, ret);
	__builtin_memcpy(&h, w->base + w->off, sizeof(h));
	if (unlikely(h.size < sizeof(h) || h.size > left || h.type == ABI_RECORD_AUXTRACE ||
		     h.type == ABI_RECORD_TRACING_DATA))
		return rec_next_slow(w, ret);
	*ret = (struct rec){ .p = w->base + w->off, .size = h.size, .type = h.type, .misc = h.misc,
			     .off = w->off };
	w->off += h.size;
	return 1;
}

#endif
