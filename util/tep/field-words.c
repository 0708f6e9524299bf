/* Field-words: see field-words.h. */
#include "field-words.h"

#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>

#define MAX_DEPTH 32u

/* the field whose number an argument is, through casts; NULL: it is computed */
static const char *name_of(const struct tep_print_arg *arg)
{
	for (u32 depth = 0; arg && depth < MAX_DEPTH; depth++) {
		if (arg->type == TEP_PRINT_FIELD)
			return arg->field.name;
		if (arg->type != TEP_PRINT_TYPE)
			return NULL;
		arg = arg->typecast.item;
	}
	return NULL;
}

static bool is_of(const struct tep_print_arg *arg, const char *field)
{
	const char *name = name_of(arg->type == TEP_PRINT_FLAGS ? arg->flags.field : arg->symbol.field);

	return name && !strcmp(name, field);
}

/* the first argument of the print format, or part of one, that has words for the field */
static const struct tep_print_arg *find(const struct tep_print_arg *arg, const char *field, u32 depth)
{
	const struct tep_print_arg *found = NULL;

	for (; arg && !found && depth < MAX_DEPTH; arg = arg->next) {
		if (arg->type == TEP_PRINT_FLAGS || arg->type == TEP_PRINT_SYMBOL)
			found = is_of(arg, field) ? arg : NULL;
		else if (arg->type == TEP_PRINT_TYPE)
			found = find(arg->typecast.item, field, depth + 1);
		else if (arg->type == TEP_PRINT_OP)
			found = find(arg->op.left, field, depth + 1);
		if (!found && arg->type == TEP_PRINT_OP)
			found = find(arg->op.right, field, depth + 1);
	}
	return found;
}

static const struct tep_print_arg *words_of(const struct tracefmt_field *f)
{
	return f->tep && f->tep->event ? find(f->tep->event->print_fmt.args, f->name, 0) : NULL;
}

enum field_words field_words(const struct tracefmt_field *f)
{
	const struct tep_print_arg *arg = words_of(f);

	return !arg ? WORDS_NONE : arg->type == TEP_PRINT_FLAGS ? WORDS_FLAGS : WORDS_SYMBOLS;
}

static void add_flags(const struct tep_print_arg *arg, u64 value, struct strbuf *out)
{
	const char *delim = arg->flags.delim ? arg->flags.delim : "|";
	size_t start = out->len;
	u64 left = value;

	for (const struct tep_print_flag_sym *s = arg->flags.flags; s; s = s->next) {
		u64 bits = s->value ? strtoull(s->value, NULL, 0) : 0;

		if (!s->str || (bits ? (left & bits) != bits : value || out->len > start))
			continue;
		if (out->len > start)
			strbuf_add_safe(out, delim);
		strbuf_add_safe(out, s->str);
		left &= ~bits;
	}
	if (left)
		strbuf_addf(out, "%s%#llx", out->len > start ? delim : "", (unsigned long long)left);
}

/* the format may have the name of an enumeration's value where its number should be: that tells nothing */
static bool is_number(const struct tep_print_flag_sym *s, u64 value)
{
	char *end;

	return s->value && strtoull(s->value, &end, 0) == value && end > s->value;
}

static bool add_symbol(const struct tep_print_arg *arg, u64 value, struct strbuf *out)
{
	for (const struct tep_print_flag_sym *s = arg->symbol.symbols; s; s = s->next) {
		if (!s->str || !is_number(s, value))
			continue;
		strbuf_add_safe(out, s->str);
		return true;
	}
	return false;
}

bool field_words_symbol(const struct tracefmt_field *f, u64 value, struct strbuf *out)
{
	const struct tep_print_arg *arg = words_of(f);

	return arg && arg->type == TEP_PRINT_SYMBOL && add_symbol(arg, value, out);
}

void field_words_add(const struct tracefmt_field *f, enum field_words kind, u64 value, struct strbuf *out)
{
	const struct tep_print_arg *arg = words_of(f);

	if (!arg || field_words(f) != kind)
		return;
	if (kind == WORDS_FLAGS)
		add_flags(arg, value, out);
	else if (!add_symbol(arg, value, out))
		strbuf_addf(out, "%#llx", (unsigned long long)value);
}
