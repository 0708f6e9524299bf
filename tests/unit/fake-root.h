/*
 * Fake machines for unit tests: files of /sys and /proc written into the test's own empty directory, which
 * becomes the fs root.
 */
#ifndef PERF_TESTS_UNIT_FAKE_ROOT_H
#define PERF_TESTS_UNIT_FAKE_ROOT_H

/* writes text to the file at path (and makes directories); the current directory becomes the fs root */
void fake_file(const char *path, const char *text);
/* a PMU in sysfs: type, then "name=content" for further files ("format/event=config:0-7"), NULL-terminated */
void fake_pmu(const char *name, const char *type, ...) __attribute__((sentinel));
/* a tracepoint with its id and a format of one field */
void fake_tracepoint(const char *sys, const char *name, const char *id);

#endif
