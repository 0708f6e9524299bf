/* Points: memory of the places where probes are put. */
#include "point.h"

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

void probe_points_release(struct probe_points *pts)
{
	vec_foreach(pts, p)
		vec_release(&p->fetch);
	vec_release(pts);
	arena_release(&pts->mem);
}
