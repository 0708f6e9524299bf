/* Color: whether, and which. */
#include "color.h"
#include "config.h"
#include "pager.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool forced;
static enum color_mode forced_mode;

int color_parse(const char *s, enum color_mode *ret)
{
	static const struct { const char *word; enum color_mode mode; } words[] = {
		{ "always", COLOR_ALWAYS }, { "never", COLOR_NEVER }, { "auto", COLOR_AUTO },
		{ "true", COLOR_AUTO }, { "yes", COLOR_AUTO }, { "on", COLOR_AUTO }, { "1", COLOR_AUTO },
		{ "false", COLOR_NEVER }, { "no", COLOR_NEVER }, { "off", COLOR_NEVER }, { "0", COLOR_NEVER },
	};

	if (!s) {
		*ret = COLOR_ALWAYS;
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (!strcasecmp(s, words[i].word)) {
			*ret = words[i].mode;
			return 0;
		}
	}
	return -EINVAL;
}

void color_set(enum color_mode mode)
{
	forced = true;
	forced_mode = mode;
}

bool color_wanted(int fd)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM"), *ui = config_get("color.ui");
	enum color_mode mode = COLOR_AUTO;

	if (forced)
		mode = forced_mode;
	else if (no_color && *no_color)
		mode = COLOR_NEVER;
	else if (ui && color_parse(ui, &mode))
		mode = COLOR_AUTO;
	if (mode != COLOR_AUTO)
		return mode == COLOR_ALWAYS;
	return (!term || strcmp(term, "dumb")) && (isatty(fd) || (fd == STDOUT_FILENO && pager_running()));
}

const char *color_seq(int fd, const char *seq)
{
	return color_wanted(fd) ? seq : "";
}
