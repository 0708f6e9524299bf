/*
 * Tar: archives in the format ustar (POSIX.1-1988) with the long names of GNU tar. The reader also accepts
 * the path, linkpath and size of pax headers. It says what is in an archive and writes nothing: who unpacks
 * must check each name.
 */
#ifndef PERF_ARCHIVE_TAR_H
#define PERF_ARCHIVE_TAR_H

#include "stream.h"
#include "../base/strbuf.h"

enum tar_kind { TAR_FILE, TAR_LINK, TAR_FOLDER, TAR_OTHER };

struct tar_member {
	enum tar_kind kind;
	const char *name;	/* without NUL or newline inside; valid until the next one */
	const char *target;	/* of a symbolic link */
	u64 size;		/* bytes of a file */
	u32 mode;		/* permissions */
};

struct tar_reader {
	struct in_stream s;	/* the bytes of the member */
	struct in_stream *from;
	u64 left, pad;		/* of the member, and up to the next header */
	struct strbuf name, target;
	bool has_size;
	u64 pax_size;
};

void tar_reader_init(struct tar_reader *t, struct in_stream *from);
void tar_reader_release(struct tar_reader *t);
/* 1 and the next member, whose bytes t->s gives; 0 at the end, or negative errno with err */
int tar_next(struct tar_reader *t, struct tar_member *ret, struct err *err);

/* a header; the size bytes of a file follow, then tar_put_padding(). 0 or a negative errno */
int tar_put_file(struct out_stream *to, const char *name, u64 size, u32 mode, u64 mtime);
int tar_put_padding(struct out_stream *to, u64 size);
int tar_put_link(struct out_stream *to, const char *name, const char *target);
int tar_put_end(struct out_stream *to);

#endif
