/*
 * Intel Processor Trace: the words of AUXTRACE_INFO, the dump, and what is made of the letters of --itrace.
 */
#include "aux-private.h"
#include "history.h"
#include "log.h"
#include "pt-walk.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

enum {
	WORD_PMU_TYPE, WORD_TIME_SHIFT, WORD_TIME_MULT, WORD_TIME_ZERO, WORD_CAP_TIME_ZERO, WORD_TSC_BIT,
	WORD_NORETCOMP_BIT, WORD_HAVE_SWITCH, WORD_SNAPSHOT, WORD_PER_CPU, WORD_MTC_BIT, WORD_MTC_FREQ_BITS,
	WORD_TSC_CTC_N, WORD_TSC_CTC_D, WORD_CYC_BIT, WORD_MAX_RATIO, WORD_FILTER_LEN
};

#define CONFIG_EVENT (1ull << 31)	/* IA32_RTIT_CTL.EventEn, term event */
#define DEFAULT_PERIOD_NS 100000
#define DEFAULT_FRAMES 16
#define DEFAULT_BRANCHES 64
#define DEFAULT_STEPS 100000
#define PSB_PLUS_SIZE 256u	/* the packets from PSB to PSBEND are shorter */

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
	u8 *group = state;
	size_t len = pt_packet_read(b->p, b->len, group, &p);

	pt_packet_print(&p, text);
	while (p.type != PT_BAD && len < PADDED_SIZE && len < b->len && !b->p[len])
		len++;
	return len;
}

static size_t pt_cut(const struct aux_bytes *b, size_t want, u64 *nr UNUSED)
{
	const u8 *psb = want < b->len ? pt_find_psb(b->p + want, b->len - want) : NULL;

	return psb ? (size_t)(psb - b->p) : b->len;
}

/* the event that recorded the trace; NULL: the file has none */
static const struct event *pt_recorded_by(const struct aux *a)
{
	vec_foreach(&a->data->evset->ev, ev)
		if ((*ev)->attr.type == aux_word(&a->words, WORD_PMU_TYPE))
			return *ev;
	return NULL;
}

/* the counter's value at the time; the inverse of aux_clock_ns() for differences */
static u64 ns_to_ticks(const struct aux *a, u64 ns)
{
	u64 mult = aux_word(&a->words, WORD_TIME_MULT);
	u64 shift = MIN(aux_word(&a->words, WORD_TIME_SHIFT), 32ull);

	return mult ? (u64)(((unsigned __int128)ns << shift) / mult) : ns;
}

static void set_period(const struct aux *a, struct pt_setup *s)
{
	const struct itrace_opts *o = &a->opts;
	bool none = !o->period && o->unit == ITRACE_NS && !o->has_period;
	u64 period = none ? DEFAULT_PERIOD_NS : o->period;

	s->ticks = o->unit != ITRACE_INSTRUCTIONS && period;
	if (o->unit == ITRACE_NS && period)
		period = ns_to_ticks(a, period);
	s->period = MIN(MAX(period, 1ull), 1ull << 56);
	if (s->ticks)	/* a power of 2, as upstream has it */
		s->period = 1ull << (63 - __builtin_clzll(s->period));
}

static void set_time(const struct aux *a, const struct event *ev, struct pt_time *t)
{
	u64 mask = aux_word(&a->words, WORD_MTC_FREQ_BITS), config = ev ? ev->attr.config : 0;

	*t = (struct pt_time){
		.num = MIN(aux_word(&a->words, WORD_TSC_CTC_N), (u64)UINT32_MAX),
		.den = MIN(aux_word(&a->words, WORD_TSC_CTC_D), (u64)UINT32_MAX),
		.max_ratio = aux_word(&a->words, WORD_MAX_RATIO) & 0xff,
		.counts_cycles = !ev || config & aux_word(&a->words, WORD_CYC_BIT),
	};
	if (mask)
		t->mtc_shift = (config & mask) >> __builtin_ctzll(mask) & 15;
}

static void set_clock(struct aux *a)
{
	a->clock = (struct aux_clock){
		.known = aux_word(&a->words, WORD_CAP_TIME_ZERO),
		.shift = MIN(aux_word(&a->words, WORD_TIME_SHIFT), 63ull),
		.mult = aux_word(&a->words, WORD_TIME_MULT), .zero = aux_word(&a->words, WORD_TIME_ZERO),
	};
}

