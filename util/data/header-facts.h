/*
 * Header facts: what a file's header says of the machine and of the recording, by name and as typed values:
 * for programs, and as lines of --header.
 */
#ifndef PERF_DATA_HEADER_FACTS_H
#define PERF_DATA_HEADER_FACTS_H

#include "data.h"
#include "../view/view.h"

/*
 * The file's path and all facts of its header, in the order of header-facts.def, lists included; what the
 * file does not say is left out. Texts are of d, or of arena.
 */
void header_facts(const struct data *d, struct arena *arena, struct view_facts *ret);
/* the lines "# title : value" of one feature, which must be there; nothing where it has no such facts */
void header_facts_text(const struct data *d, u64 bit, struct strbuf *out);

#endif
