/*
 * mkdata: samples, and the sample id after other records. Order of the fields: <linux/perf_event.h>,
 * PERF_RECORD_SAMPLE.
 */
#include "mkdata.h"

#include <stdlib.h>

enum {
#define SAMPLE_FIELD(name, bit, ...) S_##name = 1ull << bit,
#include "../../../util/event/sample-fields.def"
#undef SAMPLE_FIELD
};
enum { R_ENABLED = 1, R_RUNNING = 2, R_ID = 4, R_GROUP = 8, R_LOST = 16 };
#define BRANCH_COUNTERS (1ull << 19)
#define BRANCH_HW_INDEX (1ull << 17)
#define MISC_USER 2

static void key_numbers(const struct mkdata *m, const struct line *l, const char *key, struct mk_numbers *ret)
{
	const struct token *t = line_key(l, key);

	if (!t)
		t = line_key(&m->defaults, key);
	if (t)
		numbers_parse(l, t->value, ret);
}

/* Writers of the fields of kind OWN: put_MEMBER(). First read=VALUE[:ID[:LOST]],...  enabled= running= */
static void put_read(const struct mkdata *m, const struct line *l, const struct mk_event *e,
		     struct strbuf *out)
{
	u64 format = event_field(e, "read");
	unsigned int per = 1 + !!(format & R_ID) + !!(format & R_LOST), nr;
	struct mk_numbers n = { 0 };
	u64 enabled = value_of(m, l, "enabled", 0), running = value_of(m, l, "running", 0);

	key_numbers(m, l, "read", &n);
	nr = format & R_GROUP ? n.nr / per : 1;
	while (n.nr < nr * per)
		vec_push(&n, 0);
	if (format & R_GROUP)
		put(m, out, nr, 8);
	else
		put(m, out, n.v[0], 8);
	if (format & R_ENABLED)
		put(m, out, enabled, 8);
	if (format & R_RUNNING)
		put(m, out, running, 8);
	for (u64 i = format & R_GROUP ? 0 : 1; i < (u64)nr * per; i++)
		put(m, out, n.v[i], 8);
	vec_release(&n);
}

static void put_chain(const struct mkdata *m, const struct line *l, const struct mk_event *e,
		      struct strbuf *out)
{
	struct mk_numbers n = { 0 };

	key_numbers(m, l, "chain", &n);
	put(m, out, value_of(m, l, "chain_nr", n.nr), 8);
	vec_foreach(&n, v)
		put(m, out, *v, 8);
	vec_release(&n);
}

static void key_bytes(const struct line *l, const char *key, struct strbuf *out)
{
	const struct token *t = line_key(l, key);

	if (t)
		token_bytes(l, t, out);
}

/* raw="bytes" or hex, or raw fields as body tokens (u16:5 ...); padded so that the next field is aligned */
static void put_raw(const struct mkdata *m, const struct line *l, const struct mk_event *e,
		    struct strbuf *out)
{
	struct strbuf raw = STRBUF_INIT;

	key_bytes(l, "raw", &raw);
	put_body(m, l, &raw);
	while ((raw.len + 4) % 8)
		strbuf_addch(&raw, 0);
	put(m, out, value_of(m, l, "raw_size", raw.len), 4);
	strbuf_add(out, raw.buf, raw.len);
	strbuf_release(&raw);
}

/*
 * branch=FROM:TO:FLAGS,... with FLAGS lowest bit first (1: mispredicted, 2: predicted, 4: in_tx, 8:
 * abort, 16.. cycles)
 */
static void put_branch(const struct mkdata *m, const struct line *l, const struct mk_event *e,
		       struct strbuf *out)
{
	static const u8 flag_widths[] = { 1, 1, 1, 1, 16, 4, 2, 4, 3, 31 };
	u64 format = event_field(e, "branch");
	struct mk_numbers n = { 0 }, counters = { 0 };

	key_numbers(m, l, "branch", &n);
	if (n.nr % 3)
		fatal(l, "branch= wants FROM:TO:FLAGS");
	put(m, out, value_of(m, l, "branch_nr", n.nr / 3), 8);
	if (format & BRANCH_HW_INDEX)
		put(m, out, value_of(m, l, "hw_idx", -1ull), 8);
	for (size_t i = 0; i < n.nr; i++) {
		bool flags = i % 3 == 2;

		put(m, out, flags && m->big_endian ? mirror_fields(n.v[i], flag_widths) : n.v[i], 8);
	}
	if (format & BRANCH_COUNTERS) {
		key_numbers(m, l, "counters", &counters);
		for (size_t i = 0; i < n.nr / 3; i++)
			put(m, out, i < counters.nr ? counters.v[i] : 0, 8);
	}
	vec_release(&n);
	vec_release(&counters);
}

/* regs_user=ABI,VALUE,... (ABI 0: none, 1: 32 bit, 2: 64 bit); missing values are 0 */
static void put_regs(const struct mkdata *m, const struct line *l, const struct mk_event *e, const char *key,
		     struct strbuf *out)
{
	int want = __builtin_popcountll(event_field(e, key));
	struct mk_numbers n = { 0 };

	key_numbers(m, l, key, &n);
	put(m, out, n.nr ? n.v[0] : 0, 8);
	for (int i = 1; n.nr && n.v[0] && i <= want; i++)
		put(m, out, (size_t)i < n.nr ? n.v[i] : 0, 8);
	vec_release(&n);
}

static void put_stack(const struct mkdata *m, const struct line *l, const struct mk_event *e,
		      struct strbuf *out)
{
	struct strbuf stack = STRBUF_INIT;

