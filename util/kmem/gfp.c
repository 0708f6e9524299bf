/* GFP flags: see gfp.h. */
#include "gfp.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name, *brief;
} short_names[] = {
#define GFP(name, brief) { name, brief },
#include "gfp-names.def"
#undef GFP
};

static void add_brief(struct strbuf *out, const char *word, size_t len)
{
	static const char *const prefixes[] = { "__GFP_", "GFP_" };

	for (u32 i = 0; i < ARRAY_SIZE(short_names); i++) {
		if (strncmp(short_names[i].name, word, len) || short_names[i].name[len])
			continue;
		strbuf_addstr(out, short_names[i].brief);
		return;
	}
	for (u32 i = 0; i < ARRAY_SIZE(prefixes); i++) {
		size_t prefix = strlen(prefixes[i]);

		if (len <= prefix || strncmp(word, prefixes[i], prefix))
			continue;
		word += prefix;
		len -= prefix;
	}
	strbuf_add(out, word, len);
}

/* "GFP_KERNEL|__GFP_ZERO" becomes "K|Z" */
static void add_all_brief(struct strbuf *out, const char *names)
{
	while (*names) {
		size_t len = strcspn(names, "|");

		add_brief(out, names, len);
		if (names[len])
			strbuf_addch(out, '|');
		names += len + (names[len] == '|');
	}
}

/* as the recorded format prints them; hex if it does not */
static void add_names(struct strbuf *out, u64 flags, const struct tracing_sample *ts)
{
	const struct sample *s = ts->sample;
	const struct tracefmt_event *te = tracefmt_event(ts->formats, s->event->attr.config);
	struct strbuf text = STRBUF_INIT;
	const char *names;
	char *word;

	if (te)
		tracefmt_print(ts->formats, te, s->raw, s->raw_size, &text);
	names = strstr(strbuf_str(&text), "gfp_flags=");
	names = names ? names + strlen("gfp_flags=") : "";
	word = xstrndup(names, strcspn(names, " \n"));
	if (*word)
		strbuf_add_safe(out, word);
	else
		strbuf_addf(out, "%#lx", flags);
	free(word);
	strbuf_release(&text);
}

u32 kmem_gfp_id(struct kmem_gfps *g, u64 flags, const struct tracing_sample *ts)
{
	struct strbuf sb = STRBUF_INIT;
	struct kmem_gfp new = { .flags = flags };
	u32 id;

	HIDX_FOREACH(&g->idx, hash_u64(flags), id)
		if (g->v[id].flags == flags)
			return id;
	add_names(&sb, flags, ts);
	new.names = arena_strdup(&g->arena, strbuf_str(&sb));
	strbuf_reset(&sb);
	add_all_brief(&sb, new.names);
	new.brief = arena_strdup(&g->arena, strbuf_str(&sb));
	strbuf_release(&sb);
	hidx_insert(&g->idx, hash_u64(flags), g->nr);
	vec_push(g, new);
	return g->nr - 1;
}

void kmem_gfps_release(struct kmem_gfps *g)
{
	vec_release(g);
	hidx_release(&g->idx);
	arena_release(&g->arena);
}
