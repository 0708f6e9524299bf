/* Places: the aggregates of stat as the places of a view: what each is called, and its numbers. */
#ifndef PERF_STAT_PLACES_H
#define PERF_STAT_PLACES_H

#include "../view/lines.h"
#include "aggr.h"

/* one for each id of a; to be released with view_places_release() */
void stat_places_init(struct view_places *p, const struct aggr *a);

#endif
