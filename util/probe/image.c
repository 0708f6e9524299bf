/* Image: reads the symbols of a file, and finds functions by the names that people use. */
#include "image.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include "../../arch/arch.h"
#include "../base/log.h"
#include "../base/nearest.h"
#include "../base/sort.h"
#include "../base/strbuf.h"
#include "../obj/demangle.h"
#include "../obj/elf-obj.h"
#include "../obj/minidebug.h"
#include "../obj/relocate.h"
#include "debug-path.h"
#include "image-match.h"
#include "point.h"
#include "spec.h"
#include "../base/search.h"

#define VERSIONS_MAX 32768
#define INSN_WALK_MAX (1u << 20)

static bool in_code(const struct elf_obj *o, u64 svma)
{
	vec_foreach(&o->seg, s)
		if (s->exec && svma - s->vaddr < s->memsz)
			return true;
	return false;
}

/* where the symbols of an image go */
struct image_reader {
	struct probe_image *img;
	image_symbol_fn fn;
	void *ctx;
};

static void pass_on(const struct image_reader *r, const struct image_symbol *s)
{
	if (s->is_data || in_code(r->img->obj, s->svma))
		r->fn(r->ctx, s);
}

/* a symbol of .symtab, with its version in the name */
static void pass_raw(void *ctx, const struct symbol *s)
{
	const struct image_reader *r = ctx;
	const char *at = strchr(s->name, '@');
	struct image_symbol i = {
		.svma = s->start, .size = s->end - s->start, .name = s->name,
		.is_ifunc = s->type == STT_GNU_IFUNC, .is_data = s->type == STT_OBJECT
	};

	if (at && at > s->name) {
		i.name = arena_strndup(&r->img->mem, s->name, at - s->name);
		i.is_default = at[1] == '@';
		i.version = at + 1 + i.is_default;
	}
	pass_on(r, &i);
}

/* --- symbols of .dynsym with their versions */

struct versions {
	Elf_Data *of;		/* .gnu.version: a number per symbol */
	const char **name;	/* by number */
	size_t nr;
};

static Elf_Data *data_of(const struct probe_image *img, const char *section, GElf_Shdr *sh)
{
	Elf_Scn *scn = elf_obj_section(img->obj, section, sh);

	return scn ? elf_getdata(scn, NULL) : NULL;
}

static void read_versions(struct probe_image *img, struct versions *v)
{
	GElf_Shdr sh, def_sh;
	Elf_Data *def = data_of(img, ".gnu.version_d", &def_sh);
	size_t off = 0;

	v->of = data_of(img, ".gnu.version", &sh);
	if (!v->of || !def)
		return;
	v->name = arena_zalloc(&img->mem, VERSIONS_MAX * sizeof(*v->name));
	v->nr = VERSIONS_MAX;
	for (size_t i = 0; i < def_sh.sh_info && i < VERSIONS_MAX; i++) {
		GElf_Verdef d;
		GElf_Verdaux aux;

		if (off > INT32_MAX || !gelf_getverdef(def, off, &d) ||
		    !gelf_getverdaux(def, off + d.vd_aux, &aux))
			return;
		/* the first one names the file */
		if (!(d.vd_flags & VER_FLG_BASE))
			v->name[d.vd_ndx & 0x7fff] = elf_strptr(img->obj->elf, def_sh.sh_link, aux.vda_name);
		if (!d.vd_next)
			return;
		off += d.vd_next;
	}
}

static void pass_dynsym(const struct image_reader *r)
{
	struct probe_image *img = r->img;
	GElf_Shdr sh;
	Elf_Data *data = data_of(img, ".dynsym", &sh);
	u64 mask = img->arch && img->arch->code_mask ? img->arch->code_mask : UINT64_MAX;
	struct versions v = { 0 };
	GElf_Sym sym;

	if (!data)
		return;
	read_versions(img, &v);
	for (int i = 1; i < INT32_MAX && gelf_getsym(data, i, &sym); i++) {
		const char *name = elf_strptr(img->obj->elf, sh.sh_link, sym.st_name);
		int type = GELF_ST_TYPE(sym.st_info);
		GElf_Versym version = 0;

		if (!name || !*name || sym.st_shndx == SHN_UNDEF ||
		    (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_OBJECT))
			continue;
		if (v.nr)
			gelf_getversym(v.of, i, &version);
		pass_on(r, &(struct image_symbol){
			.svma = type == STT_OBJECT ? sym.st_value : sym.st_value & mask, .size = sym.st_size,
			.name = name, .version = v.nr ? v.name[version & 0x7fff] : NULL,
			.is_default = !(version & 0x8000), .is_ifunc = type == STT_GNU_IFUNC,
			.is_data = type == STT_OBJECT });
	}
}

