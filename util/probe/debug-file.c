/* Debug-file: finds and opens the debug information of a target. */
#include "debug-file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "../base/fs.h"
#include "../base/log.h"
#include "../base/pool.h"
#include "../lib/lib.h"
#include "../machine/dso.h"
#include "../obj/cfi.h"
#include "../obj/dwarf-split.h"
#include "../obj/module.h"
#include "../obj/relocate.h"
#include "../sym/sym.h"
#include "module-file.h"
#include "point.h"

/* sections that nothing here reads: libdw would unpack them */
static bool is_needed(const char *section, const void *ctx UNUSED)
{
	static const char *const unused[] = { ".debug_aranges", ".debug_macro", ".debug_macinfo",
		".debug_pubnames", ".debug_pubtypes", ".debug_gnu_pubnames", ".debug_gnu_pubtypes",
		".debug_names", ".gdb_index" };

	for (size_t i = 0; i < ARRAY_SIZE(unused); i++)
		if (!strcmp(section, unused[i]))
			return false;
	return true;
}

static void note_absent(struct debug_file *d, Dwarf_Die *skeleton)
{
	Dwarf_Attribute a;

	if (!d->nr_absent++ && (dwarf_attr(skeleton, DW_AT_dwo_name, &a) ||
				dwarf_attr(skeleton, DW_AT_GNU_dwo_name, &a)))
		d->absent = dwarf_formstring(&a);
}

/* what is said by the attributes of its entry; false: the unit has no code */
static bool read_unit(struct debug_file *d, struct debug_unit *u)
{
	int tag = dwarf_tag(&u->die);

	if (tag == DW_TAG_invalid || tag == DW_TAG_type_unit)
		return false;
	if (dwarf_is_skeleton(&u->die)) {
		u->is_split = true;
		if (!dwarf_split_unit(d->split, &u->die, &u->info)) {
			u->info = u->die;
			note_absent(d, &u->die);
		}
	}
	u->has_str_offsets = die_u64(&u->die, DW_AT_str_offsets_base, &u->str_offsets);
	return true;
}

/*
 * Compilers give the entry of a unit one of the last abbreviations, so libdw would read all of them for each
 * unit. From DWARF 5 on headers say what kind of unit it is; attributes are only needed for offsets of
 * strings, if there are some. The first unit is read in any case: a file may be damaged
 */
static void read_units(struct debug_file *d)
{
	GElf_Shdr sh;
	bool headers_suffice = !elf_obj_section(d->debug, ".debug_str_offsets", &sh);
	Dwarf_CU *cu = NULL;
	Dwarf_Half version;
	Dwarf_Die die;
	u8 type;

	while (!dwarf_get_units(d->dw, cu, &cu, &version, &type, &die, NULL)) {
		struct debug_unit u = { .die = die, .info = die, .start = dwarf_dieoffset(&die),
					.end = UINT64_MAX };
		bool is_known = headers_suffice && d->unit.nr && version >= 5 &&
				(type == DW_UT_compile || type == DW_UT_partial);

		if (!is_known && !read_unit(d, &u))
			continue;
		if (d->unit.nr)
			d->unit.v[d->unit.nr - 1].end = u.start;
		vec_push(&d->unit, u);
	}
}

u64 debug_unit_lines(struct debug_unit *unit)
{
	if (!unit->lines_read && !die_u64(&unit->die, DW_AT_stmt_list, &unit->lines))
		unit->lines = UINT64_MAX;
	unit->lines_read = true;
	return unit->lines;
}

/* the running kernel's build-id, which its debug file must have */
static void identify_kernel(struct dso *dso)
{
	struct strbuf notes = STRBUF_INIT;
	int len;

	if (!fs_read("/sys/kernel/notes", &notes)) {
		len = elf_note_buildid(notes.buf, notes.len, 4, false, dso->buildid);
		dso->buildid_len = MAX(len, 0);
	}
	strbuf_release(&notes);
}

bool debug_file_is(const char *path)
{
	struct elf_obj *o = module_open(path, NULL);
	GElf_Shdr sh;
	bool has = o && (elf_obj_section(o, ".debug_info", &sh) || elf_obj_section(o, ".zdebug_info", &sh));

	elf_obj_free(o);
	return has;
}

