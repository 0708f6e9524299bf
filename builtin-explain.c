/* perf explain: what an event, a sort key, a field, a command or a message means, and what to do. */
#include "util/base/nearest.h"
#include "util/base/strbuf.h"
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"
#include "util/cli/parse-usage.h"
#include "util/event/names.h"
#include "util/fields/field.h"
#include "util/list/generic.h"
#include "util/list/list.h"
#include "util/pmu/event-table.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const usage[] = { "perf explain [<options>] <word or text of a message>...", NULL };

#define TEXT_WIDTH 90

static const struct { const char *name, *text; } script_fields[] = {
#define SCRIPT_FIELD(name, text) { name, text },
#include "builtin-explain.def"
};

static const struct { const char *phrases, *means, *advice; } messages[] = {
#define MESSAGE(phrases, means, advice) { phrases, means, advice },
#include "builtin-explain.def"
};

struct explain {
	const char *word;
	struct strbuf out;
	u32 nr;				/* explanations so far */
	struct nearest near;
};

/* appends text in lines of TEXT_WIDTH columns that begin with two blanks */
static void add_paragraph(struct strbuf *out, const char *text)
{
	size_t column = 0;

	for (size_t len; *text; text += len + strspn(text + len, " ")) {
		len = strcspn(text, " ");
		if (column && column + 1 + len > TEXT_WIDTH) {
			strbuf_addch(out, '\n');
			column = 0;
		}
		strbuf_addstr(out, column ? " " : "  ");
		strbuf_add(out, text, len);
		column += len + (column ? 1 : 2);
	}
	if (column)
		strbuf_addch(out, '\n');
}

/* "name: kind", what it means, what to do; advice is "" if there is nothing to do */
static void add(struct explain *x, const char *name, const char *kind, const char *means, const char *advice)
{
	struct strbuf *out = &x->out;

	strbuf_addstr(out, x->nr++ ? "\n" : "");
	strbuf_add_safe(out, name);
	strbuf_addf(out, ": %s\n", kind);
	add_paragraph(out, means);
	add_paragraph(out, advice);
}

/* ---- what there is ---- */

static void explain_fields(struct explain *x)
{
	struct strbuf kind = STRBUF_INIT, use = STRBUF_INIT;

	for (const struct field *const *f = fields; *f; f++) {
		bool titled = (*f)->title && !strcasecmp((*f)->title, x->word);

		nearest_offer(&x->near, (*f)->name);
		if (strcmp((*f)->name, x->word) && !titled)
			continue;
		strbuf_reset(&kind);
		strbuf_reset(&use);
		strbuf_addstr(&kind, "sort key of report and top");
		if ((*f)->title && *(*f)->title)
			strbuf_addf(&kind, ", column '%s'", (*f)->title);
		strbuf_addf(&use, "Use: perf report -s %s", (*f)->name);
		add(x, (*f)->name, strbuf_str(&kind), (*f)->help, strbuf_str(&use));
	}
	strbuf_release(&kind);
	strbuf_release(&use);
}

static void explain_script_fields(struct explain *x)
{
	char use[128];

	for (size_t i = 0; i < ARRAY_SIZE(script_fields); i++) {
		nearest_offer(&x->near, script_fields[i].name);
		if (strcmp(script_fields[i].name, x->word))
			continue;
		snprintf(use, sizeof(use), "Use: perf script -F +%s", x->word);
		add(x, x->word, "field of perf script", script_fields[i].text, use);
	}
}

static void explain_commands(struct explain *x)
{
	char use[128];

	for (const struct command *c = commands; c->name; c++) {
		nearest_offer(&x->near, c->name);
		if (strcmp(c->name, x->word))
			continue;
		snprintf(use, sizeof(use), "'perf help %s' shows its manual, 'perf %s -h' its options.",
			 c->name, c->name);
		add(x, c->name, "command", c->summary, use);
	}
}

/* the names that exist everywhere, also where the machine cannot count them */
static void explain_generic_events(struct explain *x)
{
	for (size_t i = 0; i < nr_event_names; i++) {
		const struct event_name *n = &event_names[i];

		nearest_offer(&x->near, n->name);
		if (n->alias)
			nearest_offer(&x->near, n->alias);
		if (strcmp(n->name, x->word) && (!n->alias || strcmp(n->alias, x->word)))
			continue;
		add(x, n->name, n->type ? "software event" : "hardware event",
		    list_describe_generic(n->type, n->config),
		    list_is_supported(n->type, n->config) ? "" :
		    "This machine does not count it: virtual machines often have no hardware counters.");
	}
}

static bool is_generic_event(const char *name)
{
	for (size_t i = 0; i < nr_event_names; i++)
		if (!strcmp(event_names[i].name, name))
			return true;
	return false;
}

