/*
 * Arm SPE: each record describes one sampled operation, so it is decoded without those before it. Its thread
 * is that of its CONTEXT packet, else the one that ran on the CPU then.
 */
#include "aux-private.h"
#include "fold.h"
#include "spe-packet.h"
#include "spe-source.h"
#include "../data/features.h"
#include "../event/insn-flags.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

/* the first version; the second one has a unit for each CPU after a header whose size is in it */
enum { WORD_PMU_TYPE, WORD_PER_CPU, WORDS_V1 };
enum { WORD_VERSION, WORD_HEADER_SIZE, WORD_PMU_TYPE_V2, WORD_CPUS };
enum { UNIT_MAGIC, UNIT_CPU, UNIT_NR, UNIT_MIDR, UNIT_PARAMS = UNIT_MIDR };

/* what CPUs are */
struct spe_setup {
	u32 nr;
	struct { u64 cpu, midr; } unit[];
};

#define BIT_OF(ev) (1ull << SPE_EV_##ev)

enum spe_op { ANY_OP, BRANCHES, ACCESSES, INSTRUCTIONS };

/* in the order in which the samples of a record are written */
static const struct {
	const char *name;
	char letter;
	enum spe_op op;
	u64 bits;		/* an event of the record that makes a sample; with an operation: 0 */
} events[] = {
	{ "l1d-miss", 'f', ANY_OP, BIT_OF(L1D_REFILL) },
	{ "l1d-access", 'f', ANY_OP, BIT_OF(L1D_ACCESS) },
	{ "llc-miss", 'm', ANY_OP, BIT_OF(LLC_MISS) },
	{ "llc-access", 'm', ANY_OP, BIT_OF(LLC_ACCESS) },
	{ "tlb-miss", 't', ANY_OP, BIT_OF(TLB_WALK) },
	{ "tlb-access", 't', ANY_OP, BIT_OF(TLB_ACCESS) },
	{ "branch", 'b', BRANCHES, 0 },
	{ "remote-access", 'a', ANY_OP, BIT_OF(REMOTE) },
	{ "memory", 'M', ACCESSES, 0 },
	{ "instructions", 'i', INSTRUCTIONS, 0 },
};

/* what the packets of a record say */
struct spe_record {
	u64 ip, target, addr, phys, time, events;
	s32 tid, source;	/* -1: not there */
	u32 latency;
	u8 level;		/* exception level */
	u8 class, op;		/* class 255: not there */
	bool used, timed;
};
#define NO_CLASS 255
static const struct spe_record nothing = { .tid = -1, .source = -1, .class = NO_CLASS };

/* where the next unit begins, and its number of words after UNIT_NR; false: there is none */
static bool next_unit(const struct aux_words *w, u32 *at, u32 *ret_unit, u32 *ret_nr)
{
	u64 nr = aux_word(w, *at + UNIT_NR);

	if (*at + UNIT_PARAMS > w->nr || nr > w->nr - *at - UNIT_PARAMS)
		return false;
	*ret_unit = *at;
	*ret_nr = nr;
	*at += UNIT_PARAMS + nr;
	return true;
}

static u32 first_unit(const struct aux_words *w)
{
	return MIN(aux_word(w, WORD_HEADER_SIZE), (u64)w->nr);
}

