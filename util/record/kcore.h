/*
 * Kcore: what the kernel's code is while recording (it patches itself), beside the data: DIR/kcore_dir with kallsyms, modules and
 * kcore, an ELF core file of the kernel's and the modules' text as /proc/kcore shows them. As upstream's --kcore lays it out.
 */
#ifndef PERF_RECORD_KCORE_H
#define PERF_RECORD_KCORE_H

#include "../base/err.h"

#define KCORE_DIR "kcore_dir"

/* 0 where a copy can be made; else why not, in err */
int kcore_check(struct err *err);
/* makes dir/kcore_dir; dir exists. Pages that cannot be read are zero */
int kcore_copy(const char *dir, struct err *err);

#endif
