/* Sched view: see sched-view.h. */
#include "sched-view.h"

#include <stdlib.h>
#include "../fields/file-facts.h"

struct view *sched_view_new(struct sched *s)
{
	struct view *v = xcalloc(1, sizeof(*v));

	v->name = "sched";
	v->tables = "tables";
	file_facts(&v->fact, &v->arena, s->session);
	return v;
}

static void add_hole(struct view_summary *b, const char *key, const char *before, u64 nr, const char *after)
{
	if (nr)
		view_add_number(b, key, before, nr)->after = after;
}

void sched_add_holes(struct view_summary *b, const struct sched *s)
{
	const struct sched_holes *h = &s->holes;

	view_add_number(b, "switches", "Context switches: ", h->nr_switches);
	if (h->nr_switches && !h->nr_wakeups)
		view_add_number(b, "wakeups", "Wakeups: ", 0)->after =
			" (none was recorded: delays are only known after a preemption; "
			"record with 'perf sched record')\n";
	add_hole(b, "missing-switches", "Switches that were not recorded: ", h->nr_missing_switches,
		 " (the times around them are estimates)\n");
	add_hole(b, "missing-wakeups", "Wakeups that were not recorded: ", h->nr_missing_wakeups,
		 " (their delays are not known)\n");
	add_hole(b, "bad-cpus", "Events of impossible CPUs: ", h->nr_bad_cpus, " (ignored)\n");
	add_hole(b, "lost-events", "Events lost while recording: ", tracing_nr_lost(s->session),
		 " (the numbers above are doubtful)\n");
}

void sched_add_ms(struct strbuf *out, u64 ns, int width)
{
	u64 us = ns / 1000;
	u32 rest = us % 1000;
	char digits[4] = { '.', '0' + rest / 100, '0' + rest / 10 % 10, '0' + rest % 10 };

	strbuf_add_u64(out, us / 1000, width > 4 ? width - 4 : 0);
	strbuf_add(out, digits, 4);
}

void sched_add_sec(struct strbuf *out, u64 ns, int width)
{
	u64 us = ns / 1000;
	u32 rest = us % 1000000, high = rest / 1000, low = rest % 1000;
	const char digits[7] = { '.', '0' + high / 100, '0' + high / 10 % 10, '0' + high % 10,
				 '0' + low / 100, '0' + low / 10 % 10, '0' + low % 10 };

	strbuf_add_u64(out, us / 1000000, width > 7 ? width - 7 : 0);
	strbuf_add(out, digits, 7);
}

char *sched_text(struct arena *a, const char *fmt, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;
	char *ret;

	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	ret = arena_strdup(a, strbuf_str(&text));
	strbuf_release(&text);
	return ret;
}

void sched_add_name(struct strbuf *out, const struct sched_task *t)
{
	if (sched_is_idle(t))
		strbuf_addstr(out, "swapper");
	else if (*t->comm)
		strbuf_add_safe(out, t->comm);
	else
		strbuf_addf(out, ":%d", t->tid);
}
