/*
 * Power: the dispatch trace log of virtual processors. Its entries (event/dtl-entry.h) are samples: of the
 * kernel's address where the processor continued, with all of the entry. The first entry of a CPU is the
 * kernel's own, in its byte order: the time base when the machine booted, and its frequency.
 */
#include "aux-private.h"
#include "../event/dtl-entry.h"
#include "../event/insn-flags.h"

#include <byteswap.h>
#include <string.h>

/* the kernel's entry: words 0 and 1, and 0 where others have the time base */
enum { WORD_BOOT, WORD_FREQUENCY };

/* what the entries of a CPU are told by; frequency 0: not known */
struct dtl_clock {
	u64 boot, frequency;
};

static void dtl_dump_words(const struct aux_words *w, const struct stream_format *f, struct strbuf *out)
{
	stream_words(f, out, "  PMU Type           {pmu-type}\n", STREAM_NUMBER(aux_word(w, 0)));
}

/* true if that is what the entry at p tells. No machine has 2^32 ticks per second: one byte order is left */
static bool read_clock(const u8 *p, struct dtl_clock *ret)
{
	u64 word[2];

	if (dtl_entry_read(p).timebase)
		return false;
	memcpy(word, p, sizeof(word));
	if (word[WORD_FREQUENCY] > bswap_64(word[WORD_FREQUENCY])) {
		word[WORD_BOOT] = bswap_64(word[WORD_BOOT]);
		word[WORD_FREQUENCY] = bswap_64(word[WORD_FREQUENCY]);
	}
	*ret = (struct dtl_clock){ word[WORD_BOOT], word[WORD_FREQUENCY] };
	return true;
}

static u64 dtl_time(const struct dtl_clock *c, u64 timebase)
{
	enum { NS = 1000000000 };

	u64 ticks = timebase - c->boot;

	if (!c->frequency || timebase < c->boot)
		return 0;
	return ticks / c->frequency * NS + ticks % c->frequency * NS / c->frequency;
}

static size_t dtl_dump(const struct aux_bytes *b, void *state UNUSED, struct strbuf *text)
{
	struct dtl_clock clock;
	struct dtl_entry e;

	if (b->len < DTL_ENTRY_SIZE) {
		strbuf_addstr(text, "entry without its end");
		return b->len;
	}
	if (read_clock(b->p, &clock)) {
		strbuf_addf(text, "boot_tb: %llu, tb_freq: %llu", (unsigned long long)clock.boot,
			    (unsigned long long)clock.frequency);
		return DTL_ENTRY_SIZE;
	}
	e = dtl_entry_read(b->p);
	dtl_reasons_put(&e, text);
	strbuf_addf(text, " enqueue_to_dispatch_time:%u, ready_to_enqueue_time:%u, waiting_to_ready_time:%u",
		    e.enqueue_to_dispatch, e.ready_to_enqueue, e.waiting_to_ready);
	return DTL_ENTRY_SIZE;
}

static int dtl_events(struct aux *a, struct err *err UNUSED)
{
	a->measures = true;	/* finds the clock */
	aux_add_event(a, 0, "vpa-dtl", MADE_VPA_DTL, 1, ABI_SAMPLE_RAW);
	evset_at(a->data->evset, a->event[0].idx)->attr.type = MADE_EVENT_TYPE;
	return 0;
}

static size_t dtl_cut(const struct aux_bytes *b, size_t want, u64 *nr)
{
	size_t entries = (want + DTL_ENTRY_SIZE - 1) / DTL_ENTRY_SIZE;

	if (entries * DTL_ENTRY_SIZE >= b->len)
		entries = b->len / DTL_ENTRY_SIZE;
	*nr += entries;
	return entries * DTL_ENTRY_SIZE >= want ? entries * DTL_ENTRY_SIZE : b->len;
}

static void dtl_measure(const struct aux *a UNUSED, const struct aux_piece *piece, void *worker UNUSED,
			void *summary)
{
	for (size_t at = 0; at + DTL_ENTRY_SIZE <= piece->b.len; at += DTL_ENTRY_SIZE)
		read_clock(piece->b.p + at, summary);
}

static void dtl_add(void *before, const void *summary)
{
	const struct dtl_clock *c = summary;

	if (c->frequency)
		memcpy(before, c, sizeof(*c));
}

static void dtl_decode(const struct aux *a, const struct aux_piece *piece, struct aux_out *out)
{
	enum { RAW_SIZE = DTL_ENTRY_SIZE + 4 };		/* and zeros, to the end of a word */
	struct dtl_clock clock = { 0 };
	u8 raw[RAW_SIZE] = { 0 };
	size_t at = 0;

	if (piece->before)
		memcpy(&clock, piece->before, sizeof(clock));
	for (; at + DTL_ENTRY_SIZE <= piece->b.len; at += DTL_ENTRY_SIZE) {
		const u8 *p = piece->b.p + at;
		struct dtl_entry e = dtl_entry_read(p);
		struct aux_sample s = { .ip = e.srr0, .period = 1, .cpu = piece->cpu, .raw = raw,
					.raw_size = RAW_SIZE, .cpumode = CPUMODE_KERNEL };

		if (read_clock(p, &clock))
			continue;
		memcpy(raw, p, DTL_ENTRY_SIZE);
		s.time = dtl_time(&clock, e.timebase);
		aux_out_sample(out, &a->event[0], &s);
	}
	if (at < piece->b.len)
		diag_count(&out->diag, DIAG_AUX_BAD_PACKET, piece->b.off + at);
}

const struct aux_kind aux_kind_vpa_dtl = {
	.type = 7, .name = "Power VPA DTL", .title = "VPA DTL PMU data: size {size} bytes", .letters = "s",
	.dump_words = dtl_dump_words, .dump = dtl_dump, .events = dtl_events, .cut = dtl_cut,
	.measure_size = sizeof(struct dtl_clock), .measure = dtl_measure, .add = dtl_add,
	.decode = dtl_decode,
};