/* the file with debug information that belongs to path, or NULL; the caller frees it */
static char *search_debug_file(const struct probe_target *t)
{
	struct dso dso = { .kind = DSO_USER, .pid = -1, .is_64bit = true };
	struct sym_opts opts = SYM_OPTS_INIT;
	struct dsos dsos = { 0 };
	const struct symtab *tab;
	struct symbols *s;
	struct pool *pool;
	char *file = NULL;
	u32 id = 0;

	dso.long_name = t->path;
	if (t->is_kernel && !t->path) {
		dso.kind = DSO_KERNEL;
		dso.long_name = "[kernel.kallsyms]";
		identify_kernel(&dso);
	}
	dso.short_name = dso.long_name;
	opts.symfs = t->symfs;
	opts.is_local = true;
	opts.debug_info = true;
	opts.debuginfod = t->debuginfod;
	opts.demangle = false;
	vec_push(&dsos.dso, &dso);
	s = symbols_new(&dsos, &opts);
	pool = pool_new(1);
	symbols_load(s, pool, &id, 1);
	tab = symbols_table(s, id);
	if (tab && tab->file && (tab->debug_info || (t->is_kernel && debug_file_is(tab->file))))
		file = xstrdup(tab->file);
	pool_free(pool);
	symbols_free(s);
	vec_release(&dsos.dso);
	return file;
}

/* the path of the target below --symfs */
static char *target_path(const struct probe_target *t)
{
	struct strbuf path = STRBUF_INIT;

	if (t->symfs && t->symfs[0])
		strbuf_addf(&path, "%s/", t->symfs);
	strbuf_addstr(&path, t->path);
	return strbuf_detach(&path);
}

static int find_files(struct debug_file *d, struct err *err)
{
	const struct probe_target *t = d->t;
	char *path = t->path ? target_path(t) : NULL;
	int ret = 0;

	d->target = xstrdup(t->path ? t->path : "the kernel");
	if (path && access(path, R_OK))
		ret = err_sys(err, errno, "cannot read %s", path);
	else if (t->debug_file)
		d->path = xstrdup(t->debug_file);
	else if (path && debug_file_is(path))
		d->path = xstrdup(path);
	else if (path && t->is_kernel)
		ret = module_debug_file(path, t->symfs, &d->path, err);
	else
		d->path = search_debug_file(t);
	if (!ret && !d->path) {
		ret = err_set(err, -ENODATA, "%s has no debug information", d->target);
		err_hint(err, t->module ? "install the kernel's debug symbols, or name a file: -m FILE.ko" :
			 t->is_kernel ? "compile it with -g, or install its debug package (-dbgsym, "
			 "-debuginfo)" : "compile it with -g, install its debug symbols, or fetch them with "
			 "--debuginfod");
	}
	/* addresses of a module are those of its relocated copy */
	if (!ret && path && !t->is_kernel)
		d->runtime = elf_obj_open(path, err);
	if (!ret && path && !t->is_kernel && !d->runtime)
		ret = err->code;
	free(path);
	return ret;
}

static int open_dwarf(struct debug_file *d, struct err *err)
{
	d->debug = elf_obj_open_linked(d->path, &d->fd, err);
	if (!d->debug)
		return err->code;
	if (d->fd >= 0)
		d->linked = xasprintf("/proc/self/fd/%d", d->fd);
	else
		d->fd = open(d->path, O_RDONLY | O_CLOEXEC);
	if (d->fd < 0)
		return err_sys(err, errno, "cannot open %s", d->path);
	d->elf = elf_begin(d->fd, ELF_C_READ_MMAP_PRIVATE, NULL);
	if (d->elf && elf_kind(d->elf) == ELF_K_ELF) {
		elf_sections_keep(d->elf, is_needed, NULL);
		elf_sections_unpack(&d->unpacked, d->elf);
		d->dw = dwarf_begin_elf(d->elf, DWARF_C_READ, NULL);
	}
	if (!d->dw)
		return err_set(err, -ENODATA, "%s: no debug information can be read", d->path);
	d->machine = d->debug->ehdr.e_machine;
	d->is64 = d->debug->ehdr.e_ident[EI_CLASS] == ELFCLASS64;
	d->is_big_endian = d->debug->ehdr.e_ident[EI_DATA] == ELFDATA2MSB;
	d->arch = arch_by_machine(d->machine);
	d->abi = arch_abi_of_file(d->machine, d->is64);
	return 0;
}

