/*
 * Libdw: libdw's frames. Dwfl knows the files of one address space; files are reported when a frame leads
 * there, because the recording may contain thousands of them.
 */
#include "walk.h"

#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include "../lib/lib.h"

#define MAX_SPACES 32		/* address spaces that are kept; then all are forgotten */

struct space {
	u32 maps;
	Dwfl *dwfl;
	bool attached;
};

struct libdw_unwinder {
	struct { VEC(struct space); } space;
	/* the stack that is walked now */
	struct unwind_walk *w;
	struct space *at;
	u64 *ips;
	int nr, max;
	u64 pc;			/* of the last frame; 0: it has no caller */
	bool stale;		/* another file is mapped now where one was reported */
};

static int find_elf(Dwfl_Module *mod UNUSED, void **userdata, const char *name UNUSED, Dwarf_Addr base UNUSED,
		    char **file_name UNUSED, Elf **elf)
{
	*elf = elf_begin(-1, ELF_C_READ, cfi_elf(*userdata)->elf);
	return -1;
}

/* debug files are not searched, and nothing is fetched */
static int find_debuginfo(Dwfl_Module *mod UNUSED, void **userdata UNUSED, const char *name UNUSED,
			  Dwarf_Addr base UNUSED, const char *file UNUSED, const char *link UNUSED,
			  GElf_Word crc UNUSED, char **ret UNUSED)
{
	return -1;
}

static const Dwfl_Callbacks callbacks = { .find_elf = find_elf, .find_debuginfo = find_debuginfo };

/* the addresses of a file's segments; false: it has none */
static bool extent(const struct cfi *c, u64 *start, u64 *end)
{
	bool any = false;
	size_t nr;

	if (elf_getphdrnum(cfi_elf(c)->elf, &nr))
		return false;
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr ph;

		if (!gelf_getphdr(cfi_elf(c)->elf, i, &ph) || ph.p_type != PT_LOAD)
			continue;
		if (!any)
			*start = ph.p_align > 1 ? ph.p_vaddr & -ph.p_align : ph.p_vaddr;
		*end = ph.p_vaddr + ph.p_memsz;
		any = true;
	}
	return any && *end > *start;
}

/* tells libdw which file is at an address */
static void report(struct libdw_unwinder *o, u64 ip)
{
	struct walk_module m = walk_module_at(o->w, ip);
	Dwfl_Module *known = dwfl_addrmodule(o->at->dwfl, ip), *mod;
	void **userdata = NULL;
	Dwarf_Addr at = 0;
	u64 start, end;

	if (known) {
		dwfl_module_info(known, &userdata, &at, NULL, NULL, NULL, NULL, NULL);
		o->stale |= !m.cfi || *userdata != m.cfi || !extent(m.cfi, &start, &end) ||
			    at != start + m.bias;
		return;
	}
	if (!m.cfi || !extent(m.cfi, &start, &end))
		return;
	dwfl_report_begin_add(o->at->dwfl);
	mod = dwfl_report_module(o->at->dwfl, "", start + m.bias, end + m.bias);
	if (mod) {
		dwfl_module_info(mod, &userdata, NULL, NULL, NULL, NULL, NULL, NULL);
		*userdata = m.cfi;
	}
	dwfl_report_end(o->at->dwfl, NULL, NULL);
}

static pid_t only_thread(Dwfl *dwfl UNUSED, void *arg, void **ret)
{
	if (*ret)
		return 0;
	*ret = arg;
	return 1;
}

static bool get_thread(Dwfl *dwfl UNUSED, pid_t tid UNUSED, void *arg, void **ret)
{
	*ret = arg;
	return true;
}

static bool read_memory(Dwfl *dwfl UNUSED, Dwarf_Addr addr, Dwarf_Word *ret, void *arg)
{
	struct libdw_unwinder *o = arg;
	u64 v = 0;

	if (!walk_read_stack(o->w, addr, o->w->abi->word, &v))
		return false;
	*ret = v;
	return true;
}

static bool set_registers(Dwfl_Thread *thread, void *arg)
{
	struct libdw_unwinder *o = arg;
	struct unwind_walk *w = o->w;

	for (unsigned int i = 0; i < CFI_REGS; i++) {
		Dwarf_Word v = w->m.reg[i];

		/* libdw's frames lack some registers that samples have */
		if (w->m.valid >> i & 1)
			dwfl_thread_state_registers(thread, i, 1, &v);
	}
	if (w->abi->dwarf_ip != ARCH_NO_REG) {
		Dwarf_Word ip = w->ip;

		dwfl_thread_state_registers(thread, w->abi->dwarf_ip, 1, &ip);
	}
	dwfl_thread_state_register_pc(thread, w->ip);
	return true;
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = only_thread, .get_thread = get_thread, .memory_read = read_memory,
	.set_initial_registers = set_registers,
};

