/* List: probes with the functions that they are in, and functions. */
#include "list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../base/sort.h"
#include "../base/units.h"
#include "../kernel/probe-events.h"
#include "../obj/elf-obj.h"
#include "debug-file.h"
#include "debug-place.h"
#include "image.h"
#include "kernel-places.h"
#include "kernel-symbols.h"
#include "glob-filter.h"
#include "point.h"

bool probe_event_matches(const struct probe_event *e, const char *pattern)
{
	const char *colon = pattern ? strchr(pattern, ':') : NULL;
	char *group;
	bool match;

	if (!pattern)
		return true;
	if (!colon)
		return glob_match(pattern, e->name);
	group = xstrndup(pattern, colon - pattern);
	match = (!*group || glob_match(group, e->group)) && (!colon[1] || glob_match(colon + 1, e->name));
	free(group);
	return match;
}

/* a file of user probes */
struct listed_file {
	struct probe_target t;
	struct probe_image *img;	/* NULL: it cannot be read */
	struct debug_file *debug;	/* NULL: none */
};

/* all of them, each read once */
struct images {
	struct { VEC(struct listed_file *); } file;
	struct kernel_symbols *kernel;	/* NULL: not needed, or not permitted */
	struct kernel_places *places;
	bool kernel_tried;
	const char *symfs;
	struct arena mem;
};

static struct listed_file *file_of(struct images *im, const char *path)
{
	struct listed_file *f;

	for (size_t i = im->file.nr; i-- > 0;)
		if (!strcmp(im->file.v[i]->t.path, path))
			return im->file.v[i];
	f = ARENA_NEW(&im->mem, struct listed_file);
	f->t = (struct probe_target){ .path = path, .symfs = im->symfs };
	f->img = image_open(&f->t, NULL);
	f->debug = f->img ? debug_file_open(&f->t, NULL) : NULL;
	vec_push(&im->file, f);
	return f;
}

/* a place without debug information: in a function, or else an address */
static void add_symbol_place(struct images *im, const struct probe_event *e, const struct image_symbol *s,
			     u64 svma, struct strbuf *out)
{
	if (s)
		strbuf_addstr(out, image_symbol_shown(s, &im->mem));
	if (s && svma != s->svma)
		strbuf_addf(out, "+%lu", svma - s->svma);
	if (!s)
		strbuf_addf(out, "%#lx", svma ? svma : e->off);
	strbuf_addstr(out, e->is_return ? "%return" : "");
}

static void add_place_in_file(struct images *im, const struct probe_event *e, struct strbuf *out)
{
	struct listed_file *f = file_of(im, e->path);
	u64 svma = 0;
	bool found = f->img && elf_obj_off_to_svma(f->img->obj, e->off, &svma);

	if (!f->debug || !svma || !debug_place_text(f->debug, svma, e->is_return, out))
		add_symbol_place(im, e, found ? image_at(f->img, svma) : NULL, svma, out);
	strbuf_addstr(out, " in ");
	strbuf_add_safe(out, e->path);
}

/* "ext4:foo+8", "vfs_read+0", "vfs_read%return" */
struct kernel_place {
	const char *module;	/* NULL: the kernel itself */
	const char *text;	/* after the module */
	const char *function;
	u64 off;
	u64 address;	/* instead of them; 0: none */
};

static struct kernel_place parse_place(const char *place, struct arena *mem)
{
	const char *colon = strchr(place, ':');
	struct kernel_place ret = { .text = colon ? colon + 1 : place };
	size_t len = strcspn(ret.text, "+%");

	if (colon)
		ret.module = arena_strndup(mem, place, colon - place);
	ret.function = arena_strndup(mem, ret.text, len);
	if (ret.text[len] == '+')
		ret.off = strtoull(ret.text + len + 1, NULL, 0);
	if (!colon && !strncmp(place, "0x", 2))
		ret.address = strtoull(place, NULL, 0);
	return ret;
}

/* the function at an address of the running kernel, or false */
static bool function_there(struct images *im, u64 addr, const char **ret_name, u64 *ret_off)
{
	return im->kernel && addr && kernel_function_at(im->kernel, addr, ret_name, ret_off);
}

/*
 * Resolves places that perf wrote for functions with ambiguous names: "_text+N", in a module "f+N" after
 * the end of f, or an address, which most kernels show encrypted. False: the place is not one of these
 */
static bool add_counted_place(struct images *im, const struct probe_event *e, const struct kernel_place *p,
			      struct strbuf *out)
{
	u64 addr = p->address, off;
	const char *fn;

	if (!addr && !(p->module ? p->off : !strncmp(p->text, "_text+", strlen("_text+"))))
		return false;
	if (!im->kernel && !im->kernel_tried)
		im->kernel = kernel_symbols_open(NULL);
	im->kernel_tried = true;
	if (!addr && im->kernel)
		addr = kernel_function_address(im->kernel, p->module, p->function);
	if (addr && !p->address)
		addr += p->off;
	if (!function_there(im, addr, &fn, &off)) {
		if (p->address)
			strbuf_addf(out, "%san address that the kernel hides",
				    e->is_return ? "the return of " : "");
		return p->address;
	}
	strbuf_addstr(out, fn);
	if (off)
		strbuf_addf(out, "+%lu", off);
	strbuf_addstr(out, p->address && e->is_return ? "%return" : "");
	return true;
}

