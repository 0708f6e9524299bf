/* Debug-file: opens the parts, each on those before it. */
#include "debug-file.h"

#include <stdlib.h>
#include "../base/log.h"

struct debug_file *debug_file_open(const struct probe_target *t, struct err *err)
{
	struct debug_file *d = xcalloc(1, sizeof(*d));
	struct err unseen = ERR_INIT;

	err = err ? err : &unseen;
	if (debug_binary_find(&d->file, t, err) || debug_link_open(&d->link, &d->file, err) ||
	    debug_binary_open(&d->file, err))
		goto fail;
	log_v("debug information of %s: %s", d->file.target, d->file.path);
	if (debug_units_read(&d->units, &d->file, err))
		goto fail;
	d->search.bytes.file = &d->file;
	d->search.units = &d->units;
	return d;
fail:
	debug_file_free(d);
	return NULL;
}

void debug_file_free(struct debug_file *d)
{
	if (!d)
		return;
	debug_search_release(&d->search);
	debug_units_release(&d->units);
	debug_link_release(&d->link);
	debug_binary_release(&d->file);
	free(d);
}
