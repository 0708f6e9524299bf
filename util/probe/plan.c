/* Plan: from points to definitions of the kernel, and all of them or none. */
#include "plan.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include "../base/log.h"
#include "../base/strbuf.h"
#include "image.h"
#include "kernel-symbols.h"
#include "source.h"
#include "spec.h"

/* PATH:0xOFFSET(0xSEMAPHORE) */
static int add_user_place(const struct probe_target *t, const struct probe_point *p, struct strbuf *out,
			  struct err *err)
{
	for (const char *c = t->path; *c; c++)
		if (isspace((u8)*c) || iscntrl((u8)*c) || *c == '#') {
			err_set(err, -EINVAL, "the kernel cannot probe a file whose path contains '%c'", *c);
			err_hint(err, "give it a path without this character: a hard link (ln), or a bind "
				 "mount");
			return -EINVAL;
		}
	strbuf_addf(out, "%s:%#lx", t->path, p->off);
	if (p->ref_off)
		strbuf_addf(out, "(%#lx)", p->ref_off);
	return 0;
}

static void add_kernel_place(const struct probe_target *t, const struct probe_point *p, struct strbuf *out)
{
	if (!p->kernel_address && t->module)
		strbuf_addf(out, "%s:", t->module);
	if (p->kernel_address)
		strbuf_addf(out, "%#lx", p->kernel_address);
	else
		strbuf_addf(out, "%s+%lu", p->function, p->function_off);
}

static void add_fetches(const struct probe_point *p, struct strbuf *out)
{
	vec_foreach(&p->fetch, f) {
		strbuf_addch(out, ' ');
		if (f->name)
			strbuf_addf(out, "%s=", f->name);
		strbuf_addstr(out, f->text);
	}
}

/* "foo in /bin/a with x y=%di": the place as typed, but the function of a glob */
static void describe(const struct probe_target *t, const struct probe_spec *spec, const struct probe_point *p,
		     struct strbuf *out)
{
	const char *before = " with ";

	if (p->marker) {
		strbuf_addf(out, "%%%s:", p->group);
		strbuf_add_safe(out, p->marker);
	} else if (spec->place.is_glob && p->function && spec->place.kind == PROBE_FUNCTION) {
		strbuf_add_safe(out, p->inlined ? p->inlined : p->function);
		strbuf_addstr(out, spec->place.is_return ? "%return" : "");
	} else {
		strbuf_add_safe(out, spec->place_text);
	}
	if (t->path || t->module) {
		strbuf_addstr(out, " in ");
		strbuf_add_safe(out, t->module ? t->module : t->path);
	}
	if (p->marker && !spec->arg.nr)
		vec_foreach(&p->fetch, f) {
			strbuf_addf(out, "%s%s", before, f->name);
			before = " ";
		}
	vec_foreach(&spec->arg, a) {
		strbuf_addstr(out, before);
		if (a->name)
			strbuf_addf(out, "%s=", a->name);
		strbuf_add_safe(out, a->text);
		before = " ";
	}
}

static int plan_point(struct probe_plan *plan, const struct probe_plan_opts *o,
		      const struct probe_target *t, const struct probe_spec *spec,
		      const struct probe_point *p, bool suffix, struct err *err)
{
	struct strbuf group = STRBUF_INIT, name = STRBUF_INIT, text = STRBUF_INIT, place = STRBUF_INIT;
	struct probe_planned d = { .is_user = !t->is_kernel, .off = p->off };
	int ret;

	d.is_inlined = p->inlined && p->function && !p->is_counted && strcmp(p->inlined, p->function);
	if (spec->group)
		strbuf_addstr(&group, spec->group);
	else if (p->group)
		strbuf_addstr(&group, p->group);
	else
		probe_group_name(t, &group);
	probe_event_name(spec, p, &name);
	ret = probe_name_free(o->live, &plan->planned, &plan->numbers, group.buf, &name,
			      suffix || o->force, err);
	if (!ret) {
		strbuf_addf(&text, "%c:%s/%s ", p->is_return ? 'r' : 'p', group.buf, name.buf);
		if (t->is_kernel)
			add_kernel_place(t, p, &text);
		else
			ret = add_user_place(t, p, &text, err);
	}
	if (!ret && p->kernel_address)
		log_note("'%s' of module %s shares its name and is the first function there, so its "
			 "definition has an address, which holds until the module is unloaded", p->inlined,
			 t->module);
	if (!ret) {
		add_fetches(p, &text);
		describe(t, spec, p, &place);
		d.group = arena_strdup(&plan->mem, group.buf);
		d.event = arena_strdup(&plan->mem, name.buf);
		d.definition = arena_strdup(&plan->mem, text.buf);
		d.place = arena_strdup(&plan->mem, place.buf);
		vec_push(plan, d);
		probe_event_parse(&plan->planned, text.buf, text.len, d.is_user);
	}
	strbuf_release(&group);
	strbuf_release(&name);
	strbuf_release(&text);
	strbuf_release(&place);
	return ret;
}

static void explain_points(const struct probe_spec *spec, const struct probe_points *pts)
{
	struct strbuf out = STRBUF_INIT;

	if (log_level < 1)
		return;
	probe_spec_describe(spec, &out);
	log_v("definition: %s", strbuf_str(&out));
	vec_foreach(pts, p) {
		strbuf_reset(&out);
		strbuf_add_safe(&out, p->function ? p->function : "no function");
		log_v("place: address %#lx, file offset %#lx, %s+%lu", p->svma, p->off, strbuf_str(&out),
		      p->function_off);
		vec_foreach(&p->fetch, f)
			log_v("argument: %s is at %s", f->name ? f->name : "(unnamed)", f->text);
	}
	strbuf_release(&out);
}

