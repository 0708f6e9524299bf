/* Load: tries the sources for one dso and builds its table. */
#include "load.h"

#include <errno.h>
#include <string.h>

#include "../base/log.h"
#include "../lib/lib.h"
#include "../obj/buildid.h"
#include "../obj/minidebug.h"
#include "load-dso.h"

struct symbol_source {
	bool (*load)(struct load *l);
	u32 kinds;
	const char *text;
};

static const struct symbol_source sources[] = {
#define SOURCE(fn, kinds, text) { fn, kinds, text },
#include "sources.def"
#undef SOURCE
};

void load_tried(struct load *l, int rank, const char *fmt, ...)
{
	struct strbuf msg = STRBUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&msg, fmt, ap);
	va_end(ap);
	if (rank > WHY_ABSENT)
		log_v("%s: not used: %s", l->dso->short_name, strbuf_str(&msg));
	else
		log_vv("%s: not used: %s", l->dso->short_name, strbuf_str(&msg));
	if (rank > l->why_rank) {
		l->why_rank = rank;
		strbuf_reset(&l->why);
		strbuf_add(&l->why, strbuf_str(&msg), msg.len);
	}
	strbuf_release(&msg);
}

void load_not_opened(struct load *l, int rank, const struct err *err)
{
	/* it concerns every file, so it is reported once and is not a reason of single dsos */
	if (err->code == -ELIBACC && !lib_usable(LIB_libelf))
		rank = WHY_NO_LIBRARY;
	load_tried(l, rank, "%s", err->msg);
}

const char *load_symfs_path(const struct load *l, const char *path, struct strbuf *out)
{
	const char *symfs = l->s->opts.symfs;
	const char *base = strrchr(path, '/');

	strbuf_reset(out);
	if (!symfs || !symfs[0]) {
		strbuf_addstr(out, path);
	} else {
		strbuf_addstr(out, symfs);
		if (symfs[strlen(symfs) - 1] != '/')
			strbuf_addch(out, '/');
		if (l->s->opts.symfs_flat && base)
			path = base;
		while (*path == '/')
			path++;
		strbuf_addstr(out, path);
	}
	return strbuf_str(out);
}

bool load_buildid_matches(struct load *l, const struct elf_obj *o, const char *path)
{
	const char *whose = l->dso->buildid_len ? "recorded was" : "the mapped file has";
	struct strbuf why = STRBUF_INIT;
	bool same = !l->id_len || identity_by_id(o, l->id, l->id_len, whose, path, &why);

	if (!same)
		load_tried(l, WHY_MISMATCH, "%s", strbuf_str(&why));
	strbuf_release(&why);
	return same;
}

static struct elf_obj *open_file(struct load *l, const char *path)
{
	struct err err = ERR_INIT;
	struct elf_obj *o = elf_obj_open(path, &err);

	if (!o)
		load_not_opened(l, err.code == -ENOENT || err.code == -ENOTDIR ? WHY_ABSENT : WHY_UNREADABLE,
				&err);
	return o;
}

struct elf_obj *load_open_checked(struct load *l, const char *path)
{
	struct elf_obj *o = open_file(l, path);

	if (o && !load_buildid_matches(l, o, path)) {
		elf_obj_free(o);
		return NULL;
	}
	return o;
}

/* false: it is not the recorded file */
static bool identify(struct load *l, const struct elf_obj *o, const char *path)
{
	struct strbuf why = STRBUF_INIT;
	enum identity is = identity_of(&l->s->opts, l->dso, o, path, &why);

	if (is > IDENTITY_UNKNOWN) {
		l->identity = MAX(l->identity, is);
		load_tried(l, l->dso->buildid_len ? WHY_MISMATCH : WHY_NOT_IT, "%s", strbuf_str(&why));
	} else {
		l->identity = is;
		strbuf_reset(&l->doubt);
		strbuf_addstr(&l->doubt, strbuf_str(&why));
	}
	strbuf_release(&why);
	return is <= IDENTITY_UNKNOWN;
}

