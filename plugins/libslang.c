/* Plug-in: the terminal through S-Lang. Ops in ui/tui/terminal-plugin.h. */
#include "../ui/tui/terminal-plugin.h"
#include "../util/base/plugin.h"

#include <errno.h>
#include <slang.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TENTHS_AFTER_ESC 1	/* a sequence follows its ESC within this time */

static char leave[128], enter[128];

/* the foreground and background, and what shows it where there are no colours */
static const struct {
	const char *fg, *bg;
	SLtt_Char_Type mono;
} looks[NR_TUI_COLORS] = {
	[TUI_NORMAL] = { "default", "default", 0 },
	[TUI_SELECTED] = { "black", "cyan", SLTT_REV_MASK },
	[TUI_BAR] = { "black", "lightgray", SLTT_REV_MASK },
	[TUI_TITLE] = { "brightblue", "default", SLTT_BOLD_MASK },
	[TUI_HOT] = { "red", "default", SLTT_BOLD_MASK },
	[TUI_WARM] = { "green", "default", 0 },
	[TUI_SOURCE] = { "brown", "default", 0 },
	[TUI_ARROW] = { "magenta", "default", 0 },
	[TUI_BOX] = { "lightgray", "blue", SLTT_REV_MASK },
};

static void add_capability(char text[128], char *name)
{
	const char *s = SLtt_tgetstr(name);

	if (s && strlen(text) + strlen(s) + 3 < 128)
		strcat(text, s);
}

/*
 * Sequences that give the terminal back to the shell, and take it again; kept, because a signal handler must
 * not ask for them.
 */
static void note_ways(void)
{
	static char reset[] = "me", show[] = "ve", arrows_end[] = "ke", program_ends[] = "te";
	static char program_begins[] = "ti", arrows_begin[] = "ks", hide[] = "vi";

	leave[0] = enter[0] = '\0';
	add_capability(leave, reset);
	add_capability(leave, show);
	add_capability(leave, arrows_end);
	add_capability(leave, program_ends);
	strcat(leave, "\r\n");
	add_capability(enter, program_begins);
	add_capability(enter, arrows_begin);
	add_capability(enter, hide);
}

static int begin(bool color, bool utf8, char *msg, size_t msg_size)
{
	const char *term = getenv("TERM");

	SLutf8_enable(utf8);
	if (SLtt_initialize(NULL) != 0) {
		snprintf(msg, msg_size, "the terminal type '%.40s' is not known", term ? term : "");
		return -ENOTTY;
	}
	if (SLkp_init() == -1 || SLang_init_tty(3, 0, 0) == -1) {
		snprintf(msg, msg_size, "the terminal cannot be opened: %s", strerror(errno));
		return -ENOTTY;
	}
	SLtt_get_screen_size();
	if (SLsmg_init_smg() == -1) {
		SLang_reset_tty();
		snprintf(msg, msg_size, "the terminal type '%.40s' cannot place text", term ? term : "");
		return -ENOTTY;
	}
	SLtt_Use_Ansi_Colors = color && SLtt_Use_Ansi_Colors;
	for (int i = 0; i < NR_TUI_COLORS; i++) {
		SLtt_set_color(i, NULL, (char *)looks[i].fg, (char *)looks[i].bg);
		SLtt_set_mono(i, NULL, looks[i].mono);
	}
	SLkp_set_getkey_function(NULL);
	SLtt_set_cursor_visibility(0);
	note_ways();
	return 0;
}

static void end(void)
{
	SLtt_set_cursor_visibility(1);
	SLsmg_reset_smg();
	SLang_reset_tty();
}

static int fd(void)
{
	return SLang_TT_Read_FD;
}

static const char *farewell(void)
{
	return leave;
}

static const char *welcome(void)
{
	return enter;
}

static void resize(u32 *ret_rows, u32 *ret_columns)
{
	SLtt_get_screen_size();
	SLsmg_reinit_smg();
	*ret_rows = SLtt_Screen_Rows > 0 ? SLtt_Screen_Rows : 1;
	*ret_columns = SLtt_Screen_Cols > 0 ? SLtt_Screen_Cols : 1;
}

static void clear(void)
{
	SLsmg_set_color(TUI_NORMAL);
	SLsmg_cls();
}

static void put(u32 row, u32 column, enum tui_color color, const char *text, size_t len)
{
	SLsmg_gotorc((int)row, (int)column);
	SLsmg_set_color((int)color);
	SLsmg_write_nchars((char *)text, (unsigned int)len);
}

static void flush(void)
{
	SLsmg_refresh();
}

static bool pending(void)
{
	return SLang_input_pending(0) > 0;
}

static const struct {
	int slang, key;
} keys[] = {
	{ SL_KEY_UP, TUI_KEY_UP }, { SL_KEY_DOWN, TUI_KEY_DOWN }, { SL_KEY_LEFT, TUI_KEY_LEFT },
	{ SL_KEY_RIGHT, TUI_KEY_RIGHT }, { SL_KEY_PPAGE, TUI_KEY_PGUP }, { SL_KEY_NPAGE, TUI_KEY_PGDN },
	{ SL_KEY_HOME, TUI_KEY_HOME }, { SL_KEY_A1, TUI_KEY_HOME }, { SL_KEY_END, TUI_KEY_END },
	{ SL_KEY_C1, TUI_KEY_END }, { SL_KEY_F(1), TUI_KEY_F1 }, { SL_KEY_BACKSPACE, TUI_KEY_BACKSPACE },
	{ SL_KEY_ENTER, TUI_KEY_ENTER }, { '\r', TUI_KEY_ENTER }, { '\n', TUI_KEY_ENTER },
	{ 127, TUI_KEY_BACKSPACE }, { 8, TUI_KEY_BACKSPACE }, { 3, TUI_KEY_CTRL_C },
};

/* an ESC alone, unless the rest of a sequence comes with it */
static int key(void)
{
	int c = SLang_getkey();

	if (c == 27) {
		if (SLang_input_pending(TENTHS_AFTER_ESC) <= 0)
			return TUI_KEY_ESC;
		c = SLang_getkey();
		if (c == '[' && SLang_input_pending(TENTHS_AFTER_ESC) > 0) {
			int letter = SLang_getkey();

			if (letter == 'Z')	/* few terminals name it in terminfo */
				return TUI_KEY_UNTAB;
			SLang_ungetkey((unsigned char)letter);
		}
		if (c != '[' && c != 'O')	/* Alt and a key */
			return TUI_KEY_NONE;
		SLang_ungetkey((unsigned char)c);
		SLang_ungetkey(27);
		c = SLkp_getkey();
		/* terminfo does not know it, as of Ctrl with an arrow; the rest of it is gone */
		if (c == SL_KEY_ERR)
			return TUI_KEY_NONE;
	}
	if (c == (int)SLANG_GETKEY_ERROR)
		return errno == EINTR || SLang_get_error() ? TUI_KEY_NONE : -1;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (keys[i].slang == c)
			return keys[i].key;
	return c >= 0 && c < 256 ? c : TUI_KEY_NONE;
}

static const struct tui_terminal_ops ops = {
	begin, end, fd, farewell, welcome, resize, clear, put, flush, pending, key,
};

extern const struct plugin PLUGIN_SYMBOL;
const struct plugin PLUGIN_SYMBOL = { PLUGIN_ABI, sizeof(ops), "libslang", &ops };
