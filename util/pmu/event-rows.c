/* Event rows: see event-rows.h. */
#include "event-rows.h"
#include "../base/search.h"

#include <string.h>
#include <strings.h>

void event_table_release(struct event_table *t)
{
	vec_release(&t->event);
	vec_release(&t->metric);
	arena_release(&t->arena);
	t->dir = NULL;
}

const struct table_event *event_table_find(const struct event_table *t, const char *pmu, const char *name)
{
	size_t lo = LOWER_BOUND(t->event.nr, i, strcasecmp(t->event.v[i].name, name) < 0);

	for (; lo < t->event.nr && !strcasecmp(t->event.v[lo].name, name); lo++)
		if (!pmu || !strcmp(t->event.v[lo].pmu, pmu))
			return &t->event.v[lo];
	return NULL;
}