/* files that contain only debug sections keep their program headers, but no contents */
static bool has_contents(const struct elf_obj *o)
{
	GElf_Shdr sh;
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(o->elf, scn)))
		if (gelf_getshdr(scn, &sh) && (sh.sh_flags & SHF_EXECINSTR) && sh.sh_type == SHT_PROGBITS)
			return true;
	return false;
}

/* true: the search is over */
static bool take(struct load *l, struct elf_obj *o, const char *path, char letter, bool may_be_runtime)
{
	bool used = false;

	if (may_be_runtime && !l->runtime && has_contents(o)) {
		l->runtime = o;
		l->runtime_path = xstrdup(path);
		l->runtime_letter = letter;
		used = true;
	}
	if (!l->full && elf_obj_has_symtab(o) &&
	    (!l->s->opts.debug_info || load_has_debug_info(o))) {
		l->full = o;
		l->full_path = xstrdup(path);
		l->full_letter = letter;
		used = true;
	}
	if (!used)
		elf_obj_free(o);
	return l->full && l->runtime;
}

bool load_offer(struct load *l, const char *path, char letter, bool may_be_runtime)
{
	struct elf_obj *o = load_open_checked(l, path);

	return o && take(l, o, path, letter, may_be_runtime);
}

bool load_offer_recorded(struct load *l, const char *path)
{
	struct elf_obj *o = open_file(l, path);

	if (o && !identify(l, o, path)) {
		elf_obj_free(o);
		return false;
	}
	return o && take(l, o, path, 'd', true);
}

bool load_done(struct load *l, char letter, const char *file)
{
	struct dso_symbols *out = l->out;

	out->file = xstrdup(file);
	out->tab.source = letter;
	out->tab.file = out->file;
	log_v("%s: symbols from %s", l->dso->short_name, file);
	return true;
}

static void copy_segments(struct load *l, const struct elf_obj *o)
{
	vec_foreach(&o->seg, s)
		vec_push(&l->out->seg, *s);
}

bool load_has_debug_info(const struct elf_obj *o)
{
	GElf_Shdr sh;

	return elf_obj_section(o, ".debug_info", &sh) || elf_obj_section(o, ".zdebug_info", &sh);
}

/* names of its symbols are not copied */
static void lend_names(struct load *l, const struct elf_obj *o)
{
	if (!l->s->lend_names)
		return;
	l->out->vec.lent = (const char *)o->map.p;
	l->out->vec.lent_end = l->out->vec.lent + o->map.len;
}

/* takes the mapping over from the file that lends names, which are not needed soon */
static void take_lent(struct load *l, struct elf_obj *o)
{
	if (!l->out->vec.lent || !o || (const char *)o->map.p != l->out->vec.lent)
		return;
	l->out->lent = o->map;
	o->map = (struct mapping){ .slot = -1 };
	mapping_rest(&l->out->lent);
}

void load_user_finish(struct load *l)
{
	const struct elf_obj *any = l->runtime ? l->runtime : l->full;
	struct elf_addr_map map = { .runtime = any };
	struct symvec *v = &l->out->vec;
	size_t full = 0, other = 0;

	if (!any)
		return;
	v->demangle = l->s->opts.demangle;
	copy_segments(l, any);
	l->out->tab.adjust = true;
	lend_names(l, l->full ? l->full : any);
	if (l->full)
		full = elf_obj_symbols(l->full, ELF_SYMBOLS_SYMTAB, &map, v);
	if (l->runtime) {
		if (!full) {
			lend_names(l, l->runtime);
			other += minidebug_symbols(l->runtime, &map, v);
			other += elf_obj_symbols(l->runtime, ELF_SYMBOLS_DYNSYM, &map, v);
		}
		symvec_settle(v);
		other += elf_obj_plt_symbols(l->runtime, &map, v);
		if (!full && l->dso->kind == DSO_USER) {
			symvec_settle(v);
			other += elf_obj_frame_symbols(l->runtime, l->dso->short_name, v);
		}
	}
	l->out->tab.debug_info = load_has_debug_info(full ? l->full : any);
	l->exported_only = !full && l->dso->kind == DSO_USER;
	l->out->tab.fetched &= full > 0;
	if (full)
		load_done(l, l->full_letter, l->full_path);
	else if (other)
		load_done(l, l->runtime_letter, l->runtime_path);
	else
		load_tried(l, WHY_STRIPPED, "%s is stripped of its symbols",
			   any == l->runtime ? l->runtime_path : l->full_path);
}

