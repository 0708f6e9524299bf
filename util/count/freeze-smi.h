/*
 * Freeze-smi: whether core counters stand still during system management interrupts (/sys/devices/cpu/freeze_on_smi, Intel,
 * root only). It is a setting of the whole machine: whoever changes it puts it back.
 */
#ifndef PERF_COUNT_FREEZE_SMI_H
#define PERF_COUNT_FREEZE_SMI_H

#include "../base/err.h"

struct smi_freeze {
	bool changed;		/* we switched it on: off again at the end */
};

/* on. -EOPNOTSUPP where this machine has no such setting, -EACCES and its like where it may not be changed */
int smi_freeze_begin(struct smi_freeze *f, struct err *err);
/* as it was; a zeroed one is fine */
void smi_freeze_end(struct smi_freeze *f);

#endif
