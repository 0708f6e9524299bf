/* C2c view: the parts of the answer, for c2c-view.c. */
#ifndef PERF_C2C_C2C_VIEW_H
#define PERF_C2C_C2C_VIEW_H

#include "c2c.h"

/* the blocks of numbers */
void c2c_add_stats(const struct c2c *c, struct view *v);
void c2c_add_details(const struct c2c *c, struct view *v);

/* texts of the rows that are shown: functions, files, source lines, nodes; they belong to arena */
void c2c_name_rows(struct c2c *c, struct c2c_row **row, size_t nr, struct arena *arena, u32 form);
/* "0-1", "N/A": the nodes of physical addresses */
const char *c2c_phys_nodes(const struct c2c_phys *p, struct arena *arena);

#endif