static void dump_words_v2(const struct aux_words *w, const struct stream_format *f, struct strbuf *out)
{
	static const char *const params[] = {
		"    MIDR             :0x{midr:x}\n", "    PMU Type         :{cpu-pmu-type}\n",
		"    Min Interval     :{min-interval}\n", "    Event Filter     :0x{event-filter:x}\n",
	};
	u32 at = first_unit(w), unit, nr;

	stream_words(f, out, "  Header version     :{version}\n  Header size        :{header-size}\n"
		     "  PMU type v2        :{pmu-type}\n  CPU number         :{cpus}\n",
		     STREAM_NUMBER(aux_word(w, WORD_VERSION)), STREAM_NUMBER(aux_word(w, WORD_HEADER_SIZE)),
		     STREAM_NUMBER(aux_word(w, WORD_PMU_TYPE_V2)), STREAM_NUMBER(aux_word(w, WORD_CPUS)));
	f->begin_rows(out, "units");
	for (bool first = true; next_unit(w, &at, &unit, &nr); first = false) {
		if (!first)
			f->next_row(out);
		f->begin_row(out);
		stream_words(f, out, "    Magic            :{magic:#x}\n    CPU #            :{cpu}\n"
			     "    Num of params    :{params}\n", STREAM_NUMBER(w->v[unit + UNIT_MAGIC]),
			     STREAM_NUMBER(w->v[unit + UNIT_CPU]), STREAM_NUMBER(nr));
		for (u32 i = 0; i < MIN(nr, (u32)ARRAY_SIZE(params)); i++)
			stream_words(f, out, params[i], STREAM_NUMBER(w->v[unit + UNIT_PARAMS + i]));
		f->end_row(out);
	}
	f->end_rows(out);
}

/* keeps what the second version says of CPUs; the words that others read are those of the first one then */
static void read_words_v2(struct aux *a)
{
	struct aux_words *w = &a->words;
	u32 at, unit, nr;
	struct spe_setup *s;

	if (w->nr <= WORD_CPUS || w->v[WORD_VERSION] != 2)
		return;
	a->setup = s = xcalloc(1, sizeof(*s) + w->nr * sizeof(s->unit[0]));
	at = first_unit(w);
	while (next_unit(w, &at, &unit, &nr)) {
		s->unit[s->nr].cpu = w->v[unit + UNIT_CPU];
		s->unit[s->nr++].midr = nr ? w->v[unit + UNIT_MIDR] : 0;
	}
	w->v[WORD_PMU_TYPE] = w->v[WORD_PMU_TYPE_V2];
	w->nr = WORDS_V1;
}

/* of a CPU; without one (traces of threads), or where the words do not tell, of the first CPU */
static u32 family_of(const struct aux *a, u32 cpu)
{
	const struct spe_setup *s = a->setup;
	const char *cpuid = a->data->feat.cpuid;
	u64 midr = s && s->nr ? s->unit[0].midr : cpuid ? strtoull(cpuid, NULL, 16) : 0;

	for (u32 i = 0; s && i < s->nr; i++)
		if (s->unit[i].cpu == cpu)
			midr = s->unit[i].midr;
	return spe_family(midr);
}

static void spe_dump_words(const struct aux_words *w, const struct stream_format *f, struct strbuf *out)
{
	if (w->nr > WORDS_V1 && w->v[WORD_VERSION] == 2) {
		dump_words_v2(w, f, out);
		return;
	}
	if (w->nr > WORDS_V1) {	/* a later version, which has others */
		f->begin_rows(out, "words");
		for (u32 i = 0; i < w->nr; i++) {
			if (i)
				f->next_row(out);
			f->begin_row(out);
			stream_words(f, out, "  Word {number:-2d}            :{value:#x}\n", STREAM_NUMBER(i),
				     STREAM_NUMBER(w->v[i]));
			f->end_row(out);
		}
		f->end_rows(out);
		return;
	}
	stream_words(f, out, "  PMU Type           :{pmu-type}\n  Per CPU mmaps      :{per-cpu-mmaps}\n",
		     STREAM_NUMBER(aux_word(w, WORD_PMU_TYPE)), STREAM_NUMBER(aux_word(w, WORD_PER_CPU)));
}

static size_t spe_dump(const struct aux_bytes *b, void *state UNUSED, struct strbuf *text)
{
	struct spe_packet p;
	size_t len = spe_packet_read(b->p, b->len, b->off, &p);

	spe_packet_print(&p, text);
	while (p.type == SPE_PADDING && len < b->len && !b->p[len])
		len++;
	return len;
}

static bool ends_record(const struct spe_packet *p)
{
	return p->type == SPE_END || p->type == SPE_TIMESTAMP;
}

