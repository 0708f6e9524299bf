/* C2c columns: the columns of both tables of c2c, over pointers to struct c2c_line and c2c_row. */
#ifndef PERF_C2C_C2C_COLUMNS_H
#define PERF_C2C_C2C_COLUMNS_H

#include "c2c.h"

/* what a column depends on: one bit of the table for the display, for its family, for each part of by */
#define C2C_SHOWS(display)	(1u << (display))
#define C2C_SHOWS_HITM		(1u << 4)
#define C2C_SHOWS_PEER		(1u << 5)
#define C2C_SHOWS_ALWAYS	(1u << 6)
#define C2C_SHOWS_SOURCE	(1u << 7)
#define C2C_SHOWS_BY(by)	((by) << 8)

extern const struct view_field c2c_line_columns[], c2c_row_columns[];
extern const u32 c2c_nr_line_columns, c2c_nr_row_columns;
/* the bits of what o shows */
u32 c2c_columns_shown(const struct c2c_opts *o, u32 form);

#endif
