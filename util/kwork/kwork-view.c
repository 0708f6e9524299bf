/* Kwork view: the tables of report, latency and timehist. */
#include "kwork.h"

#include <string.h>
#include "../fields/file-facts.h"

const struct view_look kwork_plain = { .kind = VIEW_LOOK_PLAIN };
static const struct view_look bars = { .kind = VIEW_LOOK_BARS };

#define GET(type, name, value) \
	static type name(const void *row) { const struct kwork_work *e = row; return value; }
GET(const char *, work_text, e->text)
GET(const char *, work_cpu_text, e->cpu_text)
GET(u64, work_cpu, e->cpu)
GET(u64, work_tie, e->id)
GET(u64, run_total, e->run.total)
GET(u64, run_nr, e->run.nr)
GET(u64, run_max, e->run.max)
GET(u64, run_start, e->run.max_start)
GET(u64, run_end, e->run.max_end)
GET(u64, delay_avg, e->delay.nr ? e->delay.total / e->delay.nr : 0)
GET(u64, delay_nr, e->delay.nr)
GET(u64, delay_max, e->delay.max)
GET(u64, delay_start, e->delay.max_start)
GET(u64, delay_end, e->delay.max_end)

static void format_ms(u64 ns, struct strbuf *out)
{
	strbuf_addf(out, "%.3f ms", ns / 1e6);
}

static void format_bare_ms(u64 ns, struct strbuf *out)
{
	strbuf_addf(out, "%.3f", ns / 1e6);
}

static void format_bare_time(u64 ns, struct strbuf *out)
{
	strbuf_addf(out, "%lu.%06lu", ns / 1000000000, ns % 1000000000 / 1000);
}

static void format_time(u64 ns, struct strbuf *out)
{
	format_bare_time(ns, out);
	strbuf_addstr(out, " s");
}

#define REPORT .tables = 1u << KWORK_REPORT
#define LATENCY .tables = 1u << KWORK_LATENCY
#define MS(key, title, get) VIEW_COUNT(key, title, VIEW_TIME, 13), .number = get, .format = format_ms
#define AT(key, title, get) VIEW_COUNT(key, title, VIEW_TIME, 19), .number = get, .format = format_time
static const struct view_field all_columns[] = {
	{ VIEW_NAME("name", "Kwork Name", VIEW_TEXT, 30), .text = work_text },
	{ VIEW_NAME("cpu", "Cpu", VIEW_TEXT, 4), .forms = VIEW_FORM_TEXT, .text = work_cpu_text },
	{ VIEW_NAME("cpu", "Cpu", VIEW_NUMBER, 4), .forms = VIEW_FORM_SEPARATED | VIEW_FORM_VALUES,
	  .number = work_cpu },
	{ MS("runtime", "Total Runtime", run_total), REPORT },
	{ VIEW_COUNT("count", "Count", VIEW_NUMBER, 9), REPORT, .number = run_nr },
	{ MS("max", "Max runtime", run_max), REPORT },
	{ AT("max_start", "Max runtime start", run_start), REPORT },
	{ AT("max_end", "Max runtime end", run_end), REPORT },
	{ MS("avg", "Avg delay", delay_avg), LATENCY },
	{ VIEW_COUNT("count", "Count", VIEW_NUMBER, 9), LATENCY, .number = delay_nr },
	{ MS("max", "Max delay", delay_max), LATENCY },
	{ AT("max_start", "Max delay start", delay_start), LATENCY },
	{ AT("max_end", "Max delay end", delay_end), LATENCY },
};
static const struct view_field report_keys[] = {
	{ MS("runtime", "", run_total) }, { MS("max", "", run_max) },
	{ VIEW_COUNT("count", "", VIEW_NUMBER, 0), .number = run_nr },
};
static const struct view_field latency_keys[] = {
	{ MS("avg", "", delay_avg) }, { MS("max", "", delay_max) },
	{ VIEW_COUNT("count", "", VIEW_NUMBER, 0), .number = delay_nr },
};

int kwork_sort_parse(struct view_sort *sort, enum kwork_view_kind kind, const char *keys, struct err *err)
{
	if (kind == KWORK_TOP)
		return kwork_top_sort_parse(sort, keys, err);
	sort->tie = work_tie;
	return view_sort_parse(sort, kind == KWORK_LATENCY ? latency_keys : report_keys, 3, keys, err);
}

/* ---- names ---- */

/* as the format of the softirq events lists them */
static const char *const softirqs[] = {
	"HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU"
};

static void add_function(struct kwork *k, u64 addr, struct strbuf *out)
{
	const struct sample_ctx at_end = { .when = WHEN_END };
	struct kernel_name found;

	arena_reset(&k->scratch);
	if (kernel_name_find(&k->resolver, &at_end, addr, &k->scratch, &found))
		strbuf_add_safe(out, found.name);
	else
		strbuf_addf(out, "%#lx", addr);
}

