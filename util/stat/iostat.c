/* Iostat: root ports of sysfs, events of their stacks, lines of both. */
#include "iostat.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../base/fs.h"
#include "../pmu/parse-events.h"

#define DEVICES "/sys/bus/event_source/devices"
#define STACK "uncore_iio_"
#define BYTES_PER_COUNT 4
#define DIES_MAX 1024u

/* all ports of a stack's devices (channels), whatever the class of the request */
static const struct iostat_event {
	const char *title;
	u32 event, umask;
} events[] = {
	{ "Inbound Read(MB)", 0x83, 4 },	/* devices read memory */
	{ "Inbound Write(MB)", 0x83, 1 },
	{ "Outbound Read(MB)", 0xc0, 4 },	/* CPUs read devices */
	{ "Outbound Write(MB)", 0xc0, 1 },
};

static const struct view_axis axis = { .key = "port", .titled = true };

/* "0000:17", "0:17"; the text after the last digit; NULL if it is not a port */
static const char *parse_port(const char *s, u32 *ret_domain, u32 *ret_bus)
{
	char *end;
	unsigned long domain = strtoul(s, &end, 16), bus;

	if (end == s || *end != ':' || *s == '-' || *s == '+')
		return NULL;
	s = end + 1;
	bus = strtoul(s, &end, 16);
	if (end == s || *s == '-' || *s == '+' || domain > 0xffffffff || bus > 0xff)
		return NULL;
	*ret_domain = domain;
	*ret_bus = bus;
	return end;
}

static int compare_ports(const void *a, const void *b)
{
	const struct iostat_port *p = a, *q = b;

	if (p->stack != q->stack)
		return p->stack < q->stack ? -1 : 1;
	return p->die < q->die ? -1 : p->die > q->die;
}

/* the files dieM of one stack */
static void scan_stack(struct iostat *io, const char *pmu, u32 stack)
{
	struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	struct dirent *de;
	DIR *dir = opendir(fs_path(&path, DEVICES "/%s", pmu));

	while (dir && (de = readdir(dir))) {
		struct iostat_port p = { .stack = stack };
		const char *end;
		int len = 0;

		if (sscanf(de->d_name, "die%u%n", &p.die, &len) != 1 || de->d_name[len] || p.die >= DIES_MAX)
			continue;
		strbuf_reset(&path);
		strbuf_addf(&path, DEVICES "/%s/%s", pmu, de->d_name);
		if (fs_read_line(path.buf, &text))
			continue;
		end = parse_port(strbuf_str(&text), &p.domain, &p.bus);
		if (!end || *end)
			continue;
		snprintf(p.name, sizeof(p.name), "%04x:%02x", p.domain, p.bus);
		vec_push(&io->port, p);
	}
	if (dir)
		closedir(dir);
	strbuf_release(&path);
	strbuf_release(&text);
}

static void scan(struct iostat *io)
{
	struct strbuf path = STRBUF_INIT;
	struct dirent *de;
	DIR *dir = opendir(fs_path(&path, DEVICES));

	while (dir && (de = readdir(dir))) {
		u32 stack;
		int len = 0;

		if (sscanf(de->d_name, STACK "%u%n", &stack, &len) == 1 && !de->d_name[len])
			scan_stack(io, de->d_name, stack);
	}
	if (dir)
		closedir(dir);
	strbuf_release(&path);
	if (io->port.nr)
		qsort(io->port.v, io->port.nr, sizeof(*io->port.v), compare_ports);
}

static int unknown_port(const char *list, const char *name, struct err *err)
{
	int len = strcspn(name, ",");

	if (!len)
		err_set(err, -EINVAL, "--iostat: a name is missing in '%s': "
			"root ports are separated by single commas (--iostat=list names them)", list);
	else
		err_set(err, -EINVAL,
			"--iostat: '%.*s' is not a root port of this machine (--iostat=list names them)", len,
			name);
	return -EINVAL;
}

