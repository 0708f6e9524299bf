/* Cgroups: names to groups, and copies of the events. */
#include "cgroups.h"

#include <dirent.h>
#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include "../base/fs.h"
#include "../base/list-word.h"
#include "../base/strbuf.h"
#include "../kernel/cgroup.h"

#define DEPTH_MAX 64

struct cgroup_names {
	VEC(const char *);
};

/* every group below path, as its name is from the mount on, that the expression means as a whole */
static void match_below(struct cgroup_names *out, struct arena *a, struct strbuf *path, size_t mount_len,
			const regex_t *re, int depth)
{
	size_t len = path->len;
	const char *name = path->buf + mount_len;
	regmatch_t m;
	struct dirent *e;
	DIR *dir;

	name += *name == '/';
	if (*name && !regexec(re, name, 1, &m, 0) && !m.rm_so && !name[m.rm_eo])
		vec_push(out, arena_strdup(a, name));
	dir = depth < DEPTH_MAX ? opendir(path->buf) : NULL;
	while (dir && (e = readdir(dir))) {
		if (e->d_type != DT_DIR || e->d_name[0] == '.')
			continue;
		strbuf_addf(path, "/%s", e->d_name);
		match_below(out, a, path, mount_len, re, depth + 1);
		strbuf_setlen(path, len);
	}
	if (dir)
		closedir(dir);
}

static bool is_group(const char *mount, const char *name)
{
	struct strbuf path = STRBUF_INIT;
	bool found;

	strbuf_addf(&path, "%s/%s", mount, name);
	found = fs_exists(path.buf);
	strbuf_release(&path);
	return found;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* one word of the list */
static int add_word(struct cgroup_names *out, struct arena *a, const char *mount, const char *word,
		    struct err *err)
{
	struct strbuf path = STRBUF_INIT;
	size_t before = out->nr;
	regex_t re;

	if (is_group(mount, word)) {
		vec_push(out, arena_strdup(a, word));
		return 0;
	}
	if (regcomp(&re, word, REG_EXTENDED))
		return err_set(err, -EINVAL,
			       "--for-each-cgroup: '%s' is neither a control group nor a regular expression",
			       word);
	fs_path(&path, "%s", mount);
	match_below(out, a, &path, path.len, &re, 0);
	strbuf_release(&path);
	regfree(&re);
	if (out->nr == before)
		return err_set(err, -ENOENT, "--for-each-cgroup: there is no control group '%s' below %s",
			       word, mount);
	qsort(out->v + before, out->nr - before, sizeof(*out->v), compare_names);
	return 0;
}

static void copy_event(struct evset *set, const struct event *from, u32 shift)
{
	struct event *ev = evset_add(set, from->name);
	u32 idx = ev->idx;
	const char *name = ev->name;

	*ev = *from;
	ev->idx = idx;
	ev->name = name;
	ev->leader = from->leader + shift;
	/* sums of several PMUs are sums of one group */
	for (u32 k = 0; ev->shared_name && k <= from->idx; k++)
		if (evset_at(set, k)->shared_name == from->shared_name) {
			ev->shared_name = k == from->idx ? arena_strdup(&set->arena, from->shared_name) :
							   evset_at(set, k + shift)->shared_name;
			break;
		}
	ev->ids = NULL;
	ev->nr_ids = 0;
}

int stat_cgroups_expand(struct stat_cgroups *ret, struct evset *set, const char *list, struct err *err)
{
	struct strbuf mount = STRBUF_INIT;
	struct cgroup_names names = { 0 };
	u32 nr = set->ev.nr;
	int rc = 0;

	if (!cgroup_mount(&mount)) {
		strbuf_release(&mount);
		return err_set(err, -ENOENT, "--for-each-cgroup: no control group hierarchy is mounted");
	}
	while (!rc && *list) {
		size_t len = list_word_len(list), bare = len;
		const char *start = list_word_bare(list, &bare);
		char *word = arena_strndup(&set->arena, start, bare);

		if (bare)
			rc = add_word(&names, &set->arena, mount.buf, word, err);
		list += len + (list[len] == ',');
	}
	if (!rc && !names.nr)
		rc = err_set(err, -EINVAL, "--for-each-cgroup needs names of control groups");
	for (u32 g = 0; !rc && g < names.nr; g++)
		for (u32 e = 0; e < nr; e++) {
			if (g)
				copy_event(set, evset_at(set, e), g * nr);
			vec_push(ret, names.v[g]);
		}
	vec_release(&names);
	strbuf_release(&mount);
	return rc;
}
