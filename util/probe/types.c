/* Types: DWARF types. */
#include "types.h"

#include <stdio.h>
#include <string.h>

#define ARRAY_MAX 64		/* elements that the kernel fetches at most (MAX_ARRAY_LEN) */
#define LIST_MAX 200

static const char *keyword(int tag)
{
	switch (tag) {
	case DW_TAG_structure_type: return "struct ";
	case DW_TAG_union_type: return "union ";
	case DW_TAG_enumeration_type: return "enum ";
	case DW_TAG_const_type: return "const ";
	case DW_TAG_volatile_type: return "volatile ";
	}
	return "";
}

static void text_at(Dwarf_Die *type, struct strbuf *out, int depth)
{
	Dwarf_Die inner;
	const char *name = die_name(type);
	int tag = dwarf_tag(type);
	bool has_inner;

	if (depth > DIE_DEPTH_MAX || out->len > 4096) {
		strbuf_addstr(out, "...");
		return;
	}
	switch (tag) {
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
	case DW_TAG_array_type:
		has_inner = die_type(type, &inner);
		if (has_inner)
			text_at(&inner, out, depth + 1);
		else
			strbuf_addstr(out, "void");
		if (tag == DW_TAG_pointer_type)
			strbuf_addch(out, '*');
		else if (tag == DW_TAG_reference_type)
			strbuf_addch(out, '&');
		else if (tag == DW_TAG_rvalue_reference_type)
			strbuf_addstr(out, "&&");
		else if (tag == DW_TAG_array_type)
			strbuf_addstr(out, "[]");
		return;
	case DW_TAG_subroutine_type:
		strbuf_addstr(out, "(function_type)");
		return;
	}
	strbuf_addstr(out, keyword(tag));
	strbuf_add_safe(out, name ? name : "(unnamed)");
}

void type_text(Dwarf_Die *type, struct strbuf *out)
{
	text_at(type, out, 0);
}

void type_describe(Dwarf_Die *of, struct strbuf *out)
{
	Dwarf_Die type;

	if (die_type(of, &type))
		type_text(&type, out);
	else
		strbuf_addstr(out, "void");
}

/* --- definitions */

struct definition {
	const char *name;
	int tag, depth;
	Dwarf_Die *ret;
	bool found;
};

static bool definition_die(void *ctx, Dwarf_Die *die)
{
	struct definition *s = ctx;
	int tag = dwarf_tag(die);
	const char *name;

	if (tag == s->tag && !die_has(die, DW_AT_declaration)) {
		name = die_name(die);
		if (name && !strcmp(name, s->name)) {
			*s->ret = *die;
			s->found = true;
		}
	}
	if (!s->found && (tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
			  tag == DW_TAG_structure_type) &&
	    s->depth < DIE_DEPTH_MAX) {
		s->depth++;
		die_children(die, definition_die, s);
		s->depth--;
	}
	return !s->found;
}

bool type_complete(struct debug_search *s, Dwarf_Die *type)
{
	struct debug_unit_set units = { 0 };
	struct definition def = { .tag = dwarf_tag(type), .ret = type };

	if (!die_flag(type, DW_AT_declaration))
		return true;
	def.name = die_name(type);
	if (!def.name)
		return false;
	debug_search_name(s, def.name, &units, NULL);
	for (size_t i = 0; i < units.nr && !def.found; i++)
		die_children(&s->units->v[units.v[i]].info, definition_die, &def);
	vec_release(&units);
	return def.found;
}

/* --- members */

