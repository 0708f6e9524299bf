/* Tables of system calls, and how their rows are found by number, name, pattern and group. */
#include "rows.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include "../../arch/arch.h"
#include "../base/err.h"
#include "../base/nearest.h"
#include "../base/units.h"
#include "table.h"

/* newer than some <elf.h> */
#ifndef EM_LOONGARCH
#define EM_LOONGARCH 258
#endif
#ifndef EM_CSKY
#define EM_CSKY 252
#endif

/* numbers of each list, then the kinds of programs */
#define NUMBERS(id) static const u16 numbers_##id[] = {
#define NR(nr, name) [nr] = ROW_##name + 1,
#define END };
#define PROGRAMS(...)
#define PROGRAMS_MORE(...)
#include "numbers.def"
#undef NUMBERS
#undef NR
#undef END
#undef PROGRAMS
#undef PROGRAMS_MORE

static const u16 numbers_none[] = {};

#define NUMBERS(id)
#define NR(nr, name)
#define END
#define PROGRAMS(name, id, ...) PROGRAMS_MORE(name, id, none, 0, __VA_ARGS__)
#define PROGRAMS_MORE(name_, id, more_, more_base_, elf1, elf2, abi_, word_, family_, base_, ignore_) \
	{ .name = name_, .e_machine = { elf1, elf2 }, .abi = abi_, .word = word_, .family = family_, \
	  .base = base_, .ignore = ignore_, .nr = ARRAY_SIZE(numbers_##id), .row = numbers_##id, \
	  .nr_more = ARRAY_SIZE(numbers_##more_), .more = numbers_##more_, .more_base = more_base_ },
static const struct syscall_table tables[] = {
#include "numbers.def"
};

static const struct {
	u32 bit;
	const char *name, *help;
} groups[] = {
#define GROUP(id, bit, name, help) { SYSCALL_GROUP_##id, name, help },
#include "groups.def"
#undef GROUP
};

const struct syscall_table *syscall_table_find(u16 e_machine, unsigned int abi_bits)
{
	for (size_t i = 0; e_machine && i < ARRAY_SIZE(tables); i++)
		if (tables[i].abi == abi_bits &&
		    (tables[i].e_machine[0] == e_machine || tables[i].e_machine[1] == e_machine))
			return &tables[i];
	return NULL;
}

const struct syscall_table *syscall_table_at(size_t i)
{
	return i < ARRAY_SIZE(tables) ? &tables[i] : NULL;
}

const struct syscall_table *syscall_table_native(void)
{
	const struct arch *a = arch_native();

	for (int is64 = 1; a && is64 >= 0; is64--) {
		const struct syscall_table *t = syscall_table_find(a->abi[is64].e_machine, is64 ? 64 : 32);

		if (t && sizeof(long) == t->word)
			return t;
	}
	return NULL;
}

const char *syscall_table_name(const struct syscall_table *t)
{
	return t->name;
}

/* the places of both lists of a table, one after the other: a row or NULL, and its number */
static const struct syscall_row *row_at(const struct syscall_table *t, u32 place)
{
	u16 i = place < t->nr ? t->row[place] : t->more[place - t->nr];

	return i ? &syscall_rows()[i - 1] : NULL;
}

static u32 number_at(const struct syscall_table *t, u32 place)
{
	return place < t->nr ? t->base + place : t->more_base + place - t->nr;
}

static u32 nr_places(const struct syscall_table *t)
{
	return t->nr + t->nr_more;
}

const struct syscall_row *syscall_by_nr(const struct syscall_table *t, u32 nr)
{
	nr &= ~t->ignore;
	if (nr - t->base < t->nr)
		return row_at(t, nr - t->base);
	return nr - t->more_base < t->nr_more ? row_at(t, t->nr + nr - t->more_base) : NULL;
}

const struct syscall_row *syscall_by_name(const char *name)
{
	const struct syscall_row *rows = syscall_rows();

	for (size_t i = 0; i < NR_ROWS; i++)
		if (!strcmp(rows[i].name, name))
			return &rows[i];
	return NULL;
}

s64 syscall_nr_of(const struct syscall_table *t, const struct syscall_row *row)
{
	for (u32 i = 0; i < nr_places(t); i++)
		if (row_at(t, i) == row)
			return number_at(t, i);
	return -1;
}

const struct syscall_row *syscall_table_row(const struct syscall_table *t, size_t i, u32 *ret_nr)
{
	for (u32 k = 0; k < nr_places(t); k++) {
		if (!row_at(t, k) || i--)
			continue;
		if (ret_nr)
			*ret_nr = number_at(t, k);
		return row_at(t, k);
	}
	return NULL;
}

const char *syscall_group_at(size_t i, u32 *ret_bit, const char **ret_help)
{
	if (i >= ARRAY_SIZE(groups))
		return NULL;
	if (ret_bit)
		*ret_bit = groups[i].bit;
	if (ret_help)
		*ret_help = groups[i].help;
	return groups[i].name;
}

/* what rows say, and what their arguments say */
static u32 groups_of(const struct syscall_row *row)
{
	u32 bits = row->groups;

	for (unsigned int i = 0; i < row->nr_args; i++)
		if (row->arg[i].when == SYSCALL_ENTER && row->arg[i].count == SYSCALL_COUNT_STRING &&
		    row->arg[i].type != SYSCALL_TYPE(PRCTL_ARG2))
			bits |= SYSCALL_GROUP_STRING;
	return bits;
}

static u32 group_bit(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(groups); i++)
		if (!strcmp(groups[i].name, name))
			return groups[i].bit;
	return 0;
}

/* what matches the name or glob, or has the group; name NULL: groups alone */
static int add_rows(const struct syscall_table *t, const char *name, u32 group, struct syscall_set *set)
{
	int nr = 0;

	for (u32 i = 0; i < nr_places(t); i++) {
		const struct syscall_row *row = row_at(t, i);

		if (!row)
			continue;
		if (name ? glob_match(name, row->name) : groups_of(row) & group) {
			syscall_set_add(set, row);
			nr++;
		}
	}
	return nr;
}

static int not_found(const struct syscall_table *t, const char *word, bool sign, struct err *err)
{
	struct strbuf sb = STRBUF_INIT;
	struct nearest n;

	nearest_init(&n, word, strlen(word));
	for (u32 i = 0; !sign && i < nr_places(t); i++)
		if (row_at(t, i))
			nearest_offer(&n, row_at(t, i)->name);
	for (size_t i = 0; i < ARRAY_SIZE(groups); i++)
		nearest_offer(&n, groups[i].name);
	nearest_describe(&n, &sb);
	err_set(err, -ENOENT, "%s '%s' not found for %s programs%s",
		sign ? "group of system calls" : "system call", word, t->name, strbuf_str(&sb));
	strbuf_release(&sb);
	return -ENOENT;
}

int syscall_find_names(const struct syscall_table *t, const char *word, struct syscall_set *set,
		       struct err *err)
{
	bool sign = *word == '%' || *word == '@';
	int nr = 0;

	word += sign;
	if (!sign)
		nr = add_rows(t, word, 0, set);
	if (!nr && group_bit(word))
		nr = add_rows(t, NULL, group_bit(word), set);
	return nr ? nr : not_found(t, word, sign, err);
}
