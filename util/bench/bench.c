/* The rows, and lines of results that several benchmarks have in common. */
#include "bench.h"
#include "../base/maths.h"
#include "../base/strbuf.h"

#include <inttypes.h>
#include <math.h>

const struct bench benches[] = {
#define COLLECTION(name, help)
#define BENCH(collection, name, function, help) { collection, name, help, function },
#include "benches.def"
#undef BENCH
#undef COLLECTION
	{ NULL, NULL, NULL, NULL },
};

static const struct { const char *name, *help; } collections[] = {
#define COLLECTION(name, help) { name, help },
#define BENCH(collection, name, function, help)
#include "benches.def"
#undef BENCH
#undef COLLECTION
};

const char *bench_collection_help(const char *collection)
{
	for (size_t i = 0; i < ARRAY_SIZE(collections); i++)
		if (!strcmp(collections[i].name, collection))
			return collections[i].help;
	return NULL;
}

const struct bench *bench_find(const char *collection, const char *name)
{
	for (const struct bench *b = benches; b->name; b++)
		if (!strcmp(b->collection, collection) && (!name || !strcmp(b->name, name)))
			return b;
	return NULL;
}

static void put_line(const struct bench_sink *sink, struct bench_item *item, const char *fmt, va_list ap)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_vaddf(&text, fmt, ap);
	item->text = strbuf_str(&text);
	sink->put(sink->ctx, item);
	strbuf_release(&text);
}

void bench_say(const struct bench_sink *sink, const char *fmt, ...)
{
	struct bench_item item = { .simple = -1 };
	va_list ap;

	va_start(ap, fmt);
	put_line(sink, &item, fmt, ap);
	va_end(ap);
}

void bench_put(const struct bench_sink *sink, const char *key, double value, const char *unit, int simple,
	       const char *fmt, ...)
{
	struct bench_item item = { .key = key, .value = value, .unit = unit, .simple = simple };
	va_list ap;

	va_start(ap, fmt);
	put_line(sink, &item, fmt, ap);
	va_end(ap);
}

void bench_put_total(const struct bench_sink *sink, u64 ns)
{
	bench_put(sink, "total_time", ns / 1e9, "s", 3, " %14s: %" PRIu64 ".%03" PRIu64 " [sec]",
		  "Total time", ns / 1000000000, ns / 1000000 % 1000);
}

void bench_put_rate(const struct bench_sink *sink, u64 ns, u64 ops)
{
	double usecs = ops ? ns / 1e3 / ops : 0, rate = ns ? ops * 1e9 / ns : 0;

	bench_say(sink, "%s", "");
	bench_put(sink, "usecs_per_op", usecs, "us", -1, " %14f usecs/op", usecs);
	bench_put(sink, "ops_per_sec", rate, "1/s", -1, " %14.0f ops/sec", floor(rate));
}

void bench_mean_add(struct bench_mean *m, double value)
{
	m->nr++;
	m->sum += value;
	m->sum_squares += value * value;
}

double bench_mean(const struct bench_mean *m)
{
	return m->nr ? m->sum / m->nr : 0;
}

double bench_mean_error(const struct bench_mean *m)
{
	double mean = bench_mean(m), variance;

	if (m->nr < 2)
		return 0;
	variance = (m->sum_squares - m->nr * mean * mean) / (m->nr - 1);
	return variance > 0 ? maths_sqrt(variance / m->nr) : 0;
}

double bench_mean_percent(const struct bench_mean *m)
{
	double mean = bench_mean(m);

	return mean > 0 ? 100 * bench_mean_error(m) / mean : 0;
}
