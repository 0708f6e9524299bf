/*
 * Itrace: --itrace and --strip. Upstream makes events of the instructions in an AUX trace; this perf decodes
 * no trace, so a file that has one is refused. A file without a trace has nothing to be decoded: all records
 * pass, and --strip leaves out the samples, none of which comes from a trace.
 */
#include "inject-private.h"
#include "../event/record-type.h"

#include <errno.h>

int itrace_start(struct inject *in, struct err *err)
{
	if (!session_has_trace(in->session))
		return 0;
	return err_set(err, -ENOTSUP, "%s has an AUX trace, which this perf does not decode: copy it without "
		       "--itrace and --strip", in->session->data->path);
}

int itrace_record(struct inject *in, const struct rec *rec, u64 time UNUSED)
{
	return !in->opts->strip || rec->type != REC_SAMPLE;
}

void itrace_end(struct inject *in UNUSED)
{
}
