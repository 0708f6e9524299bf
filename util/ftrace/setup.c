/* Setup: from options to settings. */
#include "setup.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "../base/nearest.h"
#include "../base/option-words.h"
#include "../base/strbuf.h"
#include "../base/units.h"
#include "../kernel/trace-files.h"
#include "functions.h"

#define NONE UINT32_MAX

/* ---- words of options ---- */

/* a word, and the file that it sets: to on if it is given, else to off */
struct tracer_word {
	const char *word, *file, *on, *off;
	u32 also;		/* a bit that it implies */
	const char *needs;	/* for a hint, where the kernel lacks the file */
};

static const struct tracer_word func_words[FUNC_NR] = {
	[FUNC_CALL_GRAPH] = { "call-graph", "options/func_stack_trace", "1", "0" },
	[FUNC_IRQ_INFO] = { "irq-info", "options/irq-info", "1", "0" },
};

static const struct tracer_word graph_words[GRAPH_NR] = {
	[GRAPH_ARGS] = { "args", "options/funcgraph-args", "1", "0",
			 .needs = "CONFIG_FUNCTION_TRACE_ARGS and Linux 6.15" },
	[GRAPH_RETVAL] = { "retval", "options/funcgraph-retval", "1", "0",
			   .needs = "CONFIG_FUNCTION_GRAPH_RETVAL and Linux 6.5" },
	[GRAPH_RETVAL_HEX] = { "retval-hex", "options/funcgraph-retval-hex", "1", "0", 1u << GRAPH_RETVAL,
			       "CONFIG_FUNCTION_GRAPH_RETVAL and Linux 6.5" },
	[GRAPH_RETADDR] = { "retaddr", "options/funcgraph-retaddr", "1", "0",
			    .needs = "CONFIG_FUNCTION_GRAPH_RETADDR and Linux 6.13" },
	[GRAPH_NOSLEEP_TIME] = { "nosleep-time", "options/sleep-time", "0", "1" },
	[GRAPH_NOIRQS] = { "noirqs", "options/funcgraph-irqs", "0", "1" },
	[GRAPH_VERBOSE] = { "verbose", "options/funcgraph-proc", "1", "0" },
	[GRAPH_TAIL] = { "tail", "options/funcgraph-tail", "1", "0" },
};

/* files that a word sets beside its own, and those whose value is always the same; NONE: no word */
static const struct { const char *file; u32 word; } graph_files[] = {
	{ "options/funcgraph-abstime", GRAPH_VERBOSE }, { "options/latency-format", GRAPH_VERBOSE },
	{ "options/funcgraph-cpu", NONE }, { "options/funcgraph-overhead", NONE },
	{ "options/funcgraph-duration", NONE },
};

static int no_word(const struct tracer_word *words, u32 nr, const char *more, const char *word,
		   struct err *err)
{
	struct strbuf list = STRBUF_INIT;

	for (u32 i = 0; i < nr; i++)
		strbuf_addf(&list, "%s%s", i ? ", " : "", words[i].word);
	err_set(err, -EINVAL, "'%s' is not an option of the tracer: they are %s%s", word, list.buf, more);
	strbuf_release(&list);
	return -EINVAL;
}

/* the row of a word; nr: there is none */
static u32 find_word(const struct tracer_word *words, u32 nr, const char *word)
{
	u32 i = 0;

	while (i < nr && strcmp(words[i].word, word))
		i++;
	return i;
}

int ftrace_func_opts_parse(struct ftrace_opts *o, const char *words, struct err *err)
{
	char word[64];

	while (next_word(&words, word, sizeof(word))) {
		u32 i = find_word(func_words, FUNC_NR, word);

		if (i == FUNC_NR)
			return no_word(func_words, FUNC_NR, "", word, err);
		o->func_opts |= 1u << i;
	}
	return 0;
}

