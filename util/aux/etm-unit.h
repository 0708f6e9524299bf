/*
 * Trace units of the CPUs, as AUXTRACE_INFO describes them: three words (version; type of the PMU and number
 * of CPUs; whether it is a snapshot), then for each CPU a magic number, the CPU, in version 1 the number of
 * registers, and registers of its trace unit.
 */
#ifndef PERF_AUX_ETM_UNIT_H
#define PERF_AUX_ETM_UNIT_H

#include "aux-private.h"
#include "etm-packet.h"

#define ETM_MAGIC_V3 0x3030303030303030ull
#define ETM_MAGIC_V4 0x4040404040404040ull
#define ETM_MAGIC_ETE 0x5050505050505050ull

struct etm_unit {
	u64 magic;
	u32 cpu, id;		/* trace ID; 0: an AUX_OUTPUT_HW_ID record says it */
	u32 first, nr;		/* words that are its registers */
	u64 ts_source;		/* -1: not known */
	struct etm_config c;
	bool returns;		/* packets leave out targets that its return stack has */
	bool counts;		/* packets count cycles */
	bool waits;		/* WFI and WFE are traced as branches */
	u8 task;		/* what context packets say of the thread */
};
enum { ETM_NO_TASK, ETM_TASK_CTX, ETM_TASK_VMID };

/* sets *ret to units that the caller frees; returns their number. Stops at words that describe none */
u32 etm_units(const struct aux_words *w, struct etm_unit **ret);
/* the name of a register of a unit; NULL: it is one that later versions have */
const char *etm_register(const struct etm_unit *u, u32 nr);
/* the unit with that trace ID, or CPU, in this order; if none has it, one that most others are like */
const struct etm_unit *etm_unit_find(const struct etm_unit *u, u32 nr, u32 id, u32 cpu);

#endif
