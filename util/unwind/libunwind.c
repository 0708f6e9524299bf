/* Libunwind: the plug-in libunwind, with the recorded stack and the mapped files as its remote memory. */
#include "unwind-plugin.h"
#include "walk.h"

#include <errno.h>
#include <stdlib.h>
#include "../base/plugin.h"

struct libunwind_unwinder {
	const struct unwind_plugin_ops *ops;
	void *handle;
	struct unwind_walk *w;	/* the stack that is walked now */
	struct walk_module at;	/* the file that was looked up last */
};

/* nr bytes of a file by svma; false: they are not in the file */
static bool file_bytes(const struct elf_obj *o, u64 svma, void *to, size_t nr)
{
	const char *bytes;
	size_t size = 0;
	u64 off;

	bytes = elf_rawfile(o->elf, &size);
	if (!bytes || !elf_obj_svma_to_off(o, svma, &off) || off > size || nr > size - off)
		return false;
	memcpy(to, bytes + off, nr);
	return true;
}

/* sizes of encoded pointers in the header, by the low bits of DW_EH_PE_* */
static size_t encoded_size(u8 encoding)
{
	static const u8 sizes[16] = { [0] = 8, [2] = 2, [3] = 4, [4] = 8, [10] = 2, [11] = 4, [12] = 8 };

	return sizes[encoding & 15];
}

#define EH_PE_UDATA4 0x03
#define EH_PE_DATAREL_SDATA4 0x3b

/* .eh_frame_hdr: version, three encodings, address of .eh_frame, number of entries, sorted table */
static bool read_header(const struct elf_obj *o, u64 svma, u64 size, struct unwind_file *f)
{
	size_t before;
	u8 head[4];
	u32 nr;

	if (!file_bytes(o, svma, head, sizeof(head)) || head[0] != 1 || head[2] != EH_PE_UDATA4 ||
	    head[3] != EH_PE_DATAREL_SDATA4 || !encoded_size(head[1]))
		return false;
	before = sizeof(head) + encoded_size(head[1]);
	if (!file_bytes(o, svma + before, &nr, sizeof(nr)) || size < before + sizeof(nr) ||
	    nr > (size - before - sizeof(nr)) / 8)
		return false;
	f->header = svma;
	f->table = svma + before + sizeof(nr);
	f->nr_entries = nr;
	return true;
}

static bool find(void *ctx, u64 ip, struct unwind_file *ret)
{
	struct libunwind_unwinder *own = ctx;
	const struct elf_obj *o;
	bool found = false;
	u64 start = UINT64_MAX;
	size_t nr;

	own->at = walk_module_at(own->w, ip);
	o = own->at.cfi ? cfi_elf(own->at.cfi) : NULL;
	if (!o || elf_getphdrnum(o->elf, &nr))
		return false;
	*ret = (struct unwind_file){ 0 };
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr ph;

		if (!gelf_getphdr(o->elf, i, &ph))
			continue;
		if (ph.p_type == PT_GNU_EH_FRAME)
			found = read_header(o, ph.p_vaddr, ph.p_filesz, ret);
		if (ph.p_type != PT_LOAD)
			continue;
		start = MIN(start, ph.p_vaddr);
		ret->end = MAX(ret->end, ph.p_vaddr + ph.p_memsz + own->at.bias);
	}
	ret->start = start + own->at.bias;
	ret->header += own->at.bias;
	ret->table += own->at.bias;
	return found;
}

static bool module_bytes(const struct walk_module *m, u64 addr, u64 *ret)
{
	return m->cfi && file_bytes(cfi_elf(m->cfi), addr - m->bias, ret, sizeof(*ret));
}

/*
 * the stack first; then tables of the last file that was looked up, which need not be in a recorded map; then
 * code of other files, in which libunwind recognises signal trampolines
 */
static bool read_word(void *ctx, u64 addr, u64 *ret)
{
	struct libunwind_unwinder *own = ctx;
	struct unwind_walk *w = own->w;
	struct walk_module other;

	if (addr - w->sp < w->size && walk_read_stack(w, addr, sizeof(*ret), ret))
		return true;
	if (module_bytes(&own->at, addr, ret))
		return true;
	other = walk_module_at(w, addr);
	if (module_bytes(&other, addr, ret))
		return true;
	walk_outside_copy(w, addr);
	return false;
}

static bool read_reg(void *ctx, unsigned int dwarf, u64 *ret)
{
	const struct cfi_machine *m = &((struct libunwind_unwinder *)ctx)->w->m;

	if (dwarf >= CFI_REGS || !(m->valid >> dwarf & 1))
		return false;
	*ret = m->reg[dwarf];
	return true;
}

static u64 first_ip(void *ctx)
{
	return ((struct libunwind_unwinder *)ctx)->w->ip;
}

static bool is_trampoline(void *ctx, u64 ip)
{
	const struct cfi_rule *rule;

	return walk_rule_at(((struct libunwind_unwinder *)ctx)->w, ip, &rule) && rule && rule->signal;
}

static int walk_libunwind(struct unwind_walk *w, void *handle, u64 *ips, int max)
{
	struct libunwind_unwinder *own = handle;
	enum unwind_plugin_end end = UNWIND_NO_RULES;
	int nr = 0;

	own->w = w;
	own->at = (struct walk_module){ .dso = ID_NONE };
	if (own->handle && w->abi->e_machine == own->ops->e_machine)
		nr = own->ops->walk(own->handle, own, ips, max, &end);
	if (!nr)		/* programs of 32 bits */
		ips[nr++] = w->ip;
	switch (end) {
	case UNWIND_COMPLETE:
		w->end = STACK_COMPLETE;
		break;
	case UNWIND_LIMIT:
		w->end = STACK_DEPTH;
		break;
	case UNWIND_NO_RULES:
		w->end = STACK_NO_RULES;
		break;
	case UNWIND_BAD:	/* walk_outside_copy() has said what could not be read */
		w->end = w->end ? w->end : STACK_MEMORY;
		break;
	}
	return nr;
}

static const struct unwind_plugin_ops *ops(struct err *err)
{
	return plugin_load("libunwind", sizeof(struct unwind_plugin_ops), err);
}

static int load_libunwind(struct err *err)
{
	return ops(err) ? 0 : err_prefix(err, "libunwind: ");
}

static void *open_libunwind(struct unwind *u UNUSED)
{
	static const struct unwind_plugin_callbacks callbacks = {
		find, read_word, read_reg, first_ip, is_trampoline,
	};
	struct libunwind_unwinder *own = xcalloc(1, sizeof(*own));

	own->ops = ops(NULL);
	own->handle = own->ops ? own->ops->open(&callbacks) : NULL;
	return own;
}

static void close_libunwind(void *handle)
{
	struct libunwind_unwinder *own = handle;

	if (own->handle)
		own->ops->close(own->handle);
	free(own);
}

const struct unwinder unwinder_libunwind = {
	.name = "libunwind", .load = load_libunwind, .open = open_libunwind, .close = close_libunwind,
	.walk = walk_libunwind,
};
