/* Sdt-points: from notes of a program to points. */
#include "sdt-points.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include "../base/log.h"
#include "../base/nearest.h"
#include "../base/strbuf.h"
#include "../obj/elf-obj.h"
#include "../obj/sdt.h"
#include "fetch.h"
#include "image.h"
#include "point.h"
#include "sdt-marker.h"
#include "spec.h"

char *sdt_group(const char *provider, struct arena *mem)
{
	struct strbuf out = STRBUF_INIT;
	char *ret;

	strbuf_addstr(&out, "sdt_");
	for (; *provider; provider++)
		strbuf_addch(&out, isalnum((u8)*provider) ? *provider : '_');
	ret = arena_strdup(mem, out.buf);
	strbuf_release(&out);
	return ret;
}

static void add_marker_args(struct probe_image *img, const struct sdt_marker *m, struct probe_points *out,
			    struct probe_point *p)
{
	struct strbuf text = STRBUF_INIT;
	char name[24];
	int ret;

	for (u32 i = 1; i <= 12; i++) {
		strbuf_reset(&text);
		snprintf(name, sizeof(name), "arg%u", i);
		ret = sdt_marker_arg(img, p, i, &text);
		if (ret == -ENOENT)
			break;
		if (!ret) {
			probe_point_fetch(out, p, name, strbuf_str(&text));
		} else {
			const char *s = m->args;
			size_t len = sdt_marker_arg_at(&s, i);

			strbuf_add_safe(&text, m->name);
			log_note("%s of the marker '%s' is left out: a probe cannot read '%.*s'", name,
				 strbuf_str(&text), (int)len, s);
		}
	}
	strbuf_release(&text);
}

static int add_point(struct probe_image *img, const struct sdt_marker *m, const struct probe_spec *spec,
		     bool with_args, struct probe_points *out, struct err *err)
{
	const struct image_symbol *fn = image_at(img, m->svma);
	struct probe_point *p;
	u64 off, ref = 0;

	if (!image_has_code(img, m->svma) || !elf_obj_svma_to_off(img->obj, m->svma, &off) ||
	    (m->semaphore && !elf_obj_svma_to_off(img->obj, m->semaphore, &ref)))
		return err_set(err, -EBADMSG, "the place of the marker '%s' is not in the code of %s",
			       m->name,
			       img->path);
	p = probe_points_add(out);
	p->svma = m->svma;
	p->off = off;
	p->ref_off = ref;
	p->marker = arena_strdup(&out->mem, m->name);
	p->marker_args = arena_strdup(&out->mem, m->args);
	p->group = sdt_group(m->provider, &out->mem);
	if (fn) {
		p->function = arena_strdup(&out->mem, fn->name);
		p->function_off = m->svma - fn->svma;
	}
	if (!with_args)
		return 0;
	if (spec->arg.nr)
		return fetch_arguments(img, spec, 1, out, p, err);
	add_marker_args(img, m, out, p);
	return 0;
}

bool sdt_names_alike(const char *a, const char *b)
{
	while (*a && *a == *b) {
		while (*a == '_' && a[1] == '_')
			a++;
		while (*b == '_' && b[1] == '_')
			b++;
		a++;
		b++;
	}
	return *a == *b;
}

static bool matches(const struct probe_place *pl, const struct sdt_marker *m, const char *group, bool alike)
{
	if (fnmatch(pl->group, group, 0))
		return false;
	if (pl->is_glob)
		return !fnmatch(pl->function, m->name, 0);
	return alike ? sdt_names_alike(pl->function, m->name) : !strcmp(pl->function, m->name);
}

static int add_matching(struct probe_image *img, const struct sdt_markers *all, const struct probe_spec *spec,
			bool with_args, bool alike, struct probe_points *out, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < all->nr && !ret; i++) {
		struct arena mem = { 0 };

		if (matches(&spec->place, &all->v[i], sdt_group(all->v[i].provider, &mem), alike))
			ret = add_point(img, &all->v[i], spec, with_args, out, err);
		arena_release(&mem);
	}
	return ret;
}

static int err_no_marker(const struct probe_image *img, const struct sdt_markers *all,
			 const struct probe_spec *spec,
			 struct err *err)
{
	struct strbuf near = STRBUF_INIT, name = STRBUF_INIT;
	struct nearest n;

	strbuf_addf(&name, "%s:%s", spec->place.group, spec->place.function);
	nearest_init(&n, name.buf, name.len);
	vec_foreach(all, m) {
		char full[256];

		snprintf(full, sizeof(full), "sdt_%s:%s", m->provider, m->name);
		nearest_offer(&n, full);
	}
	nearest_describe(&n, &near);
	if (all->nr)
		err_set(err, -ENOENT, "%s has no marker '%s'%s", img->path, name.buf, strbuf_str(&near));
	else
		err_set(err, -ENOENT, "%s has no markers (SDT)", img->path);
	strbuf_release(&near);
	strbuf_release(&name);
	return -ENOENT;
}

int sdt_points(struct probe_image *img, const struct probe_spec *spec, bool with_args,
	       struct probe_points *out, struct err *err)
{
	struct sdt_markers all = { 0 };
	size_t first = out->nr;
	int ret;

	sdt_markers_read(img->obj, &all);
	ret = add_matching(img, &all, spec, with_args, false, out, err);
	if (!ret && out->nr == first)
		ret = add_matching(img, &all, spec, with_args, true, out, err);
	if (!ret && out->nr == first)
		ret = err_no_marker(img, &all, spec, err);
	sdt_markers_release(&all);
	return ret;
}
