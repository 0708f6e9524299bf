/*
 * Doctor, machine: what this machine, its kernel and this user's rights allow, as findings. Below another fs
 * root only its files are read; else the running kernel is asked as well.
 */
#ifndef PERF_DOCTOR_MACHINE_H
#define PERF_DOCTOR_MACHINE_H

#include "../base/strbuf.h"
#include "finding.h"

/* parts: what this perf lacks, as text, or NULL. Adds the table "machine" */
void doctor_machine(struct view *v, const char *parts, u32 form);
/*
 * whether the check `name` of machine.def finds nothing missing and nothing limited; else *why gets what it
 * found and the remedy. The name must be one of machine.def
 */
bool doctor_machine_has(const char *name, struct strbuf *why);

#endif
