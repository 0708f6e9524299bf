/*
 * Find-file: the program or library that a user names: by a path, or as the shell or the loader would find
 * it.
 */
#ifndef PERF_PROBE_FIND_FILE_H
#define PERF_PROBE_FIND_FILE_H

#include "../base/err.h"

/*
 * Path of "./a.out", "bash" (a program in $PATH), "libc.so.6" or "libc" (libraries in the loader's cache),
 * without symbolic links; the caller frees it. NULL with err. root: "", or another root such as
 * /proc/PID/root, with which the path begins.
 */
char *find_probe_file(const char *name, const char *root, struct err *err);
/* the program that a process runs, below /proc/PID/root if it is in another mount namespace; as above */
char *find_process_program(int pid, struct err *err);

/* finds a library in the bytes of an ld.so.cache; "" or a path inside of them; NULL: there is none */
const char *loader_cache_find(const void *bytes, size_t size, const char *name);

#endif
