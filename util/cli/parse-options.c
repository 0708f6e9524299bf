/* Options: the parser. The text that it prints is made in parse-usage.c. */
#include "parse-options.h"
#include "config.h"
#include "parse-usage.h"
#include "../base/alloc.h"
#include "../base/list-word.h"
#include "../base/log.h"
#include "../base/units.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GO_ON = 0, FAILED = -1, LISTED = -2 };

struct option_parser {
	const struct option *opts;
	const char *const *usage, *const *subcommands;
	u32 flags;
	const char **argv;		/* what is left to read, NULL-terminated */
	const char **out;		/* where the next positional argument goes */
	int *status;
	/* the first pass: only rows with OPT_EARLY are applied, and the second pass reports what is wrong */
	bool early;
	char label[160];		/* the option being read, as the user wrote it: "switch `F'" */
};

static bool takes_no_arg(const struct option *opt)
{
	return opt->type == OPT_BOOL_T || opt->type == OPT_INCR_T || (opt->flags & OPT_NOARG) ||
	       (opt->type == OPT_CALLBACK_T && !opt->arg_help && !(opt->flags & OPT_OPTARG));
}

/* the option that needs the next word as its argument, or NULL; arg begins with a dash */
static const struct option *wants_next(const char *arg, const struct option *opts)
{
	for (const struct option *o = opts; arg[1] == '-' && o->type != OPT_END; o++)
		if (o->long_name && !strcmp(o->long_name, arg + 2))
			return takes_no_arg(o) || (o->flags & OPT_OPTARG) ? NULL : o;
	if (arg[1] == '-')
		return NULL;
	/* letters: the first one with an argument takes the rest */
	for (const char *c = arg + 1; *c; c++) {
		const struct option *o = opts;

		while (o->type != OPT_END && o->short_name != *c)
			o++;
		if (o->type == OPT_END || (o->flags & OPT_OPTARG))
			return NULL;
		if (!takes_no_arg(o))
			return c[1] ? NULL : o;
	}
	return NULL;
}

int options_end(int argc, const char **argv, const struct option *opts)
{
	for (int i = 1; i < argc; i++) {
		if (argv[i][0] != '-' || !argv[i][1])
			return i;
		if (!strcmp(argv[i], "--"))
			return i + 1;
		i += wants_next(argv[i], opts) != NULL;
	}
	return argc;
}

/* --- values */

static int parse_int(const char *arg, s64 min, s64 max, s64 *ret)
{
	bool neg = arg[0] == '-';
	u64 v;

	if (parse_u64(arg + neg, &v) || v > (u64)INT64_MAX)
		return -EINVAL;
	*ret = neg ? -(s64)v : (s64)v;
	return *ret < min || *ret > max ? -ERANGE : 0;
}

