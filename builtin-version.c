/* perf version: the version, and which features are built in. */
#include "builtin-features.h"
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"

#include <stdio.h>

static const char *const version_usage[] = { "perf version [<options>]", NULL };

int cmd_version(int argc, const char **argv)
{
	bool build_options = false;
	int verbose = 0;
	const struct option options[] = {
		OPT_BOOL(0, "build-options", &build_options, "show which libraries are built in"),
		OPT_INCR('v', "verbose", &verbose, "show the own version, and which libraries are built in"),
		OPT_END()
	};
	const struct build_feature *f;
	size_t nr;

	argc = parse_options(argc, argv, options, version_usage, 0);
	if (argc)
		return opt_usage_error(options, NULL, version_usage, "'%s': version takes no arguments",
				       argv[0]);
	printf("perf version %s\n", build_version());
	if (!build_options && !verbose)
		return 0;
	if (verbose)
		printf("own version %s\n", own_version());
	f = build_features(&nr);
	for (; nr; nr--, f++) {
		struct strbuf detail = STRBUF_INIT;
		bool on = feature_usable(f, &detail);

		printf("%22s: [ %-3s ]  # %s", f->name, on ? "on" : "OFF", f->macro);
		if (on && detail.len)
			printf(" ( %s )", strbuf_str(&detail));
		else if (!on)
			printf(" ( %s%s%s )", f->without, detail.len || f->built ? ": " : "",
			       detail.len ? strbuf_str(&detail) :
			       f->built ? "its plug-in is not installed" : "");
		putchar('\n');
		strbuf_release(&detail);
	}
	return 0;
}
