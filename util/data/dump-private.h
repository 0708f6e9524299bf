/* Parts of the dump, for util/data/dump*.c only. */
#ifndef PERF_DATA_DUMP_PRIVATE_H
#define PERF_DATA_DUMP_PRIVATE_H

#include "dump.h"
#include "data-private.h"
#include "../event/record.h"

struct dump {
	const struct data *d;
	const struct rec *rec;
	struct record_view v;
	const struct sample *id;	/* the trailer; for a SAMPLE, all of it */
	struct strbuf *out;
	enum dump_for who;
	bool left_alone;		/* the command ignores it: ": unhandled!" follows */
};

typedef unsigned long long ull;

/* dump_NAME() for each NAME in the rows: prints what follows the type's name, up to the end of the line */
#define RECORD(nr, type, view, size, kind, left_alone, show, ...) void dump_##show(struct dump *x);
#include "../event/records.def"

/* text of a record, with control characters escaped */
void dump_text(struct dump *x, const struct rec_bytes *text);

#endif
