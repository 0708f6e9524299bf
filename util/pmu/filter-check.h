/*
 * Filter-check: filters are parsed here before the kernel gets them, so that errors are explained, with a
 * caret. Tracepoints (Documentation/trace/events.rst of the kernel):
 *
 *	or    := and { "||" and }		and := not { "&&" not }		not := "!" not | "(" or ")" |
 *		compare
 *	compare := field [".ustring" | ".function"] op value
 *	op    := "==" "!=" "<" "<=" ">" ">=" "&" (bits in common) "~" (glob)
 *	value := number | "text" | 'text' | CPUS{list}
 */
#ifndef PERF_PMU_FILTER_CHECK_H
#define PERF_PMU_FILTER_CHECK_H

#include "../base/err.h"

/*
 * format: the event's file "format" of tracefs, or NULL if it cannot be read: then only the form is checked.
 * 0, or -EINVAL with err: the message, the filter with a caret, and for an unknown field a hint with the
 * existing fields and their types.
 */
int filter_check(const char *filter, const char *event, const char *format, struct err *err);

#endif
