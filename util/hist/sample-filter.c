/* Sample filter: which samples a report keeps. */
#include "sample-filter.h"

#include <errno.h>
#include <string.h>

#include "../base/log.h"
#include "../session/filter-notes.h"

int sample_filter_parse(struct sample_filter *f, const struct session *s, struct err *err)
{
	int ret = name_filter_parse(&f->comms, f->comm_list, err);

	if (!ret)
		ret = name_filter_parse(&f->dsos, f->dso_list, err);
	if (!ret)
		ret = name_filter_parse(&f->symbols, f->symbol_list, err);
	if (!ret && f->pid_list)
		ret = id_filter_parse(&f->pids, "pid", f->pid_list, err);
	if (!ret && f->tid_list)
		ret = id_filter_parse(&f->tids, "tid", f->tid_list, err);
	if (!ret && f->cpu_list && !evset_samples(s->data->evset, PERF_SAMPLE_CPU)) {
		err_set(err, -EINVAL, "-C needs the CPU of each sample, which the profile does not have");
		err_hint(err, "record with --sample-cpu, or with -a");
		return -EINVAL;
	}
	if (!ret && f->cpu_list)
		ret = id_filter_parse_cpus(&f->cpus, f->cpu_list, err);
	if (!ret && f->parallelism_list)
		ret = id_filter_parse_levels(&f->parallelism, f->parallelism_list, err);
	if (!ret && f->time_spec)
		ret = time_filter_parse(&f->times, f->time_spec, s->first_time, s->last_time, err);
	if (!ret)
		ret = switches_new(&f->switches, s, &f->switching, &f->times, err);
	return ret;
}

void sample_filter_release(struct sample_filter *f)
{
	name_filter_release(&f->comms);
	name_filter_release(&f->dsos);
	name_filter_release(&f->symbols);
	id_filter_release(&f->pids);
	id_filter_release(&f->tids);
	id_filter_release(&f->cpus);
	id_filter_release(&f->parallelism);
	time_filter_release(&f->times);
	switches_free(f->switches);
}

static const char *hit_comm(const struct resolved_sample *rs)
{
	if (rs->comm != ID_NONE)
		return machine_comm_name(rs->session->machine, rs->comm);
	return machine_comm(rs->session->machine, rs->sample->pid, rs->sample->tid, rs->ctx.time, rs->ctx.off);
}

static bool keep_socket(const struct sample_filter *f, const struct resolved_sample *rs)
{
	const struct features *feat = &rs->session->data->feat;
	u32 cpu = rs->sample->cpu;

	if (!f->socket_set)
		return true;
	return feat->cpu_socket && cpu < feat->nr_cpus_avail && feat->cpu_socket[cpu] == (s32)f->socket;
}

enum filter_verdict sample_filter_keep(const void *ctx, const struct resolved_sample *rs)
{
	const struct sample_filter *f = ctx;

	if (!id_filter_ok(&f->cpus, rs->sample->cpu) || !time_filter_ok(&f->times, rs->sample->time) ||
	    !switches_ok(f->switches, rs->ctx.time, rs->ctx.off))
		return FILTER_DROP;
	if (id_filter_ok(&f->pids, rs->sample->pid) && id_filter_ok(&f->tids, rs->sample->tid) && keep_socket(f, rs) &&
	    id_filter_ok(&f->parallelism, rs->parallelism) &&
	    (!f->comms.active || name_filter_has(&f->comms, hit_comm(rs))))
		return FILTER_KEEP;
	return FILTER_HIDE;
}

enum filter_verdict sample_filter_keep_frame(const void *ctx, const struct names *names, u32 frame)
{
	const struct sample_filter *f = ctx;
	const struct frame *fr = &names->frame.v[frame];
	const struct named *nm = &names->named.v[names->named_of[frame]];

	if (f->hide_unresolved && !nm->name)
		return FILTER_DROP;
	if (f->dsos.active && !name_filter_dso(&f->dsos, dsos_at(machine_dsos(names->session->machine), fr->dso)))
		return FILTER_HIDE;
	return !f->symbols.active || (nm->name && name_filter_has(&f->symbols, nm->name)) ? FILTER_KEEP : FILTER_HIDE;
}

/* the single name in the list for a key, else NULL */
static const char *sample_filter_only(const struct sample_filter *f, const char *key)
{
	const struct name_filter *list = !strcmp(key, "comm") ? &f->comms : !strcmp(key, "dso") ? &f->dsos :
					 !strcmp(key, "symbol") ? &f->symbols : NULL;

	return list ? name_filter_only(list) : NULL;
}

void sample_filter_hide_columns(const struct sample_filter *f, struct sort_order *order, bool keep)
{
	static const char *const names[] = { "comm", "dso", "symbol" };
	u32 nr_keys = 0, nr = 0;

	for (u32 n = 0; n < ARRAY_SIZE(names); n++)
		for (u32 i = 0; i < order->nr_columns; i++)
			if (!strcmp(order->column[i]->name, names[n]) && sample_filter_only(f, names[n])) {
				order->only[order->nr_only].key = names[n];
				order->only[order->nr_only++].value = sample_filter_only(f, names[n]);
			}
	for (u32 i = 0; i < order->nr_columns; i++)
		nr_keys += order->column[i]->kind != FIELD_STAT && !sample_filter_only(f, order->column[i]->name);
	if (!nr_keys || keep)
		return;
	for (u32 i = 0; i < order->nr_columns; i++)
		if (!sample_filter_only(f, order->column[i]->name))
			order->column[nr++] = order->column[i];
	order->nr_columns = nr;
}

bool sample_filter_wants_frames(const struct sample_filter *f)
{
	return f->dso_list || sample_filter_wants_symbols(f);
}

bool sample_filter_wants_symbols(const struct sample_filter *f)
{
	return f->symbol_list || f->hide_unresolved;
}

void sample_filter_warn_empty(const struct sample_filter *f, const struct hist *h)
{
	const struct filter_given given[] = {
		{ "--comms", f->comm_list }, { "--dsos", f->dso_list }, { "--symbols", f->symbol_list }, { "--pid", f->pid_list },
		{ "--tid", f->tid_list }, { "--cpu", f->cpu_list }, { "--parallelism", f->parallelism_list }, { "--time", f->time_spec },
	};

	for (u32 i = 0; i < h->nr_events; i++)
		if (h->event[i].shown.nr)
			return;
	filters_warn_empty(h->session, &f->comms, &f->dsos, &f->symbols, given, ARRAY_SIZE(given));
}

void symbol_filter_warn_empty(const char *text, const struct hist *h)
{
	if (!text || !h->opts.symbols)
		return;
	vec_foreach(&h->names.named, n)
		if (n->name && strstr(n->name, text))
			return;
	log_warn("no function with samples has '%s' in its name", text);
}