/* offset of a member: a number, or in DWARF 2 an expression that adds one */
static bool member_offset(Dwarf_Die *die, u64 *ret)
{
	Dwarf_Attribute a;
	Dwarf_Word v;
	Dwarf_Op *ops;
	size_t nr;

	*ret = 0;
	if (!dwarf_attr_integrate(die, DW_AT_data_member_location, &a))
		return true;	/* of a union, or a bit field of DWARF 4 */
	if (!dwarf_formudata(&a, &v)) {
		*ret = v;
		return true;
	}
	if (dwarf_getlocation(&a, &ops, &nr) || nr != 1 ||
	    (ops[0].atom != DW_OP_plus_uconst && ops[0].atom != DW_OP_constu))
		return false;	/* a virtual base class: its offset is known at run time only */
	*ret = ops[0].number;
	return true;
}

/* the smallest naturally sized storage that contains bits [first, first + bits) of the object */
static bool place_bits(struct type_member *m, u64 first, u64 bits, bool is_big_endian)
{
	if (!bits || bits > 64)
		return false;
	for (u32 storage = 1; storage <= 8; storage *= 2) {
		u64 start = first / 8 / storage * storage, in = first - start * 8;

		if (in + bits > storage * 8)
			continue;
		m->off = start;
		m->storage = storage;
		m->bits = bits;
		m->shift = is_big_endian ? storage * 8 - in - bits : in;
		return true;
	}
	return false;
}

static bool fill_member(const struct debug_binary *file, Dwarf_Die *die, u64 base, struct type_member *ret)
{
	u64 off, bits, first, size;
	Dwarf_Die type;

	*ret = (struct type_member){ .die = *die };
	if (!member_offset(die, &off))
		return false;
	ret->off = base + off;
	if (!die_u64(die, DW_AT_bit_size, &bits))
		return true;
	if (die_u64(die, DW_AT_data_bit_offset, &first)) {
		/* bits from the start of the struct */
	} else if (die_u64(die, DW_AT_bit_offset, &first)) {
		/* bits from the most significant one of storage of the declared size */
		if (!die_u64(die, DW_AT_byte_size, &size) &&
		    !(die_real_type(die, &type) && die_size(&type, &size)))
			return false;
		if (size > 8 || first + bits > size * 8)
			return false;
		first = off * 8 + (file->is_big_endian ? first : size * 8 - first - bits);
	} else {
		first = off * 8;
	}
	if (first > UINT32_MAX || bits > 64)
		return false;
	return place_bits(ret, base * 8 + first, bits, file->is_big_endian);
}

struct member_search {
	struct debug_search *in;
	const char *name;
	u64 base;
	int depth;
	struct type_member *ret;
	bool found;
};

static void search_members(struct member_search *s, Dwarf_Die *type, u64 base);

static bool member_die(void *ctx, Dwarf_Die *die)
{
	struct member_search *s = ctx;
	const char *name;
	Dwarf_Die type;
	u64 off;

	switch (dwarf_tag(die)) {
	case DW_TAG_member:
		name = die_name(die);
		if (name && !strcmp(name, s->name)) {
			s->found = !die_has(die, DW_AT_declaration) &&
				   fill_member(s->in->bytes.file, die, s->base, s->ret);
			return false;
		}
		if (name && name[0])
			break;
		/* an anonymous struct or union */
		__attribute__((fallthrough));
	case DW_TAG_inheritance:
		if (member_offset(die, &off) && die_real_type(die, &type))
			search_members(s, &type, s->base + off);
		break;
	}
	return !s->found;
}

static void search_members(struct member_search *s, Dwarf_Die *type, u64 base)
{
	u64 outer = s->base;

	if (s->depth >= DIE_DEPTH_MAX || !type_complete(s->in, type))
		return;
	s->depth++;
	s->base = base;
	die_children(type, member_die, s);
	s->base = outer;
	s->depth--;
}

bool type_find_member(struct debug_search *in, Dwarf_Die *type, const char *name, struct type_member *ret)
{
	struct member_search s = { .in = in, .name = name, .ret = ret };

	search_members(&s, type, 0);
	return s.found;
}

struct member_list {
	struct debug_search *in;
	struct strbuf *out;
	int depth;
	bool full;
};

