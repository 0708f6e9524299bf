/* Hist options: what follows from them. */
#include "hist-opts.h"
#include "../fields/sample-filter.h"

u32 hist_nr_sums(const struct hist_opts *o)
{
	return o->mem_parts ? HIST_MAX_SUMS : o->branch_sums ? HIST_FIRST_MEM_PART :
	       o->weights ? HIST_FIRST_BRANCH_SUM : o->latency;
}

void hist_use_filter(struct hist_opts *opts, const struct sample_filter *filter)
{
	opts->keep = sample_filter_keep;
	opts->keep_ctx = filter;
	if (!sample_filter_wants_frames(filter))
		return;
	opts->frames = true;
	opts->symbols |= sample_filter_wants_symbols(filter);
	opts->keep_frame = sample_filter_keep_frame;
}