static size_t spe_cut(const struct aux_bytes *b, size_t want, u64 *nr)
{
	struct spe_packet p;

	for (size_t at = 0; at < b->len;) {
		const u8 *packet = b->p + at;
		size_t size = b->len - at < 9 ? 0 : spe_packet_skip(packet);

		if (likely(size)) {
			at += size;
			if (*packet != SPE_TIMESTAMP_HEADER)
				continue;
		} else {
			at += spe_packet_read(packet, b->len - at, b->off + at, &p);
			if (!ends_record(&p))
				continue;
		}
		++*nr;
		if (at >= want)
			return at;
	}
	return b->len;
}

/* bit 0 of the recorded event's config, ts_enable; true if there is no such event */
static bool has_times(const struct aux *a)
{
	bool any = false, times = false;

	vec_foreach(&a->data->evset->ev, it) {
		if ((*it)->attr.type != aux_word(&a->words, WORD_PMU_TYPE))
			continue;
		any = true;
		times |= (*it)->attr.config & 1;
	}
	return times || !any;
}

static int spe_events(struct aux *a, struct err *err)
{
	u64 letters = a->opts.letters;

	read_words_v2(a);
	/* calls and returns are branches, whose kind no letter tells apart here */
	letters |= letters & (itrace_letter('c') | itrace_letter('r')) ? itrace_letter('b') : 0;
	if (letters & itrace_letter('i') && a->opts.period && a->opts.unit != ITRACE_INSTRUCTIONS) {
		err_set(err, -EINVAL, "--itrace: Arm SPE samples operations by their number, not by time");
		err_hint(err, "use a period such as i1i: every sampled operation, or i10i: every tenth one");
		return -EINVAL;
	}
	a->timeless = !has_times(a);
	a->folds = !a->timeless && aux_fold_possible(a);
	if (!a->opts.period)
		a->opts.period = 1;
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		if (!letters || letters & itrace_letter(events[i].letter))
			aux_add_event(a, i, events[i].name, PERF_COUNT_HW_INSTRUCTIONS,
				      events[i].op == INSTRUCTIONS ? a->opts.period : 1,
				      ABI_SAMPLE_WEIGHT | ABI_SAMPLE_DATA_SRC | ABI_SAMPLE_PHYS_ADDR |
				      (a->opts.to_file ? 0ull : (u64)ABI_SAMPLE_INSN_FLAGS) |
				      (a->folds ? (u64)ABI_SAMPLE_TIMES : 0));
	return 0;
}

static void take_address(struct spe_record *r, const struct spe_packet *p)
{
	if (p->index == SPE_ADDR_PC) {
		r->ip = spe_ip(p->payload);
		r->level = spe_level(p->payload);
	} else if (p->index == SPE_ADDR_TARGET) {
		r->target = spe_ip(p->payload);
	} else if (p->index == SPE_ADDR_VIRTUAL) {
		r->addr = spe_data_address(p->payload);
	} else if (p->index == SPE_ADDR_PHYSICAL) {
		r->phys = p->payload & ((1ull << 56) - 1);
	}
}

static void take(struct spe_record *r, const struct spe_packet *p)
{
	switch (p->type) {
	case SPE_ADDRESS:
		take_address(r, p);
		break;
	case SPE_EVENTS:
		r->events = p->payload;
		break;
	case SPE_SOURCE:
		r->source = p->payload;
		break;
	case SPE_CONTEXT:
		r->tid = p->payload & INT32_MAX;
		break;
	case SPE_OPERATION:
		r->class = p->index;
		r->op = p->payload;
		break;
	case SPE_COUNTER:
		r->latency = p->index == SPE_COUNT_TOTAL ? p->payload : r->latency;
		break;
	case SPE_TIMESTAMP:
		r->time = p->payload;
		r->timed = true;
		break;
	default:
		return;
	}
	r->used = true;
}

/*
 * Events of which a record makes samples, a bit for each that was asked for: by the first two bytes of its
 * events, by its class, and the instructions
 */
struct spe_samples {
	u16 of_byte[2][256], of_class[256], instructions;
};

struct decoder {
	const struct aux_piece *piece;
	struct aux_out *out;
	const struct spe_samples *samples;
	u32 family;
	u64 period;		/* of instructions */
	u64 nr;			/* of the record, in the file */
	u64 time;		/* of the last record that had one */
	bool damaged;		/* the record that is read */
};

