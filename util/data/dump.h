/*
 * Dump of records for report -D and script -D: the bytes, then one line (or more) of what they mean, in the layout that users
 * of upstream know. Rows of record types: records.def. The order in which records are shown is the caller's.
 */
#ifndef PERF_DATA_DUMP_H
#define PERF_DATA_DUMP_H

#include "data.h"
#include "../base/strbuf.h"

enum dump_for { DUMP_REPORT = 1, DUMP_SCRIPT = 2 };

/*
 * Appends the dump of one record. For a SAMPLE the caller adds dump_place() once it knows thread and dso. Records that are
 * too short for their type say so instead of a meaning.
 */
void dump_record(const struct data *d, const struct rec *rec, enum dump_for who, struct strbuf *out);
/* " ... thread: ls:8920" and " ...... dso: /usr/bin/ls"; comm ":TID" where it is unknown, dso NULL where no map holds the ip */
void dump_place(const char *comm, u32 tid, const char *dso, struct strbuf *out);

/* "SAMPLE" for PERF_RECORD_SAMPLE (9); NULL for types that are not known here */
const char *record_name(u32 type);
/* bytes that the fixed fields of a type take, header included; 8 for unknown ones */
u32 record_min_size(u32 type);

#endif
