/* Menu: items in a box, of which the user takes one. */
#include "screen.h"

#include <stdlib.h>

struct menu {
	struct screen s;
	char *title;
	struct menu_items items;
	void (*picked)(struct tui *t, void *ctx, u32 item);
	void *ctx;
};

static void draw(struct tui *t, struct screen *s)
{
	struct menu *m = (struct menu *)s;
	u32 width = tui_text_width(t, m->title) + 2, row, column;
	u32 height = MIN((u32)m->items.nr, t->rows > 4 ? t->rows - 4 : 1);

	vec_foreach(&m->items, item)
		width = MAX(width, tui_text_width(t, *item));
	list_fit(&s->list, m->items.nr, height);
	tui_box(t, height, width, m->title, &row, &column);
	for (u32 i = 0; i < height && s->list.top + i < m->items.nr; i++) {
		u64 at = s->list.top + i;

		tui_put(t, row + i, column, at == s->list.at ? TUI_SELECTED : TUI_BOX, m->items.v[at]);
	}
}

static void pick(struct tui *t, struct screen *s)
{
	struct menu *m = (struct menu *)s;
	void (*picked)(struct tui *t, void *ctx, u32 item) = m->picked;
	void *ctx = m->ctx;
	u32 item = (u32)s->list.at;

	screen_pop(t);
	picked(t, ctx, item);
}

void menu_items_release(struct menu_items *items)
{
	vec_foreach(items, item)
		free(*item);
	vec_release(items);
}

static void release(struct screen *s)
{
	struct menu *m = (struct menu *)s;

	free(m->title);
	menu_items_release(&m->items);
}

static const struct tui_key menu_keys[] = {
	{ "ENTER", "take the selected item", pick },
	{ 0 }
};
static const struct tui_key *const keys[] = { menu_keys, list_keys, screen_keys, NULL };
static const struct screen_kind kind = { "Keys of menus", keys, true, draw, NULL, release };

void menu_open(struct tui *t, const char *title, const struct menu_items *items,
	       void (*picked)(struct tui *t, void *ctx, u32 item), void *ctx)
{
	struct menu *m;

	if (!items->nr) {
		tui_say(t, "%s: there is nothing to choose", title);
		return;
	}
	m = screen_push(t, &kind, sizeof(*m));
	m->title = xstrdup(title);
	vec_foreach(items, item)
		vec_push(&m->items, xstrdup(*item));
	m->picked = picked;
	m->ctx = ctx;
}