static void *spe_worker_new(const struct aux *a)
{
	struct spe_samples *t = xcalloc(1, sizeof(*t));

	for (u32 i = 0; i < ARRAY_SIZE(events); i++) {
		u16 bit = a->event[i].on << i;

		for (u32 v = 0; v < 256; v++) {
			t->of_byte[0][v] |= events[i].bits & v ? bit : 0;
			t->of_byte[1][v] |= events[i].bits & v << 8 ? bit : 0;
		}
		t->of_class[SPE_OP_BRANCH] |= events[i].op == BRANCHES ? bit : 0;
		t->of_class[SPE_OP_LDST] |= events[i].op == ACCESSES ? bit : 0;
		t->instructions |= events[i].op == INSTRUCTIONS ? bit : 0;
	}
	return t;
}

static u32 samples_of(const struct decoder *d, const struct spe_record *r)
{
	const struct spe_samples *t = d->samples;
	bool due = d->period == 1 || !((d->nr + 1) % d->period);

	return t->of_byte[0][r->events & 0xff] | t->of_byte[1][r->events >> 8 & 0xff] |
	       t->of_class[r->class] | (due ? t->instructions : 0);
}

static void find_task(const struct aux *a, const struct decoder *d, const struct spe_record *r, s32 *ret_pid,
		      s32 *ret_tid)
{
	*ret_pid = -1;
	*ret_tid = r->tid >= 0 ? r->tid : d->piece->tid;
	if (*ret_tid < 0)
		aux_thread_at(a, d->piece->cpu, d->time, ret_pid, ret_tid);
}

/*
 * What a branch did, as upstream tells it, to which an indirect branch that is not known to be a call is a
 * return; 0: the operation is not a branch
 */
static u64 flags_of(const struct spe_record *r)
{
	enum { CONDITIONAL = 1, INDIRECT = 2, KIND_SHIFT = 3, CALL = 1, RETURN = 2 };
	u32 kind = r->op >> KIND_SHIFT & 3;

	if (r->class != SPE_OP_BRANCH)
		return 0;
	return INSN_BRANCH | (r->op & CONDITIONAL ? INSN_CONDITIONAL : 0) |
	       (kind == CALL ? INSN_CALL : kind == RETURN || r->op & INDIRECT ? INSN_RETURN : 0) |
	       (r->events & BIT_OF(NOT_TAKEN) ? INSN_NOT_TAKEN : 0) |
	       (r->events & BIT_OF(MISPREDICTED) ? INSN_MISPREDICTED : 0);
}

static void write_samples(const struct aux *a, struct decoder *d, const struct spe_record *r, u32 samples)
{
	bool access = r->class == SPE_OP_LDST, branch = r->class == SPE_OP_BRANCH;
	struct aux_sample s = {
		.ip = r->ip, .time = d->time, .weight = r->latency,
		.phys_addr = r->phys, .cpu = d->piece->cpu,
		.cpumode = r->level ? CPUMODE_KERNEL : CPUMODE_USER,
		.data_src = access ? spe_data_src(d->family, r->op & 1, r->events, r->source) : 0,
	};
	size_t begin = d->out->rec.len, last = begin, at;
	u64 flags = flags_of(r), own;

	find_task(a, d, r, &s.pid, &s.tid);
	for (; samples; samples &= samples - 1) {
		u32 i = __builtin_ctz(samples);

		s.addr = branch ? r->target : events[i].op == INSTRUCTIONS ? 0 : r->addr;
		s.period = events[i].op == INSTRUCTIONS ? d->period : 1;
		own = events[i].op == BRANCHES || events[i].op == INSTRUCTIONS ? flags : 0;
		at = d->out->rec.len;
		if (at == begin || own != s.insn_flags) {
			s.insn_flags = own;
			aux_out_sample(d->out, &a->event[i], &s);
		} else {
			aux_out_again(d->out, last, &a->event[i], s.addr, s.period);
		}
		last = at;
	}
}

