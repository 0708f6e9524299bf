/* perf top: rings to a live session, whose samples are counted onto those carried over and shown. */
#include "builtin-top.h"
#include "builtin-status.h"
#include "util/base/log.h"
#include "util/cli/builtin.h"
#include "util/cli/color.h"
#include "util/cli/config.h"
#include "util/fields/trace-keys.h"
#include "util/kernel/cgroup.h"
#include "util/pmu/parse-events.h"
#include "util/probe/once.h"
#include "util/record/synthesize.h"
#include "util/inject/wall-feed.h"
#include "util/session/feed.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#define DEFAULT_ENTRIES 20u
#define HEAD_LINES 9u			/* of a screen, around the rows */
#define FOLD_BYTES (64u << 20)		/* records that are held before they are counted */

static const char *const usage[] = { "perf top [<options>] [<command>]", NULL };

/* ---- records ---- */

static int on_record(void *ctx, const struct ring *r, const struct rec_header *h)
{
	struct top *t = ctx;

	summary_count(&t->summary, h);
	if (t->wall.on)
		wall_feed_record(t->wall.feed, h);
	else
		session_feed(t->session, h);
	return 0;
}

static void read_rings(struct top *t, bool all)
{
	if (t->wall.on)
		top_wall_read(t, all);
	summary_read(&t->summary, &t->ob, on_record);
	session_feed_round(t->session);
}

/* what has come is added to what is carried */
static void fold(struct top *t, bool all)
{
	hist_free(t->hist);
	if (t->wall.on)
		top_wall_take(t, all);
	else
		session_feed_take(t->session, all);
	switches_next(t->filter.switches, t->session);
	t->hist = hist_carry_count(&t->carry, t->session, &t->hist_opts);
	top_code_count(&t->code);
	session_feed_drop(t->session);
	t->summary.now.dropped += t->hist->diag.kind[DIAG_UNKNOWN_ID].nr +
				  t->hist->diag.kind[DIAG_TRUNCATED_RECORD].nr;
}

/* what runs already; later: what the kernel does not tell of */
static int feed_state(struct top *t, bool first, struct err *err)
{
	const struct synth_opts o = { .trailer = synth_trailer_size(&evset_at(t->observe.set, 0)->attr),
		.jobs = t->synth_threads, .build_ids = true, .modules = &t->modules,
		.namespaces = t->attr.namespaces, .guest = &t->guest,
		.timeout_ns = t->map_timeout_ms * 1000000ull };
	struct synth_notes notes = { 0 };
	struct strbuf sb = STRBUF_INIT;
	int ret = 0;

	if (first) {
		synth_kernel(&sb, &o, &notes);
		synth_guest(&sb, &o);
		if (!t->attr.no_bpf_event)
			synth_bpf_programs(&sb, &o);
		if (t->attr.all_cgroups)
			synth_cgroups(&sb, &o);
		synth_target(&sb, &t->ob.target, &o, &notes);
		synth_notes_log(&notes);
	}
	synth_new_modules(&sb, &o);
	session_feed_all(t->session, &sb);
	if (sb.len)
		symbols_reread_kallsyms(t->session->symbols);
	if (first && t->wall.on)
		ret = top_wall_start(t, &sb, err);
	strbuf_release(&sb);
	return ret;
}

/* ---- the table ---- */

static void show_on_screen(struct top *t)
{
	struct strbuf line = STRBUF_INIT;
	struct view *v;

	t->view.max_rows = t->entries;
	v = report_view(t->hist, &t->view);
	top_line(t, &line);
	strbuf_setlen(&line, line.len - 1);	/* its newline */
	top_screen_show(&t->screen, v, strbuf_str(&line));
	t->shown++;
	view_free(v);
	strbuf_release(&line);
}

static void mark_used(const struct hist *h, bool *used)
{
	for (u32 i = 0; h && i < h->names.frame.nr; i++)
		if (h->names.frame.v[i].dso != ID_NONE)
			used[h->names.frame.v[i].dso] = true;
}

static bool is_kernel(const struct dso *d)
{
	return d->kind == DSO_KERNEL || d->kind == DSO_MODULE;
}

/*
 * Frees symbols of programs that are no longer in the table: a machine that builds software has thousands. A
 * frozen table may still ask for the symbols of its rows
 */
