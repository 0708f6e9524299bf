/*
 * perf probe: events anywhere in programs and in the kernel. Options and wiring; the work is in util/probe.
 */
#include "util/base/log.h"
#include "util/base/strbuf.h"
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"
#include "util/kernel/probe-events.h"
#include "util/probe/available.h"
#include "util/probe/find-file.h"
#include "util/probe/list.h"
#include "util/probe/plan.h"
#include "util/probe/sdt-files.h"
#include "util/probe/source.h"
#include "util/probe/spec.h"
#include "util/probe/target-text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum action {
	ACTION_ADD = 1, ACTION_DEFINITION = 2, ACTION_DEL = 4, ACTION_LIST = 8, ACTION_FUNCS = 16,
	ACTION_LINE = 32, ACTION_VARS = 64,
};

struct target_arg {
	const char *name;	/* NULL: the kernel */
	bool is_module, is_found;
	char *path;
	struct probe_source src;
};

struct definition_arg {
	const char *text;
	size_t target;
};

struct probe_cmd {
	u32 actions;
	struct { VEC(struct definition_arg); } def;
	struct { VEC(const char *); } del;
	struct { VEC(struct target_arg); } target;
	const char *filter, *symfs, *vmlinux, *source_dir;
	const char *what;	/* the argument of --list, --funcs, --line or --vars */
	bool dry_run, force, demangle, no_inlines, bootconfig;
	struct available_opts vars;
	unsigned int max_probes, target_ns;
	char *bare;		/* the definition that the words after the options make */
};

static const char *const usage[] = {
	"perf probe [<options>] [-x <file> | -m <module>] [--add] '<place> [<argument>...]'",
	"perf probe [<options>] --del [<group>:]<event>",
	"perf probe --list[=[<group>:]<event>]",
	"perf probe [-x <file> | -m <module>] --funcs[=<filter>]",
	"perf probe [<options>] [-x <file> | -m <module>] --line '<function or file>[:<first>[-<last>]]'",
	"perf probe [<options>] [-x <file> | -m <module>] --vars '<place>'",
	"perf probe [<options>] [-x <file> | -m <module>] --definition '<place> [<argument>...]'",
	NULL
};

static void add_definition(struct probe_cmd *c, const char *text)
{
	vec_push(&c->def, (struct definition_arg){ text, c->target.nr ? c->target.nr - 1 : 0 });
}

/* options that say what to do, by their letters */
static int parse_action(const struct option *opt, const char *arg, bool unset UNUSED)
{
	static const char letters[] = "aDdlFLV";
	enum action action = 1 << (strchr(letters, opt->short_name) - letters);
	struct probe_cmd *c = opt->value;

	c->actions |= action;
	if (action == ACTION_ADD || action == ACTION_DEFINITION)
		add_definition(c, arg);
	else if (action == ACTION_DEL)
		vec_push(&c->del, arg);
	else if (arg)
		c->what = arg;
	return 0;
}

static int parse_exec(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct probe_cmd *c = opt->value;

	vec_push(&c->target, (struct target_arg){ .name = arg });
	return 0;
}

static int parse_module(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct probe_cmd *c = opt->value;

	vec_push(&c->target, (struct target_arg){ .name = arg, .is_module = true });
	return 0;
}

static int parse_quiet(const struct option *opt UNUSED, const char *arg UNUSED, bool unset UNUSED)
{
	log_level = -1;
	return 0;
}

/* finds the file of a target */
static int find_target(const struct probe_cmd *c, struct target_arg *a, struct err *err)
{
	struct probe_target *t = &a->src.t;
	struct strbuf root = STRBUF_INIT;

	if (a->is_found)
		return 0;
	t->symfs = c->symfs;
	t->max_points = c->max_probes;
	t->source_dir = c->source_dir;
	t->no_inlines = c->no_inlines;
	t->is_kernel = !a->name || a->is_module;
	if (t->is_kernel) {
		t->debug_file = c->vmlinux;
		if (a->name && strchr(a->name, '/'))
			t->path = a->name;
		if (a->name)
			t->module = a->path = probe_module_name(a->name);
	} else {
		if (c->target_ns)
			strbuf_addf(&root, "/proc/%u/root", c->target_ns);
		a->path = c->symfs ? xstrdup(a->name) : find_probe_file(a->name, strbuf_str(&root), err);
		strbuf_release(&root);
		if (!a->path)
			return err->code;
		t->path = a->path;
	}
	a->is_found = true;
	return 0;
}