static void add_place_in_kernel(struct images *im, const struct probe_event *e, struct strbuf *out)
{
	struct kernel_place p = parse_place(e->place, &im->mem);
	size_t len = strlen(p.text);

	if (!kernel_place_text(im->places, p.module, p.function, p.off, e->is_return, out)) {
		if (len > 2 && !strcmp(p.text + len - 2, "+0"))
			len -= 2;
		if (!add_counted_place(im, e, &p, out))
			strbuf_addf(out, "%.*s", (int)len, p.text);
		if (e->is_return && !strstr(p.text, "%return") && !p.address)
			strbuf_addstr(out, "%return");
	}
	if (p.module)
		strbuf_addf(out, " in %s", p.module);
}

/* functions of the kernel whose places are listed */
static void want_places(struct images *im, const struct probe_events *l, const char *pattern)
{
	vec_foreach(l, e) {
		struct kernel_place p;

		if (e->is_user || !probe_event_matches(e, pattern))
			continue;
		p = parse_place(e->place, &im->mem);
		kernel_places_want(im->places, p.module, p.function);
	}
}

static void add_names(const char *args, struct strbuf *out)
{
	const char *before = " with ";

	while (*args) {
		size_t len = strcspn(args, " "), name = strcspn(args, "=");

		strbuf_addf(out, "%s%.*s", before, (int)MIN(len, name), args);
		before = " ";
		args += len + strspn(args + len, " ");
	}
}

void probe_list_events(const struct probe_events *l, const char *pattern, const char *vmlinux,
		       const char *symfs, struct strbuf *out)
{
	struct images im = { .symfs = symfs, .places = kernel_places_new(vmlinux, symfs) };
	struct strbuf name = STRBUF_INIT, line = STRBUF_INIT;

	want_places(&im, l, pattern);

	vec_foreach(l, e) {
		if (!probe_event_matches(e, pattern))
			continue;
		strbuf_reset(&name);
		strbuf_reset(&line);
		strbuf_addf(&name, "%s:%s", e->group, e->name);
		strbuf_addf(&line, "  %-20s (on ", name.buf);
		if (e->is_user)
			add_place_in_file(&im, e, &line);
		else
			add_place_in_kernel(&im, e, &line);
		add_names(e->args, &line);
		strbuf_addch(&line, ')');
		strbuf_add_safe(out, line.buf);
		strbuf_addch(out, '\n');
	}
	vec_foreach(&im.file, f) {
		image_free((*f)->img);
		debug_file_free((*f)->debug);
	}
	vec_release(&im.file);
	kernel_symbols_free(im.kernel);
	kernel_places_free(im.places);
	arena_release(&im.mem);
	strbuf_release(&name);
	strbuf_release(&line);
}

/* --- functions */

struct function_list {
	VEC(struct sort_string);
	bool raw;
	struct arena mem;	/* names that are not shown as the file has them */
};

/* no byte is a control character, DEL or above ASCII */
static bool is_printable(const char *s)
{
	const u64 ones = 0x0101010101010101;
	size_t len = strlen(s), i = 0;
	u64 bytes, odd = 0;

	for (; i + sizeof(bytes) <= len; i += sizeof(bytes)) {
		memcpy(&bytes, s + i, sizeof(bytes));
		odd |= bytes | (bytes + ones) | (bytes - ones * ' ');
	}
	for (; i < len; i++)
		odd |= (u8)s[i] >= ' ' && (u8)s[i] < 0x7f ? 0 : 0x80;
	return !(odd & ones << 7);
}

/* most names are shown as they are */
static const char *shown_name(const struct image_symbol *s, struct arena *mem)
{
	char c = *s->name;

	if (c != '_' && c != 'L' && c != 'c' && is_printable(s->name))
		return s->name;
	return image_symbol_shown(s, mem);
}

static void add_function(void *ctx, const struct image_symbol *s)
{
	struct function_list *l = ctx;

	if (!s->is_data)
		vec_push(l, sort_string(l->raw ? s->name : shown_name(s, &l->mem)));
}

static void make_list(struct probe_image *img, bool raw, struct strbuf *out)
{
	struct function_list l = { .raw = raw };
	size_t nr;

	image_each_symbol(img, add_function, &l);
	nr = sort_strings(l.v, l.nr);
	for (size_t i = 0; i < nr; i++) {
		if (raw)
			strbuf_add_safe(out, l.v[i].s);
		else
			strbuf_addstr(out, l.v[i].s);
		strbuf_addch(out, '\n');
	}
	vec_release(&l);
	arena_release(&l.mem);
}

static int err_no_functions(const struct probe_image *img, struct err *err)
{
	err_set(err, -ENOENT, "%s has no symbols of functions", img->path);
	err_hint(err, img->no_symtab ? "the file is stripped: install its debug symbols, or give an address: "
		 "0xADDRESS" : "only an address can be given: 0xADDRESS");
	return -ENOENT;
}

/* lines that are wanted and follow one another are written at once */
static bool write_lines(struct strbuf *text, const struct glob_filter *filter, FILE *to)
{
	char *from = text->buf, *end = from + text->len, *eol;
	bool any = false;

	for (char *line = text->buf; line < end; line = eol + 1) {
		bool wanted;

		eol = memchr(line, '\n', end - line);
		*eol = '\0';
		wanted = glob_filter_matches(filter, line);
		*eol = '\n';
		any |= wanted;
		if (wanted)
			continue;
		if (line > from)
			fwrite(from, 1, line - from, to);
		from = eol + 1;
	}
	if (end > from)
		fwrite(from, 1, end - from, to);
	return any;
}

int probe_list_functions(struct probe_image *img, const struct glob_filter *filter, bool raw, FILE *to,
			 struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int ret;

	make_list(img, raw, &text);
	if (text.len)
		ret = !write_lines(&text, filter, to);
	else
		ret = err_no_functions(img, err);
	strbuf_release(&text);
	return ret;
}
