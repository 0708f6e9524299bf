/* perf data check, perf data repair: what of files can be read. */
#include "builtin-data.h"

#include <errno.h>
#include <string.h>

#include "util/base/json-out.h"
#include "util/base/log.h"
#include "util/base/units.h"
#include "util/cli/builtin.h"
#include "util/cli/progress.h"
#include "util/inject/inject.h"
#include "util/session/health.h"

#define CHECK_VERSION 1

/* ---- check ---- */

/* what is said of a file; err: it cannot be opened */
static void file_text(const char *path, const struct health *h, const struct err *err, struct strbuf *out)
{
	strbuf_add_safe(out, path);
	strbuf_addf(out, ": %s", health_word(h->state));
	if (err->code) {
		strbuf_addstr(out, ": ");
		strbuf_add_safe(out, err->msg);
	} else if (h->nr_counts) {
		strbuf_addf(out, ", %lu count%s", h->nr_counts, plural(h->nr_counts));
	} else {
		strbuf_addf(out, ", %lu sample%s", h->nr_samples, plural(h->nr_samples));
	}
	strbuf_addch(out, '\n');
	for (u32 k = 0; k < DIAG_NR; k++) {
		if (!h->damage.kind[k].nr)
			continue;
		strbuf_addstr(out, "  ");
		diag_add_text(&h->damage, k, out);
		strbuf_addch(out, '\n');
	}
}

static void file_json(const char *path, const struct health *h, const struct err *err, struct json *w)
{
	struct strbuf text = STRBUF_INIT;

	json_begin_object(w, JSON_LINES);
	json_key_string(w, "file", path);
	json_key_string(w, "state", health_word(h->state));
	if (err->code)
		json_key_string(w, "error", err->msg);
	json_key_u64(w, "samples", h->nr_samples);
	json_key_u64(w, "counts", h->nr_counts);
	json_key(w, "damage");
	json_begin_array(w, JSON_HANGING);
	for (u32 k = 0; k < DIAG_NR; k++) {
		if (!h->damage.kind[k].nr)
			continue;
		json_begin_object(w, JSON_COMPACT);
		strbuf_reset(&text);
		diag_add_word(k, &text);
		json_key_string(w, "kind", strbuf_str(&text));
		json_key_u64(w, "number", h->damage.kind[k].nr);
		json_key_u64(w, "first-offset", h->damage.kind[k].off);
		json_end(w);
	}
	json_end(w);
	json_end(w);
	strbuf_release(&text);
}

static void check_file(const struct data_cmd *c, const char *path, struct health *ret, struct err *err)
{
	struct session_opts so = c->session;
	struct session *s;

	so.data.path = path;
	if (!data_from_pipe(&so.data))
		progress_begin();
	if (session_open(&s, &so, err)) {
		*ret = (struct health){ .state = HEALTH_LOST };
	} else {
		session_health(s, ret);
		session_close(s);
	}
	progress_end();
}

static void begin_json(struct json *w)
{
	json_begin_object(w, JSON_LINES);
	json_key_string(w, "perf", "data check");
	json_key_u64(w, "version", CHECK_VERSION);
	json_key(w, "files");
	json_begin_array(w, JSON_LINES);
}

int data_check(struct data_cmd *c, const char **path, int nr)
{
	struct strbuf out = STRBUF_INIT;
	struct json w = { .out = &out };
	u32 count[3] = { 0 };
	int worst = 0;

	if (c->json_check)
		begin_json(&w);
	for (int i = 0; i < nr; i++) {
		struct err err = ERR_INIT;
		struct health h;

		check_file(c, path[i], &h, &err);
		count[h.state]++;
		worst = MAX(worst, (int)h.state);
		if (c->json_check)
			file_json(path[i], &h, &err, &w);
		else
			file_text(path[i], &h, &err, &out);
		fwrite(strbuf_str(&out), 1, out.len, stdout);
		strbuf_reset(&out);
	}
	if (c->json_check) {
		json_end(&w);
		for (u32 i = 0; i < ARRAY_SIZE(count); i++)
			json_key_u64(&w, health_word(i), count[i]);
		json_end(&w);
		strbuf_addch(&out, '\n');
	} else if (nr > 1) {
		strbuf_addf(&out, "%d files: %u whole, %u usable, %u lost\n", nr, count[0], count[1],
			    count[2]);
	}
	fwrite(strbuf_str(&out), 1, out.len, stdout);
	strbuf_release(&out);
	return worst;
}

/* ---- repair ---- */

static void warn_repair(const char *output, const struct inject_left_out *left, u64 nr_samples)
{
	if (!strcmp(output, "-"))
		return;
	fprintf(stderr, "[ perf data repair: %lu sample%s in '%s'; left out, because they cannot be read: ",
		nr_samples, plural(nr_samples), output);
	fprintf(stderr, "%lu sample%s, %lu other record%s ]\n", left->nr_samples, plural(left->nr_samples),
		left->nr_others, plural(left->nr_others));
}

int data_repair(struct data_cmd *c, const char *input)
{
	struct inject_left_out left = { 0 };
	const struct inject_opts o = { .output = c->output, .repair = &left };
	struct err err = ERR_INIT;
	struct session *s;
	int ret;

	if (output_check(c, c->output, &err))
		return die_err(&err);
	c->session.data.path = input;
	ret = session_open(&s, &c->session, &err);
	if (ret)
		return die_err(&err);
	warn_diag(&s->diag);
	ret = inject_run(s, &o, &err);
	if (!ret)
		warn_repair(c->output, &left, s->nr_samples - left.nr_samples);
	session_close(s);
	return ret && ret != -EPIPE ? die_err(&err) : 0;
}
