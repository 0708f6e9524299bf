/* Location: values that are texts of the kernel, and why there is none. */
#include "location.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define TEXT_MAX 256		/* loads in loads: longer texts are of no use to the kernel */

static const struct { int code; const char *why; } failures[] = {
	[DWARF_DAMAGED] = { -EBADMSG, "its location expression is damaged" },
	[DWARF_COMPUTED] = { -EOPNOTSUPP, "its value is computed here, which a fetch argument cannot do" },
	[DWARF_NOT_KNOWN] = { -EOPNOTSUPP, "its register or frame is unknown here" },
	[DWARF_NO_ADDRESS] = { -EBADMSG, "its address is not in the debug information" },
	[DWARF_TOO_LONG] = { -EOPNOTSUPP, "it is a constant of more than 8 bytes" },
	[DWARF_TOO_MANY] = { -EOPNOTSUPP, "it is in too many parts" },
	[DWARF_GONE] = { -ENODATA, "it was optimised out" },
	[DWARF_POINTS_TO_GONE] = { -ENODATA, "it is a pointer to something that was optimised out" },
	[DWARF_ENTRY_ONLY] = { -ENODATA, "only its value at the start of the function is known here" },
	[DWARF_CALLER_ONLY] = { -ENODATA, "its value is only known to its caller" },
	[DWARF_THREAD_LOCAL] = { -EOPNOTSUPP, "it is a thread-local variable, whose address a probe cannot "
		"find" },
};

struct dwarf_value location_text(const char *text)
{
	return (struct dwarf_value){ .base = DWARF_TEXT, .text = text };
}

struct dwarf_value location_register(const struct location_env *env, const char *name)
{
	char *text = arena_alloc(env->mem, strlen(name) + 2);

	text[0] = '%';
	memcpy(text + 1, name, strlen(name) + 1);
	return location_text(text);
}

static int reg(const struct dwarf_env *dwarf, u64 number, struct dwarf_value *ret)
{
	struct location_env *env = dwarf->ctx;
	const char *name = number <= UINT32_MAX ? env->reg(env->ctx, number) : NULL;

	if (!name) {
		env->code = err_set(env->err, -EOPNOTSUPP, "it is in DWARF register %llu, which a probe "
				    "cannot read, like all registers of floating-point numbers and vectors",
				    (unsigned long long)number);
		return DWARF_DESCRIBED;
	}
	*ret = location_register(env, name);
	return DWARF_OK;
}

const char *location_load(const struct location_env *env, const struct dwarf_value *v)
{
	char text[TEXT_MAX];
	int len;

	if (v->base == DWARF_STATIC)
		return env->load_static(env->ctx, v->off);
	if (v->base == DWARF_TEXT)
		len = snprintf(text, sizeof(text), "%+lld(%s)", (long long)v->off, v->text);
	else
		len = snprintf(text, sizeof(text), "@0x%llx", (unsigned long long)v->off);
	return len < (int)sizeof(text) ? arena_strdup(env->mem, text) : NULL;
}

static int load(const struct dwarf_env *dwarf, const struct dwarf_value *addr, u64 size,
		struct dwarf_value *ret)
{
	const char *text = size == DWARF_WORD ? location_load(dwarf->ctx, addr) : NULL;

	if (!text)
		return DWARF_COMPUTED;
	*ret = location_text(text);
	return DWARF_OK;
}

int location_evaluate(struct location_env *env, const Dwarf_Op *ops, size_t nr, struct dwarf_location *ret)
{
	int failure;

	env->dwarf.ctx = env;
	env->dwarf.reg = reg;
	env->dwarf.load = load;
	failure = dwarf_evaluate(&env->dwarf, ops, nr, ret);
	if (failure == DWARF_DESCRIBED)
		return env->code;
	return failure ? err_set(env->err, failures[failure].code, "%s", failures[failure].why) : 0;
}

const struct dwarf_piece *location_select(const struct dwarf_location *l, u64 *off, u64 size)
{
	u64 pos = 0;

	for (u32 i = 0; i < l->nr; i++) {
		const struct dwarf_piece *p = &l->piece[i];

		if (!p->size || (*off >= pos && *off - pos <= p->size && size <= p->size - (*off - pos))) {
			*off -= pos;
			return p->is_missing ? NULL : p;
		}
		pos += p->size;
	}
	return NULL;
}
