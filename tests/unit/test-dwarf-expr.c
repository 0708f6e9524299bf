/* DWARF expressions: numbers, descriptions, and what hostile ones may do. */
#include "test.h"

#include <dwarf.h>
#include "../../util/obj/dwarf-expr.h"

/* register n holds 100 * n; there are 8 */
static int number_reg(const struct dwarf_env *env, u64 reg, struct dwarf_value *ret)
{
	ret->off = 100 * reg;
	return reg < 8 ? DWARF_OK : DWARF_NOT_KNOWN;
}

static int load(const struct dwarf_env *env, const struct dwarf_value *addr, u64 size,
		struct dwarf_value *ret)
{
	ret->off = addr->off + (size == DWARF_WORD ? 0x1000 : size);
	return DWARF_OK;
}

static int named_reg(const struct dwarf_env *env, u64 reg, struct dwarf_value *ret)
{
	*ret = (struct dwarf_value){ .base = DWARF_REGISTER, .reg = reg };
	return DWARF_OK;
}

static int frame(const struct dwarf_env *env, struct dwarf_value *ret)
{
	ret->base = DWARF_FRAME;
	return DWARF_OK;
}

/* env->ctx is an expression that all entry values have */
struct inner {
	Dwarf_Op *ops;
	size_t nr;
};

static bool entry_expr(const struct dwarf_env *env, const Dwarf_Op *op, Dwarf_Op **ret_ops, size_t *ret_nr)
{
	const struct inner *i = env->ctx;

	*ret_ops = i->ops;
	*ret_nr = i->nr;
	return true;
}

static const struct dwarf_env numbers = { .reg = number_reg, .load = load };
static const struct dwarf_env names = { .reg = named_reg, .cfa = frame, .frame_base = frame };

#define OP(code, ...) { .atom = DW_OP_##code, ##__VA_ARGS__ }
#define EVALUATE(env, l, ...) \
	({ \
		const Dwarf_Op ops[] = { __VA_ARGS__ }; \
 \
		dwarf_evaluate(env, ops, ARRAY_SIZE(ops), l); \
	})
#define NUMBER(want, ...) \
	do { \
		struct dwarf_location l; \
 \
		CHECK_INT(EVALUATE(&numbers, &l, __VA_ARGS__), DWARF_OK); \
		CHECK(l.nr == 1 && l.piece[0].value.base == DWARF_NUMBER); \
		CHECK_INT(l.piece[0].value.off, want); \
	} while (0)
#define FAILS(env, want, ...) \
	do { \
		struct dwarf_location l; \
 \
		CHECK_INT(EVALUATE(env, &l, __VA_ARGS__), want); \
	} while (0)

TEST(dwarf_expr_numbers)
{
	NUMBER(708, OP(breg7, 8));
	NUMBER(300, OP(regx, 3));
	NUMBER(0x1000 + 708, OP(breg7, 8), OP(deref));
	NUMBER(708 + 4, OP(breg7, 8), OP(deref_size, 4));
	NUMBER(5, OP(lit2), OP(lit3), OP(plus));
	NUMBER(-1, OP(lit2), OP(lit3), OP(minus));
	NUMBER(-3, OP(const1s, -7), OP(lit2), OP(div));
	NUMBER(INT64_MIN, OP(const8s, INT64_MIN), OP(const1s, -1), OP(div));
	NUMBER(1, OP(lit7), OP(lit3), OP(mod));
	NUMBER(0, OP(lit1), OP(const1u, 64), OP(shl));
	NUMBER(-1, OP(const1s, -9), OP(const1u, 200), OP(shra));
	NUMBER(7, OP(const1s, -7), OP(abs));
	NUMBER(1, OP(const1s, -7), OP(lit0), OP(lt));
	/* rot: the top goes below the next two */
	NUMBER(2, OP(lit1), OP(lit2), OP(lit3), OP(rot));
	NUMBER(3, OP(lit1), OP(lit2), OP(lit3), OP(rot), OP(drop), OP(drop), OP(nop), OP(lit3));
	NUMBER(1, OP(lit1), OP(lit2), OP(swap));
	NUMBER(1, OP(lit1), OP(lit2), OP(lit3), OP(pick, 2));
	/* bra over a literal */
	NUMBER(1, OP(lit1, .offset = 0), OP(lit1, .offset = 1), OP(bra, 1, .offset = 2),
	       OP(lit9, .offset = 5), OP(nop, .offset = 6));
}

