/* perf buildid-cache: adds files to the build-id cache, lists and removes them. The work is in util/cache. */
#include "builtin-options.h"
#include "util/base/list-word.h"
#include "util/base/log.h"
#include "util/base/strbuf.h"
#include "util/base/units.h"
#include "util/cache/build-cache.h"
#include "util/cli/builtin.h"
#include "util/cli/config.h"
#include "util/cli/parse-options.h"
#include "util/obj/buildid.h"
#include "util/probe/cached.h"
#include "util/record/kcore.h"
#include "util/resolve/dso-hits.h"
#include "util/session/session.h"
#include "util/sym/debuginfod.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct files {
	VEC(char *);
};

struct cache_cmd {
	struct data_opts data;
	struct files add, remove, purge, update;
	char *dir;
	const char *kcore;
	bool purge_all, list, gc;
	u64 max_size;		/* of --gc */
	unsigned int target;	/* 0: files of this process */
	bool debuginfod;
	unsigned int seconds;	/* of --debuginfod */
	struct debuginfod *fetched;
	int verbose;
};

static const char *const usage[] = { "perf buildid-cache [<options>]", NULL };

/* a list separated by commas, or one file whose name contains commas */
static int parse_files(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct files *l = opt->value;

	if (!*arg)
		return opt_error(opt, "needs the name of a file");
	if (!access(arg, F_OK)) {
		vec_push(l, xstrdup(arg));
		return 0;
	}
	for (const char *p = arg; *p; p += *p == ',') {
		size_t len = list_word_len(p), bare = len;
		const char *word = list_word_bare(p, &bare);

		if (bare)
			vec_push(l, xstrndup(word, bare));
		p += len;
	}
	return 0;
}

static int parse_gc(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct cache_cmd *c = opt->value;

	if (parse_size(arg, &c->max_size))
		return opt_error(opt, "'%s' is not a size, such as 500M or 2G", arg);
	c->gc = true;
	return 0;
}

static void release_files(struct files *l)
{
	vec_foreach(l, f)
		free(*f);
	vec_release(l);
}

static void print_entry(const struct build_id *id, const char *path)
{
	struct strbuf line = STRBUF_INIT;

	buildid_hex(&line, id->id, id->len);
	strbuf_addch(&line, ' ');
	strbuf_add_safe(&line, path);
	puts(line.buf);
	strbuf_release(&line);
}

/* "added ID PATH" with -v */
static void note(const struct cache_cmd *c, const char *what, const struct build_id *id, const char *path)
{
	if (!c->verbose)
		return;
	printf("%s ", what);
	print_entry(id, path);
}

static int list_all(const struct cache_cmd *c, struct err *err)
{
	struct cached_files l = { 0 };
	int ret = cache_list(c->dir, &l, err);

	vec_foreach(&l, f)
		print_entry(&f->id, f->path);
	cached_files_release(&l);
	return ret;
}

/* --debuginfod: what no server has is not an error */
static int fetch_debug(const struct cache_cmd *c, const struct build_id *id, const char *path,
		       struct err *err)
{
	char *debug;
	int ret = 0;

	if (!c->debuginfod || cache_has_debug(c->dir, id))
		return 0;
	debug = debuginfod_fetch(c->fetched, c->seconds, id->id, id->len);
	if (debug)
		ret = cache_add_debug(c->dir, id, debug, err);
	if (ret == -EBADMSG) {
		log_warn("debuginfod: the debug file of %s that a server gave is of another build", path);
		ret = 0;
	} else if (debug && !ret) {
		note(c, "debug file of", id, path);
	}
	free(debug);
	return ret;
}

