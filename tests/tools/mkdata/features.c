/* mkdata: header features. */
#include "mkdata.h"

#include <stdlib.h>

static const char *const feature_names[] = {
	"", "tracing_data", "build_id", "hostname", "osrelease", "version", "arch", "nrcpus", "cpudesc",
	"cpuid", "total_mem", "cmdline", "event_desc", "cpu_topology", "numa_topology", "branch_stack",
	"pmu_mappings", "group_desc", "auxtrace", "stat", "cache", "sample_time", "mem_topology", "clockid",
	"dir_format", "bpf_prog_info", "bpf_btf", "compressed", "cpu_pmu_caps", "clock_data",
	"hybrid_topology", "pmu_caps", "cpu_domain_info", "e_machine", "cacheline_size",
};

int feature_number(const struct line *l, const char *name)
{
	u64 nr;

	for (size_t i = 1; i < ARRAY_SIZE(feature_names); i++)
		if (!strcmp(feature_names[i], name))
			return i;
	nr = expr_value(l, name);
	if (nr >= NR_FEATURES)
		fatal(l, "feature %s does not fit into the bitmap", name);
	return nr;
}

static void put_string(const struct mkdata *m, struct strbuf *out, const char *s)
{
	size_t len = ALIGN_UP(strlen(s) + 1, (size_t)64);

	put(m, out, len, 4);
	put_padded(out, s, strlen(s), 64);
	strbuf_pad(out, 0, strlen(s) % 64 ? 0 : 64);
}

/* EVENT_DESC as the events say: number, attr size, then attr, number of ids, name, ids each */
static void put_event_desc(const struct mkdata *m, struct strbuf *out)
{
	put(m, out, m->events.nr, 4);
	put(m, out, m->events.nr ? m->events.v[0].size : 0, 4);
	vec_foreach(&m->events, e) {
		put_attr(m, out, e);
		put(m, out, e->ids.nr, 4);
		put_string(m, out, e->name);
		vec_foreach(&e->ids, id)
			put(m, out, *id, 8);
	}
}

/* feature NAME|NUMBER [body]; event_desc without a body describes the events */
void feature_add(struct mkdata *m, const struct line *l)
{
	struct feature *f;
	int nr;

	if (l->tok.nr < 2)
		fatal(l, "feature NAME wanted");
	nr = feature_number(l, l->tok.v[1].value);
	f = &m->feature[nr];
	f->there = true;
	if (nr == 12 && l->tok.nr == 2)
		put_event_desc(m, &f->body);
	put_body(m, l, &f->body);
	if (m->pipe) {
		struct strbuf b = STRBUF_INIT;

		put(m, &b, nr, 8);
		strbuf_add(&b, f->body.buf, f->body.len);
		while (b.len % 8)
			strbuf_addch(&b, 0);
		record_stream(m);	/* the attributes first */
		record_put(m, l, 80, 0, &b);
		strbuf_release(&b);
		strbuf_reset(&f->body);
	}
}

/*
 * buildid pid= misc= id=HEX name=: one entry of the BUILD_ID feature. id_size=none: the old
 * form without a size
 */
void buildid_add(struct mkdata *m, const struct line *l)
{
	const struct token *name = line_key(l, "name"), *id = line_key(l, "id"),
			*size = line_key(l, "id_size");
	struct strbuf bytes = STRBUF_INIT;
	struct strbuf *out = &m->feature[2].body;
	size_t name_len = ALIGN_UP((name ? name->len : 0) + 1, (size_t)64);
	u64 misc = value_of(m, l, "misc", 2);

	if (id)
		token_bytes(l, id, &bytes);
	if (bytes.len > 20)
		fatal(l, "a build id has at most 20 bytes");
	m->feature[2].there = true;
	if (!size || strcmp(size->value, "none"))
		misc |= 1 << 15;
	put(m, out, 0, 4);
	put(m, out, misc, 2);
	put(m, out, value_of(m, l, "record_size", 36 + name_len), 2);
	put(m, out, value_of(m, l, "pid", -1), 4);
	strbuf_add(out, bytes.buf, bytes.len);
	strbuf_pad(out, 0, 20 - bytes.len);
	put(m, out, misc & 1 << 15 ? (size ? expr_value(l, size->value) : bytes.len) : 0, 1);
	strbuf_pad(out, 0, 3);
	put_padded(out, name ? name->value : "", (name ? name->len : 0) + 1, 64);
	strbuf_release(&bytes);
}
