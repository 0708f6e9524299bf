/* Dwarf-types: types, their names and members. Variables are in dwarf-variables.c. */
#include "dwarf-types-private.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#define CHAIN_MAX 32	/* of types in types: longer chains are damage */
#define MEMBERS_MAX 65536

struct dwarf_types *dwarf_types_open(const char *path, const char *program)
{
	struct dwarf_lines *lines = dwarf_lines_open_all(path, program);
	struct dwarf_types *d;

	if (!lines)
		return NULL;
	d = xcalloc(1, sizeof(*d));
	d->lines = lines;
	vec_push(&d->type, (struct known_type){ 0 });	/* TYPE_NONE */
	return d;
}

void dwarf_types_free(struct dwarf_types *d)
{
	if (!d)
		return;
	vec_foreach(&d->unit, u)
		vec_release(&u->statics);
	vec_release(&d->unit);
	vec_release(&d->type);
	vec_release(&d->symbol);
	hidx_release(&d->by_die);
	hidx_release(&d->by_unit);
	dwarf_lines_free(d->lines);
	free(d);
}

u32 type_intern(struct dwarf_types *d, const Dwarf_Die *die)
{
	return vec_find_or_add_id(&d->type, &d->by_die, hash_u64((uintptr_t)die->addr), t,
				  t->die.addr == die->addr, (struct known_type){ .die = *die });
}

static bool die_of(struct dwarf_types *d, u32 type, Dwarf_Die *ret)
{
	if (!type || type >= d->type.nr)
		return false;
	*ret = d->type.v[type].die;
	return true;
}

bool type_of_die(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, ret);
}

static bool is_qualifier(int tag)
{
	return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type ||
	       tag == DW_TAG_atomic_type;
}

/* without qualifiers, and without typedefs if those are wanted away; false: void, or damage */
static bool strip(Dwarf_Die *die, bool typedefs)
{
	for (int i = 0; i < CHAIN_MAX; i++) {
		int tag = dwarf_tag(die);

		if (!is_qualifier(tag) && !(typedefs && tag == DW_TAG_typedef))
			return true;
		if (!type_of_die(die, die))
			return false;
	}
	return false;
}

static bool is_struct(int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_class_type;
}

static enum type_kind kind_of(int tag)
{
	switch (tag) {
	case DW_TAG_base_type:
	case DW_TAG_enumeration_type:
		return TYPE_SCALAR;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return TYPE_POINTER;
	case DW_TAG_array_type:
		return TYPE_ARRAY;
	default:
		return is_struct(tag) ? TYPE_STRUCT : TYPE_OTHER;
	}
}

static struct type_info read_info(struct dwarf_types *d, u32 type)
{
	struct type_info ret = { .kind = TYPE_OTHER };
	Dwarf_Die die, of;
	Dwarf_Word size;

	if (!die_of(d, type, &die) || !strip(&die, true))
		return ret;
	ret.kind = kind_of(dwarf_tag(&die));
	if (ret.kind != TYPE_OTHER && dwarf_aggregate_size(&die, &size) == 0)
		ret.size = size;
	if ((ret.kind == TYPE_POINTER || ret.kind == TYPE_ARRAY) && type_of_die(&die, &of))
		ret.of = type_intern(d, &of);
	if (!ret.size && ret.kind != TYPE_ARRAY)
		ret.kind = TYPE_OTHER;
	return ret;
}

struct type_info dwarf_type_info(struct dwarf_types *d, u32 type)
{
	struct type_info info;

	if (type >= d->type.nr)
		type = TYPE_NONE;
	if (d->type.v[type].has_info)
		return d->type.v[type].info;
	info = read_info(d, type);
	d->type.v[type].has_info = true;
	d->type.v[type].info = info;
	return info;
}

static u32 find_canonical(struct dwarf_types *d, u32 type)
{
	Dwarf_Die plain, bare;

	if (!die_of(d, type, &plain) || !strip(&plain, false))
		return TYPE_NONE;
	bare = plain;
	if (strip(&bare, true) && is_struct(dwarf_tag(&bare)) && dwarf_diename(&bare))
		return type_intern(d, &bare);
	return type_intern(d, &plain);
}

u32 dwarf_type_canonical(struct dwarf_types *d, u32 type)
{
	u32 ret;

	if (type >= d->type.nr)
		return TYPE_NONE;
	if (d->type.v[type].has_canonical)
		return d->type.v[type].canonical;
	ret = find_canonical(d, type);
	d->type.v[type].has_canonical = true;
	d->type.v[type].canonical = ret;
	return ret;
}

static const char *tag_word(int tag)
{
	switch (tag) {
	case DW_TAG_structure_type:
		return "struct";
	case DW_TAG_union_type:
		return "union";
	case DW_TAG_class_type:
		return "class";
	case DW_TAG_enumeration_type:
		return "enum";
	default:
		return NULL;
	}
}

