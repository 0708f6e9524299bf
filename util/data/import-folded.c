/*
 * Import of folded stacks: a line each: frames from the outermost caller on with semicolons between them, a
 * blank, and a number; as --folded and the scripts of FlameGraph write them. The first frame is the command.
 * Empty lines and lines that begin with # are skipped, lines that are not stacks are counted.
 */
#include "importer.h"
#include "../view/stacks-seen.h"

#include <errno.h>
#include <string.h>

/* the number after the last blank of a line; *ret_len: of the stack before it. False: not a stack */
static bool parse_line(const char *line, size_t len, size_t *ret_len, u64 *ret)
{
	size_t at = len;
	u64 value = 0;

	while (at && line[at - 1] >= '0' && line[at - 1] <= '9')
		at--;
	if (at == len || len - at > 19 || at < 2 || line[at - 1] != ' ' || memchr(line, '\0', len))
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

/* the line at p without its end, and *ret_next after it; false: the line has no end */
static bool take_line(const char *p, const char *end, size_t *ret_len, const char **ret_next)
{
	const char *newline = memchr(p, '\n', end - p), *stop = newline ? newline : end;

	*ret_len = stop - p;
	if (*ret_len && p[*ret_len - 1] == '\r')
		--*ret_len;
	*ret_next = newline ? newline + 1 : end;
	return newline;
}

enum import_probe folded_probe(const u8 *bytes, size_t len, bool all)
{
	const char *p = (const char *)bytes, *end = p + len, *next;
	size_t length, stack;
	u64 value;

	for (; p < end; p = next) {
		bool whole = take_line(p, end, &length, &next);

		if (memchr(p, '\0', length))
			return IMPORT_NO;
		if (!whole && !all)
			return IMPORT_MORE;
		if (!is_remark(p, length))
			return parse_line(p, length, &stack, &value) ? IMPORT_YES : IMPORT_NO;
	}
	return all ? IMPORT_NO : IMPORT_MORE;
}

/* stacks whose look-ups wait for memory together */
#define BATCH 32u
struct folded_batch {
	struct stacks_seen_key path[BATCH];
	u64 period[BATCH];
	u32 nr;
};

struct folded_level {
	size_t end;
	u32 node;
};

struct folded_reader {
	struct stacks *out;
	u32 comm, event;	/* comm: the key of labels */
	u32 module, kernel;
	u64 total;
	const char *start;
	struct diag *diag;
	/* the stack before: its text, and where each of its frames ends; the first one is the command */
	const char *before;
	size_t before_len;
	struct { VEC(struct folded_level); } level;
	u32 before_comm;
	u32 labels_comm, labels;	/* the set of labels of a command; STACKS_NONE: none yet */
};

/* scripts that fold mark functions of the kernel with _[k] */
static bool is_kernel(const char *name, size_t len)
{
	return len > 4 && !memcmp(name + len - 4, "_[k]", 4);
}

static u32 frame_of(const struct folded_reader *r, const char *name, size_t len)
{
	struct stacks_frame f = { .function = stacks_add_bytes(r->out, name, len),
				  .module = is_kernel(name, len) ? r->kernel : r->module };

	return stacks_add_frame(r->out, &f);
}

static size_t nr_equal_bytes(const char *a, const char *b, size_t len)
{
	size_t at = 0;
	u64 va, vb;

	for (; at + sizeof(va) <= len; at += sizeof(va)) {
		memcpy(&va, a + at, sizeof(va));
		memcpy(&vb, b + at, sizeof(vb));
		if (va != vb)
			break;
	}
	while (at < len && a[at] == b[at])
		at++;
	return at;
}

/* files are sorted, as a rule: drops frames of the stack before that this one does not have */
static void keep_common(struct folded_reader *r, const char *path, size_t len)
{
	size_t same = nr_equal_bytes(path, r->before, MIN(len, r->before_len));

	if (same == len && len == r->before_len)
		return;
	while (r->level.nr && r->level.v[r->level.nr - 1].end >= same)
		r->level.nr--;
}

/* looks up the frames that the stack before does not have */
static struct stacks_known walk(struct folded_reader *r, const char *path, size_t len)
{
	const char *end = path + len, *p = path, *stop;
	struct folded_level top = { 0 };

	keep_common(r, path, len);
	if (r->level.nr) {
		top = r->level.v[r->level.nr - 1];
		p += top.end + 1;
	}
	for (; p < end && r->level.nr <= IMPORT_MAX_DEPTH; p = stop + 1) {
		stop = memchr(p, ';', end - p);
		stop = stop ? stop : end;
		if (stop == p)
			continue;
		if (!r->level.nr)
			r->before_comm = stacks_add_bytes(r->out, p, stop - p);
		else
			top.node = stacks_add_child(r->out, top.node, frame_of(r, p, stop - p));
		top.end = stop - path;
		vec_push(&r->level, top);
	}
	r->before = path;
	r->before_len = len;
	return (struct stacks_known){ top.node, r->level.nr ? r->before_comm : 0 };
}

static u32 labels_of(struct folded_reader *r, u32 comm)
{
	if (r->labels_comm != comm)
		r->labels = stacks_add_labels(r->out, &(struct stacks_label){ r->comm, comm }, 1);
	r->labels_comm = comm;
	return r->labels;
}

static void add_stack(struct folded_reader *r, const struct stacks_seen_key *path, u64 period)
{
	const struct stacks_known *seen = stacks_find_seen(r->out, path);
	struct stacks_known k;

	k = seen ? *seen : walk(r, path->text, path->len);
	if (!seen)
		stacks_add_seen(r->out, path, k);
	stacks_add(r->out, &(struct stack){ .node = k.node, .labels = labels_of(r, k.comm),
					    .event = r->event, .nr = 1, .period = period });
}

/* reads on until there is a batch of stacks, or the end: returns where */
static const char *read_batch(struct folded_reader *r, const char *p, const char *end, struct folded_batch *b)
{
	const char *next;

	for (b->nr = 0; p < end && b->nr < BATCH; p = next) {
		size_t length, stack;
		u64 value, total;

		take_line(p, end, &length, &next);
		if (is_remark(p, length))
			continue;
		if (!parse_line(p, length, &stack, &value) ||
		    __builtin_add_overflow(r->total, value, &total)) {
			diag_count(r->diag, DIAG_BAD_STACK_LINE, p - r->start);
		} else if (value) {
			b->path[b->nr] = (struct stacks_seen_key){ p, stack, hash_bytes(p, stack) };
			b->period[b->nr++] = value;
			r->total = total;
		}
	}
	return p;
}

int folded_read(const u8 *bytes, u64 size, struct stacks *out, struct diag *diag, struct err *err)
{
	const char *start = (const char *)bytes, *end = start + size, *p = start;
	const struct stacks_module kernel = { .name = stacks_add_text(out, "[kernel.kallsyms]"),
					      .path = stacks_add_text(out, "[kernel.kallsyms]"),
					      .kernel = true };
	struct folded_reader r = { .out = out, .comm = stacks_add_text(out, "comm"), .module = STACKS_NONE,
				   .labels_comm = STACKS_NONE, .start = start, .diag = diag };
	int ret = stacks_add_event(out, &(struct stacks_event){ .name = "samples", .unit = "count" },
				   &r.event, err);
	struct folded_batch b;

	if (ret)
		return ret;
	r.kernel = stacks_add_module(out, &kernel);
	while (p < end) {
		p = read_batch(&r, p, end, &b);
		stacks_fetch_seen(out, b.path, b.nr);
		for (u32 i = 0; i < b.nr; i++)
			add_stack(&r, &b.path[i], b.period[i]);
	}
	vec_release(&r.level);
	return 0;
}
