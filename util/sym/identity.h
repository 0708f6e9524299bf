/*
 * Identity: whether a file is the one that was recorded. If the recording has a build-id of it, that decides.
 * Else the inode of the map and the time when the file was changed last speak for or against it, and on which
 * machine it was recorded. Wrong names are worse than none.
 */
#ifndef PERF_SYM_IDENTITY_H
#define PERF_SYM_IDENTITY_H

#include "../base/types.h"

enum identity {
	IDENTITY_YES,
	IDENTITY_UNKNOWN,	/* it may be: its symbols are used */
	IDENTITY_FOREIGN,	/* it may be, but it is a file of another machine: it is not used */
	IDENTITY_NO,
};

struct dso;
struct elf_obj;
struct strbuf;
struct sym_opts;

/*
 * Compares the file at path, opened as o, with a recorded user object. why: a clause that begins with the
 * path, for answers other than yes. It stays empty if the answer is IDENTITY_UNKNOWN because the recording
 * says nothing at all
 */
enum identity identity_of(const struct sym_opts *opts, const struct dso *dso, const struct elf_obj *o,
			  const char *path, struct strbuf *why);

/* whether o has that build-id; whose: "recorded was". why: as above */
bool identity_by_id(const struct elf_obj *o, const u8 *want, int len, const char *whose, const char *path,
		    struct strbuf *why);
/* it ran in another mount namespace than ours, where its path means another file, or none */
bool identity_other_mounts(const struct sym_opts *opts, const struct dso *dso);

#endif
