/* Report facts: what the header of a file says of the machine and of the recording, as facts of a view. */
#ifndef PERF_HIST_REPORT_FACTS_H
#define PERF_HIST_REPORT_FACTS_H

#include "../session/session.h"
#include "../view/view.h"

/* what the file does not say is left out; the session must outlive the view */
void report_facts(struct view *v, const struct session *s);

#endif
