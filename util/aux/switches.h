/* Which thread ran on which CPU when, by the switch records of a file. */
#ifndef PERF_AUX_SWITCHES_H
#define PERF_AUX_SWITCHES_H

#include "../event/record.h"
#include "../event/sample.h"

struct aux_switches;
struct aux_switches *aux_switches_new(void);
void aux_switches_free(struct aux_switches *s);
/* a SWITCH, SWITCH_CPU_WIDE or ITRACE_START record with its trailer */
void aux_switches_add(struct aux_switches *s, const struct record_view *v, const struct sample *id);
/* after the last one is added, before the first question */
void aux_switches_sort(struct aux_switches *s);
/* false: no record up to that time says who runs there. pid: -1 if only the thread is known */
bool aux_switches_at(const struct aux_switches *s, u32 cpu, u64 time, s32 *ret_pid, s32 *ret_tid);

#endif
