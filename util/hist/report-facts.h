/* Report facts: the contents of a file's header about the machine and the recording, as facts of a view. */
#ifndef PERF_HIST_REPORT_FACTS_H
#define PERF_HIST_REPORT_FACTS_H

#include "../session/session.h"
#include "../view/view.h"

/* facts that the file does not have are left out; the session must outlive the view */
void report_facts(struct view *v, const struct session *s);

#endif
