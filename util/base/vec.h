/*
 * Vec: a typed growing array.  struct { VEC(u64); } ids = { 0 };  vec_push(&ids, 42);  ids.v[0];
 * vec_release(&ids);
 * A zeroed one is empty. Pointers into v are valid until the next push.
 */
#ifndef PERF_BASE_VEC_H
#define PERF_BASE_VEC_H

#include <stdlib.h>
#include "alloc.h"

#define VEC(type) \
	type *v; \
	size_t nr, alloc

#define vec_reserve(vec, want) \
	do { \
		if ((want) > (vec)->alloc) { \
			(vec)->alloc = MAX((size_t)(want), MAX((vec)->alloc * 2, (size_t)8)); \
			(vec)->v = xreallocarray((vec)->v, (vec)->alloc, sizeof(*(vec)->v)); \
		} \
	} while (0)

#define vec_push(vec, ...) \
	do { \
		vec_reserve(vec, (vec)->nr + 1); \
		(vec)->v[(vec)->nr++] = (__VA_ARGS__); \
	} while (0)

/* appends one zeroed element and gives its address */
#define vec_add(vec) \
	({ \
		vec_reserve(vec, (vec)->nr + 1); \
		__builtin_memset(&(vec)->v[(vec)->nr], 0, sizeof(*(vec)->v)); \
		&(vec)->v[(vec)->nr++]; \
	})

/* gives back the room after the last element */
#define vec_fit(vec) \
	do { \
		if ((vec)->nr && (vec)->nr < (vec)->alloc) { \
			(vec)->alloc = (vec)->nr; \
			(vec)->v = xreallocarray((vec)->v, (vec)->alloc, sizeof(*(vec)->v)); \
		} \
	} while (0)

/* room for that many elements, at least those that there are */
#define vec_shrink(vec, want) \
	do { \
		(vec)->alloc = MAX((size_t)(want), (size_t)(vec)->nr); \
		(vec)->v = xreallocarray((vec)->v, MAX((vec)->alloc, (size_t)1), sizeof(*(vec)->v)); \
	} while (0)

#define vec_release(vec) \
	do { \
		free((vec)->v); \
		(vec)->v = NULL; \
		(vec)->nr = (vec)->alloc = 0; \
	} while (0)

/* nr is tested first, because NULL + 0 is undefined */
#define vec_foreach(vec, it) \
	for (__typeof__((vec)->v + 0) it = (vec)->v; (vec)->nr && it != (vec)->v + (vec)->nr; it++)

#endif
