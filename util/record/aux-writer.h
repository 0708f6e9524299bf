/*
 * Aux-writer: contents of AUX areas as AUXTRACE records with the bytes after them, and where these
 * records are in the file: the feature AUXTRACE. Owns the list of places, not areas and file.
 */
#ifndef PERF_RECORD_AUX_WRITER_H
#define PERF_RECORD_AUX_WRITER_H

#include "../base/strbuf.h"
#include "../data/features-write.h"
#include "../data/writer.h"
#include "../kernel/aux-ring.h"

struct aux_writer {
	/* of each record: file offset, and size without its bytes */
	struct { VEC(struct data_section); } place;
	struct strbuf index;	/* the feature's payload */
	u64 bytes;		/* of the trace, in all outputs */
	u64 lost;		/* that the kernel wrote over */
};

/* new bytes of one area to the file, which are given back to the kernel. Their number, or negative errno */
s64 aux_write_new(struct aux_writer *x, struct aux_ring *a, struct writer *w);
/* the same for a snapshot of at most `most` bytes, while the event is stopped */
s64 aux_write_snapshot(struct aux_writer *x, struct aux_ring *a, u64 most, struct writer *w);
/* another output begins */
void aux_writer_reset(struct aux_writer *x);
/* sets the feature, which points into x; none without records, or in pipes and directories */
void aux_writer_feature(struct aux_writer *x, const struct writer *w, struct features *f);
void aux_writer_release(struct aux_writer *x);

#endif
