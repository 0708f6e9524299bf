/*
 * Fuzz target: DWARF expressions become locations. An operation is 4 bytes: its code, two numbers, a mark
 * that makes the first one large; jumps count in operations. Whatever it is, it ends, and what is a location
 * has a text without blanks.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>
#include "../../util/probe/location.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define OPS_MAX 400

static const char *reg(void *ctx, unsigned int dwarf)
{
	return dwarf < 17 ? "di" : NULL;
}

static int frame_base(const struct dwarf_env *env, struct dwarf_value *ret)
{
	*ret = location_text("%bp");
	ret->off = 16;
	return DWARF_OK;
}

static int cfa(const struct dwarf_env *env, struct dwarf_value *ret)
{
	*ret = location_text("%sp");
	ret->off = 8;
	return DWARF_OK;
}

static bool number(const struct dwarf_env *env, const Dwarf_Op *op, u64 *ret)
{
	*ret = op->number << 4;
	return op->number != (op->atom == DW_OP_implicit_value ? 3 : 7);
}

/* an expression that contains itself */
static bool entry_expr(const struct dwarf_env *env, const Dwarf_Op *op, Dwarf_Op **ret_ops, size_t *ret_nr)
{
	*ret_ops = ((struct location_env *)env->ctx)->ctx;
	*ret_nr = op->number & 7;
	return op->number != 9;
}

static const char *load_static(void *ctx, u64 svma)
{
	return svma == 16 ? NULL : "@+0x10";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t nr = size / 4 < OPS_MAX ? size / 4 : OPS_MAX;
	Dwarf_Op *ops = calloc(nr + 8, sizeof(*ops));
	struct arena mem = { 0 };
	struct err err = ERR_INIT;
	struct dwarf_location l;
	struct location_env env = {
		.dwarf = { .frame_base = frame_base, .cfa = cfa, .number = number, .expr = entry_expr,
			   .at_entry = size & 1 },
		.ctx = ops, .reg = reg, .load_static = load_static, .mem = &mem, .err = &err,
	};

	for (size_t i = 0; i < nr; i++) {
		const uint8_t *p = data + 4 * i;

		ops[i] = (Dwarf_Op){ .atom = p[0], .number = p[3] & 1 ? -(u64)p[1] : p[1], .number2 = p[2],
				     .offset = i };
	}
	if (!location_evaluate(&env, ops, nr, &l)) {
		if (!l.nr || l.nr > DWARF_PIECES)
			abort();
		for (u32 i = 0; i < l.nr; i++) {
			const char *text = location_load(&env, &l.piece[i].value);

			if (text && (strchr(text, ' ') || strlen(text) > 300))
				abort();
		}
		for (u64 at = 0; at < 20; at++) {
			u64 off = at;

			location_select(&l, &off, 4);
		}
	} else if (!err.code || !err.msg[0]) {
		abort();
	}
	arena_release(&mem);
	free(ops);
	return 0;
}
