/* From DWARF to fetch-arguments: expressions, names of functions, ranges of lines. */
#include "test.h"

#include <dwarf.h>
#include <errno.h>
#include <string.h>
#include "../../util/base/strbuf.h"
#include "../../util/probe/function-name.h"
#include "../../util/probe/listing.h"
#include "../../util/probe/location.h"
#include "../../util/probe/source-path.h"

static const char *reg(void *ctx, unsigned int dwarf)
{
	static const char *const names[] = { "ax", "dx", "cx", "bx", "si", "di", "bp", "sp" };

	return dwarf < ARRAY_SIZE(names) ? names[dwarf] : NULL;
}

static int frame_base(const struct dwarf_env *env, struct dwarf_value *ret)
{
	*ret = location_text("%bp");
	ret->off = 16;
	return DWARF_OK;
}

static int cfa(const struct dwarf_env *env, struct dwarf_value *ret)
{
	struct location_env *l = env->ctx;

	l->code = err_set(l->err, -EOPNOTSUPP, "no frame rules");
	return DWARF_DESCRIBED;
}

static bool number(const struct dwarf_env *env, const Dwarf_Op *op, u64 *ret)
{
	*ret = 0x4000 + op->number;
	return op->atom != DW_OP_implicit_value;
}

static bool entry_expr(const struct dwarf_env *env, const Dwarf_Op *op, Dwarf_Op **ret_ops, size_t *ret_nr)
{
	static Dwarf_Op ops[] = { { .atom = DW_OP_reg5 } };

	*ret_ops = ops;
	*ret_nr = 1;
	return true;
}

static const char *load_static(void *ctx, u64 svma)
{
	return svma == 0x4010 ? "@+0x3010" : "@+0x0";
}

/* one word for what the expression is: its text, or the error's code */
static void check_expr(const char *want, bool at_entry, size_t nr, const Dwarf_Op *ops)
{
	struct arena mem = { 0 };
	struct err err = ERR_INIT;
	struct location_env env = {
		.dwarf = { .frame_base = frame_base, .cfa = cfa, .number = number, .expr = entry_expr,
			   .at_entry = at_entry },
		.reg = reg, .load_static = load_static, .mem = &mem, .err = &err,
	};
	struct strbuf got = STRBUF_INIT;
	struct dwarf_location l;

	if (location_evaluate(&env, ops, nr, &l)) {
		strbuf_addstr(&got,
			      err.code == -ENODATA ? "absent" : err.code == -EOPNOTSUPP ? "cannot" : "bad");
		CHECK(err.msg[0]);
	} else {
		const struct dwarf_piece *p = &l.piece[0];

		if (p->is_memory)
			strbuf_addstr(&got, location_load(&env, &p->value));
		else if (p->value.text)
			strbuf_addf(&got, "%s%+lld", p->value.text, (long long)p->value.off);
		else
			strbuf_addf(&got, "%lld", (long long)p->value.off);
	}
	CHECK_STR(strbuf_str(&got), want);
	strbuf_release(&got);
	arena_release(&mem);
}

#define EXPR(want, at_entry, ...) \
	do { \
		const Dwarf_Op ops[] = { __VA_ARGS__ }; \
 \
		check_expr(want, at_entry, ARRAY_SIZE(ops), ops); \
	} while (0)
#define OP(code, ...) { .atom = DW_OP_##code, ##__VA_ARGS__ }

TEST(probe_locations)
{
	EXPR("%di+0", false, OP(reg5));
	EXPR("-20(%bp)", false, OP(fbreg, -36));
	EXPR("+8(%di)", false, OP(breg5, 8));
	EXPR("+16(+8(%di))", false, OP(breg5, 8), OP(deref), OP(plus_uconst, 16));
	EXPR("%di+8", false, OP(breg5, 8), OP(stack_value));
	EXPR("@+0x3010", false, OP(addr, 0x4000), OP(plus_uconst, 0x10));
	EXPR("@+0x3010", false, OP(addrx, 0x10));
	EXPR("+4(@+0x3010)", false, OP(addr, 0x4010), OP(deref), OP(plus_uconst, 4));
	EXPR("40", false, OP(lit5), OP(lit8), OP(mul), OP(stack_value));
	EXPR("-1", false, OP(const1s, -1), OP(stack_value));
	EXPR("%ax+0", false, OP(reg0), OP(piece, 8), OP(reg1), OP(piece, 8));
}

TEST(probe_locations_that_cannot_be_fetched)
{
	EXPR("absent", false);
	EXPR("absent", false, OP(entry_value), OP(stack_value));
	EXPR("%di+0", true, OP(entry_value), OP(stack_value));
	EXPR("absent", false, OP(implicit_pointer));
	EXPR("cannot", false, OP(const8u, 0), OP(form_tls_address));
	EXPR("cannot", false, OP(call_frame_cfa));
	EXPR("cannot", false, OP(regx, 17));
	EXPR("cannot", false, OP(breg5, 0), OP(lit7), OP(and), OP(stack_value));
	EXPR("cannot", false, OP(implicit_value));
	EXPR("bad", false, OP(plus));
	EXPR("bad", false, OP(drop));
	EXPR("cannot", false, OP(breg5, 8), OP(deref_size, 4));
}

