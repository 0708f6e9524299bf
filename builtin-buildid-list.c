/* perf buildid-list: the build-ids in a profile, of the running kernel, or of an ELF file. */
#include "util/base/module-lines.h"
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"
#include "util/cli/progress.h"
#include "util/obj/buildid.h"
#include "util/obj/kallsyms.h"
#include "util/resolve/dso-hits.h"
#include "util/host/build-id.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const buildid_list_usage[] = { "perf buildid-list [<options>]", NULL };

struct list_row {
	const char *name;
	const u8 *id;
	u8 len;			/* 0: unknown */
};
struct buildid_list {
	VEC(struct list_row);
};

static int compare_rows(const void *a, const void *b)
{
	return strcmp(((const struct list_row *)a)->name, ((const struct list_row *)b)->name);
}

/* sorts by name; a name that occurs twice with one id is shown once */
static void add_list(struct strbuf *out, struct buildid_list *list)
{
	if (list->nr)
		qsort(list->v, list->nr, sizeof(*list->v), compare_rows);
	for (size_t i = 0; i < list->nr; i++) {
		const struct list_row *r = &list->v[i], *last = i ? r - 1 : NULL;
		size_t start = out->len;

		if (last && !strcmp(last->name, r->name) && last->len == r->len &&
		    !memcmp(last->id, r->id, r->len))
			continue;
		buildid_hex(out, r->id, r->len);
		strbuf_pad(out, ' ', MAX((size_t)2 * BUILDID_MAX, out->len - start) - (out->len - start) + 1);
		strbuf_add_safe(out, r->name);
		strbuf_addch(out, '\n');
	}
}

/* the list that the recorder wrote into the header */
static void list_header(const struct features *f, struct strbuf *out)
{
	struct buildid_list list = { 0 };

	vec_foreach(&f->buildids, e)
		vec_push(&list, (struct list_row){ e->filename, e->id, e->len });
	add_list(out, &list);
	vec_release(&list);
}

/* dsos with samples, with or without a known id */
static void list_hits(const struct session *s, struct strbuf *out)
{
	bool *hit = session_dso_hits(s);
	struct buildid_list list = { 0 };

	vec_foreach(&machine_dsos(s->machine)->dso, it) {
		const struct dso *dso = *it;

		if (hit[dso->id] && dso->kind != DSO_UNKNOWN)
			vec_push(&list, (struct list_row){ dso_path(dso), dso->buildid, dso->buildid_len });
	}
	add_list(out, &list);
	vec_release(&list);
	free(hit);
}

static void log_header_ids(const struct features *f)
{
	struct strbuf hex = STRBUF_INIT;

	vec_foreach(&f->buildids, e) {
		strbuf_reset(&hex);
		buildid_hex(&hex, e->id, e->len);
		fprintf(stderr, "build id event received for %s: %s [%u]\n", e->filename, strbuf_str(&hex),
			e->len);
	}
	strbuf_release(&hex);
}

static int list_profile(const struct data_opts *data, bool hits, bool verbose)
{
	struct session_opts o = { .data = *data, .sym = SYM_OPTS_INIT };
	struct strbuf out = STRBUF_INIT;
	struct err err = ERR_INIT;
	struct build_id id;
	struct session *s;
	int ret;

	if (data->path && build_id_of_file(data->path, &id)) {	/* an ELF file, not a profile */
		buildid_hex(&out, id.id, id.len);
		puts(strbuf_str(&out));
		strbuf_release(&out);
		return 0;
	}
	if (!data_from_pipe(data))
		progress_begin();
	ret = session_open(&s, &o, &err);
	if (!ret && (hits || !feature_present(&s->data->feat, FEAT_BUILD_ID)))
		list_hits(s, &out);
	else if (!ret)
		list_header(&s->data->feat, &out);
	progress_end();
	if (ret)
		return die_err(&err);
	if (verbose)
		log_header_ids(&s->data->feat);
	fputs(strbuf_str(&out), stdout);
	strbuf_release(&out);
	warn_diag(&s->diag);
	session_close(s);
	return 0;
}

static int no_kernel_id(void)
{
	struct err err = ERR_INIT;

	err_set(&err, -ENOENT, "the running kernel shows no build-id in /sys/kernel/notes");
	return die_err(&err);
}

static int list_kernel(void)
{
	struct strbuf out = STRBUF_INIT;
	struct build_id id;

	if (!build_id_of_kernel(&id))
		return no_kernel_id();
	buildid_hex(&out, id.id, id.len);
	puts(strbuf_str(&out));
	strbuf_release(&out);
	return 0;
}

static void add_map(struct strbuf *out, const struct build_id *id, u64 start, u64 end, const char *name)
{
	buildid_hex(out, id->id, id->len);
	strbuf_pad(out, ' ', 2 * BUILDID_MAX - 2 * id->len);
	strbuf_addf(out, " %16llx %16llx %s\n", (unsigned long long)start, (unsigned long long)end, name);
}

static void add_module(void *out, const struct loaded_module *m)
{
	struct build_id id = { 0 };
	char *shown = xasprintf("[%s]", m->name);

	build_id_of_module(m->name, &id);
	add_map(out, &id, m->addr, m->addr + m->size, shown);
	free(shown);
}

static int list_kernel_maps(void)
{
	struct strbuf out = STRBUF_INIT;
	struct err err = ERR_INIT;
	struct kallsyms *k;
	struct build_id id;
	u64 start;

	if (!build_id_of_kernel(&id))
		return no_kernel_id();
	if (kallsyms_read_live(&k, &err))
		return die_err(&err);
	start = kallsyms_address(k, "_text");
	if (!start)
		start = kallsyms_address(k, "_stext");
	add_map(&out, &id, start, kallsyms_address(k, "_etext"), "[kernel.kallsyms]");
	kallsyms_free(k);
	module_lines_each(add_module, &out);
	fputs(strbuf_str(&out), stdout);
	strbuf_release(&out);
	return 0;
}

int cmd_buildid_list(int argc, const char **argv)
{
	bool hits = false, kernel = false, kernel_maps = false;
	struct data_opts data = { 0 };
	int verbose = 0;
	const struct option options[] = {
		OPT_BOOL('H', "with-hits", &hits, "list only files with samples in them"),
		OPT_STRING('i', "input", &data.path, "file",
			   "read this profile or ELF file (default: perf.data)"),
		OPT_BOOL('f', "force", &data.force, "read the file even if it belongs to another user"),
		OPT_BOOL('k', "kernel", &kernel, "show the build-id of the running kernel"),
		OPT_BOOL('m', "kernel-maps", &kernel_maps,
			 "show build-ids and addresses of the running kernel and its modules"),
		OPT_INCR('v', "verbose", &verbose, "print the build-id table of the header while reading it"),
		OPT_END()
	};

	argc = parse_options(argc, argv, options, buildid_list_usage, 0);
	if (argc)
		return opt_usage_error(options, NULL, buildid_list_usage,
				       "'%s': buildid-list takes no arguments; the file is named with -i",
				       argv[0]);
	if (kernel)
		return list_kernel();
	if (kernel_maps)
		return list_kernel_maps();
	return list_profile(&data, hits, verbose);
}
