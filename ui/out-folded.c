/*
 * Folded: a line per stack, its frames from the outermost caller on with semicolons between them, a blank
 * and the period: what flame graph programs read. If there are several tables, a stack begins with the name
 * of the event.
 */
#include "flame.h"
#include "format.h"
#include "markup.h"

struct folded {
	struct markup m;
	const char *event;	/* NULL: there is only one */
};

static void add_path(void *ctx, const char *path, u64 self)
{
	struct folded *o = ctx;

	if (o->event)
		strbuf_addf(&o->m.text, "%s;", o->event);
	strbuf_add_safe(&o->m.text, path);
	strbuf_addf(&o->m.text, " %lu\n", self);
	markup_drain(&o->m);
}

int folded_show(const struct view *v, const struct text_opts *opts UNUSED, FILE *out)
{
	struct folded o = { .m.file = out };

	vec_foreach(&v->table, t) {
		struct flame f;

		o.event = v->table.nr > 1 && (*t)->member.nr ? (*t)->member.v[0] : NULL;
		if (flame_make(&f, *t)) {
			flame_prune(&f, SIZE_MAX, 0);
			flame_paths(&f, add_path, &o);
		}
		flame_release(&f);
	}
	return markup_end(&o.m);
}
