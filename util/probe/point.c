/* Points: memory of the places where probes are put. */
#include "point.h"

#include <stdio.h>
#include <string.h>

struct probe_point *probe_points_add(struct probe_points *pts)
{
	return vec_add(pts);
}

void probe_point_fetch(struct probe_points *pts, struct probe_point *p, const char *name, const char *text)
{
	vec_push(&p->fetch, (struct probe_fetch){
		.name = name ? arena_strdup(&pts->mem, name) : NULL,
		.text = arena_strdup(&pts->mem, text),
	});
}

static bool is_taken(const struct probe_point *p, const char *name)
{
	vec_foreach(&p->fetch, f)
		if (f->name && !strcmp(f->name, name))
			return true;
	return false;
}

const char *probe_point_name(struct probe_points *pts, const struct probe_point *p, const char *name)
{
	size_t size = strlen(name) + 16;
	char *next;

	if (!is_taken(p, name))
		return name;
	next = arena_alloc(&pts->mem, size);
	for (unsigned int i = 1; i < 1000; i++) {
		snprintf(next, size, "%s_%u", name, i);
		if (!is_taken(p, next))
			break;
	}
	return next;
}

void probe_points_release(struct probe_points *pts)
{
	vec_foreach(pts, p)
		vec_release(&p->fetch);
	vec_release(pts);
	arena_release(&pts->mem);
}
