/* perf report: what is counted and shown: from options and a file to a view. */
#include <errno.h>
#include <string.h>

#include "builtin-report.h"
#include "util/base/log.h"
#include "util/base/phase.h"
#include "util/cli/progress.h"
#include "util/fields/field-family.h"
#include "util/fields/trace-keys.h"
#include "util/hist/collect.h"
#include "util/hist/filter-columns.h"
#include "util/hist/hierarchy.h"
#include "util/hist/sort-order.h"
#include "util/wall/wall-event.h"

#define PICTURE_CUT 100000u	/* a frame with less is a tenth of what is drawn on a screen of 4K */

/* whole stacks without a threshold, from the outermost caller on, below the keys of --sort */
static void choose_picture(struct report_opts *o, const struct session *s)
{
	if (!o->picture.format)
		return;
	o->chain.mode = CHAIN_MODE_FOLDED;
	o->chain.min_percent = 0;
	o->chain.caller = o->chain.caller_set = true;
	o->children = o->inverted = o->chains_given = false;
	o->view.percent_limit = 0;
	o->sort.show_total_period = true;
	o->sort.show_nr = o->sort.show_cpu_utilization = false;
	if (!o->no_chain && evset_samples(s->data->evset, PERF_SAMPLE_CALLCHAIN))
		o->sort.default_sort = "comm";
	if (!o->mode.branch_stack_set)
		o->mode.branch_stack_set = true;	/* samples, not their branches */
}

static int choose_chains(struct report_opts *o, const struct session *s, struct hist_opts *ho,
			 struct err *err)
{
	bool callers = o->children && !o->view.hierarchy;
	bool has_chains = evset_samples(s->data->evset, PERF_SAMPLE_CALLCHAIN) || ho->history;

	if (o->chains_given && !o->no_chain && !has_chains && o->chain.mode != CHAIN_MODE_NONE) {
		err_set(err, -EINVAL, "-g: the profile has no call chains");
		err_hint(err, "record them with perf record -g, or --call-graph dwarf");
		return -EINVAL;
	}
	if (o->chains_given && !o->no_chain && o->chain.mode != CHAIN_MODE_NONE && ho->mode == COUNT_BRANCHES)
		log_warn("-g: rows of branches have no call graphs; --no-branch-stack shows the call graphs "
			 "of the samples");
	if (o->mode.history && !o->chain.key_set)
		ho->chain.key = CHAIN_KEY_ADDRESS;
	ho->history |= o->chain.branch && has_chains && ho->mode == COUNT_SAMPLES;
	ho->max_stack = o->max_stack;
	ho->chains = !o->no_chain && has_chains && ho->mode != COUNT_BRANCHES;
	/* a caller has no data that it accessed: rows of accesses are of the code that did */
	ho->children = ho->chains && callers && !o->mode.mem;
	ho->inlines = o->inlines && !ho->history;
	ho->full_path = o->full_path;
	ho->chain.caller = o->inverted || (o->chain.caller_set ? o->chain.caller : ho->chains && callers);
	o->text.graph = ho->chains ? (enum graph_mode)o->chain.mode : GRAPH_NONE;
	o->text.value = (enum graph_value)o->chain.value;
	o->text.graph_limit = o->chain.print_limit;
	return 0;
}

/* slices of wall time: functions, with a column of each state that is shown */
static void choose_wall(struct report_opts *o)
{
	o->sort.has |= NEEDS_STATES;
	o->view.hide_empty = true;
	o->sort.default_sort = o->picture.format ? "comm,state" : "symbol";
	if (o->picture.format)
		return;
	o->sort.wall_states = wall_states(&o->wall);
	o->sort.wall_path = o->wall.path;
}

/* chooses what is counted, and the sort keys */
static int choose_what(struct report_opts *o, const struct session *s, struct hist_opts *ho,
		       struct sort_order *order, struct err *err)
{
	int ret;

	ho->chain = o->chain;
	ret = mode_choose(&o->mode, mode_branches(s->data->evset), ho, &o->sort, err);
	o->sort.has |= NEEDS_IPC;

