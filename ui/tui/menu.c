/* Menu: items in a box, of which the user takes one. */
#include "screen.h"

#include <stdio.h>
#include <stdlib.h>

struct menu {
	struct screen s;
	char *title;
	struct menu_items items;
	void (*picked)(struct tui *t, void *ctx, u32 item);
	void *ctx;
};

/* columns of the widest of all items */
static u32 items_width(const struct tui *t, const struct menu *m)
{
	u32 width = 0;

	vec_foreach(&m->items, item)
		width = MAX(width, tui_text_width(t, *item));
	return width;
}

static void draw(struct tui *t, struct screen *s)
{
	struct menu *m = (struct menu *)s;
	u32 widest = items_width(t, m), width = MAX(widest, tui_text_width(t, m->title) + 2), row, column;
	u32 height = MIN((u32)m->items.nr, t->rows > 4 ? t->rows - 4 : 1);
	char place[48];

	width = MIN(width, t->columns > 4 ? t->columns - 4 : 1);
	list_fit(&s->list, m->items.nr, height);
	s->list.shift = MIN(s->list.shift, widest > width ? widest - width : 0);
	tui_box(t, height, width, m->title, &row, &column);
	for (u32 i = 0; i < height && s->list.top + i < m->items.nr; i++) {
		u64 at = s->list.top + i;

		tui_put_within(t, row + i, (int)column - (int)s->list.shift, (int)column,
			       (int)(column + width), at == s->list.at ? TUI_SELECTED : TUI_BOX,
			       m->items.v[at]);
	}
	if (height < m->items.nr) {
		snprintf(place, sizeof(place), " %lu of %zu ", s->list.at + 1, m->items.nr);
		tui_put_within(t, row + height, (int)column, (int)column, (int)(column + width), TUI_BOX,
			       place);
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
