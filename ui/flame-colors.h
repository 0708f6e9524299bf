/*
 * Flame colors: what static flame graphs color frames by: the tints that their table has, or libraries, the
 * kernel, what is not a function. The same rules as in pages (html/flamegraph.js). Owns its list.
 */
#ifndef PERF_UI_FLAME_COLORS_H
#define PERF_UI_FLAME_COLORS_H

#include "flame.h"

struct flame_library {
	u32 module;	/* id of its name */
	u32 hue;	/* degrees */
	u64 self;	/* period of what ran in it */
};

struct flame_colors {
	struct { VEC(struct flame_library); } library;	/* most period first */
	u64 kernel;		/* period of what ran in the kernel */
	bool has_kernel;
};

void flame_colors_make(struct flame_colors *c, const struct flame *f);
void flame_colors_release(struct flame_colors *c);
/* appends "rgb(1,2,3)" for a frame, for the swatch of a library, and for that of the kernel */
void flame_color_add(const struct flame_colors *c, const struct flame *f, const struct flame_node *n,
		     struct strbuf *out);
void flame_color_add_library(const struct flame_library *l, struct strbuf *out);
void flame_color_add_kernel(struct strbuf *out);
void flame_color_add_tint(const struct view_tint *t, struct strbuf *out);
/* appends why a stack is not complete ("cut" of "[stack cut]"); false: it is a frame as any other */
bool flame_stack_end(const struct flame *f, const struct flame_node *n, struct strbuf *out);

#endif
