/* Fetch: arguments without debug information as text for the kernel. */
#include "fetch.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "../../arch/arch.h"
#include "../base/caret.h"
#include "../base/fs.h"
#include "../kernel/tracefs.h"
#include "image.h"
#include "kernel-types.h"
#include "point.h"
#include "register.h"
#include "sdt-marker.h"
#include "spec.h"

static int err_at_arg(const struct fetch_ctx *c, const struct probe_arg *a, struct err *err)
{
	const char *at = a->text ? strstr(c->spec->text, a->text) : NULL;

	if (at)
		err_caret(err, c->spec->text, at - c->spec->text, strlen(a->text));
	return err->code;
}

static int add_register(const struct fetch_ctx *c, const struct probe_arg *a, struct strbuf *out,
			struct err *err)
{
	char buf[16];
	const char *name = probe_register(c->arch, c->is64, a->variable, buf);
	struct strbuf list = STRBUF_INIT;

	if (name) {
		strbuf_addf(out, "%%%s", name);
		return 0;
	}
	err_set(err, -EINVAL, "%s has no register '%s' that a probe can read", c->arch->name, a->variable);
	for (u32 i = 0; i < c->arch->nr_regs; i++)
		if (*c->arch->reg[i].name && probe_register(c->arch, c->is64, c->arch->reg[i].name, buf))
			strbuf_addf(&list, " %%%s", buf);
	err_hint(err, "registers are%s", strbuf_str(&list));
	strbuf_release(&list);
	return err_at_arg(c, a, err);
}

/*
 * $argN at a marker is the marker's argument: either with a type suffix or as the base of a larger
 * expression
 */
static int add_marker_argument(const struct fetch_ctx *c, const struct probe_arg *a, bool typed,
			       struct strbuf *out, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int ret = sdt_marker_arg(c->img, c->at, a->number, &text);

	if (!ret) {
		if (!typed && strrchr(text.buf, ':'))
			*strrchr(text.buf, ':') = '\0';
		strbuf_addstr(out, text.buf);
	} else {
		err_set(err, ret, ret == -ENOENT ? "the marker '%s' has no argument %ld" :
			"a probe at the marker '%s' cannot read its argument %ld", c->at->marker, a->number);
		err_at_arg(c, a, err);
	}
	strbuf_release(&text);
	return ret;
}

/*
 * $argN: at entries of its own functions the kernel knows it. In programs the calling convention gives the
 * register or the place on the stack
 */
static int add_argument(const struct fetch_ctx *c, const struct probe_arg *a, struct strbuf *out,
			struct err *err)
{
	const struct arch_abi *abi = c->arch ? &c->arch->abi[c->is64 ? 1 : 0] : NULL;
	long nr = 0;

	if (c->is_kernel) {
		strbuf_addf(out, "$arg%ld", a->number);
		return 0;
	}
	if (c->at->marker)
		return add_marker_argument(c, a, false, out, err);
	if (c->at->is_return || c->place_off) {
		err_set(err, -EINVAL, "%s is only known where the function begins", a->text);
		err_hint(err, "use the name of the parameter, which needs debug information");
		return err_at_arg(c, a, err);
	}
	while (abi && nr < (long)ARRAY_SIZE(abi->arg_reg) && abi->arg_reg[nr])
		nr++;
	if (a->number <= nr) {
		strbuf_addf(out, "%%%s", abi->arg_reg[a->number - 1]);
		return 0;
	}
	if (abi && abi->stack_args) {
		/* $stack0 is the return address */
		strbuf_addf(out, "$stack%ld", a->number - nr);
		return 0;
	}
	err_set(err, -EINVAL, "it is not known where %s is on this architecture", a->text);
	return err_at_arg(c, a, err);
}

static int add_memory(const struct fetch_ctx *c, const struct probe_arg *a, struct strbuf *out,
		      struct err *err)
{
	const struct image_symbol *s;
	s64 off;

	if (!a->variable) {
		strbuf_addf(out, "@%s%#lx", a->is_plus ? "+" : "", a->number);
		return 0;
	}
	if (c->is_kernel) {
		strbuf_addf(out, "@%s", a->variable);
		if (a->number)
			strbuf_addf(out, "%+ld", a->number);
		return 0;
	}
	s = image_symbol(c->img, a->variable);
	if (!s) {
		err_set(err, -ENOENT, "%s has no variable or function '%s'", c->img->path, a->variable);
		return err_at_arg(c, a, err);
	}
	/* @+N is N bytes from where the file's first byte would be mapped, judged by the probe's own place */
	off = c->at->off + (s->svma - c->at->svma) + a->number;
	if (off < 0) {
		err_set(err, -ERANGE, "'%s' lies before the file's first byte in memory", a->variable);
		return err_at_arg(c, a, err);
	}
	strbuf_addf(out, "@+%#lx", off);
	return 0;
}

