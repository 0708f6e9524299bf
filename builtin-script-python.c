/* perf script: options about scripts of users. The work is in util/script/python.c. */
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include "util/base/fs.h"
#include "util/base/log.h"
#include "util/script/fields.h"
#include "util/script/python.h"
#include "builtin-script.h"

#define STARTER "perf-script.py"

/* languages, and how the names of their files end */
static const char *const languages[] = { "Python", "py" };

static bool is_python(const char *word)
{
	return !strcasecmp(word, languages[0]) || !strcasecmp(word, languages[1]);
}

static bool ends_as_python(const char *file)
{
	const char *dot = strrchr(file, '.');

	return dot && is_python(dot + 1);
}

static int parse_prefixed(const struct option *opt, struct python_opts *o, const char *arg,
			  const char *colon)
{
	char *language = xstrndup(arg, colon - arg);
	bool known = is_python(language);

	o->file = colon + 1;
	free(language);
	return known ? 0 : opt_error(opt, "scripts are written in Python, not in '%.*s'", (int)(colon - arg),
				     arg);
}

int script_parse_name(const struct option *opt, const char *arg, bool unset)
{
	struct python_opts *o = opt->value;
	const char *colon;

	if (unset) {
		o->file = NULL;
		return 0;
	}
	colon = strchr(arg, ':');
	if (colon && access(arg, F_OK))
		return parse_prefixed(opt, o, arg, colon);
	if (!ends_as_python(arg))
		return opt_error(opt, "'%s' is not the file of a script in Python: its name does not end "
				 "in .py", arg);
	o->file = arg;
	return 0;
}

int script_parse_language(const struct option *opt, const char *arg, bool unset)
{
	if (!unset && !is_python(arg))
		return opt_error(opt, "scripts are written in Python, not in '%s'", arg);
	*(bool *)opt->value = !unset;
	return 0;
}

void script_note_fields(const struct script_fields *f)
{
	bool chosen = false;

	for (int t = 0; t < ST_NR; t++)
		chosen |= script_fields_chosen(f, t);
	if (chosen)
		log_warn("-F does nothing with --script: functions of scripts are given all fields");
}

static struct python_opts *running;

static void stop(int sig UNUSED)
{
	running->stop = 1;
}

void script_catch_interrupt(struct python_opts *o)
{
	struct sigaction act = { .sa_handler = stop, .sa_flags = SA_RESTART | SA_RESETHAND };

	running = o;
	sigaction(SIGINT, &act, NULL);
}

/* a script that somebody has begun to change is not written over */
int script_write_starter(const struct session *s, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int ret = python_starter(s, &text, err), fd;

	if (!ret) {
		fd = open(STARTER, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		ret = fd < 0 ? err_sys(err, errno, "cannot write " STARTER) : 0;
		if (fd >= 0 && fd_write_all(fd, strbuf_str(&text), text.len))
			ret = err_sys(err, errno, "cannot write " STARTER);
		if (fd >= 0 && close(fd) && !ret)
			ret = err_sys(err, errno, "cannot write " STARTER);
	}
	strbuf_release(&text);
	if (!ret)
		printf("generated Python script: " STARTER "\n");
	return ret;
}
