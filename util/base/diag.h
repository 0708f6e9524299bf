/*
 * Diag: problems in the data. Readers count them and go on; the command prints one line per kind at the end.
 * Each worker has its own struct diag; they are merged afterwards.
 */
#ifndef PERF_BASE_DIAG_H
#define PERF_BASE_DIAG_H

#include "strbuf.h"

enum diag_kind {
#define DIAG(name, text) DIAG_##name,
#include "diag.def"
#undef DIAG
	DIAG_NR
};

struct diag {
	struct {
		u64 nr;		/* how often */
		u64 off;	/* file offset of the first one */
		bool assumed;	/* it is the same as one that a reader of records may count */
		u64 ns;		/* time of the trace that is left out for it */
		const char *record;	/* the type of the record there; NULL: unknown, or not in a record */
	} kind[DIAG_NR];
	u64 traced_ns;		/* time of all that was traced; 0: not known */
};

void diag_count(struct diag *d, enum diag_kind kind, u64 off);
/* one that is not counted if a reader of records finds it, too, with the place */
void diag_assume(struct diag *d, enum diag_kind kind, u64 off);
/* in a record of a type, of which the name stays valid; NULL: as diag_count() */
void diag_count_record(struct diag *d, enum diag_kind kind, u64 off, const char *record);
void diag_merge(struct diag *into, const struct diag *from);
/* false for kinds that say what perf cannot do with undamaged data */
bool diag_is_damage(enum diag_kind kind);
/* the kind as a word: "truncated-file" */
void diag_add_word(enum diag_kind kind, struct strbuf *out);
/* appends the line of a kind that occurred, without its end */
void diag_add_text(const struct diag *d, enum diag_kind kind, struct strbuf *out);
/*
 * appends one line per kind that occurred, "N <text> (first at offset 0x..., a record MMAP2)"; returns the
 * number of lines
 */
int diag_describe(const struct diag *d, struct strbuf *out);

#endif
