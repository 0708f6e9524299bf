/* Addr-name: whether the address of a sample, its field addr, has a name. */
#ifndef PERF_SCRIPT_ADDR_NAME_H
#define PERF_SCRIPT_ADDR_NAME_H

#include "line-worker.h"

/* whether the address of a sample may be named */
bool line_addr_has_name(const struct event_view *v, const struct event *ev);
/* the same, and fields show the name */
bool line_addr_is_named(const struct event_view *v, const struct event *ev);

#endif
