/* Record-spec: words of record's options that say several things at once, parsed into its config. */
#ifndef PERF_SYS_RECORD_SPEC_H
#define PERF_SYS_RECORD_SPEC_H

#include "record-run.h"

/* -D: "500" (ms), "-1" (off until --control), "100-200,500-600" (on from, off at). -EINVAL with err */
int record_parse_delay(struct record_config *c, const char *s, struct err *err);
/* --switch-output: "signal", a size ("100M"), a time ("30s"), "no" */
int record_parse_switch_output(struct record_config *c, const char *s, struct err *err);
/* --aio: "1" to "4" writes under way */
int record_parse_aio(struct record_config *c, const char *s, struct err *err);
/* --synth: "no", "all", or a list of "task", "mmap", "cgroup" */
int record_parse_synth(struct record_config *c, const char *s, struct err *err);

/* --affinity: "node" or "cpu" */
int record_parse_affinity(struct record_config *c, const char *s, struct err *err);

#endif
