/*
 * Wall-raw: raw data of samples that record --wall writes itself, in the byte order of this machine: the
 * structs of util/record/wall-switches.h, wall-slots.h and wall-marks.h.
 */
#ifndef PERF_INJECT_WALL_RAW_H
#define PERF_INJECT_WALL_RAW_H

#include "../event/sample.h"
#include "../record/wall-marks.h"
#include "../record/wall-slots.h"

/* a switch; older files have no argument, which is 0 then. false: damaged */
bool wall_raw_switch(const struct rec *rec, const struct sample *s, struct wall_switch_raw *ret);
/* a sum of a slot; false: damaged */
bool wall_raw_slot(const struct rec *rec, const struct sample *s, struct wall_slot_raw *ret);
/* of a thread that slept; false: damaged */
bool wall_raw_mark(const struct rec *rec, const struct sample *s, struct wall_mark_raw *ret);
/* what is known of a file, at that offset; false: nothing */
bool wall_raw_file(const struct rec *rec, const struct sample *s, u32 offset, struct wall_file_raw *ret);

#endif
