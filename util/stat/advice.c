/* Advice: see advice.h. */
#include "advice.h"

#include <errno.h>
#include <string.h>
#include "../kernel/open.h"
#include "../count/pmu-state.h"

#define UNRELIABLE_PERCENT 1.0

/* names of events, each once, in one sentence */
struct name_list {
	struct strbuf text;
	struct { VEC(const char *); } said;
};

/* false: was said before: the same event on the next CPU, in the next control group */
static bool first_time(struct name_list *l, const char *name)
{
	for (size_t i = l->said.nr; i-- > 0;)
		if (!strcmp(l->said.v[i], name))
			return false;
	vec_push(&l->said, name);
	return true;
}

static void add_name(struct name_list *l, const char *name)
{
	if (first_time(l, name))
		strbuf_addf(&l->text, "%s%s", l->text.len ? ", " : "", name);
}

static void name_list_release(struct name_list *l)
{
	strbuf_release(&l->text);
	vec_release(&l->said);
	*l = (struct name_list){ 0 };
}

static PRINTF_LIKE(2, 3) void add_note(struct view_block *b, const char *fmt, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	vec_push(&b->note, arena_strdup(&b->arena, strbuf_str(&text)));
	strbuf_release(&text);
}

/* as the table calls it */
static const char *shown(const struct stat_lines_in *in, const struct event *ev)
{
	return ev->shared_name && !in->o->no_merge ? ev->shared_name : ev->name;
}

/* the message that opening the event would have given, without hints */
static void refusal(const struct stat_lines_in *in, const struct event *ev, int errnum, struct strbuf *out)
{
	struct strbuf head = STRBUF_INIT;
	struct err err = ERR_INIT;

	strbuf_reset(out);
	if (ev->leader != ev->idx && tally_at(in->tallies, ev->leader, 0)->refused) {
		strbuf_addf(out, "event '%s' is in a group with '%s', which is not supported: "
			    "it would count alone", ev->name, evset_at(in->set, ev->leader)->name);
		return;
	}
	if (!in->o->target || !errnum) {
		strbuf_addf(out, "event '%s' is not supported", ev->name);
		return;
	}
	open_explain(in->set, ev, in->o->target, errnum, &err);
	strbuf_addf(&head, "event '%s'", ev->name);
	if (!strncmp(err.msg, head.buf, head.len))
		strbuf_addf(out, "event '%s'%s", shown(in, ev), err.msg + head.len);
	else
		strbuf_addstr(out, err.msg);
	strbuf_release(&head);
}

/* for outputs that have room for a reason beside each line */
static void explain_lines(struct view_block *b, const struct stat_lines_in *in, const struct event *ev,
			  const struct event *first, const char *reason)
{
	struct strbuf text = STRBUF_INIT, head = STRBUF_INIT;
	const char *why = NULL;

	strbuf_addf(&head, "event '%s'", shown(in, first));

	vec_foreach(&b->line, l) {
		if (l->state != VIEW_NOT_SUPPORTED || l->idx != ev->idx)
			continue;
		if (!why) {
			/* the same sentence for the same reason */
			if (!strncmp(reason, head.buf, head.len))
				strbuf_addf(&text, "event '%s'%s", shown(in, ev), reason + head.len);
			else
				strbuf_addstr(&text, reason);
			why = arena_strdup(&b->arena, strbuf_str(&text));
		}
		l->value.text = why;
	}
	strbuf_release(&text);
	strbuf_release(&head);
}

/* same errno and kind: the same reason */
static bool same_reason(const struct stat_lines_in *in, u32 a, u32 b)
{
	const struct event *x = evset_at(in->set, a), *y = evset_at(in->set, b);

	return tally_at(in->tallies, a, 0)->refused == tally_at(in->tallies, b, 0)->refused &&
	       event_is_core(x) == event_is_core(y) && (event_is_core(x) || x->attr.type == y->attr.type) &&
	       (x->leader == x->idx ? y->leader == y->idx : y->leader == x->leader && y->leader != y->idx);
}

/* events that were refused for the same reason share a sentence; the first is named in it */
static void note_unsupported(struct view_block *b, const struct stat_lines_in *in)
{
	struct strbuf text = STRBUF_INIT;
	u32 nr = in->tallies->nr_events;
	bool *said = xcalloc(MAX(nr, 1u), sizeof(*said));

	for (u32 e = 0; e < nr; e++) {
		struct name_list others = { 0 };

		if (said[e] || !tally_at(in->tallies, e, 0)->refused || in->tallies->first[e] != e)
			continue;
		first_time(&others, shown(in, evset_at(in->set, e)));
		refusal(in, evset_at(in->set, e), tally_at(in->tallies, e, 0)->refused, &text);
		for (u32 k = e; k < nr; k++) {
			if (!same_reason(in, e, k))
				continue;
			said[k] = true;
			explain_lines(b, in, evset_at(in->set, k), evset_at(in->set, e), text.buf);
			if (k != e && in->tallies->first[k] == k)
				add_name(&others, shown(in, evset_at(in->set, k)));
		}
		add_note(b, "%s%s%s", text.buf, others.text.len ? "; the same: " : "",
			 strbuf_str(&others.text));
		name_list_release(&others);
	}
	free(said);
	strbuf_release(&text);
}

