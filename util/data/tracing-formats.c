/* Tracing formats: see tracing-formats.h. Layout: trace.dat(5). */
#include "tracing-formats.h"
#include "events.h"
#include "../base/cursor.h"

#include <stdio.h>
#include <string.h>

static const char *read_name(struct cursor *c)
{
	const void *nul = memchr(c->p, '\0', cursor_left(c));
	const char *s = (const char *)c->p;

	if (!nul) {
		c->bad = true;
		return "";
	}
	cursor_skip(c, (const char *)nul - s + 1);
	return s;
}

static void skip_file(struct cursor *c)
{
	cursor_skip(c, cursor_u64(c));
}

/* "name: sched_switch\nID: 372\n..." */
static void take_name(struct data *d, const char *system, const char *text, size_t len)
{
	char *copy = xstrndup(text, MIN(len, (size_t)512)), name[128];
	unsigned long long id;

	if (sscanf(copy, "name: %127s ID: %llu", name, &id) == 2) {
		struct strbuf full = STRBUF_INIT;

		strbuf_addf(&full, "%s:%s", system, name);
		data_add_tracepoint_name(d, id, full.buf, full.len);
		strbuf_release(&full);
	}
	free(copy);
}

typedef void format_fn(struct data *d, const char *system, const char *text, size_t len);

/* calls fn for each format of a subsystem */
static void each_format(struct data *d, format_fn *fn)
{
	static const u8 magic[] = "\x17\x08\x44tracing";
	struct cursor c = cursor_of(d->feat.tracing_data.data, d->feat.tracing_data.size, false);
	const u8 *head = cursor_bytes(&c, sizeof(magic) - 1);
	u32 nr;

	if (!head || memcmp(head, magic, sizeof(magic) - 1))
		return;
	read_name(&c);		/* version */
	c.swap = cursor_u8(&c) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	cursor_skip(&c, 5);	/* size of long, of a page */
	for (int i = 0; i < 2; i++) {
		read_name(&c);	/* header_page, header_event */
		skip_file(&c);
	}
	for (nr = cursor_u32(&c); nr && !c.bad; nr--)
		skip_file(&c);	/* formats of ftrace itself */
	for (nr = cursor_u32(&c); nr && !c.bad; nr--) {
		const char *system = read_name(&c);

		for (u32 events = cursor_u32(&c); events && !c.bad; events--) {
			u64 len = cursor_u64(&c);
			const char *text = cursor_bytes(&c, len);

			if (text)
				fn(d, system, text, len);
		}
	}
}

static bool any_nameless(const struct evset *set)
{
	vec_foreach(&set->ev, ev)
		if (!*(*ev)->name && (*ev)->attr.type == PERF_TYPE_TRACEPOINT)
			return true;
	return false;
}

void data_name_tracepoints(struct data *d)
{
	if (any_nameless(d->evset))
		each_format(d, take_name);
}

/* "field:unsigned long __probe_ip;	offset:8;	size:8;	signed:0;": only entries of probes have it */
static void take_probe(struct data *d, const char *system, const char *text, size_t len)
{
	static const char field[] = " __probe_ip;";
	const char *at = memmem(text, len, field, sizeof(field) - 1);
	unsigned long long id;
	unsigned int off, size;
	char *copy;

	if (!at)
		return;
	copy = xstrndup(text, MIN(len, (size_t)512));
	if (sscanf(copy, "name: %*s ID: %llu", &id) != 1)
		id = UINT64_MAX;
	free(copy);
	copy = xstrndup(at, MIN(len - (at - text), (size_t)128));
	if (sscanf(copy, " __probe_ip; offset:%u; size:%u;", &off, &size) == 2 && size == 8)
		vec_foreach(&d->evset->ev, ev)
			if ((*ev)->attr.type == PERF_TYPE_TRACEPOINT && (*ev)->attr.config == id)
				sample_plan_set_probe(d->plan, *ev, off);
	free(copy);
}

static bool any_raw_tracepoint(const struct evset *set)
{
	vec_foreach(&set->ev, ev)
		if ((*ev)->attr.type == PERF_TYPE_TRACEPOINT &&
		    !(~(*ev)->attr.sample_type & (ABI_SAMPLE_RAW | ABI_SAMPLE_IP)))
			return true;
	return false;
}

void data_find_probes(struct data *d)
{
	if (any_raw_tracepoint(d->evset))
		each_format(d, take_probe);
}
