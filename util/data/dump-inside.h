/* Parts of the dump; only util/data/dump*.c use it. */
#ifndef PERF_DATA_DUMP_INSIDE_H
#define PERF_DATA_DUMP_INSIDE_H

#include "dump.h"
#include "private.h"
#include "../base/cursor.h"

struct dump {
	const struct data *d;
	const struct rec *rec;
	struct cursor c;		/* behind the record's header */
	const struct sample *id;	/* the trailer */
	struct strbuf *out;
	enum dump_for who;
};

typedef void (*dump_fn)(struct dump *x);
typedef unsigned long long ull;

void dump_sample(struct dump *x);
void dump_deferred(struct dump *x);
#define DUMP_USER(name) void dump_##name(struct dump *x);
DUMP_USER(attr) DUMP_USER(id_index) DUMP_USER(auxtrace_info) DUMP_USER(auxtrace) DUMP_USER(auxtrace_error)
DUMP_USER(thread_map) DUMP_USER(cpu_map) DUMP_USER(stat_config) DUMP_USER(stat) DUMP_USER(stat_round)
DUMP_USER(event_update) DUMP_USER(time_conv) DUMP_USER(feature) DUMP_USER(newline) DUMP_USER(bpf_metadata)
#undef DUMP_USER

/* the string at the cursor, to its end or a NUL, with control characters escaped */
void dump_string(struct dump *x);

#endif
