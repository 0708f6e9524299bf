/*
 * Inject-private: the state of a copy, and what rewriters are made of.
 *
 * start	before the output is opened: may change in->set and in->feat. 0 or a negative errno with err
 * record	1: the record passes on; 0: it was dropped or replaced; or a negative errno. time: of the
 *		record, 0 without one
 * prepare	of a batch of records before record() of each of them: in a thread of the pool while the
 *		caller works on the batch before, so it changes nothing but what it makes for the batch
 * last		after the last record, before the output is complete: may write more. 0 or a negative errno
 * end		after the output was closed; frees what start made
 */
#ifndef PERF_INJECT_PRIVATE_H
#define PERF_INJECT_PRIVATE_H

#include "gather.h"
#include "inject.h"
#include "../base/strbuf.h"
#include "../data/writer.h"
#include "../host/build-id.h"

struct inject_ids_state;
struct sched_stat_state;
struct jit_state;
struct plain_chains_state;
struct pack_state;
struct dump_maps_state;
struct redact_state;
struct aslr_state;
struct repair_state;
struct new_addresses;
struct wall_copy;
struct wall_feed_opts;
struct wall_totals;

#define INJECT_BATCH 512u

/* records in the order in which they are copied */
struct inject_batch {
	size_t nr;
	u32 slot;			/* 0 or 1: batches take turns */
	struct rec rec[INJECT_BATCH];
	u64 time[INJECT_BATCH];		/* 0: the record has none */
};

struct inject {
	const struct session *session;
	const struct inject_opts *opts;
	struct writer writer;
	struct gather out;		/* records that the writer has not got yet */
	bool to_pipe;
	struct evset *set;		/* a copy of the file's set, for the output */
	struct features feat;		/* a shallow copy; build-ids and the AUX index are its own */
	struct arena arena;		/* names in feat */
	struct strbuf buf;		/* records that are being made; each function leaves it empty */
	struct { VEC(struct aux_place); } aux;	/* where AUXTRACE records went */
	const bool *hit;		/* by dso id: samples are in it; NULL: nobody has looked */
	const struct inject_batch *batch;	/* of the record that is copied */
	size_t at;			/* its number in the batch */
	/* states of rewriters */
	struct inject_ids_state *ids;
	struct sched_stat_state *sched_stat;
	struct jit_state *jit;
	struct plain_chains_state *plain_chains;
	struct pack_state *pack;
	struct dump_maps_state *dump_maps;
	struct redact_state *redact;
	struct aslr_state *aslr;
	struct repair_state *repair;
	struct wall_copy *wall;
	/* of wall_time: slices go to a live session; NULL: to the copy */
	const struct wall_feed_opts *live;
};

struct aux_place {
	u64 from, to;		/* file offsets in the input and in the output */
};

#define REWRITER(name, ...) \
	int name##_start(struct inject *in, struct err *err); \
	int name##_record(struct inject *in, const struct rec *rec, u64 time); \
	void name##_end(struct inject *in);
#include "rewriters.def"
#undef REWRITER
int wall_time_last(struct inject *in);
/* for live sessions: the machine has grown; to be called before records that are newer */
void wall_time_renew(struct inject *in);
/* slices of all threads up to now. Returns the sums since the start */
struct wall_totals wall_time_flush(struct inject *in, u64 now);
void wall_time_prepare(struct inject *in, const struct inject_batch *b);

/* the record at p, which may be at an odd address where the size of the one before is damaged */
struct rec inject_rec(const void *p);
/* the record at p with new addresses, the last step before it is written; 0 or a negative errno */
int aslr_write(struct inject *in, const void *p);
/* the places of code that jit will map */
void jit_add_ranges(const struct inject *in, struct new_addresses *n);
/* writes a record that a rewriter made, as later rewriters see it; 0 or a negative errno */
int inject_emit(struct inject *in, const void *rec);
/* writes the records in in->buf and empties it; 0 or a negative errno */
int inject_flush(struct inject *in);
/* bytes of the sample_id trailer that the kernel's records of the file have */
u32 inject_trailer_size(const struct inject *in);
/* the sample_id trailer that a record of the kernel has if it belongs to the first event */
void inject_put_trailer(const struct inject *in, struct strbuf *out, s32 pid, s32 tid, u64 time);

#endif
