/* Stacks-carried: the order of stacks if tables are carried from profile to profile. Private to stacks.c. */
#ifndef PERF_VIEW_STACKS_CARRIED_H
#define PERF_VIEW_STACKS_CARRIED_H

struct stacks_order;
void stacks_order_free(struct stacks_order *o);	/* NULL is accepted */

#endif
