/* Lists: lines of which one is selected, and the keys that move in them. */
#include "screen.h"

#define SHIFT_COLUMNS 8u

void list_fit(struct screen_list *l, u64 nr, u32 height)
{
	l->nr = nr;
	l->height = MAX(height, 1u);
	if (l->at >= nr)
		l->at = nr ? nr - 1 : 0;
	if (l->top > l->at)
		l->top = l->at;
	if (l->at - l->top >= l->height)
		l->top = l->at - l->height + 1;
	if (l->top + l->height > nr)
		l->top = nr > l->height ? nr - l->height : 0;
}

static void move_to(struct screen_list *l, u64 at)
{
	l->at = at;
	list_fit(l, l->nr, l->height);
}

static void up(struct tui *t UNUSED, struct screen *s)
{
	if (s->list.at)
		move_to(&s->list, s->list.at - 1);
}

static void down(struct tui *t UNUSED, struct screen *s)
{
	move_to(&s->list, s->list.at + 1);
}

static void page_up(struct tui *t UNUSED, struct screen *s)
{
	struct screen_list *l = &s->list;

	l->top -= MIN(l->top, (u64)l->height);
	move_to(l, l->at - MIN(l->at, (u64)l->height));
}

static void page_down(struct tui *t UNUSED, struct screen *s)
{
	s->list.top += s->list.height;
	s->list.at += s->list.height;
	if (s->list.top > s->list.at)
		s->list.top = s->list.at;
	list_fit(&s->list, s->list.nr, s->list.height);
}

static void home(struct tui *t UNUSED, struct screen *s)
{
	move_to(&s->list, 0);
}

static void end(struct tui *t UNUSED, struct screen *s)
{
	move_to(&s->list, s->list.nr);
}

static void left(struct tui *t UNUSED, struct screen *s)
{
	s->list.shift -= MIN(s->list.shift, SHIFT_COLUMNS);
}

static void right(struct tui *t UNUSED, struct screen *s)
{
	if (s->list.shift < 1u << 16)
		s->list.shift += SHIFT_COLUMNS;
}

const struct tui_key list_keys[] = {
	{ "UP", "select the line above", up },
	{ "DOWN", "select the line below", down },
	{ "PGUP", "go one screen up", page_up },
	{ "PGDN SPACE", "go one screen down", page_down },
	{ "HOME", "go to the first line", home },
	{ "END", "go to the last line", end },
	{ "LEFT", "scroll to the left", left },
	{ "RIGHT", "scroll to the right", right },
	{ 0 }
};
