/* Outputs: names of switched and time-stamped files. */
#include "outputs.h"
#include "../base/log.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void outputs_init(struct outputs *o, const char *path, bool stamp, u32 max_files)
{
	*o = (struct outputs){ .path = path, .stamp = stamp && strcmp(path, "-"), .max_files = max_files };
}

/* local time to the hundredth of a second: names sort by time */
static char *stamped(const char *path)
{
	struct timespec now;
	struct tm tm;
	char buf[32];

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &tm);
	strftime(buf, sizeof(buf), "%Y%m%d%H%M%S", &tm);
	return xasprintf("%s.%s%02ld", path, buf, now.tv_nsec / 10000000);
}

int outputs_rotate(struct outputs *o, struct err *err)
{
	char *name;

	if (!o->stamp)
		return 0;
	name = stamped(o->path);
	if (rename(o->path, name) < 0) {
		int ret = err_sys(err, errno, "cannot rename %s to %s", o->path, name);

		free(name);
		return ret;
	}
	log_note("[ perf record: Dump %s ]", name);
	vec_push(&o->done, name);
	if (o->max_files && o->done.nr > o->max_files) {
		unlink(o->done.v[0]);
		free(o->done.v[0]);
		memmove(o->done.v, o->done.v + 1, --o->done.nr * sizeof(*o->done.v));
	}
	return 0;
}

int outputs_finish(struct outputs *o, struct err *err)
{
	return outputs_rotate(o, err);
}

const char *outputs_last(const struct outputs *o)
{
	return o->done.nr ? o->done.v[o->done.nr - 1] : o->path;
}

void outputs_release(struct outputs *o)
{
	vec_foreach(&o->done, name)
		free(*name);
	vec_release(&o->done);
}