/* the same for all events: what reads samples is fast then */
static u64 pt_fields(const struct aux *a)
{
	const struct pt_setup *s = a->setup;

	u64 own = a->opts.to_file ? 0 : ABI_SAMPLE_MADE | ABI_SAMPLE_INSN_FLAGS;

	if (s->nr_pebs)
		own |= ABI_SAMPLE_WEIGHT;
	if (!a->opts.to_file && a->opts.letters & itrace_letter('I'))
		own |= ABI_SAMPLE_RAW;		/* data of events */
	return own | (s->frames ? ABI_SAMPLE_CALLCHAIN : 0) | (s->last ? ABI_SAMPLE_BRANCH_STACK : 0);
}

void pt_add_event(struct aux *a, const struct event *ev, u32 nr, const char *name, u64 config, u64 period,
		  u64 fields)
{
	const u64 modes = ATTR_EXCLUDE_USER | ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV;
	u64 flags = ev ? ev->attr.flags : 0;
	struct strbuf full = STRBUF_INIT;

	strbuf_addstr(&full, name);
	if (flags & (modes | ATTR_EXCLUDE_GUEST))
		strbuf_addch(&full, ':');
	if (flags & modes)
		strbuf_addf(&full, "%s%s%s", flags & ATTR_EXCLUDE_USER ? "" : "u",
			    flags & ATTR_EXCLUDE_KERNEL ? "" : "k", flags & ATTR_EXCLUDE_HV ? "" : "h");
	if (flags & ATTR_EXCLUDE_GUEST)
		strbuf_addch(&full, 'H');
	aux_add_event(a, nr, strbuf_str(&full), config, period, fields);
	strbuf_release(&full);
}

/* events that are packets: rows of enum made_event */
static const struct {
	char letter;
	u8 nr, config;
	const char *name;
} made[] = {
	{ 'w', PT_EV_PTWRITE, MADE_PTWRITE, "ptwrite" }, { 'p', PT_EV_CBR, MADE_CBR, "cbr" },
	{ 'p', PT_EV_PSB, MADE_PSB, "psb" }, { 'p', PT_EV_MWAIT, MADE_MWAIT, "mwait" },
	{ 'p', PT_EV_PWRE, MADE_PWRE, "pwre" }, { 'p', PT_EV_EXSTOP, MADE_EXSTOP, "exstop" },
	{ 'p', PT_EV_PWRX, MADE_PWRX, "pwrx" }, { 'I', PT_EV_EVT, MADE_EVT, "evt" },
	{ 'I', PT_EV_IFLAG, MADE_IFLAG, "iflag" },
};

static void add_made(struct aux *a, u64 letters)
{
	for (size_t i = 0; i < ARRAY_SIZE(made); i++) {
		if (!(letters & itrace_letter(made[i].letter)))
			continue;
		aux_add_event(a, made[i].nr, made[i].name, made[i].config, 1, pt_fields(a));
		evset_at(a->data->evset, a->event[made[i].nr].idx)->attr.type = MADE_EVENT_TYPE;
	}
}

/* the letters if users typed none: as upstream */
static u64 default_letters(const struct aux *a)
{
	u64 letters = 0;

	for (const char *p = a->opts.lists ? "cepwx" : a->opts.to_file ? "ibxe" : "igxe"; *p; p++)
		letters |= itrace_letter(*p);
	/* samples that have parts of a trace were recorded for that */
	if (!a->opts.lists && !a->opts.to_file && evset_samples(a->data->evset, ABI_SAMPLE_AUX))
		letters |= itrace_letter('G');
	return letters;
}

/* without code, calls and the branches between packets are not known, and each instruction counts as one */
static void set_quick(struct aux *a, u64 *letters)
{
	struct pt_setup *s = a->setup;

	const u64 walked = itrace_letter('g') | itrace_letter('l') | itrace_letter('G') | itrace_letter('L');

	aux_leave_out(a, *letters & walked & a->opts.letters);
	*letters &= ~walked;
	s->ticks = false;
	s->period = 1;
}

/* events that are packets have facts that records of a kernel have no place for */
static void set_to_file(struct aux *a, u64 *letters)
{
	const u64 packets = itrace_letter('w') | itrace_letter('p') | itrace_letter('I') |
			    itrace_letter('G') | itrace_letter('L');

	aux_leave_out(a, *letters & packets);
	*letters &= ~packets;
	if (!aux_word(&a->words, WORD_PER_CPU))
		a->no_fields |= ABI_SAMPLE_CPU;
}

