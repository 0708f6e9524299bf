/*
 * Graph filter: --graph-function. Of a trace, only what threads do in some functions and in all that these
 * call, by the depth of calls that samples of traces have. Samples come one after another, in order.
 */
#ifndef PERF_SCRIPT_GRAPH_FILTER_H
#define PERF_SCRIPT_GRAPH_FILTER_H

#include "../base/err.h"
#include "../base/types.h"

struct batch;
struct script_host;
struct graph_filter;

/* functions: "a,b", or a file of names; *ret is NULL if functions is NULL. 0, or negative errno with err */
int graph_filter_new(struct graph_filter **ret, const char *functions, struct err *err);
void graph_filter_free(struct graph_filter *g);
/* takes samples outside of the functions out of the batch */
void graph_filter_batch(struct graph_filter *g, const struct script_host *host, struct batch *b);

#endif
