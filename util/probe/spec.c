/* Spec: what a parsed definition needs, and its end. */
#include "spec.h"

void probe_spec_release(struct probe_spec *spec)
{
	vec_foreach(&spec->arg, a)
		for (struct probe_arg *i = a; i; i = i->inner)
			vec_release(&i->step);
	vec_release(&spec->arg);
	arena_release(&spec->mem);
}

const char *probe_arg_member(const struct probe_arg *a)
{
	for (size_t i = a->step.nr; i-- > 0;)
		if (a->step.v[i].name)
			return a->step.v[i].name;
	return a->kind == PROBE_ARG_VARIABLE ? a->variable : NULL;
}

static bool arg_needs_variables(const struct probe_arg *a)
{
	for (; a; a = a->inner)
		if (a->kind == PROBE_ARG_VARIABLE || a->kind == PROBE_ARG_PARAMS ||
		    a->kind == PROBE_ARG_VARS ||
		    a->step.nr)
			return true;
	return false;
}

bool probe_spec_needs_variables(const struct probe_spec *spec)
{
	vec_foreach(&spec->arg, a)
		if (arg_needs_variables(a))
			return true;
	return false;
}

bool probe_spec_needs_lines(const struct probe_spec *spec)
{
	const struct probe_place *pl = &spec->place;

	return pl->kind == PROBE_FILE_LINE || pl->has_line || pl->pattern || pl->file;
}
