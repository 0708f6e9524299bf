/*
 * Fuzz target: DWARF expressions become locations. An operation is 4 bytes: its code, two numbers, a mark
 * that makes the first one large. Whatever it is, it ends, and what is a location has a text without
 * blanks.
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

static int frame_base(void *ctx, struct location_piece *ret, struct err *err)
{
	ret->value = (struct probe_value){ .text = "%bp", .off = 16 };
	return 0;
}

static int cfa(void *ctx, struct probe_value *ret, struct err *err)
{
	*ret = (struct probe_value){ .text = "%sp", .off = 8 };
	return 0;
}

static bool indexed(void *ctx, const Dwarf_Op *op, u64 *ret)
{
	*ret = op->number << 4;
	return op->number != 7;
}

/* an expression that contains itself */
static bool entry_expr(void *ctx, const Dwarf_Op *op, Dwarf_Op **ret_ops, size_t *ret_nr)
{
	*ret_ops = ctx;
	*ret_nr = op->number & 7;
	return op->number != 9;
}

static bool implicit(void *ctx, const Dwarf_Op *op, u64 *ret)
{
	*ret = op->number;
	return op->number != 3;
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
	struct location l;
	struct location_env env = {
		.ctx = ops, .reg = reg, .frame_base = frame_base, .cfa = cfa, .indexed = indexed,
		.entry_expr = entry_expr, .implicit = implicit, .load_static = load_static,
		.at_entry = size & 1, .mem = &mem,
	};

	for (size_t i = 0; i < nr; i++) {
		const uint8_t *p = data + 4 * i;

		ops[i] = (Dwarf_Op){ .atom = p[0], .number = p[3] & 1 ? -(u64)p[1] : p[1], .number2 = p[2] };
	}
	if (!location_evaluate(&env, ops, nr, &l, &err)) {
		if (!l.nr || l.nr > LOCATION_PIECES)
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