static const char *use_of(const struct list_entry *e, char *buf, size_t size)
{
	const char *form = "Use: perf stat -e %s, perf record -e %s";

	if (e->expr && *e->expr)
		form = "Use: perf stat -M %s";
	else if (e->kind == LIST_TRACEPOINT)
		form = "Use: perf record -e %s. 'perf list --fields %s' shows what its records contain.";
	snprintf(buf, size, form, e->name, e->name);
	return buf;
}

/* events and metrics of this machine: tracepoints, PMUs, tables of vendors, probes */
static int explain_events(struct explain *x, struct table_source *tables, struct err *err)
{
	const struct list_request req = { .patterns = &x->word, .nr_patterns = 1, .tables = tables };
	char use[512];
	struct list l;
	int ret = list_make(&l, &req, err);

	if (ret)
		return ret;
	vec_foreach(&l, e) {
		nearest_offer(&x->near, e->name);
		if ((strcmp(e->name, x->word) && strcmp(e->alias, x->word)) || is_generic_event(e->name))
			continue;
		add(x, e->name, *e->tag ? e->tag : "metric", *e->long_desc ? e->long_desc : e->desc,
		    use_of(e, use, sizeof(use)));
	}
	list_release(&l);
	return 0;
}

/* ---- messages ---- */

static bool is_word_char(char c)
{
	return isalnum((u8)c) || c == '_' || c == '-';
}

/* a word goes on across this place of a text */
static bool is_inside_word(const char *s)
{
	return is_word_char(s[-1]) && is_word_char(s[0]);
}

/* s of this length contains part as whole words, without regard to case */
static bool contains(const char *s, size_t len, const char *part, size_t part_len)
{
	for (size_t i = 0; i + part_len <= len; i++)
		if (!strncasecmp(s + i, part, part_len) && !(i && is_inside_word(s + i)) &&
		    !(i + part_len < len && is_inside_word(s + i + part_len)))
			return true;
	return false;
}

static bool phrase_matches(const char *phrase, size_t len, const char *query)
{
	size_t query_len = strlen(query);

	return query_len && (contains(query, query_len, phrase, len) ||
			     contains(phrase, len, query, query_len));
}

static void explain_messages(struct explain *x)
{
	for (size_t i = 0; i < ARRAY_SIZE(messages); i++)
		for (const char *p = messages[i].phrases; *p; p += strcspn(p, "|"), p += *p == '|') {
			size_t len = strcspn(p, "|");
			char name[128];

			if (!phrase_matches(p, len, x->word))
				continue;
			snprintf(name, sizeof(name), "%.*s", (int)len, p);
			add(x, name, "message or word of the output", messages[i].means, messages[i].advice);
			break;
		}
}

/* ---- the command ---- */

static int explain(struct explain *x, struct table_source *tables, struct err *err)
{
	int ret;

	nearest_init(&x->near, x->word, strlen(x->word));
	explain_commands(x);
	explain_fields(x);
	explain_script_fields(x);
	explain_generic_events(x);
	ret = strchr(x->word, ' ') ? 0 : explain_events(x, tables, err);
	explain_messages(x);
	if (!ret && !x->nr) {
		struct strbuf near = STRBUF_INIT, safe = STRBUF_INIT;

		nearest_describe(&x->near, &near);
		strbuf_add_safe(&safe, x->word);
		ret = err_set(err, -ENOENT, "'%s' is not known%s", strbuf_str(&safe), strbuf_str(&near));
		err_hint(err, "events are listed by 'perf list', sort keys by 'perf report -h sort', "
			 "commands by 'perf help'");
		strbuf_release(&near);
		strbuf_release(&safe);
	}
	return ret;
}

int cmd_explain(int argc, const char **argv)
{
	struct table_source tables = { 0 };
	const struct option options[] = {
		OPT_STRING(0, "event-table", &tables.dir, "dir",
			   "read vendor event tables from this directory"),
		OPT_END()
	};
	struct explain x = { .out = STRBUF_INIT };
	struct strbuf word = STRBUF_INIT;
	struct err err = ERR_INIT;
	int ret;

	argc = parse_options(argc, argv, options, usage, 0);
	if (!argc)
		return opt_usage_error(options, NULL, usage, "no word is given");
	for (int i = 0; i < argc; i++)
		strbuf_addf(&word, "%s%s", i ? " " : "", argv[i]);
	x.word = strbuf_str(&word);
	ret = explain(&x, &tables, &err);
	if (!ret)
		fputs(strbuf_str(&x.out), stdout);
	strbuf_release(&x.out);
	strbuf_release(&word);
	table_source_release(&tables);
	return ret ? die_err(&err) : 0;
}
