/* Usage: -h, error messages with the usage of the options they are about, --list-opts, man page sections. */
#include "parse-options.h"
#include "parse-usage.h"
#include "config.h"
#include "pager.h"
#include "../base/err.h"
#include "../base/nearest.h"
#include "../base/units.h"
#include "../base/vec.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define HELP_COLUMN 26		/* where help texts begin; a longer name is on a line of its own */
/* the same on a terminal of less than NARROW_WIDTH columns, below the names */
#define NARROW_COLUMN 12
#define NARROW_WIDTH 60
#define LEAST_WIDTH 20		/* on less, the terminal wraps */

struct option_rows {
	VEC(const struct option *);
};

int terminal_width(int fd)
{
	struct winsize ws;

	if (!isatty(fd) || ioctl(fd, TIOCGWINSZ, &ws) || ws.ws_col < LEAST_WIDTH)
		return 0;
	return ws.ws_col;
}

/* --- one option */

static const char *arg_name(const struct option *o)
{
	if (o->flags & OPT_NOARG)
		return NULL;
	if (o->arg_help || o->flags & OPT_NOT_BUILT)
		return o->arg_help;
	switch (o->type) {
	case OPT_INT_T:
	case OPT_UINT_T:
	case OPT_U64_T:
		return "n";
	case OPT_STRING_T:
		return "...";
	default:
		return o->flags & OPT_OPTARG ? "..." : NULL;
	}
}

static void add_arg(struct strbuf *out, const struct option *o, const char *sep)
{
	const char *arg = arg_name(o);
	bool own = arg && arg[0] == '<';	/* it has its own brackets */

	if (!arg)
		return;
	if (o->flags & OPT_OPTARG)
		strbuf_addf(out, own ? "[%s%s]" : "[%s<%s>]", o->long_name ? "=" : "", arg);
	else
		strbuf_addf(out, own ? "%s%s" : "%s<%s>", sep, arg);
}

/*
 * text may have several lines; each but the first begins in this column, and is wrapped if the width is known
 */
static void add_text(struct strbuf *out, const char *text, size_t column, int width)
{
	size_t room = width > (int)column + 10 ? width - column - 1 : SIZE_MAX;

	for (bool first = true; *text; first = false) {
		size_t line = strcspn(text, "\n"), take = line;

		if (!first)
			strbuf_pad(out, ' ', column);
		if (take > room) {
			take = room;
			while (take && text[take] != ' ')
				take--;
			if (!take)
				take = MIN(line, room);
		}
		strbuf_add(out, text, take);
		strbuf_addch(out, '\n');
		text += take;
		while (take < line && *text == ' ')
			text++;
		if (*text == '\n')
			text++;
	}
}

/* "-x" or "--json": a name of a rule (OPT_EXCLUDES) */
void opt_add_name(struct strbuf *out, const char *name, size_t len)
{
	strbuf_addf(out, "%s%.*s", len > 1 ? "--" : "-", (int)len, name);
}

bool opt_is_named(const struct option *o, const char *name, size_t len)
{
	if (len == 1)
		return o->short_name == *name;
	return o->long_name && !strncmp(o->long_name, name, len) && !o->long_name[len];
}

/* what the rules say of the option: before, names in quotes with commas between them, after */
static void add_excluded(struct strbuf *out, const struct option *opts, const struct option *o,
			 const char *before, const char *quote, const char *after)
{
	const char *sep = before;
	size_t len;

	for (const struct option *r = opts; r->type != OPT_END; r++) {
		const char *name = r->value;

		if (r->type != OPT_EXCLUDES_T || !opt_is_named(o, name, strlen(name)))
			continue;
		for (const char *w = r->defval; *w; w += len + (w[len] == ',')) {
			len = strcspn(w, ",");
			strbuf_addf(out, "%s%s", sep, quote);
			opt_add_name(out, w, len);
			strbuf_addstr(out, quote);
			sep = ", ";
		}
	}
	if (sep != before)
		strbuf_addstr(out, after);
}

