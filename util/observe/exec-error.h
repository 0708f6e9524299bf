/* Exec-error: why a program could not be executed, by the errno and by its file, and what to do. */
#ifndef PERF_OBSERVE_EXEC_ERROR_H
#define PERF_OBSERVE_EXEC_ERROR_H

#include "../base/err.h"

/* name: argv[0], searched for in $PATH if it has no slash. Returns -errnum, with err */
int exec_explain(const char *name, int errnum, struct err *err);

#endif
