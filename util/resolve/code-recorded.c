/* Code-recorded: code that is in no program: functions of jitdump files, BPF programs in the header. */
#include "code-private.h"
#include "../data/bpf-info.h"
#include "../data/header-lists.h"
#include "../obj/jitdump.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool set_machine(struct code *c, u32 e_machine, bool big_endian)
{
	const struct arch *a = e_machine > UINT16_MAX ? NULL : arch_by_machine(e_machine);

	c->target = (struct disasm_target){ .e_machine = e_machine, .big_endian = big_endian,
					    .is64 = a && a->abi[1].e_machine == e_machine };
	return a;
}

static void keep(struct code *c, const u8 *bytes, size_t len, u64 svma)
{
	c->byte = xmemdup(bytes, len);
	c->nr = len;
	c->svma = svma;
}

/* symbols of a dump have the file offsets of their code */
int code_read_jitdump(struct code *c, const struct session *s, const struct dso *d, const struct symbol *sym,
		      struct err *err)
{
	struct jit_entry e;
	struct jitdump dump;
	int ret = jitdump_open_of(&dump, d->long_name, d->pid, s->is_local, err);

	if (ret)
		return ret;
	while (!c->byte && jitdump_next(&dump, &e))
		if (e.kind == JIT_LOAD && e.code_off == sym->start && e.len && e.len <= CODE_MAX)
			keep(c, e.code, e.len, e.addr);
	if (!c->byte)
		ret = err_set(err, -ENOENT, "%s has no code of %s", d->long_name, sym->name);
	else if (!set_machine(c, dump.e_machine, dump.swap != CODE_HOST_IS_BE))
		ret = err_set(err, -ENOTSUP, "%s is of an unknown machine", d->long_name);
	jitdump_close(&dump);
	return ret;
}

/* the function of that name and, if the kernel said so, that address */
static bool find_in_program(struct code *c, const struct bpf_info *b, const struct symbol *sym)
{
	struct strbuf name = STRBUF_INIT;
	bool found = false;

	for (u32 i = 0; i < bpf_info_nr_functions(b) && !found; i++) {
		struct bpf_function f;
		const u8 *bytes;

		strbuf_reset(&name);
		f = bpf_info_function(b, i, &name);
		if (strcmp(strbuf_str(&name), sym->name) || (f.addr && f.addr != sym->start) || !f.len ||
		    f.len > CODE_MAX)
			continue;
		bytes = bpf_info_code(b, i);
		found = bytes;
		if (found)
			keep(c, bytes, f.len, sym->start);
	}
	strbuf_release(&name);
	return found;
}

int code_read_bpf(struct code *c, const struct session *s, const struct dso *d, const struct symbol *sym,
		  struct err *err)
{
	struct header_bpf bpf;

	header_bpf_read(s->data, &bpf);
	for (size_t i = 0; i < bpf.program.nr && !c->byte; i++)
		find_in_program(c, &bpf.program.v[i], sym);
	header_bpf_release(&bpf);
	if (!c->byte) {
		err_set(err, -ENOENT, "the recording has no code of %s", d->long_name);
		err_hint(err, "perf record as root keeps the code of BPF programs");
		return -ENOENT;
	}
	/* of the kernel: its machine, its byte order */
	set_machine(c, session_elf_machine(s), s->data->swap != CODE_HOST_IS_BE);
	return 0;
}
