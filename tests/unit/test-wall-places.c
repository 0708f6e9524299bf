/* Stacks and files of switches, which BPF programs tell once. */
#include "test.h"

#include <stddef.h>
#include <string.h>
#include "../../util/record/wall-places.h"

#define HEAD ((u32)offsetof(struct wall_switch, ip))

static struct wall_switch switch_at(u16 place, u32 flags)
{
	return (struct wall_switch){ .nr_kernel = 1, .nr_user = 1, .place = place, .flags = flags,
				     .ip = { 0xff00 + place, 0x10 } };
}

TEST(wall_places_know_what_was_told_for_a_number)
{
	struct wall_switch told = switch_at(3, 0), other = switch_at(4, 0);
	struct wall_switch old = switch_at(3, WALL_OLD_PLACE);
	struct wall_places p = { 0 };
	const u64 *ip;

	CHECK(!wall_places_take(&p, &old, HEAD));
	CHECK(wall_places_take(&p, &told, HEAD + 16));
	CHECK(wall_places_take(&p, &other, HEAD + 16));
	ip = wall_places_take(&p, &old, HEAD);
	CHECK(ip && ip[0] == 0xff03 && ip[1] == 0x10);
	/* another stack takes the number */
	told.ip[0] = 0xee;
	CHECK(wall_places_take(&p, &told, HEAD + 16));
	ip = wall_places_take(&p, &old, HEAD);
	CHECK(ip && ip[0] == 0xee);
	/* of nothing there is nothing to know */
	old.nr_kernel = old.nr_user = 0;
	CHECK(wall_places_take(&p, &old, HEAD));
	wall_places_release(&p);
}

TEST(wall_places_have_files)
{
	struct wall_switch told = switch_at(0, 0), old = switch_at(0, WALL_OLD_PLACE);
	const struct wall_file file = { .inode = 77, .name = "log" };
	struct wall_places p = { 0 };
	const u64 *ip;

	told.has_file = old.has_file = 1;
	memcpy(told.ip + 2, &file, sizeof(file));
	CHECK(wall_places_take(&p, &told, HEAD + 16 + sizeof(file)));
	ip = wall_places_take(&p, &old, HEAD);
	CHECK(ip && !memcmp(ip + 2, &file, sizeof(file)));
	wall_places_release(&p);
}

TEST(wall_places_refuse_damaged_records)
{
	struct wall_switch told = switch_at(3, 0), bad = told;
	struct wall_places p = { 0 };

	CHECK(!wall_places_take(&p, &told, HEAD - 1));
	CHECK(!wall_places_take(&p, &told, HEAD + 15));
	bad.nr_kernel = WALL_MAX_KERNEL + 1;
	CHECK(!wall_places_take(&p, &bad, sizeof(bad)));
	bad = told;
	bad.place = WALL_NR_PLACES;
	CHECK(!wall_places_take(&p, &bad, sizeof(bad)));
	/* other numbers of frames than those of that place */
	CHECK(wall_places_take(&p, &told, HEAD + 16));
	bad = switch_at(3, WALL_OLD_PLACE);
	bad.nr_user = 2;
	CHECK(!wall_places_take(&p, &bad, HEAD));
	wall_places_release(&p);
}
