/* Intel Processor Trace: the words of AUXTRACE_INFO and the dump. */
#include "aux-private.h"
#include "pt-packet.h"

#include <string.h>

enum { WORD_PMU_TYPE = 0, WORD_FILTER_LEN = 16 };

#define PADDED_SIZE 8u	/* zeros after a shorter packet are shown in its line, up to as many bytes */

static const char *const word_text[] = {
	"  PMU Type            {pmu-type}\n",
	"  Time Shift          {time-shift}\n",
	"  Time Multiplier     {time-multiplier}\n",
	"  Time Zero           {time-zero}\n",
	"  Cap Time Zero       {cap-time-zero}\n",
	"  TSC bit             {tsc-bit:#x}\n",
	"  NoRETComp bit       {noretcomp-bit:#x}\n",
	"  Have sched_switch   {have-sched-switch}\n",
	"  Snapshot mode       {snapshot-mode}\n",
	"  Per-cpu maps        {per-cpu-maps}\n",
	"  MTC bit             {mtc-bit:#x}\n",
	"  MTC freq bits       {mtc-freq-bits:#x}\n",
	"  TSC:CTC numerator   {tsc-ctc-numerator}\n",
	"  TSC:CTC denominator {tsc-ctc-denominator}\n",
	"  CYC bit             {cyc-bit:#x}\n",
	"  Max non-turbo ratio {max-non-turbo-ratio}\n",
	"  Filter string len.  {filter-length}\n",
};

/* the filters of the recording: text of a known length, then one zero or more to the end of a word */
static u32 dump_filter(const struct aux_words *w, const struct stream_format *f, struct strbuf *out)
{
	u32 at = WORD_FILTER_LEN + 1;
	u64 size = MIN(aux_word(w, WORD_FILTER_LEN), (u64)(w->nr - at) * 8);
	struct strbuf text = STRBUF_INIT;

	for (u64 i = 0; i < size; i++) {
		char c = w->v[at + i / 8] >> 8 * (i % 8);

		if (!c)
			break;
		strbuf_addch(&text, c);
	}
	stream_words(f, out, "  Filter string       {filter}\n", STREAM_TEXT(strbuf_str(&text)));
	strbuf_release(&text);
	return at + (size ? size / 8 + 1 : 0);
}

static void pt_dump_words(const struct aux_words *w, const struct stream_format *f, struct strbuf *out)
{
	u32 at;

	for (u32 i = 0; i < MIN(w->nr, (u32)ARRAY_SIZE(word_text)); i++)
		stream_words(f, out, word_text[i], STREAM_NUMBER(w->v[i]));
	if (w->nr <= WORD_FILTER_LEN)
		return;
	at = dump_filter(w, f, out);
	if (at < w->nr)
		stream_words(f, out, "  Cap Event Trace     {cap-event-trace}\n", STREAM_NUMBER(w->v[at]));
}

static size_t pt_dump(const struct aux_bytes *b, void *state, struct strbuf *text)
{
	struct pt_packet p;
	u8 *block = state;
	size_t len = pt_packet_read(b->p, b->len, block, &p);

	pt_packet_print(&p, text);
	while (p.type != PT_BAD && len < PADDED_SIZE && len < b->len && !b->p[len])
		len++;
	return len;
}

const struct aux_kind aux_kind_intel_pt = {
	.type = 1, .name = "Intel PT", .title = "Intel Processor Trace data: size {size} bytes", .letters = "",
	.pmu_word = WORD_PMU_TYPE,
	.dump_words = pt_dump_words, .dump = pt_dump,
};
