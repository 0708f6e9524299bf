/*
 * mem-phys-addr: the kinds of memory that samples access, by their physical addresses. The map of physical
 * memory is /proc/iomem of the recording machine, which no perf.data file contains.
 */
#include "analysis.h"
#include "tally.h"
#include "../base/fs.h"
#include "../data/data.h"

#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { IOMEM };
static const char *const words[] = { "iomem=", NULL };

#define MAX_DEPTH 8
#define NO_AREA	0u	/* ids of areas begin with 1 */
#define NO_ADDRESS	UINT32_MAX

/* areas are in the order of the file: each after the one that contains it */
struct area {
	u64 start, end;		/* the last address */
	u32 depth, parent;	/* parent: its id, or NO_AREA */
	const char *name;
};

struct phys_addrs {
	struct analysis_run run;
	struct { VEC(struct area); } area;
	const char *why;		/* no areas are known; NULL: they are */
	struct tally_table sample;	/* by event and area; n: samples, also those of areas inside it */
	struct { VEC(u64); } nr;	/* samples with or without an address by event */
};

/* "  01000000-02276f47 : Kernel code"; depth is two blanks a level */
static bool parse_area(struct phys_addrs *p, char *line, struct area *ret)
{
	size_t depth = strspn(line, " ") / 2;
	char *end, *name = strstr(line, " : ");

	if (!name || !isxdigit((u8)line[strspn(line, " ")]))
		return false;
	ret->start = strtoull(line, &end, 16);
	if (*end != '-' || !isxdigit((u8)end[1]))
		return false;
	ret->end = strtoull(end + 1, &end, 16);
	if (end != name || ret->end < ret->start || !ret->end)
		return false;
	ret->depth = MIN(depth, (size_t)MAX_DEPTH - 1);
	ret->name = analysis_safe_name(&p->run, name + 3);
	return true;
}

static void parse_areas(struct phys_addrs *p, char *text)
{
	u32 last[MAX_DEPTH] = { NO_AREA };	/* by depth */
	char *line, *rest = text;

	while ((line = strsep(&rest, "\n"))) {
		struct area area = { 0 };

		if (!parse_area(p, line, &area))
			continue;
		area.parent = area.depth ? last[area.depth - 1] : NO_AREA;
		if (area.depth && area.parent == NO_AREA)
			continue;
		vec_push(&p->area, area);
		last[area.depth] = p->area.nr;
		for (u32 deeper = area.depth + 1; deeper < MAX_DEPTH; deeper++)
			last[deeper] = NO_AREA;
	}
}

static int read_file(const char *path, struct strbuf *out, struct err *err)
{
	struct stat st;
	int fd = open_regular(path, &st, err), ret;

	if (fd < 0)
		return fd;
	ret = fd_read_all(fd, out);
	close(fd);
	return ret ? err_sys(err, -ret, "%s cannot be read", path) : 0;
}

static int read_areas(struct phys_addrs *p, struct err *err)
{
	const char *path = p->run.args->word[IOMEM];
	struct strbuf text = STRBUF_INIT;
	int ret = 0;

	if (path)
		ret = read_file(path, &text, err);
	else if (!p->run.session->is_local)
		p->why = "the file is from another machine: give a copy of its /proc/iomem with iomem=FILE";
	else if (fs_read("/proc/iomem", &text))
		p->why = "/proc/iomem cannot be read";
	if (!ret)
		parse_areas(p, arena_strdup(&p->run.arena, strbuf_str(&text)));
	if (!ret && path && !p->area.nr)
		ret = err_set(err, -EINVAL, "%s is not a copy of /proc/iomem made by root", path);
	if (!p->why && !p->area.nr)
		p->why = "only root sees the addresses of /proc/iomem";
	strbuf_release(&text);
	return ret;
}

static bool has_address(const struct event *ev)
{
	return ev->attr.sample_type & PERF_SAMPLE_PHYS_ADDR;
}

static int begin(void *ctx, struct err *err)
{
	struct phys_addrs *p = ctx;
	const struct evset *set = p->run.session->data->evset;

	for (u32 i = 0; i < set->ev.nr; i++)
		if (has_address(evset_at(set, i)))
			return read_areas(p, err);
	err_set(err, -EINVAL, "no event of the file has physical addresses");
	err_hint(err, "'perf script record mem-phys-addr -e EVENT' records them, and so does 'perf mem "
		 "record -p'");
	return -EINVAL;
}

/* the innermost area */
static u32 find_area(const struct phys_addrs *p, u64 addr)
{
	u32 found = NO_AREA;

	for (u32 i = 0; i < p->area.nr; i++)
		if (p->area.v[i].start <= addr && addr <= p->area.v[i].end &&
		    (found == NO_AREA || p->area.v[i].depth > p->area.v[found - 1].depth))
			found = i + 1;
	return found;
}