static void explain(struct load *l)
{
	struct strbuf out = STRBUF_INIT;

	load_reason(l, &out);
	if (out.len)
		l->out->reason = strbuf_detach(&out);
	strbuf_release(&out);
}

static void load_begin(struct load *l)
{
	l->id_len = MIN(l->dso->buildid_len, ELF_BUILDID_MAX);
	memcpy(l->id, l->dso->buildid, l->id_len);
}

/* frees everything except the result */
static void load_end(struct load *l)
{
	if (l->full != l->runtime)
		elf_obj_free(l->full);
	elf_obj_free(l->runtime);
	free(l->runtime_path);
	free(l->full_path);
	strbuf_release(&l->why);
	strbuf_release(&l->doubt);
}

struct elf_obj *load_binary(const struct symbols *s, const struct dso *dso, enum identity *ret,
			    struct strbuf *why)
{
	static bool (*const where[])(struct load *l) = { src_own_vdso, src_cache, src_file, src_proc_root };
	/* these sources write neither to the symbols nor to a result */
	struct load l = { .s = (struct symbols *)s, .dso = dso };
	struct elf_obj *o;

	if ((dso->kind != DSO_USER && dso->kind != DSO_VDSO) || load_is_imported(s, dso))
		return NULL;
	load_begin(&l);
	for (size_t i = 0; i < ARRAY_SIZE(where) && !l.runtime; i++)
		if (dso->kind == DSO_USER ? i > 0 : i < 2)
			where[i](&l);
	o = l.runtime;
	if (l.full == o)
		l.full = NULL;
	l.runtime = NULL;
	*ret = o && l.dso->buildid_len ? IDENTITY_YES : l.identity;
	strbuf_addstr(why, strbuf_str(l.identity == IDENTITY_UNKNOWN ? &l.doubt : &l.why));
	load_end(&l);
	return o;
}

struct dso_symbols *load_dso(struct symbols *s, const struct dso *dso)
{
	struct dso_symbols *out = xcalloc(1, sizeof(*out));
	struct load l = { .s = s, .dso = dso, .out = out };
	u64 limit = dso->kind == DSO_USER ? 0 : dso->text_end;
	/* other sources know other addresses */
	bool imported = load_is_imported(s, dso);

	load_begin(&l);
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++) {
		if (!(sources[i].kinds & BIT(dso->kind)) || (imported && sources[i].load != src_packed))
			continue;
		log_vvv("%s: trying %s", dso->short_name, sources[i].text);
		if (sources[i].load(&l))
			break;
	}
	if (l.runtime || l.full)
		load_user_finish(&l);
	symvec_finish(&out->vec, limit);
	take_lent(&l, l.full);
	take_lent(&l, l.runtime);
	if (s->lend_names)
		symvec_pack(&out->vec);
	out->tab.sym = out->vec.sym.v;
	out->tab.nr = out->vec.sym.nr;
	if (!out->packed && (!out->tab.nr || l.exported_only))
		explain(&l);
	if (!out->packed)
		out->identity = l.identity;
	if (out->tab.nr && l.doubt.len && !l.dso->buildid_len)
		out->doubt = xstrdup(strbuf_str(&l.doubt));
	load_end(&l);
	return out;
}