void dwarf_type_name(struct dwarf_types *d, u32 type, struct strbuf *out)
{
	char suffix[2 * CHAIN_MAX + 1] = "";
	const char *word, *name;
	size_t nr = 0;
	Dwarf_Die die;
	int tag;

	if (!die_of(d, type, &die))
		goto none;
	for (;;) {
		const char *add;

		if (!strip(&die, false))
			goto none;
		tag = dwarf_tag(&die);
		add = kind_of(tag) == TYPE_ARRAY ? "[]" : tag == DW_TAG_pointer_type ? "*" :
		      kind_of(tag) == TYPE_POINTER ? "&" : NULL;
		if (!add)
			break;
		if (nr + 2 > 2 * CHAIN_MAX)
			goto none;
		/* arrays of arrays are one pair of brackets after another, pointers stand before */
		memmove(suffix + strlen(add), suffix, nr + 1);
		memcpy(suffix, add, strlen(add));
		nr += strlen(add);
		if (!type_of_die(&die, &die))
			goto none;
	}
	word = tag_word(tag);
	name = dwarf_diename(&die);
	if (tag == DW_TAG_subroutine_type)
		strbuf_addstr(out, "(function_type)");
	else if (word)
		strbuf_addf(out, "%s%s%s", word, name ? " " : "", name ? name : "");
	else
		strbuf_addstr(out, name ? name : "?");
	strbuf_addstr(out, suffix);
	return;
none:
	strbuf_addf(out, "void%s", suffix);
}

static bool number(Dwarf_Die *die, unsigned int name, u64 *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Word v;

	if (!dwarf_attr_integrate(die, name, &attr) || dwarf_formudata(&attr, &v))
		return false;
	*ret = v;
	return true;
}

/* where a bit field is: DWARF counts from either end of either thing */
static void place_bits(Dwarf_Die *die, struct data_member *m)
{
	u64 bits, at, storage = m->size, unit;

	if (!number(die, DW_AT_bit_size, &bits) || !bits || bits > 8 * m->size)
		return;
	m->bits = bits;
	if (number(die, DW_AT_data_bit_offset, &at)) {
		m->off = at / 8;
	} else if (number(die, DW_AT_bit_offset, &at)) {
		if (number(die, DW_AT_byte_size, &unit))
			storage = unit;
		if (at + bits <= 8 * storage)
			m->off += (8 * storage - at - bits) / 8;
		at = 8 * storage - at - bits;
	} else {
		at = 0;
	}
	m->size = (at % 8 + bits + 7) / 8;
}

static bool read_member(struct dwarf_types *d, Dwarf_Die *die, struct data_member *ret)
{
	int tag = dwarf_tag(die);
	Dwarf_Die type;

	*ret = (struct data_member){ .name = tag == DW_TAG_member ? dwarf_diename(die) : NULL };
	if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || !type_of_die(die, &type))
		return false;
	if (tag == DW_TAG_member && dwarf_hasattr(die, DW_AT_external))
		return false;	/* static members of classes */
	if (!number(die, DW_AT_data_member_location, &ret->off) &&
	    dwarf_hasattr(die, DW_AT_data_member_location))
		return false;	/* virtual bases: their place is not constant */
	ret->type = type_intern(d, &type);
	ret->size = dwarf_type_info(d, ret->type).size;
	place_bits(die, ret);
	return true;
}

void dwarf_type_members(struct dwarf_types *d, u32 type, struct data_members *out)
{
	struct data_member m;
	Dwarf_Die die;

	if (!die_of(d, type, &die) || !strip(&die, true) || !is_struct(dwarf_tag(&die)) ||
	    dwarf_child(&die, &die))
		return;
	do {
		if (read_member(d, &die, &m))
			vec_push(out, m);
	} while (out->nr < MEMBERS_MAX && dwarf_siblingof(&die, &die) == 0);
}

/* the member at an offset; of arrays without a size only the last one reaches beyond the struct */
static bool member_at(struct dwarf_types *d, u32 type, u64 off, struct data_member *ret)
{
	struct data_members all = { 0 };
	bool found = false;

	dwarf_type_members(d, type, &all);
	vec_foreach(&all, m) {
		bool open = m == all.v + all.nr - 1 && !m->size &&
			    dwarf_type_info(d, m->type).kind == TYPE_ARRAY;

		if (off < m->off || (!open && off - m->off >= m->size))
			continue;
		*ret = *m;
		found = true;
		break;
	}
	vec_release(&all);
	return found;
}

struct type_leaf dwarf_type_at(struct dwarf_types *d, u32 type, u64 off, struct strbuf *path)
{
	struct type_leaf ret = { .off = off };

	for (int i = 0; i < CHAIN_MAX; i++) {
		struct type_info info = dwarf_type_info(d, type);
		struct data_member m;
		u64 size;

		switch (info.kind) {
		case TYPE_STRUCT:
			if (!member_at(d, type, ret.off, &m))
				return ret;
			if (path && m.name && !ret.in_array)
				strbuf_addf(path, "%s%s", path->len ? "." : "", m.name);
			type = m.type;
			ret.off -= m.off;
			break;
		case TYPE_ARRAY:
			size = dwarf_type_info(d, info.of).size;
			if (!size)
				return ret;
			type = info.of;
			ret.off %= size;
			ret.in_array = true;
			break;
		case TYPE_OTHER:
			return ret;
		default:
			ret.type = type;
			return ret;
		}
	}
	return ret;
}

static bool has_array(struct dwarf_types *d, u32 type, u32 *budget)
{
	struct data_members all = { 0 };
	bool ret = false;

	dwarf_type_members(d, type, &all);
	vec_foreach(&all, m) {
		enum type_kind kind = dwarf_type_info(d, m->type).kind;

		/* too large to be looked at: as if it had one */
		ret = !*budget || kind == TYPE_ARRAY || (kind == TYPE_STRUCT && (--*budget, true) &&
							  has_array(d, m->type, budget));
		if (ret)
			break;
	}
	vec_release(&all);
	return ret;
}

bool dwarf_type_has_array(struct dwarf_types *d, u32 type)
{
	u32 budget = 200;

	return has_array(d, type, &budget);
}
