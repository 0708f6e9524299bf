/* perf probe --cache: probes in the build-id cache. */
#include "builtin-probe-cache.h"
#include "builtin-probe-target.h"
#include "util/base/log.h"
#include "util/base/strbuf.h"
#include "util/obj/buildid.h"
#include "util/probe/cached.h"
#include "util/probe/plan.h"
#include "util/probe/spec-parse.h"

#include <errno.h>
#include <stdlib.h>

static char *cache_dir(struct err *err)
{
	char *dir = buildid_cache_dir();

	if (!dir)
		err_set(err, -ENOENT, "there is no build-id cache: $HOME is not set");
	return dir;
}

/* the entry of a target, which is made if there is none */
static int find_entry(const struct target_arg *t, const char *dir, struct build_id *id, char **ret_name,
		      struct err *err)
{
	int ret;

	*ret_name = NULL;
	if (t->is_module)
		return err_set(err, -ENOTSUP, "probes of modules are not kept in the build-id cache");
	if (t->name) {
		ret = cache_add(dir, &(struct cache_source){ .path = t->path }, id, ret_name, err);
		return MIN(ret, 0);
	}
	if (!build_id_of_kernel(id))
		return err_set(err, -ENOENT, "the running kernel does not tell its build-id");
	*ret_name = xstrdup("[kernel.kallsyms]");
	return 0;
}

/* "GROUP:EVENT=PLACE ARGUMENTS": upstream finds a probe in the cache only by a text that names its event */
static char *full_text(const char *text, const struct probe_planned *p)
{
	struct probe_spec spec = { 0 };
	struct err err = ERR_INIT;
	const char *place = text;
	char *ret;

	if (!probe_spec_parse(&spec, text, &err) && spec.event)
		place = strchr(text, '=') + 1;
	ret = xasprintf("%s:%s=%s", p->group, p->event, place + strspn(place, " \t"));
	probe_spec_release(&spec);
	return ret;
}

static int keep_one(const struct target_arg *t, const struct definition_arg *d, const char *dir,
		    const struct probe_plan *plan, struct err *err)
{
	struct cached_probes l = { 0 };
	struct build_id id;
	char *name, *text;
	int ret = find_entry(t, dir, &id, &name, err);

	if (!ret)
		ret = cached_probes_read(&l, dir, &id, err);
	if (!ret) {
		text = full_text(d->text, &plan->v[d->first]);
		cached_probes_put(&l, '#', text, &plan->v[d->first], d->nr);
		free(text);
		ret = cached_probes_write(&l, dir, name, &id, err);
	}
	cached_probes_release(&l);
	free(name);
	return ret;
}

int probe_cmd_cache_add(struct probe_cmd *c, const struct probe_plan *plan, struct err *err)
{
	char *dir = cache_dir(err);
	int ret = dir ? 0 : err->code;

	for (size_t i = 0; i < c->def.nr && !ret; i++) {
		const struct definition_arg *d = &c->def.v[i];

		/* what came from the cache is there */
		if (d->text[0] != '%')
			ret = keep_one(probe_cmd_target(c, d->target), d, dir, plan, err);
	}
	free(dir);
	return ret;
}

static void list_entry(const struct cached_file *f, const struct cached_probes *l, const char *pattern,
		       struct strbuf *out)
{
	bool has_title = false;

	vec_foreach(l, p) {
		if (!cached_probe_matches(p, pattern))
			continue;
		if (!has_title) {
			strbuf_add_safe(out, f->path);
			strbuf_addstr(out, " (");
			buildid_hex(out, f->id.id, f->id.len);
			strbuf_addstr(out, "):\n");
			has_title = true;
		}
		strbuf_add_safe(out, p->text);
		strbuf_addch(out, '\n');
	}
}

int probe_cmd_cache_list(struct probe_cmd *c, struct err *err)
{
	struct cached_files all = { 0 };
	struct strbuf out = STRBUF_INIT;
	char *dir = cache_dir(err);
	int ret = dir ? cache_list(dir, &all, err) : err->code;

	for (size_t i = 0; i < all.nr && !ret; i++) {
		struct cached_probes l = { 0 };

		ret = cached_probes_read(&l, dir, &all.v[i].id, err);
		list_entry(&all.v[i], &l, c->what, &out);
		cached_probes_release(&l);
	}
	cached_files_release(&all);
	free(dir);
	return probe_cmd_print(&out, ret);
}

static size_t remove_matching(struct cached_probes *l, const char *pattern)
{
	size_t kept = 0, nr = l->nr;

	for (size_t i = 0; i < nr; i++) {
		struct strbuf text = STRBUF_INIT;

		if (!cached_probe_matches(&l->v[i], pattern)) {
			l->v[kept++] = l->v[i];
			continue;
		}
		strbuf_add_safe(&text, l->v[i].text);
		log_note("Removed cached event: %s", strbuf_str(&text));
		strbuf_release(&text);
		vec_release(&l->v[i].definition);
	}
	l->nr = kept;
	return nr - kept;
}

static int del_pattern(const struct probe_cmd *c, const char *dir, const struct cached_files *all,
		       const char *pattern, struct err *err)
{
	size_t removed = 0;
	int ret = 0;

	for (size_t i = 0; i < all->nr && !ret; i++) {
		struct cached_probes l = { 0 };
		size_t nr = 0;

		ret = cached_probes_read(&l, dir, &all->v[i].id, err);
		if (!ret)
			nr = remove_matching(&l, pattern);
		if (nr && !c->dry_run)
			ret = cached_probes_write(&l, dir, all->v[i].path, &all->v[i].id, err);
		removed += nr;
		cached_probes_release(&l);
	}
	if (ret || removed)
		return ret;
	err_set(err, -ENOENT, "no probe of the build-id cache matches '%s'", pattern);
	err_hint(err, "'perf probe --list --cache' lists them");
	return -ENOENT;
}

int probe_cmd_cache_del(struct probe_cmd *c, struct err *err)
{
	struct cached_files all = { 0 };
	char *dir = cache_dir(err);
	int ret = dir ? cache_list(dir, &all, err) : err->code;

	for (size_t i = 0; i < c->del.nr && !ret; i++)
		ret = del_pattern(c, dir, &all, c->del.v[i], err);
	cached_files_release(&all);
	free(dir);
	return ret;
}
