/* Fields of tracepoints as attributes of samples, by the formats of the recording or of the running kernel */
#ifndef PERF_PYTHON_FIELDS_H
#define PERF_PYTHON_FIELDS_H

#include "events.h"

/* the value, or NULL with the exception that is set already if the event has no such field */
PyObject *tracepoint_field(struct event_object *e, PyObject *name);
/* the text that the kernel's trace shows; None for other events than tracepoints */
PyObject *tracepoint_text(struct event_object *e);

#endif