/* the word after the filters: the CPU has Event Trace */
static bool tells_irqs(const struct aux *a, const struct event *ev)
{
	u64 filters = aux_word(&a->words, WORD_FILTER_LEN);
	u64 at = WORD_FILTER_LEN + 1 + (filters ? filters / 8 + 1 : 0);

	return (!ev || ev->attr.config & CONFIG_EVENT) && at < a->words.nr && a->words.v[at] & 1;
}

/* the events whose PEBS records go into the trace (term aux-output) */
static void find_pebs(struct aux *a)
{
	struct pt_setup *s = a->setup;

	vec_foreach(&a->data->evset->ev, ev)
		if ((*ev)->attr.flags & ATTR_AUX_OUTPUT && s->nr_pebs < PT_PEBS_MAX)
			s->pebs[s->nr_pebs++] = (*ev)->idx;
}

/* copies of them, so that their samples have the fields of all others */
static void add_pebs(struct aux *a)
{
	const struct pt_setup *s = a->setup;

	for (u32 i = 0; i < s->nr_pebs; i++) {
		struct event *ev = evset_at(a->data->evset, s->pebs[i]), *copy;

		aux_add_event(a, PT_EV_PEBS + i, ev->name, ev->attr.config, ev->attr.sample_period,
			      pt_fields(a));
		copy = evset_at(a->data->evset, a->event[PT_EV_PEBS + i].idx);
		ev = evset_at(a->data->evset, s->pebs[i]);
		copy->attr.type = ev->attr.type;
		ev->dummy = true;	/* it has no records of its own */
	}
}

int pt_events(struct aux *a, struct err *err)
{
	struct pt_setup *s = xcalloc(1, sizeof(*s));
	const struct event *ev = pt_recorded_by(a);
	u64 letters = a->opts.letters ? a->opts.letters : default_letters(a);

	a->setup = s;
	set_clock(a);
	set_period(a, s);
	set_time(a, ev, &s->time);
	s->branches = letters & itrace_letter('b');
	s->calls = letters & itrace_letter('c');
	s->returns = letters & itrace_letter('r');
	a->wants_kernel = !a->opts.quick && !(ev && ev->attr.flags & ATTR_EXCLUDE_KERNEL);
	s->quick = MIN(a->opts.quick, (u32)PT_QUICKEST);
	if (a->opts.to_file)
		set_to_file(a, &letters);
	a->timeless = letters & itrace_letter('Z') || !a->clock.known;
	s->max_steps = a->opts.max_loops ? a->opts.max_loops : DEFAULT_STEPS;
	s->tells_irqs = tells_irqs(a, ev);
	s->mispred_all = a->opts.mispred_all;
	s->approx = letters & itrace_letter('A');
	s->errors = letters & itrace_letter('e');
	s->no_overflow = a->opts.no_overflow;
	a->lists_lost = s->errors && !a->opts.no_lost;
	s->compresses_returns = !ev || !(ev->attr.config & aux_word(&a->words, WORD_NORETCOMP_BIT));
	if (s->quick)
		set_quick(a, &letters);
	if (letters & itrace_letter('g'))
		s->frames = MIN(a->opts.frames ? a->opts.frames + 1 : DEFAULT_FRAMES + 1, (u32)PT_FRAMES_MAX);
	if (letters & itrace_letter('l'))
		s->last = a->opts.branches ? a->opts.branches : DEFAULT_BRANCHES;
	s->errors_in_order = a->opts.in_order;
	s->steps = letters & (itrace_letter('i') | itrace_letter('y'));
	s->depths = a->opts.depths && !s->quick;
	s->keeps_calls = s->frames || s->depths;
	a->measures = s->keeps_calls || s->last ||
		      (s->steps && !s->ticks && s->period > 1);
	if (letters & itrace_letter('o'))
		find_pebs(a);
	if (letters & itrace_letter('i'))
		pt_add_event(a, ev, PT_EV_INSTRUCTIONS, "instructions", PERF_COUNT_HW_INSTRUCTIONS, s->period,
			     pt_fields(a));
	if (letters & itrace_letter('y'))
		pt_add_event(a, ev, PT_EV_CYCLES, "cycles", PERF_COUNT_HW_CPU_CYCLES, s->period,
			     pt_fields(a));
	if (s->branches || s->calls || s->returns)
		pt_add_event(a, ev, PT_EV_BRANCHES, "branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 1,
			     pt_fields(a));
	if (letters & itrace_letter('x'))
		aux_add_event(a, PT_EV_TRANSACTIONS, "transactions", PERF_COUNT_HW_INSTRUCTIONS, 1,
			      pt_fields(a));
	if (letters & itrace_letter('G'))
		a->other_frames = MIN((a->opts.other_frames ? a->opts.other_frames : DEFAULT_FRAMES) + 1,
				      (u32)PT_FRAMES_MAX);
	if (letters & itrace_letter('L'))
		a->other_branches = a->opts.other_branches ? a->opts.other_branches : DEFAULT_BRANCHES;
	add_made(a, letters);
	add_pebs(a);
	s->khz = ns_to_ticks(a, 1000000);
	return letters & itrace_letter('d') ? aux_log_open(&a->log, &a->opts, "intel_pt.log", err) : 0;
}

