/* List: probes with the functions that they are in, and functions. */
#include "list.h"

#include <stdlib.h>
#include <string.h>
#include "../base/units.h"
#include "../kernel/probe-events.h"
#include "../obj/elf-obj.h"
#include "image.h"
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

/* the files of user probes, each read once */
struct images {
	struct { VEC(struct probe_image *); } img;	/* NULL: it cannot be read */
	struct { VEC(const char *); } path;
	const char *symfs;
	struct arena mem;
};

static struct probe_image *image_of(struct images *im, const char *path)
{
	struct probe_target t = { .path = path, .symfs = im->symfs };

	for (size_t i = im->path.nr; i-- > 0;)
		if (!strcmp(im->path.v[i], path))
			return im->img.v[i];
	vec_push(&im->path, path);
	vec_push(&im->img, image_open(&t, NULL));
	return im->img.v[im->img.nr - 1];
}

static void add_place_in_file(struct images *im, const struct probe_event *e, struct strbuf *out)
{
	struct probe_image *img = image_of(im, e->path);
	const struct image_symbol *s = NULL;
	u64 svma = 0;

	if (img && elf_obj_off_to_svma(img->obj, e->off, &svma))
		s = image_at(img, svma);
	if (!s) {
		strbuf_addf(out, "%#lx", img && svma ? svma : e->off);
	} else {
		strbuf_addstr(out, image_symbol_shown(s, &im->mem));
		if (svma != s->svma)
			strbuf_addf(out, "+%lu", svma - s->svma);
	}
	strbuf_addf(out, "%s in ", e->is_return ? "%return" : "");
	strbuf_add_safe(out, e->path);
}

/* "ext4:foo+8", "vfs_read+0", "vfs_read" */
static void add_place_in_kernel(const struct probe_event *e, struct strbuf *out)
{
	const char *colon = strchr(e->place, ':'), *name = colon ? colon + 1 : e->place;
	size_t len = strlen(name);

	if (len > 2 && !strcmp(name + len - 2, "+0"))
		len -= 2;
	strbuf_addf(out, "%.*s", (int)len, name);
	if (e->is_return && !strstr(name, "%return"))
		strbuf_addstr(out, "%return");
	if (colon)
		strbuf_addf(out, " in %.*s", (int)(colon - e->place), e->place);
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

void probe_list_events(const struct probe_events *l, const char *pattern, const char *symfs,
		       struct strbuf *out)
{
	struct images im = { .symfs = symfs };
	struct strbuf name = STRBUF_INIT, line = STRBUF_INIT;

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
			add_place_in_kernel(e, &line);
		add_names(e->args, &line);
		strbuf_addch(&line, ')');
		strbuf_add_safe(out, line.buf);
		strbuf_addch(out, '\n');
	}
	vec_foreach(&im.img, i)
		image_free(*i);
	vec_release(&im.img);
	vec_release(&im.path);
	arena_release(&im.mem);
	strbuf_release(&name);
	strbuf_release(&line);
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void probe_list_functions(const struct probe_image *img, const struct glob_filter *filter, bool raw,
			  struct strbuf *out)
{
	struct { VEC(const char *); } names = { 0 };
	struct arena mem = { 0 };
	const char *last = NULL;

	vec_foreach(&img->sym, s) {
		const char *name = raw ? s->name : image_symbol_shown(s, &mem);

		if (!s->is_data && glob_filter_matches(filter, name))
			vec_push(&names, name);
	}
	if (names.nr)
		qsort(names.v, names.nr, sizeof(*names.v), compare_texts);
	vec_foreach(&names, n) {
		if (last && !strcmp(last, *n))
			continue;
		last = *n;
		strbuf_add_safe(out, last);
		strbuf_addch(out, '\n');
	}
	vec_release(&names);
	arena_release(&mem);
}
