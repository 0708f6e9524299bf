/* Spec-word: numbers that fit in 64 bits, and identifiers of C. */
#include "spec-word.h"

#include <ctype.h>

size_t probe_number(const char *s, size_t len, u64 *ret)
{
	bool hex = len > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
	size_t start = hex ? 2 : 0, i;
	u64 v = 0;

	for (i = start; i < len && (hex ? isxdigit((u8)s[i]) : isdigit((u8)s[i])); i++) {
		u64 digit = s[i] <= '9' ? s[i] - '0' : (s[i] | 0x20) - 'a' + 10;

		if (v > (UINT64_MAX - digit) / (hex ? 16 : 10))
			return 0;
		v = v * (hex ? 16 : 10) + digit;
	}
	if (i == start)
		return 0;
	*ret = v;
	return i;
}

size_t probe_ident(const char *s, size_t len)
{
	size_t i = 0;

	while (i < len && (isalpha((u8)s[i]) || s[i] == '_' || (i && isdigit((u8)s[i]))))
		i++;
	return i;
}
