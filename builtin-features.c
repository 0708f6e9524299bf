/* Features: see builtin-features.h. */
#include "builtin-features.h"
#include "util/script/interpreter.h"
#include "util/script/languages.h"

#include <string.h>

bool feature_usable(const struct build_feature *f, struct strbuf *detail)
{
	struct interpreter i = { 0 };
	struct err err = ERR_INIT;
	const struct language *l;
	bool ok = build_feature_on(f);

	for (size_t n = 0; ok && (l = language_nth(n)); n++) {
		if (strcmp(l->plugin, f->library) || !l->load)
			continue;
		ok = !l->load(&i, &err);
		if (ok && detail)
			strbuf_addf(detail, "%s, version %s", i.library, i.version);
		else if (detail)
			strbuf_addstr(detail, err.msg);
		interpreter_release(&i);
	}
	return ok;
}
