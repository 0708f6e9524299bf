/* Kernel-types: see kernel-types.h. */
#include "kernel-types.h"
#include "../base/log.h"
#include "../kernel/tracefs.h"
#include "../obj/btf.h"

static bool is_wanted(const struct trace_opts *o, const struct syscall_row *row)
{
	return !o->selected || syscall_set_has(&o->set, row);
}

/* only then the types are read: it takes 10 ms */
static bool wants_types(const struct trace_opts *o, bool all)
{
	const struct syscall_row *row;

	for (size_t i = 0; (row = syscall_table_row(syscall_table_native(), i, NULL)); i++)
		if (is_wanted(o, row) && syscall_prototypes_wants_types(row, all))
			return true;
	return false;
}

static void add_rows(struct kernel_types *k, const struct trace_opts *o, bool all)
{
	struct strbuf name = STRBUF_INIT, format = STRBUF_INIT;
	const struct syscall_row *row;

	for (size_t i = 0; (row = syscall_table_row(syscall_table_native(), i, NULL)); i++) {
		if (!is_wanted(o, row) || !syscall_prototypes_wants(row, all))
			continue;
		strbuf_reset(&name);
		strbuf_addf(&name, "sys_enter_%s", syscall_kernel_name(row));
		strbuf_reset(&format);
		if (!tracefs_event_format("syscalls", name.buf, &format))
			syscall_prototypes_add(k->prototypes, row, strbuf_str(&format));
	}
	strbuf_release(&name);
	strbuf_release(&format);
}

int kernel_types_read(struct kernel_types *k, const struct trace_opts *o, bool all, struct err *err)
{
	struct err why = ERR_INIT;

	*k = (struct kernel_types){ 0 };
	if (!syscall_table_native() || (!all && (!o->lines || o->no_syscalls)))
		return 0;
	if (all || wants_types(o, all))
		k->btf = btf_read_kernel(all ? err : &why);
	if (!k->btf && all)
		return err->code;
	if (*why.msg)
		log_v("some structs are shown as pointers: %s", why.msg);
	k->prototypes = syscall_prototypes_new(syscall_table_native(), k->btf, all);
	add_rows(k, o, all);
	return 0;
}

void kernel_types_release(struct kernel_types *k)
{
	syscall_prototypes_free(k->prototypes);
	btf_free(k->btf);
	*k = (struct kernel_types){ 0 };
}
