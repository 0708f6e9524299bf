/* Arm CoreSight: the words of AUXTRACE_INFO, the dump, and what is made of the letters of --itrace. */
#include "etm-frames.h"
#include "etm-walk.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_PERIOD 100000
#define DEFAULT_FRAMES 16
#define DEFAULT_BRANCHES 64
#define SEARCH_MAX (1u << 20)	/* bytes after the wanted end of a piece; after them, any ASYNC ends it */
#define SYNC_SIZE 128u		/* an ASYNC packet and those after it that say how things are, are shorter */
#define TS_VIRTUAL 1		/* TS_SOURCE: time stamps are of the counter that TIME_CONV describes */

static void dump_word(const char *name, u64 v, const struct stream_format *f, struct strbuf *out, bool first)
{
	if (!first)
		f->next_row(out);
	f->begin_row(out);
	stream_words(f, out, "\t{name:-22s} {value:x}\n", STREAM_TEXT(name), STREAM_NUMBER(v));
	f->end_row(out);
}

static void dump_unit(const struct aux_words *w, const struct etm_unit *u, const struct stream_format *f,
		      struct strbuf *out)
{
	dump_word("Magic number", u->magic, f, out, false);
	dump_word("CPU", u->cpu, f, out, false);
	if (aux_word(w, 0) >= 1)
		dump_word("NR_TRC_PARAMS", u->nr, f, out, false);
	for (u32 i = 0; i < u->nr; i++)
		dump_word(etm_register(u, i) ? etm_register(u, i) : "not known", w->v[u->first + i], f, out,
			  false);
}

static void cs_dump_words(const struct aux_words *w, const struct stream_format *f, struct strbuf *out)
{
	struct etm_unit *u;
	u32 nr = etm_units(w, &u);

	f->begin_rows(out, "words");
	dump_word("Header version", aux_word(w, 0), f, out, true);
	dump_word("PMU type/num cpus", aux_word(w, 1), f, out, false);
	dump_word("Snapshot", aux_word(w, 2), f, out, false);
	for (u32 i = 0; i < nr; i++)
		dump_unit(w, &u[i], f, out);
	f->end_rows(out);
	free(u);
}

/* what the dump of one source keeps from packet to packet */
struct dump_state {
	struct etm_config c;
	struct etm_state s;
	bool v3;		/* packets of ETMv3 or PTM */
};
_Static_assert(sizeof(struct dump_state) <= AUX_DUMP_STATE, "the state of a dump has room");

static void cs_dump_begin(const struct aux_words *w, u32 cpu, u32 id, void *state)
{
	const struct etm_unit *unit;
	struct dump_state *d = state;
	struct etm_unit *u;
	u32 nr = etm_units(w, &u);

	unit = etm_unit_find(u, nr, id, cpu);
	if (unit) {
		d->c = unit->c;
		d->v3 = unit->magic == ETM_MAGIC_V3;
	}
	free(u);
}

static size_t cs_dump(const struct aux_bytes *b, void *state, struct strbuf *text)
{
	struct dump_state *d = state;
	struct etm_packet p;
	size_t len;

	if (d->v3) {
		strbuf_addstr(text, "packets of ETMv3 or PTM, which perf does not dump");
		return b->len;
	}
	len = etm_packet_read(b->p, b->len, &d->c, &d->s, &p);
	if (p.type == ETM_BAD && etm_is_padding(b->p, b->len)) {
		strbuf_addstr(text, "padding");
		return b->len;
	}
	etm_packet_print(&p, text);
	return len;
}

static void cs_dump_sources(const struct aux_bytes *b, aux_emit_source *emit, void *ctx)
{
	struct etm_frames f = { 0 };

	if (etm_has_no_frames(b->p, b->len))
		return emit(ctx, 0, b);
	for (size_t at = 0; at < b->len;)
		at += etm_frames_add(&f, b->p + at, b->len - at);
	for (u32 i = 0; i < ETM_IDS; i++)
		if (f.of[i].len)
			emit(ctx, i, &(struct aux_bytes){ (const u8 *)f.of[i].buf, f.of[i].len, 0 });
	etm_frames_release(&f);
}

/* ---- samples ---- */

static struct etm_setup *setup_new(const struct aux *a)
{
	struct etm_unit *u;
	u32 nr = etm_units(&a->words, &u);
	struct etm_setup *s = xcalloc(1, sizeof(*s) + nr * sizeof(*u));

