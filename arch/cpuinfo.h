/* Cpuinfo: values of lines "key<blanks>: value", as in /proc/cpuinfo. */
#ifndef PERF_ARCH_CPUINFO_H
#define PERF_ARCH_CPUINFO_H

#include <stddef.h>
#include "../util/base/types.h"

/* copies the value of the first such line to buf, cut if it is too long; false and "" if there is none */
bool cpuinfo_value(const char *text, const char *key, char *buf, size_t size);
/* the same without blanks at the end; false if nothing is left, too */
bool cpuinfo_word(const char *text, const char *key, char *buf, size_t size);

#endif
