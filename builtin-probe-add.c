/* perf probe --add and --definition: plans definitions, and makes the probes. */
#include "builtin-probe-add.h"
#include "builtin-probe-cache.h"
#include "builtin-probe-target.h"
#include "util/base/log.h"
#include "util/base/strbuf.h"
#include "util/kernel/probe-events.h"
#include "util/probe/cached.h"
#include "util/probe/plan.h"
#include "util/probe/sdt-files.h"
#include "util/probe/spec-parse.h"

#include <stdlib.h>

/* a probe of the build-id cache: of the target, or of any file */
static int plan_cached(struct probe_cmd *c, struct target_arg *t, const struct probe_spec *spec,
		       struct probe_plan *plan, const struct probe_plan_opts *o, struct err *err)
{
	int ret = t->name ? probe_cmd_find_target(c, t, err) : 0;

	return ret ? ret : cached_plan(plan, o, spec, t->is_module ? "" : t->path, err);
}

/* plans a definition; a marker without -x is searched in the build-id cache */
static int plan_one(struct probe_cmd *c, struct target_arg *t, const struct probe_spec *spec,
		    struct probe_plan *plan, const struct probe_plan_opts *o, struct err *err)
{
	struct sdt_files files = { 0 };
	int ret;

	if (spec->place.kind == PROBE_CACHED)
		return plan_cached(c, t, spec, plan, o, err);
	if (spec->place.kind != PROBE_SDT || t->name) {
		ret = probe_cmd_find_target(c, t, err);
		return ret ? ret : probe_plan_add(plan, o, &t->src, spec, err);
	}
	ret = sdt_files_find(&files, spec->place.group, spec->place.function, err);
	for (size_t i = 0; i < files.nr && !ret; i++) {
		struct target_arg file = { .name = files.v[i] };

		ret = probe_cmd_find_target(c, &file, err);
		if (!ret)
			ret = probe_plan_add(plan, o, &file.src, spec, err);
		probe_source_release(&file.src);
		free(file.path);
	}
	sdt_files_release(&files);
	return ret;
}

/* names without a glob; a definition that cannot be parsed is reported later */
static void note_functions(struct probe_cmd *c)
{
	vec_foreach(&c->def, d) {
		struct target_arg *t = probe_cmd_target(c, d->target);
		struct probe_spec spec = { 0 };
		struct err err = ERR_INIT;

		if (!probe_spec_parse(&spec, d->text, &err) && spec.place.kind == PROBE_FUNCTION &&
		    !spec.place.is_glob)
			vec_push(&t->functions, xstrdup(spec.place.function));
		t->src.t.functions = &t->functions;
		probe_spec_release(&spec);
	}
}

static int make_plan(struct probe_cmd *c, struct probe_plan *plan, const struct probe_events *live,
		     struct err *err)
{
	int ret = 0;

	note_functions(c);
	vec_foreach(&c->def, d) {
		struct target_arg *t = probe_cmd_target(c, d->target);
		struct probe_plan_opts o = { .live = live, .force = c->force ||
					    c->actions == ACTION_DEFINITION };
		struct probe_spec spec = { 0 };

		d->first = plan->nr;
		ret = probe_spec_parse(&spec, d->text, err);
		if (!ret)
			ret = plan_one(c, t, &spec, plan, &o, err);
		d->nr = plan->nr - d->first;
		probe_spec_release(&spec);
		if (ret)
			break;
	}
	return ret;
}

/* what users look for after adding */
static void say_added(const struct probe_plan *plan)
{
	const struct probe_planned *last = &plan->v[plan->nr - 1];
	struct strbuf name = STRBUF_INIT;

	log_note("Added new event%s:", plan->nr > 1 ? "s" : "");
	vec_foreach(plan, p) {
		strbuf_reset(&name);
		strbuf_addf(&name, "%s:%s", p->group, p->event);
		log_note("  %-20s (on %s)", name.buf, p->place);
	}
	log_note("\nYou can now use it in all perf tools, such as:\n\n\tperf record -e %s:%s -aR sleep 1\n\n",
		 last->group, last->event);
	strbuf_release(&name);
}

static bool any_in_kernel(const struct probe_plan *plan)
{
	vec_foreach(plan, p)
		if (!p->is_user)
			return true;
	return false;
}

int probe_cmd_add(struct probe_cmd *c, struct err *err)
{
	bool show = c->actions & ACTION_DEFINITION;
	struct probe_events live = { 0 };
	struct strbuf out = STRBUF_INIT;
	struct probe_plan plan = { 0 };
	struct err undo = ERR_INIT;
	int ret = show ? 0 : probe_events_read(&live, err);

	if (!ret)
		ret = make_plan(c, &plan, &live, err);
	if (!ret && show)
		ret = probe_plan_text(&plan, c->bootconfig, &out, err);
	if (!ret && !show && c->vmlinux && any_in_kernel(&plan) && kernel_file_differs(c->vmlinux))
		log_warn("'%s' is of another build than the running kernel: probes by it can be at wrong "
			 "places", c->vmlinux);
	if (!ret && !show && !c->dry_run)
		ret = probe_plan_apply(&plan, err);
	if (!ret && c->cache && !c->dry_run) {
		ret = probe_cmd_cache_add(c, &plan, err);
		/* what an error is about was not done by half */
		if (ret && !show && probe_plan_undo(&plan, &undo))
			err_hint(err, "%s", undo.msg);
	}
	if (!ret && !show)
		say_added(&plan);
	probe_plan_release(&plan);
	probe_events_release(&live);
	return probe_cmd_print(&out, ret);
}
