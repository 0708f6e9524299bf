/* Outputs: names of switched and time-stamped files. */
#include "outputs.h"
#include "../base/log.h"
#include "../data/keep-old.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void outputs_init(struct outputs *o, const char *path, bool stamp, u32 max_files)
{
	*o = (struct outputs){ .path = path, .stamp = stamp && strcmp(path, "-"), .max_files = max_files };
}

int outputs_check(const struct outputs *o, struct err *err)
{
	struct stat st;

	/* the target of a link counts; /dev/stdout keeps its name even if it is a file */
	if (!o->stamp || lstat(o->path, &st) < 0)
		return 0;
	if ((!S_ISLNK(st.st_mode) || !writer_is_descriptor_link(o->path)) &&
	    (stat(o->path, &st) < 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)))
		return 0;
	err_set(err, -EINVAL, "%s is not a regular file and cannot be renamed to a name with the time",
		o->path);
	err_hint(err, "--switch-output and --timestamp-filename rename each complete file: "
		 "give -o the name of a file");
	return -EINVAL;
}

#define STAMP_NS 10000000ull

/*
 * local time to the hundredth of a second, so that names sort by time. A second output in the same hundredth
 * gets the next one
 */
static char *stamped(struct outputs *o)
{
	struct timespec now;
	struct tm tm;
	char buf[32];
	time_t seconds;
	u64 stamp;

	clock_gettime(CLOCK_REALTIME, &now);
	stamp = ((u64)now.tv_sec * 1000000000 + now.tv_nsec) / STAMP_NS;
	o->last_stamp = MAX(stamp, o->last_stamp + 1);
	seconds = o->last_stamp / 100;
	localtime_r(&seconds, &tm);
	strftime(buf, sizeof(buf), "%Y%m%d%H%M%S", &tm);
	return xasprintf("%s.%s%02u", o->path, buf, (unsigned int)(o->last_stamp % 100));
}

int outputs_rotate(struct outputs *o, struct err *err)
{
	char *name;

	if (!o->stamp)
		return 0;
	name = stamped(o);
	if (rename(o->path, name) < 0) {
		int ret = err_sys(err, errno, "cannot rename %s to %s", o->path, name);

		free(name);
		return ret;
	}
	log_note("[ perf record: Dump %s ]", name);
	if (o->finished || !o->max_files) {
		if (o->finished)	/* whose file it is from now on */
			o->finished(o->ctx, name);
		free(o->last);
		o->last = name;
		return 0;
	}
	vec_push(&o->done, name);
	if (o->done.nr > o->max_files) {
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
	if (o->last)
		return o->last;
	return o->done.nr ? o->done.v[o->done.nr - 1] : o->path;
}

void outputs_release(struct outputs *o)
{
	vec_foreach(&o->done, name)
		free(*name);
	vec_release(&o->done);
	free(o->last);
}
