/* Object: steps from an object to its members and to the target of a pointer. */
#include "object.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "spec.h"

int object_fail(struct probe_object *o, int code, const char *fmt, const char *more, struct err *err)
{
	struct strbuf type = STRBUF_INIT;

	if (o->is_void)
		strbuf_addstr(&type, "void");
	else
		type_text(&o->type, &type);
	err_set(err, code, fmt, o->name, strbuf_str(&type), more);
	strbuf_release(&type);
	return code;
}

bool object_peel(struct probe_object *o)
{
	Dwarf_Die real;

	if (o->is_void || !die_peel(&o->type, &real))
		return false;
	o->type = real;
	return true;
}

int object_tag(struct probe_object *o)
{
	return object_peel(o) ? dwarf_tag(&o->type) : DW_TAG_invalid;
}

int object_unavailable(struct probe_object *o, struct err *err)
{
	return err_set(err, -ENODATA, "'%s' is not available here: this part of it was optimised out",
		       o->name);
}

/* the piece that holds the object */
const struct dwarf_piece *object_piece(struct probe_object *o, u64 *ret_off)
{
	u64 size = 1;

	if (!o->is_void && !die_size(&o->type, &size))
		size = 1;
	*ret_off = o->off;
	return location_select(&o->loc, ret_off, size);
}

static void set_memory(struct probe_object *o, struct dwarf_value address)
{
	o->loc.nr = 1;
	o->loc.piece[0] = (struct dwarf_piece){ .is_memory = true, .value = address };
	o->off = 0;
}

/* the object is a pointer or reference; becomes its target */
int object_follow(struct probe_object *o, struct err *err)
{
	u64 off;
	const struct dwarf_piece *p = object_piece(o, &off);
	struct dwarf_value v;
	Dwarf_Die to;

	if (!p)
		return object_unavailable(o, err);
	v = p->value;
	if (p->is_memory) {
		v.off += off;
		v = location_text(variable_load(o->f, &v, o->mem));
		if (!v.text)
			return err_set(err, -EOPNOTSUPP, "'%s' cannot be reached by a fetch argument",
				       o->name);
	} else if (off) {
		return err_set(err, -EOPNOTSUPP, "'%s' is part of a register, and a fetch argument cannot "
			       "follow it", o->name);
	}
	set_memory(o, v);
	o->is_void = !die_type(&o->type, &to);
	if (!o->is_void)
		o->type = to;
	return 0;
}

int object_follow_references(struct probe_object *o, struct err *err)
{
	for (int i = 0; i < 2 && type_is_reference(object_tag(o)); i++)
		if (object_follow(o, err))
			return err->code;
	return 0;
}

/* the object's name becomes before name after more */
static void extend_name(struct probe_object *o, const char *before, const char *after, const char *more)
{
	size_t len = strlen(before) + strlen(o->name) + strlen(after) + strlen(more) + 1;
	char *name = arena_alloc(o->mem, len);

	snprintf(name, len, "%s%s%s%s", before, o->name, after, more);
	o->name = name;
}

static int no_member(struct probe_object *o, const char *member, struct err *err)
{
	struct strbuf list = STRBUF_INIT;

	object_fail(o, -EINVAL, "'%s' (%s) has no member '%s'", member, err);
	type_list_members(&o->f->d->search, &o->type, &list);
	if (list.len)
		err_hint(err, "its members are: %s", strbuf_str(&list));
	strbuf_release(&list);
	return -EINVAL;
}

static int step_member(struct probe_object *o, const struct probe_step *s, struct err *err)
{
	bool arrow = s->kind == PROBE_STEP_ARROW;
	struct type_member m;
	Dwarf_Die type;
	int tag;

	if (object_follow_references(o, err))
		return err->code;
	tag = object_tag(o);
	if (arrow && !type_is_pointer(tag)) {
		object_fail(o, -EINVAL, "'%s' is not a pointer (it is %s): '->%s' does not apply", s->name,
			    err);
		if (type_is_struct(tag))
			err_hint(err, "write '%s.%s'", o->name, s->name);
		return -EINVAL;
	}
	if (!arrow && type_is_pointer(tag)) {
		object_fail(o, -EINVAL, "'%s' is a pointer (%s): '.%s' does not apply", s->name, err);
		err_hint(err, "write '%s->%s'", o->name, s->name);
		return -EINVAL;
	}
	if (arrow && object_follow(o, err))
		return err->code;
	if (!type_is_struct(object_tag(o)))
		return object_fail(o, -EINVAL, "'%s' (%s) has no members: '%s' does not apply", s->name, err);
	if (!type_complete(&o->f->d->search, &o->type))
		return object_fail(o, -ENODATA, "'%s' (%s) is declared, but not defined, in the debug "
				   "information: "
			    "member '%s' is unknown", s->name, err);
	if (!type_find_member(&o->f->d->search, &o->type, s->name, &m))
		return no_member(o, s->name, err);
	if (!die_type(&m.die, &type))
		return no_member(o, s->name, err);
	o->type = type;
	o->off += m.off;
	o->bits = m;
	extend_name(o, "", arrow ? "->" : ".", s->name);
	return 0;
}

