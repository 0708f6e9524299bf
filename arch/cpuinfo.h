/* Cpuinfo: texts of lines "key<blanks>: value", as /proc/cpuinfo has them. */
#ifndef PERF_ARCH_CPUINFO_H
#define PERF_ARCH_CPUINFO_H

#include <stddef.h>
#include "../util/base/types.h"

/* the value of the first such line, into buf, cut where it is longer; false: there is none, and buf is "" */
bool cpuinfo_value(const char *text, const char *key, char *buf, size_t size);
/* the same without blanks at the end; false where nothing is left, too */
bool cpuinfo_word(const char *text, const char *key, char *buf, size_t size);

#endif