	s->nr_units = nr;
	if (nr)
		memcpy(s->unit, u, nr * sizeof(*u));
	free(u);
	return s;
}

/* the event that recorded the trace; NULL: the file has none */
static const struct event *recorded_by(const struct aux *a)
{
	vec_foreach(&a->data->evset->ev, ev)
		if ((*ev)->attr.type == aux_pmu_type(a))
			return *ev;
	return NULL;
}

/* the letters if users typed none: as upstream */
static u64 default_letters(const struct aux *a)
{
	return a->opts.lists ? itrace_letter('c') | itrace_letter('e') :
	       itrace_letter('i') | itrace_letter('b') | itrace_letter('g') | itrace_letter('e');
}

/* a trace has no times of single instructions, so periods in time count each as a nanosecond, or as a tick */
static void set_period(const struct aux *a, struct pt_setup *s)
{
	const struct itrace_opts *o = &a->opts;
	u64 period = o->period || o->has_period || o->unit != ITRACE_NS ? o->period : DEFAULT_PERIOD;

	s->period = MIN(MAX(period, 1ull), 1ull << 56);
}

static u64 fields(const struct etm_setup *setup)
{
	const struct pt_setup *s = &setup->pt;
	bool counts = false;

	for (u32 i = 0; i < setup->nr_units; i++)
		counts |= setup->unit[i].counts;
	return ABI_SAMPLE_INSN_FLAGS | (counts ? ABI_SAMPLE_MADE : 0ull) |
	       (s->frames ? ABI_SAMPLE_CALLCHAIN : 0) | (s->last ? ABI_SAMPLE_BRANCH_STACK : 0);
}

int etm_events(struct aux *a, struct err *err UNUSED)
{
	u64 letters = a->opts.letters ? a->opts.letters : default_letters(a);
	const struct event *ev = recorded_by(a);
	struct etm_setup *setup = setup_new(a);
	struct pt_setup *s = &setup->pt;

	a->setup = setup;
	a->timeless = ev && !(ev->attr.sample_type & ABI_SAMPLE_TIME);
	set_period(a, s);
	s->branches = letters & itrace_letter('b');
	s->calls = letters & itrace_letter('c');
	s->returns = letters & itrace_letter('r');
	setup->kernel_time = letters & itrace_letter('T');
	s->steps = letters & (itrace_letter('i') | itrace_letter('y'));
	if (letters & itrace_letter('g'))
		s->frames = MIN(a->opts.frames ? a->opts.frames + 1 : DEFAULT_FRAMES + 1, (u32)PT_FRAMES_MAX);
	if (letters & itrace_letter('l'))
		s->last = a->opts.branches ? a->opts.branches : DEFAULT_BRANCHES;
	a->measures = s->frames || s->last || (s->steps && s->period > 1);
	if (letters & itrace_letter('i'))
		pt_add_event(a, ev, PT_EV_INSTRUCTIONS, "instructions", PERF_COUNT_HW_INSTRUCTIONS, s->period,
			     fields(setup));
	if (letters & itrace_letter('y'))
		pt_add_event(a, ev, PT_EV_CYCLES, "cycles", PERF_COUNT_HW_CPU_CYCLES, s->period,
			     fields(setup));
	if (s->branches || s->calls || s->returns)
		pt_add_event(a, ev, PT_EV_BRANCHES, "branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 1,
			     fields(setup));
	return 0;
}

/* the trace info after an ASYNC packet says that elements before it are not certain yet */
static bool is_speculative(const u8 *p, size_t len)
{
	const struct etm_config none = { 0 };
	struct etm_state s = { 0 };
	struct etm_packet pk;

	if (len <= ETM_ASYNC_SIZE)
		return false;
	etm_packet_read(p + ETM_ASYNC_SIZE, len - ETM_ASYNC_SIZE, &none, &s, &pk);
	return pk.type == ETM_TRACE_INFO && pk.commits;
}

static size_t cs_cut(const struct aux_bytes *b, size_t want, u64 *nr UNUSED)
{
	for (size_t at = want; at < b->len;) {
		const u8 *async = etm_find_async(b->p + at, b->len - at);

		if (!async)
			break;
		at = async - b->p;
		if (at - want > SEARCH_MAX || !is_speculative(async, b->len - at))
			return at;
		at += ETM_ASYNC_SIZE;
	}
	return b->len;
}

