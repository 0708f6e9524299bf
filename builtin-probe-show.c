/* perf probe --list, --del, --funcs, --line and --vars. */
#include "builtin-probe-show.h"
#include "builtin-probe-target.h"
#include "util/base/log.h"
#include "util/base/strbuf.h"
#include "util/kernel/probe-events.h"
#include "util/probe/list.h"
#include "util/probe/target-text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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

int probe_cmd_del(struct probe_cmd *c, struct err *err)
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

int probe_cmd_list(struct probe_cmd *c, struct err *err)
{
	struct probe_events live = { 0 };
	struct strbuf out = STRBUF_INIT;
	int ret = probe_events_read(&live, err);

	if (!ret)
		probe_list_events(&live, c->what, c->vmlinux, c->symfs, &out);
	probe_events_release(&live);
	return probe_cmd_print(&out, ret);
}

static int show_functions(const struct probe_cmd *c, struct target_arg *t, struct err *err)
{
	const char *filter = c->filter ? c->filter : c->what ? c->what : "!_*";
	struct strbuf left = STRBUF_INIT;
	int ret = probe_show_functions(&t->src, filter, c->demangle, stdout, &left, err);

	/* only the default filter is explained: a user's own filter needs no explanation */
	if (ret >= 0 && left.len && !c->filter && !c->what)
		log_note("Functions that are left out: %s", strbuf_str(&left));
	if (ret > 0 && !c->filter && !c->what)
		log_note("The names of all functions begin with '_': --filter '*' shows them");
	else if (ret > 0)
		log_note("No function matches '%s'", filter);
	strbuf_release(&left);
	return MIN(ret, 0);
}

int probe_cmd_show(struct probe_cmd *c, struct err *err)
{
	struct target_arg *t = probe_cmd_target(c, 0);
	struct strbuf out = STRBUF_INIT;
	int ret = probe_cmd_find_target(c, t, err);

	if (!ret && c->actions == ACTION_FUNCS)
		ret = show_functions(c, t, err);
	else if (!ret && c->actions == ACTION_LINE)
		ret = probe_show_lines(&t->src, c->what, &out, err);
	else if (!ret)
		ret = probe_show_variables(&t->src, c->what, &c->vars, &out, err);
	return probe_cmd_print(&out, ret);
}