enum kernel_names fetch_kernel_names(void)
{
	struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	enum kernel_names names = KERNEL_NAMES_NONE;

	if (tracefs_path()) {
		strbuf_addf(&path, "%s/README", tracefs_path());
		fs_read(path.buf, &text);
	}
	if (strstr(strbuf_str(&text), "<argname>"))
		names = strstr(text.buf, "<argname>[->") ? KERNEL_NAMES_MEMBERS : KERNEL_NAMES_PARAMETERS;
	strbuf_release(&path);
	strbuf_release(&text);
	return names;
}

static int err_needs_debug(const struct fetch_ctx *c, const struct probe_arg *a, struct err *err)
{
	err_set(err, -ENODATA, "'%s' needs debug information", a->text ? a->text : a->variable);
	if (c->is_kernel && c->names == KERNEL_NAMES_PARAMETERS)
		err_hint(err, "without it, this kernel knows names of parameters, but no members");
	return err_at_arg(c, a, err);
}

/* a parameter or $retval with its members, resolved here by BTF because this kernel cannot resolve it */
static int add_typed(const struct fetch_ctx *c, const struct probe_arg *a, struct strbuf *out,
		     struct err *err)
{
	bool is_there = a->kind == PROBE_ARG_RETVAL ? c->at->is_return : !c->place_off && !c->at->is_return;
	int ret;

	if (!c->types || !c->function || !is_there ||
	    (a->kind != PROBE_ARG_VARIABLE && a->kind != PROBE_ARG_RETVAL))
		return err_needs_debug(c, a, err);
	ret = kernel_types_fetch(c->types, c->function, a, out, err);
	return ret ? err_at_arg(c, a, err) : 0;
}

/* true if the kernel resolves the argument itself */
static bool kernel_finds(const struct fetch_ctx *c, const struct probe_arg *a)
{
	if (!c->names || (c->place_off && !c->at->is_return) || a->kind == PROBE_ARG_VARS ||
	    (a->kind == PROBE_ARG_PARAMS && c->at->is_return) ||
	    (a->step.nr && c->names < KERNEL_NAMES_MEMBERS))
		return false;
	vec_foreach(&a->step, s)
		if (s->kind != PROBE_STEP_MEMBER && s->kind != PROBE_STEP_ARROW)
			return false;
	return true;
}

/* a parameter, its members, or $retval's */
static int add_kernel_name(const struct fetch_ctx *c, const struct probe_arg *a, struct strbuf *out,
			   struct err *err)
{
	if (!c->is_kernel)
		return err_needs_debug(c, a, err);
	if (!kernel_finds(c, a))
		return add_typed(c, a, out, err);
	strbuf_addstr(out, a->kind == PROBE_ARG_PARAMS ? "$arg*" : a->kind == PROBE_ARG_RETVAL ? "$retval" :
		      a->variable);
	vec_foreach(&a->step, s)
		strbuf_addf(out, "%s%s", s->kind == PROBE_STEP_MEMBER ? "." : "->", s->name);
	return 0;
}

static int add_expression(const struct fetch_ctx *c, const struct probe_arg *a, struct strbuf *out,
			  struct err *err)
{
	int ret;

	if (a->step.nr)
		return add_kernel_name(c, a, out, err);
	switch (a->kind) {
	case PROBE_ARG_REGISTER:
		return add_register(c, a, out, err);
	case PROBE_ARG_STACK:
		strbuf_addstr(out, "$stack");
		return 0;
	case PROBE_ARG_STACKN:
		strbuf_addf(out, "$stack%ld", a->number);
		return 0;
	case PROBE_ARG_COMM:
		strbuf_addstr(out, "$comm");
		return 0;
	case PROBE_ARG_ARGN:
		return add_argument(c, a, out, err);
	case PROBE_ARG_RETVAL:
		if (!c->at->is_return) {
			err_set(err, -EINVAL, "$retval is only known at the return of a function");
			err_hint(err, "add %%return to the place");
			return err_at_arg(c, a, err);
		}
		/* kernels that find names know its type, too */
		if (c->is_kernel && c->types && !c->names && !a->type.text &&
		    !add_typed(c, a, out, &(struct err)ERR_INIT))
			return 0;
		strbuf_addstr(out, "$retval");
		return 0;
	case PROBE_ARG_ADDRESS:
		return add_memory(c, a, out, err);
	case PROBE_ARG_IMMEDIATE:
		if (a->variable)
			strbuf_addf(out, "\\\"%s\"", a->variable);
		else
			strbuf_addf(out, "\\%ld", a->number);
		return 0;
	case PROBE_ARG_DEREF:
		strbuf_addf(out, a->is_user ? "+u%ld(" : "%+ld(", a->number);
		ret = add_expression(c, a->inner, out, err);
		strbuf_addch(out, ')');
		return ret;
	default:
		return add_kernel_name(c, a, out, err);
	}
}

