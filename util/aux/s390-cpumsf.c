/*
 * s390: the CPU-measurement sampling facility. The CPU writes sample-data blocks of 4096 bytes, big-endian:
 * a basic entry for each sample, with a diagnostic entry after it if that is authorized, and a trailer in the
 * last 64 bytes, which says how large entries are and when the block was full ("The Load-Program-Parameter
 * and the CPU-Measurement Facilities", SA23-2260). A basic entry is a sample of the recorded event. It has
 * the time of its block, because entries have none, and the thread that the kernel loaded as the program
 * parameter.
 */
#include "aux-private.h"
#include "../base/big-endian.h"

#include <stdio.h>

enum { BLOCK = 4096, TRAILER = 64, BASIC = 32, ENTRIES_END = BLOCK - TRAILER };

/* the first two bytes of an entry; 0: the block has no more */
enum { DEF_BASIC = 1, DEF_DIAGNOSTIC = 0x8000 };

#define SF_CYCLES_BASIC_DIAG 0xbd000	/* config of the event */

/* where a basic entry has been taken, from CPUs of z13 on */
enum { LEVEL_UNKNOWN, LEVEL_PARTITION, LEVEL_GUEST };

#define NO_ASN 0xffff	/* the address space is not that of a guest */

struct basic {
	u64 ip, guest_parameter, host_parameter;
	u16 asn;		/* of the primary address space */
	u8 nr_unique;		/* instructions that were executed at the same time */
	u8 space, level;
	bool dat, wait, problem, invalid, host, limited;
};

struct trailer {
	u64 overflow, time, base;
	u16 basic, diagnostic;	/* sizes of entries; 0: the CPU does not say */
	bool full, alert, extended, has_base;
};

/* p: BASIC bytes */
static struct basic read_basic(const u8 *p)
{
	u32 a = be32_at(p), b = be32_at(p + 4);

	return (struct basic){
		.nr_unique = a >> 8 & 15, .dat = a >> 5 & 1, .wait = a >> 4 & 1, .problem = a >> 3 & 1,
		.space = a >> 1 & 3, .invalid = a & 1, .level = b >> 30, .host = b >> 29 & 1,
		.limited = b >> 28 & 1, .asn = b & 0xffff, .ip = be64_at(p + 8),
		.guest_parameter = be64_at(p + 16), .host_parameter = be64_at(p + 24),
	};
}

/* p: TRAILER bytes. Of the extended TOD clock, the first byte counts what no machine has lived */
static struct trailer read_trailer(const u8 *p)
{
	u64 flags = be64_at(p), base = be64_at(p + 48);

	return (struct trailer){
		.full = flags >> 63, .alert = flags >> 62 & 1, .extended = flags >> 61 & 1,
		.basic = flags >> 16, .diagnostic = flags, .overflow = be64_at(p + 8),
		.time = be64_at(p + 17), .has_base = base >> 63, .base = be64_at(p + 56),
	};
}

/* of CPUs that do not say it, by the type of the machine; 0: not known */
static u32 diagnostic_size(const char *cpuid)
{
	static const struct { u16 machine, size; } rows[] = {
		{ 2097, 64 }, { 2098, 64 }, { 2817, 74 }, { 2818, 74 },
		{ 2827, 85 }, { 2828, 85 }, { 2964, 112 }, { 2965, 112 },
	};
	unsigned int machine;

	if (!cpuid || sscanf(cpuid, "IBM,%u", &machine) != 1)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].machine == machine)
			return rows[i].size;
	return 0;
}

/* bytes of entries; 0: not known */
struct sizes {
	u32 basic, diagnostic;
};

static struct sizes sizes_of(const struct trailer *t, u32 by_machine)
{
	return (struct sizes){ t->basic ? t->basic : BASIC,
			       t->diagnostic ? t->diagnostic : by_machine };
}

enum entry { ENTRY_NONE, ENTRY_BASIC, ENTRY_DIAGNOSTIC, ENTRY_BAD };

/* of the entry at p, in a block with left bytes before its trailer: what it is, and its length */
static enum entry entry_at(const u8 *p, size_t left, const struct sizes *sizes, size_t *ret_len)
{
	u16 def = left < 2 ? 0 : be16_at(p);
	enum entry e = def == DEF_BASIC ? ENTRY_BASIC : ENTRY_DIAGNOSTIC;
	size_t len = e == ENTRY_BASIC ? sizes->basic : sizes->diagnostic;

