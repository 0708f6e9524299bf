/* Functions of the module; the rows with their names and texts are in module.c. */
#ifndef PERF_PYTHON_FUNCTIONS_H
#define PERF_PYTHON_FUNCTIONS_H

#include "module.h"

PyObject *function_parse_events(PyObject *module, PyObject *args, PyObject *kwargs);
PyObject *function_metrics(PyObject *module, PyObject *args, PyObject *kwargs);
PyObject *function_parse_metrics(PyObject *module, PyObject *args, PyObject *kwargs);
PyObject *function_pmus(PyObject *module, PyObject *args, PyObject *kwargs);
PyObject *function_tracepoint(PyObject *module, PyObject *args, PyObject *kwargs);

#endif
