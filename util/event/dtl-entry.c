/* Entries of the dispatch trace log: see dtl-entry.h. */
#include "dtl-entry.h"
#include "../base/big-endian.h"

struct dtl_entry dtl_entry_read(const u8 *p)
{
	return (struct dtl_entry){
		.dispatch_reason = p[0], .preempt_reason = p[1], .processor = be16_at(p + 2),
		.enqueue_to_dispatch = be32_at(p + 4), .ready_to_enqueue = be32_at(p + 8),
		.waiting_to_ready = be32_at(p + 12), .timebase = be64_at(p + 16), .srr0 = be64_at(p + 32),
	};
}

static void put_reason(const char *title, const char *const *name, size_t nr, u8 v, struct strbuf *out)
{
	strbuf_addf(out, "%s:", title);
	if (v < nr)
		strbuf_addstr(out, name[v]);
	else
		strbuf_addf(out, "%u", v);
	strbuf_addch(out, ',');
}

void dtl_reasons_put(const struct dtl_entry *e, struct strbuf *out)
{
	static const char *const dispatch[] = {
		"external_interrupt", "firmware_internal_event", "H_PROD", "decrementer_interrupt",
		"system_reset", "firmware_internal_event", "conferred_cycles", "time_slice",
		"virtual_memory_page_fault", "expropriated_adjunct", "priv_doorbell",
	};
	static const char *const preempt[] = {
		"unused", "firmware_internal_event", "H_CEDE", "H_CONFER", "time_slice",
		"migration_hibernation_page_fault", "virtual_memory_page_fault", "H_CONFER_ADJUNCT",
		"hcall_adjunct", "HDEC_adjunct",
	};

	put_reason("dispatch_reason", dispatch, ARRAY_SIZE(dispatch), e->dispatch_reason, out);
	strbuf_addch(out, ' ');
	put_reason("preempt_reason", preempt, ARRAY_SIZE(preempt), e->preempt_reason, out);
}

void dtl_entry_put(const struct dtl_entry *e, struct strbuf *out)
{
	strbuf_addf(out, "timebase: %llu ", (unsigned long long)e->timebase);
	dtl_reasons_put(e, out);
	strbuf_addf(out, "\nenqueue_to_dispatch_time:%u, ready_to_enqueue_time:%u,"
		    "waiting_to_ready_time:%u, processor_id: %u", e->enqueue_to_dispatch, e->ready_to_enqueue,
		    e->waiting_to_ready, e->processor);
}
