/* Ids: build-ids by dso. */
#include "ids.h"
#include "../base/digits.h"
#include "../base/fs.h"
#include "../base/log.h"
#include "../obj/elf-obj.h"
#include "../record/vdso-id.h"
#include "../resolve/dso-hits.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_PREFIX "file://"

struct known_id {
	char *path;
	struct build_id id;
};

struct inject_ids_state {
	struct build_id *of;	/* by dso id */
	bool *hit;		/* by dso id; NULL: nobody asks for it */
	u32 nr;
	struct { VEC(struct known_id); } known;
};

/* "HEX PATH", blanks around both are ignored; an empty line says nothing */
static int add_known(struct inject_ids_state *st, const char *p, size_t len, struct err *err)
{
	struct known_id k = { 0 };
	const char *end = p + len, *start;

	while (p < end && strchr(" \t\r", *p))
		p++;
	if (p == end)
		return 0;
	for (start = p; end - p >= 2 && hex_digit(p[0]) >= 0 && hex_digit(p[1]) >= 0 &&
	     k.id.len < BUILDID_MAX; p += 2)
		k.id.id[k.id.len++] = hex_digit(p[0]) << 4 | hex_digit(p[1]);
	if (!k.id.len || p == end || !strchr(" \t", *p))
		return err_set(err, -EINVAL, "--known-build-ids: '%.*s' is not a build-id and a path",
			       (int)MIN(len, (size_t)200), start);
	while (p < end && strchr(" \t", *p))
		p++;
	while (end > p && strchr(" \t\r", end[-1]))
		end--;
	if (p == end)
		return err_set(err, -EINVAL, "--known-build-ids: '%.*s' has no path",
			       (int)MIN(len, (size_t)200), start);
	k.path = xstrndup(p, end - p);
	vec_push(&st->known, k);
	return 0;
}

static int read_known_file(const char *path, struct strbuf *text, struct err *err)
{
	struct stat st;
	int ret, fd = open_regular(path, &st, err);

	if (fd < 0)
		return err_prefix(err, "--known-build-ids: ");
	ret = fd_read_all(fd, text);
	close(fd);
	return ret ? err_sys(err, -ret, "--known-build-ids: %s", path) : 0;
}

static int parse_known(struct inject_ids_state *st, const char *spec, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	const char *p, *sep = ",";
	int ret = 0;

	if (!strncmp(spec, FILE_PREFIX, strlen(FILE_PREFIX))) {
		ret = read_known_file(spec + strlen(FILE_PREFIX), &text, err);
		sep = "\n";
	} else {
		strbuf_addstr(&text, spec);
	}
	for (p = strbuf_str(&text); !ret && *p; p += *p != '\0') {
		size_t len = strcspn(p, sep);

		ret = add_known(st, p, len, err);
		p += len;
	}
	strbuf_release(&text);
	return ret;
}

/* the last one that names the path counts */
static const struct build_id *find_known(const struct inject_ids_state *st, const struct dso *d)
{
	const struct build_id *id = NULL;

	vec_foreach(&st->known, k)
		if (!strcmp(k->path, d->long_name) || !strcmp(k->path, dso_path(d)))
			id = &k->id;
	return id;
}

/* the build-id of another file would make wrong names look right */
static bool id_of_user_file(const struct inject *in, const struct dso *d, struct build_id *ret)
{
	const struct symbols *syms = in->session->symbols;
	struct strbuf why = STRBUF_INIT;
	int len = 0;
	enum identity is = symbols_identify(syms, d->id, ret->id, &len, &why);

	ret->len = len;
	/* perf pack loads its symbols, too, which tells */
	if (why.len && is != IDENTITY_YES && !in->opts->pack)
		log_warn("no build-id is added: %s (-f adds it)", strbuf_str(&why));
	strbuf_release(&why);
	return ret->len;
}

