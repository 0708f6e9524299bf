/* BPF programs that are there before recording, through a scripted bpf(2). */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <string.h>
#include "../../util/data/data.h"
#include "../../util/data/header-lists.h"
#include "../../util/data/header-print.h"
#include "../../util/event/abi.h"
#include "../../util/kernel/bpf-programs.h"

/* types: 1 INT, 2 STRUCT of one member, 3 FUNC "first", 4 FUNC "second" */
static const struct {
	u16 magic;
	u8 version, flags;
	u32 hdr_len, type_off, type_len, str_off, str_len;
	u32 types[3 + 1 + 3 + 3 + 3 + 3];
	char strings[32];
} btf = {
	0xeb9f, 1, 0, 24, 0, 64, 64, 32,
	{ 1, 1 << 24, 4, 0, 5, 4u << 24 | 1, 4, 0, 1, 0, 10, 12u << 24, 0, 16, 12u << 24, 0 },
	"\0int\0pair\0first\0second",
};

static u32 newest = 9, calls;
static bool refused, lying;

static void copy_out(u64 to, u32 room, u32 *nr, u32 have, const void *p, u32 size)
{
	if (to)
		memcpy((void *)(uintptr_t)to, p, MIN(room, have) * size);
	*nr = have;
}

static void program_info(u32 id, struct bpf_prog_info *i)
{
	static const u64 addr[2] = { 0xffffffffc0001000, 0xffffffffc0002000 };
	static const u32 len[2] = { 0x40, 0x20 }, func[2][2] = { { 0, 3 }, { 5, 4 } };
	static const u8 tags[2][8] = { { 1, 2, 3, 4, 5, 6, 7, 8 }, { 0xab, 2, 3, 4, 5, 6, 7, 8 } };

	i->type = BPF_PROG_TYPE_SOCKET_FILTER;
	i->id = id;
	memcpy(i->tag, tags[0], 8);
	strcpy(i->name, id == 5 ? "with_types" : "plain");
	if (id == 9)
		return;
	i->btf_id = 77;
	i->func_info_rec_size = 8;
	copy_out(i->jited_ksyms, i->nr_jited_ksyms, &i->nr_jited_ksyms, lying && i->jited_ksyms ? 3 : 2, addr,
		 lying ? 0 : 8);
	copy_out(i->jited_func_lens, i->nr_jited_func_lens, &i->nr_jited_func_lens, 2, len, 4);
	copy_out(i->func_info, i->nr_func_info, &i->nr_func_info, 2, func, 8);
	copy_out(i->prog_tags, i->nr_prog_tags, &i->nr_prog_tags, 2, tags, 8);
}

/* descriptors: of /dev/null, so that close() works; which object the last one is of */
static u32 open_id;

static long fake_bpf(int cmd, void *p, unsigned int size)
{
	union bpf_attr *a = p;

	calls++;
	if (refused)
		return -EPERM;
	switch (cmd) {
	case BPF_PROG_GET_NEXT_ID:
		a->next_id = a->start_id < 5 ? 5 : a->start_id < newest ? newest : 0;
		return a->next_id ? 0 : -ENOENT;
	case BPF_PROG_GET_FD_BY_ID:
	case BPF_BTF_GET_FD_BY_ID:
		open_id = a->prog_id;
		return open("/dev/null", O_RDONLY);
	case BPF_OBJ_GET_INFO_BY_FD:
		if (open_id == 77) {
			struct bpf_btf_info *i = (void *)(uintptr_t)a->info.info;

			if (i->btf)
				memcpy((void *)(uintptr_t)i->btf, &btf, MIN(i->btf_size, sizeof(btf)));
			i->btf_size = sizeof(btf);
		} else {
			program_info(open_id, (void *)(uintptr_t)a->info.info);
		}
		return 0;
	}
	return -EINVAL;
}

TEST(records_and_features)
{
	struct bpf_programs p = { 0 };
	struct features f = { 0 };
	struct strbuf out = STRBUF_INIT;
	u32 word;

	bpf_set_syscall_for_test(fake_bpf);
	bpf_programs_gather(&p);
	CHECK_INT(p.prog.nr, 2);
	CHECK_INT(p.btf.nr, 1);
	bpf_programs_synthesize(&p, &out, 16);
	CHECK(memmem(out.buf, out.len, "bpf_prog_0102030405060708_first", 32));
	CHECK(memmem(out.buf, out.len, "bpf_prog_ab02030405060708_second", 33));
	CHECK_INT(out.len, (24 + 32 + 16) + (24 + 40 + 16) + 2 * (24 + 16));
	bpf_programs_features(&p, &f);
	CHECK(feature_present(&f, FEAT_BPF_PROG_INFO) && feature_present(&f, FEAT_BPF_BTF));
	CHECK_INT(f.bpf_btf.size, 4 + 8 + sizeof(btf));
	memcpy(&word, f.bpf_prog_info.data, 4);
	CHECK_INT(word, 2);
	/* a program that came later: asked for alone */
	newest = 12;
	calls = 0;
	bpf_programs_gather(&p);
	CHECK_INT(p.prog.nr, 3);
	CHECK_INT(p.btf.nr, 1);
	CHECK_INT(p.prog.v[2].id, 12);
	/* the next output: 9 is not loaded any more, and features take no more memory than before */
	bpf_programs_forget_ended(&p);
	CHECK_INT(p.prog.nr, 2);
	CHECK_INT(p.prog.v[1].id, 12);
	CHECK_INT(p.btf.nr, 1);
	bpf_programs_features(&p, &f);
	const void *before = f.bpf_prog_info.data;

	bpf_programs_features(&p, &f);
	CHECK(f.bpf_prog_info.data == before);
	refused = true;
	bpf_programs_forget_ended(&p);
	bpf_programs_features(&p, &f);
	refused = false;
	CHECK_INT(p.prog.nr + p.btf.nr, 0);
	CHECK(!feature_present(&f, FEAT_BPF_PROG_INFO) && !feature_present(&f, FEAT_BPF_BTF));
	features_release(&f);
	bpf_programs_release(&p);
	strbuf_release(&out);
}

