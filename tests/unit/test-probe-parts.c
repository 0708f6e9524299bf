/* Unit tests of the parts of perf probe: filters of names, registers, the loader's cache, tracefs. */
#include "err-text.h"
#include "test.h"
#include "../../util/probe/cached.h"
#include "../../arch/arch.h"
#include "../../util/kernel/probe-events.h"
#include "../../util/probe/find-file.h"
#include "../../util/probe/glob-filter.h"
#include "../../util/probe/image-match.h"
#include "../../util/probe/list.h"
#include "../../util/probe/names.h"
#include "../../util/probe/register.h"
#include "../../util/probe/sdt-args.h"

#include <errno.h>
#include <string.h>

static bool keeps(const char *filter, const char *name)
{
	struct glob_filter *f = glob_filter_parse(filter, NULL);
	bool match = f && glob_filter_matches(f, name);

	glob_filter_free(f);
	return match;
}

TEST(filters)
{
	CHECK(keeps("!_*", "main"));
	CHECK(!keeps("!_*", "_start"));
	CHECK(keeps("foo* | bar*", "barrel"));
	CHECK(!keeps("foo* & *bar", "food"));
	CHECK(keeps("!foo* & *bar", "fizzbar"));
	CHECK(!keeps("!foo* & *bar", "foobar"));
	CHECK(keeps("a & b | c", "c"));
	CHECK(!keeps("a & (b | c)", "c"));
	CHECK(keeps("!(a | b)", "c"));
	CHECK(keeps("!!a", "a"));
	CHECK(keeps("[!a]x", "bx"));
	CHECK(keeps("a|b&!c", "b"));
}

TEST(filters_that_are_none)
{
	static const char *const bad[] = { "", "&", "a &", "(a", "a)", "a b", "!", "()" };
	char deep[200];
	struct err err;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		err = (struct err)ERR_INIT;
		CHECK(!glob_filter_parse(bad[i], &err));
		CHECK_INT(err.code, -22);
	}
	memset(deep, '(', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = '\0';
	CHECK(!glob_filter_parse(deep, &err));
	CHECK_STR(err.msg, "the filter is nested too deeply");
}

static const char *reg(const char *arch, bool is64, const char *name)
{
	static char buf[16];
	const char *ret = probe_register(arch_by_uname(arch), is64, name, buf);

	return ret ? ret : "none";
}

TEST(registers)
{
	CHECK_STR(reg("x86_64", true, "di"), "di");
	CHECK_STR(reg("x86_64", true, "rdi"), "di");
	CHECK_STR(reg("x86_64", true, "EAX"), "ax");
	CHECK_STR(reg("x86_64", true, "r8"), "r8");
	CHECK_STR(reg("x86_64", true, "rip"), "ip");
	CHECK_STR(reg("x86_64", true, "eflags"), "flags");
	CHECK_STR(reg("x86_64", false, "r8"), "none");
	CHECK_STR(reg("x86_64", true, "xmm0"), "none");
	CHECK_STR(reg("x86_64", true, "x0"), "none");
	CHECK_STR(reg("x86_64", true, "rdirdirdirdirdi"), "none");
	CHECK_STR(reg("aarch64", true, "x0"), "x0");
	CHECK_STR(reg("aarch64", true, "lr"), "x30");
	CHECK_STR(reg("aarch64", true, "fp"), "x29");
	CHECK_STR(reg("aarch64", true, "vg"), "none");
	CHECK_STR(reg("riscv64", true, "a0"), "a0");
	CHECK_STR(reg("riscv64", true, "pc"), "epc");
	CHECK_STR(reg("s390x", true, "r2"), "r2");
	CHECK_STR(reg("ppc64le", true, "r3"), "gpr3");
	CHECK_STR(reg("ppc64le", true, "gpr31"), "gpr31");
}

static void put(u8 *at, u32 v)
{
	memcpy(at, &v, 4);
}

