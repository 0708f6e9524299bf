/* Places of a timeline of calls: see places.h. */
#include "places.h"

#include <string.h>

void call_places_init(struct call_places *p, const struct session *s, struct strtab *labels, bool inlines)
{
	*p = (struct call_places){ .session = s, .labels = labels };
	named_frames_init(&p->names, s);
	if (inlines)
		p->lines = lines_new(s->symbols, machine_dsos(s->machine)->dso.nr, false);
}

void call_places_release(struct call_places *p)
{
	named_frames_release(&p->names);
	lines_free(p->lines);
	strtab_release(&p->fns);
	vec_release(&p->place);
	vec_release(&p->inlined);
	strbuf_release(&p->text);
}

static bool ends_with(const char *name, const char *end)
{
	size_t len = strlen(name), n = strlen(end);

	return len > n && !strcmp(name + len - n, end);
}

/* the length of a name without what compilers append to parts that they moved elsewhere */
static size_t whole_length(const char *name)
{
	const char *cold = strstr(name, ".cold");

	return cold && cold > name && (!cold[5] || cold[5] == '.') ? (size_t)(cold - name) : strlen(name);
}

static void name_place(struct call_places *p, const struct named_frame *f, struct call_place *ret)
{
	const struct dso *d = f->dso == ID_NONE ? NULL :
			      dsos_at(machine_dsos(p->session->machine), f->dso);

	strbuf_reset(&p->text);
	if (f->name)
		strbuf_add(&p->text, f->name, whole_length(f->name));
	else
		strbuf_addf(&p->text, "[%s]", d ? d->short_name : "unknown");
	ret->label = strtab_add(p->labels, strbuf_str(&p->text));
	strbuf_addf(&p->text, ":%u", f->dso);
	ret->fn = strtab_add(&p->fns, strbuf_str(&p->text));
	ret->named = f->name;
	ret->starts = f->name && f->addr == f->start && whole_length(f->name) == strlen(f->name);
	ret->stub = f->name && (ends_with(f->name, "@plt") || !strncmp(f->name, ".plt", 4));
	ret->kernel = f->cpumode == CPUMODE_KERNEL;
}

static void find_inlined(struct call_places *p, const struct named_frame *f, struct call_place *ret)
{
	struct line_query q = { .dso = f->dso, .addr = f->addr };
	const struct line_info *info;

	if (!p->lines || !f->name || !lines_know_inlines(p->session->symbols, f->dso))
		return;
	lines_load_dso(p->lines, f->dso, &q, 1);
	info = lines_find(p->lines, f->dso, f->addr);
	ret->first = p->inlined.nr;
	for (u32 i = info ? info->nr_inlined : 0; i-- > 0;)
		vec_push(&p->inlined, strtab_add(p->labels, info->inlined[i].name ? info->inlined[i].name :
						 "[inlined]"));
	ret->nr = p->inlined.nr - ret->first;
}

struct call_place call_places_find(struct call_places *p, struct locator *l, const struct sample_ctx *ctx,
				   u64 ip)
{
	struct frame_loc at = { .ip = ip };
	struct call_place *place;
	u32 id;

	at.loc = locator_find(l, ctx, ip >> 63 ? CPUMODE_KERNEL : CPUMODE_USER, ip);
	id = named_frames_add(&p->names, &at);
	while (p->place.nr <= id)
		vec_push(&p->place, (struct call_place){ 0 });
	place = &p->place.v[id];
	if (!place->known) {
		place->known = true;
		name_place(p, named_frame(&p->names, id), place);
		find_inlined(p, named_frame(&p->names, id), place);
	}
	return *place;
}