/* "(s)TIMER:1", "(w)vmstat_update", "eth0:10"; false where -n wants another name */
static bool name_work(struct kwork *k, struct kwork_work *w, struct strbuf *text)
{
	size_t start;
	bool kept;

	strbuf_reset(text);
	strbuf_addstr(text, w->class == KWORK_SOFTIRQ ? "(s)" : w->class == KWORK_WORKQUEUE ? "(w)" : "");
	start = text->len;
	if (w->class == KWORK_WORKQUEUE)
		add_function(k, w->function, text);
	else if (w->class == KWORK_SOFTIRQ && w->id < ARRAY_SIZE(softirqs))
		strbuf_addstr(text, softirqs[w->id]);
	else if (w->class == KWORK_IRQ)
		strbuf_add_safe(text, strtab_get(&k->names, w->name));
	kept = !k->opts->name || strstr(strbuf_str(text) + MIN(start, text->len), k->opts->name);
	if (w->class != KWORK_WORKQUEUE)
		strbuf_addf(text, "%s%ld", text->len > start ? ":" : "", (s64)w->id);
	w->text = arena_strdup(&k->arena, strbuf_str(text));
	strbuf_reset(text);
	strbuf_addf(text, k->opts->kind == KWORK_TIMEHIST ? "[%04u]" : "%04u", w->cpu);
	w->cpu_text = arena_strdup(&k->arena, strbuf_str(text));
	return kept;
}

/* ---- report and latency ---- */

static void add_losses(const struct kwork *k, struct view *v, u32 form)
{
	struct view_summary *b;
	u64 running = 0, lost = tracing_nr_lost(k->session);

	vec_foreach(&k->open, o)
		running += o->running;
	if (form != VIEW_FORM_VALUES && !k->nr_no_room && !k->nr_lost_entries &&
	    !(k->nr_lost_exits + running) && !lost)
		return;
	b = view_add_summary(v, "losses", NULL);
	if (k->nr_lost_entries || form == VIEW_FORM_VALUES)
		view_add_number(b, "no-entry", "Work whose beginning is not in the recording: ",
				k->nr_lost_entries)->after = " (not counted)\n";
	if (k->nr_lost_exits + running || form == VIEW_FORM_VALUES)
		view_add_number(b, "no-exit", "Work whose end is not in the recording: ",
				k->nr_lost_exits + running)->after = " (not counted)\n";
	if (k->nr_no_room || form == VIEW_FORM_VALUES)
		view_add_number(b, "no-room", "Times that found no room in the tables of the kernel: ",
				k->nr_no_room)->after = " (not counted)\n";
	if (lost || form == VIEW_FORM_VALUES)
		view_add_number(b, "lost-events", "Events lost while recording: ", lost)->after =
			" (the numbers above are too small)\n";
}

static void add_real(struct view_summary *b, const char *key, const char *before, double value,
		     enum view_type type, const char *after)
{
	*view_add_number(b, key, "", 0) = (struct view_words){
		key, { .type = type, .real = value }, 3, before, after };
}

static void add_summary(const struct kwork *k, struct view *v, const struct kwork_work *work, size_t nr)
{
	struct view_summary *b = view_add_summary(v, "summary", NULL);
	u64 count = 0, total = 0, span = k->last - k->first;

	for (size_t i = 0; i < nr; i++) {
		count += work[i].run.nr;
		total += work[i].run.total;
	}
	view_add_number(b, "count", "  Total count            : ", count);
	add_real(b, "runtime-ms", "  Total runtime   (msec) : ", total / 1e6, VIEW_REAL, " (");
	add_real(b, "load", "", span ? 100.0 * total / span : 0, VIEW_SHARE, " of one CPU)\n");
	add_real(b, "span-ms", "  Total time span (msec) : ", span / 1e6, VIEW_REAL, "\n");
}

/* a copy of the work that the table shows */
static struct kwork_work *keep_work(struct kwork *k, size_t *ret_nr)
{
	struct kwork_work *kept = arena_zalloc(&k->arena, (k->work.nr + 1) * sizeof(*kept));
	struct strbuf text = STRBUF_INIT;

	*ret_nr = 0;
	vec_foreach(&k->work, w) {
		const struct kwork_times *t = k->opts->kind == KWORK_LATENCY ? &w->delay : &w->run;

		if (name_work(k, w, &text) && t->nr && k->opts->classes & 1u << w->class)
			kept[(*ret_nr)++] = *w;
	}
	strbuf_release(&text);
	return kept;
}

