/* Folded: see folded.h. */
#include "folded.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../base/fs.h"
#include "../base/hash.h"
#include "../base/strtab.h"
#include "../base/units.h"

#define MAX_DEPTH 2048u		/* frames of a stack; those that are deeper are left out */
#define MAX_FILE (4ull << 30)
#define NO_NODE UINT32_MAX

/* --- lines */

/* the number after the last blank of a line; *ret_len: of the stack before it. False: not a stack */
static bool parse_line(const char *line, size_t len, size_t *ret_len, u64 *ret)
{
	size_t at = len;
	u64 value = 0;

	while (at && line[at - 1] >= '0' && line[at - 1] <= '9')
		at--;
	if (at == len || len - at > 19 || at < 2 || line[at - 1] != ' ')
		return false;
	for (size_t i = at; i < len; i++)
		value = value * 10 + (line[i] - '0');
	*ret_len = at - 1;
	*ret = value;
	return true;
}

static bool is_remark(const char *line, size_t len)
{
	return !len || line[0] == '#';
}

bool folded_is(const char *path)
{
	char head[65536];
	struct stat st;
	int fd = open_regular(path, &st, NULL);
	ssize_t len = fd < 0 ? -1 : read(fd, head, sizeof(head));
	size_t stack;
	u64 value;

	if (fd >= 0)
		close(fd);
	for (ssize_t at = 0, end; at < len; at = end + 1) {
		const char *newline = memchr(head + at, '\n', len - at);

		end = newline ? newline - head : len;
		if (memchr(head + at, '\0', end - at))
			return false;
		if (!is_remark(head + at, end - at))
			return parse_line(head + at, end - at, &stack, &value);
	}
	return false;
}

/* --- the stacks as one tree */

struct folded_node {
	u32 name, parent, depth;
	u64 total, self;
	u32 first_child, nr_children;	/* in the sorted order */
};

struct folded_tree {
	struct strtab names;
	struct { VEC(struct folded_node); } node;	/* parents first; 0: the root */
	struct { VEC(u32); } sorted;	/* node ids but for the root: by parent, the largest first */
	struct hidx idx;
	u64 min;		/* nodes with less are not shown */
};

static u32 child_of(struct folded_tree *f, u32 parent, u32 name)
{
	u64 hash = hash_mix(hash_u64(parent), name);
	u32 id;

	HIDX_FOREACH(&f->idx, hash, id)
		if (f->node.v[id].parent == parent && f->node.v[id].name == name)
			return id;
	hidx_insert(&f->idx, hash, f->node.nr);
	vec_push(&f->node, (struct folded_node){ .name = name, .parent = parent,
						 .depth = f->node.v[parent].depth + 1 });
	return f->node.nr - 1;
}

/* path ends with NUL and is changed */
static void add_stack(struct folded_tree *f, char *path, u64 period)
{
	u32 at = 0;

	f->node.v[0].total += period;
	for (char *name; (name = strsep(&path, ";")) && f->node.v[at].depth < MAX_DEPTH;) {
		if (!*name)
			continue;
		at = child_of(f, at, strtab_add(&f->names, name));
		f->node.v[at].total += period;
	}
	f->node.v[at].self += period;
}

static void add_lines(struct folded_tree *f, char *text, size_t len, struct diag *diag)
{
	for (size_t at = 0, end; at < len; at = end + 1) {
		const char *newline = memchr(text + at, '\n', len - at);
		size_t length, stack;
		u64 value;

		end = newline ? (size_t)(newline - text) : len;
		length = end - at;
		if (length && text[at + length - 1] == '\r')
			length--;
		if (is_remark(text + at, length))
			continue;
		if (!parse_line(text + at, length, &stack, &value) ||
		    __builtin_add_overflow(f->node.v[0].total, value, &(u64){ 0 })) {
			diag_count(diag, DIAG_BAD_STACK_LINE, at);
			continue;
		}
		text[at + stack] = '\0';
		add_stack(f, text + at, value);
	}
}

static int by_parent(const void *pa, const void *pb, void *arg)
{
	const struct folded_tree *f = arg;
	const struct folded_node *a = &f->node.v[*(const u32 *)pa], *b = &f->node.v[*(const u32 *)pb];

	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return strcmp(strtab_get(&f->names, a->name), strtab_get(&f->names, b->name));
}

static void sort_children(struct folded_tree *f)
{
	for (u32 i = 1; i < f->node.nr; i++)
		if (f->node.v[i].total >= f->min)
			vec_push(&f->sorted, i);
	if (f->sorted.nr)
		qsort_r(f->sorted.v, f->sorted.nr, sizeof(*f->sorted.v), by_parent, f);
	for (u32 i = 0; i < f->sorted.nr; i++) {
		struct folded_node *parent = &f->node.v[f->node.v[f->sorted.v[i]].parent];

		if (!parent->nr_children++)
			parent->first_child = i;
	}
}

/* --- the view */

/* scripts that fold mark functions of the kernel with _[k] */
static bool is_kernel(const char *name)
{
	size_t len = strlen(name);

	return len > 4 && !strcmp(name + len - 4, "_[k]");
}

static struct view_node *make_node(const struct folded_tree *f, u32 id, struct arena *arena)
{
	const struct folded_node *from = &f->node.v[id];
	struct view_node *n = ARENA_NEW(arena, struct view_node);
	struct strbuf label = STRBUF_INIT;

