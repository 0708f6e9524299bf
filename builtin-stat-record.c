/* perf stat record: counting whose readings go to a file as well. */
#include "util/cli/builtin.h"
#include "util/stat/stat-file.h"
#include "builtin-stat.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct recording {
	const struct stat_args *a;
	const struct stat_writer_origin *origin;
	const struct counting_result *res;
	struct stat_writer w;
};

/* where samples of perf record would go, too */
static const char *path_of(const struct stat_args *a)
{
	struct stat st;

	if (a->output)
		return a->output;
	return !fstat(STDOUT_FILENO, &st) && S_ISFIFO(st.st_mode) ? "-" : "perf.data";
}

static int on_opened(void *ctx, struct counting *c, const char *const *cgroup, struct err *err)
{
	struct recording *r = ctx;
	const struct stat_opts *o = &r->a->o;
	const struct stat_file_config config = {
		.mode = o->show.mode, .cache_level = o->cache_level,
		.interval_ms = r->a->o.counting.observe.interval_ms, .no_scale = o->show.no_scale,
		.cgroup = cgroup,
	};

	return stat_writer_open(&r->w, path_of(r->a), c->set, &c->counts, &config, r->origin, err);
}

static int on_tick(void *ctx, const struct counting *c, const struct counting_tick *t, struct err *err)
{
	struct recording *r = ctx;
	const struct stat_round round = {
		.last = t->last && !r->a->o.counting.observe.interval_ms, .time_ns = t->time_ns,
		.has_times = t->last && r->res->has_times, .user_ns = r->res->user_ns,
		.sys_ns = r->res->sys_ns,
	};

	return stat_writer_round(&r->w, &c->counts, &round, err);
}

int stat_record_run(struct stat_args *a, const struct stat_writer_origin *origin, struct counting_result *res,
		    struct err *err)
{
	struct recording r = { .a = a, .origin = origin, .res = res };
	const struct stat_listener listener = { .opened = on_opened, .tick = on_tick, .ctx = &r };
	int ret;

	/* a stream is for a reader, who shows the counts; a table beside its own would be one too many */
	if (!strcmp(path_of(a), "-")) {
		a->o.counting.observe.stdout_is_data = true;
		a->look.quiet |= !a->log_fd_given;
	}
	ret = stat_run(&a->o, &listener, res, err);
	if (!ret && r.w.set)
		ret = stat_writer_finish(&r.w, err);
	stat_writer_release(&r.w);
	return ret;
}