static bool list_die(void *ctx, Dwarf_Die *die)
{
	struct member_list *l = ctx;
	const char *name = die_name(die);
	bool is_member = dwarf_tag(die) == DW_TAG_member;
	Dwarf_Die type;

	if (l->out->len > LIST_MAX) {
		strbuf_addstr(l->out, ", ...");
		l->full = true;
		return false;
	}
	if (is_member && name && name[0]) {
		if (l->out->len)
			strbuf_addstr(l->out, ", ");
		type_describe(die, l->out);
		strbuf_addch(l->out, ' ');
		strbuf_add_safe(l->out, name);
	} else if ((is_member || dwarf_tag(die) == DW_TAG_inheritance) && l->depth < DIE_DEPTH_MAX &&
		   die_real_type(die, &type) && type_complete(l->in, &type)) {
		/* members of base classes and anonymous structs count as members of the type */
		l->depth++;
		die_children(&type, list_die, l);
		l->depth--;
	}
	return !l->full;
}

void type_list_members(struct debug_search *in, Dwarf_Die *type, struct strbuf *out)
{
	die_children(type, list_die, &(struct member_list){ .in = in, .out = out });
}

/* --- fetching */

struct array_size {
	u64 nr, first;		/* elements of the dimensions that are not skipped, and of the first one */
	u32 skip, dimensions;
	bool known;
};

static bool range_die(void *ctx, Dwarf_Die *die)
{
	struct array_size *s = ctx;
	u64 n, lower = 0;

	if (dwarf_tag(die) != DW_TAG_subrange_type)
		return true;
	if (s->dimensions++ < s->skip)
		return true;
	if (!die_u64(die, DW_AT_count, &n)) {
		if (!die_u64(die, DW_AT_upper_bound, &n))
			goto unknown;
		die_u64(die, DW_AT_lower_bound, &lower);
		n = n - lower + 1;
	}
	if (n && s->nr > UINT64_MAX / n)
		goto unknown;
	if (s->dimensions == s->skip + 1)
		s->first = n;
	s->nr *= n;
	s->known = true;
	return true;
unknown:
	s->known = false;
	return false;
}

bool type_array_length(Dwarf_Die *array, u32 skip, u64 *ret, u64 *ret_first)
{
	struct array_size s = { .nr = 1, .skip = skip };

	die_children(array, range_die, &s);
	*ret = s.nr;
	*ret_first = s.first;
	return s.known;
}

static bool count_dimension(void *ctx, Dwarf_Die *die)
{
	*(u32 *)ctx += dwarf_tag(die) == DW_TAG_subrange_type;
	return true;
}

u32 type_array_dimensions(Dwarf_Die *array)
{
	u32 nr = 0;

	die_children(array, count_dimension, &nr);
	return nr;
}

bool type_is_char(Dwarf_Die *type)
{
	Dwarf_Die real;
	u64 size, encoding;
	const char *name;

	if (!die_peel(type, &real) || dwarf_tag(&real) != DW_TAG_base_type || !die_size(&real, &size) ||
	    size != 1 || !die_u64(&real, DW_AT_encoding, &encoding))
		return false;
	/* signed char and unsigned char are small numbers, not texts */
	name = die_name(&real);
	return (encoding == DW_ATE_signed_char || encoding == DW_ATE_unsigned_char) && name &&
	       !strcmp(name, "char");
}

static bool has_negative(void *ctx, Dwarf_Die *die)
{
	bool *negative = ctx;
	Dwarf_Attribute a;
	s64 v;

	/* data of a fixed size has no sign of its own: only the signed form and the type tell */
	if (dwarf_tag(die) == DW_TAG_enumerator && dwarf_attr(die, DW_AT_const_value, &a) &&
	    dwarf_whatform(&a) == DW_FORM_sdata && die_s64(die, DW_AT_const_value, &v) && v < 0)
		*negative = true;
	return !*negative;
}

