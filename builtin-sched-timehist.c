/* perf sched timehist, map: what options mean, and output; the work is in util/sched. */
#include "builtin-sched.h"
#include "builtin-session.h"
#include "ui/format.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "util/base/list-word.h"
#include "util/cli/color.h"

static bool has_chains(const struct session *s)
{
	for (u32 i = 0; i < s->data->evset->ev.nr; i++) {
		const struct event *ev = s->data->evset->ev.v[i];

		if (ev->attr.type == PERF_TYPE_TRACEPOINT && ev->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
			return true;
	}
	return false;
}

static int analyze_timehist(void *cmd, struct session *s, struct err *err)
{
	struct sched_cmd *c = cmd;
	struct sched_timehist t = { 0 };
	int ret = 0;

	if (c->prio_list)
		ret = id_filter_parse_cpus(&c->timehist.prios, c->prio_list, err);
	if (ret)
		return ret;
	c->timehist.chains &= has_chains(s);
	if (!c->timehist.quiet)
		sched_cmd_begin_rows();
	sched_timehist_init(&t, s, &c->timehist);
	ret = sched_run(&t.sched, s, &sched_timehist_ops, &t, &c->filter, err);
	if (!ret) {
		ret = sched_timehist_end(&t);
		if (ret && ret != -EPIPE)
			err_sys(err, -ret, "cannot write");
	}
	if (!ret && c->timehist.summary)
		ret = sched_cmd_show(c, s, sched_timehist_view(&t, sched_cmd_form(c)), err);
	sched_timehist_release(&t);
	sched_release(&t.sched);
	id_filter_release(&c->timehist.prios);
	return ret == -EPIPE ? 0 : ret;
}

int sched_timehist(struct sched_cmd *c, const struct option *options)
{
	struct sched_timehist_opts *o = &c->timehist;

	if (o->summary && c->json && !o->quiet)
		return opt_usage_error(options, NULL, sched_usage,
				       "-S and --json exclude each other: use -s");
	if (o->max_stack > TRACING_MAX_STACK - 2)
		return opt_usage_error(options, NULL, sched_usage, "--max-stack is at most %u",
				       TRACING_MAX_STACK - 2);
	if (c->timeline)
		return sched_timeline(c, options);
	o->summary |= o->quiet;
	o->separator = c->separator;
	o->format = c->json ? format_find_stream("json") : NULL;
	o->write = write_stdout;
	c->session.scan_late = true;
	return session_run(&c->session, c->dump, analyze_timehist, c);
}

/* ---- map ---- */

static int parse_map_lists(struct sched_cmd *c, struct err *err)
{
	struct sched_map_opts *o = &c->map;
	int ret = 0;

	if (c->map_cpus)
		ret = id_filter_parse_cpus(&o->cpus, c->map_cpus, err);
	if (!ret && c->map_color_cpus)
		ret = id_filter_parse_cpus(&o->color_cpus, c->map_color_cpus, err);
	if (!ret && c->map_color_pids)
		ret = id_filter_parse(&o->color_pids, "--color-pids", c->map_color_pids, err);
	return ret;
}

/* the words of --task-name, which are cut in place; the caller frees the array */
static const char **split_names(char *list)
{
	const char **words = xcalloc(strlen(list) / 2 + 2, sizeof(*words));

	for (u32 nr = 0; *list;) {
		size_t len = list_word_len(list), bare = len;
		char *word = list + (list_word_bare(list, &bare) - list);

		list += len + !!list[len];
		word[bare] = '\0';
		if (bare)
			words[nr++] = word;
	}
	return words;
}

static int analyze_map(void *cmd, struct session *s, struct err *err)
{
	struct sched_cmd *c = cmd;
	char *list = c->map_names ? xstrndup(c->map_names, strlen(c->map_names)) : NULL;
	const char **names = list ? split_names(list) : NULL;
	struct sched_map m = { .o = &c->map };
	int ret = parse_map_lists(c, err);

	if (!ret) {
		c->map.task_names = names;
		sched_cmd_begin_rows();
		c->map.cpu_color = color_seq(1, COLOR_BLUE);
		c->map.pid_color = color_seq(1, COLOR_RED);
		c->map.no_color = color_seq(1, COLOR_RESET);
		ret = sched_run(&m.sched, s, &sched_map_ops, &m, &c->filter, err);
		if (!ret) {
			ret = sched_map_end(&m);
			if (ret && ret != -EPIPE)
				err_sys(err, -ret, "cannot write");
		}
		sched_release(&m.sched);
	}
	sched_map_release(&m);
	id_filter_release(&c->map.cpus);
	id_filter_release(&c->map.color_cpus);
	id_filter_release(&c->map.color_pids);
	free(names);
	free(list);
	return ret == -EPIPE ? 0 : ret;
}

int sched_map(struct sched_cmd *c, const struct option *options)
{
	if (c->map.fuzzy && !c->map_names)
		return opt_usage_error(options, NULL, sched_usage, "--fuzzy-name needs --task-name");
	if (c->timeline)
		return sched_timeline(c, options);
	c->map.separator = c->separator;
	c->map.format = c->json ? format_find_stream("json") : NULL;
	c->map.write = write_stdout;
	c->session.scan_late = true;
	return session_run(&c->session, c->dump, analyze_map, c);
}
