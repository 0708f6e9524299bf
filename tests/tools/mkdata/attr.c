/* mkdata: event attributes. */
#include "mkdata.h"

#include <stdlib.h>

#define ATTR_DEFAULT_SIZE 128

const struct name_value sample_bits[] = {
#define SAMPLE_FIELD(name, bit, ...) { #name, 1ull << bit },
#include "../../../util/event/sample-fields.def"
#undef SAMPLE_FIELD
	{ 0 }
};

const struct name_value read_bits[] = {
	{ "enabled", 1 }, { "running", 2 }, { "id", 4 }, { "group", 8 }, { "lost", 16 }, { 0 }
};

static const struct name_value flag_bits[] = {
	{ "disabled", 1 << 0 }, { "inherit", 1 << 1 }, { "pinned", 1 << 2 }, { "exclusive", 1 << 3 },
	{ "exclude_user", 1 << 4 }, { "exclude_kernel", 1 << 5 }, { "exclude_hv", 1 << 6 },
	{ "exclude_idle", 1 << 7 }, { "mmap", 1 << 8 }, { "comm", 1 << 9 }, { "freq", 1 << 10 },
	{ "inherit_stat", 1 << 11 }, { "enable_on_exec", 1 << 12 }, { "task", 1 << 13 },
	{ "watermark", 1 << 14 }, { "precise1", 1 << 15 }, { "precise2", 1 << 16 }, { "mmap_data", 1 << 17 },
	{ "sample_id_all", 1 << 18 }, { "exclude_host", 1 << 19 }, { "exclude_guest", 1 << 20 },
	{ "exclude_callchain_kernel", 1 << 21 }, { "exclude_callchain_user", 1 << 22 },
	{ "mmap2", 1 << 23 }, { "comm_exec", 1 << 24 }, { "use_clockid", 1 << 25 },
	{ "context_switch", 1 << 26 }, { "write_backward", 1 << 27 }, { "namespaces", 1 << 28 },
	{ "ksymbol", 1 << 29 }, { "bpf_event", 1 << 30 }, { "aux_output", 1ull << 31 },
	{ "cgroup", 1ull << 32 }, { "text_poke", 1ull << 33 }, { "build_id", 1ull << 34 },
	{ "inherit_thread", 1ull << 35 }, { "remove_on_exec", 1ull << 36 }, { "sigtrap", 1ull << 37 },
	{ "defer_callchain", 1ull << 38 }, { "defer_output", 1ull << 39 }, { 0 }
};

static const struct name_value type_names[] = {
	{ "hardware", 0 }, { "software", 1 }, { "tracepoint", 2 }, { "cache", 3 }, { "raw", 4 },
	{ "breakpoint", 5 }, { 0 }
};

static const struct name_value config_names[] = {
	{ "cycles", 0 }, { "instructions", 1 },
	{ "cpu-clock", 0 }, { "task-clock", 1 }, { "page-faults", 2 }, { "context-switches", 3 },
	{ "dummy", 9 }, { "bpf-output", 10 }, { 0 }
};

static const struct name_value no_names[] = { { 0 } };

/* struct perf_event_attr but for size (at 4) and the flags (at 40) */
static const struct attr_field {
	const char *name;
	u8 off, bytes;
	const struct name_value *names;
} attr_fields[] = {
	{ "type", 0, 4, type_names },
	{ "config", 8, 8, config_names },
	{ "period", 16, 8, no_names },		/* or the frequency, with flag freq */
	{ "sample", 24, 8, sample_bits },
	{ "read", 32, 8, read_bits },
	{ "wakeup", 48, 4, no_names },
	{ "bp_type", 52, 4, no_names },
	{ "config1", 56, 8, no_names },		/* or bp_addr */
	{ "config2", 64, 8, no_names },		/* or bp_len */
	{ "branch", 72, 8, no_names },
	{ "regs_user", 80, 8, no_names },
	{ "stack_user", 88, 4, no_names },
	{ "clockid", 92, 4, no_names },
	{ "regs_intr", 96, 8, no_names },
	{ "aux_watermark", 104, 4, no_names },
	{ "max_stack", 108, 2, no_names },
	{ "reserved2", 110, 2, no_names },
	{ "aux_sample_size", 112, 4, no_names },
	{ "aux_action", 116, 4, no_names },
	{ "sig_data", 120, 8, no_names },
	{ "config3", 128, 8, no_names },
	{ "config4", 136, 8, no_names },
};
#define ATTR_KNOWN_SIZE 144