static void add_work(struct kwork *k, struct view *v, u32 form)
{
	enum kwork_view_kind kind = k->opts->kind;
	struct view_sort sort = k->opts->sort;
	size_t nr;
	struct kwork_work *work = keep_work(k, &nr);

	if (!sort.nr)
		kwork_sort_parse(&sort, kind, kind == KWORK_LATENCY ? "avg" : "runtime", NULL);
	view_sort_rows(&sort, work, nr, sizeof(*work));
	view_add_rows(v, &(struct view_rows){
			.field = all_columns, .nr_fields = ARRAY_SIZE(all_columns), .form = form,
			.table = 1u << kind, .row = work, .nr = nr, .size = sizeof(*work),
			.limit = UINT64_MAX, .look = &bars })->name = kind == KWORK_LATENCY ?
									"latency" : "runtime";
	if (k->opts->summary)
		add_summary(k, v, work, nr);
}

/* ---- timehist ---- */

struct kwork_hist_row {
	u64 start, end, delay;
	u32 cpu;
	bool delayed;
	const char *name, *cpu_text, *chain;
};
#define GET_HIST(type, name, value) \
	static type name(const void *row) { const struct kwork_hist_row *e = row; return value; }
GET_HIST(u64, hist_start, e->start)
GET_HIST(u64, hist_end, e->end)
GET_HIST(u64, hist_cpu, e->cpu)
GET_HIST(u64, hist_runtime, e->end - e->start)
GET_HIST(const char *, hist_name, e->name)
GET_HIST(const char *, hist_cpu_text, e->cpu_text)
GET_HIST(u64, hist_delay, e->delay)
GET_HIST(const char *, hist_no_delay, e->delayed ? NULL : "its raise is not in the recording")
GET_HIST(const char *, hist_chain, e->chain)

static const struct view_field hist_fields[] = {
	{ VIEW_COUNT("start", "Runtime start", VIEW_TIME, 17), .number = hist_start,
	  .format = format_bare_time },
	{ VIEW_COUNT("end", "Runtime end", VIEW_TIME, 17), .number = hist_end, .format = format_bare_time },
	{ VIEW_NAME("cpu", "Cpu", VIEW_TEXT, 6), .forms = VIEW_FORM_TEXT, .text = hist_cpu_text },
	{ VIEW_NAME("cpu", "Cpu", VIEW_NUMBER, 6), .forms = VIEW_FORM_SEPARATED | VIEW_FORM_VALUES,
	  .number = hist_cpu },
	{ VIEW_NAME("name", "Kwork name", VIEW_TEXT, 30), .text = hist_name },
	{ VIEW_COUNT("runtime", "Runtime ms", VIEW_TIME, 10), .number = hist_runtime,
	  .format = format_bare_ms },
	{ VIEW_COUNT("delay", "Delay ms", VIEW_TIME, 10), .number = hist_delay, .absent = hist_no_delay,
	  .format = format_bare_ms },
	{ .column = { .name = "chain", .title = "Call chain", .type = VIEW_TEXT, .no_pad = true },
	  .tables = 2, .text = hist_chain },
};

static void add_timehist(struct kwork *k, struct view *v, u32 form)
{
	struct kwork_hist_row *row = xcalloc(k->event.nr + 1, sizeof(*row));
	bool *kept = arena_zalloc(&k->arena, k->work.nr + 1);
	struct strbuf text = STRBUF_INIT;
	size_t nr = 0;

	for (size_t i = 0; i < k->work.nr; i++)
		kept[i] = name_work(k, &k->work.v[i], &text);
	vec_foreach(&k->event, e) {
		const struct kwork_work *w = &k->work.v[e->work];

		if (kept[e->work])
			row[nr++] = (struct kwork_hist_row){
				.start = e->start, .end = e->end, .delay = e->delay, .delayed = e->delayed,
				.cpu = w->cpu, .name = w->text, .cpu_text = w->cpu_text,
				.chain = strtab_get(&k->names, e->chain) };
	}
	strbuf_release(&text);
	vec_push(&v->owned, row);
	view_add_rows(v, &(struct view_rows){
			.field = hist_fields, .nr_fields = ARRAY_SIZE(hist_fields), .form = form,
			.table = k->opts->chains ? 3 : 1, .row = row, .nr = nr, .size = sizeof(*row),
			.limit = UINT64_MAX, .look = &kwork_plain })->name = "timehist";
}

struct view *kwork_view(struct kwork *k, u32 form)
{
	struct view *v = xcalloc(1, sizeof(*v));

	v->name = "kwork";
	v->tables = "tables";
	file_facts(&v->fact, &v->arena, k->session);
	if (k->opts->classes & 1u << KWORK_WORKQUEUE)
		kernel_names_load(k->session);
	if (k->opts->kind == KWORK_TOP)
		kwork_add_top(k, v, form);
	else if (k->opts->kind == KWORK_TIMEHIST)
		add_timehist(k, v, form);
	else
		add_work(k, v, form);
	add_losses(k, v, form);
	return v;
}
