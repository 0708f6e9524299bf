/* Stacks-samples: the order of single samples. Private to stacks.c. */
#ifndef PERF_VIEW_STACKS_SAMPLES_H
#define PERF_VIEW_STACKS_SAMPLES_H

#include "stacks.h"

/*
 * by event and labels, then by time, in place: a table of samples can be most of the memory that a program
 * has. stack: by number of a stack before they were ordered
 */
void stacks_order_samples(struct stacks *s, const u32 *stack);

#endif