static int add_one(const struct cache_cmd *c, const char *path, bool replace, struct err *err)
{
	static const char *const what[] = { "added", "in the cache already:", "replaced" };
	char *root = c->target ? xasprintf("/proc/%u/root", c->target) : NULL, *kept;
	struct cache_source src = { .path = path, .root = root, .replace = replace };
	struct build_id id;
	int ret = cache_add(c->dir, &src, &id, &kept, err);

	if (ret >= 0)
		note(c, what[ret], &id, kept);
	/* markers of files of other namespaces have other paths there */
	if (ret >= 0 && !root)
		ret = cached_register_markers(c->dir, kept, &id, err);
	if (ret >= 0)
		ret = fetch_debug(c, &id, kept, err);
	free(kept);
	free(root);
	return MIN(ret, 0);
}

/* 1: the file is not in the cache, which is an error for a user who named it */
static int not_there(const char *path, struct err *err)
{
	return err_set(err, -ENOENT, "%s is not in the build-id cache", path);
}

/* the path of the file as seen from this process; the caller frees it */
static char *path_here(const struct cache_cmd *c, const char *path)
{
	return c->target ? xasprintf("/proc/%u/root%s", c->target, path) : xstrdup(path);
}

static int remove_one(const struct cache_cmd *c, const char *path, struct err *err)
{
	char *from = path_here(c, path);
	struct build_id id;
	int ret;

	if (!build_id_of_file(from, &id))
		ret = err_set(err, -EINVAL, "%s cannot be read, or has no build-id", path);
	else
		ret = cache_remove(c->dir, &id, err);
	free(from);
	if (!ret)
		note(c, "removed", &id, path);
	return ret == 1 ? not_there(path, err) : ret;
}

/* removes all entries of a path, or of any path (NULL) */
static int purge(const struct cache_cmd *c, const char *path, struct err *err)
{
	struct cached_files l = { 0 };
	char *real = path && !c->target ? realpath(path, NULL) : NULL;
	int ret = cache_list(c->dir, &l, err), nr = 0;

	vec_foreach(&l, f) {
		if (ret || (path && strcmp(f->path, path) && (!real || strcmp(f->path, real))))
			continue;
		ret = cache_remove(c->dir, &f->id, err);
		if (!ret)
			note(c, "removed", &f->id, f->path);
		nr++;
	}
	if (!ret && path && !nr)
		ret = not_there(path, err);
	free(real);
	cached_files_release(&l);
	return ret;
}

static void print_if_missing(const struct cache_cmd *c, const u8 *bytes, size_t len, const char *path)
{
	struct build_id id = { .len = MIN(len, sizeof(id.id)) };

	memcpy(id.id, bytes, id.len);
	if (id.len && !cache_has(c->dir, &id))
		print_entry(&id, path);
}

/* new recordings have no table of build-ids: the records of maps contain them, of all files */
static void list_missing_hits(const struct cache_cmd *c, const struct session *s)
{
	bool *hit = session_dso_hits(s);

	vec_foreach(&machine_dsos(s->machine)->dso, it)
		if (hit[(*it)->id])
			print_if_missing(c, (*it)->buildid, (*it)->buildid_len, dso_path(*it));
	free(hit);
}

static int list_missing(const struct cache_cmd *c, struct err *err)
{
	const struct session_opts o = { .data = c->data, .sym = SYM_OPTS_INIT };
	struct session *s;
	int ret = session_open(&s, &o, err);

	if (ret)
		return ret;
	if (feature_present(&s->data->feat, FEAT_BUILD_ID)) {
		vec_foreach(&s->data->feat.buildids, e)
			print_if_missing(c, e->id, e->len, e->filename);
	} else {
		list_missing_hits(c, s);
	}
	session_close(s);
	return 0;
}

static int purge_kcores(const struct cache_cmd *c, struct err *err)
{
	struct cached_files l = { 0 };
	int ret = cache_list_kcores(c->dir, &l, err);

	vec_foreach(&l, f)
		if (!ret)
			ret = cache_remove_kcore(c->dir, f->path, err);
	cached_files_release(&l);
	return ret;
}

