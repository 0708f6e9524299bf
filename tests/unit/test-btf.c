/* Btf: types from bytes that are made here, and those of this kernel. */
#include "test.h"

#include <linux/btf.h>
#include <string.h>
#include "../../util/obj/btf.h"

/* "\0int\0list\0owner\0next\0run\0work\0enum_a\0A\0B\0" */
static const char names[] = "\0int\0list\0owner\0next\0run\0work\0flags\0A\0B";
enum { INT = 1, LIST = 5, OWNER = 10, NEXT = 16, RUN = 21, WORK = 25, FLAGS = 30, A = 36, B = 38 };

#define INFO(kind, nr) ((kind) << 24 | (nr))
static const u32 types[] = {
	/* 1: int */
	INT, INFO(BTF_KIND_INT, 0), 4, 32,
	/* 2: a struct without name, { int owner; } */
	0, INFO(BTF_KIND_STRUCT, 1), 4, OWNER, 1, 0,
	/* 3: struct list { int next; struct { int owner; }; } */
	LIST, INFO(BTF_KIND_STRUCT, 2), 8, NEXT, 1, 0, 0, 2, 32,
	/* 4: const struct list, 5: a pointer to it */
	0, INFO(BTF_KIND_CONST, 0), 3,
	0, INFO(BTF_KIND_PTR, 0), 4,
	/* 6: enum flags { A = 1, B = -2 }, signed */
	FLAGS, INFO(BTF_KIND_ENUM, 2) | 1u << 31, 4, A, 1, B, (u32)-2,
	/* 7: int (const struct list *work), 8: run of this type */
	0, INFO(BTF_KIND_FUNC_PROTO, 1), 1, WORK, 5,
	RUN, INFO(BTF_KIND_FUNC, 1), 7,
	/* 9: a typedef of itself */
	INT, INFO(BTF_KIND_TYPEDEF, 0), 9,
	/* 10: struct list[3] */
	0, INFO(BTF_KIND_ARRAY, 0), 0, 3, 1, 3,
};

static void make_of(struct strbuf *out, const void *type, u32 type_bytes, const void *text, u32 len)
{
	const struct btf_header h = { .magic = 0xeb9f, .version = 1, .hdr_len = sizeof(h),
				      .type_len = type_bytes, .str_off = type_bytes, .str_len = len };

	strbuf_add(out, &h, sizeof(h));
	strbuf_add(out, type, type_bytes);
	strbuf_add(out, text, len);
}

static void make(struct strbuf *out, u32 type_bytes)
{
	make_of(out, types, type_bytes, names, sizeof(names));
}

TEST(types_of_btf)
{
	struct strbuf bytes = STRBUF_INIT, text = STRBUF_INIT;
	struct btf_entry e;
	struct btf_field f;
	const char *name;
	struct btf *b;
	u32 offset = 0;
	s64 value;

	make(&bytes, sizeof(types));
	b = btf_new(&bytes, NULL);
	REQUIRE(b);
	CHECK_INT(btf_nr(b), 11);
	CHECK_INT(btf_find(b, BTF_KIND_STRUCT, "list"), 3);
	CHECK_INT(btf_find(b, BTF_KIND_UNION, "list"), 0);
	CHECK_INT(btf_offset(b, "list", "owner", &offset, NULL), 0);
	CHECK_INT(offset, 4);
	CHECK(btf_offset(b, "list", "gone", &offset, NULL) < 0);
	CHECK(btf_offset(b, "gone", "owner", &offset, NULL) < 0);
	REQUIRE(btf_prototype(b, "run", &e));
	REQUIRE(btf_field_at(b, &e, 0, &f));
	CHECK_STR(f.name, "work");
	CHECK(!btf_field_at(b, &e, 1, &f));
	btf_add_type_name(b, 5, &text);
	CHECK_STR(strbuf_str(&text), "const struct list *");
	REQUIRE(btf_get(b, 6, &e));
	CHECK(btf_value_at(b, &e, 1, &name, &value) && value == -2);
	CHECK_STR(name, "B");
	CHECK_U64(btf_size(b, 10), 24);
	CHECK_U64(btf_size(b, 5), 8);
	/* what refers to itself has no type, no name and no size, and ends */
	CHECK_INT(btf_skip(b, 9), 0);
	CHECK_U64(btf_size(b, 9), 0);
	CHECK(!btf_get(b, 11, &e));
	btf_free(b);
	strbuf_release(&text);
}

