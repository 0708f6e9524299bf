/*
 * Pmu-filter: if one word means events on several PMUs, keeps the events of one PMU
 * (--cputype, --pmu-filter).
 */
#ifndef PERF_STAT_PMU_FILTER_H
#define PERF_STAT_PMU_FILTER_H

#include "../base/err.h"
#include "../event/event.h"

/*
 * pmu: a PMU's name, or that of a kind of cores ("core" for cpu_core). Events of one PMU, and those that have
 * none, stay. -ENODEV where the machine has no such PMU, or an event is left without any.
 */
int stat_pmu_filter(struct evset *set, const char *pmu, struct err *err);

#endif
