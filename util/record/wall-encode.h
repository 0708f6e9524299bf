/*
 * Wall-encode: what BPF programs tell of a switch (bpf/wall-switches-types.h) as samples have it: letters of
 * states, raw data (wall-switches.h), call chains.
 */
#ifndef PERF_RECORD_WALL_ENCODE_H
#define PERF_RECORD_WALL_ENCODE_H

#include "wall-switches.h"
#include "../base/strbuf.h"
#include "../bpf/wall-switches-types.h"

/* of its state, as sched:sched_switch has them, but what the kernel keeps for itself */
char wall_switch_letter(const struct wall_switch *s);
struct wall_switch_raw wall_switch_raw_of(const struct wall_switch *s);
struct wall_file_raw wall_file_raw_of(const struct wall_file *f);
/* how many of its bytes are written */
u32 wall_file_raw_bytes(const struct wall_file_raw *f);
/* the file that a record has after its frames; NULL: it has none */
const struct wall_file *wall_file_after(const struct wall_switch *s, const u64 *ip);
/* appends the raw data of a sample, with its size before it; f: NULL if it has no file */
void wall_switch_put_raw(struct strbuf *out, const struct wall_switch *s, const struct wall_file *f);
/* appends its call chain: the frames at ip */
void wall_switch_put_chain(struct strbuf *out, const struct wall_switch *s, const u64 *ip);

#endif
