/* mkdata: samples, and the sample id behind other records. Order of the fields: <linux/perf_event.h>, PERF_RECORD_SAMPLE. */
#include "mkdata.h"

#include <stdlib.h>

enum {
	S_IP = 1 << 0, S_TID = 1 << 1, S_TIME = 1 << 2, S_ADDR = 1 << 3, S_READ = 1 << 4, S_CALLCHAIN = 1 << 5, S_ID = 1 << 6,
	S_CPU = 1 << 7, S_PERIOD = 1 << 8, S_STREAM_ID = 1 << 9, S_RAW = 1 << 10, S_BRANCH = 1 << 11, S_REGS_USER = 1 << 12,
	S_STACK_USER = 1 << 13, S_WEIGHT = 1 << 14, S_DATA_SRC = 1 << 15, S_IDENTIFIER = 1 << 16, S_TRANSACTION = 1 << 17,
	S_REGS_INTR = 1 << 18, S_PHYS_ADDR = 1 << 19, S_AUX = 1 << 20, S_CGROUP = 1 << 21, S_DATA_PAGE = 1 << 22,
	S_CODE_PAGE = 1 << 23, S_WEIGHT_STRUCT = 1 << 24,
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

/* read=VALUE[:ID[:LOST]],...  enabled= running= */
static void put_read(const struct mkdata *m, const struct line *l, const struct mk_event *e, struct strbuf *out)
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

static void put_list(const struct mkdata *m, const struct line *l, const char *key, const char *count_key,
		     struct strbuf *out)
{
	struct mk_numbers n = { 0 };

	key_numbers(m, l, key, &n);
	put(m, out, value_of(m, l, count_key, n.nr), 8);
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
static void put_raw(const struct mkdata *m, const struct line *l, struct strbuf *out)
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

/* branch=FROM:TO:FLAGS,... with FLAGS lowest bit first (1: mispredicted, 2: predicted, 4: in_tx, 8: abort, 16.. cycles) */
static void put_branch(const struct mkdata *m, const struct line *l, const struct mk_event *e, struct strbuf *out)
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

static void put_stack(const struct mkdata *m, const struct line *l, struct strbuf *out)
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

static void put_aux(const struct mkdata *m, const struct line *l, struct strbuf *out)
{
	struct strbuf aux = STRBUF_INIT;

	key_bytes(l, "aux", &aux);
	while (aux.len % 8)
		strbuf_addch(&aux, 0);
	put(m, out, aux.len, 8);
	strbuf_add(out, aux.buf, aux.len);
	strbuf_release(&aux);
}

static void put_weight(const struct mkdata *m, const struct line *l, u64 type, struct strbuf *out)
{
	if (type & S_WEIGHT) {
		put(m, out, value_of(m, l, "weight", 0), 8);
		return;
	}
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

static void put_if(const struct mkdata *m, const struct line *l, bool wanted, const char *key, struct strbuf *out)
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
	if (type & S_READ)
		put_read(m, l, e, &b);
	if (type & S_CALLCHAIN)
		put_list(m, l, "chain", "chain_nr", &b);
	if (type & S_RAW)
		put_raw(m, l, &b);
	if (type & S_BRANCH)
		put_branch(m, l, e, &b);
	if (type & S_REGS_USER)
		put_regs(m, l, e, "regs_user", &b);
	if (type & S_STACK_USER)
		put_stack(m, l, &b);
	if (type & (S_WEIGHT | S_WEIGHT_STRUCT))
		put_weight(m, l, type, &b);
	put_if(m, l, type & S_DATA_SRC, "data_src", &b);
	put_if(m, l, type & S_TRANSACTION, "transaction", &b);
	if (type & S_REGS_INTR)
		put_regs(m, l, e, "regs_intr", &b);
	put_if(m, l, type & S_PHYS_ADDR, "phys_addr", &b);
	put_if(m, l, type & S_CGROUP, "cgroup", &b);
	put_if(m, l, type & S_DATA_PAGE, "data_page_size", &b);
	put_if(m, l, type & S_CODE_PAGE, "code_page_size", &b);
	if (type & S_AUX)
		put_aux(m, l, &b);
	if (!(type & S_RAW))
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