TEST(loaders_cache)
{
	static const char strings[] = "libfoo-bar.so.1\0/l/libfoo-bar.so.1\0libfoo.so.2\0/l/libfoo.so.2";
	u8 bytes[48 + 2 * 24 + sizeof(strings)] = "glibc-ld.so.cache1.1";

	put(bytes + 20, 2);
	put(bytes + 48 + 4, 96);
	put(bytes + 48 + 8, 96 + 16);
	put(bytes + 72 + 4, 96 + 35);
	put(bytes + 72 + 8, 96 + 47);
	bytes[48 + 24] = bytes[48] = 0;
	memcpy(bytes + 96, strings, sizeof(strings));
	CHECK_STR(loader_cache_find(bytes, sizeof(bytes), "libfoo.so.2"), "/l/libfoo.so.2");
	CHECK_STR(loader_cache_find(bytes, sizeof(bytes), "libfoo"), "/l/libfoo.so.2");
	CHECK_STR(loader_cache_find(bytes, sizeof(bytes), "libfoo-bar"), "/l/libfoo-bar.so.1");
	CHECK(!loader_cache_find(bytes, sizeof(bytes), "lib"));
	CHECK(!loader_cache_find(bytes, 20, "libfoo"));
	/* offsets outside, a count that is too large */
	put(bytes + 72 + 8, 5000);
	CHECK_STR(loader_cache_find(bytes, sizeof(bytes), "libfoo"), "");
	put(bytes + 20, UINT32_MAX);
	CHECK(!loader_cache_find(bytes, 100, "libx"));
	bytes[3] = 'x';
	CHECK(!loader_cache_find(bytes, sizeof(bytes), "libfoo"));
}

static void plan_name(const struct probe_events *live, struct probe_events *planned, struct probe_numbers *n,
		      const char *want)
{
	struct strbuf name = STRBUF_INIT, line = STRBUF_INIT;

	strbuf_addstr(&name, "foo");
	CHECK_INT(probe_name_free(live, planned, n, "probe", &name, true, NULL), 0);
	CHECK_STR(strbuf_str(&name), want);
	strbuf_addf(&line, "p:probe/%s foo+0", name.buf);
	CHECK(probe_event_parse(planned, line.buf, line.len, false));
	strbuf_release(&name);
	strbuf_release(&line);
}

TEST(names_of_probes_with_numbers)
{
	static const char *const lines[] = { "p:other/foo foo+0", "p:probe/foo_2 foo+0",
					     "p:probe/foo_2 foo+8" };
	struct probe_events live = { 0 }, planned = { 0 };
	struct probe_numbers n = { 0 };

	for (u32 i = 0; i < ARRAY_SIZE(lines); i++)
		REQUIRE(probe_event_parse(&live, lines[i], strlen(lines[i]), false));
	CHECK(probe_events_find(&live, "probe", "foo_2") == &live.v[1]);
	plan_name(&live, &planned, &n, "foo");
	plan_name(&live, &planned, &n, "foo_1");
	plan_name(&live, &planned, &n, "foo_3");
	plan_name(&live, &planned, &n, "foo_4");
	probe_numbers_release(&n);
	probe_events_release(&live);
	probe_events_release(&planned);
}

TEST(lines_of_tracefs)
{
	struct probe_events l = { 0 };
	const char *user =
		"r:probe_a/foo__return /bin/a:0x0000000000001139(0x4010) arg1=$retval b=+0(%di):string";
	const char *kernel = "p:probe/vfs_read vfs_read+0";

	REQUIRE(probe_event_parse(&l, user, strlen(user), true));
	REQUIRE(probe_event_parse(&l, kernel, strlen(kernel), false));
	CHECK(!probe_event_parse(&l, "p:broken", 8, true));
	CHECK(!probe_event_parse(&l, "p:a/b nocolon", 13, true));
	CHECK(!probe_event_parse(&l, "", 0, true));
	CHECK(!probe_event_parse(&l, "e:x/y a/b", 9, false));
	CHECK_INT(l.nr, 2);
	CHECK_STR(l.v[0].group, "probe_a");
	CHECK_STR(l.v[0].name, "foo__return");
	CHECK_STR(l.v[0].path, "/bin/a");
	CHECK_U64(l.v[0].off, 0x1139);
	CHECK(l.v[0].is_return);
	CHECK_STR(l.v[0].args, "arg1=$retval b=+0(%di):string");
	CHECK_STR(l.v[1].place, "vfs_read+0");
	CHECK_STR(l.v[1].args, "");
	CHECK(probe_events_find(&l, "probe", "vfs_read") == &l.v[1]);
	CHECK(!probe_events_find(&l, "probe", "vfs"));
	CHECK(probe_event_matches(&l.v[1], "vfs_*"));
	CHECK(probe_event_matches(&l.v[1], "probe:*"));
	CHECK(!probe_event_matches(&l.v[1], "probe_*:*"));
	CHECK(probe_event_matches(&l.v[0], "probe_*:foo*"));
	CHECK(probe_event_matches(&l.v[0], ":foo*"));
	probe_events_release(&l);
}

