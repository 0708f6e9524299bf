/*
 * Metrics: values derived from the counters of a sample, a line each after the lines of the group's members.
 */
#include "metrics.h"

#include "../session/reads.h"
#include "../stat/metric.h"
#include "../stat/sample-metrics.h"
#include "cells.h"
#include "line-start.h"

bool script_metrics_wanted(const struct script *sc)
{
	return script_fields_any(&sc->o->fields, FIELD_BIT(METRIC));
}

/* of a member of the group */
static void put_metrics(struct line_worker *w, const struct rec *rec, const struct line_sample *ls,
			struct strbuf *out)
{
	const struct event_view *v = &w->sc->view[ls->sm.event->idx];
	const struct view_derived *m;
	u32 nr;

	if (!(v->mask & FIELD_BIT(METRIC)))
		return;
	m = sample_metrics_of(w->metrics, ls->sm.event->idx, &nr);
	for (u32 i = 0; i < nr; i++) {
		if (w->sc->o->format) {
			cells_metric(w, rec, ls, &m[i], out);
			continue;
		}
		line_start(w, v, &ls->sm, ls->sm.tid, rec, &ls->at, out);
		strbuf_addstr(out, "\tmetric: ");
		view_derived_text(&m[i], "", out);
		strbuf_addch(out, '\n');
	}
	line_end_part(w, ls->sm.event->idx, false, out);
}

void line_metrics(struct line_worker *w, const struct rec *rec, const struct line_sample *ls,
		  struct strbuf *out)
{
	const struct session *s = w->sc->s;
	struct line_sample part = *ls;

	if (!w->metrics)
		w->metrics = sample_metrics_new(s->data->evset);
	sample_metrics_begin(w->metrics);
	for (u32 i = 0; session_read(s, rec, i, &part.sm) >= 0; i++)
		if (session_read_known(s, &ls->sm, i))
			sample_metrics_add(w->metrics, part.sm.event->idx, part.sm.period);
	part = *ls;
	for (u32 i = 0; session_read(s, rec, i, &part.sm) >= 0; i++)
		if (session_read_known(s, &ls->sm, i))
			put_metrics(w, rec, &part, out);
}