	if (!ret && o->mode.mem && !mode_has_memory(s->data->evset)) {
		err_set(err, -EINVAL, "the profile has no data of memory accesses");
		err_hint(err, "record it with perf mem record, or with perf record -d");
		return -EINVAL;
	}
	if (!ret)
		ret = choose_chains(o, s, ho, err);
	o->sort.children = ho->children;
	o->sort.hierarchy = o->view.hierarchy;
	if (wall_event_in(s->data->evset))
		choose_wall(o);
	else if (ho->mode == COUNT_SAMPLES && trace_keys_only(s->data->evset))
		o->sort.default_sort = "trace";
	latency_prepare(&o->latency, s, &o->sort);
	if (!ret)
		ret = sort_order_parse(order, &o->sort, err);
	if (!ret && o->view.hierarchy)
		ret = hierarchy_check(order, err);
	if (!ret)
		ret = sample_filter_parse(&o->filter, s, err);
	if (!ret)
		ret = latency_choose(&o->latency, s, &o->filter, order, ho, err);
	if (ret)
		return ret;
	if (o->callers.parent)
		sort_order_show_key(order, &field_parent);
	else if (o->callers.exclude_other)
		sort_order_add_key(order, &field_parent);
	o->callers.by_parent = sort_order_has_key(order, &field_parent);
	sort_order_keys(order, ho);
	ho->callers = &o->callers;
	return caller_patterns_compile(&o->callers, s, err);
}

/* blocks are made of cycles: without them all rows would be empty */
static int check_cycles(const struct hist *h, struct err *err)
{
	for (u32 i = 0; i < h->nr_events; i++)
		if (h->event[i].total.cycles || !h->event[i].total.nr)
			return 0;
	err_set(err, -EINVAL, "--total-cycles: the branch stacks of the profile have no cycles");
	err_hint(err, "the CPU that recorded them does not measure them; -b shows the branches");
	return -EINVAL;
}

int report_compute(struct report_answer *a, const struct report_opts *opts, struct session *s,
		   struct err *err)
{
	struct hist_opts ho = { .verbose = log_level, .fields = opts->fields };
	struct report_opts *o = &a->o;
	struct phase_clock t;
	int ret;

	*a = (struct report_answer){ .o = *opts, .s = s };
	choose_picture(o, s);
	ret = choose_what(o, s, &ho, &a->order, err);
	if (ret)
		return ret;
	ho.branch_sums |= o->mode.blocks;
	ho.join_unnamed = o->picture.format && !ho.frames && ho.chain.key == CHAIN_KEY_FUNCTION;
	hist_use_filter(&ho, &o->filter);
	ho.mark_ends = o->picture.format;
	if (o->picture.format && strcmp(o->picture.format, "folded"))
		ho.cut = PICTURE_CUT;
	o->view.time = o->picture.time;
	if (o->picture.time)
		ho.time = wall_event_in(s->data->evset) ? hist_ticks_of(s) : hist_time_of(s);
	if (o->wall.summary.path.nr)
		o->view.mark = &o->wall.summary.path;
	a->h = hist_collect(s, &ho);
	ret = o->mode.blocks ? check_cycles(a->h, err) : 0;
	if (ret)
		return ret;
	t = phase_start();
	if (sort_order_needs(&a->order, NEEDS_IPC))
		annotate_ipc(a->h, &o->filter);
	latency_forget(a->h, &a->order);
	sample_filter_hide_columns(&o->filter, &a->order, o->view.hierarchy);
	o->view.order = &a->order;
	o->view.weights = ho.mode == COUNT_WEIGHT;
	if (o->view.weights)
		o->view.sort_words = o->sort.sort || o->sort.fields ? o->sort.sort : o->sort.default_sort;
	o->view.filter = &o->filter;
	o->view.no_widths = o->text.separator || o->picture.format;
	o->text.pool = s->pool;
	a->v = report_view(a->h, &o->view);
	if (o->wall.summary.totals.nr_threads)
		wall_describe(&o->wall, a->v);
	phase_end("view", &t);
	return 0;
}

void report_answer_release(struct report_answer *a)
{
	struct phase_clock t = phase_start();

	if (a->v)
		view_free(a->v);
	hist_free(a->h);
	sample_filter_release(&a->o.filter);
	latency_release(&a->o.latency);
	caller_patterns_release(&a->o.callers);
	phase_end("free", &t);
}