static struct target_arg *target_at(struct probe_cmd *c, size_t i)
{
	if (!c->target.nr)
		vec_add(&c->target);
	return &c->target.v[i];
}

/* plans a definition; a marker without -x is searched in the build-id cache */
static int plan_one(struct probe_cmd *c, struct target_arg *t, const struct probe_spec *spec,
		    struct probe_plan *plan, const struct probe_plan_opts *o, struct err *err)
{
	struct sdt_files files = { 0 };
	int ret;

	if (spec->place.kind != PROBE_SDT || t->name) {
		ret = find_target(c, t, err);
		return ret ? ret : probe_plan_add(plan, o, &t->src, spec, err);
	}
	ret = sdt_files_find(&files, spec->place.group, spec->place.function, err);
	for (size_t i = 0; i < files.nr && !ret; i++) {
		struct target_arg file = { .name = files.v[i] };

		ret = find_target(c, &file, err);
		if (!ret)
			ret = probe_plan_add(plan, o, &file.src, spec, err);
		probe_source_release(&file.src);
		free(file.path);
	}
	sdt_files_release(&files);
	return ret;
}

static int make_plan(struct probe_cmd *c, struct probe_plan *plan, const struct probe_events *live,
		     struct err *err)
{
	int ret = 0;

	vec_foreach(&c->def, d) {
		struct target_arg *t = target_at(c, d->target);
		struct probe_plan_opts o = { .live = live, .force = c->force ||
					    c->actions == ACTION_DEFINITION };
		struct probe_spec spec = { 0 };

		ret = probe_spec_parse(&spec, d->text, err);
		if (!ret)
			ret = plan_one(c, t, &spec, plan, &o, err);
		probe_spec_release(&spec);
		if (ret)
			break;
	}
	return ret;
}

static int print(struct strbuf *out, int ret)
{
	if (out->len)
		fwrite(out->buf, 1, out->len, stdout);
	strbuf_release(out);
	return ret;
}

/* what users look for after adding */
static void say_added(const struct probe_plan *plan)
{
	const struct probe_planned *last = &plan->v[plan->nr - 1];
	struct strbuf name = STRBUF_INIT;

	log_note("Added new event%s:", plan->nr > 1 ? "s" : "");
	vec_foreach(plan, p) {
		strbuf_reset(&name);
		strbuf_addf(&name, "%s:%s", p->group, p->event);
		log_note("  %-20s (on %s)", name.buf, p->place);
	}
	log_note("\nYou can now use it in all perf tools, such as:\n\n\tperf record -e %s:%s -aR sleep 1\n\n",
		 last->group, last->event);
	strbuf_release(&name);
}

static int add(struct probe_cmd *c, struct err *err)
{
	bool show = c->actions & ACTION_DEFINITION;
	struct probe_events live = { 0 };
	struct strbuf out = STRBUF_INIT;
	struct probe_plan plan = { 0 };
	int ret = show ? 0 : probe_events_read(&live, err);

	if (!ret)
		ret = make_plan(c, &plan, &live, err);
	if (!ret && show)
		ret = probe_plan_text(&plan, c->bootconfig, &out, err);
	if (!ret && !show && !c->dry_run)
		ret = probe_plan_apply(&plan, err);
	if (!ret && !show)
		say_added(&plan);
	probe_plan_release(&plan);
	probe_events_release(&live);
	return print(&out, ret);
}

static int del_one(const struct probe_cmd *c, struct probe_events *live, const char *pattern, struct err *err)
{
	size_t nr = 0;

	vec_foreach(live, e) {
		int ret = 0;

		if (!probe_event_matches(e, pattern))
			continue;
		nr++;
		if (!c->dry_run)
			ret = probe_event_delete(e->group, e->name, e->is_user, err);
		if (ret)
			return ret;
		log_note("Removed event: %s:%s", e->group, e->name);
	}
	if (nr)
		return 0;
	err_set(err, -ENOENT, "no probe matches '%s'", pattern);
	err_hint(err, "'perf probe -l' lists the probes");
	return -ENOENT;
}

static int del(struct probe_cmd *c, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < c->del.nr && !ret; i++) {
		struct probe_events live = { 0 };

		ret = probe_events_read(&live, err);
		if (!ret)
			ret = del_one(c, &live, c->del.v[i], err);
		probe_events_release(&live);
	}
	return ret;
}

