/*
 * More: fields that few ask for, and what they keep from one line to the next: wall-clock times, bytes of
 * instructions, text of source lines, names of branch counters. One a worker; the text of source lines
 * depends on the lines before, so it takes one worker that goes record by record.
 */
#ifndef PERF_SCRIPT_MORE_H
#define PERF_SCRIPT_MORE_H

#include "../base/strbuf.h"
#include "../session/session.h"
#include "../sym/lines.h"

struct insn_texts;
struct resolved_frame;
struct line_more;

struct line_more *line_more_new(const struct session *s, const struct lines *lines);
void line_more_free(struct line_more *m);

/* "2026-11-21 17:11:01.205758", local time, for a time of the recording whose clock feature is there */
char *line_more_tod(const struct session *s, u64 time, bool ns, char *p);
#define LINE_TOD_MAX 96
/* the code of a dso from an address on (loc.dso_addr): number of bytes, 0 if it is in no file */
u64 line_more_code(struct line_more *m, u32 dso, u64 addr, const u8 **ret, bool *is_64bit);
/* length of the instruction; 0: not known */
int line_more_insn_len(const struct line_more *m, const u8 *p, u64 left, bool is_64bit);
/* " ilen: 3", " insn: 48 89 c2" */
void line_more_insn(struct line_more *m, const struct resolved_frame *f, bool length, bool bytes,
		    struct strbuf *out);
/* texts of instructions that were shown before (insn-texts.h) */
struct insn_texts *line_more_texts(struct line_more *m);
/*
 * "|2 text" on a line of its own where it is another than this task's last one; false where
 * lines must be loaded
 */
bool line_more_source(struct line_more *m, s32 tid, const struct resolved_frame *f, bool dry,
		      struct strbuf *out);
/* what the letters of branch counters stand for */
void line_more_counters(const struct session *s, struct strbuf *out);

#endif
