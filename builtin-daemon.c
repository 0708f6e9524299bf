/* perf daemon: recordings that run in the background. Options and wiring; the work is in util/daemon. */
#include "util/base/alloc.h"
#include "util/base/log.h"
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"
#include "util/daemon/client.h"
#include "util/daemon/server.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct daemon_cmd {
	struct daemon_opts daemon;
	const char *session;
	char separator;
};

static const char *const usage[] = {
	"perf daemon [<options>] [list]",
	"perf daemon start [-f] [<options>]",
	"perf daemon stop [<options>]",
	"perf daemon {signal|ping} [--session <name>] [<options>]",
	NULL
};

/* asks the daemon and gives its answer, whose first row has the base directory */
static int ask(const struct daemon_cmd *c, enum daemon_kind request, struct daemon_answer *ret_a)
{
	struct err err = ERR_INIT;
	char *base = daemon_base(&c->daemon, &err);
	int ret = base ? daemon_ask(base, request, c->session, ret_a, &err) : err.code;

	free(base);
	if (ret == -ENOENT && c->session && !strcmp(err.msg, "not found")) {
		if (request == DAEMON_PING) {
			printf("FAIL %s (not found)\n", c->session);
			return 1;
		}
		err_set(&err, -ENOENT, "the daemon has no session '%s'", c->session);
		err_hint(&err, "'perf daemon' lists them");
	}
	return ret ? die_err(&err) : 0;
}

/* the sessions that do not do what was asked; those that ended well only if it matters. How many there are */
static u32 warn_of_rows(const struct daemon_answer *a, bool ended_well, bool silent)
{
	struct strbuf text = STRBUF_INIT;
	u32 nr = 0;

	vec_foreach(a, row) {
		if (row->state == DAEMON_RUNS || (row->state == DAEMON_SILENT && !silent) ||
		    (row->state == DAEMON_ENDED && !row->code && !ended_well))
			continue;
		strbuf_reset(&text);
		daemon_row_reason(&text, row, a->v[0].text);
		log_warn("%s", strbuf_str(&text));
		nr++;
	}
	strbuf_release(&text);
	return nr;
}

static int print(struct strbuf *text)
{
	fputs(strbuf_str(text), stdout);
	fflush(stdout);
	strbuf_release(text);
	return 0;
}

/* --- the words */

static int daemon_list(struct daemon_cmd *c)
{
	struct strbuf text = STRBUF_INIT;
	struct daemon_answer a;
	int ret = ask(c, DAEMON_LIST, &a);

	if (ret)
		return ret;
	daemon_list_text(&text, &a, c->separator, log_level > 0);
	print(&text);
	warn_of_rows(&a, true, true);
	daemon_answer_release(&a);
	return 0;
}

static void ready(void *ctx UNUSED)
{
}

static int daemon_start(struct daemon_cmd *c)
{
	struct daemon_answer a;
	struct err err = ERR_INIT;
	int ret = c->daemon.foreground ? daemon_serve(&c->daemon, ready, NULL, &err) :
		  daemon_serve_apart(&c->daemon, &err);

	if (ret)
		return die_err(&err);
	if (c->daemon.foreground)
		return 0;
	/* each recorder answers once it records */
	ret = ask(c, DAEMON_PING, &a);
	if (ret)
		return ret;
	if (a.nr < 2)
		log_warn("nothing is recorded, because the configuration has no section [session-NAME] with "
			 "a key run; the daemon waits until one is added");
	warn_of_rows(&a, false, false);
	daemon_answer_release(&a);
	return 0;
}

static int daemon_stop(struct daemon_cmd *c)
{
	struct daemon_answer a;
	int ret = ask(c, DAEMON_STOP, &a);

	if (!ret)
		daemon_answer_release(&a);
	return ret;
}

static int daemon_signal(struct daemon_cmd *c)
{
	struct strbuf text = STRBUF_INIT;
	struct daemon_answer a;
	int ret = ask(c, DAEMON_SIGNAL, &a);

	if (ret)
		return ret;
	daemon_signal_text(&text, &a);
	print(&text);
	ret = warn_of_rows(&a, c->session, true) != 0;
	daemon_answer_release(&a);
	return ret;
}

static int daemon_ping(struct daemon_cmd *c)
{
	struct strbuf text = STRBUF_INIT;
	struct daemon_answer a;
	int ret = ask(c, DAEMON_PING, &a);

	if (ret)
		return ret;
	ret = daemon_ping_text(&text, &a) != 0;
	print(&text);
	warn_of_rows(&a, true, true);
	daemon_answer_release(&a);
	return ret;
}

static const struct word {
	const char *name;
	int (*run)(struct daemon_cmd *c);
	bool of_sessions, starts;
} words[] = {
	{ "list", daemon_list, false, false },
	{ "start", daemon_start, false, true },
	{ "stop", daemon_stop, false, false },
	{ "signal", daemon_signal, true, false },
	{ "ping", daemon_ping, true, false },
};
static const char *const names[] = { "list", "start", "stop", "signal", "ping", NULL };

static const struct word *word_find(const char *name)
{
	for (u32 i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(words[i].name, name))
			return &words[i];
	return NULL;
}

/* the daemon reads its file again, and leaves this directory */
static char *absolute(const char *path)
{
	char dir[PATH_MAX];

	return !path || *path == '/' || !getcwd(dir, sizeof(dir)) ? NULL : xasprintf("%s/%s", dir, path);
}

int cmd_daemon(int argc, const char **argv)
{
	struct daemon_cmd c = { .separator = 0 };
	const struct option options[] = {
#include "builtin-daemon.def"
		OPT_END(),
	};
	const struct word *word = &words[0];
	char *config;
	int ret;

	argc = parse_options_sub(argc, argv, options, names, usage, PARSE_STOP_AT_NON_OPTION);
	if (argc) {
		word = word_find(argv[0]);
		if (!word)
			return opt_no_subcommand(options, names, usage, argv[0]);
		argc = parse_options(argc, argv, options, usage, 0);
	}
	if (argc)
		return opt_usage_error(options, NULL, usage, "unexpected argument '%s'", argv[0]);
	if (c.daemon.foreground && !word->starts)
		return opt_usage_error(options, NULL, usage, "-f has no meaning with '%s'", word->name);
	if (c.session && !word->of_sessions)
		return opt_usage_error(options, NULL, usage, "--session has no meaning with '%s'",
				       word->name);
	if (c.session && (!*c.session || strlen(c.session) >= DAEMON_NAME_MAX))
		return opt_usage_error(options, NULL, usage, "'%s' cannot be the name of a session",
				       c.session);
	config = absolute(c.daemon.config);
	if (config)
		c.daemon.config = config;
	ret = word->run(&c);
	free(config);
	return ret;
}
