/*
 * Addr-filter: address filters of tracing hardware (Intel PT, CoreSight), as users write them:
 *
 *	list  := one { (" " | ",") one }	one := ("filter" | "start" | "stop" | "tracestop") place ["/"
 *		size] ["@" file]
 *	place := number | symbol [nth] | "*"	size := number | symbol [nth]
 *	nth   := "#" N (of the symbols of that name, by address) | "#0" | "#g" | "#G" (the global one)
 *
 * A region ("filter", "tracestop") that begins at a symbol ends with it if no size is given; "*" means all
 * code. Numbers are offsets in the file, or without a file addresses of the kernel.
 */
#ifndef PERF_PMU_ADDR_FILTER_H
#define PERF_PMU_ADDR_FILTER_H

#include "../base/err.h"
#include "../base/strbuf.h"

/*
 * Appends the filter in the kernel's form (PERF_EVENT_IOC_SET_FILTER) to out: symbols as offsets in their
 * files or addresses of the kernel, files with their full names, tracestop as the region in which to stop:
 * "filter 0x1139/0x1c@/bin/x,stop 0x1200@/bin/x". event is for messages. 0 or a negative errno with err: the
 * message and the filter with a caret; -ENOENT: no such file or symbol.
 */
int addr_filter_resolve(const char *filter, const char *event, struct strbuf *out, struct err *err);

#endif
