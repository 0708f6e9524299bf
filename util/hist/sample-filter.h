/*
 * Sample filter: which samples a report keeps: by task, CPU and time while counting, by dso and symbol after
 * frames have names.
 */
#ifndef PERF_HIST_SAMPLE_FILTER_H
#define PERF_HIST_SAMPLE_FILTER_H

#include "../fields/field.h"
#include "../session/filter-list.h"
#include "../session/switches.h"
#include "../session/time-filter.h"
#include "../resolve/names.h"
#include "hist.h"
#include "sort-order.h"

struct sample_filter {
	/* as typed; NULL: not given */
	const char *comm_list, *dso_list, *symbol_list, *pid_list, *tid_list, *cpu_list, *time_spec, *parallelism_list;
	unsigned int socket;
	bool socket_set;
	bool hide_unresolved;		/* -U */
	struct name_filter comms, dsos, symbols;
	struct id_filter pids, tids, cpus, parallelism;
	struct time_filter times;
	struct switch_opts switching;
	struct switches *switches;	/* NULL: no event switches */
};

/* 0, or a negative errno with err, which names the list and what is wrong with it */
int sample_filter_parse(struct sample_filter *f, const struct session *s, struct err *err);
void sample_filter_release(struct sample_filter *f);

/*
 * by task, CPU, time; ctx is the filter. For hist_opts.keep. CPU and time select the samples that exist for
 * the report, the others those that it shows
 */
enum filter_verdict sample_filter_keep(const void *ctx, const struct resolved_sample *rs);
/* by dso and symbol of the sample's own frame. For hist_opts.keep_frame. -U drops samples */
enum filter_verdict sample_filter_keep_frame(const void *ctx, const struct names *names, u32 frame);
bool sample_filter_wants_frames(const struct sample_filter *f);
bool sample_filter_wants_symbols(const struct sample_filter *f);
/*
 * if no sample of h was kept: warns about names that the profile does not have, or about all filters together
 */
void sample_filter_warn_empty(const struct sample_filter *f, const struct hist *h);
/* warns if no function of h has this text in its name (--symbol-filter; NULL: not given) */
void symbol_filter_warn_empty(const char *text, const struct hist *h);
/*
 * columns with the same text in every row, because one name was selected, go to order->only; they are hidden
 * if other columns remain, unless all are to be kept
 */
void sample_filter_hide_columns(const struct sample_filter *f, struct sort_order *order, bool keep);

#endif
