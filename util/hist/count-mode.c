/* Modes of report: see count-mode.h. */
#include "count-mode.h"

#include <errno.h>
#include <linux/perf_event.h>

static bool has_branches(const struct session *s)
{
	const struct evset *set = s->data->evset;

	for (u32 i = 0; i < set->ev.nr; i++) {
		const struct pe_attr *attr = &evset_at(set, i)->attr;

		if (attr->sample_type & PERF_SAMPLE_BRANCH_STACK &&
		    !(attr->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK))
			return true;
	}
	return false;
}

int mode_choose(const struct mode_opts *o, const struct session *s, struct hist_opts *ho,
		struct sort_spec *spec, struct err *err)
{
	bool branches = has_branches(s);

	if (o->mem && o->branch_stack)
		return err_set(err, -EINVAL, "-b and --mem-mode exclude each other: "
			       "rows are either branches or memory accesses");
	if (o->history && o->mem)
		return err_set(err, -EINVAL, "--branch-history and --mem-mode exclude each other");
	if ((o->history || ho->chain.branch) && !branches) {
		err_set(err, -EINVAL, "%s: the profile has no branch stacks",
			o->history ? "--branch-history" : "-g branch");
		err_hint(err, "record them with perf record -b -g");
		return -EINVAL;
	}
	if (o->branch_stack && !branches) {
		err_set(err, -EINVAL, "-b: the profile has no branch stacks");
		err_hint(err, "record them with perf record -b, or -j");
		return -EINVAL;
	}
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
	} else if (branches && (o->branch_stack || !o->branch_stack_set)) {
		ho->mode = COUNT_BRANCHES;
		spec->default_sort = "comm,dso_from,symbol_from,symbol_to,cycles";
		spec->has = NEEDS_BRANCH;
	}
	return 0;
}