static int list(struct probe_cmd *c, struct err *err)
{
	struct probe_events live = { 0 };
	struct strbuf out = STRBUF_INIT;
	int ret = probe_events_read(&live, err);

	if (!ret)
		probe_list_events(&live, c->what, c->symfs, &out);
	probe_events_release(&live);
	return print(&out, ret);
}

static int show(struct probe_cmd *c, struct err *err)
{
	struct target_arg *t = target_at(c, 0);
	const char *filter = c->filter ? c->filter : c->what ? c->what : "!_*";
	struct strbuf out = STRBUF_INIT;
	int ret = find_target(c, t, err);

	if (!ret && c->actions == ACTION_FUNCS)
		ret = probe_show_functions(&t->src, filter, c->demangle, &out, err);
	else if (!ret && c->actions == ACTION_LINE)
		ret = probe_show_lines(&t->src, c->what, &out, err);
	else if (!ret)
		ret = probe_show_variables(&t->src, c->what, &c->vars, &out, err);
	return print(&out, ret);
}

static void release(struct probe_cmd *c)
{
	vec_foreach(&c->target, t) {
		probe_source_release(&t->src);
		free(t->path);
	}
	vec_release(&c->target);
	vec_release(&c->def);
	vec_release(&c->del);
	free(c->bare);
}

/*
 * the words after the options are one definition; an absolute path before it is its target.
 * False: they are not taken
 */
static bool take_words(struct probe_cmd *c, int argc, const char **argv)
{
	struct strbuf text = STRBUF_INIT;
	int i = 0;

	if (argc && argv[0][0] == '/' && !c->target.nr) {
		const char *dot = strrchr(argv[0], '.');

		vec_push(&c->target, (struct target_arg){ .name = argv[0],
							  .is_module = dot && !strncmp(dot, ".ko", 3) });
		i++;
	}
	for (; i < argc; i++)
		strbuf_addf(&text, "%s%s", text.len ? " " : "", argv[i]);
	if (text.len)
		c->bare = strbuf_detach(&text);
	if (c->bare && (c->actions & (ACTION_LIST | ACTION_FUNCS)) && !c->what)
		c->what = c->bare;
	else if (c->bare && !(c->actions & ~(ACTION_ADD | ACTION_DEFINITION))) {
		c->actions |= c->actions ? 0 : ACTION_ADD;
		add_definition(c, c->bare);
	} else if (c->bare) {
		return false;
	}
	return true;
}

/* arguments such as -4(%bp) are not options: a blank before them says so, and the parser skips it */
static const char **hide_offsets(int argc, const char **argv)
{
	const char **v = xcalloc(argc + 1, sizeof(*v));

	for (int i = 0; i < argc; i++) {
		const char *number = argv[i] + (argv[i][0] == '-' && argv[i][1] == 'u' ? 2 : 1);

		v[i] = argv[i][0] == '-' && isdigit((u8)*number) ? xasprintf(" %s", argv[i]) : argv[i];
	}
	return v;
}

int cmd_probe(int argc, const char **argv)
{
	struct probe_cmd c = { .max_probes = 128, .demangle = true };
	const struct option options[] = {
#include "builtin-probe.def"
		OPT_END(),
	};
	struct err err = ERR_INIT;
	int ret;

	argv = hide_offsets(argc, argv);
	argc = parse_options(argc, argv, options, usage, 0);
	if (!take_words(&c, argc, argv))
		return opt_usage_error(options, NULL, usage, "unexpected argument '%s'", c.bare);
	if (!c.actions)
		return opt_usage_error(options, NULL, usage, "say what to probe, or what to do");
	if (c.actions & (c.actions - 1))
		return opt_usage_error(options, NULL, usage,
				       "only one of --add, --definition, --del, --list, --funcs, --line "
				       "and --vars is possible");
	if (log_level < 0 && c.actions == ACTION_LIST)
		return opt_usage_error(options, NULL, usage, "--list and -q exclude each other");
	switch (c.actions) {
	case ACTION_DEL:
		ret = del(&c, &err);
		break;
	case ACTION_LIST:
		ret = list(&c, &err);
		break;
	case ACTION_ADD:
	case ACTION_DEFINITION:
		ret = add(&c, &err);
		break;
	default:
		ret = show(&c, &err);
	}
	release(&c);
	return ret ? die_err(&err) : 0;
}