static const char *cut(const char *name)
{
	static char buf[200];

	snprintf(buf, sizeof(buf), "%s", name);
	demangled_cut(buf);
	return buf;
}

TEST(demangled_names_without_parameters)
{
	CHECK_STR(cut("ns::f(int, char*)"), "ns::f");
	CHECK_STR(cut("A<int (*)(char)>::f(int) const"), "A<int (*)(char)>::f");
	CHECK_STR(cut("A::operator()(int)"), "A::operator()");
	CHECK_STR(cut("A::operator<(A const&)"), "A::operator<");
	CHECK_STR(cut("A::operator->()"), "A::operator->");
	CHECK_STR(cut("(anonymous namespace)::f(int)"), "(anonymous namespace)::f");
	CHECK_STR(cut("main::{lambda(int)#1}::operator()(int) const"), "main::{lambda(int)#1}::operator()");
	CHECK_STR(cut("A::operators(int)"), "A::operators");
	CHECK_STR(cut("plain"), "plain");
}

#ifdef HAVE_LIBIBERTY
TEST(names_that_people_write)
{
	static const char lambda[] = "_ZZ4mainENKUliE_clEi", shift[] = "_ZN7FunctorlsIiEET_S1_";
	static const char at[] = "_ZN3ArrIiLi4EE2atEi", apply[] = "_Z5applyIZ4mainEUliE_EiT_i";
	static const char part[] = "_ZN3ArrIiLi4EE2atEi.constprop.0";

	CHECK(demangled_match("main::{lambda(int)#1}::operator()(int) const", lambda) == NAME_FULL);
	CHECK(demangled_match("main::{lambda(int)#1}::operator()(int)", lambda) == NAME_QUALIFIED);
	CHECK(demangled_match("main::{lambda(int)#1}::operator()", lambda) == NAME_QUALIFIED);
	CHECK(demangled_match("operator()", lambda) == NAME_PART);
	CHECK(demangled_match("main::{lambda(int)#2}::operator()", lambda) == NAME_DIFFERS);
	CHECK(demangled_match("Functor::operator<<", shift) == NAME_QUALIFIED);
	CHECK(demangled_match("operator<<<int>", shift) == NAME_PART);
	CHECK(demangled_match("operator<", shift) == NAME_DIFFERS);
	CHECK(demangled_match("Arr<int,4>::at", at) == NAME_QUALIFIED);
	CHECK(demangled_match("Arr::at", at) == NAME_QUALIFIED);
	CHECK(demangled_match("Arr<int, 5>::at", at) == NAME_DIFFERS);
	CHECK(demangled_match("Arr<int, 4>::at(int)", part) == NAME_QUALIFIED);
	CHECK(demangled_match("apply", apply) == NAME_QUALIFIED);
	CHECK(demangled_match("appl", apply) == NAME_DIFFERS);
}
#endif

static bool rip_symbol(void *ctx, const char *name, s64 add, struct strbuf *out)
{
	strbuf_addf(out, "@+%s%+ld", name, add);
	return true;
}

/* all arguments of a marker, with ? for those that a probe cannot read and ! for those that are damaged */
static const char *sdt(const char *arch, const char *args)
{
	static char buf[300];
	struct strbuf out = STRBUF_INIT;
	size_t len;

	while ((len = sdt_arg_len(args += strspn(args, " ")))) {
		int ret;

		if (out.len)
			strbuf_addch(&out, ' ');
		ret = sdt_arg_text(arch_by_uname(arch), true, args, len, rip_symbol, NULL, &out);
		if (ret)
			strbuf_addch(&out, ret == -EOPNOTSUPP ? '?' : '!');
		args += len;
	}
	snprintf(buf, sizeof(buf), "%s", strbuf_str(&out));
	strbuf_release(&out);
	return buf;
}

