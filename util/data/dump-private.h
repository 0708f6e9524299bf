/* Parts of the dump, for util/data/dump*.c only. */
#ifndef PERF_DATA_DUMP_PRIVATE_H
#define PERF_DATA_DUMP_PRIVATE_H

#include "data.h"
#include "../base/strbuf.h"
#include "../event/record.h"
#include "../view/stream.h"

struct dump {
	const struct stream_format *f;
	const struct data *d;
	const struct rec *rec;
	struct record_view v;
	const struct sample *id;	/* the trailer; for a SAMPLE, all of it */
	struct strbuf *out, text;	/* text: room for a text that is made */
	bool report;			/* for report -D, not for script -D */
	bool left_alone;		/* the command ignores it: ": unhandled!" follows */
};

#define WORDS(x, words, ...) stream_words((x)->f, (x)->out, words, __VA_ARGS__)
#define SAY(x, words) stream_say((x)->f, (x)->out, words)
#define NUM STREAM_NUMBER
#define INT STREAM_SIGNED
#define ADDR STREAM_ADDRESS
#define TEXT_OF STREAM_TEXT
#define YES STREAM_BOOL

/* dump_NAME() for each NAME in the rows: prints what follows the type's name, up to the end of the line */
#define RECORD(nr, type, view, size, kind, left_alone, show, ...) void dump_##show(struct dump *x);
#include "../event/records.def"

/* a sample of AMD IBS: its registers, before the record's own line */
void dump_ibs(struct dump *x);

#endif
