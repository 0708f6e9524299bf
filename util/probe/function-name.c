/* Function-name: compares the name that a user typed with a function: C, C++ and Rust names in all forms. */
#include "function-name.h"

#include <string.h>
#include "image-match.h"

bool function_name_is_tail(const char *full, const char *query)
{
	size_t full_len = strlen(full), len = strlen(query);

	if (full_len < len || strcmp(full + full_len - len, query))
		return false;
	return full_len == len || (full_len - len >= 2 && !strncmp(full + full_len - len - 2, "::", 2));
}

bool function_name_matches(const char *query, const char *name, const char *linkage)
{
	size_t len = strcspn(name, "<");

	if (!strcmp(query, name) || (linkage && !strcmp(query, linkage)))
		return true;
	/* a template: all its instances */
	if (name[len] && strlen(query) == len && len && !strncmp(query, name, len) &&
	    strncmp(name, "operator", 8))
		return true;
	return linkage && (strstr(query, "::") || strpbrk(query, "(<")) && demangled_match(query, linkage);
}
