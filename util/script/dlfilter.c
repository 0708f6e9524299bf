/* Filters in shared objects: see dlfilter.h. */
#include "dlfilter.h"
#include "host.h"
#include "perf_dlfilter.h"
#include "line-state.h"

#include <dirent.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../event/insn-flags.h"
#include "../obj/elf-obj.h"
#include "addr-name.h"
#include "line-more.h"

_Static_assert(sizeof(struct branch_entry) == sizeof(struct perf_branch_entry), "given as they are");

typedef int (*ask_fn)(void *data, const struct perf_dlfilter_sample *sample, void *ctx);

struct dlfilter {
	void *so;
	const struct dlfilter_opts *opts;
	int (*start)(void **data, void *ctx);
	int (*stop)(void *data, void *ctx);
	ask_fn ask, ask_early;
	void *data;
	bool started;
	/* during a call */
	const struct script_host *host;
	const struct line_sample *ls;
	bool addr_named, early;
	struct perf_dlfilter_al ip, addr;
	struct arena arena;		/* names, until the next sample */
};

/* ---- functions that filters call; ctx is the struct dlfilter ---- */

/* false if nothing is mapped there */
static bool resolve(struct dlfilter *f, u64 ip, bool data, struct resolved_frame *ret)
{
	struct frame_cache *c = &f->host->worker->cache;
	const struct sample *sm = &f->ls->sm;

	c->blocked = false;
	if (!frame_resolve(c, &f->ls->at, sm->cpumode, ip, data, ret) && c->blocked) {
		c->blocked = false;
		f->host->load(f->host->ctx);
		if (!frame_resolve(c, &f->ls->at, sm->cpumode, ip, data, ret))
			return false;
	}
	return ret->loc.dso != ID_NONE;
}

static void fill(struct dlfilter *f, u64 ip, bool data, struct perf_dlfilter_al *al)
{
	const struct session *s = f->host->worker->sc->s;
	u8 cpumode = f->ls->sm.cpumode;
	struct resolved_frame r = { 0 };
	const struct dso *dso;
	const char *name;

	*al = (struct perf_dlfilter_al){ .size = sizeof(*al), .addr = ip,
					 .is_kernel_ip = cpumode == CPUMODE_KERNEL };
	if (!resolve(f, ip, data, &r))
		return;
	dso = dsos_at(machine_dsos(s->machine), r.loc.dso);
	al->addr = r.loc.dso_addr;
	al->dso = dso->long_name;
	al->is_64_bit = dso->is_64bit;
	al->buildid_size = dso->buildid_len;
	al->buildid = dso->buildid_len ? arena_memdup(&f->arena, dso->buildid, dso->buildid_len) : NULL;
	name = r.sym ? frame_name(&f->host->worker->cache, &r) : NULL;
	if (!name)
		return;
	al->sym = arena_strdup(&f->arena, name);
	al->sym_start = r.sym->start;
	al->sym_end = r.sym->end;
	al->symoff = r.loc.dso_addr - r.sym->start;
	al->sym_binding = r.sym->binding == 'w' ? STB_WEAK : r.sym->binding == 'g' ? STB_GLOBAL : STB_LOCAL;
}

static const struct perf_dlfilter_al *fn_resolve_ip(void *ctx)
{
	struct dlfilter *f = ctx;

	if (!f->ls)
		return NULL;
	if (!f->ip.size) {
		fill(f, f->ls->sm.ip, false, &f->ip);
		f->ip.filtered = f->early && !f->host->wanted(f->host->ctx, f->ls);
		f->ip.comm = arena_strdup(&f->arena,
					  machine_comm(f->host->worker->sc->s->machine, &f->ls->at));
	}
	return &f->ip;
}

static const struct perf_dlfilter_al *fn_resolve_addr(void *ctx)
{
	struct dlfilter *f = ctx;

	if (!f->ls || !f->addr_named)
		return NULL;
	if (!f->addr.size)
		fill(f, f->ls->sm.addr, true, &f->addr);
	return &f->addr;
}

static char **fn_args(void *ctx, int *nr)
{
	struct dlfilter *f = ctx;

	*nr = f->opts->arg.nr;
	return (char **)f->opts->arg.v;
}

/* the caller's struct may be of an older or newer header */
static __s32 fn_resolve_address(void *ctx, __u64 address, struct perf_dlfilter_al *al)
{
	struct dlfilter *f = ctx;
	struct perf_dlfilter_al own;
	__u32 size = al->size;

	if (!f->ls || size < sizeof(al->size))
		return -1;
	fill(f, address, true, &own);
	if (!own.dso)
		return -1;
	memcpy(al, &own, MIN(size, sizeof(own)));
	al->size = size;
	return 0;
}

