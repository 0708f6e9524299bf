/*
 * Color: whether output is coloured, and the escape sequences. By default only on a terminal (or a pager on
 * one), never with $NO_COLOR or TERM=dumb; the configuration's color.ui (auto, always, never, true, false)
 * and options override.
 */
#ifndef PERF_CLI_COLOR_H
#define PERF_CLI_COLOR_H

#include "../base/types.h"

#define COLOR_RESET	"\033[m"
#define COLOR_BOLD	"\033[1m"
#define COLOR_RED	"\033[31m"
#define COLOR_GREEN	"\033[32m"
#define COLOR_YELLOW	"\033[33m"
#define COLOR_BLUE	"\033[34m"
#define COLOR_MAGENTA	"\033[35m"
#define COLOR_CYAN	"\033[36m"

enum color_mode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* "always" (also NULL, for an option without argument), "never", "auto", true, false; -EINVAL for others */
int color_parse(const char *s, enum color_mode *ret);
/* set by an option: overrides configuration and environment */
void color_set(enum color_mode mode);
/* fd: where the text goes, 1 or 2 */
bool color_wanted(int fd);
/* the sequence if text on fd is coloured, else "" */
const char *color_seq(int fd, const char *seq);

#endif
