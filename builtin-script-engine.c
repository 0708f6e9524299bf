/* perf script: options about scripts of users. The work is in util/script/engine.c. */
#include "util/cli/builtin.h"
#include "util/cli/config.h"
#include "util/cli/parse-options.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "util/base/fs.h"
#include "util/base/log.h"
#include "util/script/fields.h"
#include "util/script/engine-opts.h"
#include "util/script/languages.h"
#include "util/script/starter.h"
#include "builtin-script.h"

/* name of the script that is written where only the language is given */
#define STARTER "perf-script"

/* error: the word is not a language, or the file's name does not end like one */
static int refuse(const struct option *opt, const char *word, size_t len, bool file)
{
	struct strbuf names = STRBUF_INIT, endings = STRBUF_INIT;
	int ret;

	language_list(false, &names);
	language_list(true, &endings);
	ret = file ? opt_error(opt, "'%s' is not the file of a script in %s: its name does not end in %s",
			       word, strbuf_str(&names), strbuf_str(&endings)) :
		     opt_error(opt, "scripts are written in %s, not in '%.*s': write a language or the name "
			       "of a file that ends in %s", strbuf_str(&names), (int)len, word,
			       strbuf_str(&endings));
	strbuf_release(&names);
	strbuf_release(&endings);
	return ret;
}

int script_parse_name(const struct option *opt, const char *arg, bool unset)
{
	struct engine_opts *o = opt->value;
	const char *colon = unset ? NULL : strchr(arg, ':');

	if (unset) {
		o->file = NULL;
		return 0;
	}
	if (colon && access(arg, F_OK)) {
		o->language = language_named(arg, colon - arg);
		o->file = colon + 1;
		return o->language ? 0 : refuse(opt, arg, colon - arg, false);
	}
	o->language = language_of_file(arg);
	o->file = arg;
	return o->language ? 0 : refuse(opt, arg, 0, true);
}

int script_parse_starter(const struct option *opt, const char *arg, bool unset)
{
	struct script_starter *s = opt->value;
	const struct language *named;

	free(s->file);
	*s = (struct script_starter){ 0 };
	if (unset)
		return 0;
	named = language_named(arg, strlen(arg));
	s->language = named ? named : language_of_file(arg);
	if (!s->language)
		return refuse(opt, arg, strlen(arg), false);
	s->file = named ? xasprintf(STARTER ".%s", named->ending) : xstrdup(arg);
	return 0;
}

static struct engine_opts *running;

static void stop(int sig UNUSED)
{
	running->stop = 1;
}

void script_prepare_engine(struct engine_opts *o, const struct script_fields *f)
{
	struct sigaction act = { .sa_handler = stop, .sa_flags = SA_RESTART | SA_RESETHAND }, old;
	bool chosen = false;

	for (int t = 0; t < ST_NR; t++)
		chosen |= script_fields_chosen(f, t);
	if (chosen)
		log_warn("-F does nothing with --script: functions of scripts are given all fields");
	o->config = config_get;
	running = o;
	/* ignored: Ctrl-C ends the recorder on the other side of a pipe, and all that it wrote is shown */
	if (!sigaction(SIGINT, NULL, &old) && old.sa_handler != SIG_IGN)
		sigaction(SIGINT, &act, NULL);
}

/* a new file, or one without anything in it, as mktemp makes it: no script that somebody has changed */
static int open_starter(const char *file)
{
	int fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	struct stat st;

	if (fd >= 0 || errno != EEXIST)
		return fd;
	fd = open(file, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size)) {
		close(fd);
		fd = -1;
		errno = EEXIST;
	}
	return fd;
}

int script_write_starter(const struct session *s, const struct script_starter *o, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int ret = starter_write(o->language, s, &text, err), fd;

	if (!ret) {
		fd = open_starter(o->file);
		ret = fd < 0 ? err_sys(err, errno, "cannot write %s", o->file) : 0;
		if (fd >= 0 && fd_write_all(fd, strbuf_str(&text), text.len))
			ret = err_sys(err, errno, "cannot write %s", o->file);
		if (fd >= 0 && close(fd) && !ret)
			ret = err_sys(err, errno, "cannot write %s", o->file);
	}
	strbuf_release(&text);
	if (!ret)
		printf("generated %s script: %s\n", o->language->name, o->file);
	return ret;
}
