/* Set: see set.h. */
#include "set.h"
#include "../base/log.h"
#include "../base/plugin.h"
#include "../base/strbuf.h"
#include "../kernel/tracefs.h"
#include "bpf-explain.h"
#include "bpf-plugin.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* of the verifier's log that -v shows: registers where it stopped, and why */
#define LOG_LINES 24u

int bpf_set_open(struct bpf_set *s, const char *name, const u8 *object, size_t size, struct err *err)
{
	*s = (struct bpf_set){ .name = name };
	if (kernel_is_confidential()) {		/* programs would load, and read zeros */
		err_set(err, -EPERM, "the kernel is locked down (confidentiality): BPF programs cannot read "
			"its memory");
		err_hint(err, "boot without lockdown=confidentiality");
		return -EPERM;
	}
	s->ops = plugin_load("libbpf", sizeof(*s->ops), err);
	if (!s->ops) {
		err_prefix(err, "BPF programs cannot be loaded: ");
		return -ELIBACC;
	}
	s->object = s->ops->open(object, size, name);
	return s->object ? 0 : err_sys(err, errno, "libbpf cannot read the BPF programs of %s", name);
}

/* a name or a size that this build and its object do not agree on */
static void note_fault(struct bpf_set *s, const char *what, int ret)
{
	if (ret && !*s->fault)
		snprintf(s->fault, sizeof(s->fault), "%s", what);
}

void bpf_set_constants(struct bpf_set *s, const void *settings, size_t size)
{
	note_fault(s, "constants", s->ops->constants(s->object, settings, size));
}

void bpf_set_kernel_function(struct bpf_set *s, u32 function, u32 id)
{
	note_fault(s, "functions", s->ops->kernel_function(s->object, function, id));
}

void bpf_set_resize(struct bpf_set *s, const char *map, u32 key_size, u32 value_size, u32 nr)
{
	note_fault(s, map, s->ops->resize(s->object, map, key_size, value_size, nr));
}

void bpf_set_use_map(struct bpf_set *s, const char *name, const struct bpf_map *map)
{
	note_fault(s, name, s->ops->use_map(s->object, name, map ? map->fd : -1));
}

/* the last line of the verifier's log that says something: before its statistics */
static void last_words(const char *log, struct strbuf *out)
{
	const char *end = strstr(log, "\nprocessed "), *line;

	if (!end)
		return;
	for (line = end; line > log && line[-1] != '\n'; line--)
		;
	strbuf_add(out, line, end - line);
}

/* where the last lines of this number begin */
static const char *last_lines(const char *log, u32 nr)
{
	const char *at = log + strlen(log);

	while (at > log && (at[-1] != '\n' || !*at || --nr))
		at--;
	return at;
}

static void log_lines(const char *log)
{
	if (log_level < 3)
		log = last_lines(log, LOG_LINES);
	while (*log) {
		int len = strcspn(log, "\n");

		log_v("%.*s", len, log);
		log += len + (log[len] == '\n');
	}
}

static int load(struct bpf_set *s, struct err *err)
{
	struct strbuf words = STRBUF_INIT;
	char *log = NULL;
	int ret = s->ops->load(s->object, log_level >= 3, &log);

	if (log)
		log_lines(log);
	if (ret) {
		bpf_explain(err, -ret, "a BPF program");
		if (log && (ret == -EINVAL || ret == -EACCES))
			last_words(log, &words);
		if (words.len)
			err_set(err, ret, "the kernel refuses the BPF programs of %s: %s", s->name,
				strbuf_str(&words));
	}
	strbuf_release(&words);
	free(log);
	return ret;
}

int bpf_set_load(struct bpf_set *s, const struct bpf_set_program *rows, u32 nr, struct err *err)
{
	int ret;

	s->programs = xcalloc(nr, sizeof(*s->programs));
	for (s->nr = 0; s->nr < nr; s->nr++) {
		s->programs[s->nr] = (struct bpf_set_loaded){ rows[s->nr], BPF_PROG_INIT };
		if (rows[s->nr].left_out)
			note_fault(s, rows[s->nr].name, s->ops->leave_out(s->object, rows[s->nr].name));
	}
	ret = *s->fault ? 0 : load(s, err);
	for (u32 i = 0; i < nr && !ret && !*s->fault; i++) {
		int fd = rows[i].left_out ? -1 : s->ops->program(s->object, rows[i].name);

		note_fault(s, rows[i].name, fd < 0 && !rows[i].left_out);
		s->programs[i].prog.fd = fd;
	}
	return *s->fault ? err_set(err, -EINVAL, "the BPF programs of %s do not fit this perf (%s): build it "
				   "anew", s->name, s->fault) : ret;
}

void bpf_set_get_map(const struct bpf_set *s, const char *name, struct bpf_map *ret)
{
	struct bpf_plugin_map m;

	if (s->ops->map(s->object, name, &m))
		*ret = (struct bpf_map){ .fd = -1, .nr_cpus = 1 };	/* whoever asks it is told -EBADF */
	else
		bpf_map_borrow(ret, m.fd, m.type, m.key_size, m.value_size, m.nr);
}

struct bpf_prog *bpf_set_program(struct bpf_set *s, const char *name)
{
	for (u32 i = 0; i < s->nr; i++)
		if (!strcmp(s->programs[i].row.name, name))
			return &s->programs[i].prog;
	return NULL;
}

static int attach(struct bpf_set_loaded *p, struct err *err)
{
	const char *colon = strchr(p->row.where ? p->row.where : "", ':');
	char system[64];

	switch (p->row.hook) {
	case BPF_AT_RAW_TRACEPOINT:
		return bpf_prog_attach_raw(&p->prog, p->row.where, err);
	case BPF_AT_TYPED_TRACEPOINT:
		return bpf_prog_attach_typed(&p->prog, p->row.where, err);
	case BPF_AT_TRACEPOINT:
		snprintf(system, sizeof(system), "%.*s", (int)(colon - p->row.where), p->row.where);
		return bpf_prog_attach_tracepoint(&p->prog, system, colon + 1, err);
	case BPF_BY_CALLER:
		break;
	}
	return 0;
}

int bpf_set_attach(struct bpf_set *s, struct err *err)
{
	int ret = 0;

	for (u32 i = 0; i < s->nr && !ret; i++)
		if (s->programs[i].prog.fd >= 0)
			ret = attach(&s->programs[i], err);
	if (ret)
		bpf_set_detach(s);
	return ret;
}

void bpf_set_detach(struct bpf_set *s)
{
	for (u32 i = s->nr; i-- > 0; )
		if (s->programs[i].row.detach_later)
			bpf_prog_detach_later(&s->programs[i].prog);
		else
			bpf_prog_detach(&s->programs[i].prog);
}

void bpf_set_close(struct bpf_set *s)
{
	bpf_set_detach(s);
	if (s->object)
		s->ops->close(s->object);
	free(s->programs);
	*s = (struct bpf_set){ 0 };
}