/* a frame: its file is reported before libdw looks for the rules that lead to its caller */
static int frame(Dwfl_Frame *state, void *arg)
{
	struct libdw_unwinder *o = arg;
	bool activation;
	Dwarf_Addr pc;

	if (o->nr == o->max || !dwfl_frame_pc(state, &pc, NULL))
		return DWARF_CB_ABORT;
	o->pc = pc;
	if (o->nr && !pc)
		return DWARF_CB_ABORT;
	o->w->end = STACK_COMPLETE;
	report(o, pc);
	report(o, pc - 1);
	if (o->stale || !dwfl_frame_pc(state, &pc, &activation))
		return DWARF_CB_ABORT;
	o->ips[o->nr++] = activation ? pc : pc - 1;
	return DWARF_CB_OK;
}

static void forget(struct libdw_unwinder *o)
{
	vec_foreach(&o->space, s)
		dwfl_end(s->dwfl);
	vec_release(&o->space);
}

static struct space *space_of(struct libdw_unwinder *o, u32 maps)
{
	vec_foreach(&o->space, s)
		if (s->maps == maps)
			return s;
	if (o->space.nr == MAX_SPACES)
		forget(o);
	vec_push(&o->space, ((struct space){ .maps = maps, .dwfl = dwfl_begin(&callbacks) }));
	return &o->space.v[o->space.nr - 1];
}

/* libdw learns the architecture from a file of that machine, whichever it is */
static bool attach(struct libdw_unwinder *o, struct space *s)
{
	struct cfi *file;

	if (s->attached)
		return true;
	file = walk_module_at(o->w, o->w->ip).cfi;
	for (size_t i = 0; !file && i < o->w->u->cfi.nr; i++) {
		struct cfi *c = o->w->u->cfi.v[i];

		if (c && cfi_elf(c)->ehdr.e_machine == o->w->abi->e_machine)
			file = c;
	}
	s->attached = file && dwfl_attach_state(s->dwfl, cfi_elf(file)->elf, 1, &thread_callbacks, o);
	return s->attached;
}

/* libdw ends at the first function of a thread as it does where it does not know how to go on */
static enum stack_why why_silent(struct libdw_unwinder *o)
{
	const struct cfi_rule *rule;

	walk_rule_at(o->w, o->ips[o->nr - 1], &rule);
	if (!rule)
		return STACK_NO_RULES;
	return rule->ra < CFI_REGS && rule->reg[rule->ra].kind == CFI_UNDEFINED ? STACK_COMPLETE :
	       STACK_MEMORY;
}

static int walk_once(struct libdw_unwinder *o)
{
	struct unwind_walk *w = o->w;

	o->at = space_of(o, w->ctx->maps);
	o->nr = 0;
	o->stale = false;
	o->pc = w->ip;
	w->end = STACK_NO_RULES;
	if (!o->at->dwfl || !attach(o, o->at)) {
		o->ips[0] = w->ip;
		return 1;
	}
	dwfl_getthread_frames(o->at->dwfl, 1, frame, o);
	if (o->nr == o->max)
		w->end = STACK_DEPTH;
	else if (w->end == STACK_COMPLETE && o->pc)
		w->end = why_silent(o);
	return o->nr;
}

static int walk_libdw(struct unwind_walk *w, void *own, u64 *ips, int max)
{
	struct libdw_unwinder *o = own;
	int nr;

	o->w = w;
	o->ips = ips;
	o->max = max;
	nr = walk_once(o);
	if (o->stale) {
		forget(o);
		nr = walk_once(o);
	}
	return nr;
}

static int load_libdw(struct err *err)
{
	return lib_load(LIB_libdw, err) ? err_prefix(err, "libdw: ") : 0;
}

static void *open_libdw(struct unwind *u UNUSED)
{
	return xcalloc(1, sizeof(struct libdw_unwinder));
}

static void close_libdw(void *own)
{
	forget(own);
	free(own);
}

const struct unwinder unwinder_libdw = {
	.name = "libdw", .load = load_libdw, .open = open_libdw, .close = close_libdw, .walk = walk_libdw,
	.foreign = true,
};
