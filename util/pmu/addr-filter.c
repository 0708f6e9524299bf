/* Address filters: from words to offsets. */
#include "addr-filter.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../base/caret.h"
#include "../base/units.h"
#include "../obj/elf-obj.h"
#include "../obj/kallsyms.h"
#include "names.h"

#define SAID_MAX 5	/* maximum number of listed symbols of one name */

struct word {
	const char *s;
	size_t len;
};

struct filter_place {
	struct word name;	/* a number, a symbol or "*"; length 0: not given */
	struct word nth;	/* after '#'; length 0: not given */
};

static const struct action {
	const char *name, *kernel;
	bool region;		/* without a size it ends with its symbol */
} actions[] = {
	{ "filter", "filter", true },
	{ "start", "start", false },
	{ "stop", "stop", false },
	{ "tracestop", "stop", true },
};

/* the code of one file, or of the kernel */
struct filter_code {
	struct word file;		/* length 0: the kernel */
	bool loaded;
	char path[PATH_MAX];
	struct elf_obj *obj;		/* or NULL */
	struct kallsyms *list;		/* or NULL */
	struct symvec v;		/* functions by address, several names at one address included */
};

struct filter_parser {
	const char *text, *p, *event;
	struct filter_code code;
	struct err *err;
};

static int fail(struct filter_parser *r, int code, struct word at, const char *fmt, ...) PRINTF_LIKE(4, 5);
static int fail(struct filter_parser *r, int code, struct word at, const char *fmt, ...)
{
	char msg[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	err_set(r->err, code, "filter of '%.100s': %s", r->event, msg);
	err_caret(r->err, r->text, at.s - r->text, MAX(at.len, (size_t)1));
	return code;
}

static void skip_blanks(struct filter_parser *r)
{
	r->p += strspn(r->p, " \t\n");
}

static struct word take(struct filter_parser *r, const char *stops)
{
	struct word w = { r->p, strcspn(r->p, stops) };

	r->p += w.len;
	skip_blanks(r);
	return w;
}

static bool is(struct word w, const char *s)
{
	return strlen(s) == w.len && !memcmp(s, w.s, w.len);
}

static int number(struct filter_parser *r, struct word w, u64 *ret)
{
	char buf[32];

	snprintf(buf, sizeof(buf), "%.*s", (int)MIN(w.len, sizeof(buf) - 1), w.s);
	return w.len < sizeof(buf) &&
	       !parse_u64(buf, ret) ? 0 : fail(r, -EINVAL, w, "this is neither a number nor a symbol");
}

/* ---- symbols ---- */

static int by_address(const void *a, const void *b)
{
	const struct symbol *p = a, *q = b;

	return p->start != q->start ? p->start < q->start ? -1 : 1 : strcmp(p->name, q->name);
}

static bool is_code(const struct symbol *s)
{
	return s->type == STT_FUNC || s->type == STT_GNU_IFUNC || s->type == STT_NOTYPE;
}

/*
 * sorts; removes what is not code and what is listed twice (.symtab and .dynsym); a symbol of unknown size
 * reaches to the next one
 */
static void tidy(struct symvec *v)
{
	size_t nr = 0;

	if (!v->sym.nr)
		return;
	qsort(v->sym.v, v->sym.nr, sizeof(*v->sym.v), by_address);
	for (size_t i = 0; i < v->sym.nr; i++)
		if (is_code(&v->sym.v[i]) && (!nr || by_address(&v->sym.v[nr - 1], &v->sym.v[i])))
			v->sym.v[nr++] = v->sym.v[i];
	v->sym.nr = nr;
	for (size_t i = nr, next = nr; i-- > 0;) {
		if (i + 1 < nr && v->sym.v[i + 1].start > v->sym.v[i].start)
			next = i + 1;
		if (v->sym.v[i].end == v->sym.v[i].start && next < nr)
			v->sym.v[i].end = v->sym.v[next].start;
	}
}

static int load_kernel(struct filter_parser *r)
{
	int ret = kallsyms_read_live(&r->code.list, r->err);

	if (ret)
		return ret;
	vec_foreach(&r->code.list->block, b) {
		char module[64];

		snprintf(module, sizeof(module), "%.*s", (int)MIN(b->module_len, (u32)sizeof(module) - 1),
			 b->module);
		kallsyms_symbols(r->code.list, module, 0, 0, 0, &r->code.v);
	}
	return 0;
}

static int load_file(struct filter_parser *r)
{
	const struct word file = r->code.file;
	const struct elf_addr_map map = { .runtime = NULL };
	char name[PATH_MAX];

	snprintf(name, sizeof(name), "%.*s", (int)MIN(file.len, sizeof(name) - 1), file.s);
	if (!realpath(name, r->code.path))
		return fail(r, -ENOENT, file, "there is no file '%.300s'", name);
	r->code.obj = elf_obj_open(r->code.path, r->err);
	if (!r->code.obj)
		return r->err->code;
	elf_obj_symbols(r->code.obj, ELF_SYMBOLS_SYMTAB, &map, &r->code.v);
	elf_obj_symbols(r->code.obj, ELF_SYMBOLS_DYNSYM, &map, &r->code.v);
	return 0;
}

static void forget_code(struct filter_code *c)
{
	elf_obj_free(c->obj);
	symvec_release(&c->v);
	kallsyms_free(c->list);
	*c = (struct filter_code){ .path = "" };
}

/* loads the symbols of the file, or of the kernel; only once if several filters are for it */
static int load(struct filter_parser *r)
{
	int ret;

	if (r->code.loaded)
		return 0;
	ret = r->code.file.len ? load_file(r) : load_kernel(r);
	r->code.loaded = !ret;
	tidy(&r->code.v);
	return ret;
}

static int err_no_symbol(struct filter_parser *r, const struct filter_place *p)
{
	struct strbuf near = STRBUF_INIT;
	struct nearest n;
	int ret;

	nearest_init(&n, p->name.s, p->name.len);
	vec_foreach(&r->code.v.sym, s)
		nearest_offer(&n, s->name);
	nearest_describe(&n, &near);
	ret = fail(r, -ENOENT, p->name, "%.200s has no function '%.*s'%s", r->code.file.len ? r->code.path :
		   "the kernel", (int)MIN(p->name.len, (size_t)100), p->name.s, strbuf_str(&near));
	strbuf_release(&near);
	return ret;
}

/* several functions have this name: lists them, and how to choose one */
static int err_ambiguous(struct filter_parser *r, const struct filter_place *p, size_t nr)
{
	struct strbuf list = STRBUF_INIT;
	size_t n = 0;
	int ret;

	vec_foreach(&r->code.v.sym, s) {
		if (!is(p->name, s->name) || ++n > SAID_MAX)
			continue;
		strbuf_addf(&list, "%s#%zu at 0x%llx (%s)", n > 1 ? ", " : "", n,
			    (unsigned long long)s->start,
			    s->binding == 'g' ? "global" : s->binding == 'w' ? "weak" : "local");
	}
	ret = fail(r, -EINVAL, p->nth.len ? p->nth : p->name,
		   !p->nth.len ? "there are %zu functions of this name: choose one by its number" :
		   nr == 1 ? "the only function of this name has number 1" :
		   "there are %zu functions of this name: this number selects none of them",
		   nr);
	err_hint(r->err, "functions of this name: %s%s", strbuf_str(&list), nr > SAID_MAX ? ", ..." : "");
	strbuf_release(&list);
	return ret;
}

static int find_symbol(struct filter_parser *r, const struct filter_place *p, const struct symbol **ret)
{
	bool global = is(p->nth, "g") || is(p->nth, "G") || is(p->nth, "0");
	const struct symbol *found = NULL;
	u64 want = 0, nr = 0, matching = 0;

	if (p->nth.len && !global && number(r, p->nth, &want))
		return r->err->code;
	vec_foreach(&r->code.v.sym, s) {
		if (!is(p->name, s->name))
			continue;
		nr++;
		if (global ? s->binding == 'g' : !want || nr == want) {
			found = s;
			matching++;
		}
	}
	*ret = found;
	return !nr ? err_no_symbol(r, p) : matching == 1 ? 0 : err_ambiguous(r, p, nr);
}

/* ---- one filter ---- */

/* converts an address for the kernel: offsets in files are those of the bytes */
static int to_offset(struct filter_parser *r, struct word where, u64 addr, u64 *ret)
{
	if (!r->code.obj) {
		*ret = addr;
		return 0;
	}
	return elf_obj_svma_to_off(r->code.obj, addr, ret) ? 0 :
	       fail(r, -EINVAL, where, "address 0x%llx is not in a loaded part of %.200s",
		    (unsigned long long)addr, r->code.path);
}

/* from the first symbol to the end of the last one */
static int everything(struct filter_parser *r, struct word where, u64 *start, u64 *size)
{
	const struct symvec *v = &r->code.v;
	u64 end = 0, lo = UINT64_MAX, at;

	vec_foreach(&v->sym, s) {
		if (r->code.obj && !elf_obj_svma_to_off(r->code.obj, s->start, &at))
			continue;
		lo = MIN(lo, s->start);
		end = MAX(end, s->end);
	}
	if (lo >= end)
		return fail(r, -ENOENT, where, "no functions are known there");
	*size = end - lo;
	return to_offset(r, where, lo, start);
}

static int resolve_size(struct filter_parser *r, const struct filter_place *p, u64 start_addr, u64 *size)
{
	const struct symbol *s;
	int ret;

	if (isdigit((unsigned char)*p->name.s))
		return number(r, p->name, size);
	ret = find_symbol(r, p, &s);
	if (!ret && s->end <= start_addr)
		return fail(r, -EINVAL, p->name, "the end is before the start");
	*size = ret ? 0 : s->end - start_addr;
	return ret;
}

static int resolve(struct filter_parser *r, const struct action *a, const struct filter_place *place,
		   const struct filter_place *len, struct strbuf *out)
{
	bool numbers = isdigit((unsigned char)*place->name.s) &&
		       (!len->name.len || isdigit((unsigned char)*len->name.s));
	u64 start = 0, size = 0, addr = 0;
	const struct symbol *s = NULL;
	int ret = numbers && !r->code.file.len ? 0 : load(r);

	if (!ret && is(place->name, "*")) {
		ret = len->name.len ? fail(r, -EINVAL, len->name, "* selects everything: it takes no size") :
		      everything(r, place->name, &start, &size);
	} else if (!ret && isdigit((unsigned char)*place->name.s)) {
		ret = number(r, place->name, &start);
		if (!ret && r->code.obj && !elf_obj_off_to_svma(r->code.obj, start, &addr) && len->name.len &&
		    !numbers)
			ret = fail(r, -EINVAL, place->name, "no loaded part of %.200s holds this offset",
				   r->code.path);
		addr = r->code.obj ? addr : start;
	} else if (!ret) {
		ret = find_symbol(r, place, &s);
		addr = s ? s->start : 0;
		ret = ret ? ret : to_offset(r, place->name, addr, &start);
		size = s && a->region ? s->end - s->start : 0;
	}
	if (!ret && len->name.len)
		ret = resolve_size(r, len, addr, &size);
	if (!ret && a->region && !size)
		ret = fail(r, -EINVAL, place->name, "a size is missing: %s START / SIZE", a->name);
	if (ret)
		return ret;
	strbuf_addf(out, "%s%s 0x%llx", out->len ? "," : "", a->kernel, (unsigned long long)start);
	if (size)
		strbuf_addf(out, "/0x%llx", (unsigned long long)size);
	if (r->code.file.len)
		strbuf_addf(out, "@%s", r->code.path);
	return 0;
}

static int parse_place(struct filter_parser *r, struct filter_place *p, const char *what)
{
	p->name = take(r, " \t\n/@,#");
	if (!p->name.len)
		return fail(r, -EINVAL, (struct word){ r->p, 1 }, "%s", what);
	if (*r->p == '#') {
		r->p++;
		p->nth = take(r, " \t\n/@,");
		if (!p->nth.len)
			return fail(r, -EINVAL, (struct word){ r->p, 1 },
				    "a number or g is expected after '#'");
	}
	return 0;
}

static int parse_one(struct filter_parser *r, struct strbuf *out)
{
	struct word word = take(r, " \t\n/@,"), file = { r->p, 0 };
	struct filter_place place = { .name = { r->p, 0 } }, len = place;
	const struct action *a = NULL;
	int ret;

	for (size_t i = 0; i < ARRAY_SIZE(actions); i++)
		if (is(word, actions[i].name))
			a = &actions[i];
	if (!a)
		return fail(r, -EINVAL, word,
			    "an address filter begins with filter, start, stop or tracestop");
	ret = parse_place(r, &place, "an address, a symbol or * is expected here");
	if (!ret && *r->p == '/') {
		r->p++;
		skip_blanks(r);
		ret = parse_place(r, &len, "a size or a symbol is expected after '/'");
	}
	if (!ret && *r->p == '@') {
		r->p++;
		skip_blanks(r);
		file = take(r, " \t\n,");
		if (!file.len)
			ret = fail(r, -EINVAL, file, "a file is expected after '@'");
	}
	if (ret)
		return ret;
	if (r->code.file.len != file.len || (file.len && memcmp(r->code.file.s, file.s, file.len))) {
		forget_code(&r->code);
		r->code.file = file;
	}
	return resolve(r, a, &place, &len, out);
}

int addr_filter_resolve(const char *filter, const char *event, struct strbuf *out, struct err *err)
{
	struct filter_parser r = { .text = filter, .p = filter, .event = event, .err = err };
	int ret;

	do {
		r.p += strspn(r.p, " \t\n,");
		ret = parse_one(&r, out);
		r.p += strspn(r.p, " \t\n,");
	} while (!ret && *r.p);
	forget_code(&r.code);
	return ret;
}
