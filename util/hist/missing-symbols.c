/* Missing: which files have samples without a name, and why. */
#include "missing-symbols.h"

#include <stdlib.h>

#include "../base/alloc.h"
#include "../base/log.h"
#include "../base/units.h"
#include "../sym/sym.h"
#include "../machine/machine.h"
#include "hist.h"

#define MAX_NOTES 10

void note_missing_symbols(const struct hist *h)
{
	const struct session *s = h->session;
	u32 nr_dsos = machine_dsos(s->machine)->dso.nr, nr = 0;
	bool *nameless;

	if (!h->opts.symbols)
		return;
	nameless = xcalloc(nr_dsos + 1, sizeof(*nameless));
	vec_foreach(&h->names.named, n)
		if (!n->name && n->dso != ID_NONE)
			nameless[n->dso] = true;
	for (u32 d = 0; d < nr_dsos; d++) {
		const char *reason = h->dso_sampled[d] && nameless[d] ? symbols_reason(s->symbols, d) : NULL;

		if (reason && nr++ < MAX_NOTES)
			log_warn("%s", reason);
	}
	if (nr > MAX_NOTES)
		log_warn("%u more file%s without symbols", nr - MAX_NOTES, plural(nr - MAX_NOTES));
	free(nameless);
}