void *pt_worker_new(const struct aux *a)
{
	return pt_code_new(a->machine, a->symbols, &arch_x86);
}

void pt_worker_free(void *worker)
{
	pt_code_free(worker);
}

static void pt_measure(const struct aux *a, const struct aux_piece *piece, void *worker, void *summary)
{
	const struct pt_setup *setup = a->setup;
	struct pt_summary *sum = summary;
	struct aux_out none = { .a = a };
	struct branch_entry last[ITRACE_FRAMES_MAX];
	struct pt_walk w = {
		.a = a, .setup = setup, .piece = piece, .out = &none, .code = worker, .time = setup->time,
		.is64 = true, .pid = -1, .tid = piece->tid, .measures = true,
		.calls = setup->keeps_calls ? &sum->calls : NULL, .last = last, .emits_branches = setup->last,
	};

	pt_walk_piece(&w);
	sum->insns = w.insns;
	sum->nr_last = setup->last ? pt_last_branches(&w, sum->last) : 0;
}

void pt_summary_add(void *before, const void *summary)
{
	const struct pt_summary *next = summary;
	struct pt_summary *s = before;

	u32 kept = MIN(s->nr_last, ITRACE_FRAMES_MAX - next->nr_last);

	s->insns += next->insns;
	pt_stack_add(&s->calls, &next->calls);
	memmove(s->last + next->nr_last, s->last, kept * sizeof(*s->last));
	memcpy(s->last, next->last, next->nr_last * sizeof(*s->last));
	s->nr_last = next->nr_last + kept;
}

static u64 pt_time_of(const struct aux *a, const struct aux_bytes *b)
{
	u64 tsc = pt_first_tsc(b->p, b->len);

	return tsc && a->clock.known ? aux_clock_ns(&a->clock, tsc) : 0;
}

/* the walk of a piece and what it fills; the branches before it are the last ones of a stream */
struct pt_decoder {
	struct pt_walk w;
	struct pt_stack calls;
	struct branch_entry last[ITRACE_FRAMES_MAX];
};

static void pt_walk_init(struct pt_decoder *d, const struct pt_setup *setup, const struct aux_piece *piece,
			 struct aux_out *out)
{
	const struct pt_summary *before = piece->before;
	struct pt_walk *w = &d->w;

	*w = (struct pt_walk){
		.a = out->a, .setup = setup, .piece = piece, .out = out, .code = out->worker,
		.time = setup->time, .is64 = true, .pid = -1, .tid = piece->tid,
		.calls = setup->keeps_calls ? &d->calls : NULL, .last = d->last,
	};
	if (w->calls)
		d->calls = before->calls;
	w->nr_last = setup->last ? MIN(before->nr_last, setup->last) : 0;
	for (u32 i = 0; i < w->nr_last; i++)
		d->last[w->nr_last - 1 - i] = before->last[i];
	w->last_at = w->nr_last ? w->nr_last - 1 : 0;
}

static void pt_begin(const struct aux *a, const struct aux_piece *piece, struct aux_out *out, void *walk)
{
	const struct pt_setup *setup = a->setup;
	struct pt_walk *w = &((struct pt_decoder *)walk)->w;

	pt_walk_init(walk, setup, piece, out);
	w->emits_branches = a->event[PT_EV_BRANCHES].on || setup->last || a->log;
	w->only_calls = a->event[PT_EV_BRANCHES].on && !setup->branches && !setup->last && !a->log;
	w->logs = a->log;
	if (w->logs)
		pt_log_piece(w);
	pt_walk_begin(w);
}

