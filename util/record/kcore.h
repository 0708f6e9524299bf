/*
 * Kcore: saves the kernel's code while recording, because the kernel patches itself: DIR/kcore_dir with
 * kallsyms, modules and kcore, an ELF core file with the text of the kernel and its modules from /proc/kcore.
 * The layout is that of upstream's --kcore.
 */
#ifndef PERF_RECORD_KCORE_H
#define PERF_RECORD_KCORE_H

#include "../base/err.h"

#define KCORE_DIR "kcore_dir"

/* 0 if a copy can be made; else err says why not */
int kcore_check(struct err *err);
/* makes dir/kcore_dir; dir exists. Pages that cannot be read are zero */
int kcore_copy(const char *dir, struct err *err);
/* the same from the files kcore, kallsyms and modules of another folder than /proc, to dir, which it makes */
int kcore_copy_from(const char *from, const char *dir, struct err *err);
/* appends from/NAME; a file that does not exist is empty. 0, or a negative errno with err */
struct strbuf;
int kcore_read_list(const char *from, const char *name, struct strbuf *text, struct err *err);
/*
 * Keeps such a copy in a build-id cache: [kernel.kcore]/ID/TIME, as upstream does. The build-id is that in
 * ../sys/kernel/notes of the file's folder. *ret_dir: the copy (the caller frees it). 0; 1: the cache has one
 * with the same symbols and modules at the same addresses; or a negative errno with err
 */
int kcore_cache_add(const char *cache, const char *file, char **ret_dir, struct err *err);

#endif
