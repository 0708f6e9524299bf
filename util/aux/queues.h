/*
 * Queues: the AUXTRACE records of a file by CPU or thread, in order, and cut into pieces for decoders. Bytes
 * stay in the file; those of a piece that lies in several records are put together when it is decoded.
 */
#ifndef PERF_AUX_QUEUES_H
#define PERF_AUX_QUEUES_H

#include "aux-private.h"
#include "../event/record.h"

/* the bytes of one AUXTRACE record */
struct aux_part {
	u32 idx, order;
	u32 cpu;
	s32 tid;
	u64 off;		/* in the stream of its CPU or thread */
	const u8 *p;
	u64 len;
	u64 time;		/* if it is known before AUX records are looked at */
	u64 at;			/* while streams are taken apart: of its bytes in a temporary file */
	u32 source;
	bool follows;		/* its first byte comes directly after the last one of the part before */
};

/* where a decoder begins, and how far it reads */
struct aux_cut {
	u32 part;
	u64 at, len;		/* from this byte of the part; the bytes may go on in the parts after it */
	u64 first;		/* number of records in the pieces before it */
	bool starts;		/* the piece before it is of another stream, or bytes are missing */
};

struct aux_queues;
struct aux_queues *aux_queues_new(void);
void aux_queues_free(struct aux_queues *q);
void aux_queues_add(struct aux_queues *q, const struct data *d, const struct rec *rec,
		    const struct rec_auxtrace_view *v);
/*
 * the bytes in a sample (PERF_SAMPLE_AUX), in the order of the file: a stream of its CPU, or of its thread if
 * cpu is -1. What the sample before has, too, is cut off
 */
void aux_queues_add_sample(struct aux_queues *q, s32 cpu, s32 tid, const u8 *p, u64 len);
/* an AUX record: when its bytes were there */
void aux_queues_add_time(struct aux_queues *q, const struct rec_aux_view *v, const struct sample *id);

/* the parts, after aux_queues_sort() */
const struct aux_part *aux_queues_parts(const struct aux_queues *q, size_t *ret_nr);
/*
 * What the AUX record says that announced the byte at off of a stream: time and flags, 0 if there is none;
 * and where the next record's bytes begin
 */
void aux_queues_mark(const struct aux_queues *q, const struct aux_part *part, u64 off, u64 *ret_time,
		     u64 *ret_flags, u64 *ret_end);
/* other parts instead; v: made by malloc(), the queues own it then. Sorts them */
void aux_queues_replace(struct aux_queues *q, struct aux_part *v, size_t nr);

/* after the last record: sorts, and removes what two records both have */
void aux_queues_sort(struct aux_queues *q);
/* some bytes are of CPUs, rather than of threads */
bool aux_queues_of_cpus(const struct aux_queues *q);
/* the next pieces of about 64 KB, max of them at most; their number, 0 at the end */
size_t aux_queues_cut(struct aux_queues *q, const struct aux_kind *kind, struct aux_cut *ret, size_t max);
/* the next cut is the first one again */
void aux_queues_rewind(struct aux_queues *q);
/* the piece of a cut, and as many bytes ahead if they are there; buf: room for bytes that are put together */
void aux_queues_piece(const struct aux_queues *q, const struct aux_cut *cut, size_t ahead, struct strbuf *buf,
		      struct aux_piece *ret);

#endif
