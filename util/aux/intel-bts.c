/*
 * Intel Branch Trace Store: rows of three u64: where a branch was taken from, where it led, flags (bit 4:
 * it was predicted). Intel SDM, volume 3, "BTS buffer". Only the dump knows them so far.
 */
#include "aux-private.h"

#include <endian.h>
#include <string.h>

#define ROW_SIZE 24u
#define BTS_PREDICTED 0x10u

static void bts_dump_words(const struct aux_words *w, const struct stream_format *f, struct strbuf *out)
{
	stream_words(f, out, "  PMU Type           {pmu-type}\n  Time Shift         {time-shift}\n"
		     "  Time Multiplier    {time-multiplier}\n  Time Zero          {time-zero}\n"
		     "  Cap Time Zero      {cap-time-zero}\n  Snapshot mode      {snapshot-mode}\n",
		     STREAM_NUMBER(aux_word(w, 0)), STREAM_NUMBER(aux_word(w, 1)),
		     STREAM_NUMBER(aux_word(w, 2)), STREAM_NUMBER(aux_word(w, 3)),
		     STREAM_NUMBER(aux_word(w, 4)), STREAM_NUMBER(aux_word(w, 5)));
}

static u64 row_u64(const u8 *p, u32 i)
{
	u64 v;

	memcpy(&v, p + 8 * i, sizeof(v));
	return le64toh(v);
}

static size_t bts_dump(const struct aux_bytes *b, void *state UNUSED, struct strbuf *text)
{
	if (b->len < ROW_SIZE) {
		strbuf_addstr(text, "row without its end");
		return b->len;
	}
	strbuf_addf(text, "%llx -> %llx %s", (unsigned long long)row_u64(b->p, 0),
		    (unsigned long long)row_u64(b->p, 1), row_u64(b->p, 2) & BTS_PREDICTED ? "pred" : "miss");
	return ROW_SIZE;
}

const struct aux_kind aux_kind_intel_bts = {
	.type = 2, .name = "Intel BTS", .title = "Intel BTS data", .letters = "",
	.dump_words = bts_dump_words, .dump = bts_dump,
};
