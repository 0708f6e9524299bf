/*
 * Redact: see redact.h. Records that may contain names at other places than these are left out; what cannot
 * be redacted (raw data, stacks, hardware traces) is refused.
 */
#include "redact.h"
#include "../base/list-word.h"
#include "../base/log.h"
#include "../base/strtab.h"
#include "../data/features-write.h"
#include "../event/record-places.h"

#include <errno.h>
#include <string.h>

struct redact_state {
	struct strtab dir, file, comm, cgroup;
	struct strtab path;			/* results: equal ones are one string */
	struct strbuf text;
	u64 left_out;
};

static const char *const words[] = {
#define REDACT(WORD, word, what) word,
#include "redact.def"
#undef REDACT
};

int redact_parse(const char *list, u32 *ret, struct err *err)
{
	for (const char *p = list; *p; p += *p == ',') {
		size_t len = list_word_len(p), i = 0;

		while (i < ARRAY_SIZE(words) && (strlen(words[i]) != len || strncmp(words[i], p, len)))
			i++;
		if (i == ARRAY_SIZE(words))
			return err_set(err, -EINVAL, "'%.*s' is not one of dirs, files, comms, args",
				       (int)MIN(len, (size_t)100), p);
		*ret |= 1u << i;
		p += len;
	}
	return 0;
}

static struct redact_state *get_state(struct inject *in)
{
	if (!in->redact)
		in->redact = xcalloc(1, sizeof(*in->redact));
	return in->redact;
}

static bool wanted(const struct inject *in, u32 word)
{
	return in->opts->redact & word;
}

static bool begins(const char *s, size_t len, const char *prefix)
{
	return len >= strlen(prefix) && !strncmp(s, prefix, strlen(prefix));
}

/* memory without a file, and what has brackets; the machine knows them by name */
static bool is_no_file(const char *path)
{
	static const char *const prefixes[] = { "[", "//", "/dev/zero", "/anon_hugepage", "/SYSV" };

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (begins(path, strlen(path), prefixes[i]))
			return true;
	return !*path;
}

/* with the slash at its end */
static bool is_kernel_dir(const char *dir, size_t len)
{
	return begins(dir, len, "/lib/modules/") || begins(dir, len, "/usr/lib/modules/") ||
	       begins(dir, len, "/usr/lib/debug/") || begins(dir, len, "/boot/");
}

const char *redact_path(struct inject *in, const char *path, bool kernel)
{
	struct redact_state *st;
	struct strbuf *out;
	const char *slash, *base;
	size_t len;

	if (!path || !wanted(in, REDACT_DIRS | REDACT_FILES) || is_no_file(path))
		return path;
	st = get_state(in);
	out = &st->text;
	slash = strrchr(path, '/');
	base = slash ? slash + 1 : path;
	len = base - path;
	strbuf_reset(out);
	if (len > 1 && wanted(in, REDACT_DIRS) && !(kernel && is_kernel_dir(path, len)))
		strbuf_addf(out, "%sdir%u/", *path == '/' ? "/" : "", strtab_addn(&st->dir, path, len));
	else
		strbuf_add(out, path, len);
	if (wanted(in, REDACT_FILES) && !kernel)
		strbuf_addf(out, "file%u", strtab_add(&st->file, base));
	else
		strbuf_addstr(out, base);
	return strtab_get(&st->path, strtab_add(&st->path, strbuf_str(out)));
}

static const char *numbered(struct redact_state *st, struct strtab *names, const char *fmt_name,
			    const char *name)
{
	strbuf_reset(&st->text);
	strbuf_addf(&st->text, "%s%u", fmt_name, strtab_add(names, name));
	return strtab_get(&st->path, strtab_add(&st->path, strbuf_str(&st->text)));
}

/* samples with bytes in which anything may stand */
static int check_events(const struct inject *in, struct err *err)
{
	const struct session *s = in->session;

	vec_foreach(&in->set->ev, ev) {
		u64 type = (*ev)->attr.sample_type;

		if (type & ABI_SAMPLE_RAW)
			return err_set(err, -ENOTSUP,
				       "--redact: samples of %s have raw data, which may contain names",
				       (*ev)->name);
		if (type & ABI_SAMPLE_STACK_USER)
			return err_set(err, -ENOTSUP,
				       "--redact: samples of %s have stacks and no call chains", (*ev)->name);
	}
	if (s->nr_records[REC_AUXTRACE] || s->nr_records[REC_AUXTRACE_INFO])
		return err_set(err, -ENOTSUP, "--redact: the file has a hardware trace");
	return 0;
}

static void redact_header(struct inject *in)
{
	static const unsigned int dropped[] = { FEAT_TRACING_DATA, FEAT_BPF_PROG_INFO, FEAT_BPF_BTF,
						FEAT_AUXTRACE };
	static const char *no_args[] = { "perf" };

	for (size_t i = 0; i < ARRAY_SIZE(dropped); i++)
		feature_clear(&in->feat, dropped[i]);
	vec_foreach(&in->feat.buildids, e)
		e->filename = redact_path(in, e->filename,
					  (e->misc & MISC_CPUMODE_MASK) != CPUMODE_USER);
	if (!wanted(in, REDACT_ARGS))
		return;
	if (in->feat.hostname)
		in->feat.hostname = "host";
	if (in->feat.nr_cmdline) {
		in->feat.nr_cmdline = 1;
		in->feat.cmdline = no_args;
	}
}

