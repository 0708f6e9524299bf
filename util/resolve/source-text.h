/*
 * Source-text: the lines of source files. Only regular files are read, and no more than SOURCE_MAX bytes of
 * one; a file that is newer than the program may show other lines than were compiled.
 */
#ifndef PERF_RESOLVE_SOURCE_TEXT_H
#define PERF_RESOLVE_SOURCE_TEXT_H

#include "../base/err.h"
#include "../base/hash.h"
#include "../base/strbuf.h"
#include "../base/vec.h"

#define SOURCE_MAX (32u << 20)

struct source_text {
	char *name;			/* as debug information has it */
	char *bytes;
	struct { VEC(const char *); } line;	/* [0] is line 1; without their ends */
};

/* reads the file at path; 0, or negative errno with err (may be NULL), and t is empty then. Release t */
int source_text_read(struct source_text *t, const char *path, struct err *err);
void source_text_release(struct source_text *t);

/* files by name, read when first asked for; zeroed: none */
struct sources {
	const char *prefix;		/* before paths, NULL */
	unsigned int prefix_strip;	/* directories that are removed from paths before */
	struct { VEC(struct source_text); } file;
	struct hidx by_name;
	char *missing;			/* the path of the first one that could not be read, and why */
	u32 nr_missing;
	bool fixed_paths;		/* the command has no --prefix */
};

/* a file's text; no lines if it cannot be read. Valid until the next call, its strings as long as s */
const struct source_text *sources_find(struct sources *s, const char *file);
/* a warning, with the remedy, if files that were asked for could not be read */
void sources_note_missing(const struct sources *s);
/* line `number`, from 1; NULL if there is none. Lives as long as s */
const char *source_line(struct sources *s, const char *file, u32 number);
void sources_release(struct sources *s);

/* a line as terminals can show it: as strbuf_add_safe(), but with its tabs, and without a CR at its end */
void source_line_add(struct strbuf *out, const char *line);

#endif
