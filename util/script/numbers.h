/* Numbers: columns that are numbers of the sample, and what traces say of branches. */
#ifndef PERF_SCRIPT_NUMBERS_H
#define PERF_SCRIPT_NUMBERS_H

#include "../event/sample.h"

struct strbuf;

/* the fields of mask that are plain numbers and stand there */
enum line_where { BEFORE_IP, BEHIND_IP };
void line_numbers(u64 mask, enum line_where where, const struct sample *sm, struct strbuf *out);
/* what a branch was; the payload of a packet of a trace; instructions per cycle */
void line_flags(const struct sample *sm, struct strbuf *out);
void line_synth(const struct sample *sm, struct strbuf *out);
void line_ipc(const struct sample *sm, struct strbuf *out);

#endif
