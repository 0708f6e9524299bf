/* Starter: a script in Perl to begin with. See starter.c. */
#include "starter.h"

#include <string.h>
#include "../base/strbuf.h"
#include "../tep/field-words.h"
#include "function-names.h"

#define ARGS_PER_LINE 5u

static const char head[] =
	"# functions for the events of a recording; run it with: perf script -s FILE\n"
	"\n"
	"use strict;\n"
	"use warnings;\n"
	"use Perf::Trace::Core;\n"
	"use Perf::Trace::Context;\n"
	"use Perf::Trace::Util;\n"
	"\n"
	"sub trace_begin\n"
	"{\n"
	"}\n"
	"\n"
	"sub trace_end\n"
	"{\n"
	"}\n"
	"\n";

static const char tail[] =
	"# tracepoints without a function above\n"
	"sub trace_unhandled\n"
	"{\n"
	"\tmy ($event_name, $context, $common_cpu, $common_secs, $common_nsecs,\n"
	"\t    $common_pid, $common_comm, $common_callchain, @fields) = @_;\n"
	"\n"
	"\tprint_header($event_name, $common_cpu, $common_secs, $common_nsecs, $common_pid, $common_comm);\n"
	"\tprint(\"\\n\");\n"
	"}\n"
	"\n"
	"# all events; $sample is a hash\n"
	"sub process_event\n"
	"{\n"
	"\tmy ($record, $attr, $sample, $raw) = @_;\n"
	"\tmy $s = $sample->{sample};\n"
	"\n"
	"\t# tracepoints have functions of their own\n"
	"\treturn if unpack('L', $attr) == 2;\n"
	"\tprintf(\"%-20s %6d %15.9f %-16s %x %s\\n\", $sample->{ev_name}, $s->{tid}, $s->{time} / 1e9,\n"
	"\t       $sample->{comm}, $s->{ip}, $sample->{symbol} // '[unknown]');\n"
	"\tprint_callchain($sample->{callchain});\n"
	"}\n"
	"\n"
	"sub print_header\n"
	"{\n"
	"\tmy ($event_name, $cpu, $secs, $nsecs, $pid, $comm) = @_;\n"
	"\n"
	"\tprintf(\"%-20s %5d %5d.%09d %8d %-16s \", $event_name, $cpu, $secs, $nsecs, $pid, $comm);\n"
	"}\n"
	"\n"
	"sub print_callchain\n"
	"{\n"
	"\tmy ($frames) = @_;\n"
	"\n"
	"\tfor my $frame (@$frames) {\n"
	"\t\tmy $name = $frame->{sym} ? $frame->{sym}{name} : '[unknown]';\n"
	"\t\tprintf(\"\\t%x %s (%s)\\n\", $frame->{ip}, $name, $frame->{dso} // '[unknown]');\n"
	"\t}\n"
	"}\n";

/* names that functions have already, or that variables cannot have */
static const char *const taken[] = {
	"event_name", "context", "common_cpu", "common_secs", "common_nsecs", "common_pid", "common_comm",
	"common_callchain", "_",
};

/* a name for the variable: whatever the recording calls the field, it is one word */
static void add_name(const struct tracefmt_field *f, struct strbuf *out)
{
	size_t start = out->len;

	strbuf_addch(out, '$');
	engine_add_identifier(f->name, out);
	for (size_t i = 0; i < ARRAY_SIZE(taken); i++)
		if (!strcmp(taken[i], out->buf + start + 1))
			return strbuf_addch(out, '_');
}

static void add_args(const struct tracefmt_event *e, struct strbuf *out)
{
	const struct tracefmt_field *f;

	strbuf_addstr(out, "\tmy ($event_name, $context, $common_cpu, $common_secs, $common_nsecs,\n"
			   "\t    $common_pid, $common_comm, $common_callchain");
	for (u32 i = 0; (f = tracefmt_nth_field(e, i)); i++) {
		strbuf_addstr(out, i % ARGS_PER_LINE ? ", " : ",\n\t    ");
		add_name(f, out);
	}
	strbuf_addstr(out, ") = @_;\n\n");
}

static void add_value(const struct tracefmt_field *f, const char *event, struct strbuf *out)
{
	enum field_words kind = field_words(f);
	struct strbuf name = STRBUF_INIT;

	add_name(f, &name);
	strbuf_addf(out, "\t      '%s=', ", strbuf_str(&name) + 1);
	/* the words are found by the field's own name */
	if (kind != WORDS_NONE && !strcmp(strbuf_str(&name) + 1, f->name))
		strbuf_addf(out, "%s('%s', '%s', %s)", kind == WORDS_FLAGS ? "flag_str" : "symbol_str", event,
			    f->name, strbuf_str(&name));
	else if (f->is_array && !f->is_string)
		strbuf_addf(out, "unpack('H*', %s)", strbuf_str(&name));
	else
		strbuf_addstr(out, strbuf_str(&name));
	strbuf_addstr(out, ", ' ',\n");
	strbuf_release(&name);
}

static void add_function(const struct tracefmt_event *e, const char *name, struct strbuf *out)
{
	const struct tracefmt_field *f;

	strbuf_addf(out, "sub %s\n{\n", name);
	add_args(e, out);
	strbuf_addstr(out, "\tprint_header($event_name, $common_cpu, $common_secs, $common_nsecs,\n"
			   "\t             $common_pid, $common_comm);\n\tprint(\n");
	for (u32 i = 0; (f = tracefmt_nth_field(e, i)); i++)
		add_value(f, name, out);
	strbuf_addstr(out, "\t      \"\\n\");\n\tprint_callchain($common_callchain);\n}\n\n");
}

const struct starter starter_perl = { head, tail, add_function };
