/* What a kernel says of its system calls: names from formats of tracepoints, members from its types. */
#include "test.h"

#include <elf.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>
#include "../../util/base/alloc.h"
#include "../../util/base/strbuf.h"
#include "../../util/obj/btf.h"
#include "../../util/syscall/prototypes.h"

static const char names[] = "\0int\0char\0u64\0__kernel_timex\0modes\0name\0low\0high\0inner\0part\0"
			    "kind\0SMALL\0LARGE\0next\0unsigned";
#define INFO(kind, nr) ((kind) << 24 | (nr))
#define NAME(word) name_of(#word)

static u32 name_of(const char *word)
{
	u32 at = 1;

	while (strcmp(names + at, word))
		at += strlen(names + at) + 1;
	return at;
}

enum { ID_INT = 1, ID_CHAR, ID_U64, ID_NAME, ID_INNER, ID_KIND, ID_NEXT, ID_TIMEX };

static struct btf *make_btf(void)
{
	const u32 types[] = {
		NAME(int), INFO(BTF_KIND_INT, 0), 4, BTF_INT_SIGNED << 24 | 32,
		NAME(char), INFO(BTF_KIND_INT, 0), 1, BTF_INT_SIGNED << 24 | 8,
		NAME(u64), INFO(BTF_KIND_INT, 0), 8, 64,
		0, INFO(BTF_KIND_ARRAY, 0), 0, ID_CHAR, ID_INT, 8,
		/* a struct without name, and one enumeration */
		0, INFO(BTF_KIND_STRUCT, 1), 8, NAME(part), ID_U64, 0,
		NAME(kind), INFO(BTF_KIND_ENUM, 2), 4, NAME(SMALL), 0, NAME(LARGE), 1,
		0, INFO(BTF_KIND_PTR, 0), ID_TIMEX,
		NAME(__kernel_timex), INFO(BTF_KIND_STRUCT, 7) | 1u << 31, 48,
		NAME(modes), ID_INT, 0,
		NAME(low), ID_INT, 32 | 3 << 24,
		NAME(high), ID_INT, 35 | 5 << 24,
		NAME(name), ID_NAME, 64,
		0, ID_INNER, 128,
		NAME(kind), ID_KIND, 192,
		NAME(next), ID_NEXT, 256,
	};
	const struct btf_header h = { .magic = 0xeb9f, .version = 1, .hdr_len = sizeof(h),
				      .type_len = sizeof(types), .str_off = sizeof(types),
				      .str_len = sizeof(names) };
	struct strbuf bytes = STRBUF_INIT;

	strbuf_add(&bytes, &h, sizeof(h));
	strbuf_add(&bytes, types, sizeof(types));
	strbuf_add(&bytes, names, sizeof(names));
	return btf_new(&bytes, NULL);
}

static const char head[] = "name: sys_enter_x\nformat:\n\tfield:int common_pid;\toffset:4;\tsize:4;\n\n"
			   "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n";
#define FIELD(text) "\tfield:" text ";\toffset:16;\tsize:8;\tsigned:0;\n"

static struct strbuf text;

static const char *args_of(const char *call, const char *fields, const struct btf *btf, bool all,
			   const struct syscall_call *like)
{
	const struct syscall_table *t = syscall_table_find(EM_X86_64, 64);
	const struct syscall_row *row = syscall_by_name(call);
	struct syscall_prototypes *p = syscall_prototypes_new(t, btf, all);
	const struct syscall_text_opts o = { .prototypes = p };
	struct syscall_call c = *like;
	char *format = xasprintf("%s%s", head, fields);

	c.table = t;
	c.nr = syscall_nr_of(t, row);
	CHECK(syscall_prototypes_wants(row, all));
	syscall_prototypes_add(p, row, format);
	strbuf_reset(&text);
	syscall_add_args(&c, &o, &text);
	syscall_prototypes_free(p);
	free(format);
	return strbuf_str(&text);
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
TEST(a_struct_is_printed_by_the_types_of_the_kernel)
{
	struct btf *b = make_btf();
	const struct {
		int modes;
		u8 bits, pad[3];
		char name[8];
		u64 part;
		int kind, gap;
		u64 next, rest;
	} x = { .modes = -3, .bits = 9 << 3 | 5, .name = "a\x1b", .part = 7, .kind = 1, .next = 0x1000 };
	struct syscall_call c = { .arg = { 0x5000 }, .has_ret = true, .data[0] = { &x, sizeof(x) } };

	REQUIRE(b);
	CHECK_STR(args_of("adjtimex", FIELD("struct __kernel_timex * txc_p"), b, false, &c),
		  "txc_p: { .modes: -3, .low: 5, .high: 9, .name: \"a\\33\", .part: 7, .kind: LARGE, "
		  ".next: 0x1000 }");
	/* what is 0 is left out, and so is what was not copied */
	c.data[0].len = 12;
	CHECK_STR(args_of("adjtimex", FIELD("struct __kernel_timex * txc_p"), b, false, &c),
		  "txc_p: { .modes: -3, .low: 5, .high: 9, ... }");
	/* the kernel wrote nothing */
	c.ret = -22;
	CHECK_STR(args_of("adjtimex", FIELD("struct __kernel_timex * txc_p"), b, false, &c),
		  "txc_p: 0x5000");
	c.ret = 0;
	/* no such type; another number of arguments; no types at all */
	CHECK_STR(args_of("adjtimex", FIELD("struct gone * txc_p"), b, false, &c), "txc_p: 0x5000");
	CHECK_STR(args_of("adjtimex", FIELD("int a") FIELD("struct __kernel_timex * txc_p"), b, false, &c),
		  "txc_p: 0x5000");
	CHECK_STR(args_of("adjtimex", FIELD("struct __kernel_timex * txc_p"), NULL, false, &c),
		  "txc_p: 0x5000");
	btf_free(b);
}

TEST(rows_that_know_a_struct_keep_it_unless_all_are_wanted)
{
	static const u64 time[2] = { 3, 4 };
	struct btf *b = make_btf();
	struct syscall_call c = { .arg = { 0x5000 }, .has_ret = true, .data[0] = { time, sizeof(time) } };
	static const char fields[] = FIELD("const struct __kernel_timex * rqtp")
				     FIELD("struct __kernel_timex * rmtp");

	REQUIRE(b);
	CHECK(!syscall_prototypes_wants(syscall_by_name("nanosleep"), false));
	CHECK_STR(args_of("nanosleep", fields, b, true, &c), "rqtp: { .modes: 3, .name: \"\\4\", ... }");
	btf_free(b);
}
#endif

TEST(arguments_that_no_row_names)
{
	struct btf *b = make_btf();
	struct syscall_call c = { .arg = { 3, 1, 0x1000, 5, -1, 9 }, .has_ret = true };

	REQUIRE(b);
	CHECK_STR(args_of("afs_syscall", FIELD("unsigned int fd") FIELD("enum kind kind")
			  FIELD("const char * path") FIELD("size_t len") FIELD("int nr")
			  FIELD("unsigned long flags"), b, false, &c),
		  "fd: 3, kind: LARGE, path: 0x1000, len: 5, nr: -1, flags: 0x9");
	CHECK_STR(args_of("afs_syscall", FIELD("enum kind kind"), NULL, false, &c), "kind: 3");
	/* damaged formats say nothing */
	CHECK_STR(args_of("afs_syscall", FIELD("x\x1by"), b, false, &c), "");
	CHECK_STR(args_of("afs_syscall", FIELD("int a\x1b"), b, false, &c), "");
	CHECK_STR(args_of("afs_syscall", "\tfield:int a", b, false, &c), "");
	btf_free(b);
}
