/* Wall-fields: see wall-fields.h. */
#include "wall-fields.h"
#include "../../arch/arch.h"
#include "../record/wall-marks.h"
#include "../record/wall-switches.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

static enum wall_kind tracepoint_kind(const struct event *ev)
{
	static const char *const wakeups[] = { "sched_waking", "sched_wakeup", "sched_wakeup_new" };

	if (strcmp(ev->tp_system, "sched"))
		return KIND_OTHER;
	for (size_t i = 0; i < ARRAY_SIZE(wakeups); i++)
		if (!strcmp(ev->tp_name, wakeups[i]))
			return KIND_WAKEUP;
	return strcmp(ev->tp_name, "sched_switch") ? KIND_OTHER : KIND_SWITCH;
}

/*
 * Probes of a function have its name: "work", a second one "work_1", returns "work__return", without the
 * characters of C++ names that event names cannot contain
 */
static enum wall_kind probe_kind(const char *name, const char *span)
{
	size_t len = strlen(span);
	const char *rest = name + len;

	if (strncmp(name, span, len))
		return KIND_OTHER;
	if (!strncmp(rest, "__return", 8))
		return KIND_RETURN;
	if (*rest == '_' && rest[1] && rest[1 + strspn(rest + 1, "0123456789")] == '\0')
		return KIND_ENTRY;
	return *rest ? KIND_OTHER : KIND_ENTRY;
}

static void bind_probe(struct wall_file_events *c, const struct event *ev)
{
	struct wall_fields *f = &c->event[ev->idx];
	const struct tracefmt_event *te = c->formats ? tracefmt_event(c->formats, ev->attr.config) : NULL;

	f->kind = probe_kind(ev->tp_name, c->span);
	f->sp = te ? tracefmt_field(te, "sp") : NULL;
	f->back = te ? tracefmt_field(te, "back") : NULL;
	c->has_entries |= f->kind == KIND_ENTRY;
	c->has_returns |= f->kind == KIND_RETURN;
}

static bool takes_samples(const struct event *ev)
{
	const struct pe_attr *a = &ev->attr;

	if (a->type == PERF_TYPE_SOFTWARE)
		return a->config == PERF_COUNT_SW_CPU_CLOCK || a->config == PERF_COUNT_SW_TASK_CLOCK;
	return a->type != PERF_TYPE_TRACEPOINT && a->type != PERF_TYPE_BREAKPOINT && !event_is_tool(ev);
}

/* each page fault that had to wait, with its address */
static bool tells_faults(const struct event *ev)
{
	const struct pe_attr *a = &ev->attr;

	return a->type == PERF_TYPE_SOFTWARE && a->config == PERF_COUNT_SW_PAGE_FAULTS_MAJ &&
	       a->sample_type & PERF_SAMPLE_ADDR && a->sample_period == 1 && !(a->flags & ATTR_FREQ);
}

/* which of the sampled registers has the first argument of a system call in progress; UINT32_MAX: none */
static u32 call_register(const struct session *s, const struct event *ev)
{
	const struct arch *a = features_arch(&s->data->feat);
	u64 reg = a ? a->call_arg_reg : 0, mask = ev->attr.sample_regs_user;

	if (!(ev->attr.sample_type & PERF_SAMPLE_REGS_USER && mask & reg))
		return UINT32_MAX;
	return __builtin_popcountll(mask & (reg - 1));
}

static int bind_tracepoint(struct wall_file_events *c, const struct session *s, const struct event *ev,
			   struct err *err)
{
	struct wall_fields *f = &c->event[ev->idx];
	const struct tracefmt_event *te;

	f->kind = tracepoint_kind(ev);
	f->arg_reg = call_register(s, ev);
	if (f->kind == KIND_OTHER && c->span)
		bind_probe(c, ev);
	if (f->kind != KIND_SWITCH && f->kind != KIND_WAKEUP)
		return 0;
	te = c->formats ? tracefmt_event(c->formats, ev->attr.config) : NULL;
	if (te && f->kind == KIND_SWITCH) {
		f->prev = tracefmt_field(te, "prev_pid");
		f->state = tracefmt_field(te, "prev_state");
		f->next = tracefmt_field(te, "next_pid");
	} else if (te) {
		f->pid = tracefmt_field(te, "pid");
		f->flags = tracefmt_field(te, "common_flags");
	}
	if (!(f->kind == KIND_SWITCH ? f->prev && f->state && f->next : f->pid != NULL))
		return err_set(err, -EBADMSG, "%s: the format of %s is missing or lacks a field",
			       s->data->path, ev->name);
	c->has_tracepoints |= f->kind == KIND_SWITCH;
	c->has_switches |= f->kind == KIND_SWITCH;
	c->has_chains |= f->kind == KIND_SWITCH && ev->attr.sample_type & PERF_SAMPLE_CALLCHAIN;
	return 0;
}

/* the first event that takes samples counts: all together would divide CPU time among them */
int wall_fields_bind(struct wall_file_events *c, const struct session *s, struct err *err)
{
	const struct evset *set = s->data->evset;
	int ret = 0;

	vec_foreach(&set->ev, it) {
		const struct event *ev = *it;

		if (wall_switches_is_event(ev) || wall_slots_is_event(ev)) {
			c->has_sums = wall_slots_is_event(ev);
			c->event[ev->idx].kind = c->has_sums ? KIND_SLOT : KIND_BPF;
			c->has_switches = c->has_chains = c->has_wakeups = true;
			c->has_records = true;	/* of arrivals */
		}
		if (wall_marks_is_event(ev))
			c->event[ev->idx].kind = KIND_MARK;
		if (tells_faults(ev)) {
			c->event[ev->idx].kind = KIND_FAULT;
			c->has_faults = true;
		}
		if (ev->tp_system && !ret)
			ret = bind_tracepoint(c, s, ev, err);
		c->has_switch_records |= (ev->attr.flags & ATTR_CONTEXT_SWITCH) != 0;
		c->has_records |= c->has_switch_records;
		c->at_exec |= (ev->attr.flags & ATTR_ENABLE_ON_EXEC) != 0;
		if (ev->tp_system || c->has_samples || !takes_samples(ev))
			continue;
		c->event[ev->idx].kind = KIND_SAMPLE;
		c->has_samples = true;
	}
	if (!ret && !c->has_records && !c->has_switches) {
		err_set(err, -EINVAL, "%s does not say when threads ran: it has neither sched:sched_switch "
			"nor records of context switches", s->data->path);
		err_hint(err, "record with perf record --wall");
		return -EINVAL;
	}
	if (!ret && c->span && !(c->has_entries && c->has_returns)) {
		err_set(err, -EINVAL, "%s has no events of entries and returns of '%s'", s->data->path,
			c->span);
		err_hint(err, "record them with perf record --wall --span %s", c->span);
		return -EINVAL;
	}
	return ret;
}

u32 wall_popped_bytes(const struct session *s)
{
	const struct arch *a = features_arch(&s->data->feat);
	const struct arch_abi *abi = a ? &a->abi[1] : NULL;

	return abi && abi->dwarf_ra && abi->dwarf_ra == abi->dwarf_ip ? abi->word : 0;
}

bool wall_programs_read_args(const struct session *s)
{
	return wall_popped_bytes(s) == sizeof(u64);
}

char wall_letter_of_state(u64 state, u32 next)
{
	static const char letters[] = "SDTtXZPI";

	for (u32 i = 0; i < sizeof(letters) - 1; i++)
		if (state & 1u << i)
			return letters[i];
	return next ? 'R' : WALL_RAW_THROTTLED;
}
