/* Doctor, recording: a check per row of recording.def. */
#include "recording.h"
#include "../event/record-type.h"

#include <string.h>

#include "../base/units.h"
#include "../fields/file-facts.h"
#include "symbols.h"

#define MANY_PERCENT 10u	/* samples without a function, cut stacks: fewer are usual */

struct recording_exam {
	const struct session *s;
	struct doctor_totals totals;
};

static u64 percent(u64 part, u64 whole)
{
	return whole ? part * 100 / whole : 0;
}

static void check_samples(struct recording_exam *x, struct finding *f)
{
	const struct session *s = x->s;

	if (!s->nr_samples && s->nr_records[REC_STAT])
		finding_set(f, FINDING_OK, "none: it holds counts of perf stat record");
	else if (!s->nr_samples)
		finding_set(f, FINDING_MISSING, "no event occurred");
	else
		finding_set(f, FINDING_OK, "%llu", (unsigned long long)s->nr_samples);
}

static void check_whole(struct recording_exam *x, struct finding *f)
{
	struct strbuf sb = STRBUF_INIT;

	diag_describe(&x->s->diag, &sb);
	if (x->s->data->truncated || x->s->diag.kind[DIAG_UNFINISHED].nr)
		finding_set(f, FINDING_LIMITED, "the end of the file is missing: what was written is used");
	else if (sb.len)
		finding_set(f, FINDING_LIMITED, "%.*s", (int)strcspn(sb.buf, "\n"), sb.buf);
	else
		finding_set(f, FINDING_OK, "no damage was found");
	strbuf_release(&sb);
}

static void check_lost(struct recording_exam *x, struct finding *f)
{
	u64 lost = x->s->nr_lost_samples, all = x->s->nr_samples + lost;

	if (!lost && !x->s->nr_lost)
		finding_set(f, FINDING_OK, "none");
	else
		finding_set(f, FINDING_LIMITED, "%llu sample%s (%llu%%) and %llu other record%s",
			    (unsigned long long)lost, plural(lost), (unsigned long long)percent(lost, all),
			    (unsigned long long)x->s->nr_lost, plural(x->s->nr_lost));
}

static void check_throttled(struct recording_exam *x, struct finding *f)
{
	u64 nr = x->s->nr_records[REC_THROTTLE];

	if (nr)
		finding_set(f, FINDING_LIMITED, "the kernel stopped an event %llu time%s, because it "
			    "sampled too often", (unsigned long long)nr, plural(nr));
}

static void check_side(struct recording_exam *x, struct finding *f)
{
	u32 nr = 0, nr_user = 0;

	vec_foreach(&x->s->data->evset->ev, ev)
		if (!(*ev)->dummy) {
			nr++;
			nr_user += !!((*ev)->attr.flags & ATTR_EXCLUDE_KERNEL);
		}
	if (nr && nr == nr_user)
		finding_set(f, FINDING_LIMITED, "only user space was sampled (:u)");
}

static void check_event(struct recording_exam *x, struct finding *f)
{
	const struct evset *set = x->s->data->evset;
	const struct event *first = set->ev.nr ? evset_at(set, 0) : NULL;

	if (!first || first->attr.type != PERF_TYPE_SOFTWARE ||
	    (first->attr.config != PERF_COUNT_SW_CPU_CLOCK &&
	     first->attr.config != PERF_COUNT_SW_TASK_CLOCK))
		return;
	finding_set(f, FINDING_OK, "%s is a timer: it samples time, and no code that runs with interrupts "
		    "off", first->name);
}

static void check_chains(struct recording_exam *x, struct finding *f)
{
	if (!x->s->nr_samples)
		return;
	if (evset_samples(x->s->data->evset, PERF_SAMPLE_CALLCHAIN))
		finding_set(f, FINDING_OK, "recorded");
	else
		finding_set(f, FINDING_MISSING, "not recorded");
}

