/* Looks: tables whose text has another layout than that of report. */
#include "test.h"

#include "../../ui/format.h"
#include "../../util/view/rows.h"

struct lock_row {
	u64 nr, ns;
	const char *name;
};

static u64 row_nr(const void *row) { return ((const struct lock_row *)row)->nr; }
static u64 row_ns(const void *row) { return ((const struct lock_row *)row)->ns; }
static const char *row_name(const void *row) { return ((const struct lock_row *)row)->name; }
static void format_ns(u64 ns, struct strbuf *out) { strbuf_addf(out, "%lu ns", ns); }

static const struct view_field fields[] = {
	{ VIEW_COUNT("nr", "count", VIEW_NUMBER, 6), .number = row_nr },
	{ VIEW_COUNT("ns", "wait", VIEW_TIME, 8), .number = row_ns, .format = format_ns },
	{ VIEW_NAME("name", "name", VIEW_TEXT, 5), .text = row_name },
};
static const struct lock_row rows[] = { { 1, 20, "a" }, { 30, 4, "b,c" } };

/* the table as a format shows it, with a look */
static char *shown(const char *format, const struct view_look *look)
{
	struct text_opts o = { .separator = ',' };
	struct view *v = xcalloc(1, sizeof(*v));
	struct view_rows r = { .field = fields, .nr_fields = ARRAY_SIZE(fields), .row = rows, .nr = 2,
			       .size = sizeof(*rows), .limit = 2, .look = look,
			       .form = strcmp(format, "text") ? VIEW_FORM_SEPARATED : VIEW_FORM_TEXT };
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	view_add_rows(v, &r);
	view_add_number(view_add_summary(v, "sum", NULL), "total", "total: ", 3);
	format_find(format)->show(v, &o, f);
	fclose(f);
	view_free(v);
	return text;
}

TEST(look_plain)
{
	static const struct view_look look = { .kind = VIEW_LOOK_PLAIN };
	char *text = shown("text", &look);

	CHECK_STR(text, "   count      wait  name\n\n"
			  "       1     20 ns  a    \n      30      4 ns  b,c  \n\ntotal: 3\n");
	free(text);
}

TEST(look_bars)
{
	static const struct view_look look = { .kind = VIEW_LOOK_BARS };
	char *text = shown("text", &look);

	CHECK_STR(text, "\n  count  | wait     | name  |\n"
			  " ----------------------------\n"
			  "       1 |    20 ns | a     |\n"
			  "      30 |     4 ns | b,c   |\n"
			  " ----------------------------\n\ntotal: 3\n");
	free(text);
}

TEST(look_ruled)
{
	static const struct view_look look = { .kind = VIEW_LOOK_RULED };
	char *text = shown("text", &look);

	CHECK_STR(text, "# count|     wait | name  |\n"
			"     1 |    20 ns | a     |\n"
			"    30 |     4 ns | b,c   |\n\ntotal: 3\n");
	free(text);
}

TEST(look_of_separated_values)
{
	static const struct view_look look = { .lead = "# output: ", .spaced = true };
	char *text = shown("separated", &look);

	CHECK_STR(text, "# output: count, wait, name\n1, 20, a\n30, 4, b.c\n#\n# total: 3\n");
	free(text);
}
