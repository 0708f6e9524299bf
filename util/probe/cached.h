/*
 * Cached: the file "probes" of an entry of the build-id cache: probes of a file or of the kernel, with their
 * definitions, as upstream's perf probe --cache and buildid-cache --add write them:
 *
 *	#main n			a definition of a user ("#"), or
 *	%sdt_mine:go=go		a marker ("%"), and below either, for each of its places,
 *	p:probe_a/main /bin/a:0x1139 n=%di:s32
 *
 * The bytes are untrusted: only lines that are definitions of this file are taken.
 */
#ifndef PERF_PROBE_CACHED_H
#define PERF_PROBE_CACHED_H

#include "../base/arena.h"
#include "../base/err.h"
#include "../base/vec.h"
#include "../cache/build-cache.h"
#include "plan.h"

struct probe_source;
struct strbuf;

struct cached_probe {
	char kind;			/* '#' or '%' */
	const char *text;		/* "main n", "sdt_mine:go=go" */
	struct { VEC(const char *); } definition;
};

struct cached_probes {
	VEC(struct cached_probe);
	struct arena mem;
};

/* appends the probes of such a text; what cannot be understood is left out */
void cached_probes_parse(struct cached_probes *l, const char *text);
void cached_probes_text(const struct cached_probes *l, struct strbuf *out);
/* adds nr planned probes as one; one with the same text or the same first event is replaced */
void cached_probes_put(struct cached_probes *l, char kind, const char *text, const struct probe_planned *p,
		       size_t nr);
/*
 * true if pattern, "EVENT" or "GROUP:EVENT" with globs (NULL: everything), matches the name of one of the
 * probe's events
 */
bool cached_probe_matches(const struct cached_probe *p, const char *pattern);
void cached_probes_release(struct cached_probes *l);

/*
 * Reads and writes the file of an entry of the cache at dir. An entry without one has no probes. Writing
 * makes the entry if there is none: name is the path of the file, or "[kernel.kallsyms]". 0, or a negative
 * errno with err
 */
int cached_probes_read(struct cached_probes *l, const char *dir, const struct build_id *id, struct err *err);
int cached_probes_write(const struct cached_probes *l, const char *dir, const char *name,
			const struct build_id *id, struct err *err);
/* true if the entry has the build-id of the file that is at its path now, or of the running kernel */
bool cached_is_current(const struct cached_file *f);

/*
 * stores the markers of a file with their definitions; the cache has an entry for it already. 0, or a
 * negative errno with err
 */
int cached_register_markers(const char *dir, const char *path, const struct build_id *id, struct err *err);
/*
 * Plans the cached probes named %[GROUP:]EVENT, both globs. path: only probes of this file; "": of the
 * kernel; NULL: of any file. 0, or -ENOENT with err
 */
int cached_plan(struct probe_plan *plan, const struct probe_plan_opts *o, const struct probe_spec *spec,
		const char *path, struct err *err);

#endif
