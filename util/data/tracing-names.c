/*
 * Names of tracepoints from the formats in a file, for files that do not name their events. Layout:
 * trace.dat(5). Only names are read here; util/tep understands the rest.
 */
#include "data-private.h"
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
static void take_format(struct data *d, const char *system, const char *text, size_t len)
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

static bool any_nameless(const struct evset *set)
{
	vec_foreach(&set->ev, ev)
		if (!*(*ev)->name && (*ev)->attr.type == PERF_TYPE_TRACEPOINT)
			return true;
	return false;
}

void data_name_tracepoints(struct data *d)
{
	static const u8 magic[] = "\x17\x08\x44tracing";
	struct cursor c = cursor_of(d->feat.tracing_data.data, d->feat.tracing_data.size, false);
	const u8 *head = cursor_bytes(&c, sizeof(magic) - 1);
	u32 nr;

	if (!any_nameless(d->evset) || !head || memcmp(head, magic, sizeof(magic) - 1))
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
				take_format(d, system, text, len);
		}
	}
}