static int parse_bool(const char *s, bool *ret)
{
	static const struct { const char *word; bool value; } words[] = {
		{ "true", true }, { "yes", true }, { "on", true }, { "1", true }, { "", true },
		{ "false", false }, { "no", false }, { "off", false }, { "0", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (!strcasecmp(s, words[i].word)) {
			*ret = words[i].value;
			return 0;
		}
	}
	return -EINVAL;
}

/*
 * The argument without the blanks before a number: '-F 99' may be one word of a command line. Only for values
 * that are numbers: a name of a file or of a task may begin with a blank
 */
static const char *skip_blanks(const struct option *opt, const char *arg)
{
	static const char *const numbers[] = {
		"n", "ms", "ns", "seconds", "time", "start,stop", "percent", "pages", "size", "bytes",
		"number", "freq or 'max'", "signal, size or time", "width[,width...]", "n[,m-k]", "cpu",
		"cpu[,cpu...]", "pid", "pid[,pid...]", "tid", "tid[,tid...]", "node[,node...]",
		"prio[,prio...]",
	};
	const char *number = arg ? arg + strspn(arg, " \t") : NULL;
	bool takes = opt->type == OPT_INT_T || opt->type == OPT_UINT_T || opt->type == OPT_U64_T;

	if (number == arg || !strchr("0123456789+-.", *number))
		return arg;
	for (size_t i = 0; opt->arg_help && i < ARRAY_SIZE(numbers); i++)
		takes |= !strcmp(opt->arg_help, numbers[i]);
	return takes && *number ? number : arg;
}

/* stores an argument (NULL: --no-opt); returns NULL, or what the option wants to see instead */
static const char *store_value(const struct option *opt, const char *arg)
{
	s64 v = 0;
	u64 u = 0;

	switch (opt->type) {
	case OPT_INT_T:
		if (arg && parse_int(arg, INT_MIN, INT_MAX, &v))
			return "expects a numerical value";
		*(int *)opt->value = v;
		return NULL;
	case OPT_UINT_T:
		if (arg && parse_int(arg, 0, UINT_MAX, &v))
			return "expects an unsigned numerical value";
		*(unsigned int *)opt->value = v;
		return NULL;
	case OPT_U64_T:
		if (arg && parse_u64(arg, &u))
			return "expects an unsigned numerical value";
		*(u64 *)opt->value = u;
		return NULL;
	case OPT_STRING_T:
		if (arg && !*arg && opt->arg_help && !strcmp(opt->arg_help, "file"))
			return "requires the name of a file";
		*(const char **)opt->value = arg;
		return NULL;
	default:
		return NULL;
	}
}

static void store_flag(const struct option *opt, bool unset)
{
	if (!opt->value)
		return;
	if (opt->type == OPT_BOOL_T)
		*(bool *)opt->value = !unset;
	else if (unset)
		*(int *)opt->value = 0;
	else
		++*(int *)opt->value;
}

static int fail(struct option_parser *p, const struct option *opt, const char *what)
{
	if (p->early)
		return FAILED;
	*p->status = opt_usage_error(p->opts, opt, p->usage, "%s %s", p->label, what);
	return FAILED;
}

/* an argument of the wrong kind, named because a forgotten one takes the next word */
static int fail_value(struct option_parser *p, const struct option *opt, const char *what, const char *arg)
{
	struct strbuf text = STRBUF_INIT;
	int ret;

	strbuf_addf(&text, *arg ? "%s, not '%s'" : "%s", what, arg);
	ret = fail(p, opt, strbuf_str(&text));
	strbuf_release(&text);
	return ret;
}

/* --- rules */

typedef bool name_fn(const struct option *rule, u32 i, const char *name, size_t len, void *ctx);

/* calls fn for each name of a rule, with its number (0: the first), until fn returns true; returns that */
static bool each_name(const struct option *rule, name_fn *fn, void *ctx)
{
	const char *w = rule->defval;
	size_t len = strlen(rule->value);

	if (fn(rule, 0, rule->value, len, ctx))
		return true;
	for (u32 i = 1; *w; i++, w += len + (w[len] == ',')) {
		if (i == OPT_EXCLUDES_MAX) {	/* seen wherever such an option is tried */
			log_warn("the rule of '%s' names more options than fit: OPT_EXCLUDES_MAX",
				 (const char *)rule->value);
			return false;
		}
		len = strcspn(w, ",");
		if (fn(rule, i, w, len, ctx))
			return true;
	}
	return false;
}

struct given {
	const struct option *opt;
	bool unset;
};

static bool note_name(const struct option *rule, u32 i, const char *name, size_t len, void *ctx)
{
	const struct given *g = ctx;

	if (opt_is_named(g->opt, name, len))
		rule->set[i] = !g->unset;
	return false;
}

/* rules remember it: a command may read its options in several passes */
static void note_given(const struct option_parser *p, const struct option *opt, bool unset)
{
	for (const struct option *r = p->opts; r->type != OPT_END; r++)
		if (r->type == OPT_EXCLUDES_T)
			each_name(r, note_name, &(struct given){ opt, unset });
}

static bool refuse_both(const struct option *rule, u32 i, const char *name, size_t len, void *ctx)
{
	const struct option_parser *p = ctx;
	struct strbuf text = STRBUF_INIT;

	if (!i || !rule->set[0] || !rule->set[i])
		return false;
	opt_add_name(&text, rule->value, strlen(rule->value));
	strbuf_addstr(&text, " and ");
	opt_add_name(&text, name, len);
	strbuf_addstr(&text, " exclude each other");
	if (rule->help)
		strbuf_addf(&text, ": %s", rule->help);
	if (rule->flags & OPT_EXIT_1) {
		fprintf(stderr, "Error: %s\n", strbuf_str(&text));
		*p->status = 1;
	} else {
		*p->status = opt_usage_error(p->opts, NULL, p->usage, "%s", strbuf_str(&text));
	}
	strbuf_release(&text);
	return true;
}

static int check_rules(struct option_parser *p)
{
	for (const struct option *r = p->opts; r->type != OPT_END; r++)
		if (r->type == OPT_EXCLUDES_T && each_name(r, refuse_both, p))
			return FAILED;
	return GO_ON;
}

/* glued: the text after "=" or after the letter, or NULL */
static int apply(struct option_parser *p, const struct option *opt, const char *glued, bool unset)
{
	const char *arg = glued, *wrong;

	if (opt->flags & OPT_NOT_BUILT) {
		if (unset || p->early)
			return GO_ON;
		fprintf(stderr, "Error: %s is %.*s\n", p->label, (int)strlen(opt->help) - 2, opt->help + 1);
		*p->status = 1;
		return FAILED;
	}
	if (glued && (unset || takes_no_arg(opt)))
		return fail(p, opt, "takes no value");
	if (!unset && !takes_no_arg(opt) && !arg) {
		if (opt->flags & OPT_OPTARG)
			arg = opt->defval;
		else if (*p->argv)
			arg = *p->argv++;
		else
			return fail(p, opt, "requires a value");
	}
	if (p->early && !(opt->flags & OPT_EARLY))
		return GO_ON;
	if (opt->set)
		*opt->set = true;
	note_given(p, opt, unset);
	arg = skip_blanks(opt, arg);
	if (opt->type == OPT_CALLBACK_T) {
		if (!opt->callback(opt, arg, unset))
			return GO_ON;
		*p->status = opt_usage_error(p->opts, opt, p->usage, NULL);
		return FAILED;
	}
	if (takes_no_arg(opt)) {
		store_flag(opt, unset);
		return GO_ON;
	}
	wrong = store_value(opt, arg);
	return wrong ? fail_value(p, opt, wrong, arg) : GO_ON;
}

int opt_apply_config(const struct option *opt, const char *value)
{
	struct option copy = *opt;
	bool on = true;

	copy.flags |= OPT_FROM_CONFIG;
	if (takes_no_arg(opt) && opt->type != OPT_INCR_T && parse_bool(value, &on))
		return opt_error(&copy, "'%s' is not true or false", value);
	if (opt->type == OPT_CALLBACK_T)
		return takes_no_arg(opt) ? opt->callback(&copy, NULL, !on) :
					   opt->callback(&copy, value, false);
	if (opt->type == OPT_BOOL_T) {
		*(bool *)opt->value = on;
		return 0;
	}
	if (opt->type == OPT_INCR_T)
		copy.type = OPT_INT_T;
	if (store_value(&copy, value))
		return opt_error(&copy, "'%s' is not a number in its range", value);
	return 0;
}

/* --- finding rows by name */

static const struct option *find_short(const struct option *opts, char c)
{
	for (const struct option *o = opts; o->type != OPT_END; o++)
		if (o->short_name == c && c)
			return o;
	return NULL;
}

/* the negative form of a long name; NULL if there is none */
static const char *negative(const struct option *o, char *buf, size_t size)
{
	if (o->flags & OPT_NONEG)
		return NULL;
	if (!strncmp(o->long_name, "no-", 3))
		return o->long_name + 3;
	snprintf(buf, size, "no-%s", o->long_name);
	return buf;
}

struct match {
	const struct option *opt, *second;	/* second: another row that matches as well */
	bool unset;
};

/* one pass over the rows: names as they are or negated, whole or abbreviated */
static bool match_pass(const struct option *opts, const char *name, size_t len, bool neg, bool whole,
		       struct match *m)
{
	m->opt = m->second = NULL;
	m->unset = neg;
	for (const struct option *o = opts; o->type != OPT_END; o++) {
		char buf[128];
		const char *have = o->long_name;

		if (!have || (neg && !(have = negative(o, buf, sizeof(buf)))))
			continue;
		if (strncmp(have, name, len) || (whole && have[len]))
			continue;
		if (!m->opt)
			m->opt = o;
		else if (m->opt->flags & OPT_HIDDEN && !(o->flags & OPT_HIDDEN))
			m->opt = o;
		else if (!(o->flags & OPT_HIDDEN))
			m->second = o;
		if (whole)
			return true;
	}
	return m->opt;
}

static bool match_long(const struct option *opts, const char *name, size_t len, struct match *m)
{
	return match_pass(opts, name, len, false, true, m) || match_pass(opts, name, len, true, true, m) ||
	       (len && match_pass(opts, name, len, false, false, m)) ||
	       (len > 3 && match_pass(opts, name, len, true, false, m));
}

/* --- reading the command line */

static int show_help(struct option_parser *p, bool hidden)
{
	struct strbuf out = STRBUF_INIT;

	opt_usage_text(&out, p->opts, p->usage, p->argv, hidden, terminal_width(STDOUT_FILENO));
	opt_print_help(&out);
	strbuf_release(&out);
	*p->status = 129;
	return LISTED;
}

static int show_list(struct option_parser *p, void (*make)(struct strbuf *out, const struct option *opts))
{
	struct strbuf out = STRBUF_INIT;

	make(&out, p->opts);
	fputs(strbuf_str(&out), stdout);
	strbuf_release(&out);
	*p->status = 0;
	return LISTED;
}

/* words that every command understands, unless its own table contains them */
static int read_common(struct option_parser *p, const char *word)
{
	if (p->early)
		return GO_ON;
	if (!strcmp(word, "help"))
		return show_help(p, false);
	if (!strcmp(word, "help-all"))
		return show_help(p, true);
	if (!strcmp(word, "list-opts"))
		return show_list(p, opt_list_text);
	if (!strcmp(word, "man-options"))
		return show_list(p, opt_man_text);
	if (!strcmp(word, "list-config"))
		return show_list(p, opt_config_text);
	if (!strcmp(word, "list-cmds") && p->subcommands) {
		for (const char *const *s = p->subcommands; *s; s++)
			printf("%s ", *s);
		putchar('\n');
		*p->status = 0;
		return LISTED;
	}
	return GO_ON;
}

static int unknown(struct option_parser *p, const char *arg, const char *what)
{
	if (p->early)
		return FAILED;
	if (p->flags & PARSE_KEEP_UNKNOWN) {
		*p->out++ = arg;
		return GO_ON;
	}
	*p->status = opt_unknown(p->opts, p->usage, arg, what);
	return FAILED;
}

static int read_long(struct option_parser *p, const char *arg)
{
	const char *name = arg + 2, *eq = strchrnul(name, '=');
	struct match m;
	int ret;

	if (!match_long(p->opts, name, eq - name, &m)) {
		ret = read_common(p, name);
		return ret ? ret : unknown(p, arg, name);
	}
	if (m.second && p->early)
		return FAILED;
	if (m.second) {
		*p->status = opt_ambiguous(p->opts, p->usage, name, eq - name, m.unset);
		return FAILED;
	}
	snprintf(p->label, sizeof(p->label), "option `%s%s'",
		 m.unset && strncmp(m.opt->long_name, "no-", 3) ? "no-" : "",
		 m.opt->long_name + (m.unset && !strncmp(m.opt->long_name, "no-", 3) ? 3 : 0));
	return apply(p, m.opt, *eq ? eq + 1 : NULL, m.unset);
}

/* the option whose long name was written with one dash: "-line" is not -l with "ine" */
static const struct option *one_dash(const struct option_parser *p, const char *name)
{
	size_t len = strcspn(name, "=");

	for (const struct option *o = p->opts; len > 3 && o->type != OPT_END; o++)
		if (o->long_name && !strncmp(o->long_name, name, len) && !o->long_name[len])
			return o;
	return NULL;
}

/* -ag, -F99, -ns comm */
static int read_short(struct option_parser *p, const char *arg)
{
	const struct option *meant = p->early || p->flags & PARSE_KEEP_UNKNOWN ? NULL : one_dash(p, arg + 1);

	if (meant) {
		*p->status = opt_usage_error(p->opts, meant, p->usage,
					     "'%s' has one dash (did you mean `--%s'?)", arg,
					     meant->long_name);
		return FAILED;
	}
	for (const char *c = arg + 1; *c; c++) {
		const struct option *opt = find_short(p->opts, *c);
		bool last;
		int ret;

		if (!opt && *c == 'h' && !p->early)
			return show_help(p, false);
		if (!opt) {
			char one[3] = { '-', *c };

			if (c > arg + 1 && (p->flags & PARSE_KEEP_UNKNOWN)) {
				*p->out++ = xasprintf("-%s", c);	/* kept as long as argv */
				return GO_ON;
			}
			return unknown(p, c == arg + 1 ? arg : one, one + 1);
		}
		snprintf(p->label, sizeof(p->label), "switch `%c'", *c);
		last = !takes_no_arg(opt);
		ret = apply(p, opt, last && c[1] ? c + 1 : NULL, false);
		if (ret || last)
			return ret;
	}
	return GO_ON;
}

static int read_words(struct option_parser *p)
{
	while (*p->argv) {
		const char *arg = *p->argv++;
		int ret;

		if (arg[0] != '-' || !arg[1]) {
			*p->out++ = arg;
			if (p->flags & PARSE_STOP_AT_NON_OPTION)
				return GO_ON;
			continue;
		}
		if (!strcmp(arg, "--")) {
			if (p->flags & PARSE_KEEP_DASHDASH)
				*p->out++ = arg;
			return GO_ON;
		}
		ret = arg[1] == '-' ? read_long(p, arg) : read_short(p, arg);
		if (ret)
			return ret;
	}
	return GO_ON;
}

static void read_early(const struct option_parser *second, int argc, const char *const *in)
{
	struct option_parser p = *second;
	const char **argv, **out;
	bool any = false;

	for (const struct option *o = p.opts; o->type != OPT_END; o++)
		any |= o->flags & OPT_EARLY;
	if (!any)
		return;
	p.early = true;
	p.argv = argv = xmemdup(in, (argc + 1) * sizeof(*in));
	p.out = out = xcalloc(argc + 1, sizeof(*p.out));
	read_words(&p);
	free(argv);
	free(out);
}

int parse_options_try(int argc, const char **argv, const struct option *opts, const char *const *subcommands,
		      const char *const *usage, u32 flags, int *ret_status)
{
	struct option_parser p = { .opts = opts, .usage = usage, .subcommands = subcommands, .flags = flags,
			    .out = argv, .status = ret_status };
	const char **in = xcalloc(argc + 1, sizeof(*in));
	int ret;

	*ret_status = 0;
	if (argc > 1)
		memcpy(in, argv + 1, (argc - 1) * sizeof(*in));
	p.argv = in;
	read_early(&p, argc, in);
	ret = read_words(&p);
	if (!ret)
		ret = check_rules(&p);
	if (!ret) {
		while (*p.argv)
			*p.out++ = *p.argv++;
		ret = p.out - argv;
		if (ret < argc)
			*p.out = NULL;
	}
	free(in);
	return ret;
}

static void apply_config(const struct option *opts)
{
	for (const struct option *o = opts; o->type != OPT_END; o++) {
		const char *value = o->config ? config_get(o->config) : NULL;

		if (value && opt_apply_config(o, value))
			exit(129);
	}
}

int parse_options_sub(int argc, const char **argv, const struct option *opts, const char *const *subcommands,
		      const char *const *usage, u32 flags)
{
	int status, ret;

	apply_config(opts);
	ret = parse_options_try(argc, argv, opts, subcommands, usage, flags, &status);
	if (ret < 0)
		exit(status);
	return ret;
}

int parse_options(int argc, const char **argv, const struct option *opts, const char *const *usage, u32 flags)
{
	return parse_options_sub(argc, argv, opts, NULL, usage, flags);
}

static bool list_has(const char *list, const char *word, size_t len)
{
	for (; *list; list += *list == ',') {
		size_t n = list_word_len(list);

		if (n == len && !strncmp(list, word, len))
			return true;
		list += n;
	}
	return false;
}

int opt_one_choice(const struct option *opt, const char *arg, bool unset)
{
	const char *known = opt->value;
	size_t first = list_word_len(known);

	for (const char *w = arg; *w; w += *w == ',') {
		size_t len = list_word_len(w);

		if (!list_has(known, w, len))
			return opt_error(opt, "'%.*s' is not one of %s", (int)len, w, known);
		w += len;
	}
	if (!list_has(arg, known, first))
		return opt_error(opt, "'%s' is not built in: only %.*s is", arg, (int)first, known);
	return 0;
}

int opt_separator(const struct option *opt, const char *arg, bool unset)
{
	if (unset || !arg)
		return 0;
	if (!strcmp(arg, "\\t"))
		arg = "\t";
	if (strlen(arg) != 1 || *arg == '.')
		return opt_error(opt, "takes one character that is not a dot");
	*(char *)opt->value = *arg;
	return 0;
}

int opt_csv(const struct option *opt, const char *arg UNUSED, bool unset UNUSED)
{
	*(char *)opt->value = ',';
	return 0;
}
