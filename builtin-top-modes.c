/* perf top: what is counted: samples, branches, memory accesses; by which keys, with which attributes. */
#include "builtin-top.h"
#include "util/base/log.h"
#include "util/cli/build-features.h"
#include "util/cli/color.h"
#include "util/fields/trace-keys.h"
#include "util/hist/hierarchy.h"
#include "util/host/hostinfo.h"
#include "util/pmu/parse-events.h"
#include "util/record/tracing-data.h"

#include <errno.h>
#include <stdio.h>
#include <linux/perf_event.h>

static bool samples_branches(const struct top *t)
{
	vec_foreach(&t->observe.set->ev, ev)
		if ((*ev)->term_flags & EVENT_TERM_BRANCH)
			return true;
	return t->attr.branch_sample_type;
}

/* what options of the table mean for the samples */
static void choose_samples(struct top *t)
{
	struct sample_attr_opts *at = &t->attr;

	t->mode.branch_stack = at->branch_sample_type;
	if (t->mode.history && !samples_branches(t))
		parse_branch_filter("any", &at->branch_sample_type, NULL);
	if (t->mode.history && at->callgraph.mode == CALLGRAPH_NONE)
		at->callgraph.mode = CALLGRAPH_FP;
	at->data |= t->mode.mem;
	at->sample[ABI_SAMPLE_NR_WEIGHT_STRUCT] |= t->mode.mem;
}

static int choose_mode(struct top *t, struct err *err)
{
	choose_samples(t);
	if (t->stitch_lbr && t->attr.callgraph.mode != CALLGRAPH_LBR)
		return err_set(err, -EINVAL,
			       "--stitch-lbr extends call chains of --call-graph lbr: use both");
	return mode_choose(&t->mode, samples_branches(t) ? MODE_BRANCHES : MODE_NO_BRANCHES, &t->hist_opts,
			   &t->sort, err);
}

static void choose_chains(struct top *t)
{
	struct hist_opts *ho = &t->hist_opts;

	ho->chains = t->attr.callgraph.mode != CALLGRAPH_NONE && ho->mode != COUNT_BRANCHES;
	if (t->attr.callgraph.mode != CALLGRAPH_NONE && !ho->chains)
		log_warn("-g: rows of branches have no call graphs");
	ho->chain = t->chain;
	if (ho->history)
		ho->chain.key = CHAIN_KEY_ADDRESS;
	ho->max_stack = t->max_stack;
	ho->chain.caller = ho->chains && t->children && !t->view.hierarchy;
	ho->children = ho->chain.caller && !t->mode.mem;
	t->sort.children = ho->children;
	t->text.skip_empty = true;
	t->text.graph = ho->chains ? (enum graph_mode)t->chain.mode : GRAPH_NONE;
	t->text.value = (enum graph_value)t->chain.value;
}

/* the formats of tracepoints, if there are any, make their fields keys */
static int prepare_fields(struct top *t, struct err *err)
{
	int ret;

	hostinfo_gather(&t->feat, build_version());
	ret = tracing_data_gather(&t->feat, t->observe.set, err);
	if (t->wall.on)
		top_wall_begin_keys(&t->wall, &t->feat);
	if (!ret)
		t->sort.trace = trace_keys_new(t->observe.set, &t->feat.tracing_data);
	if (t->wall.on)
		top_wall_default_keys(t);
	return ret;
}

static int choose_keys(struct top *t, struct err *err)
{
	u64 samples;
	int ret;

	t->sort.hierarchy = t->view.hierarchy;
	ret = prepare_fields(t, err);
	if (!ret)
		ret = sort_order_parse(&t->order, &t->sort, err);
	if (t->wall.on)
		top_wall_end_keys(&t->wall);
	if (!ret && t->view.hierarchy)
		ret = hierarchy_check(&t->order, err);
	if (!ret)
		ret = hist_carry_check(&t->order, err);
	samples = sort_order_samples(&t->order);
	for (u32 i = 0; i < ARRAY_SIZE(t->attr.sample); i++)
		t->attr.sample[i] |= samples >> i & 1;
	sort_order_keys(&t->order, &t->hist_opts);
	return ret;
}

int top_settle(struct top *t, struct err *err)
{
	int ret = choose_mode(t, err);

	choose_chains(t);
	t->observe.target.has_workload = t->observe.argv != NULL;
	if (!ret && t->wall.on)
		ret = top_wall_settle(t, err);
	if (!ret)
		ret = choose_keys(t, err);
	if (!t->observe.set->ev.nr)
		parse_default_event(t->observe.set);
	t->hist_opts.verbose = log_level;
	t->code.wanted = t->code.symbol != NULL;
	t->code.text.color = color_wanted(STDOUT_FILENO);
	t->hist_opts.carry = &t->carry;
	t->view.order = &t->order;
	t->view.filter = &t->filter;
	t->view.weights = t->hist_opts.mode == COUNT_WEIGHT;
	t->view.tables_only = true;
	t->text.color = color_wanted(STDOUT_FILENO);
	t->choice.stdio |= t->json;
	return ret;
}
