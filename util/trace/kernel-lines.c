/* Kernel-lines: see kernel-lines.h. */
#include "kernel-lines.h"
#include "trace-private.h"

#include <elf.h>
#include <string.h>
#include "../../arch/arch.h"
#include "../syscall/prototypes.h"

/* ---- rules ---- */

static void set_copy(const struct trace_opts *o, const struct syscall_copy *from, struct kernel_call_copy *to)
{
	static const u8 counts[] = {
		[SYSCALL_COUNT_ONE] = KERNEL_CALL_ONE, [SYSCALL_COUNT_STRING] = KERNEL_CALL_STRING,
		[SYSCALL_COUNT_TWO] = KERNEL_CALL_ONE, [SYSCALL_COUNT_STRINGS] = KERNEL_CALL_STRINGS,
		[SYSCALL_COUNT_AT] = KERNEL_CALL_AT, [SYSCALL_COUNT_BITS] = KERNEL_CALL_BY_BITS,
		[SYSCALL_COUNT_ARG] = KERNEL_CALL_BY_ARG, [SYSCALL_COUNT_RESULT] = KERNEL_CALL_BY_RESULT,
	};
	u32 limit = o->text.string_limit ? o->text.string_limit : SYSCALL_STRING_LIMIT;
	u32 max = from->max ? from->max : limit + 1, size = from->size ? from->size : 1;

	if (from->when == SYSCALL_NEVER)
		return;
	if (from->count == SYSCALL_COUNT_TWO)
		size *= 2;
	if (from->count == SYSCALL_COUNT_BITS)
		size = sizeof(u64);
	/* paths are shown whole as far as they fit, whatever the limit of strings is */
	if (from->count == SYSCALL_COUNT_STRING)
		max = KERNEL_CALLS_ARG_MAX;
	*to = (struct kernel_call_copy){
		.count = counts[from->count], .by_arg = from->arg, .on_success = from->when == SYSCALL_EXIT,
		.size = size, .max = MIN(max, KERNEL_CALLS_ARG_MAX) };
}

/* only of argument 1, where the calls that have parts have them */
static void set_parts(const struct trace_opts *o, const struct syscall_copy *from,
		      struct kernel_call_rule *rule)
{
	static const u8 parts[] = {
		[SYSCALL_PARTS_NONE] = KERNEL_CALL_NO_PARTS,
		[SYSCALL_PARTS_IOVEC] = KERNEL_CALL_PARTS_IOVEC,
		[SYSCALL_PARTS_MSGHDR] = KERNEL_CALL_PARTS_MSGHDR,
	};
	u32 limit = o->text.string_limit ? o->text.string_limit : SYSCALL_STRING_LIMIT;

	rule->parts = parts[from->parts];
	rule->buffer_max = MIN(limit + 1, KERNEL_CALLS_ARG_MAX);
}

/* what it points to is lost or different when it ends */
static bool changes_arguments(const struct syscall_row *row)
{
	static const char *const names[] = { "execve", "execveat", "select", "_newselect", "pselect6" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(row->name, names[i]))
			return true;
	return false;
}

static void set_rule(const struct trace_opts *o, const struct syscall_table *table, u32 nr,
		     const struct syscall_set *followed, struct kernel_call_rule *rule)
{
	const struct syscall_row *row = syscall_by_nr(table, nr);
	bool follow = row && syscall_set_has(followed, row);
	struct syscall_copy copy;

	rule->wanted = follow || !o->selected || (row ? syscall_set_has(&o->set, row) : o->unknown);
	if (!row || !rule->wanted)
		return;
	if (follow)
		rule->flags |= KERNEL_CALL_ALWAYS;
	if (!strcmp(row->name, "exit") || !strcmp(row->name, "exit_group"))
		rule->flags |= KERNEL_CALL_NO_RETURN;
	if (changes_arguments(row))
		rule->flags |= KERNEL_CALL_REPLACES_MEMORY;
	row = syscall_prototypes_row(o->text.prototypes, table, row);
	for (u32 i = 0; i < row->nr_args && o->lines; i++) {
		syscall_copy_rule(table, row, i, &copy);
		set_copy(o, &copy, &rule->arg[i]);
		if (i == 1)
			set_parts(o, &copy, rule);
	}
}

void trace_kernel_rules(const struct trace_opts *o, const struct syscall_set *followed,
			struct kernel_call_rule *rule)
{
	const struct arch *arch = arch_native();
	const struct syscall_table *native = syscall_table_native(), *compat;

	compat = arch ? syscall_table_find(arch->abi[0].e_machine, 32) : NULL;
	for (u32 nr = 0; nr < KERNEL_CALLS_NR_MAX; nr++) {
		if (native)
			set_rule(o, native, nr, followed, &rule[nr]);
		if (compat)
			set_rule(o, compat, nr, followed, &rule[KERNEL_CALLS_NR_MAX + nr]);
	}
}

/* ---- lines ---- */

