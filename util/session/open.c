/* Session: opens a profile: data, scan, machine, symbols. */
#include "../aux/aux.h"
#include "../base/log.h"
#include "../base/phase.h"
#include "../obj/elf-obj.h"
#include "../obj/kallsyms.h"
#include "../obj/sympack.h"
#include "../sym/kernel-list.h"
#include "../sym/lines.h"
#include "../unwind/unwinder.h"
#include "session.h"
#include "session-private.h"
#include "jit-maps.h"
#include "lbr-tails.h"
#include "parallelism.h"
#include "reads.h"
#include "recorded-on.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void read_list(void *arg)
{
	struct session *s = arg;

	kernel_list_read(&s->early_list, NULL);
}

static struct kallsyms *take_early_list(void *arg)
{
	struct session *s = arg;
	struct kallsyms *list;

	pool_wait(s->pool, &s->list_job);
	list = s->early_list;
	s->early_list = NULL;
	return list;
}

/*
 * The kernel needs as long for printing its list of symbols as a scan of 100 MB takes. So the list is read
 * during scan and counting if it is almost certain that it will be used. Else it is read when its turn comes
 * (sources.def).
 */
static bool reads_list_early(const struct session *s, const struct session_opts *o,
			     const struct sym_opts *sym)
{
	const struct evset *set = s->data->evset;
	u64 size = 0;

	if (!o->kernel_names || pool_nr_workers(s->pool) < 2 || s->data->live || !sym->is_local ||
	    sym->recorded_kallsyms || sym->kallsyms || sym->vmlinux)
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

static int check_symfs(const char *dir, struct err *err)
{
	struct stat st;

	if (!dir || !dir[0])
		return 0;
	if (stat(dir, &st))
		return err_sys(err, errno, "--symfs: cannot read '%s'", dir);
	return S_ISDIR(st.st_mode) ? 0 : err_set(err, -ENOTDIR, "--symfs: '%s' is not a directory", dir);
}

/* finds problems that do not depend on the recording; the build-id is checked later */
static int check_vmlinux(const char *path, struct err *err)
{
	struct elf_obj *o;
	int ret = 0;
	u64 addr;

	if (!path)
		return 0;
	if (access(path, R_OK))
		return err_sys(err, errno, "--vmlinux: cannot read '%s'", path);
	o = elf_obj_open(path, err);
	/* without libelf no program has symbols, which is reported once */
	if (!o && err->code == -ELIBACC) {
		err_clear(err);
		return 0;
	}
	if (!o)
		err_hint(err, "a vmlinuz holds no symbols: --vmlinux needs the vmlinux that it was made of, "
			 "or use --kallsyms");
	else if (!elf_obj_has_symtab(o))
		ret = err_set(err, -EINVAL, "'%s' has no symbol table", path);
	else if (!elf_obj_symbol_value(o, "_stext", &addr) && !elf_obj_symbol_value(o, "_text", &addr))
		ret = err_set(err, -EINVAL, "'%s' is not a kernel image: it has no symbol _stext or _text",
			      path);
	ret = o ? ret : err->code;
	elf_obj_free(o);
	return ret ? err_prefix(err, "--vmlinux: ") : 0;
}

/* checks files and directories that the user named: otherwise names would be missing without a reason */
static int check_named(const struct sym_opts *o, struct err *err)
{
	int ret = check_symfs(o->symfs, err);
	struct kallsyms *list = NULL;

	if (!ret && o->kallsyms && access(o->kallsyms, R_OK))
		return err_sys(err, errno, "--kallsyms: cannot read '%s'", o->kallsyms);
	if (!ret && o->kallsyms && kallsyms_read_file(&list, o->kallsyms, err))
		ret = err_prefix(err, "--kallsyms: ");
	kallsyms_free(list);
	return !ret && !o->ignore_vmlinux ? check_vmlinux(o->vmlinux, err) : ret;
}

/* what was scanned becomes the machine */
static void build_machine(struct session *s, struct sideband *sb)
{
	struct phase_clock t = phase_start();

	session_jit_maps(s, sb);
	machine_fill(s->machine, sb, &s->diag);
	arena_release(&sb->arena);
	vec_release(&sb->recs);
	vec_release(&sb->times);
	s->reads = session_reads_new(s);
	phase_end("machine", &t);
}

/* a letter that means nothing for the kind of trace would be ignored without a word */
static void note_letters(const struct aux *a)
{
	const char *kind, *letters = aux_unused_letters(a, &kind);

	if (letters)
		log_warn("--itrace: %s has no events for the letters %s", kind, letters);
}

static int open_trace(struct session *s, const struct itrace_opts *o, bool once, struct err *err)
{
	int ret = s->data->live ? 0 : aux_open(&s->aux, s->data, o, err);

	s->keeps_trace = o->off;
	if (s->aux)
		note_letters(s->aux);
	s->sees_samples = s->aux && aux_wants_samples(s->aux);
	s->streams_trace = s->aux && once && !aux_needs_file(s->aux);
	return ret;
}

/* what to do so that more of the trace can be decoded */
static void note_missing(struct aux *a)
{
	struct strbuf text = STRBUF_INIT;

	aux_describe_missing(a, &text);
	if (text.len)
		log_warn_lines(strbuf_str(&text));
	strbuf_release(&text);
}

static u32 running_at(const void *parallelism, u64 time, size_t *hint)
{
	/* records that are made lie after all records of the file */
	return parallelism_at(parallelism, (struct when){ time, UINT64_MAX }, hint);
}

/* all samples at once */
static int decode_all(struct session *s, struct err *err)
{
	struct parallelism *p = NULL;
	int ret;

	if (aux_wants_running(s->aux) && parallelism_recorded(s))
		p = parallelism_new(s);
	if (p)
		aux_set_running(s->aux, (struct aux_running){ running_at, p });
	ret = aux_decode(s->aux, s->machine, s->symbols, s->pool, &s->diag, err);
	aux_set_running(s->aux, (struct aux_running){ NULL, NULL });
	parallelism_free(p);
	if (!ret)
		note_missing(s->aux);
	return ret;
}

/* the trace becomes samples */
static int decode_trace(struct session *s, u64 chunk_size, struct err *err)
{
	struct phase_clock t = phase_start();
	int ret;

	if (!s->aux)
		return 0;
	if (s->streams_trace) {
		ret = aux_prepare(s->aux, s->machine, s->symbols, s->pool, err);
		phase_end("trace", &t);
		return ret;
	}
	ret = decode_all(s, err);
	if (!ret)
		session_scan_made(s, &s->data->stream.v[aux_stream(s->aux)], chunk_size);
	if (!ret && s->aux)
		s->nr_samples += aux_folded(s->aux, &s->first_time, &s->last_time);
	phase_end("trace", &t);
	return ret;
}

void session_trace_want(struct session *s, const struct aux_want *want)
{
	if (s->streams_trace)
		aux_set_want(s->aux, *want);
}

void session_trace_end(struct session *s)
{
	if (!s->streams_trace)
		return;
	s->trace_left_out = aux_end(s->aux, &s->diag, &s->nr_samples);
	note_missing(s->aux);
	s->streams_trace = false;
}

/* several streams are scanned one after another, but read together */
static bool scans_late(const struct session *s, const struct session_opts *o)
{
	return o->scan_late && !s->data->live && s->data->stream.nr == 1;
}

static int scan(struct session *s, const struct session_opts *opts, struct err *err)
{
	u64 chunk_size = opts->chunk_size ? opts->chunk_size : SESSION_CHUNK_SIZE;
	struct phase_clock t = phase_start();
	struct sideband sb = { 0 };

	session_scan_init(s);
	if (scans_late(s, opts)) {
		const struct data_stream *st = &s->data->stream.v[0];

		s->late = xcalloc(1, sizeof(*s->late));
		s->late->sb.has_time = s->has_time;
		s->late->off = st->start;
		s->late->pass = (struct session_pass){ s, st, &s->late->sb, st->start, chunk_size };
		return 0;
	}
	session_scan(s, &sb, chunk_size);
	phase_end("scan", &t);
	build_machine(s, &sb);
	if (s->data->live)
		s->live = session_live_new(s);
	return decode_trace(s, chunk_size, err);
}

void session_complete_late(struct session_late *l)
{
	struct session *s = l->pass.s;

	if (l->reader_job)
		pool_wait(l->reader_pool, l->reader_job);
	s->late = NULL;
	session_pass_rest(&l->pass, l->off);
	build_machine(s, &l->sb);
	free(l);
}

static int check_unwinder(const struct unwinder *u, const struct data *d, struct err *err)
{
	const struct arch *a = features_arch(&d->feat);

	if (!u || u->foreign || ((!a || a == arch_native()) && !d->swap))
		return 0;
	return err_set(err, -ENOTSUP, "--unwind-style=%s: it only unwinds stacks of this machine, and '%s' "
		       "was recorded on %s", u->name, d->path, a ? a->name : "one of the other byte order");
}

/* a damaged pack costs its own symbols */
static void read_packed(struct session *s)
{
	const struct feat_blob *b = &s->data->feat.raw[FEAT_PACKED_SYMBOLS];
	struct err err = ERR_INIT;

	if (!feature_present(&s->data->feat, FEAT_PACKED_SYMBOLS) || !b->data)
		return;
	s->packed = sympack_read(b->data, b->size, &err);
	if (!s->packed)
		log_warn("%s: its packed symbols are not used: %s", s->data->path, err.msg);
}

int session_open(struct session **ret, const struct session_opts *opts, struct err *err)
{
	struct session *s = xcalloc(1, sizeof(*s));
	struct sym_opts sym = opts->sym;
	struct machine_opts wo;
	bool early;
	int rc;

	rc = check_named(&sym, err);
	if (!rc)
		rc = guest_maps_read(&sym.guest, &s->guest_maps, err);
	if (!rc)
		rc = data_open(&s->data, &opts->data, err);
	if (rc >= 0 && check_unwinder(opts->unwinder, s->data, err))
		rc = err->code;
	if (rc >= 0 && opts->stitch_lbr && s->data->live)
		rc = err_set(err, -ENOTSUP, "--stitch-lbr needs a file, not a pipe that is read as it grows");
	if (rc >= 0)
		rc = open_trace(s, &opts->itrace, opts->trace_once, err);
	if (rc < 0) {
		aux_free(s->aux);
		data_close(s->data);
		guest_maps_release(&s->guest_maps);
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
	read_packed(s);
	sym.packed = s->packed;
	sym.is_local |= recorded_here(&s->data->feat);
	sym.on = recorded_on_of(s->data);
	s->is_local = sym.is_local;
	s->unwinder = opts->unwinder;
	s->pool = pool_new(MIN(opts->jobs, JOBS_MAX));
	early = reads_list_early(s, opts, &sym);
	if (early) {
		s->list_job = (struct pool_job){ .run = read_list, .ctx = s };
		pool_beside(s->pool, &s->list_job);
	}
	wo = (struct machine_opts){
		.evset = s->data->evset, .plan = s->data->plan, .feat = &s->data->feat,
		.is_local = sym.is_local, .grows = s->data->live, .guest = &s->guest_maps,
	};
	s->machine = machine_new(&wo);
	s->symbols = symbols_new(machine_dsos(s->machine), &sym);
	rc = scan(s, opts, err);
	if (early)
		symbols_expect_kallsyms(s->symbols, take_early_list, s);
	if (opts->stitch_lbr)
		s->lbr_tails = lbr_tails_new(s);
	if (rc < 0) {
		session_close(s);
		return rc;
	}
	rc = opts->convert ? opts->convert(&s, opts, opts->convert_ctx, err) : 0;
	if (rc) {
		session_close(s);
		return rc;
	}
	*ret = s;
	return 0;
}

void session_close(struct session *s)
{
	if (!s)
		return;
	session_complete(s);
	session_live_free(s->live);
	vec_release(&s->guest);
	hidx_release(&s->guest_idx);
	guest_maps_release(&s->guest_maps);
	session_jit_release(s);
	lbr_tails_free(s->lbr_tails);
	session_reads_free(s->reads);
	kallsyms_free(take_early_list(s));
	if (s->symbols)
		lines_note_missing(s->symbols);
	symbols_free(s->symbols);
	sympack_free(s->packed);
	machine_free(s->machine);
	pool_free(s->pool);
	vec_release(&s->chunks);
	aux_free(s->aux);
	data_close(s->data);
	free(s->recorded_kallsyms);
	free(s);
}
