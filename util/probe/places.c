/* Places: the points of a definition. */
#include "places.h"

#include <errno.h>
#include <string.h>
#include "../base/log.h"
#include "image.h"
#include "place-search.h"
#include "source-lines.h"
#include "spec.h"
#include "variables.h"

/* where the address is: symbol, source function, file and line */
static void describe_point(struct debug_file *d, const struct place_address *a, struct variable_place *f,
			   bool known,
			   struct probe_points *pts, struct probe_point *p)
{
	const struct symbol *sym = debug_link_symbol(&d->link, a->addr);
	const char *file = a->file, *name;
	u32 line = a->line, start;

	p->svma = a->addr;
	p->off = f->off;
	if (sym) {
		p->function = arena_strdup(&pts->mem, sym->name);
		p->function_off = a->addr - sym->start;
	}
	if (known && !file)
		unit_line_at(f->chain.unit, a->addr, false, &file, &line);
	if (file) {
		p->file = arena_strdup(&pts->mem, file);
		p->line = line;
	}
	if (!known)
		return;
	name = die_name(&f->function);
	if (f->chain.home > 0 && name)
		p->inlined = arena_strdup(&pts->mem, name);
	if (debug_unit_decl(f->chain.unit, &f->function, &file, &start))
		p->function_line = start;
}

/* refuses the name of an IFUNC symbol, but not the resolver function's own name */
static int check_ifunc(struct debug_file *d, const struct place_address *a, const struct probe_spec *spec,
		       struct err *err)
{
	const struct probe_place *pl = &spec->place;

	if (pl->kind != PROBE_FUNCTION || !debug_link_chooses(&d->link, a->addr, pl->function, pl->is_glob))
		return 0;
	return err_ifunc(d->file.target, pl->function, a->addr, err);
}

static bool is_variable(const struct probe_arg *arg)
{
	switch (arg->kind) {
	case PROBE_ARG_VARIABLE:
	case PROBE_ARG_RETVAL:
	case PROBE_ARG_PARAMS:
	case PROBE_ARG_VARS:
		return true;
	default:
		return false;
	}
}

static int add_arguments(struct variable_place *f, const struct probe_spec *spec, const struct probe_raw *raw,
			 bool known, struct probe_points *pts, struct probe_point *p, struct err *err)
{
	vec_foreach(&spec->arg, arg) {
		int ret;

		if (!is_variable(arg)) {
			ret = raw ? raw->add(raw->ctx, arg, pts, p, err) : 0;
			if (ret)
				return ret;
			continue;
		}
		if (!known)
			return err_set(err, -ENODATA, "there is no debug information of the function at "
				       "0x%llx, so '%s' "
				       "is unknown there", (unsigned long long)f->chain.addr, arg->text);
		ret = variable_fetch(f, arg, pts, p, err);
		if (ret)
			return ret;
	}
	return 0;
}

static int add_point(struct debug_file *d, const struct place_address *a, const struct probe_spec *spec,
		     const struct probe_raw *raw, struct probe_points *pts, struct err *err)
{
	struct variable_place f;
	bool known = place_open(d, a, spec->place_text, &f);
	struct probe_point *p;
	int ret = check_ifunc(d, a, spec, err);

	if (ret)
		goto out;
	/* a line of an inlined copy */
	if (known && d->file.t->no_inlines && f.chain.home > 0)
		goto out;
	p = probe_points_add(pts);
	f.is_return = p->is_return = spec->place.is_return;
	describe_point(d, a, &f, known, pts, p);
	ret = add_arguments(&f, spec, raw, known, pts, p, err);
	if (ret) {
		vec_release(&p->fetch);
		pts->nr--;
	}
out:
	place_close(&f);
	return ret;
}

int probe_places(struct debug_file *d, const struct probe_spec *spec, const struct probe_raw *raw,
		 struct probe_points *ret, struct err *err)
{
	struct place_addresses at;
	size_t before = ret->nr, left_out = 0;
	struct err first = ERR_INIT;
	int code = place_search(d, &spec->place, probe_spec_needs_variables(spec), &at, err);

	if (!code && d->file.t->max_points && at.nr > d->file.t->max_points)
		code = err_set(err, -E2BIG, "'%s' stands for %zu places, and at most %u are allowed",
			       spec->place_text,
			       at.nr, d->file.t->max_points);
	for (size_t i = 0; i < at.nr && !code; i++) {
		struct err why = ERR_INIT;

		/* if the default version is an IFUNC, older versions are not used instead */
		if (!spec->place.is_glob)
			code = check_ifunc(d, &at.v[i], spec, err);
		if (code || !add_point(d, &at.v[i], spec, raw, ret, &why))
			continue;
		if (!left_out++)
			err_copy(&first, &why);
	}
	if (!code && ret->nr == before)
		code = left_out ? err_copy(err, &first) :
		       err_set(err, -ENOENT, "'%s' is only in inlined code (--no-inlines)", spec->place_text);
	else if (!code && left_out)
		log_note("%zu of %zu places of '%s' are left out: %s", left_out, at.nr, spec->place_text,
			 first.msg);
	place_addresses_release(&at);
	return code;
}

static int add_arguments_at(struct debug_file *d, const struct probe_spec *spec, const struct probe_raw *raw,
			    struct probe_points *pts, struct probe_point *p, struct err *err)
{
	const struct place_address at = { .addr = p->svma };
	struct variable_place f;
	bool known = place_open(d, &at, spec->place_text, &f);
	int ret = add_arguments(&f, spec, raw, known, pts, p, err);

	place_close(&f);
	return ret;
}

int probe_places_arguments(struct debug_file *d, const struct probe_spec *spec, const struct probe_raw *raw,
			   struct probe_points *ret, size_t first, struct err *err)
{
	size_t kept = first, nr = ret->nr;
	struct err left_out = ERR_INIT;

	for (size_t i = first; i < nr; i++) {
		struct probe_point p = ret->v[i];
		struct err why = ERR_INIT;

		if (add_arguments_at(d, spec, raw, ret, &p, &why)) {
			vec_release(&p.fetch);
			if (!left_out.code)
				err_copy(&left_out, &why);
			continue;
		}
		ret->v[kept++] = p;
	}
	ret->nr = kept;
	if (kept == first && left_out.code)
		return err_copy(err, &left_out);
	if (kept < nr)
		log_note("%zu of %zu places of '%s' are left out: %s", nr - kept, nr - first,
			 spec->place_text, left_out.msg);
	return 0;
}
