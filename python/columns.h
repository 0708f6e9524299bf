/*
 * Columns: one number of each sample as arrays, which are memoryviews of memory that Python owns: whoever
 * takes a view of it (numpy, Arrow) needs no copy, and it outlives the session. The kinds are rows of
 * columns.def.
 */
#ifndef PERF_PYTHON_COLUMNS_H
#define PERF_PYTHON_COLUMNS_H

#include "module.h"

struct profile;
struct event;

/* the text of help, with all columns */
extern const char columns_doc[];
/* a dict by name, in this order; names: a tuple. only NULL: samples of all events */
PyObject *columns_fill(struct profile *p, PyObject *names, const struct event *only);
/* the texts whose numbers a column has */
PyObject *columns_names(struct profile *p, const char *column);

#endif
