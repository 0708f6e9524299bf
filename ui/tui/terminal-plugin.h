/*
 * Terminal plug-in: what the terminal interface asks of a terminal: text at a place, and keys. The plug-in
 * libslang implements it; it knows terminals (terminfo), sends what changed since the last flush, and nothing
 * of what is shown.
 */
#ifndef PERF_TUI_TERMINAL_PLUGIN_H
#define PERF_TUI_TERMINAL_PLUGIN_H

#include <stddef.h>
#include "../../util/base/types.h"

enum tui_color {
	TUI_NORMAL, TUI_SELECTED, TUI_BAR, TUI_TITLE, TUI_HOT, TUI_WARM, TUI_SOURCE, TUI_ARROW, TUI_BOX,
	NR_TUI_COLORS
};

/* keys that are not a character; the others are bytes as they are typed */
enum tui_keycode {
	TUI_KEY_NONE = 0x100,	/* of no meaning here */
	TUI_KEY_ESC, TUI_KEY_UP, TUI_KEY_DOWN, TUI_KEY_LEFT, TUI_KEY_RIGHT, TUI_KEY_PGUP, TUI_KEY_PGDN,
	TUI_KEY_HOME, TUI_KEY_END, TUI_KEY_F1, TUI_KEY_UNTAB, TUI_KEY_BACKSPACE, TUI_KEY_ENTER,
	TUI_KEY_CTRL_C,
};

struct tui_terminal_ops {
	/* opens the controlling terminal. 0, or a negative errno with a sentence in msg */
	int (*begin)(bool color, bool utf8, char *msg, size_t msg_size);
	/* the terminal as it was found */
	void (*end)(void);
	/* where keys come from */
	int (*fd)(void);
	/* the bytes that leave the interface, for a handler of signals: "" or a static text */
	const char *(*farewell)(void);
	/* the bytes that enter it again, likewise */
	const char *(*welcome)(void);
	/* asks for the size again and forgets what the terminal shows; at least 1 x 1 */
	void (*resize)(u32 *ret_rows, u32 *ret_columns);
	void (*clear)(void);
	/* text without control characters that fits into its row */
	void (*put)(u32 row, u32 column, enum tui_color color, const char *text, size_t len);
	void (*flush)(void);
	/* whether a key can be read without waiting */
	bool (*pending)(void);
	/* the next key: a byte or an enum tui_keycode; -1: the terminal is gone */
	int (*key)(void);
};

#endif