/* the bytes of the file from an address on; 0: there are none */
static u64 code_at(struct dlfilter *f, u64 ip, const u8 **ret, bool *is_64bit)
{
	struct resolved_frame r;

	if (!f->ls || !resolve(f, ip, false, &r))
		return 0;
	return line_more_code(line_more_of(f->host->worker), r.loc.dso, r.loc.dso_addr, ret, is_64bit);
}

static const __u8 *fn_insn(void *ctx, __u32 *length)
{
	struct dlfilter *f = ctx;
	bool is_64bit;
	const u8 *p;
	u64 left = f->ls ? code_at(f, f->ls->sm.ip, &p, &is_64bit) : 0;
	int len = left ? line_more_insn_len(line_more_of(f->host->worker), p, left, is_64bit) : 0;

	*length = MAX(len, 0);
	return *length ? p : NULL;
}

static __s32 fn_object_code(void *ctx, __u64 ip, void *buf, __u32 len)
{
	bool is_64bit;
	const u8 *p;
	u64 left = MIN(code_at(ctx, ip, &p, &is_64bit), (u64)MIN(len, (__u32)INT32_MAX));

	if (left)
		memcpy(buf, p, left);
	return left ? (__s32)left : -1;
}

static const char *fn_srcline(void *ctx, __u32 *line)
{
	struct dlfilter *f = ctx;
	const struct line_info *info;
	struct resolved_frame r;

	*line = 0;
	if (!f->ls || !resolve(f, f->ls->sm.ip, false, &r))
		return NULL;
	f->host->load_lines(f->host->ctx, &(struct line_query){ r.loc.dso, r.loc.dso_addr }, 1);
	info = lines_find(f->host->worker->cache.lines, r.loc.dso, r.loc.dso_addr);
	if (!info)
		return NULL;
	*line = info->nr_inlined ? info->inlined[0].line : info->line;
	return info->nr_inlined ? info->inlined[0].file : info->file;
}

static struct perf_event_attr *fn_attr(void *ctx)
{
	struct dlfilter *f = ctx;

	return f->ls ? (struct perf_event_attr *)&f->ls->sm.event->attr : NULL;
}

static const struct perf_dlfilter_fns fns = {
	.resolve_ip = fn_resolve_ip, .resolve_addr = fn_resolve_addr, .args = fn_args,
	.resolve_address = fn_resolve_address, .insn = fn_insn, .srcline = fn_srcline, .attr = fn_attr,
	.object_code = fn_object_code,
};

/* ---- loading ---- */

static void *load(const char *file)
{
	char *here = NULL;
	void *so;

	if (!strchr(file, '/') && !access(file, F_OK))
		here = xasprintf("./%s", file);
	so = dlopen(here ? here : file, RTLD_NOW | RTLD_LOCAL);
	free(here);
	return so;
}

struct dlfilter *dlfilter_open(const struct dlfilter_opts *o, struct err *err)
{
	struct dlfilter *f = xcalloc(1, sizeof(*f));
	struct perf_dlfilter_fns *table;
	const char *why;

	f->opts = o;
	f->so = load(o->file);
	if (!f->so) {
		why = dlerror();
		err_set(err, -ENOEXEC, "cannot load the filter %s: %.500s", o->file,
			why ? why : "unknown reason");
		err_hint(err, "'perf script --list-dlfilters' lists the filters in this directory");
		goto fail;
	}
	*(void **)&f->start = dlsym(f->so, "start");
	*(void **)&f->stop = dlsym(f->so, "stop");
	*(void **)&f->ask = dlsym(f->so, "filter_event");
	*(void **)&f->ask_early = dlsym(f->so, "filter_event_early");
	if (!f->ask && !f->ask_early) {
		err_set(err, -ENOEXEC, "%s is not a filter: it has neither filter_event() nor "
			"filter_event_early()", o->file);
		goto fail;
	}
	table = dlsym(f->so, "perf_dlfilter_fns");
	if (table)
		*table = fns;
	return f;
fail:
	dlfilter_free(f);
	return NULL;
}

static int check(const struct dlfilter *f, const char *what, int ret, struct err *err)
{
	return ret < 0 ? err_set(err, -ECANCELED, "%s() of the filter %s failed: error %d", what,
				 f->opts->file, ret) : 0;
}