static void describe_group(const struct stat_lines_in *in, u32 leader, struct name_list *names, u32 *nr_core)
{
	*nr_core = 0;
	vec_foreach(&in->set->ev, ev)
		if ((*ev)->leader == leader) {
			add_name(names, (*ev)->name);
			*nr_core += event_is_core(*ev);
		}
}

/* who else may hold counters, and how many there are */
static void add_counters(struct strbuf *text, u32 wanted)
{
	u32 nr = pmu_nr_counters();

	if (nr && wanted)
		strbuf_addf(text, "; it needs %u counters, a CPU here has %u for any event", wanted, nr);
	if (pmu_watchdog_on())
		strbuf_addstr(text,
			      "; the NMI watchdog holds one: as root, sysctl kernel.nmi_watchdog=0 frees it");
}

/* groups that were never on the counters as a whole */
static void note_groups(struct view_block *b, const struct stat_lines_in *in, const bool *starved)
{
	for (u32 e = 0; e < in->tallies->nr_events; e++) {
		struct strbuf text = STRBUF_INIT;
		struct name_list names = { 0 };
		u32 nr_core;

		if (!starved[e] || evset_at(in->set, e)->leader != e || e + 1 >= in->set->ev.nr ||
		    evset_at(in->set, e + 1)->leader != e)
			continue;
		describe_group(in, e, &names, &nr_core);
		add_counters(&text, nr_core);
		add_note(b, "the group {%s} was never on the counters as a whole%s; use smaller groups, "
			 "or modifier W, which splits it", names.text.buf, strbuf_str(&text));
		name_list_release(&names);
		strbuf_release(&text);
	}
}

/* enabled and never on a counter; or never enabled, because its tasks slept */
static void note_uncounted(struct view_block *b, const struct stat_lines_in *in)
{
	struct name_list starved = { 0 }, asleep = { 0 };
	bool *is_starved = xcalloc(MAX(in->tallies->nr_events, 1u), sizeof(bool));
	bool any_group = false;

	for (u32 e = 0; e < in->tallies->nr_events; e++)
		for (u32 id = 0; id < in->tallies->nr_ids && in->tallies->first[e] == e; id++) {
			const struct tally *t = tally_at(in->tallies, e, id);
			const struct event *ev = evset_at(in->set, e);
			bool grouped = ev->leader != e ||
				       (e + 1 < in->set->ev.nr && evset_at(in->set, e + 1)->leader == e);

			if (t->state != COUNT_READ || t->run || ev->dummy)
				continue;
			if (!t->ena) {
				if (in->aggr->mode == AGGR_GLOBAL)
					add_name(&asleep, shown(in, ev));
			} else if (grouped) {
				is_starved[ev->leader] = any_group = true;
			} else {
				add_name(&starved, shown(in, ev));
			}
		}
	if (any_group)
		note_groups(b, in, is_starved);
	if (starved.text.len) {
		struct strbuf text = STRBUF_INIT;

		add_counters(&text, 0);
		add_note(b, "never counted, because other events used the counters all the time: %s%s",
			 starved.text.buf, strbuf_str(&text));
		strbuf_release(&text);
	}
	if (asleep.text.len && in->o->target && target_has_tasks(in->o->target))
		add_note(b, "not counted, because the tasks did not run while counting was on: %s",
			 asleep.text.buf);
	free(is_starved);
	name_list_release(&starved);
	name_list_release(&asleep);
}

void stat_advice(struct view_block *b, const struct stat_lines_in *in)
{
	struct name_list names = { 0 };

	note_unsupported(b, in);
	note_uncounted(b, in);
	vec_foreach(&b->line, l)
		if (l->state == VIEW_COUNTED && l->running_percent < UNRELIABLE_PERCENT)
			add_name(&names, l->name);
	if (names.text.len)
		add_note(b, "counted for less than 1 %% of the time, not reliable: %s", names.text.buf);
	if (in->pmu == PMU_STATE_STANDS)
		add_note(b, "the counters of this machine do not count (a virtual machine whose host does "
			 "not run them): events of the CPU that read 0 are shown as not counted");
	name_list_release(&names);
}
