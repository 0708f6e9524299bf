/*
 * Fields: memory accesses by parts of their data source, as columns: a row of data-src-parts.def each, the
 * share of the event's total that is in the row and in that part. --fields names a group ("op") or one part
 * ("op_load").
 */
#include "field-family.h"
#include "data-src-columns.h"

#include <pthread.h>
#include <string.h>
#include "../base/format.h"

static double share_of(const struct field_ctx *ctx, u64 sum)
{
	return ctx->total->period ? 100.0 * sum / ctx->total->period : 0;
}

static void format_part(const struct field_ctx *ctx, u64 sum, struct strbuf *out)
{
	strbuf_addf(out, "%.1f%%", share_of(ctx, sum));
}

#define SUM(id) (s->mem_part ? s->mem_part[id] : 0)
#define DATA_SRC_PART(group, part, head, name) \
static u64 stat_##group##_##part(const struct field_ctx *ctx, const struct stat_sums *s) \
{ \
	return SUM(DATA_SRC_##group##_##part); \
} \
static double real_##group##_##part(const struct field_ctx *ctx, const struct stat_sums *s) \
{ \
	return share_of(ctx, SUM(DATA_SRC_##group##_##part)); \
} \
static void format_##group##_##part(const struct field_ctx *ctx, const struct stat_sums *s, \
				    struct strbuf *out) \
{ \
	format_part(ctx, SUM(DATA_SRC_##group##_##part), out); \
}
#include "../event/data-src-parts.def"
#undef DATA_SRC_PART

static struct part {
	const char *group;
	struct field field;
} parts[DATA_SRC_NR_PARTS];

static void add_part(u32 i, const char *group, const char *name, const char *title, const char *head,
		     const char *text, const char *help)
{
	struct part *part = &parts[i];

	part->group = group;
	part->field = (struct field){
		.name = name, .title = title, .group = head, .title_in_group = text, .kind = FIELD_STAT,
		.needs = NEEDS_MEM | NEEDS_MEM_PARTS, .width = 7, .right = true, .percent = true,
		.type = VIEW_SHARE, .mem_part = 1 + i, .help = help,
	};
}

/* not linked as rows: their addresses would be written at each start, and few reports have these columns */
static void make_parts(void)
{
	struct field *f;

#define DATA_SRC_PART(of, part, head, text) \
	add_part(DATA_SRC_##of##_##part, #of, #of "_" #part, head " " text, head, text, head ": " text); \
	f = &parts[DATA_SRC_##of##_##part].field; \
	f->stat = stat_##of##_##part; \
	f->real = real_##of##_##part; \
	f->format_stat = format_##of##_##part;
#include "../event/data-src-parts.def"
#undef DATA_SRC_PART
}

u32 mem_parts_find(const char *word, const struct field *ret[DATA_SRC_NR_PARTS])
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	u32 nr = 0;

	pthread_once(&once, make_parts);
	for (u32 i = 0; i < ARRAY_SIZE(parts); i++)
		if (!strcmp(word, parts[i].group) || !strcmp(word, parts[i].field.name))
			ret[nr++] = &parts[i].field;
	return nr;
}
