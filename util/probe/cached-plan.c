/* Cached plan: probes from the build-id cache, and markers into it. */
#include "cached.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../base/strbuf.h"
#include "../obj/buildid.h"
#include "../obj/elf-obj.h"
#include "../obj/sdt.h"
#include "sdt-points.h"
#include "source.h"
#include "spec-parse.h"

/* ---- markers ---- */

static int put_marker(struct cached_probes *l, struct probe_source *src, const struct sdt_marker *m,
		      struct err *err)
{
	const struct probe_events none = { 0 };
	struct probe_plan_opts o = { .live = &none, .force = true };
	struct probe_plan plan = { 0 };
	struct probe_spec spec = { 0 };
	struct arena mem = { 0 };
	const char *group = sdt_group(m->provider, &mem);
	char *text = xasprintf("%%%s:%s", group, m->name), *header = xasprintf("%s:%s=%s", group, m->name,
										m->name);
	int ret = probe_spec_parse(&spec, text, err);

	if (!ret)
		ret = probe_plan_add(&plan, &o, src, &spec, err);
	if (!ret)
		cached_probes_put(l, '%', header, plan.v, plan.nr);
	probe_plan_release(&plan);
	probe_spec_release(&spec);
	free(text);
	free(header);
	arena_release(&mem);
	return ret;
}

int cached_register_markers(const char *dir, const char *path, const struct build_id *id, struct err *err)
{
	struct probe_source src = { .t = { .path = path, .max_points = 1024 } };
	struct elf_obj *o = elf_obj_open(path, err);
	struct sdt_markers all = { 0 };
	struct cached_probes l = { 0 };
	int ret = o ? 0 : err->code;

	if (o)
		sdt_markers_read(o, &all);
	if (!ret && all.nr)
		ret = cached_probes_read(&l, dir, id, err);
	/* a marker with an odd name or place does not keep the others out */
	for (size_t i = 0; i < all.nr && !ret; i++) {
		struct err one = ERR_INIT;

		put_marker(&l, &src, &all.v[i], &one);
	}
	if (!ret && l.nr)
		ret = cached_probes_write(&l, dir, path, id, err);
	cached_probes_release(&l);
	sdt_markers_release(&all);
	probe_source_release(&src);
	elf_obj_free(o);
	return ret;
}

/* ---- plans ---- */

static bool is_wanted(const struct cached_file *f, const char *path)
{
	if (path && strcmp(path, f->path[0] == '/' ? f->path : ""))
		return false;
	return cached_is_current(f);
}

/* the definitions of an entry must be of its file */
static bool belongs_to(const char *definition, const struct cached_file *f)
{
	const char *place = strchr(definition, ' ');
	size_t len = strlen(f->path);

	if (!place)
		return false;
	if (f->path[0] != '/')
		return place[1] != '/';
	return !strncmp(place + 1, f->path, len) && place[1 + len] == ':';
}

static int plan_probe(struct probe_plan *plan, const struct probe_plan_opts *o, const struct probe_spec *spec,
		      const struct cached_probe *p, const struct cached_file *f, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < p->definition.nr && !ret; i++)
		if (belongs_to(p->definition.v[i], f))
			ret = probe_plan_add_text(plan, o, spec, p->definition.v[i], f->path[0] == '/', err);
	return ret;
}

static int plan_of_file(struct probe_plan *plan, const struct probe_plan_opts *o,
			const struct probe_spec *spec, const char *dir, const struct cached_file *f,
			struct err *err)
{
	char *pattern = spec->place.group ? xasprintf("%s:%s", spec->place.group, spec->place.function) :
					    xstrdup(spec->place.function);
	struct cached_probes l = { 0 };
	int ret = cached_probes_read(&l, dir, &f->id, err);

	for (size_t i = 0; i < l.nr && !ret; i++)
		if (cached_probe_matches(&l.v[i], pattern))
			ret = plan_probe(plan, o, spec, &l.v[i], f, err);
	cached_probes_release(&l);
	free(pattern);
	return ret;
}

int cached_plan(struct probe_plan *plan, const struct probe_plan_opts *o, const struct probe_spec *spec,
		const char *path, struct err *err)
{
	struct cached_files all = { 0 };
	char *dir = buildid_cache_dir();
	size_t first = plan->nr;
	int ret = dir ? cache_list(dir, &all, err) : 0;

	for (size_t i = 0; i < all.nr && !ret; i++)
		if (is_wanted(&all.v[i], path))
			ret = plan_of_file(plan, o, spec, dir, &all.v[i], err);
	if (!ret && plan->nr == first) {
		ret = err_set(err, -ENOENT, "the build-id cache has no probe '%s'", spec->place_text);
		err_hint(err, "'perf probe --list --cache' lists them; 'perf probe --cache --add' keeps one");
		err_hint(err, "a program that was changed since is another one");
	}
	cached_files_release(&all);
	free(dir);
	return ret;
}
