/*
 * Module-file: files of the kernel's modules: which one a user means by -m, the one that belongs to the
 * running kernel, and the one with its debug information. All paths are the caller's to free.
 */
#ifndef PERF_PROBE_MODULE_FILE_H
#define PERF_PROBE_MODULE_FILE_H

#include "../base/err.h"

/* whether -m names a file ("./a.ko", "a.ko.xz", "a.o") instead of a module */
bool module_is_file(const char *name);
/*
 * "snd_hda_intel" for that, "snd-hda-intel" and ".../snd-hda-intel.ko.xz"; of a file that can be read, the
 * name that it states
 */
char *module_name_of(const char *name);
/* the file of a module of the running kernel, below symfs (NULL: ""); NULL: there is none */
char *module_file_find(const char *name, const char *symfs);
/*
 * The file with debug information of a module: by its build-id, or by its path below /usr/lib/debug; symfs
 * may be NULL. *ret_path: NULL if there is none of the same build. 0, or a negative errno with err: the
 * module cannot be read
 */
int module_debug_file(const char *path, const char *symfs, char **ret_path, struct err *err);

#endif
