/*
 * Intel Branch Trace Store: rows of three u64: where a branch was taken from, where it led, flags (bit 4:
 * it was predicted). Intel SDM, volume 3, "BTS buffer". They say neither when a branch was
 * taken nor which instruction it was.
 */
#include "aux-private.h"

#include <endian.h>
#include <linux/perf_event.h>
#include <string.h>

#define ROW_SIZE 24u
#define BTS_PREDICTED 0x10u

enum { BTS_BRANCHES };

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

static size_t bts_cut(const struct aux_bytes *b, size_t want, u64 *nr)
{
	size_t rows = (want + ROW_SIZE - 1) / ROW_SIZE;

	*nr += rows;
	return MIN(rows * ROW_SIZE, b->len);
}

/* rows have no time, so samples have none, and are after all other records */
static int bts_events(struct aux *a, struct err *err UNUSED)
{
	a->timeless = true;
	if (!a->opts.letters || a->opts.letters & itrace_letter('b'))
		aux_add_event(a, BTS_BRANCHES, "branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 1, 0);
	return 0;
}

static void bts_decode(const struct aux *a, const struct aux_piece *piece, struct aux_out *out)
{
	const struct aux_bytes *b = &piece->b;
	size_t at = 0;

	for (; b->len - at >= ROW_SIZE; at += ROW_SIZE) {
		struct aux_sample s = {
			.ip = row_u64(b->p + at, 0), .addr = row_u64(b->p + at, 1), .period = 1,
			.pid = -1, .tid = piece->tid, .cpu = piece->cpu,
		};

		if (!s.ip && !s.addr)	/* the recorder's padding */
			continue;
		s.cpumode = s.ip >> 63 ? CPUMODE_KERNEL : CPUMODE_USER;
		if (s.tid < 0)
			aux_thread_at(a, s.cpu, piece->time, &s.pid, &s.tid);
		if (a->event[BTS_BRANCHES].on)
			aux_out_sample(out, &a->event[BTS_BRANCHES], &s);
	}
	for (; at < b->len; at++) {
		if (!b->p[at])		/* padding */
			continue;
		diag_count(&out->diag, DIAG_AUX_BAD_PACKET, b->off + at);
		return;
	}
}

const struct aux_kind aux_kind_intel_bts = {
	.type = 2, .name = "Intel BTS", .title = "Intel BTS data: size {size} bytes", .letters = "bes",
	.dump_words = bts_dump_words, .dump = bts_dump, .events = bts_events, .cut = bts_cut,
	.decode = bts_decode,
};