bool image_imports(const struct probe_image *img, const char *name)
{
	GElf_Shdr sh;
	Elf_Data *data = data_of(img, ".dynsym", &sh);
	GElf_Sym sym;

	for (int i = 1; data && i < INT32_MAX && gelf_getsym(data, i, &sym); i++) {
		const char *have = elf_strptr(img->obj->elf, sh.sh_link, sym.st_name);

		if (have && sym.st_shndx == SHN_UNDEF && !strcmp(have, name))
			return true;
	}
	return false;
}

/* symbols of another file, or unpacked ones; once */
static void read_raw(struct probe_image *img)
{
	struct elf_addr_map map = { 0 };

	if (img->raw_read)
		return;
	img->raw_read = true;
	if (!debug_symbols(img->t, img->path, &img->raw) && !minidebug_symbols(img->obj, &map, &img->raw))
		img->no_symtab = true;
}

void image_each_symbol(struct probe_image *img, image_symbol_fn fn, void *ctx)
{
	struct image_reader r = { img, fn, ctx };
	struct elf_addr_map map = { 0 };

	if (elf_obj_has_symtab(img->obj)) {
		elf_obj_each_symbol(img->obj, ELF_SYMBOLS_SYMTAB, &map, pass_raw, &r);
	} else {
		read_raw(img);
		vec_foreach(&img->raw.sym, s)
			pass_raw(&r, s);
	}
	pass_dynsym(&r);
}

static void keep_symbol(void *ctx, const struct image_symbol *s)
{
	struct probe_image *img = ctx;

	img->has_mangled |= mangled_prefix(s->name) > 0;
	vec_push(&img->sym, *s);
}

static void read_symbols(struct probe_image *img)
{
	if (img->symbols_read)
		return;
	img->symbols_read = true;
	image_each_symbol(img, keep_symbol, img);
	log_v("symbols: %s has %zu%s", img->path, img->sym.nr, img->no_symtab ? " (only exported ones)" : "");
}

static int compare_aliases(const void *a, const void *b)
{
	return strcmp(((const struct image_symbol *)a)->name, ((const struct image_symbol *)b)->name);
}

/* sorts by address, then name; each look-up calls it first */
static void sort_symbols(struct probe_image *img)
{
	struct image_symbol *sorted;
	struct sort_pair *pair;
	size_t nr;

	read_symbols(img);
	if (img->is_sorted)
		return;
	img->is_sorted = true;
	nr = img->sym.nr;
	pair = xreallocarray(NULL, nr + 1, 2 * sizeof(*pair));
	sorted = xreallocarray(NULL, nr + 1, sizeof(*sorted));
	for (size_t i = 0; i < nr; i++)
		pair[i] = (struct sort_pair){ img->sym.v[i].svma, i };
	sort_pairs(pair, pair + nr, nr);
	for (size_t i = 0; i < nr; i++)
		sorted[i] = img->sym.v[pair[i].val];
	for (size_t i = 0, end; i < nr; i = end) {
		for (end = i + 1; end < nr && sorted[end].svma == sorted[i].svma;)
			end++;
		if (end - i > 1)
			qsort(sorted + i, end - i, sizeof(*sorted), compare_aliases);
	}
	free(pair);
	free(img->sym.v);
	img->sym.v = sorted;
	img->sym.alloc = nr + 1;
}

struct probe_image *image_open(const struct probe_target *t, struct err *err)
{
	struct probe_image *img = xcalloc(1, sizeof(*img));
	struct strbuf path = STRBUF_INIT;
	bool code = false;

	img->t = t;
	if (t->symfs && *t->symfs)
		strbuf_addf(&path, "%s/", t->symfs);
	strbuf_addstr(&path, t->path);
	img->path = strbuf_detach(&path);
	img->is_kernel = t->is_kernel;
	img->obj = t->is_kernel ? elf_obj_open_linked(img->path, NULL, err) : elf_obj_open(img->path, err);
	if (!img->obj)
		goto fail;
	vec_foreach(&img->obj->seg, s)
		code |= s->exec;
	if (!code) {
		err_set(err, -EINVAL, "%s is not a program or library: it has no code that is loaded",
			img->path);
		goto fail;
	}
	img->arch = arch_by_machine(img->obj->ehdr.e_machine);
	img->is64 = img->obj->ehdr.e_ident[EI_CLASS] == ELFCLASS64;
	return img;
fail:
	image_free(img);
	return NULL;
}

