/*
 * Archive: the files that a report of a recording needs, as a tar file in the layout of the build-id cache,
 * which upstream's perf archive writes, too: a link .build-id/xx/yyyy and a folder PATH/ID with "elf",
 * "debug", "kallsyms" or "vdso" for each dso with samples. An archive "with all" has the recording and that
 * tar file.
 */
#ifndef PERF_ARCHIVE_ARCHIVE_H
#define PERF_ARCHIVE_ARCHIVE_H

#include "../session/session.h"
#include "stream.h"

#define ARCHIVE_SYMBOLS "perf.symbols.tar"	/* in an archive with all; perhaps with .bz2 */

struct archive_result {
	u32 nr_dsos, nr_files;		/* that were packed or unpacked */
	u32 nr_missing;			/* dsos whose file is not there, or has no build-id */
	u32 nr_refused;			/* members that do not belong into a cache, or exist */
	char *recording;		/* of an archive with all: its name; the caller frees it */
};

/*
 * writes the tar file of the dsos of a session; -v names those that are missing. 0 or negative errno with err
 */
int archive_pack(const struct session *s, const char *cache, struct out_stream *to,
		 struct archive_result *ret,
		 struct err *err);
/* the same with the recording at path, which is a file; packed: the inner tar file is compressed */
int archive_pack_all(const struct session *s, const char *cache, const char *path, bool packed,
		     struct out_stream *to, struct archive_result *ret, struct err *err);

/*
 * Adds the files of an archive of either kind to the cache and writes the recording, if it has one, into
 * folder. Nothing outside of the two is written, and no file is replaced; files whose build-id is not that of
 * their folder are refused.
 */
int archive_unpack(struct in_stream *from, const char *cache, const char *folder, struct archive_result *ret,
		   struct err *err);

#endif
