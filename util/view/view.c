/* View: disposal. */
#include "view.h"

#include <stdlib.h>

void view_free(struct view *v)
{
	if (!v)
		return;
	vec_foreach(&v->table, t) {
		vec_release(&(*t)->head);
		vec_release(&(*t)->column);
	}
	vec_foreach(&v->owned, p)
		free(*p);
	vec_release(&v->owned);
	vec_foreach(&v->arenas, a)
		arena_release(a);
	vec_release(&v->arenas);
	vec_release(&v->head);
	vec_release(&v->table);
	vec_release(&v->foot);
	arena_release(&v->arena);
	free(v);
}
