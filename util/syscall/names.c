/* Lists of names, and numbers as such names. */
#include "names.h"

#define NAMES(id, prefix, number) \
	const struct syscall_names syscall_names_##id = { (number) + FITS(prefix, SYSCALL_PREFIX), prefix, {
#define N(value, name) N_ON(ON_ALL, value, name)
#define N_ON(families, value, name) { value, ((families) & ON_ALL) + FITS(name, SYSCALL_NAME), name },
#define END { 0, 0, "" } } };
#include "names.def"

const char *syscall_name_of(const struct syscall_names *n, u8 family, u64 v)
{
	for (const struct syscall_name *r = n->row; r->on; r++)
		if (r->on & family && (r->value == v || (n->number == ~0ull && (u32)r->value == (u32)v)))
			return r->name;
	return NULL;
}

static void add_name(const struct syscall_names *n, bool prefix, const char *name, struct strbuf *out)
{
	if (*name == '=')
		name++;
	else if (prefix)
		strbuf_addstr(out, n->prefix);
	strbuf_addstr(out, name);
}

bool syscall_names_add(const struct syscall_names *n, u8 family, bool prefix, u64 v, struct strbuf *out)
{
	u64 number = v & n->number, left = v & ~n->number;
	const char *name = n->number || !v ? syscall_name_of(n, family, number) : NULL, *sep = "";

	if (name) {
		add_name(n, prefix, name, out);
		sep = "|";
	}
	for (const struct syscall_name *r = n->row; r->on && left; r++) {
		if (!(r->on & family) || !r->value || r->value & n->number || (r->value & left) != r->value)
			continue;
		strbuf_addstr(out, sep);
		add_name(n, prefix, r->name, out);
		left &= ~r->value;
		sep = "|";
	}
	if (!*sep)
		return false;
	/* what has no name */
	left |= name ? 0 : number;
	if (left)
		strbuf_addf(out, "|%#llx", (unsigned long long)left);
	return true;
}

void put_names(const struct put *p, const struct syscall_names *n, u64 v)
{
	const struct syscall_table *t = p->call->table;
	bool decimal = n->number == ~0ull && (v <= INT32_MAX || (s64)v < 0 || (u32)v > 0xffff0000);

	if (syscall_names_add(n, t ? t->family : ON_ALL, p->o->show_prefix, v, p->out))
		return;
	if (decimal || !v)
		strbuf_addf(p->out, "%d", (s32)v);
	else
		strbuf_addf(p->out, "%#llx", (unsigned long long)v);
}
