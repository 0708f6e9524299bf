/* Engine-put: texts and branches as values for scripts. See engine-put.h. */
#include "engine-put.h"

#include <string.h>
#include "../event/data-src.h"

/* what g->text has, without blanks around it */
void engine_put_text(struct engine *g, struct script_value *v, const char *key)
{
	const char *start = strbuf_str(&g->text) + strspn(strbuf_str(&g->text), " ");
	size_t len = strlen(start);

	while (len && start[len - 1] == ' ')
		len--;
	put_bytes(v, key, VALUE_TEXT, arena_strndup(&g->arena, start, len), len);
}

/* the length of a name that is the same when it is escaped; the others and "" have 0 */
static size_t plain_len(const char *name)
{
	size_t len = 0;

	while ((u8)(name[len] - 0x20) < 0x7f - 0x20)
		len++;
	return name[len] ? 0 : len;
}

void engine_put_kept_name(struct engine *g, struct script_value *v, const char *key, const char *name)
{
	size_t len = plain_len(name);

	if (len)
		put_bytes(v, key, VALUE_TEXT, name, len);
	else
		engine_put_name(g, v, key, name);
}

/* scripts print what they are given: control characters are escaped */
void engine_put_name(struct engine *g, struct script_value *v, const char *key, const char *name)
{
	size_t len = name ? plain_len(name) : 0;

	if (len) {
		put_bytes(v, key, VALUE_TEXT, arena_memdup(&g->arena, name, len + 1), len);
		return;
	}
	strbuf_reset(&g->text);
	strbuf_add_safe(&g->text, name ? name : "");
	put_bytes(v, key, VALUE_TEXT, arena_memdup(&g->arena, strbuf_str(&g->text), g->text.len + 1),
		  g->text.len);
}

static void put_branch_dso(struct engine *g, struct script_value *v, const char *key, u64 ip)
{
	struct resolved_frame f;

	engine_put_name(g, v, key, engine_resolve(g, ip, false, &f) ?
			    frame_dso_name(&g->host->worker->cache, &f, false) : "");
}

void engine_put_branches(struct engine *g, struct script_value *ret, const char *key)
{
	const struct sample *sm = &g->ls->sm;
	struct script_value *list = new_values(g, sm->nr_branches);

	for (u64 i = 0; i < sm->nr_branches; i++) {
		const struct branch_entry *b = &sm->branches[i];
		struct script_value *v = new_values(g, 9);

		put_uint(&v[0], "from", b->from);
		put_uint(&v[1], "to", b->to);
		put_bool(&v[2], "mispred", b->flags & BRANCH_MISPRED);
		put_bool(&v[3], "predicted", b->flags & BRANCH_PREDICTED);
		put_bool(&v[4], "in_tx", b->flags & BRANCH_IN_TX);
		put_bool(&v[5], "abort", b->flags & BRANCH_ABORT);
		put_uint(&v[6], "cycles", BRANCH_CYCLES(b->flags));
		put_branch_dso(g, &v[7], "from_dsoname", b->from);
		put_branch_dso(g, &v[8], "to_dsoname", b->to);
		put_values(&list[i], NULL, VALUE_DICT, v, 9);
	}
	put_values(ret, key, VALUE_LIST, list, sm->nr_branches);
}

static void put_branch_sym(struct engine *g, struct script_value *v, const char *key, u64 ip)
{
	struct resolved_frame f;

	engine_resolve(g, ip, false, &f);
	strbuf_reset(&g->text);
	frame_put_sym(&g->host->worker->cache, &f, true, &g->text);
	engine_put_text(g, v, key);
}

static void put_letter(struct script_value *v, const char *key, const char *letter)
{
	put_bytes(v, key, VALUE_TEXT, letter, 1);
}

void engine_put_branch_syms(struct engine *g, struct script_value *ret, const char *key)
{
	const struct sample *sm = &g->ls->sm;
	struct script_value *list = new_values(g, sm->nr_branches);

	for (u64 i = 0; i < sm->nr_branches; i++) {
		const struct branch_entry *b = &sm->branches[i];
		struct script_value *v = new_values(g, 5);

		put_branch_sym(g, &v[0], "from", b->from);
		put_branch_sym(g, &v[1], "to", b->to);
		put_letter(&v[2], "pred", b->flags & BRANCH_MISPRED ? "M" :
					  b->flags & BRANCH_PREDICTED ? "P" : "-");
		put_letter(&v[3], "in_tx", b->flags & BRANCH_IN_TX ? "X" : "-");
		put_letter(&v[4], "abort", b->flags & BRANCH_ABORT ? "A" : "-");
		put_values(&list[i], NULL, VALUE_DICT, v, 5);
	}
	put_values(ret, key, VALUE_LIST, list, sm->nr_branches);
}
