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

#endif