void image_free(struct probe_image *img)
{
	if (!img)
		return;
	elf_obj_free(img->obj);
	symvec_release(&img->raw);
	vec_release(&img->sym);
	arena_release(&img->mem);
	free(img->by_name);
	free(img->path);
	free(img);
}

/* --- finding */

static int compare_names(const void *pa, const void *pb, void *ctx)
{
	const struct probe_image *img = ctx;

	return strcmp(img->sym.v[*(const u32 *)pa].name, img->sym.v[*(const u32 *)pb].name);
}

static void index_names(struct probe_image *img)
{
	sort_symbols(img);
	if (img->by_name || !img->sym.nr)
		return;
	img->by_name = xcalloc(img->sym.nr, sizeof(u32));
	for (u32 i = 0; i < img->sym.nr; i++)
		img->by_name[i] = i;
	qsort_r(img->by_name, img->sym.nr, sizeof(u32), compare_names, img);
}

/* position in by_name of the first symbol that is not before the name */
static size_t lower_bound(const struct probe_image *img, const char *name)
{
	return LOWER_BOUND(img->sym.nr, i, strcmp(img->sym.v[img->by_name[i]].name, name) < 0);
}

const struct image_symbol *image_symbol(struct probe_image *img, const char *name)
{
	index_names(img);
	for (size_t i = lower_bound(img, name); i < img->sym.nr; i++) {
		const struct image_symbol *s = &img->sym.v[img->by_name[i]];

		if (strcmp(s->name, name))
			return NULL;
		if (s->is_data || in_code(img->obj, s->svma))
			return s;
	}
	return NULL;
}

/* one symbol per address */
static void add_hit(struct image_hits *ret, const struct image_symbol *s)
{
	vec_foreach(ret, h)
		if ((*h)->svma == s->svma)
			return;
	vec_push(ret, s);
}

static void find_raw(struct probe_image *img, const struct name_pattern *np, struct image_hits *ret)
{
	index_names(img);
	for (size_t i = lower_bound(img, np->base); i < img->sym.nr; i++) {
		const struct image_symbol *s = &img->sym.v[img->by_name[i]];

		if (strcmp(s->name, np->base))
			return;
		if (!s->is_data && version_matches(np, s))
			add_hit(ret, s);
	}
}

static void find_glob(struct probe_image *img, const char *glob, struct image_hits *ret)
{
	vec_foreach(&img->sym, s)
		if (!s->is_data && (!fnmatch(glob, s->name, 0) ||
				    (mangled_prefix(s->name) && demangled_glob(glob, s->name))))
			add_hit(ret, s);
}

/* demangled names: only the best matches count */
static void find_demangled(struct probe_image *img, const char *want, struct image_hits *ret)
{
	enum name_match best = NAME_DIFFERS;

	vec_foreach(&img->sym, s) {
		enum name_match m = s->is_data || !mangled_prefix(s->name) ? NAME_DIFFERS :
				    demangled_match(want, s->name);

		if (m > best) {
			ret->nr = 0;
			best = m;
		}
		if (m == best && m)
			add_hit(ret, s);
	}
}

static int err_not_found(struct probe_image *img, const char *name, struct err *err)
{
	struct strbuf near = STRBUF_INIT;
	struct nearest n;

	nearest_init(&n, name, strlen(name));
	vec_foreach(&img->sym, s)
		if (!s->is_data)
			nearest_offer(&n, s->name);
	nearest_describe(&n, &near);
	err_set(err, -ENOENT, "%s has no function '%s'%s", img->path, name, strbuf_str(&near));
	if (img->no_symtab)
		err_hint(err, "the file is stripped, so only exported functions are known: install its debug "
			 "symbols, or give an address: 0xADDRESS");
	else
		err_hint(err, "'perf probe -%c %s -F' lists the functions", img->is_kernel ? 'm' : 'x',
			 img->path);
	strbuf_release(&near);
	return -ENOENT;
}

int err_ifunc(const char *path, const char *name, u64 svma, struct err *err)
{
	err_set(err, -EINVAL, "'%s' of %s is not the function itself: it chooses one when the program starts",
		name, path);
	/* the functions to choose from have no version */
	err_hint(err, "probe the one that this CPU uses: "
		 "'perf probe -x %s -F --filter \"*%.*s*\"' lists them", path, (int)strcspn(name, "@"), name);
	err_hint(err, "the choosing function has the address %#lx", svma);
	return -EINVAL;
}