int ftrace_graph_opts_parse(struct ftrace_opts *o, const char *words, struct err *err)
{
	char word[64];

	while (next_word(&words, word, sizeof(word))) {
		u32 i = find_word(graph_words, GRAPH_NR, word);
		char *number = strchr(word, '=');
		u64 *to;

		if (i < GRAPH_NR) {
			o->graph_opts |= 1u << i | graph_words[i].also;
			continue;
		}
		if (number)
			*number++ = '\0';
		to = !strcmp(word, "thresh") ? &o->thresh_us : !strcmp(word, "depth") ? &o->depth : NULL;
		if (!to)
			return no_word(graph_words, GRAPH_NR, ", thresh=<us>, depth=<n>", word, err);
		if (!number || parse_u64(number, to) || !*to || *to > INT32_MAX)
			return err_set(err, -EINVAL, "%s needs a number, such as %s=10", word, word);
	}
	return 0;
}

/* ---- which tracer ---- */

static bool is_graph(const char *tracer)
{
	return !strcmp(tracer, "function_graph");
}

const char *ftrace_tracer(const struct ftrace_opts *o, struct err *err)
{
	bool graph = o->graph.nr || o->nograph.nr, func = o->only.nr || o->no.nr;
	const char *t = o->tracer_given ? o->tracer : graph || o->parsed ? "function_graph" :
			func ? "function" : o->tracer ? o->tracer : "function_graph";

	if ((graph || o->graph_opts || o->thresh_us || o->depth) && !is_graph(t))
		err_set(err, -EINVAL, "%s is for the tracer function_graph, not for %s",
			graph ? "-G or -g" : "--graph-opts", t);
	else if (o->func_opts && strcmp(t, "function"))
		err_set(err, -EINVAL, "--func-opts is for the tracer function, not for %s", t);
	else if (func && !is_graph(t) && strcmp(t, "function"))
		err_set(err, -EINVAL, "-T and -N are for the tracers function and function_graph, not for %s",
			t);
	else if (o->func_opts & 1u << FUNC_CALL_GRAPH && !o->only.nr)
		err_set(err, -EINVAL,
			"call-graph needs -T: the stacks of all functions would stop the machine");
	else
		return t;
	return NULL;
}

/* ---- settings ---- */

static int set_names(struct trace_instance *t, const char *file, const struct ftrace_names *names,
		     struct err *err)
{
	struct strbuf value = STRBUF_INIT;
	const char *line;
	int ret;

	for (size_t i = 0; i < names->nr; i++)
		strbuf_addf(&value, "%s%s", i ? "\n" : "", names->v[i]);
	ret = trace_instance_set(t, file, strbuf_str(&value), &line, err);
	if (ret == -EINVAL && line)
		ret = ftrace_functions_explain(line, strcspn(line, "\n"), err);
	strbuf_release(&value);
	return ret;
}

static int set_lists(struct trace_instance *t, const struct ftrace_opts *o, bool graph, struct err *err)
{
	const struct { const char *file; const struct ftrace_names *names; } list[] = {
		{ "set_ftrace_filter", &o->only }, { "set_ftrace_notrace", &o->no },
		{ "set_graph_function", &o->graph }, { "set_graph_notrace", &o->nograph },
	};
	int ret = 0;

	for (size_t i = 0; i < (graph ? 4 : 2) && !ret; i++)
		if (trace_instance_has(t, list[i].file) || list[i].names->nr)
			ret = set_names(t, list[i].file, list[i].names, err);
	return ret;
}

static int set_number(struct trace_instance *t, const char *file, u64 number, struct err *err)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)number);
	return trace_instance_set(t, file, text, NULL, err);
}

static int set_word(struct trace_instance *t, const struct tracer_word *w, bool given, struct err *err)
{
	if (trace_instance_has(t, w->file))
		return trace_instance_set(t, w->file, given ? w->on : w->off, NULL, err);
	if (!given)
		return 0;
	err_set(err, -ENODEV, "this kernel cannot do '%s'", w->word);
	err_hint(err, "it needs %s", w->needs ? w->needs : "a newer kernel");
	return -ENODEV;
}

static int set_graph(struct trace_instance *t, const struct ftrace_opts *o, struct err *err)
{
	u32 bits = o->graph_opts | (o->parsed ? 1u << GRAPH_TAIL : 0);
	int ret = 0;

	for (u32 i = 0; i < GRAPH_NR && !ret; i++)
		ret = set_word(t, &graph_words[i], bits >> i & 1, err);
	for (u32 i = 0; i < ARRAY_SIZE(graph_files) && !ret; i++)
		if (trace_instance_has(t, graph_files[i].file))
			ret = trace_instance_set(t, graph_files[i].file,
						 graph_files[i].word == NONE ||
						 bits >> graph_files[i].word & 1 ? "1" : "0", NULL, err);
	return ret;
}