/* "$arg1:string": the kernel takes strings of memory alone, so it is the text that the value points to */
static bool holds_pointer(const struct probe_arg *a)
{
	bool is_value = a->kind == PROBE_ARG_REGISTER || a->kind == PROBE_ARG_ARGN ||
			a->kind == PROBE_ARG_STACKN || a->kind == PROBE_ARG_RETVAL;

	return is_value && !a->step.nr &&
	       (a->type.kind == PROBE_TYPE_STRING || a->type.kind == PROBE_TYPE_USTRING);
}

int fetch_text(const struct fetch_ctx *c, const struct probe_arg *a, struct strbuf *out, struct err *err)
{
	const struct probe_type *t = &a->type;
	unsigned int word = c->is64 ? 64 : 32;
	bool points;
	int ret;

	if (a->kind == PROBE_ARG_ARGN && !t->text && c->at->marker)
		return add_marker_argument(c, a, true, out, err);
	points = holds_pointer(a);
	strbuf_addstr(out, points ? "+0(" : "");
	ret = add_expression(c, a, out, err);
	strbuf_addstr(out, points ? ")" : "");
	if (ret || !t->text)
		return ret;
	/* u, s and x take the size of a register; an array without a type has the kernel's default */
	if (t->kind == PROBE_TYPE_AUTO)
		strbuf_addf(out, ":x%u%s", word, strchr(t->text, '['));
	else if (!t->bits && (t->kind == PROBE_TYPE_UNSIGNED || t->kind == PROBE_TYPE_SIGNED ||
			      t->kind == PROBE_TYPE_HEX))
		strbuf_addf(out, ":%c%u%s", t->text[0], word, t->text + 1);
	else
		strbuf_addf(out, ":%s%s",
			    t->kind == PROBE_TYPE_STRING && a->is_user && c->is_kernel ? "u" : "", t->text);
	return 0;
}

/* $params, by types */
static int add_parameters(const struct fetch_ctx *c, struct probe_points *out, struct probe_point *p,
			  struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	const char *name;
	int ret = 0;

	for (u32 i = 0; !ret && (name = kernel_types_parameter(c->types, c->function, i)); i++) {
		const struct probe_arg one = { .kind = PROBE_ARG_VARIABLE, .variable = (char *)name };

		strbuf_reset(&text);
		ret = fetch_text(c, &one, &text, err);
		if (!ret)
			probe_point_fetch(out, p, probe_point_name(out, p, name), strbuf_str(&text));
	}
	strbuf_release(&text);
	return ret;
}

static bool has_typed_parameters(const struct fetch_ctx *c, const struct probe_arg *a)
{
	return a->kind == PROBE_ARG_PARAMS && c->is_kernel && c->types && c->function &&
	       !kernel_finds(c, a) && !c->place_off && !c->at->is_return;
}

const char *fetch_name(const struct fetch_ctx *c, const struct probe_arg *a, struct probe_points *out,
		       const struct probe_point *p)
{
	const char *name = c->is_kernel ? probe_arg_member(a) : NULL;

	if (a->name)
		return a->name;
	if (!name && a->kind == PROBE_ARG_REGISTER && !a->step.nr)
		name = a->variable;
	return name ? probe_point_name(out, p, name) : NULL;
}

int fetch_all(const struct fetch_ctx *c, struct probe_points *out, struct probe_point *p, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int ret = 0;

	vec_foreach(&c->spec->arg, a) {
		strbuf_reset(&text);
		if (has_typed_parameters(c, a))
			ret = add_parameters(c, out, p, err);
		else
			ret = fetch_text(c, a, &text, err);
		if (!ret && text.len)
			probe_point_fetch(out, p, fetch_name(c, a, out, p), strbuf_str(&text));
		if (ret)
			break;
	}
	strbuf_release(&text);
	return ret;
}

int fetch_arguments(struct probe_image *img, const struct probe_spec *spec, u64 place_off,
		    struct probe_points *out, struct probe_point *p, struct err *err)
{
	const struct fetch_ctx c = { .arch = img->arch, .is64 = img->is64, .is_kernel = img->is_kernel,
				     .img = img, .at = p, .spec = spec, .place_off = place_off,
				     .types = img->types, .function = p->function };

	return fetch_all(&c, out, p, err);
}