void *etm_worker_new(const struct aux *a)
{
	struct etm_worker *w = xcalloc(1, sizeof(*w));
	const struct etm_config none = { 0 };
	struct etm_state s = { 0 };
	struct etm_packet p;

	w->code = pt_code_new(a->machine, a->symbols, &arch_arm64);
	for (u32 i = 0; i < ARRAY_SIZE(w->atom); i++) {
		u8 header = 0xc0 + i;

		etm_packet_read(&header, 1, &none, &s, &p);
		w->atom[i] = (struct etm_atoms){ p.atoms, p.nr };
	}
	return w;
}

void etm_worker_free(void *worker)
{
	struct etm_worker *w = worker;

	pt_code_free(w->code);
	free(w);
}

bool etm_has_times(const struct aux *a, const struct etm_unit *u)
{
	const struct etm_setup *setup = a->setup;

	return setup->kernel_time || (a->clock.known && u->ts_source == TS_VIRTUAL);
}

/* walks a piece; w: what is shared with Intel PT, as far as the caller sets it. Returns w as it is then */
static struct pt_walk walk(const struct aux *a, const struct aux_piece *piece, void *worker, struct pt_walk w)
{
	const struct etm_setup *setup = a->setup;
	struct etm_worker *own = worker;
	struct etm_walk e = {
		.w = w, .unit = etm_unit_find(setup->unit, setup->nr_units, 0, piece->cpu), .tid = -1,
		.atom = own->atom, .queue = own->queue,
	};

	e.w.a = a;
	e.w.setup = &setup->pt;
	e.w.piece = piece;
	e.w.code = own->code;
	e.w.pid = -1;
	e.w.tid = piece->tid;
	e.w.counts_after = true;
	if (!e.unit || e.unit->magic == ETM_MAGIC_V3) {
		diag_count(&w.out->diag, DIAG_ETM_V3, piece->b.off);
		return e.w;
	}
	e.timed = etm_has_times(a, e.unit);
	etm_walk_piece(&e);
	return e.w;
}

static void cs_measure(const struct aux *a, const struct aux_piece *piece, void *worker, void *summary)
{
	const struct etm_setup *setup = a->setup;
	struct pt_summary *sum = summary;
	struct aux_out none = { .a = a };
	struct branch_entry last[ITRACE_FRAMES_MAX];
	struct pt_walk w = walk(a, piece, worker, (struct pt_walk){
		.out = &none, .measures = true, .last = last, .emits_branches = setup->pt.last,
		.calls = setup->pt.frames ? &sum->calls : NULL,
	});

	sum->insns = w.insns;
	sum->nr_last = setup->pt.last ? pt_last_branches(&w, sum->last) : 0;
}

static void cs_decode(const struct aux *a, const struct aux_piece *piece, struct aux_out *out)
{
	const struct etm_setup *setup = a->setup;
	const struct pt_summary *before = piece->before;
	struct branch_entry last[ITRACE_FRAMES_MAX];
	struct pt_stack calls;
	struct pt_walk w = {
		.out = out, .emits_branches = a->event[PT_EV_BRANCHES].on || setup->pt.last,
		.calls = setup->pt.frames ? &calls : NULL, .last = last,
	};

	if (w.calls)
		calls = before->calls;
	w.nr_last = setup->pt.last ? MIN(before->nr_last, setup->pt.last) : 0;
	for (u32 i = 0; i < w.nr_last; i++)
		last[w.nr_last - 1 - i] = before->last[i];
	w.last_at = w.nr_last ? w.nr_last - 1 : 0;
	w = walk(a, piece, out->worker, w);
	if (a->event[PT_EV_CYCLES].on)
		out->rest[PT_EV_CYCLES] = w.time.all_cycles - w.told[PT_EV_INSTRUCTIONS].cycles;
}

const struct aux_kind aux_kind_coresight = {
	.type = 3, .name = "Arm CoreSight", .title = "CoreSight trace data: size {size:#x} bytes",
	.letters = "iybcreglT", .pmu_word = 1, .pmu_shift = 32, .ahead = SYNC_SIZE,
	.dump_words = cs_dump_words, .dump = cs_dump, .dump_begin = cs_dump_begin,
	.dump_sources = cs_dump_sources, .split = etm_split, .events = etm_events, .cut = cs_cut,
	.worker_new = etm_worker_new, .worker_free = etm_worker_free,
	.measure = cs_measure, .add = pt_summary_add,
	.measure_size = sizeof(struct pt_summary), .decode = cs_decode,
};
