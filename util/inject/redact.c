/*
 * Redact: see redact.h. Records that may contain names at unknown places are left out; data that cannot be
 * redacted (raw data, stacks, hardware traces) is refused.
 */
#include "redact.h"
#include "redact-names.h"
#include "../base/list-word.h"
#include "../base/log.h"
#include "../data/features-write.h"
#include "../event/record-places.h"

#include <errno.h>
#include <string.h>

struct redact_state {
	struct redact_names names;
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
	if (!in->redact) {
		in->redact = xcalloc(1, sizeof(*in->redact));
		in->redact->names.words = in->opts->redact;
	}
	return in->redact;
}

static bool wanted(const struct inject *in, u32 word)
{
	return in->opts->redact & word;
}

const char *redact_path(struct inject *in, const char *path, bool kernel)
{
	return redact_names_path(&get_state(in)->names, path, kernel);
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
		return wanted(in, REDACT_COMMS) ? redact_names_comm(&st->names, name) : NULL;
	case HOLDS_GROUP_PATH:
		return wanted(in, REDACT_DIRS) ? redact_names_cgroup(&st->names, name) : NULL;
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
	redact_names_release(&st->names);
	free(st);
	in->redact = NULL;
}