	*ret_len = left;
	if (!def)
		return ENTRY_NONE;
	if (def != DEF_BASIC && def < DEF_DIAGNOSTIC)
		return ENTRY_BAD;
	if (len > left || len < (e == ENTRY_BASIC ? BASIC : sizeof(u32)))
		return ENTRY_BAD;
	*ret_len = len;
	return e;
}

/* ---- the dump ---- */

struct s390_dump_state {
	u32 diagnostic;		/* as diagnostic_size() says */
};
_Static_assert(sizeof(struct s390_dump_state) <= AUX_DUMP_STATE, "the state of a dump has room");

static void s390_dump_words(const struct aux_words *w, const struct stream_format *f, struct strbuf *out)
{
	stream_words(f, out, "  PMU Type           {pmu-type}\n", STREAM_NUMBER(aux_word(w, 0)));
}

static void s390_dump_begin(const struct aux_words *w, u32 cpu UNUSED, u32 id UNUSED, void *state)
{
	struct s390_dump_state *s = state;

	s->diagnostic = diagnostic_size(w->cpuid);
}

static void put_basic(const struct basic *b, struct strbuf *text)
{
	strbuf_addf(text, "Basic   Def:0001 Inst:%#04x %c%c%c%c AS:%u ASN:0x%04x IA:0x%016llx", b->nr_unique,
		    b->dat ? 'T' : ' ', b->wait ? 'W' : ' ', b->problem ? 'P' : ' ', b->invalid ? 'I' : ' ',
		    b->space, b->asn, (unsigned long long)b->ip);
	strbuf_addf(text, " CL:%u H:%u LS:%u HPP:0x%016llx GPP:0x%016llx", b->level, b->host, b->limited,
		    (unsigned long long)b->host_parameter, (unsigned long long)b->guest_parameter);
}

static void put_trailer(const struct trailer *t, struct strbuf *text)
{
	strbuf_addf(text, "Trailer %c%c%c bsdes:%u dsdes:%u Overflow:%llu Time:0x%llx C:%u TOD:0x%llx",
		    t->full ? 'F' : ' ', t->alert ? 'A' : ' ', t->extended ? 'T' : ' ', t->basic,
		    t->diagnostic, (unsigned long long)t->overflow, (unsigned long long)t->time, t->has_base,
		    (unsigned long long)t->base);
}

static size_t dump_entry(const struct aux_bytes *b, size_t left, const struct sizes *sizes,
			 struct strbuf *text)
{
	struct basic basic;
	size_t len;

	switch (entry_at(b->p, left, sizes, &len)) {
	case ENTRY_NONE:
		strbuf_addstr(text, "no more entries");
		break;
	case ENTRY_BASIC:
		basic = read_basic(b->p);
		put_basic(&basic, text);
		break;
	case ENTRY_DIAGNOSTIC:
		strbuf_addf(text, "Diag    Def:%04x %c", be16_at(b->p), b->p[3] & 1 ? 'I' : ' ');
		break;
	case ENTRY_BAD:
		strbuf_addstr(text, "Bad entry!");
		break;
	}
	return len;
}

static size_t s390_dump(const struct aux_bytes *b, void *state, struct strbuf *text)
{
	const struct s390_dump_state *s = state;
	size_t at = b->off % BLOCK;
	struct sizes sizes;
	struct trailer t;

	if (b->len < BLOCK - at) {
		strbuf_addstr(text, "block without its end");
		return b->len;
	}
	t = read_trailer(b->p + BLOCK - TRAILER - at);
	if (at == ENTRIES_END) {
		put_trailer(&t, text);
		return TRAILER;
	}
	sizes = sizes_of(&t, s->diagnostic);
	return dump_entry(b, ENTRIES_END - at, &sizes, text);
}

/* ---- samples ---- */

/*
 * the event that recorded the trace; NULL: the file does not declare it. The one without diagnostic entries
 * has the same type (PERF_TYPE_RAW), and samples in the file
 */
static const struct event *recorded_event(const struct aux *a)
{
	vec_foreach(&a->data->evset->ev, ev)
		if (aux_recorded_by(a, *ev))
			return *ev;
	return NULL;
}