int dlfilter_start(struct dlfilter *f, struct err *err)
{
	int ret = f->start ? check(f, "start", f->start(&f->data, f), err) : 0;

	f->started = !ret;
	return ret;
}

int dlfilter_stop(struct dlfilter *f, struct err *err)
{
	f->ls = NULL;
	return f->started && f->stop ? check(f, "stop", f->stop(f->data, f), err) : 0;
}

void dlfilter_free(struct dlfilter *f)
{
	if (!f)
		return;
	if (f->so)
		dlclose(f->so);
	arena_release(&f->arena);
	free(f);
}

/* ---- samples ---- */

bool dlfilter_wants(const struct dlfilter *f, bool early)
{
	return early ? f->ask_early : f->ask;
}

static struct perf_dlfilter_sample sample_of(const struct dlfilter *f, const struct sample *s)
{
	return (struct perf_dlfilter_sample){ .size = sizeof(struct perf_dlfilter_sample),
		.ins_lat = s->ins_lat, .p_stage_cyc = s->p_stage_cyc, .ip = s->ip, .pid = s->pid,
		.tid = s->tid, .time = s->time, .addr = s->addr, .id = s->id, .stream_id = s->stream_id,
		.period = s->period, .weight = s->weight, .transaction = s->transaction, .cpu = s->cpu,
		.data_src = s->data_src, .phys_addr = s->phys_addr, .data_page_size = s->data_page_size,
		.code_page_size = s->code_page_size, .cgroup = s->cgroup, .cpumode = s->cpumode,
		.addr_correlates_sym = f->addr_named, .misc = s->misc, .raw_size = s->raw_size,
		.raw_data = s->raw, .brstack_nr = s->nr_branches,
		.brstack = (const struct perf_branch_entry *)s->branches,
		.raw_callchain_nr = s->nr_callchain, .raw_callchain = (const __u64 *)s->callchain,
		.event = s->event->name, .vcpu = -1 };
}

/* of instructions and branches; others that are made of a trace have other facts there */
static void add_trace(struct perf_dlfilter_sample *ret, const struct sample *s)
{
	ret->flags = (u32)s->insn_flags;
	ret->insn_cnt = (u32)s->made;
	ret->cyc_cnt = s->made >> 32;
}

int dlfilter_ask(struct dlfilter *f, const struct script_host *host, const struct line_sample *ls,
		 bool early, struct err *err)
{
	struct perf_dlfilter_sample sample;
	int ret;

	arena_reset(&f->arena);
	f->ip.size = f->addr.size = 0;
	f->host = host;
	f->ls = ls;
	f->early = early;
	f->addr_named = line_addr_has_name(&host->worker->sc->view[ls->sm.event->idx], ls->sm.event);
	sample = sample_of(f, &ls->sm);
	if (ls->sm.event->attr.type != MADE_EVENT_TYPE)
		add_trace(&sample, &ls->sm);
	ret = (early ? f->ask_early : f->ask)(f->data, &sample, f);
	f->ls = NULL;
	return ret < 0 ? check(f, early ? "filter_event_early" : "filter_event", ret, err) : !ret;
}

/* ---- lists ---- */

static int ends_in_so(const struct dirent *d)
{
	size_t len = strlen(d->d_name);

	return len > 3 && !strcmp(d->d_name + len - 3, ".so");
}

/* its dynamic symbols tell, so that no foreign code runs */
static bool is_filter(const char *path)
{
	struct err err = ERR_INIT;
	struct elf_obj *o = elf_obj_open(path, &err);
	struct symvec v = { 0 };
	bool found = false;

	if (!o)
		return false;
	elf_obj_symbols(o, ELF_SYMBOLS_DYNSYM, &(struct elf_addr_map){ .runtime = o }, &v);
	vec_foreach(&v.sym, s)
		found |= !strcmp(s->name, "filter_event") || !strcmp(s->name, "filter_event_early");
	symvec_release(&v);
	elf_obj_free(o);
	return found;
}

void dlfilter_list(const char *dir, struct strbuf *out)
{
	struct dirent **found = NULL;
	int nr = scandir(dir, &found, ends_in_so, alphasort);

	for (int i = 0; i < nr; i++) {
		char *path = xasprintf("%s/%s", dir, found[i]->d_name);

		if (is_filter(path)) {
			strbuf_addstr(out, "  ");
			strbuf_add_safe(out, found[i]->d_name);
			strbuf_addch(out, '\n');
		}
		free(path);
		free(found[i]);
	}
	free(found);
}
