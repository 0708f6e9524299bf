/* Fetch: arguments without debug information as text for the kernel. */
#include "fetch.h"

#include <ctype.h>
#include <elf.h>
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
#include "sdt-points.h"
#include "spec.h"

/* the registers that carry the first arguments of a call, by the ABIs of the architectures */
struct call_registers {
	u16 e_machine;
	const char *reg[8];
	u8 nr;
};

static const struct call_registers call_registers[] = {
	{ EM_X86_64, { "di", "si", "dx", "cx", "r8", "r9" }, 6 },
	{ EM_AARCH64, { "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7" }, 8 },
	{ EM_ARM, { "r0", "r1", "r2", "r3" }, 4 },
	{ EM_RISCV, { "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7" }, 8 },
	{ EM_S390, { "r2", "r3", "r4", "r5", "r6" }, 5 },
	{ EM_PPC64, { "gpr3", "gpr4", "gpr5", "gpr6", "gpr7", "gpr8", "gpr9", "gpr10" }, 8 },
};

static int err_at_arg(const struct fetch_ctx *c, const struct probe_arg *a, struct err *err)
{
	const char *at = a->text ? strstr(c->spec->text, a->text) : NULL;

	if (at)
		err_caret(err, c->spec->text, at - c->spec->text, strlen(a->text));
	return err->code;
}

/* names that are not the kernel's own spelling, by architecture */
struct other_name {
	const char *arch, *name, *kernel;
};
static const struct other_name other_names[] = {
	{ "x86", "rflags", "flags" }, { "x86", "eflags", "flags" },
	{ "arm64", "lr", "x30" }, { "arm64", "fp", "x29" },
	{ "riscv", "pc", "epc" },
};

/* in lower case, in the kernel's spelling */
static void spell(const struct arch *arch, const char *name, char buf[16])
{
	size_t n = strlen(name);

	for (size_t i = 0; i <= n; i++)
		buf[i] = tolower((u8)name[i]);
	if (!arch)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(other_names); i++)
		if (!strcmp(other_names[i].arch, arch->name) && !strcmp(other_names[i].name, buf))
			snprintf(buf, 16, "%s", other_names[i].kernel);
	/* "rdi", "edi" and "di" are one register */
	if (!strcmp(arch->name, "x86") && (buf[0] == 'r' || buf[0] == 'e') && strlen(buf) == 3 &&
	    isalpha((u8)buf[1]))
		memmove(buf, buf + 1, 3);
	if (!strcmp(arch->name, "powerpc") && buf[0] == 'r' && isdigit((u8)buf[1]) && n < 4) {
		memmove(buf + 3, buf + 1, n);
		memcpy(buf, "gpr", 3);
	}
}

/* what samples have, and definitions of the kernel do not */
static bool only_sampled(const struct arch *arch, bool is64, const char *name)
{
	if (!strcmp(arch->name, "x86"))
		return !strncmp(name, "xmm", 3) || (!is64 && name[0] == 'r' && isdigit((u8)name[1]));
	return !strcmp(arch->name, "arm64") && !strcmp(name, "vg");
}

/* what definitions of the kernel have, and samples do not, or under another name */
static const char *const kernel_only[] = {
	"ss", "orig_ax", "pstate", "status", "cause", "pc", "x30", "fp", "epc", NULL
};

const char *fetch_register(const struct arch *arch, bool is64, const char *name, char buf[16])
{
	const char *sampled = buf;

	if (strlen(name) > 12)
		return NULL;
	spell(arch, name, buf);
	if (!arch)
		return buf;
	if (only_sampled(arch, is64, buf))
		return NULL;
	if (!strncmp(buf, "gpr", 3))
		sampled = buf + 2;
	for (u32 i = 0; i < arch->nr_regs; i++)
		if (arch->reg[i].name && !strcasecmp(arch->reg[i].name, sampled))
			return buf;
	for (int i = 0; kernel_only[i]; i++)
		if (!strcmp(kernel_only[i], buf))
			return buf;
	return NULL;
}

static int add_register(const struct fetch_ctx *c, const struct probe_arg *a, struct strbuf *out,
			struct err *err)
{
	char buf[16];
	const char *name = fetch_register(c->arch, c->is64, a->variable, buf);
	struct strbuf list = STRBUF_INIT;

	if (name) {
		strbuf_addf(out, "%%%s", name);
		return 0;
	}
	err_set(err, -EINVAL, "%s has no register '%s' that a probe can read", c->arch->name, a->variable);
	for (u32 i = 0; i < c->arch->nr_regs; i++)
		if (c->arch->reg[i].name && fetch_register(c->arch, c->is64, c->arch->reg[i].name, buf))
			strbuf_addf(&list, " %%%s", buf);
	err_hint(err, "registers are%s", strbuf_str(&list));
	strbuf_release(&list);
	return err_at_arg(c, a, err);
}

/* $argN of a marker is the marker's argument, typed or as what another expression is made of */
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
 * $argN: the kernel knows it at the entry of its own functions. In programs it is the register or the place
 * on the stack that the calling convention says
 */
static int add_argument(const struct fetch_ctx *c, const struct probe_arg *a, struct strbuf *out,
			struct err *err)
{
	u16 machine = c->arch ? c->arch->abi[c->is64 ? 1 : 0].e_machine : EM_NONE;

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
	if (machine == EM_386) {
		/* $stack0 is the return address */
		strbuf_addf(out, "$stack%ld", a->number);
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(call_registers); i++)
		if (call_registers[i].e_machine == machine) {
			const struct call_registers *r = &call_registers[i];

			if (a->number <= r->nr)
				strbuf_addf(out, "%%%s", r->reg[a->number - 1]);
			else if (machine == EM_X86_64)
				strbuf_addf(out, "$stack%ld", a->number - r->nr);
			else
				break;
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

/*
 * a parameter, its members, or $retval's, by types that are read here: for kernels that do not find them,
 * and for what they do not find
 */
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

/* what the kernel finds itself */
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

int fetch_all(const struct fetch_ctx *c, struct probe_points *out, struct probe_point *p, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int ret = 0;

	vec_foreach(&c->spec->arg, a) {
		const char *member = c->is_kernel ? probe_arg_member(a) : NULL;

		strbuf_reset(&text);
		if (has_typed_parameters(c, a))
			ret = add_parameters(c, out, p, err);
		else
			ret = fetch_text(c, a, &text, err);
		if (!ret && text.len)
			probe_point_fetch(out, p, a->name || !member ? a->name :
					  probe_point_name(out, p, member), strbuf_str(&text));
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