	key_bytes(l, "stack", &stack);
	while (stack.len % 8)
		strbuf_addch(&stack, 0);
	put(m, out, value_of(m, l, "stack_size", stack.len), 8);
	if (stack.len) {
		strbuf_add(out, stack.buf, stack.len);
		put(m, out, value_of(m, l, "dyn_size", stack.len), 8);
	}
	strbuf_release(&stack);
}

/* aux="bytes" or hex, or packets as body tokens, in a sample without raw bytes */
static void put_aux(const struct mkdata *m, const struct line *l, const struct mk_event *e,
		    struct strbuf *out)
{
	struct strbuf aux = STRBUF_INIT;

	key_bytes(l, "aux", &aux);
	if (!(event_field(e, "sample") & S_RAW))
		put_body(m, l, &aux);
	while (aux.len % 8)
		strbuf_addch(&aux, 0);
	put(m, out, aux.len, 8);
	strbuf_add(out, aux.buf, aux.len);
	strbuf_release(&aux);
}

static void put_regs_user(const struct mkdata *m, const struct line *l, const struct mk_event *e,
			  struct strbuf *out)
{
	put_regs(m, l, e, "regs_user", out);
}

static void put_regs_intr(const struct mkdata *m, const struct line *l, const struct mk_event *e,
			  struct strbuf *out)
{
	put_regs(m, l, e, "regs_intr", out);
}

static void put_weight(const struct mkdata *m, const struct line *l, const struct mk_event *e,
		       struct strbuf *out)
{
	put(m, out, value_of(m, l, "weight", 0), 8);
}

static void put_weight_struct(const struct mkdata *m, const struct line *l, const struct mk_event *e,
			      struct strbuf *out)
{
	if (event_field(e, "sample") & S_WEIGHT)	/* no kernel gives both */
		return;
	/* a union of one u64 and three parts that are declared in the file's byte order */
	if (m->big_endian) {
		put(m, out, value_of(m, l, "weight3", 0), 2);
		put(m, out, value_of(m, l, "weight2", 0), 2);
		put(m, out, value_of(m, l, "weight", 0), 4);
	} else {
		put(m, out, value_of(m, l, "weight", 0), 4);
		put(m, out, value_of(m, l, "weight2", 0), 2);
		put(m, out, value_of(m, l, "weight3", 0), 2);
	}
}

static u64 id_of(const struct mkdata *m, const struct line *l, const struct mk_event *e, const char *key)
{
	return value_of(m, l, key, e->ids.nr ? e->ids.v[0] : 0);
}

static void put_if(const struct mkdata *m, const struct line *l, bool wanted, const char *key,
		   struct strbuf *out)
{
	if (wanted)
		put(m, out, value_of(m, l, key, 0), 8);
}

static void put_pair(const struct mkdata *m, bool wanted, u64 a, u64 b, struct strbuf *out)
{
	if (wanted) {
		put(m, out, a, 4);
		put(m, out, b, 4);
	}
}

void sample_add(struct mkdata *m, const struct line *l)
{
	const struct mk_event *e = record_event(m, l);
	const struct token *misc = line_key(l, "misc");
	struct strbuf b = STRBUF_INIT;
	u64 type = event_field(e, "sample"), tid = value_of(m, l, "tid", 0);

	if (type & S_IDENTIFIER)
		put(m, &b, id_of(m, l, e, "id"), 8);
	put_if(m, l, type & S_IP, "ip", &b);
	put_pair(m, type & S_TID, value_of(m, l, "pid", tid), tid, &b);
	put_if(m, l, type & S_TIME, "time", &b);
	put_if(m, l, type & S_ADDR, "addr", &b);
	if (type & S_ID)
		put(m, &b, id_of(m, l, e, "id"), 8);
	if (type & S_STREAM_ID)
		put(m, &b, id_of(m, l, e, "stream_id"), 8);
	put_pair(m, type & S_CPU, value_of(m, l, "cpu", 0), 0, &b);
	if (type & S_PERIOD)
		put(m, &b, value_of(m, l, "period", 1), 8);
#define WRITE_SLOT(...)
#define WRITE_U64(name, member) put_if(m, l, type & S_##name, #member, &b);
#define WRITE_OWN(name, member) if (type & S_##name) put_##member(m, l, e, &b);
#define SAMPLE_FIELD(name, bit, place, kind, member, ...) WRITE_##kind(name, member)
#include "../../../util/event/sample-fields.def"
#undef SAMPLE_FIELD
	if (!(type & (S_RAW | S_AUX)))
		put_body(m, l, &b);
	record_put(m, l, 9, misc ? names_value(l, misc_bits, misc->value) : MISC_USER, &b);
	strbuf_release(&b);
}

/* the trailer of non-sample records of the kernel, where the event has sample_id_all */
void put_sample_id(const struct mkdata *m, const struct line *l, struct strbuf *out)
{
	const struct mk_event *e = record_event(m, l);
	u64 type = event_field(e, "sample"), tid = value_of(m, l, "tid", 0);

	if (!(e->flags & 1 << 18) || !value_of(m, l, "id_all", 1))
		return;
	put_pair(m, type & S_TID, value_of(m, l, "pid", tid), tid, out);
	put_if(m, l, type & S_TIME, "time", out);
	if (type & S_ID)
		put(m, out, id_of(m, l, e, "s_id"), 8);
	if (type & S_STREAM_ID)
		put(m, out, id_of(m, l, e, "s_stream_id"), 8);
	put_pair(m, type & S_CPU, value_of(m, l, "cpu", 0), 0, out);
	if (type & S_IDENTIFIER)
		put(m, out, id_of(m, l, e, "s_id"), 8);
}
