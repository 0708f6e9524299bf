/* C2c graphs: the call chains of a row as a tree, for views. */
#ifndef PERF_C2C_C2C_GRAPH_H
#define PERF_C2C_C2C_GRAPH_H

#include "c2c.h"

/* sorts the stacks of all rows; each row knows its own afterwards */
void c2c_stacks_sort(struct c2c *c);
/* NULL if it has no stacks; the threshold is a share of the row. The view owns it */
struct view_node *c2c_graph(struct c2c *c, const struct c2c_row *r, struct view *v);

#endif