static void count(void *ctx, const struct tracing_sample *ts)
{
	const struct event *ev = ts->sample->event;
	struct phys_addrs *p = ctx;
	u32 area;

	if (!ev || !has_address(ev))
		return;
	while (p->nr.nr <= ev->idx)
		vec_push(&p->nr, 0);
	p->nr.v[ev->idx]++;
	/* the kernel writes 0 if it does not find the page of the address */
	area = ts->sample->phys_addr ? find_area(p, ts->sample->phys_addr) : NO_ADDRESS;
	do {
		tally_at(&p->sample, ev->idx, area, 0, 0)->n[0]++;
		area = area == NO_ADDRESS || area == NO_AREA ? NO_AREA : p->area.v[area - 1].parent;
	} while (area != NO_AREA);
}

static double row_share(const void *row)
{
	const struct tally_row *r = row;

	return 100.0 * r->n[0] / r->n[1];
}

static const struct view_field columns[] = {
	{ VIEW_NAME("event", "Event", VIEW_TEXT, 0), .forms = VIEW_FORM_SEPARATED | VIEW_FORM_VALUES,
	  .text = tally_comm },
	{ VIEW_NAME("memory", "Memory type", VIEW_TEXT, 40), .text = tally_name },
	{ VIEW_COUNT("samples", "count", VIEW_NUMBER, 10), .number = tally_n0 },
	{ VIEW_COUNT("share", "percentage", VIEW_SHARE, 10), .decimals = 1, .real = row_share },
};

static const char *area_name(struct phys_addrs *p, u32 id)
{
	const struct area *a = &p->area.v[id - 1];
	u32 indent = p->run.form == VIEW_FORM_TEXT ? 2 * a->depth : 0;

	return analysis_text(&p->run, "%*s%lx-%lx : %s", indent, "", a->start, a->end, a->name);
}

/* ranks: areas stand below the one that contains them; outermost ones with most samples first */
static void fill_row(struct phys_addrs *p, struct tally_row *row, const u64 *nr_outer)
{
	u32 id = row->key[1], outer = id;
	const struct event *ev = evset_at(p->run.session->data->evset, row->key[0]);

	row->comm = analysis_safe_name(&p->run, ev->name);
	row->group = analysis_text(&p->run, "Event: %s", row->comm);
	row->n[1] = p->nr.v[row->key[0]];
	row->rank[0] = ~row->key[0];
	if (id == NO_AREA || id == NO_ADDRESS) {
		row->name = id == NO_ADDRESS ? "(no physical address)" :
			    p->why ? "(memory types are not known)" : "(in no area of memory)";
		row->rank[3] = id == NO_AREA;
		return;
	}
	while (p->area.v[outer - 1].parent != NO_AREA)
		outer = p->area.v[outer - 1].parent;
	row->name = area_name(p, id);
	row->rank[1] = nr_outer[outer];
	row->rank[2] = ~(u64)outer;
	row->rank[3] = ~(u64)id;
}

/* by id of the outermost areas: samples of all events in it */
static u64 *count_outer(struct phys_addrs *p)
{
	u64 *nr = arena_zalloc(&p->run.arena, (p->area.nr + 1) * sizeof(*nr));

	vec_foreach(&p->sample, row)
		if (row->key[1] <= p->area.nr)
			nr[row->key[1]] += row->n[0];
	return nr;
}

static void view(void *ctx, struct view *v)
{
	struct phys_addrs *p = ctx;
	const u64 *nr_outer = count_outer(p);
	struct view_summary *b;

	vec_foreach(&p->sample, row)
		fill_row(p, row, nr_outer);
	tally_sort(&p->sample);
	analysis_add_tally(&p->run, v, "memory", NULL, columns, ARRAY_SIZE(columns), &p->sample);
	if (!p->why)
		return;
	b = view_add_summary(v, "unknown", NULL);
	view_add_number(b, "memory-types", "memory types are not known: ", 0)->value =
		(struct view_value){ .type = VIEW_TEXT, .text = p->why };
}

static void release(void *ctx)
{
	struct phys_addrs *p = ctx;

	vec_release(&p->area);
	vec_release(&p->nr);
	tally_release(&p->sample);
}

static const char *const record[] = { "-d", "--phys-data", NULL };
const struct analysis_ops analysis_mem_phys_addr = {
	.size = sizeof(struct phys_addrs), .word = words, .begin = begin, .other = count, .record = record,
	.view = view, .release = release,
};