/* the record of an exec's start has what its result no longer has */
static void keep_start(struct trace_thread *th, const struct kernel_call *k,
		       const struct kernel_call_data *data)
{
	u32 len = 0;

	for (u32 i = 0; i < KERNEL_CALLS_ARGS; i++) {
		th->start_len[i] = k->len[i];
		len += k->len[i];
	}
	free(th->start_data);
	th->start_data = NULL;
	th->has_start = true;
	for (u32 i = 0; i < KERNEL_CALLS_ARGS && !th->start_data; i++)
		if (data->arg[i])
			th->start_data = memcpy(xmalloc(len), data->arg[i], len);
}

/*
 * For a script the kernel runs its interpreter: argv has that, perhaps a word of the #! line, and the name of
 * the script in place of its first string
 */
static bool is_of_script(const struct syscall_data *filename, const struct syscall_data *argv)
{
	const char *name = filename->p, *s = argv->p, *end = s + argv->len;

	for (u32 i = 0; name && s < end; i++) {
		size_t len = strnlen(s, end - s);

		/* a string that was cut is the beginning of the name */
		if (i && len < filename->len && !memcmp(name, s, len) &&
		    (!name[len] || len == KERNEL_CALLS_STRING_MAX - 1))
			return true;
		s += len + 1;
	}
	return !name;
}

/*
 * The entry of an exec has the strings in memory. A failed exec's exit has the rest, too; a successful one's
 * exit has the strings of the new program
 */
static void take_start(const struct trace_thread *th, bool succeeded, struct syscall_call *call)
{
	struct syscall_data start[SYSCALL_ARGS] = { 0 };
	const u8 *kept = th->start_data;

	for (u32 i = 0; i < SYSCALL_ARGS && kept; i++) {
		if (th->start_len[i])
			start[i] = (struct syscall_data){ kept, th->start_len[i] };
		kept += th->start_len[i];
	}
	if (succeeded && start[0].p)
		call->data[0] = start[0];
	if (succeeded && call->data[1].p && is_of_script(&call->data[0], &call->data[1]))
		call->data[1].p = NULL;
	for (u32 i = 0; i < SYSCALL_ARGS; i++)
		if (!call->data[i].p)
			call->data[i] = start[i];
}

static void take_data(const struct trace_thread *th, const struct kernel_call *k,
		      const struct kernel_call_data *data, struct syscall_call *call)
{
	for (u32 i = 0; i < SYSCALL_ARGS; i++)
		call->data[i] = (struct syscall_data){ data->arg[i], k->len[i] };
	call->part = data->part;
	call->nr_parts = data->nr_parts;
	if (th->has_start)
		take_start(th, k->ret >= 0, call);
}

static struct syscall_call call_of(const struct trace *t, const struct kernel_call *k)
{
	bool compat = k->flags & KERNEL_CALL_IS_COMPAT && t->compat;
	struct syscall_call call = { .table = compat ? t->compat : t->native, .nr = k->nr, .ret = k->ret,
				     .has_ret = !(k->flags & KERNEL_CALL_IS_OPEN), .pid = k->pid,
				     .tid = k->tid };

	memcpy(call.arg, k->arg, sizeof(call.arg));
	return call;
}

void trace_kernel_call(struct trace *t, const struct tracing_sample *ts)
{
	struct kernel_call_data data;
	struct trace_thread *th;
	struct syscall_call call;
	const struct kernel_call *k;
	struct kernel_call copy;
	struct trace_line l;

	k = kernel_call_at(ts->sample->raw, ts->sample->raw_size, &copy, &data);
	if (!k || !trace_begin_event(t, ts))
		return;
	th = trace_thread_of(t, ts);
	call = call_of(t, k);
	if (!call.has_ret && !trace_never_returns(syscall_by_nr(call.table, call.nr))) {
		keep_start(th, k, &data);
		return;
	}
	take_data(th, k, &data, &call);
	l = (struct trace_line){ .th = th, .cpu = ts->sample->cpu, .start = k->enter_ns,
				 .whole = true };
	if (call.has_ret) {
		l.timed = true;
		l.duration = ts->sample->time > l.start ? ts->sample->time - l.start : 0;
		t->nr_pairs++;
	}
	trace_finish_call(t, &l, &call, false, ts);
	free(th->start_data);
	th->start_data = NULL;
	th->has_start = false;
}

void trace_kernel_pending(struct trace *t, const struct kernel_call *k)
{
	const struct syscall_call call = call_of(t, k);

	if ((!t->o->lines && !t->timeline) || t->o->failures || t->o->min_duration_ns)
		return;
	vec_foreach(&t->thread, th)
		if ((*th)->tid == call.tid) {
			(*th)->call = call;
			(*th)->enter_time = k->enter_ns;
			(*th)->cpu = UINT32_MAX;
			(*th)->in_call = t->timeline != NULL;
			if (t->o->lines)
				trace_put_unfinished(t, *th);
		}
}
