/* Tracing-data: copies formats of tracepoints into the header. */
#include "tracing-data.h"
#include "../kernel/tracefs.h"
#include "../base/fs.h"
#include "../data/features-write.h"

#include <unistd.h>

/* a file of tracefs as u64 size and text; a missing one as size 0 */
static void put_file64(struct strbuf *out, const char *text, size_t len)
{
	put_u64(out, len);
	strbuf_add(out, text, len);
}

static void put_tracefs_file(struct strbuf *out, const char *name)
{
	const char *root = tracefs_path();
	struct strbuf text = STRBUF_INIT;
	char *path = xasprintf("%s/%s", root ? root : "", name);

	if (!root || fs_read(path, &text) < 0)
		strbuf_reset(&text);
	put_file64(out, text.buf, text.len);
	strbuf_release(&text);
	free(path);
}

static void put_intro(struct strbuf *out)
{
	static const char magic[] = { 23, 8, 68, 't', 'r', 'a', 'c', 'i', 'n', 'g' };

	strbuf_add(out, magic, sizeof(magic));
	strbuf_add(out, "0.6", 4);
	strbuf_addch(out, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	strbuf_addch(out, sizeof(long));
	put_u32(out, page_size());
	strbuf_add(out, "header_page", 12);
	put_tracefs_file(out, "events/header_page");
	strbuf_add(out, "header_event", 13);
	put_tracefs_file(out, "events/header_event");
	put_u32(out, 0);	/* formats of the ftrace system, which perf samples do not use */
}

static bool seen_before(const struct evset *set, const struct event *ev, bool whole)
{
	for (u32 i = 0; i < ev->idx; i++) {
		const struct event *old = evset_at(set, i);

		if (old->tp_system && !strcmp(old->tp_system, ev->tp_system) &&
		    (!whole || !strcmp(old->tp_name, ev->tp_name)))
			return true;
	}
	return false;
}

/* name, u32 number of events, then each format */
static void put_system(struct strbuf *out, const struct evset *set, const struct event *first)
{
	struct strbuf body = STRBUF_INIT, text = STRBUF_INIT;
	u32 nr = 0;

	for (u32 i = first->idx; i < set->ev.nr; i++) {
		const struct event *ev = evset_at(set, i);

		if (!ev->tp_system || strcmp(ev->tp_system, first->tp_system) || seen_before(set, ev, true))
			continue;
		strbuf_reset(&text);
		if (tracefs_event_format(ev->tp_system, ev->tp_name, &text) < 0)
			continue;
		put_file64(&body, text.buf, text.len);
		nr++;
	}
	strbuf_add(out, first->tp_system, strlen(first->tp_system) + 1);
	put_u32(out, nr);
	strbuf_add(out, body.buf, body.len);
	strbuf_release(&body);
	strbuf_release(&text);
}

static void put_systems(struct strbuf *out, const struct evset *set)
{
	u32 nr = 0;

	vec_foreach(&set->ev, ev)
		nr += (*ev)->tp_system && !seen_before(set, *ev, false);
	put_u32(out, nr);
	vec_foreach(&set->ev, ev)
		if ((*ev)->tp_system && !seen_before(set, *ev, false))
			put_system(out, set, *ev);
}

static void put_printk(struct strbuf *out)
{
	const char *root = tracefs_path();
	struct strbuf text = STRBUF_INIT;
	char *path = xasprintf("%s/printk_formats", root ? root : "");

	if (!root || fs_read(path, &text) < 0)
		strbuf_reset(&text);
	put_u32(out, text.len);
	strbuf_add(out, text.buf, text.len);
	strbuf_release(&text);
	free(path);
}

int tracing_data_gather(struct features *f, const struct evset *set, struct err *err)
{
	struct strbuf out = STRBUF_INIT;
	bool any = false;

	vec_foreach(&set->ev, ev)
		any |= (*ev)->tp_system != NULL;
	if (!any)
		return 0;
	put_intro(&out);
	put_systems(&out, set);
	put_u32(&out, 0);	/* kallsyms: maps and build-ids are better */
	put_printk(&out);
	put_u64(&out, 0);	/* names of tasks: COMM records contain them */
	f->tracing_data.data = arena_memdup(&f->arena, out.buf, out.len);
	f->tracing_data.size = out.len;
	feature_set(f, FEAT_TRACING_DATA);
	strbuf_release(&out);
	return 0;
}
