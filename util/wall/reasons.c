/* Reasons: see reasons.h. */
#include "reasons.h"

#include <string.h>

enum rule_kind { RULE_STATE, RULE_FUNCTION };

static const struct rule {
	enum rule_kind kind;
	const char *text;
	enum wall_wait wait;
} rules[] = {
#define WALL_RULE(where, text, WAIT) { RULE_##where, text, WALL_WAIT_##WAIT },
#include "rules.def"
#undef WALL_RULE
};

_Static_assert(ARRAY_SIZE(rules) < WALL_NO_RULE, "rules are numbered by u8");

/* entries of system calls have names of their architecture and of the compiler's wrappers */
static const char *const call_prefixes[] = {
	"__x64_", "__ia32_", "__arm64_", "__riscv_", "__s390x_", "__s390_", "__se_", "__do_", "__powerpc_",
};

static const char *strip_prefix(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(call_prefixes); i++) {
		size_t len = strlen(call_prefixes[i]);

		if (!strncmp(name, call_prefixes[i], len) && !strncmp(name + len, "sys_", 4))
			return name + len;
	}
	return name;
}

static bool matches(const char *pattern, const char *name)
{
	size_t len = strlen(pattern);

	if (pattern[len - 1] == '*')
		return !strncmp(name, pattern, len - 1);
	return !strncmp(name, pattern, len) && (!name[len] || name[len] == '.');
}

u8 wall_rule_of_function(const char *name)
{
	name = strip_prefix(name);
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (rules[i].kind == RULE_FUNCTION && matches(rules[i].text, name))
			return i;
	return WALL_NO_RULE;
}

u8 wall_rule_of_state(char letter)
{
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (rules[i].kind == RULE_STATE && *rules[i].text == letter)
			return i;
	return WALL_NO_RULE;
}

enum wall_wait wall_rule_wait(u8 rule)
{
	return rule < ARRAY_SIZE(rules) ? rules[rule].wait : WALL_WAIT_OTHER;
}
