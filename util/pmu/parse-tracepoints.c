/* Tracepoints: see parse-tracepoints.h. */
#include "parse-tracepoints.h"
#include "names.h"
#include "parse-sources.h"

#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include "../base/fs.h"
#include "../base/units.h"
#include "../kernel/tracefs.h"

/* probe:NAME is in the kernel, probe_PROGRAM:NAME in that program */
static void hint_probe(struct parser *ps, const char *group, const char *name)
{
	bool kernel = !strcmp(group, "probe");
	const char *tracefs = tracefs_path() ? tracefs_path() : "/sys/kernel/tracing";
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%cprobe_events", tracefs, kernel ? 'k' : 'u');
	if (!fs_exists(path))
		err_hint(ps->err, "this kernel cannot have probes in %s: there is no %s",
			 kernel ? "itself" : "programs", path);
	else if (kernel)
		err_hint(ps->err, "a probe on a function of the kernel is added by: perf probe '%s=FUNCTION'",
			 name);
	else
		err_hint(ps->err, "a probe in a program is added by: perf probe -x PROGRAM '%s:%s=FUNCTION'",
			 group,
			 name);
}

static int err_no_tracepoint(struct parser *ps, struct span sys, struct span name, const char *sys0,
			     const char *name0)
{
	struct tracefs_events all = { 0 };
	struct strbuf near = STRBUF_INIT;
	struct nearest n, ns;
	bool have_sys = false;
	int ret;

	nearest_init(&n, name.s, name.len);
	nearest_init(&ns, sys.s, sys.len);
	tracefs_list(&all, "*", "*", NULL);
	vec_foreach(&all, e) {
		if (!strcmp(e->sys, sys0)) {
			have_sys = true;
			nearest_offer(&n, e->name);
		} else {
			nearest_offer(&ns, e->sys);
		}
	}
	nearest_describe(have_sys ? &n : &ns, &near);
	if (has_glob(sys0) || (has_glob(name0) && have_sys))
		ret = parse_err(ps, -ENOENT, name, "no tracepoint matches '%s:%s'", sys0, name0);
	else if (have_sys)
		ret = parse_err(ps, -ENOENT, name, "tracepoint system '%s' has no event '%s'%s", sys0, name0,
				strbuf_str(&near));
	else if (!all.nr && kernel_is_confidential())
		ret = parse_err(ps, -EPERM, sys, "there are no tracepoints: the kernel is locked down "
				"(confidentiality)");
	else
		ret = parse_err(ps, -ENOENT, sys, "there is no event or tracepoint system '%s'%s", sys0,
				strbuf_str(&near));
	if (ret == -EPERM)
		err_hint(ps->err, "boot without lockdown=confidentiality");
	else if (!strncmp(sys0, "sdt_", 4))
		err_hint(ps->err, "a marker in a program (SDT) becomes an event once a probe is added on it: "
			 "perf probe -x PROGRAM %%%s:%s", has_glob(sys0) ? "GROUP" : sys0,
			 has_glob(name0) ? "NAME" : name0);
	else if (!strncmp(sys0, "probe", 5))
		hint_probe(ps, has_glob(sys0) ? "probe" : sys0, has_glob(name0) ? "NAME" : name0);
	else if (have_sys)
		err_hint(ps->err, "'perf list %s:*' shows the events of this system", sys0);
	else
		err_hint(ps->err, "'perf list tracepoint' shows the available tracepoints");
	strbuf_release(&near);
	tracefs_events_release(&all);
	return ret;
}

/* an error of tracefs, with its place in the event string */
static int err_of_tracefs(struct parser *ps, struct span where, const struct err *err)
{
	parse_err(ps, err->code, where, "%s", err->msg);
	err_add_hints(ps->err, err);
	return err->code;
}

static int add_tracepoint(struct parser *ps, const char *sys, const char *name, struct span where)
{
	struct event *ev;
	struct err err = ERR_INIT;
	char full[600];
	u64 id;

	if (tracefs_event_id(sys, name, &id, &err))
		return err_of_tracefs(ps, where, &err);
	snprintf(full, sizeof(full), "%s:%s", sys, name);
	ev = parse_add_event(ps, PERF_TYPE_TRACEPOINT, id);
	ev->name = arena_strdup(&ps->set->arena, full);
	ev->tp_system = arena_strdup(&ps->set->arena, sys);
	ev->tp_name = arena_strdup(&ps->set->arena, name);
	return 0;
}

int parse_tracepoint(struct parser *ps, struct span sys, struct span name)
{
	char *sys0 = span_dup(ps, sys), *name0 = span_dup(ps, name);
	struct span both = { sys.s, name.s + name.len - sys.s };
	struct tracefs_events list = { 0 };
	struct err err = ERR_INIT;
	int ret;

	if (ps->opts->no_tracefs)
		return parse_err(ps, -EINVAL, both, "tracepoints are not available here");
	if (!has_glob(sys0) && !has_glob(name0)) {
		ret = add_tracepoint(ps, sys0, name0, both);
		/* a system's name is a name in C: "mem-stores:u" is an event with a modifier */
		if (ret == -ENOENT && strchr(sys0, '-'))
			return parse_err_unknown(ps, sys);
		return ret == -ENOENT && tracefs_path() ? err_no_tracepoint(ps, sys, name, sys0, name0) : ret;
	}
	ret = tracefs_list(&list, sys0, name0, &err);
	if (ret)
		return err_of_tracefs(ps, both, &err);
	if (!list.nr)
		ret = err_no_tracepoint(ps, sys, name, sys0, name0);
	for (size_t i = 0; !ret && i < list.nr; i++)
		ret = add_tracepoint(ps, list.v[i].sys, list.v[i].name, both);
	tracefs_events_release(&list);
	return ret;
}
