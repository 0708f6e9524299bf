/* Engine-records: functions of scripts for records other than samples. */
#ifndef PERF_SCRIPT_ENGINE_RECORDS_H
#define PERF_SCRIPT_ENGINE_RECORDS_H

#include "../base/err.h"

struct engine;
struct rec;

/* functions for records other than samples: looked up, and called for one record */
void engine_find_record_functions(struct engine *g);
int engine_run_record(struct engine *g, const struct rec *rec, struct err *err);

#endif
