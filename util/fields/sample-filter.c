/* Sample filter: the lists, and what passes them. */
#include "sample-filter.h"

#include <errno.h>
#include <string.h>

int sample_filter_parse(struct sample_filter *f, const struct session *s, struct err *err)
{
	int ret = name_filter_parse(&f->comms, f->comm_list, err);

	if (sample_filter_given(f))
		session_complete(s);
	if (!ret)
		ret = name_filter_parse(&f->dsos, f->dso_list, err);
	if (!ret)
		ret = name_filter_parse(&f->symbols, f->symbol_list, err);
	if (!ret && f->pid_list)
		ret = id_filter_parse(&f->pids, "--pid", f->pid_list, err);
	if (!ret && f->tid_list)
		ret = id_filter_parse(&f->tids, "--tid", f->tid_list, err);
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
		return machine_comm_name(rs->machine, rs->comm);
	return machine_comm(rs->machine, &rs->ctx);
}

static bool drop_side(const struct sample_filter *f, u8 cpumode)
{
	bool guest = cpumode == CPUMODE_GUEST_KERNEL || cpumode == CPUMODE_GUEST_USER;

	return (f->only_guest != f->only_host && guest == f->only_host) ||
	       (f->hide_kernel && (cpumode == CPUMODE_KERNEL || cpumode == CPUMODE_GUEST_KERNEL)) ||
	       (f->hide_user && (cpumode == CPUMODE_USER || cpumode == CPUMODE_GUEST_USER));
}

static bool keep_socket(const struct sample_filter *f, const struct resolved_sample *rs)
{
	const struct features *feat = rs->features;
	u32 cpu = rs->sample->cpu;

	if (!f->socket_set)
		return true;
	return feat->cpu_socket && cpu < feat->nr_cpus_avail && feat->cpu_socket[cpu] == (s32)f->socket;
}

enum filter_verdict sample_filter_keep(const void *ctx, const struct resolved_sample *rs)
{
	const struct sample_filter *f = ctx;

	if (drop_side(f, rs->sample->cpumode) || !id_filter_ok(&f->cpus, rs->sample->cpu) ||
	    !time_filter_ok(&f->times, rs->sample->time) || !switches_ok(f->switches, rs->ctx.when))
		return FILTER_DROP;
	if (id_filter_ok(&f->pids, rs->sample->pid) && id_filter_ok(&f->tids, rs->sample->tid) &&
	    keep_socket(f, rs) && id_filter_ok(&f->parallelism, rs->parallelism) &&
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
	if (f->dsos.active &&
	    !name_filter_dso(&f->dsos, dsos_at(machine_dsos(names->machine), fr->dso)))
		return FILTER_HIDE;
	return !f->symbols.active || (nm->name &&
				      name_filter_has(&f->symbols, nm->name)) ? FILTER_KEEP : FILTER_HIDE;
}

bool sample_filter_wants_frames(const struct sample_filter *f)
{
	return f->dso_list || sample_filter_wants_symbols(f);
}

bool sample_filter_wants_symbols(const struct sample_filter *f)
{
	return f->symbol_list || f->hide_unresolved;
}
