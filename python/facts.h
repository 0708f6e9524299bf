/* Facts: what a file's header says of the machine and the recording, as objects of Python. */
#ifndef PERF_PYTHON_FACTS_H
#define PERF_PYTHON_FACTS_H

#include "module.h"

struct data;
/* a dict by the keys of header-facts.def; lists and dicts in it where a fact has several values */
PyObject *header_object(const struct data *d);

#endif
