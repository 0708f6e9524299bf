/* Object-text: the text that fetches an object, and its type. */
#include "object-text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "../base/log.h"
#include "object.h"
#include "spec.h"

static void add_value(struct strbuf *out, const struct dwarf_value *v)
{
	if (v->base == DWARF_TEXT)
		strbuf_addstr(out, v->text);
	else
		strbuf_addf(out, "\\%lld", (long long)v->off);
}

/* the address of the object, if it is the content of a register or pointer, or a constant */
static int address_text(struct probe_object *o, struct strbuf *out, struct err *err)
{
	u64 off;
	const struct dwarf_piece *p = object_piece(o, &off);
	const struct elf_obj *file = o->f->d->link.runtime;
	struct dwarf_value v;

	if (!p)
		return object_unavailable(o, err);
	if (!p->is_memory) {
		err_set(err, -EOPNOTSUPP, "'%s' is in a register here and has no address", o->name);
		return err->code;
	}
	v = p->value;
	v.off += off;
	if (v.base == DWARF_STATIC && file && file->ehdr.e_type == ET_EXEC)
		v.base = DWARF_NUMBER;
	if (v.base == DWARF_STATIC || (v.base == DWARF_TEXT && v.off)) {
		err_set(err, -EOPNOTSUPP, "the address of '%s' has to be computed, which a fetch argument "
			"cannot do",
			o->name);
		err_hint(err, "its value, or a member of it, can be fetched");
		return err->code;
	}
	if (v.base == DWARF_TEXT)
		strbuf_addstr(out, v.text);
	else
		strbuf_addf(out, "\\0x%llx", (unsigned long long)v.off);
	return 0;
}

/*
 * the value as the kernel fetches it. shift: bits of the register or memory before the value. memory: the
 * value must be in memory (strings and arrays)
 */
static int value_text(struct probe_object *o, bool memory, u32 *shift, struct strbuf *out, struct err *err)
{
	u64 off;
	const struct dwarf_piece *p = object_piece(o, &off);
	const char *text;
	struct dwarf_value v;

	*shift = 0;
	if (!p)
		return object_unavailable(o, err);
	v = p->value;
	if (p->is_memory) {
		v.off += off;
		text = variable_load(o->f, &v, o->mem);
		if (!text)
			return err_set(err, -EOPNOTSUPP, "'%s' cannot be reached by a fetch argument",
				       o->name);
		strbuf_addstr(out, text);
		return 0;
	}
	if (memory)
		return err_set(err, -EOPNOTSUPP, "'%s' is in a register here: only its parts can be fetched",
			       o->name);
	if (v.base == DWARF_STATIC || (v.base == DWARF_TEXT && v.off))
		return err_set(err, -EOPNOTSUPP, "'%s': its value is computed here, which a fetch "
			       "argument cannot do",
			       o->name);
	if (off && v.base == DWARF_NUMBER) {
		v.off = off < 8 ? (u64)v.off >> off * 8 : 0;
		off = 0;
	}
	*shift = off * 8;
	add_value(out, &v);
	return 0;
}

/* the kernel has no signed bit fields */
static void note_sign(const struct probe_object *o)
{
	struct fetch_type t;
	Dwarf_Die type = o->type;

	type_fetch(&o->f->d->file, &type, &t);
	if (t.kind == FETCH_NUMBER && t.text[0] == 's' && o->bits.bits < 64)
		log_note("'%s' is a signed bit field of %u bits, which the kernel shows without its sign: "
			 "%llu is -1", o->name, o->bits.bits, (1ull << o->bits.bits) - 1);
}

static int bits_text(struct probe_object *o, struct strbuf *out, struct err *err)
{
	u32 shift, word = o->bits.storage * 8, at = o->bits.shift;
	u64 off;
	const struct dwarf_piece *p = object_piece(o, &off);

	if (value_text(o, false, &shift, out, err))
		return err->code;
	if (p && !p->is_memory) {
		word = o->f->d->file.is64 ? 64 : 32;
		at += shift;
		if (at + o->bits.bits > word)
			return err_set(err, -EOPNOTSUPP, "'%s' is not within one register here", o->name);
	}
	note_sign(o);
	strbuf_addf(out, ":b%u@%u/%u", o->bits.bits, at, word);
	return 0;
}

