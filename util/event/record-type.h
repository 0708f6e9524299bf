/* Record types, from the rows of records.def: the kernel's, and from 64 on those of perf.data files. */
#ifndef PERF_EVENT_RECORD_TYPE_H
#define PERF_EVENT_RECORD_TYPE_H

#define RECORD(nr, name, ...) REC_##name = nr,
enum rec_type {
	REC_USER_START = 64,
#include "records.def"
};

#endif