struct debug_file *debug_file_open(const struct probe_target *t, struct err *err)
{
	struct debug_file *d = xcalloc(1, sizeof(*d));

	d->t = t;
	d->fd = -1;
	d->is_kernel = t->is_kernel;
	if (lib_load(LIB_libelf, err) || lib_load(LIB_libdw, err))
		goto fail;
	elf_version(EV_CURRENT);
	if (find_files(d, err) || open_dwarf(d, err))
		goto fail;
	log_v("debug information of %s: %s", d->target, d->path);
	d->split = dwarf_split_new(d->dw, d->path, t->path);
	read_units(d);
	if (!d->unit.nr) {
		err_set(err, -ENODATA, "%s: no debug information can be read", d->path);
		goto fail;
	}
	return d;
fail:
	debug_file_free(d);
	return NULL;
}

void debug_file_free(struct debug_file *d)
{
	if (!d)
		return;
	pool_free(d->pool);
	vec_release(&d->global);
	cfi_free(d->cfi);
	dwarf_split_free(d->split);
	if (d->dw)
		dwarf_end(d->dw);
	if (d->elf)
		elf_end(d->elf);
	elf_unpacked_release(&d->unpacked);
	if (d->fd >= 0)
		close(d->fd);
	elf_obj_free(d->runtime);
	elf_obj_free(d->debug);
	vec_foreach(&d->unit, u)
		vec_release(&u->function);
	vec_release(&d->unit);
	vec_release(&d->code);
	vec_release(&d->ifunc);
	symvec_release(&d->sym);
	vec_release(&d->shared_name);
	for (u32 i = 0; i < d->nr_near; i++)
		symvec_release(&d->near[i]);
	known_names_release(&d->known);
	arena_release(&d->mem);
	free(d->path);
	free(d->linked);
	free(d->target);
	free(d);
}

static void load_symbols(struct debug_file *d)
{
	struct elf_addr_map map = { 0 };

	d->sym_loaded = true;
	if (!elf_obj_symbols(d->debug, ELF_SYMBOLS_SYMTAB, &map, &d->sym) && d->runtime) {
		elf_obj_symbols(d->runtime, ELF_SYMBOLS_SYMTAB, &map, &d->sym);
		elf_obj_symbols(d->runtime, ELF_SYMBOLS_DYNSYM, &map, &d->sym);
	}
	symvec_finish(&d->sym, 0);
}

/* a table of all symbols is larger than a look at each of them, as long as few addresses are looked up */
static const struct symvec *symbols_around(struct debug_file *d, u64 svma)
{
	struct elf_addr_map map = { 0 };

	if (!d->sym_loaded && d->nr_near < DEBUG_NEAR_MAX) {
		struct symvec *v = &d->near[d->nr_near++];

		if (elf_obj_symbols_at(d->debug, ELF_SYMBOLS_SYMTAB, &map, svma, v)) {
			symvec_finish(v, 0);
			return v;
		}
	}
	if (!d->sym_loaded)
		load_symbols(d);
	return &d->sym;
}

const struct symbol *debug_file_symbol(struct debug_file *d, u64 svma)
{
	const struct symvec *v = symbols_around(d, svma);
	u32 i = symvec_find(v, svma);

	return i == SYMVEC_NONE ? NULL : &v->sym.v[i];
}

bool debug_file_off(const struct debug_file *d, u64 svma, u64 *ret_off)
{
	return elf_obj_svma_to_off(d->runtime ? d->runtime : d->debug, svma, ret_off);
}

static const struct cfi_rule *frame_rule(struct debug_file *d, u64 svma)
{
	const char *path = d->runtime && !d->is_kernel ? NULL : d->linked ? d->linked : d->path;
	struct elf_obj *o;

	if (!d->cfi_tried) {
		char *own = path ? NULL : target_path(d->t);

		d->cfi_tried = true;
		o = elf_obj_open(path ? path : own, NULL);
		d->cfi = cfi_new(o, d->arch ? d->arch->dwarf_high : 0);
		free(own);
	}
	return d->cfi ? cfi_find(d->cfi, svma) : NULL;
}

