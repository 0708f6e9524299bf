/*
 * Hardware traces: AUXTRACE records become samples. The records of a CPU or thread are one stream of bytes,
 * cut into pieces of about 64 KB where a decoder can begin. Pieces are decoded by the threads of a pool, each
 * into ordinary SAMPLE records of events that the decoder adds to the file's event set; the records become
 * one more stream of the file (data/made.h), in the order of the pieces. So everything that reads samples
 * works on them, and the number of threads changes no byte. A kind of trace is a row of kinds.def and a file;
 * nothing above this directory knows a kind.
 *
 *	aux_open(&a, data, opts);	before anybody keeps the file's plan: adds events
 *	aux_see(a, rec);		each record of the file, from one thread
 *	aux_decode(a, machine, pool, diag, err);
 *
 * Memory grows with the number of AUXTRACE and switch records, and with the number of threads; the samples
 * are in a temporary file, or feeds make them when they are read (aux_prepare()).
 */
#ifndef PERF_AUX_AUX_H
#define PERF_AUX_AUX_H

#include "../data/walk.h"
#include "../data/itrace-opts.h"

struct aux;
struct aux_kind;
struct machine;
struct pool;
struct stream_format;
struct symbols;

/* NULL: no row for the type in an AUXTRACE_INFO record */
const struct aux_kind *aux_kind_find(u32 type);
/* traces of that type become samples, rather than only being dumped */
bool aux_type_is_decoded(u32 type);

/*
 * *ret is NULL if the command does not decode, the user wants nothing decoded, the file has no trace, or one
 * of a kind that is not decoded. data must not be live. The caller frees it by aux_free() before
 * data_close(). 0, or negative errno with err: the options make no sense for this kind of trace
 */
int aux_open(struct aux **ret, struct data *d, const struct itrace_opts *opts, struct err *err);
void aux_free(struct aux *a);
/* keeps what decoding needs of the record: nothing of most; the bytes stay in the file */
void aux_see(struct aux *a, const struct rec *rec, struct diag *diag);
/* samples of the file may have parts of a trace (PERF_SAMPLE_AUX): keeps where they are */
bool aux_wants_samples(const struct aux *a);
void aux_see_sample(struct aux *a, const struct rec *rec);
/*
 * Writes the samples; hides the events that have none. Damage is counted in diag and skipped. 0 or negative
 * errno with err: the temporary file
 */
int aux_decode(struct aux *a, const struct machine *m, struct symbols *symbols, struct pool *pool,
	       struct diag *diag, struct err *err);
/*
 * After that, with itrace_opts.sums: how many more samples there are than records of them. The span of their
 * times is added to *first and *last
 */
u64 aux_folded(const struct aux *a, u64 *first, u64 *last);
/*
 * Instead of aux_decode(), where one reader takes all samples in the order of time: feeds (feed.h) decode
 * them then. aux_end() is called after the last one: damage is counted in diag, *nr grows by the samples
 */
int aux_prepare(struct aux *a, const struct machine *m, struct symbols *symbols, struct pool *pool,
		struct err *err);
/* returns the number of pieces that were left out, because no sample of them was wanted */
u64 aux_end(struct aux *a, struct diag *diag, u64 *nr);
/*
 * For feeds, before the first sample is asked for: fn returns whether samples of that time may be wanted
 * (from 0, to UINT64_MAX: it is not known), of that CPU and thread (-1: not known). fn NULL: all are
 */
struct aux_want {
	bool (*fn)(const void *ctx, u64 from, u64 to, s32 cpu, s32 tid);
	const void *ctx;
};
void aux_set_want(struct aux *a, struct aux_want want);
/*
 * Before aux_decode(), if aux_wants_running(): only samples at whose times as many tasks ran are added up. fn
 * returns that number; *hint is the caller's, and zero at first
 */
struct aux_running {
	u32 (*fn)(const void *ctx, u64 time, size_t *hint);
	const void *ctx;
};
bool aux_wants_running(const struct aux *a);
void aux_set_running(struct aux *a, struct aux_running running);
/* its samples have times */
bool aux_has_times(const struct aux *a);
/* the samples must be read more than once: the first ones are skipped, by time */
bool aux_needs_file(const struct aux *a);
/* after that: appends a line for each file whose code was wanted and not found, and why; at most 5 */
void aux_describe_missing(struct aux *a, struct strbuf *out);
/* the position in d->stream of what aux_decode() makes */
u32 aux_stream(const struct aux *a);
/*
 * Letters of --itrace, as "g, l", that mean nothing for traces of this kind; NULL if there are none. The
 * second is the name of the kind: "Arm SPE"
 */
const char *aux_unused_letters(const struct aux *a, const char **ret_kind);

/*
 * The dump: after dump_record() has shown an AUXTRACE_INFO or AUXTRACE record, appends the words of the first
 * by name, and each packet of the second. type: what the AUXTRACE_INFO record said
 */
void aux_dump(const struct data *d, const struct rec *rec, u32 type, const struct stream_format *f,
	      struct strbuf *out);

#endif