/* of one more dimension of an array: the bytes from one element to the next, and the type there */
static int take_dimension(struct probe_object *o, const char *index, u64 *ret_size, struct err *err)
{
	u64 nr = 1, first;
	Dwarf_Die element;

	if (!die_type(&o->type, &element))
		return object_fail(o, -ENODATA, "the elements of '%s' (%s) have no type: %s is unknown",
				   index, err);
	if (!die_size(&element, ret_size))
		return object_fail(o, -EINVAL, "the size of an element of '%s' (%s) is unknown: %s does not "
				   "apply", index, err);
	if (o->nr_indexes + 1 < type_array_dimensions(&o->type)) {
		o->nr_indexes++;
		if (!type_array_length(&o->type, o->nr_indexes, &nr, &first))
			return object_fail(o, -EINVAL, "the size of an element of '%s' (%s) is unknown: %s "
					   "does not apply", index, err);
		*ret_size *= nr;
		return 0;
	}
	o->type = element;
	o->nr_indexes = 0;
	return 0;
}

static int step_index(struct probe_object *o, const struct probe_step *s, struct err *err)
{
	u64 size, nr, first;
	char index[32];
	int tag;

	snprintf(index, sizeof(index), "[%lld]", (long long)s->index);
	if (object_follow_references(o, err))
		return err->code;
	tag = object_tag(o);
	if (tag != DW_TAG_array_type && !type_is_pointer(tag))
		return object_fail(o, -EINVAL, "'%s' (%s) is neither an array nor a pointer: '%s' does "
				   "not apply", index,
			    err);
	if (tag == DW_TAG_array_type && type_array_length(&o->type, o->nr_indexes, &nr, &first) && first &&
	    (s->index < 0 || (u64)s->index >= first)) {
		object_fail(o, -ERANGE, "'%s' (%s) has no element %s", index, err);
		err_hint(err, "its last element is %s[%llu]", o->name, (unsigned long long)first - 1);
		return -ERANGE;
	}
	if (type_is_pointer(tag)) {
		if (object_follow(o, err))
			return err->code;
		if (o->is_void || !die_size(&o->type, &size))
			return object_fail(o, -EINVAL, "the size of an element of '%s' (%s) is unknown: %s "
					   "does not apply", index, err);
	} else if (take_dimension(o, index, &size, err)) {
		return err->code;
	}
	if (o->loc.nr == 1 && o->loc.piece[0].is_memory)
		o->loc.piece[0].value.off += (u64)s->index * size;
	else
		o->off += (u64)s->index * size;
	extend_name(o, "", index, "");
	return 0;
}

static int step_deref(struct probe_object *o, struct err *err)
{
	struct probe_step first = { .kind = PROBE_STEP_INDEX };
	int tag;

	if (object_follow_references(o, err))
		return err->code;
	tag = object_tag(o);
	if (tag == DW_TAG_array_type)
		return step_index(o, &first, err);
	if (!type_is_pointer(tag))
		return object_fail(o, -EINVAL, "'%s' is not a pointer (it is %s): '%s' does not apply", "*",
				   err);
	if (object_follow(o, err))
		return err->code;
	extend_name(o, "*", "", "");
	return 0;
}

int object_take_steps(struct probe_object *o, const struct probe_arg *arg, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < arg->step.nr && !ret; i++) {
		const struct probe_step *s = &arg->step.v[i];

		if (o->bits.bits)
			return object_fail(o, -EINVAL, "'%s' is a bit field (%s): nothing applies to it%s",
					   "", err);
		switch (s->kind) {
		case PROBE_STEP_MEMBER:
		case PROBE_STEP_ARROW:
			ret = step_member(o, s, err);
			break;
		case PROBE_STEP_INDEX:
			ret = step_index(o, s, err);
			break;
		case PROBE_STEP_DEREF:
			ret = step_deref(o, err);
			break;
		case PROBE_STEP_ADDRESS:
			o->is_address = true;
			break;
		}
	}
	return ret;
}
