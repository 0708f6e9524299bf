/* Import: see import.h. */
#include "import.h"
#include "import-write.h"
#include "spool.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const struct importer importers[] = {
#define IMPORT(name, id) { name, id##_probe, id##_read },
#include "import.def"
#undef IMPORT
};

const struct importer *import_find(const char *name, struct strbuf *names)
{
	for (size_t i = 0; i < ARRAY_SIZE(importers); i++)
		if (!strcmp(importers[i].name, name))
			return &importers[i];
	for (size_t i = 0; i < ARRAY_SIZE(importers); i++)
		strbuf_addf(names, "%s%s", i ? ", " : "", importers[i].name);
	return NULL;
}

const struct importer *import_probe(const u8 *p, size_t len, bool *ret_more)
{
	bool more = false, all = !ret_more;

	if (len >= IMPORT_HEAD) {
		len = IMPORT_HEAD;
		all = true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(importers); i++) {
		enum import_probe is = importers[i].probe(p, len, all);

		if (is == IMPORT_YES)
			return &importers[i];
		more |= is == IMPORT_MORE;
	}
	if (ret_more)
		*ret_more = more && !all;
	return NULL;
}

u32 import_nr(const struct importer *im)
{
	return im - importers;
}

const struct importer *import_at(u32 nr)
{
	return &importers[nr];
}

static int write_recording(const struct importer *im, const struct stacks *s, struct err *err)
{
	int fd = spool_file(err), ret = fd < 0 ? fd : import_write(fd, s, im->name, err);

	if (ret < 0 && fd >= 0)
		close(fd);
	return ret < 0 ? ret : fd;
}

int import_run(const struct importer *im, const u8 *p, u64 size, struct diag *diag, struct err *err)
{
	struct stacks s;
	int ret;

	stacks_init(&s, STACKS_LINES);
	ret = im->read(p, size, &s, diag, err);
	if (!ret && !s.stack.nr)
		ret = err_set(err, -ENODATA, "the %s profile has no stacks", im->name);
	if (!ret) {
		stacks_finish(&s);
		ret = write_recording(im, &s, err);
	}
	stacks_release(&s);
	return ret;
}