static int number_text(struct probe_object *o, const char *type, u64 size, struct strbuf *out,
		       struct err *err)
{
	u32 shift;

	if (value_text(o, false, &shift, out, err))
		return err->code;
	/* a part of a register */
	if (shift)
		strbuf_addf(out, ":b%u@%u/%u", (unsigned int)size * 8, shift, o->f->d->file.is64 ? 64 : 32);
	else
		strbuf_addf(out, ":%s", type);
	return 0;
}

/* a string that the object points to */
static int pointed_string(struct probe_object *o, const char *type, struct strbuf *out, struct err *err)
{
	if (object_follow(o, err))
		return err->code;
	{
		u32 shift;
		int ret = value_text(o, true, &shift, out, err);

		strbuf_addf(out, ":%s", type);
		return ret;
	}
}

static int struct_text(struct probe_object *o, struct err *err)
{
	struct strbuf list = STRBUF_INIT;

	object_fail(o, -EINVAL, "'%s' (%s) cannot be fetched as a whole%s", "", err);
	if (type_complete(&o->f->d->search, &o->type))
		type_list_members(&o->f->d->search, &o->type, &list);
	if (list.len)
		err_hint(err, "name one of its members: %s", strbuf_str(&list));
	strbuf_release(&list);
	return -EINVAL;
}

static int automatic_text(struct probe_object *o, struct strbuf *out, struct err *err)
{
	struct fetch_type t;
	u32 shift;
	int ret;

	if (o->bits.bits)
		return bits_text(o, out, err);
	if (o->is_void)
		return object_fail(o, -EINVAL, "'%s' (%s) has no value%s", "", err);
	type_fetch_part(&o->f->d->file, &o->type, o->nr_indexes, &t);
	switch (t.kind) {
	case FETCH_NUMBER:
		return number_text(o, t.text, t.size, out, err);
	case FETCH_POINTER_TO_STRING:
		return pointed_string(o, "string", out, err);
	case FETCH_STRING:
		ret = value_text(o, true, &shift, out, err);
		strbuf_addstr(out, ":string");
		return ret;
	case FETCH_ARRAY:
		ret = value_text(o, true, &shift, out, err);
		strbuf_addf(out, ":%s[%u]", t.text, t.nr);
		return ret;
	case FETCH_STRUCT:
		object_peel(o);
		return struct_text(o, err);
	case FETCH_NONE:
		break;
	}
	object_fail(o, -EINVAL, "'%s' (%s) is of a type that cannot be fetched%s", "", err);
	if (object_tag(o) == DW_TAG_array_type)
		err_hint(err, "name one of its elements, such as %s[0]", o->name);
	return -EINVAL;
}

/* an element's type for ":[4]" */
static int array_of(struct probe_object *o, const struct probe_type *type, struct strbuf *out,
		    struct err *err)
{
	struct fetch_type t;
	Dwarf_Die element;
	u32 shift;
	int tag = object_tag(o), ret;

	if (type_is_pointer(tag)) {
		ret = object_follow(o, err);
	} else {
		ret = tag == DW_TAG_array_type && die_type(&o->type, &element) ? 0 : -EINVAL;
		if (!ret)
			o->type = element;
	}
	if (!ret && !o->is_void) {
		type_fetch(&o->f->d->file, &o->type, &t);
		if (t.kind == FETCH_NUMBER) {
			ret = value_text(o, true, &shift, out, err);
			strbuf_addf(out, ":%s[%u]", t.text, type->array);
			return ret;
		}
	}
	return object_fail(o, -EINVAL, "'%s' (%s) is not an array of numbers%s", "", err);
}

/* "string[2]": two pointers to strings, one after another */
static int strings_text(struct probe_object *o, const struct probe_type *type, struct strbuf *out,
			struct err *err)
{
	struct strbuf shown = STRBUF_INIT;
	Dwarf_Die to, first;
	u32 shift;
	int tag = object_tag(o), ret;
	bool listed = (tag == DW_TAG_array_type || type_is_pointer(tag)) && die_type(&o->type, &to) &&
		      die_peel(&to, &first);

