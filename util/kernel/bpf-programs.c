/* BPF-programs: the kernel's information about its BPF programs. */
#include "bpf-programs.h"
#include "../base/alloc.h"
#include "../data/features-write.h"
#include "../event/abi.h"
#include "../event/record-put.h"

#include <errno.h>
#include <linux/bpf.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define KSYMBOL_BPF 1		/* PERF_RECORD_KSYMBOL_TYPE_BPF */
#define BPF_LOADED 1		/* PERF_BPF_EVENT_PROG_LOAD */
#define ARRAY_BYTES_MAX (64u << 20)
#define PROGRAMS_MAX 100000

static bpf_syscall fake;

void bpf_set_syscall_for_test(bpf_syscall fn)
{
	fake = fn;
}

long bpf_call(int cmd, union bpf_attr *attr)
{
	long ret = fake ? fake(cmd, attr, sizeof(*attr)) : syscall(SYS_bpf, cmd, attr, sizeof(*attr));

	return ret < 0 && !fake ? -errno : ret;
}

/*
 * The arrays of struct bpf_prog_info: the offsets of their address, their number and the size of one element.
 * The order is that of the bits in the header feature. Instructions before translation (bit 1) are left out:
 * they are long, and nothing uses them.
 */
#define INFO(field) offsetof(struct bpf_prog_info, field)
static const struct info_array {
	u8 bit;
	size_t address, count;
	size_t rec_size;	/* offset of the size of an element; 0: it is size */
	u32 size;
} arrays[] = {
	{ 0, INFO(jited_prog_insns), INFO(jited_prog_len), 0, 1 },
	{ 2, INFO(map_ids), INFO(nr_map_ids), 0, 4 },
	{ 3, INFO(jited_ksyms), INFO(nr_jited_ksyms), 0, 8 },
	{ 4, INFO(jited_func_lens), INFO(nr_jited_func_lens), 0, 4 },
	{ 5, INFO(func_info), INFO(nr_func_info), INFO(func_info_rec_size), 0 },
	{ 6, INFO(line_info), INFO(nr_line_info), INFO(line_info_rec_size), 0 },
	{ 7, INFO(jited_line_info), INFO(nr_jited_line_info), INFO(jited_line_info_rec_size), 0 },
	{ 8, INFO(prog_tags), INFO(nr_prog_tags), 0, BPF_TAG_SIZE },
};

static u32 word(const void *info, size_t off)
{
	u32 v;

	memcpy(&v, (const u8 *)info + off, sizeof(v));
	return v;
}

static u64 array_bytes(const struct bpf_prog_info *info, const struct info_array *a)
{
	return (u64)word(info, a->count) * (a->rec_size ? word(info, a->rec_size) : a->size);
}

static void set_address(struct bpf_prog_info *info, const struct info_array *a, u64 v)
{
	memcpy((u8 *)info + a->address, &v, sizeof(v));
}

static int get_info(int fd, void *info, u32 *len)
{
	union bpf_attr attr = { .info = { .bpf_fd = fd, .info_len = *len, .info = (uintptr_t)info } };
	long ret = bpf_call(BPF_OBJ_GET_INFO_BY_FD, &attr);

	*len = attr.info.info_len;
	return ret;
}

