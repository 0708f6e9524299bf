/* Hit filter: which samples a report keeps. */
#include "hit-filter.h"

#include <errno.h>
#include <string.h>

int hit_filter_parse(struct hit_filter *f, const struct session *s, struct err *err)
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
		err_set(err, -EINVAL, "the profile does not say on which CPU a sample was taken, so -C cannot choose");
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

void hit_filter_release(struct hit_filter *f)
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

static const char *hit_comm(const struct hit *hit)
{
	if (hit->comm != WORLD_NONE)
		return world_comm_name(hit->session->world, hit->comm);
	return world_comm(hit->session->world, hit->sample->pid, hit->sample->tid, hit->whence.time, hit->whence.off);
}

static bool keep_socket(const struct hit_filter *f, const struct hit *hit)
{
	const struct features *feat = &hit->session->data->feat;
	u32 cpu = hit->sample->cpu;

	if (!f->socket_set)
		return true;
	return feat->cpu_socket && cpu < feat->nr_cpus_avail && feat->cpu_socket[cpu] == (s32)f->socket;
}

enum hit_verdict hit_filter_keep(const void *ctx, const struct hit *hit)
{
	const struct hit_filter *f = ctx;

	if (!id_filter_ok(&f->cpus, hit->sample->cpu) || !time_filter_ok(&f->times, hit->sample->time) ||
	    !switches_ok(f->switches, hit->whence.time, hit->whence.off))
		return HIT_DROP;
	if (id_filter_ok(&f->pids, hit->sample->pid) && id_filter_ok(&f->tids, hit->sample->tid) && keep_socket(f, hit) &&
	    id_filter_ok(&f->parallelism, hit->parallelism) &&
	    (!f->comms.active || name_filter_has(&f->comms, hit_comm(hit))))
		return HIT_KEEP;
	return HIT_HIDE;
}

enum hit_verdict hit_filter_keep_frame(const void *ctx, const struct names *names, u32 frame)
{
	const struct hit_filter *f = ctx;
	const struct frame *fr = &names->frame.v[frame];
	const struct named *nm = &names->named.v[names->named_of[frame]];

	if (f->hide_unresolved && !nm->name)
		return HIT_DROP;
	if (f->dsos.active && !name_filter_dso(&f->dsos, dsos_at(world_dsos(names->session->world), fr->dso)))
		return HIT_HIDE;
	return !f->symbols.active || (nm->name && name_filter_has(&f->symbols, nm->name)) ? HIT_KEEP : HIT_HIDE;
}

/* the one name that the list for a key consists of, else NULL */
static const char *hit_filter_only(const struct hit_filter *f, const char *key)
{
	const struct name_filter *list = !strcmp(key, "comm") ? &f->comms : !strcmp(key, "dso") ? &f->dsos :
					 !strcmp(key, "symbol") ? &f->symbols : NULL;

	return list ? name_filter_only(list) : NULL;
}

void hit_filter_hide_columns(const struct hit_filter *f, struct sort_order *order, bool keep)
{
	static const char *const names[] = { "comm", "dso", "symbol" };
	u32 nr_keys = 0, nr = 0;

	for (u32 n = 0; n < ARRAY_SIZE(names); n++)
		for (u32 i = 0; i < order->nr_columns; i++)
			if (!strcmp(order->column[i]->name, names[n]) && hit_filter_only(f, names[n])) {
				order->only[order->nr_only].key = names[n];
				order->only[order->nr_only++].value = hit_filter_only(f, names[n]);
			}
	for (u32 i = 0; i < order->nr_columns; i++)
		nr_keys += order->column[i]->kind != FIELD_STAT && !hit_filter_only(f, order->column[i]->name);
	if (!nr_keys || keep)
		return;
	for (u32 i = 0; i < order->nr_columns; i++)
		if (!hit_filter_only(f, order->column[i]->name))
			order->column[nr++] = order->column[i];
	order->nr_columns = nr;
}

bool hit_filter_wants_frames(const struct hit_filter *f)
{
	return f->dso_list || hit_filter_wants_symbols(f);
}

bool hit_filter_wants_symbols(const struct hit_filter *f)
{
	return f->symbol_list || f->hide_unresolved;
}
