/* Report brief: see report-brief.h. */
#include "report-brief.h"

#include <stdlib.h>
#include "../base/units.h"

#include "../machine/machine.h"
#include "../sym/sym.h"
#include "missing-symbols.h"

#define MAX_COMMAND 200		/* bytes of the command line */

static void keep_line(struct view *v, struct strbuf *sb)
{
	vec_push(&v->brief, arena_strdup(&v->arena, strbuf_str(sb)));
	strbuf_reset(sb);
}

static void add_command(const struct session *s, struct strbuf *sb)
{
	const struct features *f = &s->data->feat;
	size_t start = sb->len;

	for (u32 i = 0; i < f->nr_cmdline && sb->len - start <= MAX_COMMAND; i++) {
		const char *slash = i ? NULL : strrchr(f->cmdline[i], '/');

		strbuf_addstr(sb, i ? " " : "; command: ");
		strbuf_add_safe(sb, slash ? slash + 1 : f->cmdline[i]);
	}
}

/* user stacks with one or two frames, of all whose length says something; percent, or -1 */
static int short_stacks(const struct hist *h)
{
	u64 nr = 0, nr_short = 0;

	vec_foreach(&h->fp, n) {
		nr += n->nr;
		nr_short += n->nr_short;
	}
	return nr ? (int)(100 * nr_short / nr) : -1;
}

static void add_numbers(const struct hist *h, struct strbuf *sb)
{
	const struct session *s = h->session;
	int cut = short_stacks(h);

	if (s->last_time > s->first_time)
		strbuf_addf(sb, "%.3f s, ", (s->last_time - s->first_time) / 1e9);
	strbuf_addf(sb, "%lu sample%s, %lu lost", s->nr_samples, plural(s->nr_samples), s->nr_lost_samples);
	if (s->nr_filtered_samples)
		strbuf_addf(sb, ", %lu left out by --filter", s->nr_filtered_samples);
	if (cut >= 0)
		strbuf_addf(sb, ", %d %% of user stacks end early", cut);
}

/* the first dso with samples whose functions are not known, for a reason; or ID_NONE */
static u32 first_nameless(const struct hist *h)
{
	vec_foreach(&h->names.named, n)
		if (is_missing_name(h, n) && h->dso_sampled[n->dso])
			return n->dso;
	return ID_NONE;
}

/* the dso with the largest period without functions, for a reason; ID_NONE if that is next to nothing */
static u32 most_nameless(const struct hist *h, const u64 *period, u64 all)
{
	u32 nr_dsos = machine_dsos(h->session->machine)->dso.nr, most = 0;

	for (u32 d = 1; d < nr_dsos; d++)
		if (period[d] > period[most])
			most = d;
	return period[most] && period[most] >= all / 100 ? most : ID_NONE;
}

/* the reason why functions are not known that matter most */
static const char *missing_names(const struct hist *h)
{
	u32 dso = h->opts.symbols ? first_nameless(h) : ID_NONE;
	u64 all, *period = dso == ID_NONE ? NULL : missing_periods(h, &all);

	if (period)
		dso = most_nameless(h, period, all);
	free(period);
	return dso == ID_NONE ? NULL : symbols_reason(h->session->symbols, dso);
}

/* the most important thing to do; nothing if all is well */
static void add_advice(const struct hist *h, struct strbuf *sb)
{
	const struct session *s = h->session;
	const char *missing = missing_names(h);

	if (s->nr_lost_samples || s->nr_lost)
		strbuf_addstr(sb, "Samples were lost: record with a lower rate (-F) or a larger buffer (-m)");
	else if (!s->nr_samples && s->nr_filtered_samples)
		strbuf_addstr(sb, "No sample matched the filter: record with another --filter");
	else if (!s->nr_samples)
		strbuf_addstr(sb, "No event occurred: record all CPUs with -a, or other events with -e");
	else if (short_stacks(h) > 50)
		strbuf_addstr(sb, "Most stacks end early: record with --call-graph dwarf, or build with "
			      "-fno-omit-frame-pointer");
	else if (missing)
		strbuf_add_safe(sb, missing);
	else if (!evset_samples(s->data->evset, PERF_SAMPLE_CALLCHAIN))
		strbuf_addstr(sb, "To see who calls these functions: record with -g");
}

void report_brief(struct view *v, const struct hist *h)
{
	struct strbuf sb = STRBUF_INIT;

	add_numbers(h, &sb);
	add_command(h->session, &sb);
	keep_line(v, &sb);
	add_advice(h, &sb);
	if (sb.len)
		keep_line(v, &sb);
	strbuf_release(&sb);
}