TEST(dwarf_expr_descriptions)
{
	struct dwarf_location l;

	CHECK_INT(EVALUATE(&names, &l, OP(breg3, 8), OP(lit4), OP(minus), OP(stack_value)), DWARF_OK);
	CHECK(!l.piece[0].is_memory && l.piece[0].value.base == DWARF_REGISTER);
	CHECK(l.piece[0].value.reg == 3 && l.piece[0].value.off == 4);
	CHECK_INT(EVALUATE(&names, &l, OP(lit4), OP(fbreg, -20), OP(plus)), DWARF_OK);
	CHECK(l.piece[0].is_memory && l.piece[0].value.base == DWARF_FRAME && l.piece[0].value.off == -16);
	CHECK_INT(EVALUATE(&names, &l, OP(addr, 0x4000), OP(plus_uconst, 8)), DWARF_OK);
	CHECK(l.piece[0].value.base == DWARF_STATIC && l.piece[0].value.off == 0x4008);
	CHECK_INT(EVALUATE(&names, &l, OP(reg1), OP(piece, 8), OP(piece, 4), OP(breg2), OP(piece, 2)),
		  DWARF_OK);
	CHECK(l.nr == 3 && l.piece[1].is_missing && l.piece[1].size == 4 && l.piece[2].is_memory);
	FAILS(&names, DWARF_COMPUTED, OP(breg1), OP(breg2), OP(plus));
	FAILS(&names, DWARF_COMPUTED, OP(lit1), OP(breg2), OP(minus));
	FAILS(&names, DWARF_COMPUTED, OP(breg1), OP(neg));
	FAILS(&names, DWARF_COMPUTED, OP(breg1), OP(bra, 0), OP(lit1));
	FAILS(&names, DWARF_COMPUTED, OP(breg1), OP(deref));
	FAILS(&names, DWARF_THREAD_LOCAL, OP(const1u, 8), OP(form_tls_address));
	FAILS(&names, DWARF_NO_ADDRESS, OP(addrx, 1));
	FAILS(&names, DWARF_ENTRY_ONLY, OP(entry_value));
	FAILS(&names, DWARF_GONE, OP(nop));
}

TEST(dwarf_expr_hostile)
{
	Dwarf_Op many[DWARF_PIECES + 1], twice[] = { OP(entry_value), OP(entry_value), OP(drop) };
	struct inner inner = { twice, ARRAY_SIZE(twice) };
	struct dwarf_env nested = { .ctx = &inner, .expr = entry_expr, .at_entry = true };
	Dwarf_Op fb = OP(fbreg);
	struct dwarf_location l;

	FAILS(&numbers, DWARF_DAMAGED, OP(plus));
	FAILS(&numbers, DWARF_DAMAGED, OP(lit1), OP(pick, UINT64_MAX));
	FAILS(&numbers, DWARF_DAMAGED, OP(lit1), OP(lit0), OP(div));
	FAILS(&numbers, DWARF_DAMAGED, OP(fbreg, 0));
	FAILS(&numbers, DWARF_NOT_KNOWN, OP(regx, UINT64_MAX));
	FAILS(&numbers, DWARF_NOT_KNOWN, OP(call_frame_cfa));
	FAILS(&numbers, DWARF_COMPUTED, OP(xderef));
	/* loops: one that grows the stack, one that does not */
	FAILS(&numbers, DWARF_DAMAGED, OP(lit1), OP(skip, -4, .offset = 1));
	FAILS(&numbers, DWARF_COMPUTED, OP(nop), OP(skip, -4, .offset = 1));
	for (size_t i = 0; i < ARRAY_SIZE(many); i++)
		many[i] = (Dwarf_Op)OP(piece, 1);
	CHECK_INT(dwarf_evaluate(&names, many, ARRAY_SIZE(many), &l), DWARF_TOO_MANY);
	CHECK_INT(dwarf_evaluate(&names, NULL, 0, &l), DWARF_GONE);
	/* entry values that contain themselves, or a frame base */
	FAILS(&nested, DWARF_DAMAGED, OP(entry_value));
	nested.frame_base = frame;
	inner = (struct inner){ &fb, 1 };
	FAILS(&nested, DWARF_DAMAGED, OP(entry_value));
}

TEST(dwarf_expr_blocks)
{
	u8 bytes[9] = { 1, 2, 3 };
	Dwarf_Block block = { .length = 3, .data = bytes };
	u64 v;

	CHECK(dwarf_block_number(&block, false, &v) && v == 0x030201);
	CHECK(dwarf_block_number(&block, true, &v) && v == 0x010203);
	block.length = 9;
	CHECK(!dwarf_block_number(&block, false, &v));
	block.length = 0;
	CHECK(!dwarf_block_number(&block, false, &v));
}
