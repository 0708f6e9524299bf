/*
 * Trace-setup: what a recording with a trace PMU needs: which PMU it is, sizes of AUX areas, events in groups
 * with the trace, snapshots, and the AUXTRACE_INFO record. Owns what it has read from sysfs.
 */
#ifndef PERF_RECORD_TRACE_SETUP_H
#define PERF_RECORD_TRACE_SETUP_H

#include "record-opts.h"
#include "../pmu/trace-pmu.h"

struct trace_setup {
	const struct trace_pmu *row;	/* NULL: no trace is recorded */
	struct event *ev;		/* the first one of it */
	struct pmus pmus;
	const struct pmu *pmu;
	/* in pages: of each AUX area, and of each ring; ring_pages 0: the default */
	u64 aux_pages, ring_pages;
	bool samples;			/* other events have parts of the trace in their samples */
	u64 snapshot_bytes;		/* the most that a snapshot takes of an area */
};

/*
 * Before sample_attr_config(): finds the events, puts those that depend on a trace into its group, and sets
 * attributes. 0, or negative errno with err: options that make no sense together, or without a trace
 */
int trace_setup(struct trace_setup *t, const struct record_opts *o, struct sample_attr_opts *attr,
		const struct target *target, struct strbuf *notes, struct err *err);
/* the areas are not read, or only in snapshots: the kernel may write over what they have */
static inline bool trace_overwrites(const struct trace_setup *t, const struct record_opts *o)
{
	return o->snapshot.on || t->samples;
}
/*
 * appends AUXTRACE_INFO, and before it how values of the trace's counter become times, if this is known; the
 * areas are mapped
 */
void trace_put_info(const struct trace_setup *t, const struct record_opts *o, const struct observer *ob,
		    struct strbuf *out);
void trace_setup_release(struct trace_setup *t);

#endif