int redact_start(struct inject *in, struct err *err)
{
	int ret = check_events(in, err);

	get_state(in);
	if (!ret)
		redact_header(in);
	return ret;
}

/* a record with another name at that offset; trailer: bytes that follow the name */
static int write_named(struct inject *in, const struct rec *rec, u32 off, u32 trailer, const char *name)
{
	struct strbuf *out = &in->buf;
	size_t start = out->len, len = strlen(name);
	struct rec_header h;

	strbuf_add(out, rec->p, off);
	strbuf_add(out, name, len);
	strbuf_pad(out, '\0', ALIGN_UP(off + len + 1, (size_t)8) - off - len);
	strbuf_add(out, rec->p + rec->size - trailer, trailer);
	memcpy(&h, out->buf + start, sizeof(h));
	h.size = out->len - start;
	memcpy(out->buf + start, &h, sizeof(h));
	return inject_flush(in);
}

/* what is written in place of a name; NULL: the name stays */
static const char *new_name(struct inject *in, enum record_content what, u16 misc, const char *name)
{
	struct redact_state *st = in->redact;

	switch (what) {
	case HOLDS_FILE_PATH:
		return redact_path(in, name, (misc & MISC_CPUMODE_MASK) != CPUMODE_USER);
	case HOLDS_TASK_NAME:
		return wanted(in, REDACT_COMMS) ? numbered(st, &st->comm, "comm", name) : NULL;
	case HOLDS_GROUP_PATH:
		return wanted(in, REDACT_DIRS) ? numbered(st, &st->cgroup, "/cgroup", name) : NULL;
	default:
		return NULL;
	}
}

static int left_out(struct inject *in)
{
	in->redact->left_out++;
	return 0;
}

static int write_build_id(struct inject *in, const struct record_view *v)
{
	struct buildid_entry e;

	buildid_entry_of(&e, &in->arena, v);
	e.filename = redact_path(in, e.filename, (e.misc & MISC_CPUMODE_MASK) != CPUMODE_USER);
	buildid_encode(&in->buf, &e);
	return inject_flush(in);
}

/* rows of a thread's number and its name, which is as long whatever it is */
static int write_tasks(struct inject *in, const struct rec *rec, const struct record_place *p)
{
	size_t at = in->buf.len + p->off;

	strbuf_add(&in->buf, rec->p, rec->size);
	for (char *row = in->buf.buf + at, *end = row + p->len; row < end; row += TASKS_ROW_SIZE) {
		char name[TASKS_NAME_LEN + 1] = "";
		const char *other;

		memcpy(name, row + TASKS_NAME_OFF, TASKS_NAME_LEN);
		other = *name ? new_name(in, HOLDS_TASK_NAME, 0, name) : NULL;
		if (!other)
			continue;
		memset(row + TASKS_NAME_OFF, 0, TASKS_NAME_LEN);
		memcpy(row + TASKS_NAME_OFF, other, MIN(strlen(other), TASKS_NAME_LEN - 1));
	}
	return inject_flush(in);
}

static int write_place(struct inject *in, const struct rec *rec, const struct record_place *p)
{
	const char *name = new_name(in, p->what, rec->misc, (const char *)rec->p + p->off);
	u32 trailer = inject_trailer_size(in);

	if (!name)
		return 1;
	if (p->off + p->len + trailer > rec->size)
		return left_out(in);
	return write_named(in, rec, p->off, trailer, name);
}

int redact_record(struct inject *in, const struct rec *rec, u64 time UNUSED)
{
	struct record_place place[RECORD_PLACES_MAX];
	struct record_view v;
	int ret = 1;
	u32 nr;

	if (rec->type == REC_SAMPLE)
		return 1;
	if (record_decode(rec, &v))
		return left_out(in);
	if (v.type == REC_BUILD_ID)
		return write_build_id(in, &v);
	/* later ones hold names of control groups */
	if (v.type == REC_EVENT_UPDATE)
		return v.event_update.what > ABI_UPDATE_CPUS ? left_out(in) : 1;
	nr = record_places(&v, place);
	for (u32 i = 0; i < nr && ret == 1; i++)
		if (place[i].what == HOLDS_ANYTHING)
			ret = left_out(in);
		else if (place[i].what == HOLDS_TASKS)
			ret = write_tasks(in, rec, &place[i]);
		else
			ret = write_place(in, rec, &place[i]);
	return ret;
}

void redact_end(struct inject *in)
{
	struct redact_state *st = in->redact;

	if (!st)
		return;
	if (st->left_out)
		log_note("records that --redact left out, because they may contain names: %llu",
			 (unsigned long long)st->left_out);
	strtab_release(&st->dir);
	strtab_release(&st->file);
	strtab_release(&st->comm);
	strtab_release(&st->cgroup);
	strtab_release(&st->path);
	strbuf_release(&st->text);
	free(st);
	in->redact = NULL;
}