static void add_option(struct strbuf *out, const struct option *opts, const struct option *o, int width)
{
	struct strbuf help = STRBUF_INIT;
	bool narrow = width && width < NARROW_WIDTH;
	size_t start = out->len, len, column = narrow ? NARROW_COLUMN : HELP_COLUMN;

	strbuf_addstr(out, "    ");
	if (o->short_name)
		strbuf_addf(out, "-%c", o->short_name);
	else
		strbuf_addstr(out, "    ");
	if (o->long_name)
		strbuf_addf(out, "%s--%s", o->short_name ? ", " : "", o->long_name);
	add_arg(out, o, " ");
	len = out->len - start;
	if (!o->help || !*o->help) {
		strbuf_addch(out, '\n');
		return;
	}
	strbuf_addstr(&help, o->help);
	add_excluded(&help, opts, o, " (not with ", "", ")");
	if (narrow || len > column - 2) {
		strbuf_addch(out, '\n');
		len = 0;
	}
	strbuf_pad(out, ' ', column - len);
	add_text(out, strbuf_str(&help), column, width);
	strbuf_release(&help);
}

/* --- all options */

static int compare_options(const void *pa, const void *pb)
{
	const struct option *a = *(const struct option *const *)pa, *b = *(const struct option *const *)pb;
	int ca = a->short_name ? tolower(a->short_name) : 256,
			cb = b->short_name ? tolower(b->short_name) : 256;

	if (ca != cb)
		return ca - cb;
	return strcmp(a->long_name ? a->long_name : "", b->long_name ? b->long_name : "");
}

static bool wanted(const struct option *o, const char *const *words, bool hidden)
{
	if (o->type == OPT_EXCLUDES_T || (o->flags & OPT_HIDDEN && !hidden))
		return false;
	if (!words || !*words)
		return true;
	for (; *words; words++) {
		const char *w = *words + strspn(*words, "-");

		if (*w && !w[1] ? o->short_name == *w : *w && o->long_name && strstr(o->long_name, w))
			return true;
	}
	return false;
}

static void add_usage(struct strbuf *out, const char *const *usage, int width)
{
	for (int i = 0; usage[i]; i++) {
		strbuf_addstr(out, i ? "    or: " : " Usage: ");
		add_text(out, usage[i], NARROW_COLUMN, width);
	}
	strbuf_addch(out, '\n');
}

/* in the groups of the table; within each, sorted by letter, then by name */
static void add_options(struct strbuf *out, const struct option *opts, const char *const *words, bool hidden,
			int width)
{
	const char *title = NULL;
	bool shown = false;

	for (const struct option *o = opts;; o++) {
		struct option_rows rows = { 0 };

		for (; o->type != OPT_END && o->type != OPT_GROUP_T; o++)
			if (wanted(o, words, hidden))
				vec_push(&rows, o);
		if (rows.nr && title)
			strbuf_addf(out, "%s %s\n\n", shown ? "\n" : "", title);
		shown |= rows.nr;
		if (rows.nr)
			qsort(rows.v, rows.nr, sizeof(*rows.v), compare_options);
		for (size_t i = 0; i < rows.nr; i++)
			add_option(out, opts, rows.v[i], width);
		vec_release(&rows);
		if (o->type == OPT_END)
			break;
		title = o->help;
	}
	strbuf_addch(out, '\n');
}

void opt_usage_text(struct strbuf *out, const struct option *opts, const char *const *usage,
		    const char *const *words, bool hidden, int width)
{
	strbuf_addch(out, '\n');
	add_usage(out, usage, width);
	add_options(out, opts, words, hidden, width);
}

void opt_print_help(const struct strbuf *text)
{
	pager_start("help");
	fputs(strbuf_str(text), stdout);
	fflush(stdout);
}

void opt_list_text(struct strbuf *out, const struct option *opts)
{
	for (const struct option *o = opts; o->type != OPT_END; o++)
		if (o->long_name && !(o->flags & OPT_HIDDEN))
			strbuf_addf(out, "--%s ", o->long_name);
	strbuf_addch(out, '\n');
}

/* --- man pages */

void opt_config_text(struct strbuf *out, const struct option *opts)
{
	for (const struct option *o = opts; o->type != OPT_END; o++)
		if (o->config)
			strbuf_addf(out, "%s\n", o->config);
}

/* in AsciiDoc, as text without markup; blanks and line ends become one blank */
static void add_man_plain(struct strbuf *out, const char *s)
{
	strbuf_addstr(out, "pass:c[");
	for (bool blank = false; *s; s++) {
		if (isspace((unsigned char)*s)) {
			blank = true;
			continue;
		}
		if (blank)
			strbuf_addch(out, ' ');
		blank = false;
		if (*s == ']')	/* it would end the text */
			strbuf_addch(out, '\\');
		strbuf_addch(out, *s);
	}
	strbuf_addstr(out, "]");
}