	if (listed && type_is_pointer(dwarf_tag(&first))) {
		ret = type_is_pointer(tag) ? object_follow(o, err) : 0;
		if (!ret)
			ret = value_text(o, true, &shift, out, err);
		strbuf_addf(out, ":%s", type->text);
		return ret;
	}
	type_text(&o->type, &shown);
	err_set(err, -EINVAL, "'%s' (%s) is not an array of pointers, which '%s' is for", o->name,
		strbuf_str(&shown), type->text);
	if (listed && type_is_char(&to) && type_array_dimensions(&o->type) > o->nr_indexes + 1)
		err_hint(err, "name one of its elements: %s[0]:string", o->name);
	else if (listed && type_is_char(&to))
		err_hint(err, "the text is '%s:string', its first %u bytes are '%s:u8[%u]'", o->name,
			 type->array, o->name, type->array);
	strbuf_release(&shown);
	return -EINVAL;
}

static bool type_is_bare_letter(const struct probe_type *t)
{
	return !t->bits && (t->kind == PROBE_TYPE_UNSIGNED || t->kind == PROBE_TYPE_SIGNED ||
			    t->kind == PROBE_TYPE_HEX);
}

static int typed_text(struct probe_object *o, const struct probe_type *type, struct strbuf *out,
		      struct err *err)
{
	bool is_string = type->kind == PROBE_TYPE_STRING || type->kind == PROBE_TYPE_USTRING;
	int ret, tag = object_tag(o);
	struct fetch_type t;
	u32 shift;

	if (type->kind == PROBE_TYPE_AUTO)
		return type->array ? array_of(o, type, out, err) : automatic_text(o, out, err);
	if (o->bits.bits)
		return object_fail(o, -EINVAL, "'%s' is a bit field (%s): it is shown without a type of "
				   "yours%s", "", err);
	if (is_string && type->array)
		return strings_text(o, type, out, err);
	if (is_string && (type_is_pointer(tag) || type_is_reference(tag)))
		return pointed_string(o, type->text, out, err);
	/* an integer that holds an address */
	if (is_string && tag == DW_TAG_base_type) {
		u64 size;

		if (die_size(&o->type, &size) && size > 1)
			return pointed_string(o, type->text, out, err);
	}
	/* elements of what a pointer points to */
	if (type->array && type_is_pointer(tag)) {
		ret = object_follow(o, err);
		if (ret)
			return ret;
	}
	ret = value_text(o, type->array || is_string, &shift, out, err);
	if (!ret && shift)
		return err_set(err, -EOPNOTSUPP, "'%s' is not at the start of its register here", o->name);
	strbuf_addch(out, ':');
	/* u, s and x: the letter is the user's, the size the variable's */
	if (type_is_bare_letter(type)) {
		type_fetch(&o->f->d->file, &o->type, &t);
		strbuf_addf(out, "%c%s%s", type->text[0], t.kind == FETCH_NUMBER ? t.text + 1 :
			    o->f->d->file.is64 ? "64" : "32", type->text + 1);
	} else {
		strbuf_addstr(out, type->text);
	}
	return ret;
}

/* a std::string of libstdc++ becomes the pointer to its text, which ends with a NUL */
static void enter_std_string(struct probe_object *o)
{
	struct probe_step to_text[] = {
		{ .kind = PROBE_STEP_MEMBER, .name = "_M_dataplus" },
		{ .kind = PROBE_STEP_MEMBER, .name = "_M_p" },
	};
	struct probe_arg arg = { 0 };
	struct probe_object text = *o;
	struct err ignored = ERR_INIT;
	struct fetch_type t;

	if (!type_is_struct(object_tag(o)))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(to_text); i++)
		vec_push(&arg.step, to_text[i]);
	if (!object_take_steps(&text, &arg, &ignored)) {
		type_fetch(&o->f->d->file, &text.type, &t);
		if (t.kind == FETCH_POINTER_TO_STRING)
			*o = text;
	}
	vec_release(&arg.step);
}

int object_text(struct probe_object *o, const struct probe_type *type, struct strbuf *out, struct err *err)
{
	int ret;

	if (o->is_address) {
		ret = address_text(o, out, err);
		strbuf_addf(out, ":%s", type && type->text ? type->text : o->f->d->file.is64 ? "x64" : "x32");
		return ret;
	}
	if (object_follow_references(o, err))
		return err->code;
	if (!type || (!type->array && (type->kind == PROBE_TYPE_AUTO || type->kind == PROBE_TYPE_STRING)))
		enter_std_string(o);
	return type ? typed_text(o, type, out, err) : automatic_text(o, out, err);
}
