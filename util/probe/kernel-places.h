/*
 * Kernel-places: places of probes in the kernel and its modules, as "func:3@file.c", from debug information.
 * Callers first announce all functions that they will ask for, so that the symbols of each file are read
 * once.
 */
#ifndef PERF_PROBE_KERNEL_PLACES_H
#define PERF_PROBE_KERNEL_PLACES_H

#include "../base/types.h"

struct kernel_places;
struct strbuf;

/* vmlinux: the kernel's file with debug information; NULL: one that belongs to the running kernel */
struct kernel_places *kernel_places_new(const char *vmlinux, const char *symfs);
void kernel_places_free(struct kernel_places *kp);
/* the function will be asked for; module NULL: of the kernel itself */
void kernel_places_want(struct kernel_places *kp, const char *module, const char *function);
/*
 * Appends the place of an address in that function; false: there is no debug information, or several
 * functions have the name
 */
bool kernel_place_text(struct kernel_places *kp, const char *module, const char *function, u64 off,
		       bool is_return, struct strbuf *out);

#endif