TEST(arguments_of_markers)
{
	CHECK_STR(sdt("x86_64", "8@%rdi -4@%eax 2@%bp 1@%al -1@%sil 4@%r8d 1@%r9b"),
		  "%di:u64 %ax:s32 %bp:u16 %ax:u8 %si:s8 %r8:u32 %r9:u8");
	CHECK_STR(sdt("x86_64", "8@-20(%rbp) -8@(%rsp) 4@$5 -4@$-1 8@$0x10 %rax 8@16(%r12)"),
		  "-20(%bp):u64 +0(%sp):s64 \\5:u32 \\-1:s32 \\16:u64 %ax:u64 +16(%r12):u64");
	CHECK_STR(sdt("x86_64", "8@counter(%rip) -4@counter+8(%rip)"), "@+counter+0:u64 @+counter+8:s32");
	CHECK_STR(sdt("x86_64", "-4@40+stats(%rip) 8@-8+stats+4(%rip) 4@stats-4(%rip)"),
		  "@+stats+40:s32 @+stats-4:u64 @+stats-4:u32");
	CHECK_STR(sdt("x86_64", "8@-s(%rip) 8@a+b(%rip) 8@+(%rip) 8@s(%rbp) 8@4+(%rip)"), "? ? ? ? ?");
	CHECK_STR(sdt("x86_64", "8@8(%rax,%rbx,4) 8f@%xmm0 1@%ah 8@counter"), "? ? ? ?");
	CHECK_STR(sdt("x86_64", "3@%rax x@%rax 8@ 8@(%rax @"), "! ! ! !");
	CHECK_STR(sdt("aarch64", "8@x0 -4@w1 8@[sp, 16] 4@[x29, -8] -8@[sp] 4@5 -4@#-3 8@lr"),
		  "%x0:u64 %x1:s32 +16(%sp):u64 -8(%x29):u32 +0(%sp):s64 \\5:u32 \\-3:s32 %x30:u64");
	CHECK_STR(sdt("aarch64", "8@[x0, x1] 8f@d0"), "? ?");
	CHECK_STR(sdt("riscv64", "8@a0 -4@8(sp) 8@-20(s0) 4@5"), "%a0:u64 +8(%sp):s32 -20(%s0):u64 \\5:u32");
	CHECK_STR(sdt("s390x", "8@%r2 -4@160(%r15) 8@8(%r1,%r2) 4@7"), "%r2:u64 +160(%r15):s32 ? \\7:u32");
}

/* ---- probes of the build-id cache ---- */

TEST(cached_probes)
{
	static const char text[] =
		"p:stray/x /bin/a:0x10\n"
		"#main n\n"
		"p:probe_a/main /bin/a:0x1139 n=%di:s32\n"
		"p:probe_a/main_1 /bin/a:0x1239 n=%di:s32\n"
		"not a definition\n"
		"#bad\x1b[1m\n"
		"p:probe_a/bad /bin/a:0x1139\n"
		"%sdt_mine:go=go\n"
		"p:sdt_mine/go /bin/a:0x116c(0x3018) arg1=%dx:u64";
	static const struct probe_planned new[] = {
		{ .group = "probe_a", .event = "main", .definition = "p:probe_a/main /bin/a:0x99" },
	};
	struct cached_probes l = { 0 };
	struct strbuf out = STRBUF_INIT;

	cached_probes_parse(&l, text);
	CHECK_U64(l.nr, 2);
	CHECK_STR(l.v[0].text, "main n");
	CHECK_U64(l.v[0].definition.nr, 2);
	CHECK(cached_probe_matches(&l.v[0], "main_1"));
	CHECK(cached_probe_matches(&l.v[0], "probe_?:main"));
	CHECK(!cached_probe_matches(&l.v[0], "sdt_*:*"));
	CHECK(cached_probe_matches(&l.v[1], "sdt_mine:go"));
	/* the same event under another text replaces it */
	cached_probes_put(&l, '#', "main", new, 1);
	CHECK_U64(l.nr, 2);
	cached_probes_text(&l, &out);
	CHECK_STR(strbuf_str(&out), "#main\np:probe_a/main /bin/a:0x99\n%sdt_mine:go=go\n"
		  "p:sdt_mine/go /bin/a:0x116c(0x3018) arg1=%dx:u64\n");
	strbuf_release(&out);
	cached_probes_release(&l);
}
