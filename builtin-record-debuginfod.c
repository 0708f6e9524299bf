/* perf record --debuginfod: debug files of the programs that were recorded, at the end of the recording. */
#include "builtin-record.h"
#include "util/base/log.h"
#include "util/cache/build-cache.h"
#include "util/data/writer.h"
#include "util/machine/dso.h"
#include "util/obj/buildid.h"
#include "util/resolve/dso-hits.h"
#include "util/session/session.h"
#include "util/sym/sym.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* puts the program and the debug file that was fetched for it into the build-id cache */
static int keep(const char *dir, const struct dso *d, const char *debug, struct err *err)
{
	const struct cache_source src = { .path = d->long_name };
	struct build_id id;
	int ret = cache_add(dir, &src, &id, NULL, err);

	if (ret >= 0 && !buildid_equal(id.id, id.len, d->buildid, d->buildid_len))
		return err_set(err, -EBADMSG, "%s is of another build now", d->long_name);
	return ret < 0 ? ret : cache_add_debug(dir, &id, debug, err);
}

static void keep_all(const struct session *s, const u32 *ids, u32 nr)
{
	char *dir = buildid_cache_dir();

	for (u32 i = 0; dir && i < nr; i++) {
		const struct dso *d = dsos_at(machine_dsos(s->machine), ids[i]);
		const struct symtab *t = symbols_table(s->symbols, ids[i]);
		struct err err = ERR_INIT;

		if (t && t->fetched && t->file && d->buildid_len && keep(dir, d, t->file, &err) < 0)
			log_warn("the debug file of %s is not in the build-id cache: %s", d->long_name,
				 err.msg);
	}
	free(dir);
}

/* user space only: the kernel's list of symbols need not be read */
static u32 user_dsos(const struct session *s, u32 *ids, u32 nr)
{
	u32 left = 0;

	for (u32 i = 0; i < nr; i++)
		if (dsos_at(machine_dsos(s->machine), ids[i])->kind == DSO_USER)
			ids[left++] = ids[i];
	return left;
}

void record_fetch_debug_files(const struct record_args *a, const char *path)
{
	const struct session_opts o = {
		.data = { .path = path, .force = true },
		.sym = { .demangle = true, .debuginfod = true, .debuginfod_seconds = a->debuginfod_seconds },
	};
	struct err err = ERR_INIT;
	struct session *s;
	u32 *ids, nr;

	if (writer_is_pipe(path)) {
		log_warn("no debug files are fetched: --debuginfod needs an output file, not a pipe");
		return;
	}
	if (session_open(&s, &o, &err)) {
		log_warn("no debug files are fetched: %s", err.msg);
		return;
	}
	ids = session_dsos_by_samples(s, &nr);
	nr = user_dsos(s, ids, nr);
	symbols_load(s->symbols, s->pool, ids, nr);
	if (!a->o.no_buildid_cache)
		keep_all(s, ids, nr);
	free(ids);
	session_close(s);
}