static void forget_symbols(struct top *t)
{
	u32 nr = machine_dsos(t->session->machine)->dso.nr;
	bool *used;

	if (t->screen.frozen)
		return;
	used = xcalloc(nr + 1, sizeof(*used));
	/* places in the kernel say what waits are for */
	for (u32 i = 0; i < nr && t->wall.on; i++)
		used[i] = is_kernel(dsos_at(machine_dsos(t->session->machine), i));
	mark_used(t->hist, used);
	mark_used(t->code.annotate.hist, used);
	vec_foreach(&t->screen.code_dso, dso)
		used[*dso] = true;
	symbols_forget_unused(t->session->symbols, used, nr);
	free(used);
}

static int print(struct top *t, struct err *err)
{
	unsigned int rows = 0, columns = 0;
	bool screen = !t->json && terminal_size(STDOUT_FILENO, &rows, &columns);
	struct view *v;
	int ret;

	t->view.max_rows = t->entries ? t->entries : !screen ? DEFAULT_ENTRIES :
			   rows > HEAD_LINES ? rows - HEAD_LINES : 1;
	v = report_view(t->hist, &t->view);
	ret = t->json ? top_json(t, v) : top_text(t, v, screen ? columns : 0);
	t->shown++;
	view_free(v);
	if (ret)
		observer_stop(&t->ob);
	t->gone = ret;
	return ret && ret != -EPIPE ? err_sys(err, -ret, "cannot write to standard output") : 0;
}

static int show_table(struct top *t, struct err *err)
{
	int ret = 0;

	if (t->screen.tui)
		show_on_screen(t);
	else
		ret = print(t, err);
	top_wall_shown(&t->wall);
	return ret;
}

/* ---- operations of the observer ---- */

static int configure(void *ctx, struct observer *ob, struct err *err)
{
	struct top *t = ctx;
	struct evset *set = t->observe.set;
	int ret = sample_attr_watch_cpus(set, &ob->target, err);

	if (!ret)
		ret = sample_attr_config(set, &t->attr, &ob->target, &ob->notes, err);
	if (!ret && t->wall.on)
		top_wall_configure(&t->wall, set);
	if (!ret)
		ob->cgroup = event_cgroups_choose(&t->cgroup, t->cgroups, set->ev.nr);
	return ret;
}

/* keys and signals come to the terminal interface, or to on_key() */
static int begin_terminal(struct top *t, struct observer *ob, struct err *err)
{
	int ret;

	if (tui_wanted(&t->choice, config_get_bool("tui.top", true))) {
		t->screen.zero = &t->zero;
		t->screen.group_sort = &t->view.group_sort;
		t->screen.code = &t->code;
		t->screen.text = &t->text;
		ret = top_screen_begin(&t->screen, ob, err);
		if (!ret || t->choice.tui)
			return ret;
		tui_note_missing(err, "top");
	}
	return terminal_keys_begin(&t->terminal) ? loop_add_fd(&ob->loop, STDIN_FILENO, TOP_KEYS, err) : 0;
}

static int start(void *ctx, struct observer *ob, struct err *err)
{
	struct top *t = ctx;
	int ret;

	observer_log_notes(ob);
	if (t->wall.on)
		top_wall_open(t);
	session_open_fed(&t->session, &(struct session_fed_opts){ .set = t->observe.set, .feat = &t->feat,
				     .sym = t->sym, .jobs = 1, .stitch_lbr = t->stitch_lbr });
	ret = feed_state(t, true, err);
	if (!ret)
		ret = sample_filter_parse(&t->filter, t->session, err);
	hist_use_filter(&t->hist_opts, &t->filter);
	if (!ret)
		ret = caller_patterns_compile(&t->callers, t->session, err);
	t->hist_opts.callers = &t->callers;
	top_code_begin(&t->code, t->session, &t->hist_opts);
	if (!ret)
		ret = observe_realtime(t->realtime, err);
	return ret ? ret : begin_terminal(t, ob, err);
}

static int drain(void *ctx, struct observer *ob, struct err *err)
{
	struct top *t = ctx;

	read_rings(t, false);
	if (session_fed_bytes(t->session) > FOLD_BYTES ||
	    (t->wall.on && wall_feed_bytes(t->wall.feed) > FOLD_BYTES))
		fold(t, false);
	return 0;
}