static int add_kcore(const struct cache_cmd *c, struct err *err)
{
	char *dir;
	int ret = kcore_cache_add(c->dir, c->kcore, &dir, err);

	if (ret >= 0 && c->verbose)
		printf("%s %s\n", ret ? "in the cache already:" : "added", dir);
	free(dir);
	return MIN(ret, 0);
}

/* tries each file; 1 if one failed */
static int for_each(const struct cache_cmd *c, const struct files *l,
		    int (*one)(const struct cache_cmd *, const char *, struct err *))
{
	int ret = 0;

	vec_foreach(l, f) {
		struct err err = ERR_INIT;

		if (one(c, *f, &err) < 0)
			ret = die_err(&err);
	}
	return ret;
}

static int add_new(const struct cache_cmd *c, const char *path, struct err *err)
{
	return add_one(c, path, false, err);
}

static int update_one(const struct cache_cmd *c, const char *path, struct err *err)
{
	return add_one(c, path, true, err);
}

/* --gc, and the limit for the cache in the configuration */
static int collect(const struct cache_cmd *c, struct err *err)
{
	const char *limit = config_get("buildid-cache.max-size");
	u64 max = c->gc ? c->max_size : UINT64_MAX, configured;
	int nr;

	if (limit && parse_size(limit, &configured))
		return err_set(err, -EINVAL, "buildid-cache.max-size: '%s' is not a size, such as 500M or 2G",
			       limit);
	nr = c->gc || limit ? cache_collect(c->dir, limit ? MIN(max, configured) : max, err) : 0;

	if (nr > 0 && c->verbose)
		printf("%d %s removed\n", nr, nr == 1 ? "entry" : "entries");
	return MIN(nr, 0);
}

/* removes first, then adds */
static int run(const struct cache_cmd *c)
{
	struct err err = ERR_INIT;
	int ret = 0;

	if (c->list && list_all(c, &err))
		return die_err(&err);
	ret |= for_each(c, &c->remove, remove_one);
	ret |= for_each(c, &c->purge, purge);
	if (c->purge_all && (purge(c, NULL, &err) || purge_kcores(c, &err)))
		return die_err(&err);
	if (c->kcore && add_kcore(c, &err))
		return die_err(&err);
	ret |= for_each(c, &c->add, add_new);
	if (c->data.path && list_missing(c, &err))
		return die_err(&err);
	ret |= for_each(c, &c->update, update_one);
	debuginfod_tell(c->fetched);
	if ((c->gc || c->add.nr || c->update.nr || c->kcore) && collect(c, &err))
		return die_err(&err);
	return ret;
}

static bool has_action(const struct cache_cmd *c)
{
	return c->add.nr || c->remove.nr || c->purge.nr || c->update.nr || c->purge_all || c->list ||
	       c->data.path || c->gc || c->kcore;
}

int cmd_buildid_cache(int argc, const char **argv)
{
	struct debuginfod fetched = { 0 };
	struct cache_cmd c = { .fetched = &fetched };
	const struct option options[] = {
#include "builtin-buildid-cache.def"
		OPT_END(),
	};
	int ret;

	argc = parse_options(argc, argv, options, usage, 0);
	if (argc)
		return opt_usage_error(options, NULL, usage, "unexpected argument '%s'", argv[0]);
	if (!has_action(&c))
		return opt_usage_error(options, NULL, usage,
				       "nothing to do: name files to add or remove, or --list");
	c.dir = buildid_cache_dir();
	if (!c.dir) {
		struct err err = ERR_INIT;

		err_set(&err, -ENOENT, "there is no folder for the build-id cache: HOME is not set");
		err_hint(&err, "name one with perf --buildid-dir DIR");
		return die_err(&err);
	}
	ret = run(&c);
	release_files(&c.add);
	release_files(&c.remove);
	release_files(&c.purge);
	release_files(&c.update);
	free(c.dir);
	return ret;
}
