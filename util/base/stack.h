/*
 * Stack: enough of it where the limit is small (ulimit -s 128, threads of some C libraries). Libraries decide
 * how much is needed: libdw has hundreds of kilobytes of line numbers in one frame.
 */
#ifndef PERF_BASE_STACK_H
#define PERF_BASE_STACK_H

#include <pthread.h>
#include "types.h"

/*
 * Calls fn in this thread, on another stack if the limit of this one is below the usual 8 MB. The limit
 * itself stays, because programs that are started inherit it
 */
int stack_run(int (*fn)(void *ctx), void *ctx);
/* initializes the attributes of a thread that has at least as much */
void stack_thread_attr(pthread_attr_t *attr);

#endif