static char enum_letter(Dwarf_Die *type)
{
	Dwarf_Die base;
	u64 encoding;
	bool negative = false;

	if (die_real_type(type, &base) && die_u64(&base, DW_AT_encoding, &encoding))
		return encoding == DW_ATE_signed || encoding == DW_ATE_signed_char ? 's' : 'u';
	die_children(type, has_negative, &negative);
	return negative ? 's' : 'u';
}

static char number_letter(Dwarf_Die *type)
{
	u64 encoding = 0;

	switch (dwarf_tag(type)) {
	case DW_TAG_enumeration_type:
		return enum_letter(type);
	case DW_TAG_base_type:
		die_u64(type, DW_AT_encoding, &encoding);
		switch (encoding) {
		case DW_ATE_signed:
		case DW_ATE_signed_char:
		case DW_ATE_signed_fixed:
			return 's';
		case DW_ATE_unsigned:
		case DW_ATE_unsigned_char:
		case DW_ATE_boolean:
		case DW_ATE_unsigned_fixed:
		case DW_ATE_UTF:
			return 'u';
		}
	}
	return 'x';	/* pointers; bits of floating-point numbers */
}

static void fetch_number(Dwarf_Die *type, struct fetch_type *ret)
{
	if (ret->size != 1 && ret->size != 2 && ret->size != 4 && ret->size != 8) {
		ret->kind = FETCH_NONE;
		return;
	}
	ret->kind = FETCH_NUMBER;
	snprintf(ret->text, sizeof(ret->text), "%c%u", number_letter(type), (unsigned int)ret->size * 8);
}

static void fetch_array(const struct debug_binary *file, Dwarf_Die *array, u32 skip, struct fetch_type *ret)
{
	struct fetch_type element;
	Dwarf_Die type;
	u64 nr = 0, first;

	if (!die_type(array, &type))
		return;
	if (type_is_char(&type)) {
		/* several texts cannot be fetched at once */
		if (type_array_dimensions(array) <= skip + 1)
			ret->kind = FETCH_STRING;
		return;
	}
	if (!die_peel(&type, &type) || dwarf_tag(&type) == DW_TAG_array_type)
		return;
	type_fetch(file, &type, &element);
	if (element.kind == FETCH_POINTER_TO_STRING)
		snprintf(element.text, sizeof(element.text), "x%u", (unsigned int)element.size * 8 & 127);
	else if (element.kind != FETCH_NUMBER)
		return;
	if (!type_array_length(array, skip, &nr, &first) || !nr)
		return;
	ret->kind = FETCH_ARRAY;
	memcpy(ret->text, element.text, sizeof(ret->text));
	ret->nr = MIN(nr, (u64)ARRAY_MAX);
}

void type_fetch(const struct debug_binary *file, Dwarf_Die *type, struct fetch_type *ret)
{
	type_fetch_part(file, type, 0, ret);
}

void type_fetch_part(const struct debug_binary *file, Dwarf_Die *type, u32 skip, struct fetch_type *ret)
{
	Dwarf_Die real, to;

	*ret = (struct fetch_type){ .kind = FETCH_NONE };
	if (!die_peel(type, &real))
		return;
	if (!die_size(&real, &ret->size))
		ret->size = 0;
	switch (dwarf_tag(&real)) {
	case DW_TAG_base_type:
	case DW_TAG_enumeration_type:
		fetch_number(&real, ret);
		break;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
	case DW_TAG_ptr_to_member_type:
		if (!ret->size)
			ret->size = file->is64 ? 8 : 4;
		if (dwarf_tag(&real) == DW_TAG_pointer_type && die_type(&real, &to) && type_is_char(&to))
			ret->kind = FETCH_POINTER_TO_STRING;
		else
			fetch_number(&real, ret);
		break;
	case DW_TAG_array_type:
		fetch_array(file, &real, skip, ret);
		break;
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_class_type:
		ret->kind = FETCH_STRUCT;
		break;
	}
}
