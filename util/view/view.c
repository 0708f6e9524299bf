/* View: facts, disposal. */
#include "view.h"

#include <stdlib.h>

void view_fact_text(struct view_facts *f, const char *key, const char *text)
{
	if (text)
		vec_push(f, (struct view_fact){ key, { .type = VIEW_TEXT, .text = text } });
}

void view_fact_number(struct view_facts *f, const char *key, u64 number)
{
	vec_push(f, (struct view_fact){ key, { .type = VIEW_NUMBER, .number = number } });
}

void view_free(struct view *v)
{
	if (!v)
		return;
	vec_foreach(&v->table, t) {
		vec_release(&(*t)->head);
		vec_release(&(*t)->member);
		vec_release(&(*t)->fact);
		vec_release(&(*t)->column);
	}
	vec_foreach(&v->owned, p)
		free(*p);
	vec_release(&v->owned);
	vec_foreach(&v->arenas, a)
		arena_release(a);
	vec_release(&v->arenas);
	vec_release(&v->head);
	vec_release(&v->fact);
	vec_release(&v->note);
	vec_release(&v->table);
	vec_release(&v->foot);
	arena_release(&v->arena);
	free(v);
}
