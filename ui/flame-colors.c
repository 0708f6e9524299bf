/* Flame colors: see flame-colors.h. */
#include "flame-colors.h"

#include <stdlib.h>
#include <string.h>
#include "../util/base/maths.h"

#define KERNEL_HUE 205u
#define NO_MODULE_HUE 40u
#define FIRST_HUE (KERNEL_HUE + 40)
#define STEP 173.0		/* the golden section of HUES: the first ones of the list differ most */
#define HUES 280u		/* the others are too near to that of the kernel */

#define END_BEGINS "[stack "

bool flame_stack_end(const struct flame *f, const struct flame_node *n, struct strbuf *out)
{
	const char *name = strtab_get(&f->text, n->name), *reason = name + strlen(END_BEGINS);
	size_t len = strlen(name);

	if (n->module || strncmp(name, END_BEGINS, strlen(END_BEGINS)) || name[len - 1] != ']' ||
	    name + len - 1 <= reason)
		return false;
	strbuf_add(out, reason, name + len - 1 - reason);
	return true;
}

static int most_first(const void *pa, const void *pb)
{
	const struct flame_library *a = pa, *b = pb;

	if (a->self != b->self)
		return a->self < b->self ? 1 : -1;
	return (a->module > b->module) - (a->module < b->module);
}

static struct flame_library *find(const struct flame_colors *c, u32 module)
{
	vec_foreach(&c->library, l)
		if (l->module == module)
			return l;
	return NULL;
}

void flame_colors_make(struct flame_colors *c, const struct flame *f)
{
	*c = (struct flame_colors){ 0 };
	vec_foreach(&f->node, n) {
		struct flame_library *l = n->module && !n->kernel ? find(c, n->module) : NULL;

		if (n->kernel) {
			c->kernel += n->self;
			c->has_kernel = true;
		} else if (l) {
			l->self += n->self;
		} else if (n->module) {
			vec_push(&c->library,
				 ((struct flame_library){ .module = n->module, .self = n->self }));
		}
	}
	if (c->library.nr)
		qsort(c->library.v, c->library.nr, sizeof(*c->library.v), most_first);
	for (size_t i = 0; i < c->library.nr; i++)
		c->library.v[i].hue = (u32)(FIRST_HUE + maths_fmod(30 + i * STEP, HUES)) % 360;
}

void flame_colors_release(struct flame_colors *c)
{
	vec_release(&c->library);
}

/* one of the three parts of a color: degrees from where it is strongest; saturation and lightness below 1 */
static u32 part(u32 hue, u32 offset, double saturation, double lightness)
{
	double k = maths_fmod(offset + hue / 30.0, 12), a = saturation * MIN(lightness, 1 - lightness);
	double v = lightness - a * MAX(-1.0, MIN(MIN(k - 3, 9 - k), 1.0));

	return (u32)maths_round(v * 255);
}

static void add_hsl(struct strbuf *out, u32 hue, double saturation, double lightness)
{
	strbuf_addf(out, "rgb(%u,%u,%u)", part(hue, 0, saturation, lightness),
		    part(hue, 8, saturation, lightness), part(hue, 4, saturation, lightness));
}

static void add_tint(struct strbuf *out, const struct view_tint *t, double light)
{
	add_hsl(out, t->hue, t->saturation / 100.0, light);
}

void flame_color_add(const struct flame_colors *c, const struct flame *f, const struct flame_node *n,
		     struct strbuf *out)
{
	/* frames of one library are told apart by how light they are: a name is always the same */
	double light = 0.66 + hash_str(strtab_get(&f->text, n->name)) % 10 / 100.0;
	const struct flame_library *l = n->module && !n->kernel ? find(c, n->module) : NULL;
	struct strbuf reason = STRBUF_INIT;

	if (n->tint)
		add_tint(out, &f->tints->row[n->tint - 1], light);
	else if (n->kernel)
		add_hsl(out, KERNEL_HUE, 0.55, light);
	else if (l)
		add_hsl(out, l->hue, 0.65, light);
	else
		add_hsl(out, NO_MODULE_HUE, flame_stack_end(f, n, &reason) ? 0 : 0.2, light);
	strbuf_release(&reason);
}

void flame_color_add_library(const struct flame_library *l, struct strbuf *out)
{
	add_hsl(out, l->hue, 0.65, 0.7);
}

void flame_color_add_kernel(struct strbuf *out)
{
	add_hsl(out, KERNEL_HUE, 0.55, 0.7);
}

void flame_color_add_tint(const struct view_tint *t, struct strbuf *out)
{
	add_tint(out, t, 0.7);
}
