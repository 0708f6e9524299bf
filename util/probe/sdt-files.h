/*
 * Sdt-files: the files in the build-id cache that have a marker (SDT). perf buildid-cache --add registers
 * them.
 */
#ifndef PERF_PROBE_SDT_FILES_H
#define PERF_PROBE_SDT_FILES_H

#include "../base/err.h"
#include "../base/vec.h"

struct sdt_files {
	VEC(char *);
};

/*
 * Adds the paths of files with markers of that group and name, both globs, except files that were replaced by
 * another build. 0 with at least one file, or a negative errno with err
 */
int sdt_files_find(struct sdt_files *out, const char *group, const char *name, struct err *err);
void sdt_files_release(struct sdt_files *l);

#endif