/* "[ext4]" or a path that ends in "/ext4.ko.xz" */
static bool id_of_loaded_module(const struct dso *d, struct build_id *ret)
{
	char *name = xstrdup(d->short_name + (*d->short_name == '['));
	bool ok;

	name[strcspn(name, "].")] = '\0';
	for (char *c = name; *c; c++)
		if (*c == '-')
			*c = '_';
	ok = *name && !strchr(name, '/') && build_id_of_module(name, ret);
	free(name);
	return ok;
}

/* from files that are there, and from the running kernel if it is the one that was recorded */
static bool find_id(const struct inject *in, const struct dso *d, struct build_id *ret)
{
	const struct inject_opts *o = in->opts;
	const struct session *s = in->session;
	const char *name;

	switch (d->kind) {
	case DSO_USER:
		return id_of_user_file(in, d, ret);
	case DSO_VDSO:
		return s->is_local && vdso_build_id(ret, &name) && !strcmp(name, d->long_name);
	case DSO_KERNEL:
		return (o->vmlinux && build_id_of_file(o->vmlinux, ret)) ||
		       (s->is_local && build_id_of_kernel(ret));
	case DSO_MODULE:
		return s->is_local && id_of_loaded_module(d, ret);
	default:
		return false;
	}
}

static void fill_id(struct inject_ids_state *st, const struct inject *in, const struct dso *d)
{
	struct build_id found = { 0 };
	/* the maps of another program's profile say what is known: names do not tell its modules apart */
	bool imported = symbols_imported(in->session->symbols, d->id);
	const struct build_id *known = imported ? NULL : find_known(st, d);

	if (known) {
		st->of[d->id] = *known;
	} else if (d->buildid_len) {
		st->of[d->id].len = d->buildid_len;
		memcpy(st->of[d->id].id, d->buildid, d->buildid_len);
	} else if (!imported && find_id(in, d, &found)) {
		st->of[d->id] = found;
	}
	if (!st->of[d->id].len && d->kind == DSO_USER)
		log_v("no build-id: %s", d->long_name);
}

static int check_vmlinux_id(const char *path, struct err *err)
{
	struct build_id id;

	if (!path || build_id_of_file(path, &id))
		return 0;
	return err_set(err, -EINVAL, "--vmlinux: %s cannot be read, or has no build-id", path);
}

int inject_ids_get(struct inject *in, struct err *err)
{
	const struct inject_opts *o = in->opts;
	const struct dsos *dsos = machine_dsos(in->session->machine);
	struct inject_ids_state *st;
	int ret = 0;

	if (in->ids)
		return 0;
	in->ids = st = xcalloc(1, sizeof(*st));
	st->nr = dsos->dso.nr;
	st->of = xcalloc(st->nr + 1, sizeof(*st->of));
	if (o->known)
		ret = parse_known(st, o->known, err);
	if (!ret)
		ret = check_vmlinux_id(o->vmlinux, err);
	if (ret)
		return ret;
	if (o->table == INJECT_IDS_HIT || o->maps == INJECT_IDS_HIT)
		st->hit = in->hit ? xmemdup(in->hit, st->nr + 1) : session_dso_hits(in->session);
	vec_foreach(&dsos->dso, d)
		if (o->table == INJECT_IDS_ALL || o->maps == INJECT_IDS_ALL || st->hit[(*d)->id])
			fill_id(st, in, *d);
	return 0;
}

const struct build_id *inject_ids_of(const struct inject *in, u32 dso, enum inject_ids which)
{
	const struct inject_ids_state *st = in->ids;

	if (dso >= st->nr || !st->of[dso].len || (which == INJECT_IDS_HIT && !st->hit[dso]))
		return NULL;
	return &st->of[dso];
}

void inject_ids_put(struct inject *in)
{
	struct inject_ids_state *st = in->ids;

	if (!st)
		return;
	vec_foreach(&st->known, k)
		free(k->path);
	vec_release(&st->known);
	free(st->hit);
	free(st->of);
	free(st);
	in->ids = NULL;
}
