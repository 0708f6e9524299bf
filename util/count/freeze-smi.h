/*
 * Freeze-smi: whether core counters stop during system management interrupts (/sys/devices/cpu/freeze_on_smi,
 * Intel, root only). It is a setting of the whole machine: code that changes it must restore it.
 */
#ifndef PERF_COUNT_FREEZE_SMI_H
#define PERF_COUNT_FREEZE_SMI_H

#include "../base/err.h"

struct smi_freeze {
	bool changed;		/* we switched it on: to be switched off at the end */
};

/*
 * switches it on. -EOPNOTSUPP if this machine has no such setting, -EACCES and the like if it may not be
 * changed
 */
int smi_freeze_begin(struct smi_freeze *f, struct err *err);
/* restores it; a zeroed struct is fine */
void smi_freeze_end(struct smi_freeze *f);

#endif
