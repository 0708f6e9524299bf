/* Items as names alone on one line, blanks between them: what completion in a shell wants. */
#include "items.h"

void names_items(const struct view_items *v, const struct items_opts *o, struct strbuf *out)
{
	struct view_item item;

	(void)o;
	for (size_t i = 0; i < v->nr; i++) {
		v->item(v, i, &item);
		if (item.pattern)
			continue;
		if (out->len)
			strbuf_addch(out, ' ');
		strbuf_add_safe(out, item.name);
	}
	strbuf_addch(out, '\n');
}