u64 event_field(const struct mk_event *e, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(attr_fields); i++)
		if (!strcmp(attr_fields[i].name, name))
			return e->field[i];
	abort();
}

static bool set_field(struct mk_event *e, const struct line *l, const struct token *t)
{
	for (size_t i = 0; i < ARRAY_SIZE(attr_fields); i++) {
		if (!strcmp(attr_fields[i].name, t->key)) {
			e->field[i] = names_value(l, attr_fields[i].names, t->value);
			return true;
		}
	}
	return false;
}

static void set_ids(struct mk_event *e, const struct line *l, const struct token *t)
{
	struct mk_numbers n = { 0 };

	vec_release(&e->ids);
	if (!strcmp(t->value, "none"))
		return;
	numbers_parse(l, t->value, &n);
	vec_foreach(&n, id)
		vec_push(&e->ids, *id);
	vec_release(&n);
}

static void set_attrs(struct mk_event *e, const struct line *l)
{
	vec_foreach(&l->tok, t) {
		if (t->sep != '=')
			continue;
		if (!strcmp(t->key, "flags"))
			e->flags = names_value(l, flag_bits, t->value);
		else if (!strcmp(t->key, "size"))
			e->size = expr_value(l, t->value);
		else if (!strcmp(t->key, "tail"))
			e->tail = expr_value(l, t->value);
		else if (!strcmp(t->key, "ids"))
			set_ids(e, l, t);
		else if (!set_field(e, l, t))
			fatal(l, "event: no key '%s'", t->key);
	}
	if (e->size > 1 << 20)
		fatal(l, "event: a size of %u is too much", e->size);
}

/* event NAME [key=value...]: software cpu-clock unless it says else; an id of its own unless ids= is given */
void event_define(struct mkdata *m, const struct line *l)
{
	static const struct line none;
	struct token type = { .key = (char *)"type", .value = (char *)"software" };
	struct mk_event *e = vec_add(&m->events);

	if (l->tok.nr < 2)
		fatal(l, "event NAME wanted");
	e->name = xstrdup(l->tok.v[1].value);
	e->size = ATTR_DEFAULT_SIZE;
	set_field(e, &none, &type);
	vec_push(&e->ids, ++m->nr_auto_ids);
	set_attrs(e, l);
}

/*
 * A bit field of C begins at the highest bit on a big-endian machine; the bits within a field
 * keep their order.
 */
u64 mirror_fields(u64 v, const u8 *widths)
{
	u64 r = 0;

	for (unsigned int pos = 0; pos < 64; pos += *widths++)
		r |= (v >> pos & (*widths == 64 ? -1ull : (1ull << *widths) - 1)) << (64 - pos - *widths);
	return r;
}

/* all flags are one bit wide but for precise_ip, at 15 */
static const u8 flag_widths[] = {
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	1, 1, 1, 1, 1, 24,
};

void put_attr(const struct mkdata *m, struct strbuf *out, const struct mk_event *e)
{
	struct strbuf attr = STRBUF_INIT;
	u64 at = 0;

	for (size_t i = 0; i < ARRAY_SIZE(attr_fields); i++) {
		const struct attr_field *f = &attr_fields[i];

		put(m, &attr, e->field[i], f->bytes);
		at += f->bytes;
		if (at == 4) {
			put(m, &attr, e->size, 4);
			at += 4;
		} else if (at == 40) {
			put(m, &attr, m->big_endian ? mirror_fields(e->flags, flag_widths) : e->flags, 8);
			at += 8;
		}
	}
	strbuf_pad(&attr, e->tail, e->size > ATTR_KNOWN_SIZE ? e->size - ATTR_KNOWN_SIZE : 0);
	strbuf_add(out, attr.buf, e->size);
	strbuf_release(&attr);
}
