/* Variables: from arguments of a definition to fetch-arguments. */
#include "variables.h"

#include <errno.h>
#include <string.h>
#include "../base/log.h"
#include "locate.h"
#include "object.h"
#include "object-text.h"
#include "point.h"
#include "spec.h"

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* the default name: the last member, else the variable; ones that are taken get a number */
static const char *default_name(struct probe_points *pts, struct probe_point *p, const char *from)
{
	char *name = arena_alloc(&pts->mem, strlen(from) + 2), *out = name;

	if (*from >= '0' && *from <= '9')
		*out++ = '_';
	for (; *from; from++)
		*out++ = is_name_char(*from) ? *from : '_';
	*out = '\0';
	return probe_point_name(pts, p, name);
}

static const char *arg_name(const struct probe_arg *arg)
{
	const char *name = arg->kind == PROBE_ARG_RETVAL ? "retval" : arg->variable;

	for (size_t i = 0; i < arg->step.nr; i++)
		if (arg->step.v[i].name)
			name = arg->step.v[i].name;
	if (strstr(name, "::"))
		name = strrchr(name, ':') + 1;
	return name;
}

static int add_object(struct probe_object *o, const char *name, const struct probe_arg *arg,
		      struct probe_points *pts,
		      struct probe_point *p, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int ret = arg ? object_take_steps(o, arg, err) : 0;

	if (!ret)
		ret = object_text(o, arg ? &arg->type : NULL, &text, err);
	if (!ret)
		probe_point_fetch(pts, p, name, strbuf_str(&text));
	strbuf_release(&text);
	return ret;
}

static int not_available(struct variable_place *f, const char *name, Dwarf_Die *var, struct err *err)
{
	struct strbuf where = STRBUF_INIT;
	int code = err->code;

	if (code != -ENODATA) {
		err_prefix(err, "'%s': ", name);
		return code;
	}
	variable_where(f, var, &where);
	if (where.len)
		err_set(err, code, "'%s' is not available at %s; it is at %s", name, f->place_text,
			strbuf_str(&where));
	else
		err_prefix(err, "'%s' is not available at %s: ", name, f->place_text);
	strbuf_release(&where);
	return code;
}

/* "this" or "self" if its target has such a member; NULL: neither has */
static const char *find_owner(struct variable_place *f, const char *member)
{
	static const char *const names[] = { "this", "self" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		Dwarf_Die var, type;
		struct type_member m;

		if (!scopes_find(&f->chain, names[i], &var) || !die_type(&var, &type) ||
		    !die_peel(&type, &type) || !type_is_pointer(dwarf_tag(&type)))
			continue;
		var = type;
		if (die_type(&var, &type) && die_peel(&type, &type) && type_is_struct(dwarf_tag(&type)) &&
		    type_complete(&f->d->search, &type) && type_find_member(&f->d->search, &type, member, &m))
			return names[i];
	}
	return NULL;
}

static int err_no_variable(struct variable_place *f, const char *name, struct err *err)
{
	const char *owner = find_owner(f, name);

	err_set(err, -EINVAL, "there is no variable '%s' at %s", name, f->place_text);
	if (owner)
		err_hint(err, "it is a member of the object: write '%s->%s'", owner, name);
	else
		err_hint(err, "'perf probe -V %s' shows the variables that are available there",
			 f->place_text);
	return -EINVAL;
}

static int find_object(struct variable_place *f, const char *name, struct probe_object *o, struct err *err)
{
	Dwarf_Die var;
	bool here = scopes_find(&f->chain, name, &var);

	/* "extern int x" inside of a function */
	if (here && die_flag(&var, DW_AT_declaration))
		here = false;
	if (!here && globals_find(&f->d->search, f->chain.unit, name, &var))
		here = true;
	if (!here) {
		if (!scopes_find_anywhere(&f->chain, name, &var))
			return err_no_variable(f, name, err);
		err_set(err, -ENODATA, die_has(&var, DW_AT_location) ? "it is not visible here" :
			"it was optimised out");
		return not_available(f, name, &var, err);
	}
	if (variable_locate(f, &var, &o->loc, o->mem, err))
		return not_available(f, name, &var, err);
	o->is_void = !die_type(&var, &o->type);
	return 0;
}

