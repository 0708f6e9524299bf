/* File facts: what the header of a file says of the machine and of the recording. */
#ifndef PERF_FIELDS_FILE_FACTS_H
#define PERF_FIELDS_FILE_FACTS_H

#include "../session/session.h"
#include "../view/view.h"

/* facts that the file does not have are left out; texts belong to the session or to arena */
void file_facts(struct view_facts *facts, struct arena *arena, const struct session *s);

#endif
