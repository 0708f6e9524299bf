/*
 * Power: the dispatch trace log of virtual processors, entries of 48 bytes, big-endian, which the hypervisor
 * writes (Linux on Power Architecture Reference, "Dispatch Trace Log Buffer"): why a virtual processor was
 * dispatched and had been preempted, and how long it waited. A trace is dumped, and has no samples.
 */
#include "aux-private.h"

#include <endian.h>
#include <string.h>

#define ENTRY_SIZE 48u

static const char *const dispatch_reason[] = {
	"external_interrupt", "firmware_internal_event", "H_PROD", "decrementer_interrupt", "system_reset",
	"firmware_internal_event", "conferred_cycles", "time_slice", "virtual_memory_page_fault",
	"expropriated_adjunct", "priv_doorbell",
};
static const char *const preempt_reason[] = {
	"unused", "firmware_internal_event", "H_CEDE", "H_CONFER", "time_slice",
	"migration_hibernation_page_fault", "virtual_memory_page_fault", "H_CONFER_ADJUNCT", "hcall_adjunct",
	"HDEC_adjunct",
};

static void dtl_dump_words(const struct aux_words *w, const struct stream_format *f, struct strbuf *out)
{
	stream_words(f, out, "  PMU Type           {pmu-type}\n", STREAM_NUMBER(aux_word(w, 0)));
}

static void put_reason(const char *title, const char *const *name, size_t nr, u8 v, struct strbuf *text)
{
	strbuf_addf(text, "%s:", title);
	if (v < nr)
		strbuf_addstr(text, name[v]);
	else
		strbuf_addf(text, "%u", v);
	strbuf_addstr(text, ", ");
}

static u32 u32_at(const u8 *p)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return be32toh(v);
}

static size_t dtl_dump(const struct aux_bytes *b, void *state UNUSED, struct strbuf *text)
{
	if (b->len < ENTRY_SIZE) {
		strbuf_addstr(text, "entry without its end");
		return b->len;
	}
	put_reason("dispatch_reason", dispatch_reason, ARRAY_SIZE(dispatch_reason), b->p[0], text);
	put_reason("preempt_reason", preempt_reason, ARRAY_SIZE(preempt_reason), b->p[1], text);
	strbuf_addf(text, "enqueue_to_dispatch_time:%u, ready_to_enqueue_time:%u, waiting_to_ready_time:%u",
		    u32_at(b->p + 4), u32_at(b->p + 8), u32_at(b->p + 12));
	return ENTRY_SIZE;
}

const struct aux_kind aux_kind_vpa_dtl = {
	.type = 7, .name = "Power VPA DTL", .title = "VPA DTL PMU data: size {size} bytes", .letters = "",
	.dump_words = dtl_dump_words, .dump = dtl_dump,
};