bool debug_file_cfa(struct debug_file *d, u64 svma, unsigned int *ret_reg, s64 *ret_off)
{
	const struct cfi_rule *r = frame_rule(d, svma);

	if (!r || r->cfa_expr)
		return false;
	*ret_reg = r->cfa_reg;
	*ret_off = r->cfa_off;
	return true;
}

u8 *debug_file_u32s(struct debug_file *d, const u32 *v, size_t nr)
{
	u8 *bytes = arena_alloc(&d->mem, MAX(nr, (size_t)1) * 4);

	for (size_t i = 0; i < nr; i++)
		for (int k = 0; k < 4; k++)
			bytes[i * 4 + k] = v[i] >> (d->is_big_endian ? 24 - 8 * k : 8 * k);
	return bytes;
}

static int by_start(const void *pa, const void *pb)
{
	const struct debug_code *a = pa, *b = pb;

	return a->start < b->start ? -1 : a->start > b->start;
}

static void read_code(struct debug_file *d)
{
	Dwarf_Addr base, start, end;

	vec_foreach(&d->unit, u) {
		ptrdiff_t pos = 0;

		if (dwarf_tag(&u->die) == DW_TAG_partial_unit)
			continue;
		while ((pos = dwarf_ranges(&u->die, pos, &base, &start, &end)) > 0)
			if (start < end)
				vec_push(&d->code, (struct debug_code){ start, end, u - d->unit.v });
	}
	if (d->code.nr)
		qsort(d->code.v, d->code.nr, sizeof(*d->code.v), by_start);
}

struct debug_unit *debug_file_unit_at(struct debug_file *d, u64 svma)
{
	size_t lo = 0, hi;

	if (!d->code.nr)
		read_code(d);
	hi = d->code.nr;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (d->code.v[mid].start <= svma)
			lo = mid + 1;
		else
			hi = mid;
	}
	/* ranges of units do not overlap in good data; one of length that lies is passed over */
	for (size_t back = 0; back < 8 && lo > back; back++)
		if (svma < d->code.v[lo - 1 - back].end)
			return &d->unit.v[d->code.v[lo - 1 - back].unit];
	return NULL;
}

bool debug_unit_is_c(struct debug_unit *unit)
{
	u64 language;

	if (!die_u64(&unit->info, DW_AT_language, &language))
		return false;
	return language == DW_LANG_C89 || language == DW_LANG_C || language == DW_LANG_C99 ||
	       language == DW_LANG_C11 || language == DW_LANG_Mips_Assembler;
}

static const char *file_of_unit(Dwarf_Die *unit, u64 i)
{
	Dwarf_Files *files;
	const char *path;
	size_t nr;

	if (dwarf_getsrcfiles(unit, &files, &nr) || i >= nr)
		return NULL;
	path = dwarf_filesrc(files, i, NULL, NULL);
	/* number 0 is a file since DWARF 5; before, libdw invents a name for it */
	return path && (i || path[0] != '?') ? path : NULL;
}

/*
 * dwarf_decl_file() is not used: it ends the program if the unit of a .dwo file has a damaged table, or
 * none
 */
bool debug_unit_decl(struct debug_unit *unit, Dwarf_Die *die, const char **ret_file, u32 *ret_line)
{
	Dwarf_Die d = *die, own;
	const char *path = NULL;
	Dwarf_Attribute a;
	Dwarf_Word file;
	u64 line;

	/* the number counts in the unit of the entry that has the attribute */
	for (int i = 0; i < DIE_DEPTH_MAX && !dwarf_attr(&d, DW_AT_decl_file, &a); i++) {
		if (!dwarf_attr(&d, DW_AT_abstract_origin, &a) && !dwarf_attr(&d, DW_AT_specification, &a))
			return false;
		if (!dwarf_formref_die(&a, &d))
			return false;
	}
	if (!dwarf_attr(&d, DW_AT_decl_file, &a) || dwarf_formudata(&a, &file))
		return false;
	if (dwarf_diecu(&d, &own, NULL, NULL))
		path = file_of_unit(&own, file);
	if (!path && unit && unit->is_split)
		path = file_of_unit(&unit->die, file);
	if (!path || !die_u64(die, DW_AT_decl_line, &line) || !line || line > INT32_MAX)
		return false;
	*ret_file = path;
	*ret_line = line;
	return true;
}
