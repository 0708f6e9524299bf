/*
 * Doctor, recording: what a recording lacks, as findings: samples that were lost, call chains, functions
 * without names, build-ids.
 */
#ifndef PERF_DOCTOR_RECORDING_H
#define PERF_DOCTOR_RECORDING_H

#include "../session/session.h"
#include "finding.h"

/*
 * Loads the symbols of all dsos with samples. Adds the table "recording" and the facts of the file; the
 * session must outlive the view
 */
void doctor_recording(struct view *v, struct session *s, u32 form);
/* the same table for a file that cannot be opened */
void doctor_no_recording(struct view *v, const char *path, const struct err *err, u32 form);

#endif
