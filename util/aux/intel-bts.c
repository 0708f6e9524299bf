/*
 * Intel Branch Trace Store: rows of three u64: where a branch was taken from, where it led, flags (bit 4:
 * it was predicted). Intel SDM, volume 3, "BTS buffer". They do not say when a branch was taken; which
 * instruction it was, its code says, if that is there.
 */
#include "pt-walk.h"

#include <endian.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#define ROW_SIZE 24u
#define BTS_PREDICTED 0x10u


enum { BTS_BRANCHES };

/* which branches are samples, and whether missing code is listed */
struct bts_setup {
	u64 flags;		/* any of these; 0: all branches */
	bool errors;
};

/* of a thread of the pool: code, and whose it is now */
struct bts_worker {
	struct pt_code *code;
	s32 pid, tid;
	bool set;
};

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
	struct bts_setup *s = xcalloc(1, sizeof(*s));
	u64 letters = a->opts.letters ? a->opts.letters : itrace_letter('b');

	a->setup = s;
	a->timeless = true;
	a->wants_kernel = true;
	s->errors = letters & itrace_letter('e');
	if (letters & itrace_letter('c') && !(letters & itrace_letter('b')))
		s->flags |= INSN_CALL | INSN_ASYNC | INSN_TRACE_END;
	if (letters & itrace_letter('r') && !(letters & itrace_letter('b')))
		s->flags |= INSN_RETURN | INSN_TRACE_BEGIN;
	if (s->flags || letters & itrace_letter('b'))
		aux_add_event(a, BTS_BRANCHES, "branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 1,
			      a->opts.to_file ? 0 : ABI_SAMPLE_INSN_FLAGS);
	return 0;
}

static void *bts_worker_new(const struct aux *a)
{
	struct bts_worker *w = xcalloc(1, sizeof(*w));

	w->code = pt_code_new(a->machine, a->symbols, &arch_x86);
	return w;
}

static void bts_worker_free(void *worker)
{
	struct bts_worker *w = worker;

	pt_code_free(w->code);
	free(w);
}

static void set_task(const struct aux *a, struct bts_worker *w, struct aux_sample *s)
{
	struct sample_ctx ctx;

	if (!w->set || w->tid != s->tid) {
		ctx = machine_sample_ctx(a->machine, s->pid, s->tid,
					 (struct when){ AUX_NO_TIME, UINT64_MAX });
		pt_code_set(w->code, &ctx, true);
		w->tid = s->tid;
		w->pid = ctx.thread ? ctx.thread->pid : -1;
		w->set = true;
	}
	s->pid = s->pid < 0 ? w->pid : s->pid;
}

/* what the instruction is, by its code; an event other than a branch can only lead to the kernel */
static u64 find_flags(struct bts_worker *w, const struct aux_sample *s, bool *ret_missing)
{
	const struct pt_block *b;

	*ret_missing = false;
	if (!s->ip)
		return INSN_BRANCH | INSN_TRACE_BEGIN;
	if (!s->addr)
		return INSN_BRANCH | INSN_TRACE_END;
	b = pt_code_block(w->code, s->ip);
	*ret_missing = !b;
	if (!b)
		return 0;
	if (b->nr == 1 && pt_kind_flags(b->kind))
		return pt_kind_flags(b->kind) | (u64)b->len[0] << INSN_LEN_SHIFT;
	return (s->addr >> 63 && !(s->ip >> 63) ? INSN_BRANCH | INSN_CALL | INSN_ASYNC | INSN_INTERRUPT : 0) |
	       (u64)b->len[0] << INSN_LEN_SHIFT;
}

/* as upstream numbers it */
static void tell_missing(struct aux_out *out, const struct aux_sample *s)
{
	aux_out_error(out, &(struct aux_error){ .code = 5, .text = "Failed to get instruction", .cpu = s->cpu,
						.pid = s->pid, .tid = s->tid, .ip = s->ip });
}

static void decode_row(const struct aux *a, struct aux_sample *s, struct aux_out *out)
{
	const struct bts_setup *setup = a->setup;
	struct bts_worker *w = out->worker;
	bool missing = false;

	set_task(a, w, s);
	if (!a->opts.to_file || setup->flags)
		s->insn_flags = find_flags(w, s, &missing);
	if (missing && setup->errors)
		tell_missing(out, s);
	s->cpumode = s->ip >> 63 ? CPUMODE_KERNEL : CPUMODE_USER;
	if (a->event[BTS_BRANCHES].on && (!setup->flags || s->insn_flags & setup->flags))
		aux_out_sample(out, &a->event[BTS_BRANCHES], s);
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
		if (s.tid < 0)
			aux_thread_at(a, s.cpu, piece->time, &s.pid, &s.tid);
		decode_row(a, &s, out);
	}
	for (; at < b->len; at++) {
		if (!b->p[at])		/* padding */
			continue;
		diag_count(&out->diag, DIAG_AUX_BAD_PACKET, b->off + at);
		return;
	}
}

const struct aux_kind aux_kind_intel_bts = {
	.type = 2, .name = "Intel BTS", .title = "Intel BTS data: size {size} bytes", .letters = "bcres",
	.dump_words = bts_dump_words, .dump = bts_dump, .events = bts_events, .cut = bts_cut,
	.worker_new = bts_worker_new, .worker_free = bts_worker_free, .decode = bts_decode,
};
