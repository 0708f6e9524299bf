/* perf archive: the files that a report needs, for another machine. Options and wiring; see util/archive. */
#include "builtin-session.h"
#include "util/archive/archive.h"
#include "util/base/fs.h"
#include "util/base/log.h"
#include "util/base/units.h"
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"
#include "util/obj/buildid.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

struct archive_cmd {
	struct session_opts session;
	bool all, unpack;
	char *cache;
};

static const char *const usage[] = {
	"perf archive [<options>] [<file>]",
	"perf archive --unpack [<archive>]",
	NULL
};

/* perf.data.tar.bz2 beside the recording; with all perf.all-HOST-TIME.tar.bz2 in the current folder */
static char *output_name(const char *path, bool all, bool packed)
{
	const char *suffix = packed ? ".tar.bz2" : ".tar";
	time_t now = time(NULL);
	struct utsname u;
	char stamp[32];
	struct tm tm;

	if (!all)
		return xasprintf("%s%s", path, suffix);
	strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", localtime_r(&now, &tm));
	return xasprintf("perf.all-%s-%s%s", uname(&u) ? "host" : u.nodename, stamp, suffix);
}

static int write_archive(struct archive_cmd *c, struct session *s, int fd, bool *packed,
			 struct archive_result *result, struct err *err)
{
	struct fd_out file;
	struct out_stream *to = fd_out_init(&file, fd);
	struct bz2_out *bz2 = *packed ? bz2_out_new(to) : NULL;
	int ret, end;

	*packed = bz2;
	to = bz2 ? bz2_out_stream(bz2) : to;
	ret = c->all ? archive_pack_all(s, c->cache, s->data->path, *packed, to, result, err) :
	      archive_pack(s, c->cache, to, result, err);
	end = bz2 ? bz2_out_end(bz2) : 0;
	return ret || !end ? ret : err_sys(err, -end, "cannot compress the archive");
}

static void tell_packed(const char *name, const struct archive_result *r)
{
	log_note("wrote %s: %u file%s of %u %s", name, r->nr_files, plural(r->nr_files), r->nr_dsos,
		 r->nr_dsos == 1 ? "program, library or kernel" : "programs, libraries and kernels");
	if (r->nr_missing)
		log_note("%u other%s no build-id, or the file is gone; -v names them", r->nr_missing,
			 r->nr_missing == 1 ? " has" : "s have");
	log_note("on the other machine: perf archive --unpack %s", name);
}

/* the file that is not an archive yet: a signal that ends perf takes it along */
static const char *unfinished;

static void remove_unfinished(int sig)
{
	unlink(unfinished);
	signal(sig, SIG_DFL);
	raise(sig);
}

static void catch_signals(const char *path)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction old;

	unfinished = path;
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		if (!sigaction(signals[i], NULL, &old) && old.sa_handler != SIG_IGN)
			signal(signals[i], path ? remove_unfinished : SIG_DFL);
}

static int pack(void *cmd, struct session *s, struct err *err)
{
	struct archive_cmd *c = cmd;
	struct archive_result result = { 0 };
	char *tmp = c->all ? xstrdup("perf.all.XXXXXX") : xasprintf("%s.tar.XXXXXX", s->data->path), *name;
	bool packed = true;
	int fd, ret;

	if (!strcmp(s->data->path, "-") || (c->all && s->data->is_dir)) {
		free(tmp);
		err_set(err, -EINVAL, "a %s cannot be archived", s->data->is_dir ? "directory" : "pipe");
		err_hint(err, "perf inject -i %s -o perf.data makes one file of it", s->data->path);
		return -EINVAL;
	}
	fd = mkostemp(tmp, O_CLOEXEC);
	if (fd >= 0)
		catch_signals(tmp);
	ret = fd < 0 ? err_sys(err, errno, "cannot write %s", tmp) : write_archive(c, s, fd, &packed,
										   &result, err);
	name = output_name(s->data->path, c->all, packed);
	if (!ret && (fchmod(fd, 0600) || rename(tmp, name)))
		ret = err_sys(err, errno, "cannot write %s", name);
	if (fd >= 0)
		close(fd);
	if (fd >= 0 && ret)
		unlink(tmp);
	catch_signals(NULL);
	if (!ret)
		tell_packed(name, &result);
	free(name);
	free(tmp);
	return ret;
}

/* without a name: the one archive with all in the current folder */
static char *find_archive(struct err *err)
{
	char *found = NULL;
	glob_t g;

	if (!glob("perf.all-*.tar*", 0, NULL, &g) && g.gl_pathc == 1)
		found = xstrdup(g.gl_pathv[0]);
	else
		err_set(err, -ENOENT,
			"the current folder has none or several perf.all-*.tar.bz2: name the archive");
	globfree(&g);
	return found;
}

static int unpack(const struct archive_cmd *c, const char *arg)
{
	struct archive_result r = { 0 };
	struct err err = ERR_INIT;
	char *path = arg ? xstrdup(arg) : find_archive(&err);
	struct fd_in in;
	struct stat st;
	int ret, fd = path ? open_regular(path, &st, &err) : -ENOENT;

	ret = fd < 0 ? fd : archive_unpack(fd_in_init(&in, fd), c->cache, ".", &r, &err);
	if (fd >= 0)
		close(fd);
	if (!ret)
		log_note("added %u file%s to %s", r.nr_files, plural(r.nr_files), c->cache);
	if (!ret && r.nr_refused)
		log_note("left out %u file%s there or not for a cache; -v names them", r.nr_refused,
			 r.nr_refused == 1 ? ": it is" : "s: they are");
	if (!ret && r.recording)
		log_note("wrote %s", r.recording);
	free(r.recording);
	free(path);
	return ret ? die_err(&err) : 0;
}

int cmd_archive(int argc, const char **argv)
{
	struct archive_cmd c = { .session.sym = SYM_OPTS_INIT };
	const struct option options[] = {
		OPT_BOOL(0, "all", &c.all, "put the recording into the archive, too"),
		OPT_BOOL(0, "unpack", &c.unpack, "add the files of an archive to the build-id cache"),
		OPT_EXCLUDES("unpack", "all"),
		OPT_BOOL('f', "force", &c.session.data.force,
			 "read the file even if it belongs to another user"),
		OPT_INCR('v', "verbose", &log_level, "print more: files that are missing or left out"),
		OPT_END(),
	};
	int ret;

	argc = parse_options(argc, argv, options, usage, 0);
	if (argc > 1)
		return opt_usage_error(options, NULL, usage, "unexpected argument '%s'", argv[1]);
	c.cache = buildid_cache_dir();
	if (c.unpack && !c.cache)
		return die("there is no build-id cache: HOME is not set");
	c.session.data.path = argc ? argv[0] : "perf.data";
	ret = c.unpack ? unpack(&c, argc ? argv[0] : NULL) : session_run(&c.session, false, pack, &c);
	free(c.cache);
	return ret;
}