static int s390_events(struct aux *a, struct err *err UNUSED)
{
	const struct event *ev = recorded_event(a);
	bool has_period = ev && !(ev->attr.flags & ATTR_FREQ) && ev->attr.sample_period;

	a->opts.period = has_period ? ev->attr.sample_period : 1;
	aux_add_event(a, 0, ev ? ev->name : "cpum_sf", PERF_COUNT_HW_CPU_CYCLES, a->opts.period, 0);
	return 0;
}

/* blocks begin at multiples of their size in the stream */
static size_t to_block(u64 off)
{
	return (BLOCK - off % BLOCK) % BLOCK;
}

static size_t s390_cut(const struct aux_bytes *b, size_t want, u64 *nr)
{
	size_t len = want + to_block(b->off + want);

	*nr += MIN(len, b->len) / BLOCK;
	return MIN(len, b->len);
}

/* since the kernel's clock began, as it counts the times of other records; 0: it is not known */
static u64 trailer_ns(const struct trailer *t)
{
	u64 tod = t->time - t->base;	/* 4096 units are a microsecond */

	return t->has_base ? (tod >> 9) * 125 + ((tod & 511) * 125 >> 9) : 0;
}

static u64 s390_time(const struct aux *a UNUSED, const struct aux_bytes *b)
{
	size_t at = to_block(b->off);
	struct trailer t;

	if (b->len < at + BLOCK)
		return 0;
	t = read_trailer(b->p + at + ENTRIES_END);
	return trailer_ns(&t);
}

static bool in_guest(const struct basic *b)
{
	if (b->level == LEVEL_UNKNOWN)
		return b->guest_parameter || b->asn != NO_ASN;
	return b->level == LEVEL_GUEST;
}

/* the kernel's own samples leave out entries that are invalid or of an idle CPU, too */
static void write_sample(struct aux_out *out, const struct aux_piece *piece, const u8 *entry, u64 time)
{
	struct basic b = read_basic(entry);
	struct aux_sample s = { .ip = b.ip, .time = time, .period = out->a->opts.period, .cpu = piece->cpu,
				.pid = -1, .tid = b.host_parameter & INT32_MAX };

	if (b.invalid || b.wait)
		return;
	if (in_guest(&b))
		s.cpumode = b.problem ? CPUMODE_GUEST_USER : CPUMODE_GUEST_KERNEL;
	else
		s.cpumode = b.problem ? CPUMODE_USER : CPUMODE_KERNEL;
	aux_out_sample(out, &out->a->event[0], &s);
}

static void decode_block(struct aux_out *out, const struct aux_piece *piece, size_t begin, u32 by_machine)
{
	const u8 *p = piece->b.p + begin;
	struct trailer t = read_trailer(p + ENTRIES_END);
	struct sizes sizes = sizes_of(&t, by_machine);
	u64 time = t.has_base ? trailer_ns(&t) : piece->time;
	size_t len;

	if (t.overflow)
		diag_count(&out->diag, DIAG_AUX_BLOCK_LOST, piece->b.off + begin);
	for (size_t at = 0; at < ENTRIES_END; at += len) {
		switch (entry_at(p + at, ENTRIES_END - at, &sizes, &len)) {
		case ENTRY_BASIC:
			write_sample(out, piece, p + at, time);
			break;
		case ENTRY_BAD:
			diag_count(&out->diag, DIAG_AUX_BAD_PACKET, piece->b.off + begin + at);
			break;
		case ENTRY_NONE:
		case ENTRY_DIAGNOSTIC:
			break;
		}
	}
}

static void s390_decode(const struct aux *a, const struct aux_piece *piece, struct aux_out *out)
{
	u32 by_machine = diagnostic_size(a->data->feat.cpuid);
	const struct aux_bytes *b = &piece->b;
	size_t at = MIN(to_block(b->off), b->len);

	if (at)
		diag_count(&out->diag, DIAG_AUX_BAD_PACKET, b->off);
	for (; b->len - at >= BLOCK; at += BLOCK)
		decode_block(out, piece, at, by_machine);
	if (at < b->len)
		diag_count(&out->diag, DIAG_AUX_BAD_PACKET, b->off + at);
}

const struct aux_kind aux_kind_s390_cpumsf = {
	.type = 5, .name = "s390 CPU measurement", .letters = "s",
	.title = "s390 AUX data: size {size} bytes",
	.pmu_config = SF_CYCLES_BASIC_DIAG,
	.dump_words = s390_dump_words, .dump_begin = s390_dump_begin, .dump = s390_dump,
	.events = s390_events, .cut = s390_cut, .time = s390_time, .decode = s390_decode,
};
