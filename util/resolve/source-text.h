/*
 * Source-text: the lines of source files, read when first asked for. Only regular files are read, and no more
 * than SOURCE_MAX bytes of one; a file that is newer than the program may show other lines than were
 * compiled.
 */
#ifndef PERF_RESOLVE_SOURCE_TEXT_H
#define PERF_RESOLVE_SOURCE_TEXT_H

#include "../base/arena.h"
#include "../base/vec.h"

#define SOURCE_MAX (32u << 20)

struct source_text {
	char *name;			/* as debug information has it */
	char *text;			/* NULL: it cannot be read */
	struct { VEC(const char *); } line;
};

struct sources {
	const char *prefix;		/* before paths, NULL */
	unsigned int prefix_strip;	/* directories that are removed from paths before */
	struct { VEC(struct source_text); } file;
};

/* line `number`, from 1, without its end; NULL if there is none. Lives as long as s */
const char *source_line(struct sources *s, const char *file, u32 number);
void sources_release(struct sources *s);

#endif