	strbuf_add_safe(&label, strtab_get(&f->names, from->name));
	n->label = arena_strdup(arena, strbuf_str(&label));
	strbuf_release(&label);
	n->kernel = is_kernel(n->label);
	n->period = from->total;
	n->self_period = from->self;
	if (from->nr_children)
		n->child.v = arena_alloc(arena, from->nr_children * sizeof(*n->child.v));
	for (u32 i = 0; i < from->nr_children; i++)
		n->child.v[n->child.nr++] = make_node(f, f->sorted.v[from->first_child + i], arena);
	return n;
}

enum { COL_OVERHEAD, COL_PERIOD, COL_COMM };

static double share(const struct view_table *t, const struct view_node *n)
{
	return t->total_period ? 100.0 * n->period / t->total_period : 0;
}

static void cell_value(const struct view_table *t, size_t row, u32 column, u32 member UNUSED,
		       struct strbuf *scratch UNUSED, struct view_value *ret)
{
	const struct view_node *n = t->tree[row];
	const char *const *name = t->ctx;

	if (column == COL_OVERHEAD)
		*ret = (struct view_value){ .type = VIEW_SHARE,
					    .real = share(t, n) };
	else if (column == COL_PERIOD)
		*ret = (struct view_value){ .type = VIEW_NUMBER, .number = n->period };
	else
		*ret = (struct view_value){ .type = VIEW_TEXT, .text = name[row] };
}

static void cell_text(const struct view_table *t, size_t row, u32 column, struct strbuf *out)
{
	const struct view_node *n = t->tree[row];
	const char *const *name = t->ctx;

	if (column == COL_OVERHEAD)
		strbuf_addf(out, "%.2f%%", share(t, n));
	else if (column == COL_PERIOD)
		strbuf_add_u64(out, n->period, 0);
	else
		strbuf_addstr(out, name[row]);
}

/* a row for each outermost frame: the roots of call graphs have no label */
static void add_rows(const struct folded_tree *f, struct view_table *t, struct arena *arena)
{
	const struct folded_node *root = &f->node.v[0];
	const char **name = arena_alloc(arena, (root->nr_children + 1) * sizeof(*name));
	struct view_column *comm = &t->column.v[COL_COMM];

	t->ctx = name;
	t->nr_rows = root->nr_children;
	t->tree = arena_alloc(arena, (root->nr_children + 1) * sizeof(*t->tree));
	for (u32 i = 0; i < root->nr_children; i++) {
		t->tree[i] = make_node(f, f->sorted.v[root->first_child + i], arena);
		name[i] = t->tree[i]->label;
		t->tree[i]->label = NULL;
		comm->width = MAX(comm->width, (u32)strlen(name[i]));
	}
}

static struct view *make_view(const struct folded_tree *f, double min_percent)
{
	static const struct view_column columns[] = {
		{ .name = "overhead", .title = "Overhead", .type = VIEW_SHARE, .width = 8, .right = true },
		{ .name = "period", .title = "Period", .type = VIEW_NUMBER, .width = 12, .right = true },
		{ .name = "comm", .title = "Command", .type = VIEW_TEXT, .width = 7, .no_pad = true },
	};
	const struct folded_node *root = &f->node.v[0];
	struct view *v = xcalloc(1, sizeof(*v));
	struct view_table *t = arena_zalloc(&v->arena, sizeof(*t));
	struct strbuf head = STRBUF_INIT;

	strbuf_addf(&head, "Folded stacks, with a sum of %lu", root->total);
	v->name = "report";
	vec_push(&v->table, t);
	vec_push(&t->member, "folded stacks");
	vec_push(&t->head, arena_strdup(&v->arena, strbuf_str(&head)));
	strbuf_release(&head);
	view_fact_number(&t->fact, "period", root->total);
	for (u32 i = 0; i < ARRAY_SIZE(columns); i++)
		vec_push(&t->column, columns[i]);
	t->total_period = root->total;
	t->min_percent = min_percent;
	add_rows(f, t, &v->arena);
	t->value = cell_value;
	t->cell = cell_text;
	return v;
}

struct view *folded_view_of(char *text, size_t len, double min_percent, struct diag *diag, struct err *err)
{
	struct folded_tree f = { 0 };
	struct view *v = NULL;

	vec_push(&f.node, (struct folded_node){ .parent = NO_NODE, .name = strtab_add(&f.names, "") });
	add_lines(&f, text, len, diag);
	f.min = f.node.v[0].total / 100.0 * min_percent;
	if (f.node.nr > 1) {
		sort_children(&f);
		v = make_view(&f, min_percent);
	} else {
		err_set(err, -ENODATA, "the file has no stacks");
	}
	strtab_release(&f.names);
	vec_release(&f.node);
	vec_release(&f.sorted);
	hidx_release(&f.idx);
	return v;
}

struct view *folded_view(const char *path, double min_percent, struct diag *diag, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	struct view *v = NULL;
	struct stat st;
	int fd = open_regular(path, &st, err), ret;

	if (fd < 0)
		return NULL;
	ret = (u64)st.st_size > MAX_FILE ? -EFBIG : fd_read_all(fd, &text);
	close(fd);
	if (ret)
		err_sys(err, -ret, "cannot read %s", path);
	else
		v = folded_view_of(text.buf, text.len, min_percent, diag, err);
	strbuf_release(&text);
	return v;
}
