/* perf bench: how fast this system is. Output; the benchmarks are rows of util/bench/benches.def. */
#include "builtin-bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "util/base/alloc.h"
#include "util/base/json-out.h"
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"

static const char *const usage[] = {
	"perf bench [<options>] <collection> <benchmark> [<options of the benchmark>]",
	"perf bench [<options>] <collection> all",
	"perf bench [<options>] all",
	NULL
};

/* ---- output ---- */

static struct {
	struct strbuf text;
	struct json json;
} document;

static void put_text(void *ctx UNUSED, const struct bench_item *item)
{
	printf("%s\n", item->text);
	fflush(stdout);
}

static void put_simple(void *ctx UNUSED, const struct bench_item *item)
{
	if (item->key && item->simple >= 0)
		printf("%.*f\n", item->simple, item->value);
	fflush(stdout);
}

static void put_json(void *ctx UNUSED, const struct bench_item *item)
{
	if (!item->key)
		return;
	json_begin_object(&document.json, JSON_SPACED);
	json_key_string(&document.json, "name", item->key);
	json_key_double(&document.json, "value", item->value);
	json_key_string(&document.json, "unit", item->unit);
	json_end(&document.json);
}

static const struct bench_sink *sink(void)
{
	static const struct bench_sink text = { put_text, NULL }, simple = { put_simple, NULL },
				       json = { put_json, NULL };

	return bench_output()->json ? &json : !strcmp(bench_output()->format, "simple") ? &simple : &text;
}

static void begin_bench(const struct bench *b)
{
	char *name = xasprintf("%s/%s", b->collection, b->name);

	if (bench_output()->json) {
		json_begin_object(&document.json, JSON_LINES);
		json_key_string(&document.json, "benchmark", name);
		json_key(&document.json, "values");
		json_begin_array(&document.json, JSON_LINES);
	} else if (strcmp(bench_output()->format, "simple")) {
		printf("# Running '%s' benchmark:\n", name);
	}
	fflush(stdout);	/* children would write it again */
	free(name);
}

static void end_bench(bool more)
{
	if (bench_output()->json) {
		json_end(&document.json);
		json_end(&document.json);
	} else if (more && strcmp(bench_output()->format, "simple")) {
		printf("\n");
	}
}

static void begin_output(void)
{
	if (!bench_output()->json)
		return;
	document.json.out = &document.text;
	json_begin_object(&document.json, JSON_LINES);
	json_key_string(&document.json, "perf", "bench");
	json_key_u64(&document.json, "version", 1);
	json_key(&document.json, "benchmarks");
	json_begin_array(&document.json, JSON_LINES);
}

static void end_output(void)
{
	if (!bench_output()->json)
		return;
	json_end(&document.json);
	json_end(&document.json);
	printf("%s\n", strbuf_str(&document.text));
	json_release(&document.json);
	strbuf_release(&document.text);
}

/* ---- running ---- */

/* all benchmarks of a collection, or of all collections (NULL), or one (name) */
static int run(const char *collection, const char *name)
{
	struct err err = ERR_INIT;
	int ret = 0;

	begin_output();
	for (const struct bench *b = benches; b->name; b++) {
		if ((collection && strcmp(collection, b->collection)) || (name && strcmp(name, b->name)))
			continue;
		begin_bench(b);
		err_clear(&err);
		if (b->run(bench_cmd_opts(), sink(), &err)) {
			fflush(stdout);
			ret = die_err(&err);	/* the others can still be run */
		}
		end_bench(!name);
	}
	end_output();
	return ret;
}

static int list_collections(void)
{
	const char *last = "";

	printf("Usage: \n\t%s\n\n        # List of all available benchmark collections:\n\n", usage[0]);
	for (const struct bench *b = benches; b->name; last = b->collection, b++)
		if (strcmp(last, b->collection))
			printf("%14s: %s\n", b->collection, bench_collection_help(b->collection));
	printf("%14s: %s\n\n", "all", "all of these");
	return 0;
}

static int list_benches(const char *collection)
{
	printf("\n        # List of available benchmarks for collection '%s':\n\n", collection);
	for (const struct bench *b = benches; b->name; b++)
		if (!strcmp(b->collection, collection))
			printf("%14s: %s\n", b->name, b->help);
	printf("%14s: %s\n\n", "all", "all of these");
	return 0;
}

static int run_one(const char *collection, int argc, const char **argv)
{
	const struct bench *b = bench_find(collection, argv[0]);
	const struct option *options;

	if (!b && strcmp(argv[0], "all"))
		return opt_usage_error(bench_common_options, NULL, usage,
				       "'%s' is not a benchmark of the collection '%s'", argv[0], collection);
	options = b ? bench_options_of(b) : bench_options_of_all(collection);
	argc = parse_options(argc, argv, options, usage, 0);
	if (argc)
		return opt_usage_error(options, NULL, usage, "unexpected argument '%s'", argv[0]);
	return run(collection, b ? b->name : NULL);
}

int cmd_bench(int argc, const char **argv)
{
	bool help = argc > 1 && argv[1][0] == '-' && strcmp(argv[1], "--");

	argc = parse_options(argc, argv, help ? bench_all_options : bench_common_options, usage,
			     PARSE_STOP_AT_NON_OPTION);
	if (strcmp(bench_output()->format, "default") && strcmp(bench_output()->format, "simple"))
		return opt_usage_error(bench_common_options, NULL, usage, "-f is default or simple, not '%s'",
				       bench_output()->format);
	if (!argc)
		return list_collections();
	if (!strcmp(argv[0], "all") && argc == 1)
		return run(NULL, NULL);
	if (!bench_find(argv[0], NULL))
		return opt_usage_error(bench_common_options, NULL, usage,
				       "'%s' is not a collection of benchmarks", argv[0]);
	/* in place of a benchmark -h asks which there are */
	if (argc < 2 || !strcmp(argv[1], "-h") || !strcmp(argv[1], "--help"))
		return list_benches(argv[0]);
	return run_one(argv[0], argc - 1, argv + 1);
}
