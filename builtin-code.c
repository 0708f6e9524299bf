/* Options about code: see builtin-code.def. */
#include "builtin-annotate.h"

#include <string.h>

int code_opt_share(const struct option *opt, const char *arg, bool unset UNUSED)
{
	static const char *const words[] = { "local-period", "local-hits", "global-period", "global-hits" };
	/* users write the two parts in either order */
	static const char *const swapped[] = { "period-local", "hits-local", "period-global", "hits-global" };
	enum listing_share *share = opt->value;

	for (u32 i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(arg, words[i]) || !strcmp(arg, swapped[i])) {
			*share = i;
			return 0;
		}
	return opt_error(opt, "takes local-period, local-hits, global-period or global-hits, not '%s'", arg);
}

int code_opt_style(const struct option *opt, const char *arg, bool unset UNUSED)
{
	bool *intel = opt->value;

	*intel = !strcmp(arg, "intel");
	if (!*intel && strcmp(arg, "att"))
		return opt_error(opt, "takes att or intel, not '%s'", arg);
	return 0;
}
