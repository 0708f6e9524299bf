/* Table screen: what table-screen.c (state and keys), table-draw.c and table-ask.c (questions) share. */
#ifndef PERF_TUI_TABLE_SCREEN_H
#define PERF_TUI_TABLE_SCREEN_H

#include "screen.h"
#include "table-lines.h"

#define TABLE_MAX_ASK_KEYS 24

struct table_screen {
	struct screen s;
	const struct view *v;
	const struct view_asker *asker;		/* NULL: nothing can be asked */
	struct text_opts text;
	struct view_answer owned;		/* the view, if the asker made it for this screen */
	bool has_owned;
	u32 table;				/* of v */
	bool picked;				/* by the user: it stays, even if it has no rows */
	struct table_lines lines;
	double limit;				/* rows with a smaller share are hidden; 0: none */
	bool relative;				/* shares refer to the rows that are shown */
	double share_sum, share_max;		/* of the rows that are shown */
	/* its keys; keys of zooms and questions are made from their rows */
	struct tui_key ask_key[TABLE_MAX_ASK_KEYS + 1];
	char ask_name[TABLE_MAX_ASK_KEYS][4];	/* "a", "0-9" */
	const struct tui_key *tables_of_keys[6];
	/* while a prompt or menu is open */
	const struct view_question *question, *line_question;	/* line_question: of a text above */
	struct view_texts choices;
	struct { VEC(u16); } action;		/* the items of the menu */
};

/* the first column that is a share, and whether it counts what rows themselves have; -1: none */
int table_share_column(const struct view_table *t);
/* column of that name, or -1 */
int table_column(const struct view_table *t, const char *name);
/* the table that is shown */
const struct view_table *table_shown(const struct table_screen *x);
/* after another table, filter or fold */
void table_changed(struct table_screen *x);
/* another view; the old one is dropped if the screen has it */
void table_take_view(struct table_screen *x, const struct view *v);
/* the selected row; false: no row is shown */
bool table_selected(const struct table_screen *x, u32 *ret_row);

void table_draw(struct tui *t, struct screen *s);

/* rows for what the table and the asker offer */
void table_make_keys(struct table_screen *x);
void table_menu(struct tui *t, struct screen *s);
void table_release_questions(struct table_screen *x);

#endif