static int set_function(struct trace_instance *t, const struct ftrace_opts *o, struct err *err)
{
	int ret = 0;

	for (u32 i = 0; i < FUNC_NR && !ret; i++)
		ret = set_word(t, &func_words[i], o->func_opts >> i & 1, err);
	return ret;
}

/* "ff,00000001": lowest CPUs last, 32 in a word */
static int set_cpus(struct trace_instance *t, const struct cpulist *cpus, struct err *err)
{
	struct strbuf mask = STRBUF_INIT;
	int ret;

	for (int word = cpus->v[cpus->nr - 1] / 32; word >= 0; word--) {
		u32 bits = 0;

		for (size_t i = 0; i < cpus->nr; i++)
			if (cpus->v[i] / 32 == word)
				bits |= 1u << cpus->v[i] % 32;
		strbuf_addf(&mask, "%08x%s", bits, word ? "," : "");
	}
	ret = trace_instance_set(t, "tracing_cpumask", mask.buf, NULL, err);
	strbuf_release(&mask);
	return ret;
}

static int set_target(struct trace_instance *t, const struct ftrace_opts *o, const struct target *target,
		      struct err *err)
{
	struct strbuf pids = STRBUF_INIT, self = STRBUF_INIT;
	bool system = target->kind == TARGET_SYSTEM;
	int ret;

	for (size_t i = 0; !system && i < target->tids.nr; i++)
		strbuf_addf(&pids, "%s%d", i ? "\n" : "", target->tids.v[i]);
	if (system)
		strbuf_addf(&self, "%d", getpid());
	ret = trace_instance_set(t, "set_ftrace_pid", strbuf_str(&pids), NULL, err);
	/* perf itself is left out; kernels before Linux 5.8 cannot do this */
	if (!ret && trace_instance_has(t, "set_ftrace_notrace_pid"))
		ret = trace_instance_set(t, "set_ftrace_notrace_pid", strbuf_str(&self), NULL, err);
	if (!ret && (o->inherit || trace_instance_has(t, "options/function-fork")))
		ret = trace_instance_set(t, "options/function-fork", o->inherit ? "1" : "0", NULL, err);
	if (!ret && target->cpu_list && target->cpus.nr)
		ret = set_cpus(t, &target->cpus, err);
	strbuf_release(&pids);
	strbuf_release(&self);
	return ret;
}

static int set_buffer(struct trace_instance *t, u64 bytes, struct err *err)
{
	struct strbuf old = STRBUF_INIT;
	int ret = trace_file_value("buffer_size_kb", &old, err);

	if (!ret && !t->own && !strcmp(strbuf_str(&old), "X"))
		ret = err_set(err, -EBUSY,
			      "-m cannot be used: the CPUs have tracing buffers of different sizes");
	if (!ret)
		ret = set_number(t, "buffer_size_kb", (bytes + 1023) / 1024, err);
	strbuf_release(&old);
	return ret;
}

int ftrace_setup(struct trace_instance *t, const struct ftrace_opts *o, const struct target *target,
		 struct err *err)
{
	bool graph = is_graph(t->tracer), func = !strcmp(t->tracer, "function");
	int ret = graph || func ? set_lists(t, o, graph, err) : 0;

	if (!ret && (graph || func))
		ret = set_target(t, o, target, err);
	if (!ret && o->buffer_bytes)
		ret = set_buffer(t, o->buffer_bytes, err);
	/* before the tracer: it looks at the threshold when it begins */
	if (!ret && graph && (o->thresh_us || trace_instance_has(t, "tracing_thresh")))
		ret = set_number(t, "tracing_thresh", o->thresh_us, err);
	if (!ret && graph)
		ret = set_number(t, "max_graph_depth", o->depth, err);
	if (!ret)
		ret = trace_instance_set_tracer(t, err);
	/* options of a tracer exist, on some kernels, when it is current */
	if (!ret && graph)
		ret = set_graph(t, o, err);
	if (!ret && func)
		ret = set_function(t, o, err);
	return ret;
}