/* a name means its default version: if that one is an IFUNC, older versions are not used instead */
static int check_ifunc(const struct probe_image *img, const struct image_hits *hits, const char *name,
		       struct err *err)
{
	vec_foreach(hits, h)
		if ((*h)->is_ifunc)
			return err_ifunc(img->path, name, (*h)->svma, err);
	return 0;
}

/* a pattern leaves out IFUNC symbols unless it matches nothing else */
static int drop_ifuncs(const struct probe_image *img, struct image_hits *hits, const char *glob,
		       struct err *err)
{
	size_t kept = 0;

	vec_foreach(hits, h)
		if (!(*h)->is_ifunc)
			hits->v[kept++] = *h;
	if (!kept)
		return check_ifunc(img, hits, glob, err);
	if (kept < hits->nr)
		log_note("%zu of %zu functions that match '%s' are left out: they choose others when the "
			 "program starts", hits->nr - kept, hits->nr, glob);
	hits->nr = kept;
	return 0;
}

int image_find(struct probe_image *img, const struct probe_place *pl, struct image_hits *ret, struct err *err)
{
	struct name_pattern np;

	sort_symbols(img);
	if (pl->is_glob) {
		find_raw(img, &(struct name_pattern){ .base = pl->function }, ret);
		if (!ret->nr && img->has_mangled)
			find_demangled(img, pl->function, ret);
		if (!ret->nr)
			find_glob(img, pl->function, ret);
		return ret->nr ? drop_ifuncs(img, ret, pl->function, err) :
				 err_not_found(img, pl->function, err);
	}
	name_pattern_of(&np, pl->function, &img->mem);
	find_raw(img, &np, ret);
	if (!ret->nr && img->has_mangled)
		find_demangled(img, pl->function, ret);
	if (!ret->nr)
		return err_not_found(img, pl->function, err);
	return check_ifunc(img, ret, pl->function, err);
}

const struct image_symbol *image_at(struct probe_image *img, u64 svma)
{
	size_t lo;

	sort_symbols(img);
	lo = LOWER_BOUND(img->sym.nr, i, img->sym.v[i].svma <= svma);
	/* a function without a size ends where the next one begins */
	for (size_t i = lo, tries = 0; i-- > 0 && tries < 64; tries++) {
		const struct image_symbol *s = &img->sym.v[i];

		if (!s->is_data && (svma - s->svma < s->size || (!s->size && !tries) || svma == s->svma)) {
			/* of several names for an address, the first that is not reserved */
			while (i > 0 && img->sym.v[i - 1].svma == s->svma && s->name[0] == '_' &&
			       !img->sym.v[i - 1].is_data)
				s = &img->sym.v[--i];
			return s;
		}
	}
	return NULL;
}

bool image_has_code(const struct probe_image *img, u64 svma)
{
	return in_code(img->obj, svma);
}

/* bytes of the file from svma on, at most len */
static const u8 *code_at(const struct probe_image *img, u64 svma, size_t *len)
{
	u64 off;

	if (!elf_obj_svma_to_off(img->obj, svma, &off) || off >= img->obj->map.len)
		return NULL;
	*len = MIN((u64)*len, img->obj->map.len - off);
	return img->obj->map.p + off;
}

int image_check_insn(const struct probe_image *img, const struct image_symbol *fn, u64 svma, struct err *err)
{
	u64 at = fn ? fn->svma : svma, before = at;
	size_t len = svma - at + 16;
	const u8 *code;

	if (!fn || svma == fn->svma || !img->arch || !img->arch->insn_len || svma - at > INSN_WALK_MAX)
		return 0;
	code = code_at(img, at, &len);
	if (!code)
		return 0;
	for (size_t pos = 0; at < svma;) {
		int n = img->arch->insn_len(code + pos, len - pos, img->is64);

		if (n <= 0)
			return 0;	/* data between the code, or an instruction that is not known */
		before = at;
		at += n;
		pos += n;
	}
	if (at == svma)
		return 0;
	err_set(err, -EINVAL, "%#lx (%s+%lu) is inside an instruction", svma, fn->name, svma - fn->svma);
	err_hint(err, "instructions begin at %s+%lu and %s+%lu", fn->name, before - fn->svma, fn->name,
		 at - fn->svma);
	return -EINVAL;
}

const char *image_symbol_shown(const struct image_symbol *s, struct arena *mem)
{
	struct strbuf out = STRBUF_INIT, safe = STRBUF_INIT;
	const char *ret;

	demangle(s->name, &out);
	strbuf_add_safe(&safe, out.len ? strbuf_str(&out) : s->name);
	ret = arena_strdup(mem, strbuf_str(&safe));
	strbuf_release(&out);
	strbuf_release(&safe);
	return ret;
}
