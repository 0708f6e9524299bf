/* Spec-describe: the parsed definition as text, for perf probe -v. */
#include "spec.h"

#include "../base/strbuf.h"

static void add_named(struct strbuf *out, const char *before, const char *text)
{
	if (text) {
		strbuf_addstr(out, before);
		strbuf_add_safe(out, text);
	}
}

static void describe_place(const struct probe_place *p, struct strbuf *out)
{
	static const char *const kind[] = { "function", "line of file", "address", "SDT marker",
					   "cached probe" };

	strbuf_addf(out, "%s%s", p->is_return ? "return of " : "", kind[p->kind]);
	add_named(out, " ", p->group);
	add_named(out, p->group ? ":" : p->is_glob ? " pattern " : " ", p->function);
	add_named(out, p->kind == PROBE_FILE_LINE ? " " : " in file ", p->file);
	if (p->kind == PROBE_ADDRESS)
		strbuf_addf(out, " %#lx", p->address);
	if (p->offset)
		strbuf_addf(out, " offset %lu", p->offset);
	if (p->has_line)
		strbuf_addf(out, " line %u", p->line);
	add_named(out, " lines like ", p->pattern);
}

static void describe_steps(const struct probe_arg *a, struct strbuf *out)
{
	static const char *const word[] = { ".", "->", "", " dereferenced", " address" };

	vec_foreach(&a->step, s) {
		strbuf_addstr(out, word[s->kind]);
		if (s->name)
			strbuf_add_safe(out, s->name);
		if (s->kind == PROBE_STEP_INDEX)
			strbuf_addf(out, "[%ld]", s->index);
	}
}

static void describe_expression(const struct probe_arg *a, struct strbuf *out)
{
	static const char *const kind[] = {
		"variable", "register", "stack address", "stack word", "command name", "argument",
		"return value",
		"memory", "constant", "memory", "all parameters", "all variables",
	};

	strbuf_addstr(out, kind[a->kind]);
	add_named(out, " ", a->variable);
	if (a->kind == PROBE_ARG_ADDRESS)
		strbuf_addf(out, a->variable ? "%+ld" : a->is_plus ? " +%#lx" : " %#lx", a->number);
	else if (a->kind == PROBE_ARG_STACKN || a->kind == PROBE_ARG_ARGN ||
		 (a->kind == PROBE_ARG_IMMEDIATE && !a->variable))
		strbuf_addf(out, " %ld", a->number);
	if (a->inner) {
		strbuf_addf(out, " %+ld(", a->number);
		describe_expression(a->inner, out);
		strbuf_addch(out, ')');
	}
	describe_steps(a, out);
	if (a->is_user)
		strbuf_addstr(out, " of the process");
}

void probe_spec_describe(const struct probe_spec *spec, struct strbuf *out)
{
	if (spec->event) {
		strbuf_add_safe(out, spec->group ? spec->group : "");
		strbuf_addstr(out, spec->group ? ":" : "");
		strbuf_add_safe(out, spec->event);
		strbuf_addstr(out, " = ");
	}
	describe_place(&spec->place, out);
	vec_foreach(&spec->arg, a) {
		strbuf_addstr(out, ", ");
		if (a->name)
			strbuf_addf(out, "%s = ", a->name);
		describe_expression(a, out);
		if (a->type.text)
			strbuf_addf(out, " as %s", a->type.text);
	}
}
