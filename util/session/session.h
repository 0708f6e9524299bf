/*
 * Session: opens a profile and runs its phases: open, scan (side-band and chunk boundaries), machine. Then either a parallel walk
 * over chunks (report) or an ordered walk over all records (script). Owns all that; const after session_open.
 */
#ifndef PERF_SESSION_SESSION_H
#define PERF_SESSION_SESSION_H

#include "../data/data.h"
#include "../sym/sym.h"
#include "../machine/locator.h"

struct session_reads;
struct chunk {
	const struct data_stream *stream;
	u64 off, end;
};

struct session {
	struct data *data;
	struct machine *machine;
	struct symbols *symbols;
	struct pool *pool;
	struct { VEC(struct chunk); } chunks;	/* about 4 MB each, on record boundaries */
	u64 nr_records[REC_TYPE_MAX];		/* by type; unknown types in [0] */
	u64 nr_samples;
	u64 nr_lost, nr_lost_samples;		/* from LOST and LOST_SAMPLES records */
	u64 first_time, last_time;		/* of samples; first > last where there is none */
	bool has_time;				/* false: file offsets stand for time */
	struct diag diag;
	char *recorded_kallsyms;	/* path, where record --kcore kept one */
	struct kallsyms *early_list;	/* read beside other work; nobody has taken it */
	struct session_reads *reads;	/* see reads.h; NULL where samples carry no counters */
	struct session_live *live;	/* NULL: everything is there */
};

struct session_opts {
	struct data_opts data;
	struct sym_opts sym;
	unsigned int jobs;		/* -j: 0 is one per CPU; not more than 1024 */
	bool kernel_names;		/* names of kernel code will be asked for: with a thread to spare they are read meanwhile */
	u64 chunk_size;			/* 0: about 4 MB; for tests */
};

int session_open(struct session **ret, const struct session_opts *opts, struct err *err);
void session_close(struct session *s);

/*
 * A pipe that is read while its recorder writes (opts.data.live): waits until more records may be given out, in order, and
 * brings the machine to where they end. 1, 0 where the recording has ended, negative errno with err. The session is as after
 * session_open() between two calls; what was kept of the machine's answers does not hold any more.
 */
int session_more(struct session *s, struct err *err);

/* ELF machine (64-bit form) that the file was recorded on; this program's where the file does not say */
u16 session_elf_machine(const struct session *s);

/* who and when: see util/machine/machine.h */
struct sample_ctx session_sample_ctx(const struct session *s, const struct sample *sample, const struct rec *rec);
/*
 * The machine lets a task keep its name and memory behind its EXIT record, as report shows it. This takes them away, as script
 * shows it: a task that has exited is unknown, and has the memory of its leader, where that lives.
 */
void sample_ctx_forget_dead(const struct session *s, const struct sample *sample, struct sample_ctx *w);
/* the same as session_sample_ctx() through a worker's cache */
struct sample_ctx locator_sample_ctx(struct locator *l, const struct session *s, const struct sample *sample, const struct rec *rec);

/*
 * Ordered reader: every record of all streams by (time, file offset), as upstream's FINISHED_ROUND ordering gives them; records
 * without time come at once, in file order. Works in bounded memory: only what lies between two rounds is held.
 */
struct ordered_reader;
struct ordered_reader *ordered_reader_open(const struct session *s);
/* all at once, as the file has them */
struct ordered_reader *ordered_reader_open_unsorted(const struct session *s);
/* up to max next records into ret (rec and time, 0 for those without); returns how many, 0 at the end */
size_t ordered_reader_next(struct ordered_reader *c, struct rec *ret, u64 *ret_time, size_t max);
/* behind session_more(), with all records written that were given out: goes on with what came */
void ordered_reader_more(struct ordered_reader *c);
/* what it met: records that came later than a round allows */
const struct diag *ordered_reader_diag(const struct ordered_reader *c);
void ordered_reader_close(struct ordered_reader *c);

#endif
