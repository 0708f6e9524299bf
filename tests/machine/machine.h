/*
 * Tests of this machine: what "perf test" runs. Each runs commands of this very program as a user would, on
 * small workloads, and looks at what they print. A test that needs an ability which the machine, the kernel
 * or the user's rights do not give is skipped with what doctor says of it; where doctor finds the ability,
 * the test must pass. They are written with the macros of tests/unit/test.h.
 */
#ifndef PERF_TESTS_MACHINE_H
#define PERF_TESTS_MACHINE_H

#include "../../util/base/strbuf.h"
#include "../unit/test.h"

/* name: of a check in util/doctor/machine.def; skips the test unless it finds nothing missing or limited */
void need(const char *name);
/*
 * runs "perf WORDS", separated by single blanks, a word @ for the path of perf itself. It must succeed; what
 * it prints is shown when the test fails. Returns its standard output, which is valid until the next call
 */
const char *perf(const char *words);
/* the output of the last call has the text, or the test has failed */
void shows(const char *text);
/* the number in the first field of the line of "stat -x," for an event; ends the test if there is none */
double count_of(const char *csv, const char *event);
/* the path of this program's file, which has the functions of workloads; skips the test if it is unknown */
const char *perf_file(void);

#endif
