/*
 * Folded: a line per stack, its frames from the outermost caller on with semicolons between them, a blank
 * and the period: what flame graph programs read. Compared with an earlier profile, its period stands before.
 * If there are several tables, a stack begins with the name of the event.
 */
#include "flame.h"
#include "format.h"
#include "markup.h"

struct folded {
	struct markup m;
	const char *event;	/* NULL: there is only one */
	bool compared;
};

static void add_path(void *ctx, const char *path, const struct flame_node *n)
{
	struct folded *o = ctx;

	if (o->event)
		strbuf_addf(&o->m.text, "%s;", o->event);
	strbuf_add_safe(&o->m.text, path);
	if (o->compared)
		strbuf_addf(&o->m.text, " %lu", n->self_before);
	strbuf_addf(&o->m.text, " %lu\n", n->self);
	markup_drain(&o->m);
}

int folded_show(const struct view *v, const struct text_opts *opts UNUSED, FILE *out)
{
	struct folded o = { .m.file = out };

	vec_foreach(&v->table, t) {
		struct flame f;

		o.event = v->table.nr > 1 && (*t)->member.nr ? (*t)->member.v[0] : NULL;
		if (flame_make(&f, *t)) {
			o.compared = f.compared;
			flame_prune(&f, SIZE_MAX, 0);
			flame_paths(&f, add_path, &o);
		}
		flame_release(&f);
	}
	return markup_end(&o.m);
}