/* info has the sizes; it is then filled together with p->data */
static bool fill_arrays(struct bpf_program *p, int fd, struct bpf_prog_info *info)
{
	struct bpf_prog_info want = { 0 };
	u64 total = 0;

	for (size_t i = 0; i < ARRAY_SIZE(arrays); i++)
		total += ALIGN_UP(array_bytes(info, &arrays[i]), 8);
	if (total > ARRAY_BYTES_MAX)
		return false;
	p->data = xcalloc(1, total + 1);
	p->data_len = total;
	total = 0;
	for (size_t i = 0; i < ARRAY_SIZE(arrays); i++) {
		const struct info_array *a = &arrays[i];
		u64 n = array_bytes(info, a);

		memcpy((u8 *)&want + a->count, (u8 *)info + a->count, 4);
		if (a->rec_size)
			memcpy((u8 *)&want + a->rec_size, (u8 *)info + a->rec_size, 4);
		set_address(&want, a, n ? (uintptr_t)p->data + total : 0);
		total += ALIGN_UP(n, 8);
	}
	p->info_len = sizeof(want);
	if (get_info(fd, &want, &p->info_len) < 0)
		return false;
	total = 0;
	for (size_t i = 0; i < ARRAY_SIZE(arrays); i++) {
		u64 n = array_bytes(info, &arrays[i]);

		/* without the right to see addresses the kernel clears a count, and fills nothing */
		if (array_bytes(&want, &arrays[i]) > n)
			return false;
		set_address(&want, &arrays[i], total);
		p->arrays |= 1ull << arrays[i].bit;
		total += ALIGN_UP(n, 8);
	}
	p->info_len = MIN(p->info_len, (u32)sizeof(want));
	*info = want;
	return true;
}

static void gather_btf(struct bpf_programs *p, u32 id)
{
	union bpf_attr attr = { .btf_id = id };
	struct bpf_btf_info info = { 0 };
	struct bpf_types t = { .id = id };
	u32 len = sizeof(info);
	void *data;
	int fd;

	vec_foreach(&p->btf, have)
		if (have->id == id)
			return;
	fd = bpf_call(BPF_BTF_GET_FD_BY_ID, &attr);
	if (fd < 0)
		return;
	if (!get_info(fd, &info, &len) && info.btf_size && info.btf_size <= ARRAY_BYTES_MAX) {
		t.len = info.btf_size;
		t.data = data = xcalloc(1, t.len);
		info = (struct bpf_btf_info){ .btf = (uintptr_t)data, .btf_size = t.len };
		len = sizeof(info);
		if (!get_info(fd, &info, &len)) {
			bpf_types_index(&t);
			vec_push(&p->btf, t);
		} else {
			free(data);
		}
	}
	close(fd);
}

static void gather_program(struct bpf_programs *p, u32 id)
{
	union bpf_attr attr = { .prog_id = id };
	struct bpf_program prog = { .id = id };
	struct bpf_prog_info info = { 0 };
	u32 len = sizeof(info);
	int fd = bpf_call(BPF_PROG_GET_FD_BY_ID, &attr);

	if (fd < 0)
		return;
	if (!get_info(fd, &info, &len) && fill_arrays(&prog, fd, &info)) {
		prog.info = xmalloc(sizeof(info));
		memcpy(prog.info, &info, sizeof(info));
		prog.btf_id = info.btf_id;
		vec_push(&p->prog, prog);
		if (info.btf_id)
			gather_btf(p, info.btf_id);
	} else {
		free(prog.data);
	}
	close(fd);
}

void bpf_programs_gather(struct bpf_programs *p)
{
	size_t had = p->prog.nr, k = 0;
	union bpf_attr attr;
	u32 id = 0;

	for (u32 n = 0; n < PROGRAMS_MAX; n++) {
		attr = (union bpf_attr){ .start_id = id };
		if (bpf_call(BPF_PROG_GET_NEXT_ID, &attr) < 0 || attr.next_id <= id)
			break;
		id = attr.next_id;
		while (k < had && p->prog.v[k].id < id)
			k++;
		if (k == had || p->prog.v[k].id != id)
			gather_program(p, id);
	}
}

static void put_ksymbol(struct strbuf *out, const struct bpf_function *f, const char *name, u32 trailer)
{
	record_put(out, &(struct record_view){
		.type = REC_KSYMBOL, .ksymbol = { .addr = f->addr, .len = f->len, .ksym_type = KSYMBOL_BPF,
						  .name = name } }, NULL, trailer);
}