TEST(types_of_a_module_count_on)
{
	/* "mod_fn" and "mine" are after the kernel's names; type 11: void (struct list *mine), 12: mod_fn */
	static const char text[] = "mod_fn\0mine";
	const u32 own[] = { 0, INFO(BTF_KIND_FUNC_PROTO, 1), 0, sizeof(names) + 7, 5,
			    sizeof(names), INFO(BTF_KIND_FUNC, 1), 11 };
	struct strbuf base = STRBUF_INIT, bytes = STRBUF_INIT;
	struct btf_entry e;
	struct btf_field f;
	struct btf *b;
	u32 type, nr;

	make(&base, sizeof(types));
	make_of(&bytes, own, sizeof(own), text, sizeof(text));
	b = btf_new_of_module(&base, &bytes, NULL);
	REQUIRE(b);
	REQUIRE(btf_prototype(b, "mod_fn", &e));
	REQUIRE(btf_field_at(b, &e, 0, &f));
	CHECK_STR(f.name, "mine");
	CHECK_INT(f.type, 5);
	CHECK(btf_prototype(b, "run", &e));
	/* members of members, what arrays have, signs */
	CHECK(btf_member(b, 3, "owner", &f) && f.bit == 32 && f.type == 1);
	CHECK(!btf_member(b, 5, "owner", &f));
	CHECK(btf_array(b, 10, &type, &nr) && type == 3 && nr == 3);
	CHECK(!btf_array(b, 3, &type, &nr));
	CHECK(btf_is_signed(b, 6) && !btf_is_signed(b, 3));
	btf_free(b);
	/* either is damaged */
	for (int i = 0; i < 2; i++) {
		make(&base, sizeof(types));
		make_of(&bytes, own, sizeof(own), text, sizeof(text));
		strbuf_setlen(i ? &base : &bytes, 30);
		CHECK(!btf_new_of_module(&base, &bytes, NULL));
	}
}

TEST(variables_of_cpus)
{
	static const char text[] = "\0int\0queues\0other\0.data..percpu";
	/* 2, 3: variables of type 1; 4: their section, in which only the second one is */
	static const u32 own[] = {
		1, INFO(BTF_KIND_INT, 0), 4, 32, 12, INFO(BTF_KIND_VAR, 0), 1, 1,
		5, INFO(BTF_KIND_VAR, 0), 1, 1, 18, INFO(BTF_KIND_DATASEC, 2), 16, 1, 0, 4, 3, 12, 4,
	};
	struct strbuf bytes = STRBUF_INIT;
	struct btf *b;
	u32 offset = 0;

	make_of(&bytes, own, sizeof(own), text, sizeof(text));
	b = btf_new(&bytes, NULL);
	REQUIRE(b);
	CHECK(btf_cpu_variable(b, "queues", &offset));
	CHECK_INT(offset, 12);
	CHECK(!btf_cpu_variable(b, "other", &offset));
	CHECK(!btf_cpu_variable(b, "int", &offset));
	btf_free(b);
	/* no section */
	make(&bytes, sizeof(types));
	b = btf_new(&bytes, NULL);
	REQUIRE(b);
	CHECK(!btf_cpu_variable(b, "queues", &offset));
	btf_free(b);
}

TEST(damaged_btf_is_refused)
{
	/* every cut: through the head, through types, through names; never a read beyond the end */
	for (u32 len = 0; len < sizeof(struct btf_header) + sizeof(types) + sizeof(names); len++) {
		struct strbuf bytes = STRBUF_INIT;

		make(&bytes, sizeof(types));
		strbuf_setlen(&bytes, len);
		CHECK(!btf_new(&bytes, NULL));
	}
	/* a section of types that ends inside of a type */
	for (u32 cut = 4; cut < 24; cut += 4) {
		struct strbuf bytes = STRBUF_INIT;
		struct err err = ERR_INIT;

		make(&bytes, sizeof(types) - cut);
		CHECK(!btf_new(&bytes, &err));
		CHECK(strstr(err.msg, "type 10 is damaged") != NULL);
	}
}

TEST(types_of_this_kernel)
{
	struct err err = ERR_INIT;
	struct btf *b = btf_read_kernel(&err);
	struct btf_entry e;
	u32 pid, comm;

	if (!b)
		SKIP("%s", err.msg);
	REQUIRE(!btf_offset(b, "task_struct", "pid", &pid, &err));
	REQUIRE(!btf_offset(b, "task_struct", "comm", &comm, &err));
	CHECK(pid != comm);
	CHECK(btf_prototype(b, "schedule", &e));
	btf_free(b);
}
