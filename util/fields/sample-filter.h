/*
 * Sample filter: which samples a command keeps: by task, CPU and time as it reads them, by dso and symbol
 * after frames have names. The filter belongs to the command, which fills in what was typed; const after
 * sample_filter_parse().
 */
#ifndef PERF_FIELDS_SAMPLE_FILTER_H
#define PERF_FIELDS_SAMPLE_FILTER_H

#include "../resolve/names.h"
#include "../session/filter-list.h"
#include "../session/switches.h"
#include "../session/time-filter.h"
#include "field.h"
#include "filter-verdict.h"

struct sample_filter {
	/* as typed; NULL: not given */
	const char *comm_list, *dso_list, *symbol_list, *pid_list, *tid_list, *cpu_list, *time_spec,
			*parallelism_list;
	unsigned int socket;
	bool socket_set;
	bool hide_unresolved;		/* -U */
	bool hide_kernel, hide_user;	/* -K, -U of top */
	bool only_guest, only_host;	/* --guest, --host: in virtual machines, outside of them; both: all */
	struct name_filter comms, dsos, symbols;
	struct id_filter pids, tids, cpus, parallelism;
	struct time_filter times;
	struct switch_opts switching;
	struct switches *switches;	/* NULL: no event switches */
};

/* whether something was typed */
static inline bool sample_filter_given(const struct sample_filter *f)
{
	return f->comm_list || f->dso_list || f->symbol_list || f->pid_list || f->tid_list || f->cpu_list ||
	       f->time_spec || f->parallelism_list || f->socket_set || f->switching.on || f->switching.off;
}

/* 0, or a negative errno with err, which names the list and what is wrong with it */
int sample_filter_parse(struct sample_filter *f, const struct session *s, struct err *err);
void sample_filter_release(struct sample_filter *f);

/*
 * by task, CPU, time; ctx is the filter. For hist_opts.keep. CPU and time select the samples that exist for
 * the report, the other lists those that it shows
 */
enum filter_verdict sample_filter_keep(const void *ctx, const struct resolved_sample *rs);
/* by dso and symbol of the sample's own frame. For hist_opts.keep_frame. -U drops samples */
enum filter_verdict sample_filter_keep_frame(const void *ctx, const struct names *names, u32 frame);
bool sample_filter_wants_frames(const struct sample_filter *f);
bool sample_filter_wants_symbols(const struct sample_filter *f);

#endif
