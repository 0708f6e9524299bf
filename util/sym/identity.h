/*
 * Identity: tells whether a file is the one that was recorded. The recorded build-id decides, if there is
 * one. Otherwise the inode of the map, the file's time of modification and the recorded machine are compared.
 * Wrong names are worse than none.
 */
#ifndef PERF_SYM_IDENTITY_H
#define PERF_SYM_IDENTITY_H

#include "../base/types.h"

enum identity {
	IDENTITY_YES,
	IDENTITY_UNKNOWN,	/* no evidence against it: its symbols are used */
	IDENTITY_FOREIGN,	/* no evidence against it, but for another machine: not used */
	IDENTITY_NO,
};

struct dso;
struct elf_obj;
struct strbuf;
struct sym_opts;

/*
 * Compares the file at path, opened as o, with a recorded user object. why gets a clause that begins with the
 * path unless the answer is yes; also if the answer is IDENTITY_UNKNOWN, unless the recording has nothing to
 * compare with
 */
enum identity identity_of(const struct sym_opts *opts, const struct dso *dso, const struct elf_obj *o,
			  const char *path, struct strbuf *why);

/* true if o has that build-id; whose: "recorded was". why: as above */
bool identity_by_id(const struct elf_obj *o, const u8 *want, int len, const char *whose, const char *path,
		    struct strbuf *why);
/* true if it ran in another mount namespace, in which its path may mean another file */
bool identity_other_mounts(const struct sym_opts *opts, const struct dso *dso);

#endif
