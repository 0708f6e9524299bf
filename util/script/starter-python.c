/* Starter: a script in Python to begin with. See starter.c. */
#include "starter.h"

#include <string.h>
#include "../base/strbuf.h"
#include "../tep/field-words.h"
#include "function-names.h"

#define ARGS_PER_LINE 5u

static const char head[] =
	"# functions for the events of a recording; run it with: perf script -s FILE\n"
	"\n"
	"import os\n"
	"import sys\n"
	"\n"
	"sys.path.append(os.environ['PERF_EXEC_PATH'] +\n"
	"                '/scripts/python/Perf-Trace-Util/lib/Perf/Trace')\n"
	"\n"
	"from perf_trace_context import *\n"
	"from Core import *\n"
	"from Util import *\n"
	"\n"
	"\n"
	"def trace_begin():\n"
	"    pass\n"
	"\n"
	"\n"
	"def trace_end():\n"
	"    pass\n"
	"\n"
	"\n";

static const char tail[] =
	"def trace_unhandled(event_name, context, fields, sample):\n"
	"    print(event_name, ' '.join('%s=%s' % f for f in fields.items()))\n"
	"\n"
	"\n"
	"# events other than tracepoints\n"
	"def process_event(event):\n"
	"    sample = event['sample']\n"
	"    print('%-20s %6d %15.9f %-16s %x %s' % (event['ev_name'], sample['tid'],\n"
	"          sample['time'] / 1e9, event['comm'], sample['ip'], event.get('symbol', '[unknown]')))\n"
	"    print_callchain(event['callchain'])\n"
	"\n"
	"\n"
	"def print_header(event_name, cpu, secs, nsecs, pid, comm):\n"
	"    print('%-20s %5d %5d.%09d %8d %-16s' % (event_name, cpu, secs, nsecs, pid, comm), end=' ')\n"
	"\n"
	"\n"
	"def print_callchain(frames):\n"
	"    for frame in frames:\n"
	"        name = frame['sym']['name'] if 'sym' in frame else '[unknown]'\n"
	"        print('\\t%x %s (%s)' % (frame['ip'], name, frame.get('dso', '[unknown]')))\n";

/* words of Python, and names that functions have already */
static const char *const taken[] = {
	"False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
	"def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in",
	"is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
	"print", "event_name", "context", "common_cpu", "common_secs", "common_nsecs", "common_pid",
	"common_comm", "common_callchain", "sample",
};

/* a name for the argument: whatever the recording calls the field, it is one word */
static void add_name(const struct tracefmt_field *f, struct strbuf *out)
{
	size_t start = out->len;

	engine_add_identifier(f->name, out);
	for (size_t i = 0; i < ARRAY_SIZE(taken); i++)
		if (!strcmp(taken[i], out->buf + start))
			return strbuf_addch(out, '_');
}

static void add_args(const struct tracefmt_event *e, struct strbuf *out)
{
	const struct tracefmt_field *f;

	strbuf_addstr(out, "event_name, context, common_cpu, common_secs, common_nsecs,\n"
			   "        common_pid, common_comm, common_callchain,");
	for (u32 i = 0; (f = tracefmt_nth_field(e, i)); i++) {
		strbuf_addstr(out, i % ARGS_PER_LINE ? " " : "\n        ");
		add_name(f, out);
		strbuf_addch(out, ',');
	}
	strbuf_addstr(out, "\n        sample):\n");
}

static void add_value(const struct tracefmt_field *f, const char *event, struct strbuf *out)
{
	enum field_words kind = field_words(f);
	struct strbuf name = STRBUF_INIT;

	add_name(f, &name);
	strbuf_addf(out, "          '%s=%%s' %% ", strbuf_str(&name));
	/* the words are found by the field's own name */
	if (kind == WORDS_NONE || strcmp(strbuf_str(&name), f->name))
		strbuf_addf(out, "(%s,),\n", strbuf_str(&name));
	else
		strbuf_addf(out, "%s('%s', '%s', %s),\n", kind == WORDS_FLAGS ? "flag_str" : "symbol_str",
			    event, f->name, f->name);
	strbuf_release(&name);
}

static void add_function(const struct tracefmt_event *e, const char *name, struct strbuf *out)
{
	const struct tracefmt_field *f;

	strbuf_addf(out, "def %s(", name);
	add_args(e, out);
	strbuf_addstr(out, "    print_header(event_name, common_cpu, common_secs, common_nsecs,\n"
			   "                 common_pid, common_comm)\n    print(\n");
	for (u32 i = 0; (f = tracefmt_nth_field(e, i)); i++)
		add_value(f, name, out);
	strbuf_addstr(out, "    )\n    print_callchain(common_callchain)\n\n\n");
}

const struct starter starter_python = { head, tail, add_function };