/* --- $params, $vars */

struct each {
	struct variable_place *f;
	struct probe_points *pts;
	struct probe_point *p;
	struct { VEC(const char *); } seen;
};

static bool add_each(void *ctx, Dwarf_Die *var, bool is_parameter)
{
	struct each *e = ctx;
	struct probe_object o = { .f = e->f, .mem = &e->pts->mem, .name = die_name(var) };
	struct err err = ERR_INIT;

	if (!o.name)
		return true;
	vec_foreach(&e->seen, s)
		if (!strcmp(*s, o.name))
			return true;
	vec_push(&e->seen, o.name);
	o.is_void = !die_type(var, &o.type);
	if (variable_locate(e->f, var, &o.loc, o.mem, &err) ||
	    add_object(&o, default_name(e->pts, e->p, o.name), NULL, e->pts, e->p, &err))
		log_note("%s: '%s' is left out: %s", e->f->place_text, o.name, err.msg);
	return true;
}

static int fetch_all(struct variable_place *f, const struct probe_arg *arg, struct probe_points *pts,
		     struct probe_point *p, struct err *err)
{
	struct each e = { .f = f, .pts = pts, .p = p };

	if (f->is_return)
		return err_set(err, -EINVAL, "%s does not apply where a function returns: its variables "
			       "are gone",
			       arg->kind == PROBE_ARG_PARAMS ? "$params" : "$vars");
	if (arg->kind == PROBE_ARG_PARAMS)
		scopes_parameters(&f->chain, add_each, &e);
	else
		scopes_variables(&f->chain, add_each, &e);
	vec_release(&e.seen);
	return 0;
}

static int fetch_retval(struct variable_place *f, struct probe_object *o, struct err *err)
{
	if (!f->is_return) {
		err_set(err, -EINVAL, "$retval is only known where a function returns");
		err_hint(err, "write the place as 'FUNCTION%%return'");
		return -EINVAL;
	}
	if (!die_type(&f->function, &o->type))
		return err_set(err, -EINVAL, "the function '%s' returns nothing: it has no $retval",
			       die_name(&f->function) ? die_name(&f->function) : f->place_text);
	o->loc.nr = 1;
	o->loc.piece[0] = (struct dwarf_piece){ .value = location_text("$retval") };
	return 0;
}

int variable_fetch(struct variable_place *f, const struct probe_arg *arg, struct probe_points *pts,
		   struct probe_point *p, struct err *err)
{
	struct probe_object o = { .f = f, .mem = &pts->mem };
	const char *name;

	if (arg->kind == PROBE_ARG_PARAMS || arg->kind == PROBE_ARG_VARS)
		return fetch_all(f, arg, pts, p, err);
	if (arg->kind == PROBE_ARG_RETVAL) {
		o.name = "$retval";
		if (fetch_retval(f, &o, err))
			return err->code;
	} else {
		if (f->is_return) {
			err_set(err, -EINVAL, "variables are gone where a function returns: '%s' cannot "
				"be fetched",
				arg->text ? arg->text : arg->variable);
			err_hint(err, "$retval is the value that it returns");
			return -EINVAL;
		}
		o.name = arg->variable;
		if (find_object(f, arg->variable, &o, err))
			return err->code;
	}
	/* the kernel names it, as it does without debug information */
	if (arg->name || (arg->kind == PROBE_ARG_RETVAL && !arg->step.nr))
		name = arg->name;
	else
		name = default_name(pts, p, arg_name(arg));
	return add_object(&o, name, arg, pts, p, err);
}
