/* Kernel-symbols: functions of the running kernel by name and address. */
#include "kernel-symbols.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../../arch/arch.h"
#include "../base/fs.h"
#include "../base/hash.h"
#include "../base/nearest.h"
#include "../kernel/traced.h"
#include "../obj/kallsyms.h"
#include "fetch.h"
#include "glob-filter.h"
#include "point.h"
#include "spec.h"
#include "../base/search.h"

struct kernel_function {
	u64 addr, end;
	const char *name;
	u32 module;		/* position in module; 0: the kernel itself */
};

struct address_range {
	u64 start, end;
};

struct kernel_symbols {
	struct { VEC(struct kernel_function); } fn;	/* by address */
	struct hidx by_name;				/* positions in fn; made by the second look-up */
	bool was_searched;
	struct { VEC(const char *); } module;		/* [0] is "" */
	struct { VEC(struct address_range); } blacklist;
	struct traced *traced;				/* NULL: not known */
	bool traced_tried;
	enum kernel_names names;
	u64 text, init_begin, init_end;			/* 0: not known */
	struct arena mem;
};

static int compare_functions(const void *pa, const void *pb)
{
	const struct kernel_function *a = pa, *b = pb;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* ranges "0xSTART-0xEND\tNAME" that kprobes must not touch */
static void read_blacklist(struct kernel_symbols *ks)
{
	FILE *f = fs_fopen("/sys/kernel/debug/kprobes/blacklist");
	struct address_range r;
	char line[512];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx-%lx", &r.start, &r.end) == 2)
			vec_push(&ks->blacklist, r);
	if (f)
		fclose(f);
}

static void add_block(struct kernel_symbols *ks, const struct kallsyms *k, const struct kallsyms_block *b)
{
	u32 module = 0;

	if (b->module_len) {
		vec_push(&ks->module, arena_strndup(&ks->mem, b->module, b->module_len));
		module = ks->module.nr - 1;
	}
	for (u32 i = b->first; i < b->first + b->nr; i++) {
		const struct kallsyms_line *l = &k->line[i];

		/* __pfx_NAME is the padding before NAME */
		if (!strchr("tTwW", l->type) || !strncmp(kallsyms_name(k, l), "__pfx_", strlen("__pfx_")))
			continue;
		vec_push(&ks->fn, (struct kernel_function){
			.addr = l->addr, .module = module,
			.name = arena_strndup(&ks->mem, kallsyms_name(k, l), l->len) });
	}
}

struct kernel_symbols *kernel_symbols_open(struct err *err)
{
	struct kernel_symbols *ks;
	struct kallsyms *k;

	if (kallsyms_read_live(&k, err))
		return NULL;
	ks = xcalloc(1, sizeof(*ks));
	vec_push(&ks->module, "");
	vec_foreach(&k->block, b)
		add_block(ks, k, b);
	ks->text = kallsyms_address(k, "_text");
	ks->init_begin = kallsyms_address(k, "_sinittext");
	ks->init_end = kallsyms_address(k, "_einittext");
	kallsyms_free(k);
	if (ks->fn.nr)
		qsort(ks->fn.v, ks->fn.nr, sizeof(*ks->fn.v), compare_functions);
	for (size_t i = ks->fn.nr, next = ks->fn.nr; i-- > 0;) {
		if (next < ks->fn.nr && ks->fn.v[next].addr == ks->fn.v[i].addr)
			ks->fn.v[i].end = ks->fn.v[next].end;
		else
			ks->fn.v[i].end = i + 1 < ks->fn.nr ? ks->fn.v[i + 1].addr : UINT64_MAX;
		next = i;
	}
	read_blacklist(ks);
	ks->names = fetch_kernel_names();
	return ks;
}

void kernel_symbols_free(struct kernel_symbols *ks)
{
	if (!ks)
		return;
	vec_release(&ks->fn);
	hidx_release(&ks->by_name);
	vec_release(&ks->module);
	vec_release(&ks->blacklist);
	traced_free(ks->traced);
	arena_release(&ks->mem);
	free(ks);
}

bool kernel_has_module(const struct kernel_symbols *ks, const char *module)
{
	vec_foreach(&ks->module, m)
		if (!strcmp(*m, module))
			return true;
	return false;
}

static bool in_init(const struct kernel_symbols *ks, u64 addr)
{
	return ks->init_begin && addr >= ks->init_begin && addr < ks->init_end;
}

static bool in_blacklist(const struct kernel_symbols *ks, u64 addr)
{
	vec_foreach(&ks->blacklist, r)
		if (addr >= r->start && addr < r->end)
			return true;
	return false;
}

static const struct kernel_function *function_at(const struct kernel_symbols *ks, u64 addr);

/* no name of the function's address is in the list */
static bool is_notrace(struct kernel_symbols *ks, u64 addr)
{
	const struct kernel_function *end = ks->fn.v + ks->fn.nr, *f = function_at(ks, addr);

	if (!ks->traced_tried)
		ks->traced = traced_load();
	ks->traced_tried = true;
	if (!ks->traced || !f || addr >= f->end)
		return false;
	for (addr = f->addr; f < end && f->addr == addr; f++)
		if (traced_has(ks->traced, f->name, strlen(f->name)))
			return false;
	return true;
}

int err_kernel_early(const char *name, struct err *err)
{
	return err_set(err, -EPERM, "'%s' cannot be probed: it only exists while the kernel starts", name);
}

int kernel_may_probe(struct kernel_symbols *ks, u64 addr, const char *name, bool is_one_of_many,
		     struct err *err)
{
	if (in_init(ks, addr))
		return err_kernel_early(name, err);
	if (is_one_of_many && is_notrace(ks, addr))
		return err_set(err, -EPERM, "'%s' cannot be probed: the kernel cannot trace it (notrace)",
			       name);
	if (!in_blacklist(ks, addr))
		return 0;
	err_set(err, -EPERM, "'%s' cannot be probed: the kernel forbids it, because probes themselves may "
		"call it",
		name);
	err_hint(err, "probe its callers; /sys/kernel/debug/kprobes/blacklist lists such functions");
	return -EPERM;
}

static const struct kernel_function *function_at(const struct kernel_symbols *ks, u64 addr)
{
	size_t lo = LOWER_BOUND(ks->fn.nr, i, ks->fn.v[i].addr <= addr);

	while (lo > 1 && ks->fn.v[lo - 2].addr == ks->fn.v[lo - 1].addr)
		lo--;
	return lo ? &ks->fn.v[lo - 1] : NULL;
}

static bool in_module(const struct kernel_symbols *ks, const struct kernel_function *f, const char *module)
{
	return !strcmp(ks->module.v[f->module], module ? module : "");
}

static void index_names(struct kernel_symbols *ks)
{
	hidx_reserve(&ks->by_name, ks->fn.nr);
	for (u32 i = 0; i < ks->fn.nr; i++)
		hidx_insert(&ks->by_name, hash_str(ks->fn.v[i].name), i);
}

bool kernel_name_is_shared(struct kernel_symbols *ks, const char *name)
{
	size_t nr = 0;
	u32 i;

	if (!ks->by_name.nr)
		index_names(ks);
	HIDX_FOREACH(&ks->by_name, hash_str(name), i)
		nr += !strcmp(ks->fn.v[i].name, name);
	return nr > 1;
}

/* whether other functions of its module have its name: the kernel looks names up in the module alone */
static bool is_shared_in_module(struct kernel_symbols *ks, const struct kernel_function *f)
{
	u32 i;

	if (!ks->by_name.nr)
		index_names(ks);
	HIDX_FOREACH(&ks->by_name, hash_str(f->name), i) {
		const struct kernel_function *other = &ks->fn.v[i];

		if (other->module == f->module && other->addr != f->addr && !strcmp(other->name, f->name))
			return true;
	}
	return false;
}

/* the nearest function before f whose name no other of the module has: offsets cannot be negative */
static const struct kernel_function *reference_before(struct kernel_symbols *ks,
						      const struct kernel_function *f)
{
	for (const struct kernel_function *r = f; r-- > ks->fn.v && r->module == f->module;)
		if (!is_shared_in_module(ks, r))
			return r;
	return NULL;
}

bool kernel_place(struct kernel_symbols *ks, const char *module, u64 addr, const char **ret_name,
		  u64 *ret_off)
{
	const struct kernel_function *f = function_at(ks, addr);

	if (!f || !in_module(ks, f, module))
		return false;
	*ret_name = f->name;
	*ret_off = addr - f->addr;
	if (!f->module && ks->text && addr >= ks->text && kernel_name_is_shared(ks, f->name)) {
		*ret_name = "_text";
		*ret_off = addr - ks->text;
	} else if (f->module && is_shared_in_module(ks, f)) {
		const struct kernel_function *r = reference_before(ks, f);

		*ret_name = r ? r->name : NULL;
		*ret_off = r ? addr - r->addr : 0;
	}
	return true;
}

bool kernel_function_at(const struct kernel_symbols *ks, u64 addr, const char **ret_name, u64 *ret_off)
{
	const struct kernel_function *f = function_at(ks, addr);

	if (!f || addr >= f->end)
		return false;
	*ret_name = f->name;
	*ret_off = addr - f->addr;
	return true;
}

u64 kernel_function_address(struct kernel_symbols *ks, const char *module, const char *name)
{
	const struct kernel_function *first = NULL;
	u32 i;

	if (!ks->was_searched) {
		ks->was_searched = true;
		vec_foreach(&ks->fn, f)
			if (in_module(ks, f, module) && !strcmp(f->name, name))
				return f->addr;
		return 0;
	}
	if (!ks->by_name.nr)
		index_names(ks);
	HIDX_FOREACH(&ks->by_name, hash_str(name), i) {
		const struct kernel_function *f = &ks->fn.v[i];

		if (in_module(ks, f, module) && !strcmp(f->name, name) && (!first || f < first))
			first = f;
	}
	return first ? first->addr : 0;
}

/* --- points */

struct kernel_hits {
	VEC(const struct kernel_function *);
};

bool kernel_err_elsewhere(const struct kernel_symbols *ks, const char *module, const char *name,
			  struct err *err)
{
	const struct kernel_function *other = NULL;

	vec_foreach(&ks->fn, f) {
		if (strcmp(f->name, name))
			continue;
		if (in_module(ks, f, module))
			return false;
		other = other ? other : f;
	}
	if (!other)
		return false;
	err_set(err, -ENOENT, "'%s' is not in %s, but in %s", name, module ? module : "the kernel",
		other->module ? ks->module.v[other->module] : "the kernel");
	if (other->module)
		err_hint(err, "add -m %s", ks->module.v[other->module]);
	else
		err_hint(err, "leave out -m");
	return true;
}

static int err_not_found(struct kernel_symbols *ks, const struct probe_target *t, const char *name,
			 struct err *err)
{
	struct strbuf near = STRBUF_INIT;
	struct nearest n;

	if (kernel_err_elsewhere(ks, t->module, name, err))
		return -ENOENT;
	nearest_init(&n, name, strlen(name));
	vec_foreach(&ks->fn, f)
		if (in_module(ks, f, t->module))
			nearest_offer(&n, f->name);
	nearest_describe(&n, &near);
	err_set(err, -ENOENT, "%s has no function '%s'%s", t->module ? t->module : "the kernel", name,
		strbuf_str(&near));
	err_hint(err, "'perf probe %s%s%s-F' lists the functions", t->module ? "-m " : "",
		 t->module ? t->module : "", t->module ? " " : "");
	err_hint(err, "functions that are inlined everywhere need a kernel with debug information");
	strbuf_release(&near);
	return -ENOENT;
}

static int find_functions(struct kernel_symbols *ks, const struct probe_target *t,
			  const struct probe_place *pl,
			  struct kernel_hits *hits, struct err *err)
{
	if (t->module && !kernel_has_module(ks, t->module)) {
		err_set(err, -ENOENT, "the module '%s' is not loaded", t->module);
		err_hint(err, "as root: modprobe %s", t->module);
		return -ENOENT;
	}
	vec_foreach(&ks->fn, f) {
		struct err why;

		if (!in_module(ks, f, t->module))
			continue;
		if (!pl->is_glob && !strcmp(f->name, pl->function))
			vec_push(hits, f);
		/* a pattern leaves out functions that cannot be probed */
		else if (pl->is_glob && !fnmatch(pl->function, f->name, 0) &&
			 !kernel_may_probe(ks, f->addr, f->name, true, &why) &&
			 (!hits->nr || hits->v[hits->nr - 1]->addr != f->addr))
			vec_push(hits, f);
	}
	if (!hits->nr)
		return err_not_found(ks, t, pl->function, err);
	if (t->max_points && hits->nr > t->max_points) {
		err_set(err, -E2BIG, "'%s' is the name of %zu functions, more than %u", pl->function,
			hits->nr,
			t->max_points);
		err_hint(err, "'--max-probes %zu' allows them", hits->nr);
		return -E2BIG;
	}
	return 0;
}

static int add_point(struct kernel_symbols *ks, const struct probe_spec *spec, const struct probe_target *t,
		     u64 addr, struct probe_points *out, struct err *err)
{
	const struct kernel_function *f = function_at(ks, addr);
	struct fetch_ctx c = { .arch = arch_native(), .is64 = sizeof(long) == 8, .is_kernel = true,
			       .spec = spec, .names = ks->names, .types = t->types };
	struct probe_point *p;
	const char *name;
	u64 off;
	int ret;

	if (!f || addr >= f->end || !kernel_place(ks, t->module, addr, &name, &off))
		return err_set(err, -EINVAL, "there is no function of %s at %#lx", t->module ?
			       t->module : "the kernel",
			       addr);
	ret = kernel_may_probe(ks, addr, f->name, false, err);
	if (ret)
		return ret;
	p = probe_points_add(out);
	*p = (struct probe_point){ .svma = addr, .kernel_address = name ? 0 : addr,
				   .function = name ? arena_strdup(&out->mem, name) : NULL,
				   .function_off = off, .is_counted = !name || strcmp(name, f->name),
				   .inlined = arena_strdup(&out->mem, f->name),
				   .is_return = spec->place.is_return };
	c.at = p;
	c.place_off = addr - f->addr;
	c.function = f->name;
	return fetch_all(&c, out, p, err);
}

int kernel_points(struct kernel_symbols *ks, const struct probe_target *t, const struct probe_spec *spec,
		  struct probe_points *out, struct err *err)
{
	const struct probe_place *pl = &spec->place;
	struct kernel_hits hits = { 0 };
	int ret;

	if (probe_spec_needs_lines(spec) || (probe_spec_needs_variables(spec) && !ks->names && !t->types)) {
		if (t->module)
			err_set(err, -ENODATA, "the debug information of module '%s' is not installed, which "
				"'%s' needs", t->module, spec->text);
		else
			err_set(err, -ENODATA, "the kernel's debug information is not installed, which '%s' "
				"needs", spec->text);
		err_hint(err, "install the kernel's debug symbols, or name a file: %s",
			 t->module ? "-m FILE.ko" : "-k VMLINUX");
		err_hint(err, "without it, arguments are $arg1 (at the start of a function), $retval, "
			 "%%REGISTER, "
			 "+OFFSET(...)");
		return -ENODATA;
	}
	if (pl->kind == PROBE_ADDRESS)
		return add_point(ks, spec, t, pl->address, out, err);
	ret = find_functions(ks, t, pl, &hits, err);
	vec_foreach(&hits, h) {
		if (ret)
			break;
		if (pl->offset && pl->offset >= (*h)->end - (*h)->addr)
			ret = err_set(err, -ERANGE, "'%s' has only %lu bytes, so it has no offset %lu",
				      (*h)->name,
				      (*h)->end - (*h)->addr, pl->offset);
		else
			ret = add_point(ks, spec, t, (*h)->addr + pl->offset, out, err);
	}
	vec_release(&hits);
	return ret;
}

static bool is_left_out(struct kernel_symbols *ks, const struct kernel_function *f,
			const struct glob_filter *filter, struct kernel_left_out *left)
{
	size_t *nr = in_init(ks, f->addr) ? &left->init : in_blacklist(ks, f->addr) ? &left->forbidden :
		     !glob_filter_matches(filter, f->name) ? &left->filtered :
		     is_notrace(ks, f->addr) ? &left->notrace : NULL;

	if (nr)
		++*nr;
	return nr;
}

static int compare_listed(const void *pa, const void *pb)
{
	const struct kernel_function *a = *(const struct kernel_function *const *)pa;
	const struct kernel_function *b = *(const struct kernel_function *const *)pb;
	int ret = strcmp(a->name, b->name);

	return ret ? ret : (a->module > b->module) - (a->module < b->module);
}

void kernel_functions(struct kernel_symbols *ks, const char *module, const struct glob_filter *filter,
		      struct strbuf *out, struct kernel_left_out *left)
{
	struct { VEC(const struct kernel_function *); } listed = { 0 };
	const struct kernel_function *last = NULL;

	*left = (struct kernel_left_out){ 0 };
	vec_foreach(&ks->fn, f)
		if ((!module || in_module(ks, f, module)) && !is_left_out(ks, f, filter, left))
			vec_push(&listed, f);
	if (listed.nr)
		qsort(listed.v, listed.nr, sizeof(*listed.v), compare_listed);
	vec_foreach(&listed, at) {
		const struct kernel_function *f = *at;

		if (last && !compare_listed(&last, &f))
			continue;
		last = f;
		strbuf_add_safe(out, f->name);
		if (!module && f->module) {
			strbuf_addstr(out, " [");
			strbuf_add_safe(out, ks->module.v[f->module]);
			strbuf_addch(out, ']');
		}
		strbuf_addch(out, '\n');
	}
	vec_release(&listed);
}
