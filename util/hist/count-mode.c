/* Modes of report: see count-mode.h. */
#include "count-mode.h"

#include <errno.h>
#include <linux/perf_event.h>

bool mode_has_branches(const struct evset *set)
{
	for (u32 i = 0; i < set->ev.nr; i++)
		if (attr_has_branches(&evset_at(set, i)->attr))
			return true;
	return false;
}

enum mode_branches mode_branches(const struct evset *set)
{
	return mode_has_branches(set) ? MODE_BRANCHES :
	       evset_samples(set, PERF_SAMPLE_BRANCH_STACK) ? MODE_CALL_STACKS : MODE_NO_BRANCHES;
}

bool mode_has_memory(const struct evset *set)
{
	static const u64 bits[] = { PERF_SAMPLE_DATA_SRC, PERF_SAMPLE_ADDR, PERF_SAMPLE_PHYS_ADDR,
				    PERF_SAMPLE_WEIGHT, PERF_SAMPLE_WEIGHT_STRUCT };

	for (u32 i = 0; i < ARRAY_SIZE(bits); i++)
		if (evset_samples(set, bits[i]))
			return true;
	return false;
}

/* what excludes what, and what the file lacks */
static int check_mode(const struct mode_opts *o, const struct hist_opts *ho, const struct sort_spec *spec,
		      enum mode_branches branches, struct err *err)
{
	const char *wants = o->option ? o->option :
			    o->history ? "--branch-history" : ho->chain.branch ? "-g branch" :
			    o->blocks ? "--total-cycles" : o->branch_stack ? "-b" : NULL;

	if (o->mem && o->branch_stack)
		return err_set(err, -EINVAL, "-b and --mem-mode exclude each other: "
			       "rows are either branches or memory accesses");
	if (o->mem + o->history + o->blocks > 1)
		return err_set(err, -EINVAL,
			       "--branch-history, --total-cycles and --mem-mode exclude each other");
	if (o->blocks && spec->sort)
		return err_set(err, -EINVAL, "--total-cycles has rows of its own: choose columns with -F, "
			       "such as block_cycles,comm,block_end");
	if (!wants || branches == MODE_BRANCHES)
		return 0;
	if (branches == MODE_CALL_STACKS) {
		err_set(err, -EINVAL, "%s: the branch stacks of the profile are call stacks "
			"(--call-graph lbr), which have no other branches than calls", wants);
		err_hint(err, "without %s they are shown as call graphs; record branches with perf record -b",
			 wants);
		return -EINVAL;
	}
	err_set(err, -EINVAL, "%s: the profile has no branch stacks", wants);
	err_hint(err, o->history || ho->chain.branch ? "record them with perf record -b -g" :
		 "record them with perf record -b, or -j");
	return -EINVAL;
}

int mode_choose(const struct mode_opts *o, enum mode_branches branches, struct hist_opts *ho,
		struct sort_spec *spec, struct err *err)
{
	if (check_mode(o, ho, spec, branches, err))
		return -EINVAL;
	if (o->history) {
		ho->history = ho->history_notes = true;
		spec->default_sort = "srcline,symbol,dso,callchain_branch_predicted,"
				     "callchain_branch_abort,callchain_branch_cycles";
		spec->has = NEEDS_HISTORY;
	} else if (o->mem) {
		ho->mode = COUNT_WEIGHT;
		spec->default_sort = "local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,"
				     "blocked,local_ins_lat,local_p_stage_cyc";
		spec->has = NEEDS_MEM;
	} else if (branches == MODE_BRANCHES && (o->branch_stack || o->blocks || !o->branch_stack_set)) {
		ho->mode = COUNT_BRANCHES;
		spec->default_sort = "comm,dso_from,symbol_from,symbol_to,cycles";
		spec->has = NEEDS_BRANCH;
		if (o->blocks && !spec->fields)
			spec->fields = "block_share,block_cycles,block_average,block_start,"
				       "block_end,dso_from";
	}
	return 0;
}
