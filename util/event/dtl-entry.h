/*
 * Power: entries of the dispatch trace log, which the hypervisor writes, 48 bytes, big-endian (Linux on Power
 * Architecture Reference, "Dispatch Trace Log Buffer"): why a virtual processor was dispatched and had been
 * preempted, and how long it waited.
 */
#ifndef PERF_EVENT_DTL_ENTRY_H
#define PERF_EVENT_DTL_ENTRY_H

#include "../base/strbuf.h"

enum { DTL_ENTRY_SIZE = 48 };

struct dtl_entry {
	u8 dispatch_reason, preempt_reason;
	u16 processor;
	u32 enqueue_to_dispatch, ready_to_enqueue, waiting_to_ready;	/* ticks of the time base */
	u64 timebase;		/* of the dispatch */
	u64 srr0;		/* where it continued */
};

/* p: DTL_ENTRY_SIZE bytes */
struct dtl_entry dtl_entry_read(const u8 *p);
/* appends "dispatch_reason:NAME, preempt_reason:NAME,"; unknown reasons are numbers */
void dtl_reasons_put(const struct dtl_entry *e, struct strbuf *out);
/* appends all of it, as upstream's script has it: on two lines */
void dtl_entry_put(const struct dtl_entry *e, struct strbuf *out);

#endif
