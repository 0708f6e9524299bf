/* perf config: show and change perfconfig files. */
#include "util/base/log.h"
#include "util/cli/builtin.h"
#include "util/cli/config-keys.h"
#include "util/cli/config.h"
#include "util/cli/parse-options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const config_usage[] = { "perf config [<file-option>] [options] "
					    "[section.name[=value] ...]", NULL };

/* the last value of each key, in the order of the files */
static int list_all(const struct config *c)
{
	for (size_t i = 0; i < c->nr; i++)
		if (config_find(c, c->v[i].key) == c->v[i].value)
			printf("%s=%s\n", c->v[i].key, c->v[i].value);
	return 0;
}

/* users may choose any names, but a name that nothing reads is mostly misspelt */
static void note_unread(const char *key)
{
	const struct config_key *k = config_key_find(key);
	const char *near = k ? NULL : config_key_nearest(key);

	if (k && k->unused)
		log_warn("this perf does not read %s: %s", key, k->unused);
	else if (!k)
		log_warn("no perf command reads '%s'%s%s%s; 'perf help config' lists what they read", key,
			 near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
}

/* shows nothing, without an error, if the key is not set: scripts expect this */
static int show(const struct config *c, const char *key)
{
	const char *value = config_find(c, key);

	if (!value) {
		struct err err = ERR_INIT;

		if (strchr(key, '.')) {
			note_unread(key);
			return 0;
		}
		err_set(&err, -EINVAL,
			"'%s' is not a key: it needs a section and a name, as in report.children", key);
		return die_err(&err);
	}
	printf("%s=%s\n", key, value);
	return 0;
}

static int set(const char *path, const char *arg)
{
	struct err err = ERR_INIT;
	const char *eq = strchr(arg, '=');
	char *key = xstrndup(arg, eq - arg);
	const struct config_key *k = config_key_find(key);
	int ret = k ? config_key_check(k, eq + 1, &err) : 0;

	if (!ret)
		ret = path ? config_write(path, key, eq + 1, &err) :
			     err_set(&err, -ENOENT, "no user configuration file without $HOME; try --system");
	if (!ret)
		note_unread(key);
	free(key);
	return ret ? die_err(&err) : 0;
}

/* the file that the user named with an option, or all files that are in force */
static int load(const char *path, struct config *own, const struct config **ret)
{
	struct err err = ERR_INIT;

	*ret = path ? own : config_all();
	if (path && config_read(own, path, &err))
		return err.code == -ENOENT ? 0 : die_err(&err);
	return 0;
}

int cmd_config(int argc, const char **argv)
{
	bool list = false, system = false, user = false;
	const struct option options[] = {
		OPT_BOOL('l', "list", &list, "list the settings in effect, or those of the selected file"),
		OPT_BOOL(0, "system", &system, "read and write only /etc/perfconfig"),
		OPT_BOOL(0, "user", &user, "read and write only ~/.perfconfig"),
		OPT_EXCLUDES("system", "user"),
		OPT_END()
	};
	const char *path = NULL, *write_path = getenv("PERF_CONFIG");
	const struct config *c;
	struct config own = { 0 };
	int status;

	argc = parse_options(argc, argv, options, config_usage, 0);
	if (list && argc)
		return opt_usage_error(options, &options[0], config_usage, "--list takes no arguments");
	if (system || user)
		path = system ? config_system_path() : config_user_path();
	if (path || !write_path || !*write_path)
		write_path = system ? config_system_path() : config_user_path();
	status = load(path, &own, &c);
	if (!status && (list || !argc))
		status = list_all(c);
	for (int i = 0; i < argc && !status; i++)
		status = strchr(argv[i], '=') ? set(write_path, argv[i]) : show(c, argv[i]);
	config_release(&own);
	return status;
}
