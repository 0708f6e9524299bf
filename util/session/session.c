/* Session: opening a profile: data, scan, world, symbols. */
#include "../../arch/arch.h"
#include "../base/phase.h"
#include "../obj/kallsyms.h"
#include "session.h"
#include "private.h"
#include "reads.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Recorded on this machine and by the kernel that runs now: where there is no build-id, only this says whose symbols fit. */
static bool recorded_here(const struct features *f)
{
	struct utsname u;

	return f->hostname && f->osrelease && f->arch && !uname(&u) && !strcmp(f->hostname, u.nodename) &&
	       !strcmp(f->osrelease, u.release) && !strcmp(f->arch, u.machine);
}

static void read_list(void *arg)
{
	struct session *s = arg;

	kallsyms_read_live(&s->early_list, NULL);
}

static struct kallsyms *take_early_list(void *arg)
{
	struct session *s = arg;
	struct kallsyms *list;

	pool_wait(s->pool);
	list = s->early_list;
	s->early_list = NULL;
	return list;
}

/*
 * The kernel takes as long to print its list of symbols as a scan of 100 MB takes: it is read beside scan and counting where it is
 * as good as certain that this list will be the source. Else it is read when it is its turn (sources.def).
 */
static bool reads_list_early(const struct session *s, const struct session_opts *o, const struct sym_opts *sym)
{
	const struct evset *set = s->data->evset;
	u64 size = 0;

	if (!o->kernel_names || pool_nr_workers(s->pool) < 2 || s->data->live || !sym->is_local || sym->recorded_kallsyms ||
	    sym->kallsyms || sym->vmlinux)
		return false;
	for (size_t i = 0; i < s->data->stream.nr; i++)
		size += s->data->stream.v[i].end - s->data->stream.v[i].start;
	if (size < EARLY_LIST_MIN)
		return false;
	for (size_t i = 0; i < set->ev.nr; i++)
		if (!set->ev.v[i]->dummy && !(set->ev.v[i]->attr.flags & ATTR_EXCLUDE_KERNEL))
			return true;
	return false;
}

/* a file that the user names and that cannot be read would be no names, and no word of why */
static int check_named(const char *option, const char *path, struct err *err)
{
	return path && access(path, R_OK) ? err_sys(err, errno, "%s: cannot read '%s'", option, path) : 0;
}

int session_open(struct session **ret, const struct session_opts *opts, struct err *err)
{
	struct session *s = xcalloc(1, sizeof(*s));
	struct sym_opts sym = opts->sym;
	struct sideband sb = { 0 };
	struct world_opts wo;
	struct phase_clock t = phase_start();
	bool early;
	int rc;

	rc = check_named("--kallsyms", sym.kallsyms, err);
	if (!rc && !sym.ignore_vmlinux)
		rc = check_named("--vmlinux", sym.vmlinux, err);
	if (!rc)
		rc = data_open(&s->data, &opts->data, err);
	if (rc < 0) {
		free(s);
		return rc;
	}
	if (!s->data->live)
		diag_merge(&s->diag, &s->data->diag);
	if (s->data->is_dir) {
		s->recorded_kallsyms = xasprintf("%s/kcore_dir/kallsyms", s->data->path);
		if (!access(s->recorded_kallsyms, R_OK))
			sym.recorded_kallsyms = s->recorded_kallsyms;
	}
	sym.is_local |= recorded_here(&s->data->feat);
	s->pool = pool_new(MIN(opts->jobs, JOBS_MAX));
	early = reads_list_early(s, opts, &sym);
	if (early)
		pool_beside(s->pool, read_list, s);
	session_scan(s, &sb, opts->chunk_size ? opts->chunk_size : SESSION_CHUNK_SIZE);
	phase_end("scan", &t);
	wo = (struct world_opts){
		.evset = s->data->evset, .plan = s->data->plan, .feat = &s->data->feat, .is_local = sym.is_local,
		.grows = s->data->live,
	};
	s->world = world_build(&sb, &wo, &s->diag);
	arena_release(&sb.arena);
	vec_release(&sb.recs);
	vec_release(&sb.times);
	if (s->data->live)
		s->live = session_live_new(s);
	s->reads = session_reads_new(s);
	s->symbols = symbols_new(world_dsos(s->world), &sym);
	if (early)
		symbols_expect_kallsyms(s->symbols, take_early_list, s);
	phase_end("world", &t);
	*ret = s;
	return 0;
}

void session_close(struct session *s)
{
	if (!s)
		return;
	session_live_free(s->live);
	session_reads_free(s->reads);
	kallsyms_free(take_early_list(s));
	symbols_free(s->symbols);
	world_free(s->world);
	pool_free(s->pool);
	vec_release(&s->chunks);
	data_close(s->data);
	free(s->recorded_kallsyms);
	free(s);
}

u16 session_machine(const struct session *s)
{
	const struct features *f = &s->data->feat;
	const struct arch *a = f->e_machine ? arch_by_machine(f->e_machine) : f->arch ? arch_by_uname(f->arch) : arch_native();

	return a ? a->e_machine : 0;
}

struct whence session_whence(const struct session *s, const struct sample *sample, const struct rec *rec)
{
	struct whence w = { .off = rec->off, .time = rec->off };

	if (s->has_time)	/* an event without times in a file that has some: as it was in the end */
		w.time = sample->event && !(sample->event->attr.sample_type & PERF_SAMPLE_TIME) ? UINT64_MAX - 1 : sample->time;
	w.thread = world_thread(s->world, sample->pid, sample->tid, w.time, w.off);
	w.space = w.thread ? w.thread->space : world_space(s->world, sample->pid, sample->tid, w.time, w.off);
	return w;
}

struct whence locator_whence(struct locator *l, const struct session *s, const struct sample *sample, const struct rec *rec)
{
	struct whence w = { .off = rec->off, .time = rec->off };

	if (s->has_time)
		w.time = sample->event && !(sample->event->attr.sample_type & PERF_SAMPLE_TIME) ? UINT64_MAX - 1 : sample->time;
	w.thread = locator_thread(l, sample->pid, sample->tid, w.time, w.off);
	w.space = w.thread ? w.thread->space : world_space(s->world, sample->pid, sample->tid, w.time, w.off);
	return w;
}

static bool is_dead(const struct thread *t, const struct whence *w)
{
	return w->time > t->death_time || (w->time == t->death_time && w->off > t->death_off);
}

void whence_forget_dead(const struct session *s, const struct sample *sample, struct whence *w)
{
	const struct thread *leader;

	if (likely(w->thread && !is_dead(w->thread, w)))
		return;
	leader = world_thread(s->world, sample->pid, sample->pid, w->time, w->off);
	w->thread = NULL;
	w->space = leader && !is_dead(leader, w) ? leader->space : WORLD_NONE;
}
