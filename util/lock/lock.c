/* Lock: what its tables share. */
#include "lock.h"
#include "../fields/file-facts.h"

#include <errno.h>
#include <string.h>

const struct view_look lock_look = { .kind = VIEW_LOOK_PLAIN, .lead = "# output: ", .spaced = true };

struct view *lock_view_new(const struct session *s)
{
	struct view *v = xcalloc(1, sizeof(*v));

	v->name = "lock";
	v->tables = "tables";
	file_facts(&v->fact, &v->arena, s);
	return v;
}

void lock_format_ns(u64 ns, struct strbuf *out)
{
	static const struct {
		u64 ns;
		const char *unit;
	} units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" } };

	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (ns >= units[i].ns)
			return strbuf_addf(out, "%.2f %2s", (double)ns / units[i].ns, units[i].unit);
	strbuf_addf(out, "%lu ns", ns);
}

const char *lock_safe(struct arena *arena, const char *name)
{
	struct strbuf safe = STRBUF_INIT;
	const char *ret;

	strbuf_add_safe(&safe, name);
	ret = arena_strdup(arena, strbuf_str(&safe));
	strbuf_release(&safe);
	return ret;
}

const char *lock_next_word(const char **list, size_t *ret_len)
{
	const char *word = *list + strspn(*list, ", ");

	*ret_len = strcspn(word, ", ");
	*list = word + *ret_len;
	return *ret_len ? word : NULL;
}

/* lines of text only say what was lost, values always have the numbers */
static void add_loss(struct view_summary *b, const char *key, const char *before, u64 nr, const char *after,
		     u32 form)
{
	if (nr || form == VIEW_FORM_VALUES)
		view_add_number(b, key, before, nr)->after = after;
}

void lock_add_losses(struct view *v, const struct lock_losses *l, const struct session *s, u32 form)
{
	struct view_summary *b;

	if (form != VIEW_FORM_VALUES && !l->nr_unfinished && !l->nr_unstarted && !l->nr_no_room &&
	    !tracing_nr_lost(s))
		return;
	b = view_add_summary(v, "summary", NULL);
	add_loss(b, "unfinished-waits", "Waits whose end is not in the recording: ", l->nr_unfinished,
		 " (not counted)\n", form);
	add_loss(b, "unstarted-waits", "Waits whose beginning is not in the recording: ", l->nr_unstarted,
		 " (not counted)\n", form);
	add_loss(b, "no-room", "Waits that found no room in the tables of the kernel: ", l->nr_no_room,
		 " (not counted)\n", form);
	add_loss(b, "lost-events", "Events lost while recording: ", tracing_nr_lost(s),
		 " (the numbers above are too small)\n", form);
}

static int add_column(struct lock_columns *c, const struct view_field *f, struct err *err)
{
	for (u32 i = 0; i < c->nr; i++)
		if (!strcmp(c->field[i].column.name, f->column.name))
			return err_set(err, -EINVAL, "the field '%s' is given twice", f->column.name);
	c->field[c->nr++] = *f;
	return 0;
}

static int no_field(const struct view_field *value, u32 nr, const char *word, size_t len, struct err *err)
{
	struct strbuf names = STRBUF_INIT;

	for (u32 i = 0; i < nr; i++)
		strbuf_addf(&names, "%s%s", i ? ", " : "", value[i].column.name);
	err_set(err, -EINVAL, "'%.*s' is not a field: they are %s", (int)len, word, strbuf_str(&names));
	strbuf_release(&names);
	return -EINVAL;
}

static int add_named(struct lock_columns *c, const struct view_field *value, u32 nr, const char *words,
		     struct err *err)
{
	const char *word;
	size_t len;

	while ((word = lock_next_word(&words, &len))) {
		u32 i = 0;

		while (i < nr && (strncmp(value[i].column.name, word, len) || value[i].column.name[len]))
			i++;
		if (i == nr)
			return no_field(value, nr, word, len, err);
		if (add_column(c, &value[i], err))
			return -EINVAL;
	}
	return 0;
}

int lock_columns_choose(struct lock_columns *c, const struct lock_fields *f, const char *words, bool all,
			const struct view_sort *sort, struct err *err)
{
	const struct view_field *value = f->field + f->nr_head, *tail = value + f->nr_values;

	for (c->nr = 0; c->nr < f->nr_head; c->nr++)
		c->field[c->nr] = f->field[c->nr];
	if (words && add_named(c, value, f->nr_values, words, err))
		return -EINVAL;
	for (u32 i = 0; !words && i < f->nr_values; i++)
		if (all || f->by_default & 1u << i)
			add_column(c, &value[i], NULL);
	/* what rows are sorted by is shown; nothing to say where it already is */
	if (sort->nr)
		add_column(c, sort->key[0], NULL);
	for (u32 i = 0; i < f->nr_tail; i++)
		c->field[c->nr++] = tail[i];
	return 0;
}

int lock_sort_parse(struct view_sort *sort, const struct lock_fields *f, const char *keys, struct err *err)
{
	return view_sort_parse(sort, f->field + f->nr_head, f->nr_values, keys, err);
}