static void synthesize_one(const struct bpf_programs *p, const struct bpf_program *prog, struct strbuf *out,
			   u32 trailer)
{
	const struct bpf_prog_info *info = (const void *)prog->info;
	struct bpf_info b = { .info = prog->info, .info_len = prog->info_len, .data = prog->data,
			      .data_len = prog->data_len };
	u32 nr = bpf_info_nr_functions(&b);
	struct strbuf name = STRBUF_INIT;

	vec_foreach(&p->btf, t)
		if (t->id == prog->btf_id)
			b.types = t;
	for (u32 i = 0; i < nr; i++) {
		struct bpf_function f;

		strbuf_reset(&name);
		f = bpf_info_function(&b, i, &name);
		if (f.addr)
			put_ksymbol(out, &f, strbuf_str(&name), trailer);
	}
	strbuf_release(&name);
	record_put(out, &(struct record_view){
		.type = REC_BPF_EVENT, .bpf_event = { .bpf_type = BPF_LOADED, .id = prog->id,
						      .tag = info->tag } }, NULL, trailer);
}

void bpf_programs_synthesize(const struct bpf_programs *p, struct strbuf *out, u32 trailer)
{
	vec_foreach(&p->prog, prog)
		synthesize_one(p, prog, out, trailer);
}

static void set_blob(struct features *f, unsigned int bit, struct feat_blob *blob, const struct strbuf *sb)
{
	*blob = (struct feat_blob){ arena_memdup(&f->bpf_arena, sb->buf, sb->len), sb->len };
	feature_set(f, bit);
}

void bpf_programs_features(const struct bpf_programs *p, struct features *f)
{
	struct strbuf sb = STRBUF_INIT;

	feature_clear(f, FEAT_BPF_PROG_INFO);
	feature_clear(f, FEAT_BPF_BTF);
	arena_reset(&f->bpf_arena);
	if (p->prog.nr) {
		put_u32(&sb, p->prog.nr);
		vec_foreach(&p->prog, prog) {
			put_u32(&sb, prog->info_len);
			put_u32(&sb, prog->data_len);
			put_u64(&sb, prog->arrays);
			strbuf_add(&sb, prog->info, prog->info_len);
			strbuf_add(&sb, prog->data, prog->data_len);
		}
		set_blob(f, FEAT_BPF_PROG_INFO, &f->bpf_prog_info, &sb);
	}
	if (p->btf.nr) {
		strbuf_reset(&sb);
		put_u32(&sb, p->btf.nr);
		vec_foreach(&p->btf, t) {
			put_u32(&sb, t->id);
			put_u32(&sb, t->len);
			strbuf_add(&sb, t->data, t->len);
		}
		set_blob(f, FEAT_BPF_BTF, &f->bpf_btf, &sb);
	}
	strbuf_release(&sb);
}

static void program_release(struct bpf_program *prog)
{
	free(prog->info);
	free(prog->data);
}

static void types_release(struct bpf_types *t)
{
	bpf_types_release(t);
	free((void *)t->data);
}

static bool is_loaded(u32 id)
{
	union bpf_attr attr = { .start_id = id - 1 };

	return bpf_call(BPF_PROG_GET_NEXT_ID, &attr) >= 0 && attr.next_id == id;
}

static bool has_types(const struct bpf_programs *p, u32 id)
{
	vec_foreach(&p->prog, prog)
		if (prog->btf_id == id)
			return true;
	return false;
}

void bpf_programs_forget_ended(struct bpf_programs *p)
{
	size_t nr = 0;

	vec_foreach(&p->prog, prog) {
		if (is_loaded(prog->id))
			p->prog.v[nr++] = *prog;
		else
			program_release(prog);
	}
	p->prog.nr = nr;
	nr = 0;
	vec_foreach(&p->btf, t) {
		if (has_types(p, t->id))
			p->btf.v[nr++] = *t;
		else
			types_release(t);
	}
	p->btf.nr = nr;
}

void bpf_programs_release(struct bpf_programs *p)
{
	vec_foreach(&p->prog, prog)
		program_release(prog);
	vec_foreach(&p->btf, t)
		types_release(t);
	vec_release(&p->prog);
	vec_release(&p->btf);
}
