/*
 * perf script record NAME of a script without a wrapper bin/NAME-record: its functions say what perf record
 * records.
 */
#include "builtin-script.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/err.h"
#include "util/base/log.h"
#include "util/cli/builtin.h"
#include "util/script/handlers.h"
#include "util/script/language.h"
#include "util/script/user-scripts.h"
#include "util/tracing/tracing.h"

struct record_words { VEC(const char *); };

static int say_nothing(const struct user_script *s, const struct handlers *h, struct err *err)
{
	const struct language *l = s->language;

	if (h->counts) {
		err_set(err, -EINVAL, "%s has functions for counts, which perf record does not record",
			s->file);
		err_hint(err, "'perf stat record -e EVENT', then 'perf script report %s' calls them",
			 s->name);
		return -EINVAL;
	}
	err_set(err, -ENOENT, "%s has no function that is called for an event, such as sched%ssched_switch "
		"or process_event", s->file, l->scope);
	err_hint(err, "a wrapper bin/%s-record beside it, or 'perf record -e EVENT' records what it reads",
		 s->name);
	return -ENOENT;
}

/* where none of them is there, perf record says why */
static void add_tracepoints(struct record_words *w, const struct handlers *h)
{
	bool some = false;

	vec_foreach(&h->event, event)
		some |= tracing_has_event(*event);
	vec_foreach(&h->event, event) {
		if (some && !tracing_has_event(*event)) {
			log_warn("not recorded: %s, which this kernel does not have", *event);
			continue;
		}
		vec_push(w, "-e");
		vec_push(w, *event);
	}
}

int script_record_events(const struct user_script *s, bool to_pipe, bool all_cpus, int argc,
			 const char **argv)
{
	static const char *const of_tracepoints[] = { "-R", "-c", "1", "-m", "1024" };
	struct record_words w = { 0 };
	struct err err = ERR_INIT;
	struct handlers h;
	int ret = handlers_read(&h, s->language, s->file, &err);

	if (!ret && !h.event.nr && !h.samples)
		ret = say_nothing(s, &h, &err);
	if (ret)
		goto out;
	vec_push(&w, "record");
	for (int i = 0; to_pipe && i < 2; i++)
		vec_push(&w, i ? "-" : "-o");
	if (all_cpus)
		vec_push(&w, "-a");
	for (size_t i = 0; h.event.nr && i < ARRAY_SIZE(of_tracepoints); i++)
		vec_push(&w, of_tracepoints[i]);
	add_tracepoints(&w, &h);
	for (int i = 0; i < argc; i++)
		vec_push(&w, argv[i]);
	vec_push(&w, NULL);
	ret = cmd_record(w.nr - 1, w.v);
out:
	vec_release(&w);
	handlers_release(&h);
	return err.code ? die_err(&err) : ret;
}
