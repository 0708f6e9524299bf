/* Die: attributes of debug information entries. */
#include "die.h"

bool die_u64(Dwarf_Die *die, unsigned int attr, u64 *ret)
{
	Dwarf_Attribute a;
	Dwarf_Word v;

	if (!dwarf_attr_integrate(die, attr, &a) || dwarf_formudata(&a, &v))
		return false;
	*ret = v;
	return true;
}

bool die_s64(Dwarf_Die *die, unsigned int attr, s64 *ret)
{
	Dwarf_Attribute a;
	Dwarf_Sword v;

	if (!dwarf_attr_integrate(die, attr, &a) || dwarf_formsdata(&a, &v))
		return false;
	*ret = v;
	return true;
}

bool die_flag(Dwarf_Die *die, unsigned int attr)
{
	Dwarf_Attribute a;
	bool v = false;

	return dwarf_attr(die, attr, &a) && !dwarf_formflag(&a, &v) && v;
}

bool die_ref(Dwarf_Die *die, unsigned int attr, Dwarf_Die *ret)
{
	Dwarf_Attribute a;

	return dwarf_attr_integrate(die, attr, &a) && dwarf_formref_die(&a, ret);
}

bool die_has(Dwarf_Die *die, unsigned int attr)
{
	Dwarf_Attribute a;

	return dwarf_attr(die, attr, &a) != NULL;
}

const char *die_name(Dwarf_Die *die)
{
	return dwarf_diename(die);
}

const char *die_linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute a;

	if (!dwarf_attr_integrate(die, DW_AT_linkage_name, &a) &&
	    !dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &a))
		return NULL;
	return dwarf_formstring(&a);
}

bool die_type(Dwarf_Die *die, Dwarf_Die *ret)
{
	return die_ref(die, DW_AT_type, ret);
}

static bool is_transparent(int tag)
{
	switch (tag) {
	case DW_TAG_typedef:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
	case DW_TAG_immutable_type:
	case DW_TAG_shared_type:
		return true;
	}
	return false;
}

bool die_peel(Dwarf_Die *type, Dwarf_Die *ret)
{
	Dwarf_Die t = *type, next;

	for (int i = 0; i < DIE_DEPTH_MAX; i++) {
		Dwarf_Attribute a;

		/* a type that has a unit of its own */
		if (dwarf_attr(&t, DW_AT_signature, &a) && dwarf_formref_die(&a, &next)) {
			t = next;
			continue;
		}
		if (!is_transparent(dwarf_tag(&t))) {
			*ret = t;
			return true;
		}
		if (!die_type(&t, &next))
			return false;
		t = next;
	}
	return false;
}

bool die_real_type(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Die type;

	return die_type(die, &type) && die_peel(&type, ret);
}

bool die_size(Dwarf_Die *type, u64 *ret)
{
	Dwarf_Die real;
	Dwarf_Word v;

	/* arrays of arrays of ...: libdw follows them without a limit of its own, so the chain is tested */
	if (!die_peel(type, &real))
		return false;
	for (int i = 0; dwarf_tag(&real) == DW_TAG_array_type; i++)
		if (i == DIE_DEPTH_MAX || !die_real_type(&real, &real))
			return false;
	if (dwarf_aggregate_size(type, &v))
		return false;
	*ret = v;
	return true;
}

bool die_entry(Dwarf_Die *die, u64 *ret)
{
	Dwarf_Addr addr, base, start, end;

	if (dwarf_entrypc(die, &addr) && dwarf_lowpc(die, &addr)) {
		if (dwarf_ranges(die, 0, &base, &start, &end) <= 0)
			return false;
		addr = start;
	}
	*ret = addr;
	return true;
}

bool die_contains(Dwarf_Die *die, u64 addr)
{
	return dwarf_haspc(die, addr) == 1;
}

void die_origin(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Die d = *die, next;
	Dwarf_Attribute a;

	for (int i = 0; i < DIE_DEPTH_MAX; i++) {
		if (!dwarf_attr(&d, DW_AT_abstract_origin, &a) && !dwarf_attr(&d, DW_AT_specification, &a))
			break;
		if (!dwarf_formref_die(&a, &next))
			break;
		d = next;
	}
	*ret = d;
}

bool die_same(Dwarf_Die *a, Dwarf_Die *b)
{
	return a->addr == b->addr;
}

void die_children(Dwarf_Die *parent, bool (*fn)(void *ctx, Dwarf_Die *child), void *ctx)
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return;
	do {
		if (!fn(ctx, &die))
			return;
	} while (dwarf_siblingof(&die, &die) == 0);
}