static void check_stacks(struct recording_exam *x, struct finding *f)
{
	const struct stack_ends *e = &x->totals.ends;
	u64 all = stack_ends_total(e), good = e->nr[STACK_COMPLETE] + e->nr[STACK_MIXED];
	struct strbuf sb = STRBUF_INIT;
	u32 dump = 0;

	if (!all)
		return;
	vec_foreach(&x->s->data->evset->ev, ev)
		if ((*ev)->attr.sample_type & PERF_SAMPLE_STACK_USER)
			dump = MAX(dump, (*ev)->attr.sample_stack_user);
	stack_ends_text(e, machine_dsos(x->s->machine), dump, &sb);
	finding_set(f, percent(all - good, all) >= MANY_PERCENT ? FINDING_LIMITED : FINDING_OK, "%s",
		    strbuf_str(&sb));
	if (dump && e->nr[STACK_CUT] * 2 > all - good)
		finding_remedy(f, "record with a larger dump, or build with -fno-omit-frame-pointer");
	strbuf_release(&sb);
}

static void check_names(struct recording_exam *x, struct finding *f)
{
	const struct doctor_totals *t = &x->totals;

	if (t->nr)
		finding_set(f, percent(t->nr_unnamed, t->nr) >= MANY_PERCENT ? FINDING_LIMITED : FINDING_OK,
			    "%llu%% of samples have none, in %u file%s",
			    (unsigned long long)percent(t->nr_unnamed, t->nr), t->nr_nameless,
			    plural(t->nr_nameless));
}

static void check_build_ids(struct recording_exam *x, struct finding *f)
{
	const struct doctor_totals *t = &x->totals;

	if (t->nr_files)
		finding_set(f, t->nr_without_id ? FINDING_LIMITED : FINDING_OK,
			    "%u of %u files with samples have none", t->nr_without_id, t->nr_files);
}

static void check_machine(struct recording_exam *x, struct finding *f)
{
	const struct features *feat = &x->s->data->feat;

	if (x->s->is_local)
		finding_set(f, FINDING_OK, "recorded here");
	else
		finding_set(f, FINDING_LIMITED, "recorded on %s, kernel %s",
			    feat->hostname ? feat->hostname : "an unknown machine",
			    feat->osrelease ? feat->osrelease : "unknown");
}

static void check_traces(struct recording_exam *x, struct finding *f)
{
	if (session_has_trace(x->s))
		finding_set(f, FINDING_MISSING, "this perf does not decode it");
}

static const struct {
	const char *name, *title, *remedy;
	void (*check)(struct recording_exam *x, struct finding *f);
} checks[] = {
#define CHECK(name, title, function, remedy) { name, title, remedy, check_##function },
#include "recording.def"
};

static const char *title_of(struct view *v, const char *path)
{
	struct strbuf sb = STRBUF_INIT;
	const char *title;

	strbuf_addstr(&sb, "What the recording ");
	strbuf_add_safe(&sb, path);
	strbuf_addstr(&sb, " has");
	title = arena_strdup(&v->arena, strbuf_str(&sb));
	strbuf_release(&sb);
	return title;
}

void doctor_recording(struct view *v, struct session *s, u32 form)
{
	struct recording_exam x = { .s = s };
	struct findings found = { 0 };

	file_facts(&v->fact, &v->arena, s);
	doctor_total(s, &x.totals);
	for (size_t i = 0; i < ARRAY_SIZE(checks); i++) {
		struct finding f = { .name = checks[i].name, .title = checks[i].title, .arena = &v->arena };

		checks[i].check(&x, &f);
		findings_add(&found, &f, checks[i].remedy);
	}
	findings_show(&found, v, "recording", title_of(v, s->data->path), form);
	stack_ends_release(&x.totals.ends);
}

void doctor_no_recording(struct view *v, const char *path, const struct err *err, u32 form)
{
	struct finding f = { .name = "file", .title = "the file", .arena = &v->arena };
	struct findings found = { 0 };

	finding_set_err(&f, FINDING_MISSING, err);
	findings_add(&found, &f, NULL);
	findings_show(&found, v, "recording", title_of(v, path), form);
}