static const char *shown(struct data *d)
{
	static struct strbuf out;

	strbuf_reset(&out);
	feature_print_one(d, FEAT_BPF_PROG_INFO, true, &out);
	return strbuf_str(&out);
}

TEST(the_header_names_functions)
{
	struct bpf_programs p = { 0 };
	struct data d = { .path = "x" };
	const struct view_list *functions;
	struct arena arena = { 0 };
	struct view_value list;
	u32 one = 1;
	u8 *info;

	bpf_set_syscall_for_test(fake_bpf);
	bpf_programs_gather(&p);
	bpf_programs_features(&p, &d.feat);
	CHECK_STR(shown(&d), "# bpf_prog_info 5:\n"
		  "# \tsub_prog 0: bpf_prog_0102030405060708_first addr 0xffffffffc0001000 size 64\n"
		  "# \tsub_prog 1: bpf_prog_ab02030405060708_second addr 0xffffffffc0002000 size 32\n"
		  "# bpf_prog_info of id 9\n");
	CHECK(header_bpf_programs(&d, &arena, &list));
	CHECK_INT(list.list->nr, 2);
	CHECK_INT(list.list->v[0].object->nr, 2);
	functions = list.list->v[0].object->v[1].value.list;
	CHECK_INT(functions->nr, 2);
	CHECK_STR(functions->v[1].object->v[0].value.text, "bpf_prog_ab02030405060708_second");
	CHECK(functions->v[1].object->v[1].value.number == 0xffffffffc0002000);
	CHECK_INT(functions->v[1].object->v[2].value.number, 32);
	CHECK_INT(list.list->v[1].object->nr, 1);
	arena_release(&arena);
	/* one function: the program's own name, if it has one */
	info = (u8 *)d.feat.bpf_prog_info.data + 4 + 16;
	memset(info + offsetof(struct bpf_prog_info, btf_id), 0, 4);
	CHECK(strstr(shown(&d), "sub_prog 0: bpf_prog_0102030405060708_F addr"));
	memcpy(info + offsetof(struct bpf_prog_info, nr_jited_ksyms), &one, sizeof(one));
	CHECK(strstr(shown(&d), "# bpf_prog_info 5: bpf_prog_0102030405060708_with_types addr "
		     "0xffffffffc0001000 size 64\n"));
	memset(info + offsetof(struct bpf_prog_info, name), 0, BPF_OBJ_NAME_LEN);
	CHECK(strstr(shown(&d), "# bpf_prog_info 5: bpf_prog_0102030405060708 addr"));
	/* arrays outside of the data are ignored */
	memset(info + offsetof(struct bpf_prog_info, jited_ksyms), 0xff, sizeof(u64));
	CHECK(strstr(shown(&d), "# bpf_prog_info of id 5\n"));
	bpf_programs_release(&p);
}

TEST(no_right_to_ask)
{
	struct bpf_programs p = { 0 };
	struct features f = { 0 };

	refused = true;
	bpf_set_syscall_for_test(fake_bpf);
	bpf_programs_gather(&p);
	CHECK_INT(calls, 1);
	bpf_programs_features(&p, &f);
	CHECK(!feature_present(&f, FEAT_BPF_PROG_INFO));
}

TEST(counts_that_grow_are_refused)
{
	struct bpf_programs p = { 0 };

	lying = true;
	bpf_set_syscall_for_test(fake_bpf);
	bpf_programs_gather(&p);
	CHECK_INT(p.prog.nr, 1);
	CHECK_INT(p.prog.v[0].id, 9);
}

/* name of a type, "" where it has none */
static const char *type_name(const void *p, u32 len, u32 id)
{
	static char copy[64];
	struct bpf_types t = { .data = p, .len = len };
	const char *name;

	bpf_types_index(&t);
	name = bpf_types_name(&t, id);
	snprintf(copy, sizeof(copy), "%s", name ? name : "");
	bpf_types_release(&t);
	return copy;
}

TEST(damaged_types)
{
	u8 copy[sizeof(btf)];

	CHECK_STR(type_name(&btf, sizeof(btf), 3), "first");
	CHECK_STR(type_name(&btf, sizeof(btf), 4), "second");
	CHECK_STR(type_name(&btf, sizeof(btf), 5), "");
	CHECK_STR(type_name(&btf, sizeof(btf), 0), "");
	for (size_t len = 0; len < sizeof(btf); len++)
		CHECK_STR(type_name(&btf, len, 3), "");
	for (size_t i = 0; i < sizeof(btf); i++) {
		memcpy(copy, &btf, sizeof(btf));
		copy[i] = 0xff;
		type_name(copy, sizeof(copy), 4);
	}
}