static bool pt_go_on(void *walk, size_t enough)
{
	struct pt_walk *w = &((struct pt_decoder *)walk)->w;
	bool more = pt_walk_more(w, enough);

	if (!more && w->a->event[PT_EV_INSTRUCTIONS].on && w->setup->ticks && !w->setup->quick)
		w->out->rest[PT_EV_INSTRUCTIONS] = w->insns - w->sampled;
	if (!more && w->a->event[PT_EV_CYCLES].on)
		w->out->rest[PT_EV_CYCLES] = w->time.all_cycles - w->told[PT_EV_INSTRUCTIONS].cycles;
	return more;
}

static void pt_carry(const void *walk, void *before)
{
	const struct pt_decoder *d = walk;
	struct pt_summary *s = before;

	s->insns += d->w.insns;
	s->nr_last = d->w.setup->last ? pt_last_branches(&d->w, s->last) : 0;
	if (d->w.calls)
		s->calls = d->calls;
}

/* what pt_history() keeps from piece to piece of a stream */
struct pt_history {
	struct pt_setup setup;	/* with the numbers of G and L */
	struct pt_summary before;
	s32 tid;
	bool walked;
	struct pt_decoder d;	/* of one piece; too large for a stack */
};

/* samples up to a time, or to the end of the stream, have what was so at the end of the last piece */
static void end_history(const struct aux *a, struct pt_history *h, u64 ns)
{
	const struct aux_piece none = { .tid = h->tid, .before = &h->before };
	struct aux_out out = { .a = a };

	if (h->walked) {
		pt_walk_init(&h->d, &h->setup, &none, &out);
		h->d.w.history = a->history;
		pt_emit_history(&h->d.w, ns);
	}
	h->walked = false;
	h->before = (struct pt_summary){ 0 };
}

static void pt_history(const struct aux *a, const struct aux_piece *piece, void *worker, void *state)
{
	struct pt_history *h = state;
	struct aux_out none = { .a = a, .worker = worker };
	struct pt_walk *w = &h->d.w;
	struct aux_piece p;

	h->setup = *(const struct pt_setup *)a->setup;
	h->setup.frames = a->other_frames;
	h->setup.last = a->other_branches;
	h->setup.keeps_calls = h->setup.frames;
	h->setup.depths = false;	/* no branches are written, and calls may not be kept */
	if (!piece || piece->starts)
		end_history(a, h, piece ? pt_time_of(a, &piece->b) : UINT64_MAX);
	if (!piece)
		return;
	p = *piece;
	p.before = &h->before;
	pt_walk_init(&h->d, &h->setup, &p, &none);
	w->measures = true;
	w->history = a->history;
	w->emits_branches = h->setup.last;
	w->tid = h->walked ? h->tid : p.tid;
	pt_walk_begin(w);
	pt_walk_more(w, SIZE_MAX);
	h->tid = w->tid;
	h->walked = true;
	h->before.nr_last = h->setup.last ? pt_last_branches(w, h->before.last) : 0;
	if (w->calls)
		h->before.calls = h->d.calls;
}

static void pt_decode(const struct aux *a, const struct aux_piece *piece, struct aux_out *out)
{
	struct pt_decoder d;

	pt_begin(a, piece, out, &d);
	pt_go_on(&d, SIZE_MAX);
}

const struct aux_kind aux_kind_intel_pt = {
	.type = 1, .name = "Intel PT", .title = "Intel Processor Trace data: size {size} bytes",
	.letters = "iybcrexwpoIdgGlLqsAZ", .pmu_word = WORD_PMU_TYPE, .ahead = PSB_PLUS_SIZE,
	.dump_words = pt_dump_words, .dump = pt_dump, .events = pt_events, .cut = pt_cut,
	.worker_new = pt_worker_new, .worker_free = pt_worker_free, .measure = pt_measure, .time = pt_time_of,
	.add = pt_summary_add, .measure_size = sizeof(struct pt_summary),
	.decode = pt_decode, .walk_size = sizeof(struct pt_decoder), .begin = pt_begin, .go_on = pt_go_on,
	.carry = pt_carry, .history = pt_history, .history_size = sizeof(struct pt_history),
};
