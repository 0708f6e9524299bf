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

void view_fact_bool(struct view_facts *f, const char *key, bool yes)
{
	vec_push(f, (struct view_fact){ key, { .type = VIEW_BOOL, .number = yes } });
}

struct view_value view_list_of(struct view_values *values, struct arena *arena)
{
	struct view_list *list = ARENA_NEW(arena, struct view_list);

	list->nr = values->nr;
	if (values->nr)
		list->v = arena_memdup(arena, values->v, values->nr * sizeof(*values->v));
	values->nr = 0;
	return (struct view_value){ .type = VIEW_LIST, .list = list };
}

struct view_value view_object_of(struct view_facts *facts, struct arena *arena)
{
	struct view_object *object = ARENA_NEW(arena, struct view_object);

	object->nr = facts->nr;
	if (facts->nr)
		object->v = arena_memdup(arena, facts->v, facts->nr * sizeof(*facts->v));
	facts->nr = 0;
	return (struct view_value){ .type = VIEW_OBJECT, .object = object };
}

void view_fact_list(struct view_facts *f, const char *key, struct view_values *values, struct arena *arena)
{
	if (values->nr)
		vec_push(f, (struct view_fact){ key, view_list_of(values, arena) });
}

struct view_summary *view_add_summary(struct view *v, const char *key, const char *title)
{
	struct view_summary *b = arena_zalloc(&v->arena, sizeof(*b));

	b->key = key;
	b->title = title;
	vec_push(&v->summary, b);
	return b;
}

struct view_words *view_add_number(struct view_summary *b, const char *key, const char *before, u64 number)
{
	struct view_words *i = vec_add(&b->words);

	*i = (struct view_words){ key, { .type = VIEW_NUMBER, .number = number }, 0, before, "\n" };
	return i;
}

void view_value_text(const struct view_value *v, u8 decimals, struct strbuf *out)
{
	switch (v->type) {
	case VIEW_TEXT:
	case VIEW_ABSENT:
		strbuf_addstr(out, v->text);
		break;
	case VIEW_NUMBER:
	case VIEW_TIME:
		strbuf_add_u64(out, v->number, 0);
		break;
	case VIEW_SIGNED:
		strbuf_addf(out, "%ld", (s64)v->number);
		break;
	case VIEW_REAL:
		strbuf_add_real(out, v->real, decimals);
		break;
	case VIEW_SHARE:
		strbuf_add_real(out, v->real, decimals);
		strbuf_addch(out, '%');
		break;
	case VIEW_ADDRESS:
		if (v->number)
			strbuf_add(out, "0x", 2);
		strbuf_add_hex(out, v->number, 0, ' ');
		break;
	case VIEW_BOOL:
		strbuf_addstr(out, v->number ? "yes" : "no");
		break;
	case VIEW_LIST:
	case VIEW_OBJECT:
		break;	/* texts have no room for them */
	}
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
	vec_foreach(&v->summary, b)
		vec_release(&(*b)->words);
	vec_foreach(&v->owned, p)
		free(*p);
	vec_release(&v->owned);
	vec_foreach(&v->arenas, a)
		arena_release(a);
	vec_release(&v->arenas);
	vec_release(&v->brief);
	vec_release(&v->head);
	vec_release(&v->fact);
	vec_release(&v->note);
	vec_release(&v->table);
	vec_release(&v->foot);
	vec_release(&v->summary);
	vec_release(&v->code);
	arena_release(&v->arena);
	free(v);
}
