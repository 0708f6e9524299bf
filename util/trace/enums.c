/* Enums: see enums.h. */
#include "enums.h"
#include "../base/alloc.h"
#include "../base/log.h"
#include "../base/vec.h"
#include "../obj/btf.h"
#include "../tep/field-words.h"

#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>

/* a field that was looked up; its type: 0 if the kernel has none */
struct known_field {
	const struct tracefmt_field *f;
	u32 type;
};

struct trace_enums {
	bool live;		/* and the types were not read yet */
	struct btf *btf;	/* NULL: there are none */
	struct { VEC(struct known_field); } field;
};

struct trace_enums *trace_enums_new(bool live)
{
	struct trace_enums *t = xcalloc(1, sizeof(*t));

	t->live = live;
	return t;
}

void trace_enums_free(struct trace_enums *t)
{
	if (!t)
		return;
	btf_free(t->btf);
	vec_release(&t->field);
	free(t);
}

static void read_types(struct trace_enums *t)
{
	struct err why = ERR_INIT;

	t->live = false;
	t->btf = btf_read_kernel(&why);
	if (!t->btf)
		log_v("enumerations are named by the formats of tracepoints alone: %s", why.msg);
}

/* by address, as a field stays where it is; there are thousands of types to search */
static u32 type_of(struct trace_enums *t, const struct tracefmt_field *f, const char *name)
{
	u32 type;

	vec_foreach(&t->field, known)
		if (known->f == f)
			return known->type;
	if (t->live)
		read_types(t);
	type = t->btf ? btf_find(t->btf, BTF_KIND_ENUM, name) : 0;
	if (t->btf && !type)
		type = btf_find(t->btf, BTF_KIND_ENUM64, name);
	vec_push(&t->field, (struct known_field){ f, type });
	return type;
}

bool trace_enums_add(struct trace_enums *t, const struct tracefmt_field *f, u64 value, struct strbuf *out)
{
	const char *name = NULL;
	struct btf_entry e;
	u32 type;

	if (strncmp(f->type, "enum ", 5) || f->is_array)
		return false;
	type = type_of(t, f, f->type + 5);
	if (type && btf_get(t->btf, type, &e))
		name = btf_value_name(t->btf, &e, value);
	if (!name)
		return field_words_symbol(f, value, out);
	strbuf_add_safe(out, name);
	return true;
}