/* "-F <n>", "--freq=<n>" */
static void add_man_term(struct strbuf *out, const struct option *o, bool is_long)
{
	struct strbuf term = STRBUF_INIT;

	if (is_long)
		strbuf_addf(&term, "--%s", o->long_name);
	else
		strbuf_addf(&term, "-%c", o->short_name);
	if (is_long || !o->long_name)
		add_arg(&term, o, is_long ? "=" : " ");
	add_man_plain(out, strbuf_str(&term));
	strbuf_addstr(out, "::\n");
	strbuf_release(&term);
}

void opt_man_text(struct strbuf *out, const struct option *opts)
{
	for (const struct option *o = opts; o->type != OPT_END; o++) {
		if (o->type == OPT_GROUP_T) {
			strbuf_addf(out, "=== %s\n\n", o->help);
			continue;
		}
		if (o->flags & OPT_HIDDEN || o->type == OPT_EXCLUDES_T)
			continue;
		if (o->short_name)
			add_man_term(out, o, false);
		if (o->long_name)
			add_man_term(out, o, true);
		strbuf_addch(out, '\t');
		add_man_plain(out, o->help && *o->help ? o->help : "-");
		add_excluded(out, opts, o, " Not with ", "`", ".");
		if (o->config)
			strbuf_addf(out, " Configuration key: `%s`.", o->config);
		strbuf_addstr(out, "\n\n");
	}
}

/* --- errors */

int opt_usage_error(const struct option *opts, const struct option *opt, const char *const *usage,
		    const char *fmt, ...)
{
	struct strbuf out = STRBUF_INIT;

	if (fmt) {
		va_list ap;

		va_start(ap, fmt);
		strbuf_addstr(&out, "Error: ");
		strbuf_vaddf(&out, fmt, ap);
		strbuf_addch(&out, '\n');
		va_end(ap);
	}
	add_usage(&out, usage, terminal_width(STDERR_FILENO));
	if (opt) {
		add_option(&out, opts, opt, terminal_width(STDERR_FILENO));
		strbuf_addch(&out, '\n');
	} else if (fmt) {
		strbuf_addstr(&out, " '-h' lists the options.\n\n");
	} else {
		add_options(&out, opts, NULL, false, terminal_width(STDERR_FILENO));
	}
	fflush(stdout);
	fputs(strbuf_str(&out), stderr);
	strbuf_release(&out);
	return 129;
}

int opt_no_subcommand(const struct option *opts, const char *const *subcommands, const char *const *usage,
		      const char *word)
{
	struct strbuf names = STRBUF_INIT, near = STRBUF_INIT;
	struct nearest n;
	int status;

	nearest_init(&n, word ? word : "", word ? strlen(word) : 0);
	for (const char *const *s = subcommands; *s; s++) {
		nearest_offer(&n, *s);
		strbuf_addf(&names, "%s%s", s == subcommands ? "" : s[1] ? ", " : " or ", *s);
	}
	if (word)
		nearest_describe(&n, &near);
	if (word)
		status = opt_usage_error(opts, NULL, usage, "unknown subcommand '%s'%s", word,
					 strbuf_str(&near));
	else
		status = opt_usage_error(opts, NULL, usage, "a subcommand is missing: %s",
					 strbuf_str(&names));
	strbuf_release(&names);
	strbuf_release(&near);
	return status;
}

/* text: one or more lines, each with its newline */
static void print_error(const struct option *opt, const char *text)
{
	fflush(stdout);
	if (opt->flags & OPT_FROM_CONFIG)
		fprintf(stderr, "Error: %sconfiguration key %s: %s", config_origin(opt->config), opt->config,
			text);
	else if (opt->long_name)
		fprintf(stderr, "Error: --%s: %s", opt->long_name, text);
	else
		fprintf(stderr, "Error: -%c: %s", opt->short_name, text);
}

int opt_error(const struct option *opt, const char *fmt, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	strbuf_addch(&text, '\n');
	print_error(opt, strbuf_str(&text));
	strbuf_release(&text);
	return -1;
}

int opt_err(const struct option *opt, const struct err *err)
{
	struct strbuf text = STRBUF_INIT;

	err_describe(err, &text);
	print_error(opt, strbuf_str(&text));
	strbuf_release(&text);
	return -1;
}

/* number of letters to change; a name with something after it, as in --freqency for --freq, has distance 1 */
static unsigned int distance(const char *name, const char *have)
{
	size_t len = strlen(have);

	return len > 2 && !strncmp(name, have, len) ? MIN(1u, edit_distance(name, have)) :
						      edit_distance(name, have);
}

