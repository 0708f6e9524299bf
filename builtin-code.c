/* Options about code: see builtin-code.def. */
#include "builtin-annotate.h"
#include "util/base/list-word.h"

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

/* "llvm,objdump": the first that this perf has */
int code_opt_disassembler(const struct option *opt, const char *arg, bool unset UNUSED)
{
	static const char *const words[] = { "capstone", "objdump", "llvm" };
	struct annotate_opts *o = opt->value;

	for (const char *p = arg; *p; p += *p == ',') {
		size_t len = list_word_len(p), i = 0;

		while (i < ARRAY_SIZE(words) && (strlen(words[i]) != len || strncmp(words[i], p, len)))
			i++;
		if (i == ARRAY_SIZE(words))
			break;
		if (i == 0)
			o->objdump = NULL;
		else if (i == 1 && !o->objdump)
			o->objdump = words[i];
		if (i < 2)
			return 0;
		p += len;
	}
	return opt_error(opt, "takes capstone or objdump, or both, the preferred one first, not '%s'", arg);
}

int code_opt_style(const struct option *opt, const char *arg, bool unset UNUSED)
{
	bool *intel = opt->value;

	*intel = !strcmp(arg, "intel");
	if (!*intel && strcmp(arg, "att"))
		return opt_error(opt, "takes att or intel, not '%s'", arg);
	return 0;
}
