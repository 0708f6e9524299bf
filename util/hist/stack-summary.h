/*
 * Stack summary: how many call chains of a report are complete, and why the others are not: a line of its
 * head, and the fact "stacks" of its JSON.
 */
#ifndef PERF_HIST_STACK_SUMMARY_H
#define PERF_HIST_STACK_SUMMARY_H

#include "hist.h"
#include "../view/view.h"

/*
 * appends "stacks: 71.2% complete, ..."; nothing if all are complete, or there are too few to conclude
 * anything
 */
void stack_summary_text(const struct hist *h, struct strbuf *out);
/* adds an object: by reason the number of samples; nothing if no chain has a user part */
void stack_summary_fact(const struct hist *h, struct view_facts *facts, struct arena *arena);

#endif