static void take_record(const struct aux *a, struct decoder *d, const struct spe_record *r)
{
	u32 samples = samples_of(d, r);
	s32 pid, tid;

	if (r->timed)
		d->time = aux_clock_ns(&a->clock, r->time);
	if (!d->out->fold) {
		write_samples(a, d, r, samples);
		return;
	}
	find_task(a, d, r, &pid, &tid);
	aux_fold_add(d->out->fold, samples, r->ip, d->time, pid, tid, d->piece->cpu,
		     r->level ? CPUMODE_KERNEL : CPUMODE_USER);
}

/* without its end, or with bytes that are not a packet, a record is left out: its fields are not certain */
static inline void end_record(const struct aux *a, struct decoder *d, struct spe_record *r)
{
	if (r->used && !d->damaged)
		take_record(a, d, r);
	d->nr++;
	d->damaged = false;
	*r = nothing;
}

static inline u64 payload_at(const u8 *p)
{
	u64 v;

	memcpy(&v, p + 1, sizeof(v));
	return le64toh(v);
}

/*
 * The packets that most records consist of, if 9 bytes are there: one jump each, to what its header means.
 * Returns the packet's length; 0: another packet, for take()
 */
static inline size_t take_common(struct spe_record *r, const u8 *p)
{
	u64 v = payload_at(p);

	switch (*p) {
	case 0xb0:
		r->ip = spe_ip(v);
		r->level = spe_level(v);
		return 9;
	case 0xb1:
		r->target = spe_ip(v);
		return 9;
	case 0xb2:
		r->addr = spe_data_address(v);
		return 9;
	case 0x98:
		r->latency = (u16)v;
		return 3;
	case 0x99:
	case 0x9a:
		return 3;
	case 0x52:
		r->events = (u16)v;
		return 3;
	case 0x62:
		r->events = (u32)v;
		return 5;
	case 0x43:
		r->source = (u8)v;
		return 2;
	case 0x65:
		r->tid = v & INT32_MAX;
		return 5;
	case 0x48:
	case 0x49:
	case 0x4a:
		r->class = *p & 3;
		r->op = v;
		return 2;
	case SPE_TIMESTAMP_HEADER:
		r->time = v;
		r->timed = true;
		return 9;
	default:
		return 0;
	}
}

/* reads common packets, as many as follow each other; returns where another packet is, or the end */
static size_t take_commons(const struct aux *a, struct decoder *d, struct spe_record *r,
			   const struct aux_bytes *b, size_t at)
{
	size_t size;

	for (; b->len - at >= 9; at += size) {
		size = take_common(r, b->p + at);
		if (!size)
			break;
		r->used = true;
		if (b->p[at] == SPE_TIMESTAMP_HEADER)
			end_record(a, d, r);
	}
	return at;
}

static void spe_decode(const struct aux *a, const struct aux_piece *piece, struct aux_out *out)
{
	struct decoder d = { .piece = piece, .out = out, .nr = piece->first, .time = piece->time,
			     .family = family_of(a, piece->cpu), .period = a->opts.period,
			     .samples = out->worker };
	struct spe_record r = nothing;
	const struct aux_bytes *b = &piece->b;
	struct spe_packet p;

	for (size_t at = 0; (at = take_commons(a, &d, &r, b, at)) < b->len;) {
		at += spe_packet_read(b->p + at, b->len - at, b->off + at, &p);
		if ((p.type == SPE_BAD || p.type == SPE_CUT) && !d.damaged) {
			diag_count(&out->diag, DIAG_AUX_BAD_PACKET, b->off + at);
			d.damaged = true;
		}
		take(&r, &p);
		if (ends_record(&p))
			end_record(a, &d, &r);
	}
}

const struct aux_kind aux_kind_arm_spe = {
	.type = 4, .name = "Arm SPE", .title = "ARM SPE data: size {size:#x} bytes", .letters = "ibcrfmtaMes",
	.pmu_word = WORD_PMU_TYPE,
	.dump_words = spe_dump_words, .dump = spe_dump, .events = spe_events, .cut = spe_cut,
	.worker_new = spe_worker_new, .worker_free = free, .decode = spe_decode,
};
