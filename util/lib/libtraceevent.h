/*
 * Libtraceevent: the formats of tracepoints. Its functions are called as its own header declares them, and are there after libtraceevent_load().
 */
#ifndef PERF_LIB_LIBTRACEEVENT_H
#define PERF_LIB_LIBTRACEEVENT_H

#include <traceevent/event-parse.h>
#include "lib.h"

/* the text of an event, as its print format says */
void tep_print_info(struct tep_handle *tep, struct trace_seq *s, struct tep_record *record);

struct libtraceevent_ops {
#define FN(type, name, params, args) type (*name) params;
#include "libtraceevent.def"
#undef FN
};

/* 0, or -ELIBACC with err where it is not there. Threads may ask at the same time */
int libtraceevent_load(struct err *err);
/* the same for those who can go on without it; a warning says once what is missing */
bool libtraceevent_usable(void);

#endif
