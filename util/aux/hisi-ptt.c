/*
 * HiSilicon PCIe Tune and Trace: the headers of packets of a PCIe link, little-endian words of 4 bytes. The
 * kernel's page "HiSilicon PCIe Tune and Trace device" has both formats: of 4 words, the first of which is
 * made of bits, and of 8, the first of which has 21 ones at the top. A trace is dumped, and has no samples.
 */
#include "aux-private.h"

#include <endian.h>
#include <string.h>

#define WORD_SIZE 4u
#define CHECK_MASK 0xfffff800u	/* of the first word of 8 */

/* what the dump of a record keeps from word to word */
struct ptt_state {
	bool known, is_long;
	u8 at;			/* number of the word in its packet */
};
_Static_assert(sizeof(struct ptt_state) <= AUX_DUMP_STATE, "the state of a dump has room");

static void ptt_dump_words(const struct aux_words *w, const struct stream_format *f, struct strbuf *out)
{
	stream_words(f, out, "  PMU Type           {pmu-type}\n", STREAM_NUMBER(aux_word(w, 0)));
}

static void put_first(u32 v, struct strbuf *text)
{
	strbuf_addf(text, "Format %x Type %x T9 %x T8 %x TH %x SO %x Length %x Time %x", v >> 30,
		    v >> 25 & 0x1f, v >> 24 & 1, v >> 23 & 1, v >> 22 & 1, v >> 21 & 1, v >> 11 & 0x3ff,
		    v & 0x7ff);
}

static size_t ptt_dump(const struct aux_bytes *b, void *state, struct strbuf *text)
{
	static const char *const short_name[] = { NULL, "Header DW1", "Header DW2", "Header DW3" };
	static const char *const long_name[] = { "Check", "Prefix", "Header DW0", "Header DW1", "Header DW2",
						 "Header DW3", "Reserved", "Time" };
	struct ptt_state *s = state;
	u32 v;

	if (b->len < WORD_SIZE) {
		strbuf_addstr(text, "word without its end");
		return b->len;
	}
	memcpy(&v, b->p, sizeof(v));
	v = le32toh(v);
	if (!s->known)
		s->is_long = (v & CHECK_MASK) == CHECK_MASK;
	s->known = true;
	if (!s->is_long && !s->at)
		put_first(v, text);
	else
		strbuf_addstr(text, (s->is_long ? long_name : short_name)[s->at]);
	s->at = (s->at + 1) % (s->is_long ? ARRAY_SIZE(long_name) : ARRAY_SIZE(short_name));
	return WORD_SIZE;
}

const struct aux_kind aux_kind_hisi_ptt = {
	.type = 6, .name = "HiSilicon PTT", .title = "HISI PTT data: size {size} bytes", .letters = "",
	.dump_words = ptt_dump_words, .dump = ptt_dump,
};