static int tick(void *ctx, struct observer *ob, struct err *err)
{
	struct top *t = ctx;
	int ret;

	ret = feed_state(t, false, err);
	if (ret)
		return ret;
	read_rings(t, false);
	read_rings(t, false);	/* with what has come during the first pass, all before it is complete */
	fold(t, false);
	ret = show_table(t, err);
	forget_symbols(t);
	if (t->zero)
		hist_carry_clear(&t->carry);
	else
		hist_carry_decay(&t->carry);
	top_code_fade(&t->code, t->zero);
	return ret;
}

static int on_key(void *ctx, struct observer *ob, const struct loop_event *e, struct err *err)
{
	struct top *t = ctx;
	char key;

	if (e->id == TOP_WALL_RINGS)
		return drain(ctx, ob, err);
	if (t->screen.tui) {
		if (!top_screen_handle(&t->screen))
			observer_stop(ob);
		return 0;
	}
	if (read(STDIN_FILENO, &key, 1) != 1)
		loop_del_fd(&ob->loop, STDIN_FILENO);
	else if (key == 'q' || key == 'Q')
		observer_stop(ob);
	return 0;
}

/*
 * samples since the last table are shown if the command or the tasks ended (and not the user), or if nothing
 * was shown yet
 */
static int end(void *ctx, struct observer *ob, int failed, struct err *err)
{
	struct top *t = ctx;
	int ret = 0;

	open_disable(&ob->fds, t->observe.set, &(struct err)ERR_INIT);
	observer_end_command(ob);
	if (!failed && !t->gone && !t->screen.tui && !(t->shown && (ob->signal || t->terminal.keys))) {
		read_rings(t, true);
		fold(t, true);
		ret = show_table(t, err);
	}
	if (!failed && !ret && t->dump_symtab && t->hist)
		top_dump_symtabs(t);
	return ret;
}

static void release(struct top *t)
{
	top_screen_end(&t->screen);
	top_code_release(&t->code);
	terminal_keys_end(&t->terminal);
	hist_free(t->hist);
	hist_carry_release(&t->carry);
	trace_keys_free(t->sort.trace);
	strtab_release(&t->modules);
	sample_filter_release(&t->filter);
	caller_patterns_release(&t->callers);
	top_wall_release(&t->wall);
	session_close(t->session);
	guest_maps_release(&t->guest);
	features_release(&t->feat);
	event_cgroups_release(&t->cgroup);
	observer_release(&t->ob);
	table_source_release(&t->events.tables);
	evset_free(t->observe.set);
}

static int run(struct top *t, struct err *err)
{
	const struct observer_ops ops = {
		.configure = configure, .start = start, .drain = drain, .tick = tick, .event = on_key,
		.end = end,
	};
	int ret = top_settle(t, err);

	signal(SIGPIPE, SIG_IGN);
	if (!ret)
		ret = guest_maps_read(&t->sym.guest, &t->guest, err);
	if (!ret)
		ret = observer_resolve(&t->ob, &t->observe, err);
	return ret ? ret : observer_run(&t->ob, &ops, t, err);
}

int cmd_top(int argc, const char **argv)
{
	struct top top = {
		.observe = { .samples = true, .interval_ms = 2000, .stdout_is_data = true },
		.attr = { .timestamp = true, .timestamp_given = true, .sample[ABI_SAMPLE_NR_CPU] = true },
		.sym = SYM_OPTS_INIT, .sort = { .default_sort = "dso,symbol" }, .map_timeout_ms = 500,
		.chain = CHAIN_OPTS_INIT, .children = true, .max_stack = 127,
		.code = { .opts.source = true },
	}, *t = &top;
	struct observe_opts *w = &t->observe;
	struct sample_attr_opts *at = &t->attr;
	struct probe_once once = PROBE_ONCE_INIT;
	struct err err = ERR_INIT;
	const struct option options[] = {
#include "builtin-top.def"
		OPT_END()
	};
	struct workload_result command;
	int ret;

	w->set = t->events.set = evset_new();
	if (probe_once_args(&once, argc, argv, options_end(argc, argv, options), &err))
		return die_err(&err);
	if (parse_options(argc, argv, options, usage, PARSE_STOP_AT_NON_OPTION) > 0)
		w->argv = argv;
	ret = run(t, &err);
	probe_once_end(&once);
	observer_log_notes(&t->ob);	/* of events that could not be opened after all */
	command = observer_result(&t->ob);
	release(t);
	return command_status(ret, &err, &command);
}
