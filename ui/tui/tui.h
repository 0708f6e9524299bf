/*
 * Terminal interface: browses views and listings on a terminal. It reads the contract between answers and
 * presentation (util/view) alone. One at a time; it owns its screens, never the views.
 *
 * A command that shows one answer calls tui_begin(), adds a screen and calls tui_run(). One that watches
 * other things, too, waits for tui_fds() itself and calls tui_handle().
 */
#ifndef PERF_TUI_TUI_H
#define PERF_TUI_TUI_H

#include "../listing.h"
#include "../text.h"
#include "../../util/base/err.h"
#include "../../util/view/ask.h"

struct tui;

/* --tui, --stdio; neither: the configuration decides (tui.report and others) */
struct tui_choice {
	bool tui, stdio;
};

/*
 * Whether output goes to the terminal interface: standard output is a terminal that can place text, and
 * nothing asks for text; by_default: what the configuration says. Warns where --tui cannot be followed.
 */
bool tui_wanted(const struct tui_choice *c, bool by_default);
/* NULL with err: the library is missing, or the terminal cannot be used */
struct tui *tui_begin(struct err *err);
/* one sentence for commands that print text instead, because tui_begin() failed and nobody gave --tui */
void tui_note_missing(const struct err *err, const char *command);
/* the terminal is as it was; what was logged meanwhile is printed. NULL: nothing */
void tui_end(struct tui *t);

/* the first screen: a view. The asker outlives the screen, and may be NULL */
void tui_add_view(struct tui *t, const struct view *v, const struct view_asker *asker,
		  const struct text_opts *text);
/* shows another view in the first screen: rows are found again by their names */
void tui_replace_view(struct tui *t, const struct view *v);
/* how listings are shown at first */
void tui_listing_opts(struct tui *t, const struct listing_opts *o);
/* a listing; answer belongs to the screen, which drops it */
void tui_add_listing(struct tui *t, const struct view_asker *asker, struct view_answer *a,
		     const struct listing_opts *opts);
/* asks for all listings again that can change (view_asker.renew) */
void tui_renew_listings(struct tui *t);
/* keys of the command in the first screen; the rows outlive it */
struct tui_command_key {
	const char *keys, *help;
	void (*run)(void *ctx);
};
void tui_command_keys(struct tui *t, const struct tui_command_key *key, u32 nr, void *ctx);
/* a line at the bottom until the next key */
void tui_say(struct tui *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* draws, and handles keys until the user leaves */
void tui_run(struct tui *t);
/* file descriptors that become readable when there is something to handle */
void tui_fds(const struct tui *t, int ret_fds[2]);
/* handles all keys and signals that came, and draws; false: the user leaves */
bool tui_handle(struct tui *t);

#endif