TEST(probe_location_pieces)
{
	struct dwarf_location l = { .nr = 2, .piece = { { .size = 8 }, { .size = 4, .is_missing = true } } };
	u64 off = 4;

	CHECK(location_select(&l, &off, 4) == &l.piece[0] && off == 4);
	off = 6;
	CHECK(!location_select(&l, &off, 4));	/* across both */
	off = 8;
	CHECK(!location_select(&l, &off, 4));
	off = UINT64_MAX;
	CHECK(!location_select(&l, &off, 4));
}

static const char *clean(const char *path)
{
	static struct strbuf out;

	strbuf_reset(&out);
	source_path_clean(path, &out);
	return strbuf_str(&out);
}

TEST(probe_function_names)
{
	static const char rust[] = "_RNvMNtCsbFYJioi4cCO_2rs4shopNtB2_4Cart8add_item";
	static const char resize[] = "_ZN2ns6Widget6resizeEiNS_4ModeERKS0_";
	static const char hidden[] = "_ZN12_GLOBAL__N_16hiddenEi";

	CHECK(function_name_matches("main", "main", NULL));
	CHECK(!function_name_matches("mai", "main", NULL));
	CHECK(function_name_matches(resize, "resize", resize));
	CHECK(function_name_matches("add", "add<int>", NULL));
	CHECK(!function_name_matches("ad", "add<int>", NULL));
#ifdef HAVE_LIBIBERTY
	CHECK(function_name_matches("ns::Widget::resize", "resize", resize));
	CHECK(function_name_matches("Widget::resize", "resize", resize));
	CHECK(!function_name_matches("idget::resize", "resize", resize));
	CHECK(function_name_matches("rs::shop::Cart::add_item", "add_item", rust));
	CHECK(function_name_matches("Cart::add_item", "add_item", rust));
	CHECK(!function_name_matches("shop::add_item", "add_item", rust));
	CHECK(!function_name_matches("other::resize", "resize", resize));
	CHECK(function_name_matches("Widget::resize(int, ns::Mode, ns::Widget const&)", "resize", resize));
	CHECK(!function_name_matches("Widget::resize(int)", "resize", resize));
	CHECK(function_name_matches("(anonymous namespace)::hidden", "hidden", hidden));
	CHECK(function_name_matches("Box<long>::add", "add", "_ZNK2ns3BoxIlE3addEl"));
	CHECK(function_name_matches("Box::add", "add", "_ZNK2ns3BoxIlE3addEl"));
	CHECK(!function_name_matches("Box<int>::add", "add", "_ZNK2ns3BoxIlE3addEl"));
	CHECK(function_name_matches("Widget::operator<", "operator<", "_ZNK2ns6WidgetltERKS0_"));
	CHECK(function_name_matches("ns::Box<long> :: add", "add", "_ZNK2ns3BoxIlE3addEl"));
	CHECK(function_name_matches("Widget::operator bool", "operator bool", "_ZNK2ns6WidgetcvbEv"));
#endif
	CHECK_STR(clean("a.c"), "a.c");
	CHECK_STR(clean("./a//b/./a.c"), "a/b/a.c");
	CHECK_STR(clean("a/../b/c/../../a.c"), "a.c");
	CHECK_STR(clean("/src/../a.c"), "/a.c");
	CHECK_STR(clean("/../../a.c"), "/a.c");
	CHECK_STR(clean("../../a/../a.c"), "../../a.c");
	CHECK_STR(clean(""), "");
	CHECK(source_file_matches("/src/lib/a.c", "a.c"));
	CHECK(source_file_matches("/src/lib/a.c", "lib/a.c"));
	CHECK(source_file_matches("/src/lib/a.c", "/src/lib/a.c"));
	CHECK(!source_file_matches("/src/lib/aa.c", "a.c"));
}

static void check_range(const char *text, const char *function, const char *file, u32 first, u32 last)
{
	struct listing_range r;
	struct err err = ERR_INIT;

	CHECK_INT(listing_range_parse(&r, text, &err), 0);
	CHECK_STR(r.function ? r.function : "", function);
	CHECK_STR(r.file ? r.file : "", file);
	CHECK_INT(r.first, first);
	CHECK_INT(r.last, last);
	listing_range_release(&r);
}

TEST(probe_line_ranges)
{
	static const char *const bad[] = { "", ":3", "f:", "f:x", "f:3-", "f:7-3", "f:3+0", "f:3-5x", "@a.c",
					  "f@",
					   "f:99999999999" };

	check_range("func", "func", "", 0, UINT32_MAX);
	check_range("func:3", "func", "", 3, UINT32_MAX);
	check_range("func:3-7", "func", "", 3, 7);
	check_range("func:3+5", "func", "", 3, 7);
	check_range("func@a.c:3+1", "func", "a.c", 3, 3);
	check_range("lib/a.c:10-20", "", "lib/a.c", 10, 20);
	check_range("a.c", "", "a.c", 0, UINT32_MAX);
	check_range("ns::Box::add:2", "ns::Box::add", "", 2, UINT32_MAX);
	check_range("ns::add", "ns::add", "", 0, UINT32_MAX);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct listing_range r;
		struct err err = ERR_INIT;

		CHECK_INT(listing_range_parse(&r, bad[i], &err), -EINVAL);
		CHECK(err.nr_hints);
		listing_range_release(&r);
	}
}
