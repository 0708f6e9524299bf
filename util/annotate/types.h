/*
 * Types: what was counted at the members of each type of data, from the addresses of an annotation and the
 * types that the instructions there access.
 */
#ifndef PERF_ANNOTATE_TYPES_H
#define PERF_ANNOTATE_TYPES_H

#include "annotate.h"
#include "../view/types.h"

/* only: the name of a type, with or without "struct", "union" or "enum"; "" or NULL: all. Release ret */
void annotate_types(const struct annotate *a, const char *only, struct arena *arena, struct view_types *ret);
void annotate_types_release(struct view_types *t);

#endif