/*
 * A return probe replaces the return address by an address in the kernel's own page. The unwinder of
 * exceptions does not know that page, and ends the program
 */
static void warn_exceptions(struct probe_plan *plan, const struct probe_source *src)
{
	static const char *const unwinding[] = {
		"__gxx_personality_v0", "__cxa_throw", "_Unwind_RaiseException"
	};

	for (size_t i = 0; i < ARRAY_SIZE(unwinding) && !plan->told_exceptions; i++) {
		if (!src->img || !image_imports(src->img, unwinding[i]))
			continue;
		plan->told_exceptions = true;
		log_warn("%s can throw exceptions: one that leaves a function whose return is probed ends "
			 "the program", src->t.path);
	}
}

int probe_plan_add(struct probe_plan *plan, const struct probe_plan_opts *o, struct probe_source *src,
		   const struct probe_spec *spec, struct err *err)
{
	struct probe_points pts = { 0 };
	int ret = probe_source_points(src, spec, &pts, err);

	explain_points(spec, &pts);
	for (size_t i = 0; i < pts.nr && !ret; i++)
		ret = plan_point(plan, o, &src->t, spec, &pts.v[i], i > 0, err);
	if (!ret && spec->place.is_return && !src->t.is_kernel)
		warn_exceptions(plan, src);
	probe_points_release(&pts);
	return ret;
}

int probe_plan_add_text(struct probe_plan *plan, const struct probe_plan_opts *o,
			const struct probe_spec *spec, const char *definition, bool is_user, struct err *err)
{
	struct strbuf name = STRBUF_INIT, text = STRBUF_INIT;
	struct probe_planned d = { .is_user = is_user };
	struct probe_events one = { 0 };
	const struct probe_event *e;
	int ret = 0;

	if (!probe_event_parse(&one, definition, strlen(definition), is_user))
		return err_set(err, -EINVAL, "'%s' in the build-id cache is not a definition", definition);
	e = &one.v[0];
	d.group = arena_strdup(&plan->mem, spec->group ? spec->group : e->group);
	strbuf_addstr(&name, spec->event ? spec->event : e->name);
	ret = probe_name_free(o->live, &plan->planned, &plan->numbers, d.group, &name, o->force, err);
	if (!ret) {
		strbuf_addf(&text, "%c:%s/%s %s", definition[0], d.group, name.buf,
			    strchr(definition, ' ') + 1);
		d.event = arena_strdup(&plan->mem, name.buf);
		d.definition = arena_strdup(&plan->mem, text.buf);
		d.place = arena_strdup(&plan->mem, e->place);
		d.off = e->off;
		vec_push(plan, d);
		probe_event_parse(&plan->planned, text.buf, text.len, is_user);
	}
	strbuf_release(&name);
	strbuf_release(&text);
	probe_events_release(&one);
	return ret;
}

static int remove_first(const struct probe_plan *plan, size_t nr, struct err *err)
{
	struct err one = ERR_INIT;
	int ret = 0;

	while (nr-- > 0) {
		const struct probe_planned *d = &plan->v[nr];

		if (probe_event_delete(d->group, d->event, d->is_user, &one) && !ret)
			ret = err_copy(err, &one);
	}
	return ret;
}

int probe_plan_apply(const struct probe_plan *plan, struct err *err)
{
	struct err undo = ERR_INIT;

	for (size_t i = 0; i < plan->nr; i++) {
		int ret = probe_event_add(plan->v[i].definition, plan->v[i].is_user, err);

		if (!ret)
			continue;
		if (plan->v[i].is_inlined)
			err_hint(err, "this is a copy of an inlined function: --no-inlines leaves them out");
		if (remove_first(plan, i, &undo))
			err_hint(err, "%s", undo.msg);
		return ret;
	}
	return 0;
}

int probe_plan_undo(const struct probe_plan *plan, struct err *err)
{
	return remove_first(plan, plan->nr, err);
}

static int add_boot_line(const struct probe_planned *d, struct strbuf *out, struct err *err)
{
	/* "p:GROUP/EVENT PLACE ARGUMENTS" */
	const char *place = strchr(d->definition, ' ') + 1;
	int len = strcspn(place, " ");

	if (d->is_user)
		return err_set(err, -EINVAL, "--bootconfig is only for probes in the kernel: when it starts, "
			       "there are no programs");
	if (strcmp(d->group, "probe"))
		log_warn("the group '%s' is left out: such probes are in 'kprobes'", d->group);
	strbuf_addf(out, "ftrace.event.kprobes.%s.probes = '%.*s%s%s'\n", d->event, len, place,
		    d->definition[0] == 'r' ? "%return" : "", place + len);
	return 0;
}

int probe_plan_text(const struct probe_plan *plan, bool boot, struct strbuf *out, struct err *err)
{
	int ret = 0;

	vec_foreach(plan, d) {
		if (boot)
			ret = add_boot_line(d, out, err);
		else
			strbuf_addf(out, "%s\n", d->definition);
		if (ret)
			return ret;
	}
	return 0;
}

void probe_plan_release(struct probe_plan *plan)
{
	probe_events_release(&plan->planned);
	probe_numbers_release(&plan->numbers);
	vec_release(plan);
	arena_release(&plan->mem);
}
