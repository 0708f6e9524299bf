/*
 * Itrace: --itrace and --strip. The session has made samples of the trace, as one more stream; they are
 * copied in the order of time, and the records of the trace are left out. A file without a trace has nothing
 * to be decoded: all records pass, and --strip leaves out the samples, none of which comes from a trace.
 */
#include "inject-private.h"
#include "../aux/aux.h"
#include "../data/features-write.h"
#include "../event/record-type.h"

#include <errno.h>

int itrace_start(struct inject *in, struct err *err)
{
	const struct session *s = in->session;

	if (session_has_trace(s) && !s->aux)
		return err_set(err, -ENOTSUP, "%s has an AUX trace, which this perf does not decode: "
			       "copy it without --itrace and --strip", s->data->path);
	if (s->aux)
		feature_clear(&in->feat, FEAT_AUXTRACE);
	return 0;
}

static bool is_made(const struct session *s, const struct rec *rec)
{
	const struct data_stream *st = s->aux ? &s->data->stream.v[aux_stream(s->aux)] : NULL;

	return st && rec->off >= st->start;
}

int itrace_record(struct inject *in, const struct rec *rec, u64 time UNUSED)
{
	switch (rec->type) {
	case REC_AUXTRACE_INFO: case REC_AUXTRACE: case REC_AUX: case REC_ITRACE_START:
	case REC_AUX_OUTPUT_HW_ID:
		return !in->session->aux;
	case REC_FINISHED_INIT:	/* samples that were skipped */
		return !is_made(in->session, rec);
	case REC_SAMPLE:
		return !in->opts->strip || is_made(in->session, rec);
	default:
		return 1;
	}
}

void itrace_end(struct inject *in UNUSED)
{
}
