/* Status: the exit status of commands of perf that run a program, by one rule. */
#ifndef PERF_BUILTIN_STATUS_H
#define PERF_BUILTIN_STATUS_H

#include "util/base/err.h"
#include "util/observe/workload.h"

/*
 * ret is a negative errno with err: prints err, and returns 255 if the program could not be executed, else 1.
 * Otherwise the status of the program, as a shell shows it: 128 + signal if a signal killed it, which is said
 * as a shell says it; 0 if perf ended the program, or if there was none
 */
int command_status(int ret, const struct err *err, const struct workload_result *command);

#endif
