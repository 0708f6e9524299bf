/* Frame pointers: see fp-count.h. */
#include "fp-count.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include "../base/log.h"

#define MIN_CHAINS 32u	/* fewer chains are not enough for a conclusion */

bool fp_event(const struct event *ev)
{
	const struct pe_attr *a = &ev->attr;

	return a->sample_type & PERF_SAMPLE_CALLCHAIN && !(a->sample_type & PERF_SAMPLE_STACK_USER) &&
	       !(a->sample_type & ABI_SAMPLE_INSN_FLAGS) &&	/* chains of calls in a trace */
	       !(a->flags & ATTR_EXCLUDE_CALLCHAIN_USER) &&
	       !(a->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK) &&
	       (!a->sample_max_stack || a->sample_max_stack >= FP_MIN_STACK);
}

void fp_count_add(struct fp_counts *c, const u32 dso[FP_FRAMES], u32 nr_frames, u64 nr)
{
	struct fp_count *count;

	if (!nr_frames || dso[0] == ID_NONE)
		return;
	while (c->nr <= dso[0])
		vec_push(c, (struct fp_count){ 0 });
	count = &c->v[dso[0]];
	count->nr += nr;
	for (u32 i = 1; i < FP_FRAMES; i++) {
		if (i < nr_frames && dso[i] != ID_NONE)
			continue;
		count->nr_short += nr;
		return;
	}
}

void fp_counts_merge(struct fp_counts *into, const struct fp_counts *from)
{
	while (into->nr < from->nr)
		vec_push(into, (struct fp_count){ 0 });
	for (size_t i = 0; i < from->nr; i++) {
		into->v[i].nr += from->v[i].nr;
		into->v[i].nr_short += from->v[i].nr_short;
	}
}

static bool is_library(const struct dso *d)
{
	return strstr(d->short_name, ".so") != NULL;
}

/*
 * which of two to name: a program, which the user knows, rather than a library; else the one with more
 * samples
 */
static bool is_better(const struct dso *old, u64 old_nr, const struct dso *d, u64 nr)
{
	return is_library(old) != is_library(d) ? is_library(old) : nr > old_nr;
}

void fp_note(const struct session *s, const struct fp_counts *c)
{
	const struct dsos *dsos = machine_dsos(s->machine);
	u32 most = ID_NONE, others = 0;
	char more[64] = "";

	for (u32 i = 0; i < c->nr; i++) {
		const struct fp_count *n = &c->v[i];
		const struct dso *d = dsos_at(dsos, i);

		if (n->nr < MIN_CHAINS || n->nr_short <= n->nr / 2 || !d || d->kind != DSO_USER)
			continue;
		/* another tool took these */
		if (symbols_imported(s->symbols, i))
			continue;
		others += most != ID_NONE;
		if (most == ID_NONE || is_better(dsos_at(dsos, most), c->v[most].nr, d, n->nr))
			most = i;
	}
	if (most == ID_NONE)
		return;
	if (others)
		snprintf(more, sizeof(more), " and of %u other program%s", others, others > 1 ? "s" : "");
	log_warn("most call chains of %s%s have only one or two frames: built without frame pointers; "
		 "record with --call-graph dwarf or --call-graph lbr, or build with -fno-omit-frame-pointer",
		 dsos_at(dsos, most)->short_name, more);
}