/* keeps those that the list names */
static int choose(struct iostat *io, const char *list, struct err *err)
{
	bool *wanted = xcalloc(io->port.nr, sizeof(*wanted));
	u32 nr = 0;

	for (const char *s = list, *end; s; s = *end ? end + 1 : NULL) {
		u32 domain, bus, i = 0;

		end = parse_port(s, &domain, &bus);
		while (end && i < io->port.nr && (io->port.v[i].domain != domain || io->port.v[i].bus != bus))
			i++;
		if (!end || (*end && *end != ',') || i == io->port.nr) {
			free(wanted);
			return unknown_port(list, s, err);
		}
		wanted[i] = true;
	}
	for (u32 i = 0; i < io->port.nr; i++)
		if (wanted[i])
			io->port.v[nr++] = io->port.v[i];
	io->port.nr = nr;
	free(wanted);
	return 0;
}

int iostat_init(struct iostat *io, const char *list, struct err *err)
{
	int ret = 0;

	*io = (struct iostat){ .places.axis = &axis };
	scan(io);
	if (!io->port.nr)
		return err_set(err, -ENODEV, "--iostat: no root ports are known here: this needs an Intel "
			       "server whose kernel names them (" DEVICES "/" STACK "0/die0)");
	if (list)
		ret = choose(io, list, err);
	for (u32 i = 0; !ret && i < io->port.nr; i++)
		vec_push(&io->places, (struct view_place){ .name = io->port.v[i].name });
	if (ret)
		iostat_release(io);
	return ret;
}

void iostat_release(struct iostat *io)
{
	vec_release(&io->port);
	view_places_release(&io->places);
}

void iostat_list(const struct iostat *io, struct strbuf *out)
{
	vec_foreach(&io->port, p)
		strbuf_addf(out, "S%u-" STACK "%u<%s>\n", p->die, p->stack, p->name);
}

int iostat_events(struct iostat *io, struct evset *set, struct err *err)
{
	const struct parse_events_opts opts = { .option = "--iostat", .counting = true };
	struct strbuf list = STRBUF_INIT;
	int ret = 0;

	for (u32 i = 0; !ret && i < io->port.nr; i++) {
		struct iostat_port *p = &io->port.v[i];

		if (i && p[-1].stack == p->stack) {
			p->event = p[-1].event;
			continue;
		}
		p->event = set->ev.nr;
		strbuf_reset(&list);
		for (size_t e = 0; e < ARRAY_SIZE(events); e++)
			strbuf_addf(&list, "%s" STACK "%u/event=%#x,umask=%#x,ch_mask=0xf,fc_mask=0x7/",
				    e ? "," : "", p->stack, events[e].event, events[e].umask);
		ret = parse_events(set, list.buf, &opts, err);
		if (!ret && set->ev.nr != p->event + ARRAY_SIZE(events))
			ret = err_set(err, -EINVAL, "--iostat: " STACK "%u counts these events several times",
				      p->stack);
	}
	strbuf_release(&list);
	return ret;
}

/* the aggregate of a die: they stand in the order of dies */
static const struct tally *tally_of_die(const struct stat_lines_in *in, u32 event, u32 die)
{
	return die < in->tallies->nr_ids ? tally_at(in->tallies, event, die) : NULL;
}

void iostat_lines(const struct iostat *io, struct view_block *b, const struct stat_lines_in *in)
{
	for (u32 i = 0; i < io->port.nr; i++) {
		const struct iostat_port *p = &io->port.v[i];
		struct view_line *l = vec_add(&b->line);

		*l = (struct view_line){ .place = i, .idx = p->event, .unit = "", .deviation = -1,
					 .derived = b->derived.nr, .nr_derived = ARRAY_SIZE(events),
					 .running_percent = 100 };
		for (u32 e = 0; e < ARRAY_SIZE(events); e++) {
			const struct tally *t = tally_of_die(in, p->event + e, p->die);
			bool counted = t && t->state == COUNT_READ && t->ena && t->run;
			struct view_value value = { .type = VIEW_ABSENT };

			if (counted)
				value = (struct view_value){
					.type = VIEW_REAL, .real = t->scaled * BYTES_PER_COUNT / (1 << 20)
				};
			vec_push(&b->derived,
				 (struct view_derived){ .name = events[e].title, .value = value, .width = 8,
							.unit = "", .by_name = true });
		}
	}
	b->places = &io->places;
}
