/* Flame: names, made to fit. */
#include "flame.h"

/* bytes of a text in a page, at most */
static size_t cost(const char *s)
{
	size_t nr = 3;

	for (; *s; s++)
		nr += (u8)*s < 0x20 || *s == '<' ? 6 : (u8)*s >= 0x7f ? 3 : *s == '"' || *s == '\\' ? 2 : 1;
	return nr;
}

static u32 move_text(struct strtab *to, const struct strtab *from, u32 id, size_t *bytes)
{
	const char *s = strtab_get(from, id);
	size_t before = to->str.nr;
	u32 ret = strtab_add(to, s);

	if (to->str.nr > before)
		*bytes += cost(s);
	return ret;
}

/* keeps the texts of nodes alone; returns their bytes */
static size_t drop_unused(struct flame *f)
{
	struct strtab used = { 0 };
	size_t bytes = 0;

	strtab_add(&used, "");
	vec_foreach(&f->node, n) {
		n->name = move_text(&used, &f->text, n->name, &bytes);
		n->module = move_text(&used, &f->text, n->module, &bytes);
	}
	strtab_release(&f->text);
	f->text = used;
	return bytes;
}

void flame_fit_texts(struct flame *f, size_t max)
{
	while (drop_unused(f) > max && f->node.nr > 1)
		flame_prune(f, f->node.nr / 2, 0);
}
