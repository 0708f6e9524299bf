/* perf iostat: another name for perf stat --iostat. */
#include "util/base/alloc.h"
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"

#include <stdlib.h>
#include <string.h>

static const char *const iostat_usage[] = {
	"perf iostat list",
	"perf iostat [<ports>] [<options of perf stat>] [--] [<command>]",
	NULL
};

/* "list", or a word like "0000:17,0:3a" */
static bool names_ports(const char *word)
{
	return !strcmp(word, "list") ||
	       (strchr(word, ':') && strspn(word, "0123456789abcdefABCDEF:,") == strlen(word));
}

int cmd_iostat(int argc, const char **argv)
{
	const struct option options[] = { OPT_END() };
	bool own = argc > 1 &&
		   (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help") || !strcmp(argv[1], "--list-opts"));
	bool ports = argc > 1 && names_ports(argv[1]);
	const char **args;
	char *which;
	int ret;

	if (own)
		return parse_options(argc, argv, options, iostat_usage, 0) ? 129 : 0;
	which = ports ? xasprintf("--iostat=%s", argv[1]) : xstrdup("--iostat");
	args = xcalloc(argc + 2, sizeof(*args));
	args[0] = "stat";
	args[1] = which;
	memcpy(args + 2, argv + 1 + ports, (argc - 1 - ports) * sizeof(*args));
	ret = cmd_stat(argc + 1 - ports, args);
	free(which);
	free(args);
	return ret;
}
