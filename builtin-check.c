/* perf check: tells scripts whether a feature is built in. */
#include "util/base/list-word.h"
#include "util/base/strbuf.h"
#include "builtin-features.h"
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"

#include <errno.h>
#include <stdio.h>
#include <strings.h>

static const char *const check_usage[] = { "perf check [<options>] {feature}",
					   "perf check feature <feature_list>", NULL };
static const char *const check_subcommands[] = { "feature", NULL };

/* HAVE_LIBTRACEEVENT_SUPPORT, or without its last word: not all of upstream's macros end in it */
static bool is_macro(const char *macro, const char *name, size_t len)
{
	return !strncasecmp(macro, name, len) && (!macro[len] || !strcmp(macro + len, "_SUPPORT"));
}

/* by name or macro, in any case */
static const struct build_feature *find_feature(const char *name, size_t len)
{
	size_t nr;
	const struct build_feature *f = build_features(&nr);

	for (; nr; nr--, f++) {
		if (!strncasecmp(f->name, name, len) && !f->name[len])
			return f;
		if (is_macro(f->macro, name, len))
			return f;
	}
	return NULL;
}

/* "a,b": looks each up and shows it; 0 if all of them are built in, 1 otherwise */
static int check_features(const char *list, bool quiet)
{
	bool all = true;

	while (*list) {
		size_t len = list_word_len(list);
		const struct build_feature *f = find_feature(list, len);

		if (len && !f) {
			struct err err = ERR_INIT;

			err_set(&err, -ENOENT, "no feature '%.*s'", (int)len, list);
			err_hint(&err, "'perf version --build-options' lists the features");
			return die_err(&err);
		}
		if (len) {
			bool on = feature_usable(f, NULL);

			if (!quiet)
				printf("%22s: [ %-3s ]  # %s\n", f->name, on ? "on" : "OFF", f->macro);
			all &= on;
		}
		list += len + (list[len] == ',');
	}
	return !all;
}

int cmd_check(int argc, const char **argv)
{
	bool quiet = false;
	const struct option options[] = {
		OPT_BOOL('q', "quiet", &quiet, "print nothing; exit with 0 if all features are built in"),
		OPT_END()
	};
	int status = 0;

	argc = parse_options_sub(argc, argv, options, check_subcommands, check_usage, 0);
	if (!argc)
		return opt_usage_error(options, NULL, check_usage,
				       "a subcommand is missing: use 'perf check feature NAME'");
	if (strcmp(argv[0], "feature"))
		return opt_no_subcommand(options, check_subcommands, check_usage, argv[0]);
	if (argc < 2)
		return opt_usage_error(options, NULL, check_usage,
				       "a feature is missing: 'perf version --build-options' lists them");
	for (int i = 1; i < argc; i++)
		status |= check_features(argv[i], quiet);
	return status;
}