/* the rows whose names are nearest to what was typed, at most three */
static void nearest(struct option_rows *rows, const struct option *opts, const char *name)
{
	static const struct option help = { .type = OPT_BOOL_T, .short_name = 'h', .long_name = "help",
					    .help = "show the options" };
	unsigned int best = MAX(strlen(name) / 3, (size_t)1) + 1;

	for (int pass = 0; pass < 2; pass++) {
		for (const struct option *o = opts; o->type != OPT_END; o++) {
			unsigned int d;

			if (!o->long_name || o->flags & OPT_HIDDEN)
				continue;
			d = distance(name, o->long_name);
			if (!strncmp(name, "no-", 3))
				d = MIN(d, distance(name + 3, o->long_name));
			if (!pass && d < best)
				best = d;
			else if (pass && d == best && d <= MAX(strlen(name) / 3, (size_t)1) && rows->nr < 3)
				vec_push(rows, o);
		}
	}
	/* it is in no table, but every command has it */
	if (!rows->nr && edit_distance(name, help.long_name) == 1)
		vec_push(rows, &help);
}

/* the option of the same letter in the other case: NULL if there is none */
static const struct option *find_other_case(const struct option *opts, char c)
{
	char other = islower((unsigned char)c) ? toupper((unsigned char)c) : tolower((unsigned char)c);

	for (const struct option *o = opts; o->type != OPT_END; o++)
		if (o->short_name == other && other != c && !(o->flags & OPT_HIDDEN))
			return o;
	return NULL;
}

int opt_unknown(const struct option *opts, const char *const *usage, const char *arg, const char *what)
{
	struct strbuf out = STRBUF_INIT;
	struct option_rows rows = { 0 };
	bool is_switch = arg[1] != '-';
	const struct option *other;
	char *name = xstrndup(is_switch ? arg + 1 : what, strcspn(is_switch ? arg + 1 : what, "="));

	if (is_switch)
		strbuf_addf(&out, "Error: unknown switch `%.1s'", what);
	else
		strbuf_addf(&out, "Error: unknown option `%s'", name);
	if (strlen(name) > 1)
		nearest(&rows, opts, name);
	other = is_switch && strlen(what) == 1 ? find_other_case(opts, *what) : NULL;
	if (other)
		strbuf_addf(&out, " (did you mean `-%c'?)", other->short_name);
	for (size_t i = 0; i < rows.nr; i++)
		strbuf_addf(&out, "%s`--%s'", !i ? " (did you mean " : i + 1 < rows.nr ? ", " : " or ",
			    rows.v[i]->long_name);
	strbuf_addstr(&out, rows.nr ? "?)\n" : "\n");
	add_usage(&out, usage, terminal_width(STDERR_FILENO));
	for (size_t i = 0; i < rows.nr; i++)
		add_option(&out, opts, rows.v[i], terminal_width(STDERR_FILENO));
	strbuf_addstr(&out, rows.nr ? "\n" : " '-h' lists the options.\n\n");
	fflush(stdout);
	fputs(strbuf_str(&out), stderr);
	vec_release(&rows);
	strbuf_release(&out);
	free(name);
	return 129;
}

int opt_ambiguous(const struct option *opts, const char *const *usage, const char *name, size_t len,
		  bool unset)
{
	struct strbuf out = STRBUF_INIT, fits = STRBUF_INIT;
	const char *sep = "";

	strbuf_addf(&out, "Error: ambiguous option `%.*s' (could be ", (int)len, name);
	for (const struct option *o = opts; o->type != OPT_END; o++) {
		char neg[128];
		const char *have = o->long_name;

		if (!have || o->flags & OPT_HIDDEN)
			continue;
		if (unset) {
			bool is_no = !strncmp(have, "no-", 3);

			snprintf(neg, sizeof(neg), "%s%s", is_no ? "" : "no-", have + (is_no ? 3 : 0));
			have = neg;
		}
		if (strncmp(have, name, len))
			continue;
		strbuf_addf(&out, "%s--%s", sep, have);
		add_option(&fits, opts, o, terminal_width(STDERR_FILENO));
		sep = ", ";
	}
	strbuf_addstr(&out, ")\n");
	add_usage(&out, usage, terminal_width(STDERR_FILENO));
	strbuf_addf(&out, "%s\n", strbuf_str(&fits));
	fflush(stdout);
	fputs(strbuf_str(&out), stderr);
	strbuf_release(&fits);
	strbuf_release(&out);
	return 129;
}
