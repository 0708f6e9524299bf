/* Items as JSON: an array of objects, an item a few lines. perf-list(1) describes the keys. */
#include "items.h"

#include "json-value.h"

static void add_object(struct json *w, const struct view_facts *facts)
{
	json_begin_object(w, JSON_LINES);
	vec_foreach(facts, f) {
		if (f->value.type == VIEW_TEXT && !*f->value.text)
			continue;
		json_key(w, f->key);
		json_write_value(w, &f->value, JSON_SPACED);
	}
	json_end(w);
}

void json_items(const struct view_items *v, const struct items_opts *o, struct strbuf *out)
{
	/* with the indents of upstream's list */
	struct json w = { .out = out, .indent = "\t", .flat_levels = 1 };
	struct view_facts facts = { 0 };

	(void)o;
	json_begin_array(&w, JSON_LINES);
	for (size_t i = 0; i < v->nr; i++)
		for (u32 nth = 0; facts.nr = 0, v->object(v, i, nth, &facts); nth++)
			add_object(&w, &facts);
	json_end(&w);
	strbuf_addch(out, '\n');
	vec_release(&facts);
}
