/* Modifiers after events and groups: "u k h I G H p P S D W e b R X". */
#ifndef PERF_PMU_PARSE_MODIFIERS_H
#define PERF_PMU_PARSE_MODIFIERS_H

#include "parse-state.h"

/* modifiers after an event or a group */
struct modifiers {
	bool user, kernel, hv, idle, guest, host;
	u32 precise;
	bool precise_max, sample_read, pinned, weak, exclusive, bpf, keep_group, retire_lat;
	struct span text;
};

bool modifiers_valid(struct span s);
int modifiers_parse(struct parser *ps, struct span s, struct modifiers *ret);
void modifiers_apply(struct event *ev, const struct modifiers *m, bool is_leader);

#endif
