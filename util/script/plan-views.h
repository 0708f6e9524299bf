/* Plan-views: what lines of each event show. */
#ifndef PERF_SCRIPT_PLAN_VIEWS_H
#define PERF_SCRIPT_PLAN_VIEWS_H

#include "line-worker.h"

/* makes sc->view of its options and events, and what else follows from them */
void script_plan_views(struct script *sc);

#endif
