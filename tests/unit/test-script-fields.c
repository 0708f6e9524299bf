/* Fields of perf script: -F parsed, defaults fitted to what was sampled; digits. */
#include "test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../../util/base/digits.h"
#include "../../util/script/fields.h"

static struct evset *set_of(u32 type, u64 sample_type)
{
	struct evset *set = evset_new();
	struct event *ev = evset_add(set, "ev");

	ev->attr.type = type;
	ev->attr.sample_type = sample_type;
	return set;
}

TEST(defaults_drop_what_was_not_sampled)
{
	struct evset *set = set_of(PERF_TYPE_HARDWARE, PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME);
	struct script_caps caps = { .callchain = true };
	struct err err = ERR_INIT;
	struct script_fields f;

	script_fields_init(&f);
	CHECK(f.mask[ST_HARDWARE] & FIELD_BIT(CPU));
	CHECK_INT(script_fields_check(&f, set, &caps, &err), 0);
	CHECK(!(f.mask[ST_HARDWARE] & FIELD_BIT(CPU)));
	CHECK(f.mask[ST_HARDWARE] & FIELD_BIT(IP));
	script_fields_release(&f);
	evset_free(set);
}

TEST(asked_for_and_not_sampled_is_an_error)
{
	struct evset *set = set_of(PERF_TYPE_HARDWARE, PERF_SAMPLE_IP | PERF_SAMPLE_TID);
	struct script_caps caps = { .callchain = true };
	struct err err = ERR_INIT;
	struct script_fields f;

	script_fields_init(&f);
	CHECK_INT(script_fields_parse(&f, "+cpu", &err), 0);
	CHECK_INT(script_fields_check(&f, set, &caps, &err), -EINVAL);
	CHECK_STR(err.msg, "Samples for 'ev' event do not have CPU attribute set. Cannot print 'cpu' field.");
	script_fields_release(&f);
	evset_free(set);
}

TEST(lists_types_and_signs)
{
	struct err err = ERR_INIT;
	struct script_fields f;

	script_fields_init(&f);
	CHECK_INT(script_fields_parse(&f, "sw:comm,ip", &err), 0);
	CHECK(f.mask[ST_SOFTWARE] == (FIELD_BIT(COMM) | FIELD_BIT(IP)));
	CHECK(f.mask[ST_HARDWARE] & FIELD_BIT(TIME));
	CHECK_INT(script_fields_parse(&f, "-time,+addr", &err), 0);
	CHECK(!(f.mask[ST_HARDWARE] & FIELD_BIT(TIME)));
	CHECK(f.mask[ST_HARDWARE] & FIELD_BIT(ADDR));
	CHECK_INT(script_fields_parse(&f, "comm,+ip", &err), -EINVAL);
	CHECK_INT(script_fields_parse(&f, "nothing", &err), -EINVAL);
	CHECK_INT(script_fields_parse(&f, "xx:ip", &err), -EINVAL);
	CHECK_INT(script_fields_parse(&f, "", &err), -EINVAL);
	CHECK_INT(script_fields_parse(&f, "ip,brstackinsn", &err), 0);
	CHECK(f.mask[ST_HARDWARE] == (FIELD_BIT(IP) | FIELD_BIT(BRSTACKINSN)));
	CHECK_INT(script_fields_parse(&f, "trace", &err), 0);
	CHECK(f.notes.len > 0);
	CHECK(f.mask[ST_TRACEPOINT] == FIELD_BIT(TRACE));
	script_fields_release(&f);
}

static void check_number(u64 v)
{
	char got[64], want[64];

	*put_dec(got, v, 0) = '\0';
	snprintf(want, sizeof(want), "%llu", (unsigned long long)v);
	CHECK_STR(got, want);
	*put_dec(got, v, 10) = '\0';
	snprintf(want, sizeof(want), "%10llu", (unsigned long long)v);
	CHECK_STR(got, want);
	*put_hex(got, v) = '\0';
	snprintf(want, sizeof(want), "%llx", (unsigned long long)v);
	CHECK_STR(got, want);
	*put_hex_spilling(got, v) = '\0';
	CHECK_STR(got, want);
	*put_hex16(got, v) = '\0';
	snprintf(want, sizeof(want), "%16llx", (unsigned long long)v);
	CHECK_STR(got, want);
	*put_digits_fixed(got, v % 1000000, 6) = '\0';
	snprintf(want, sizeof(want), "%06llu", (unsigned long long)(v % 1000000));
	CHECK_STR(got, want);
}

TEST(digits_as_printf_writes_them)
{
	for (int shift = 0; shift < 64; shift++) {
		check_number(1ull << shift);
		check_number((1ull << shift) - 1);
	}
	check_number(UINT64_MAX);
	for (u64 v = 1; v < UINT64_MAX / 10; v *= 10)
		check_number(v);
}

TEST(of_several_kinds_the_first_is_complained_about)
{
	struct evset *set = set_of(PERF_TYPE_RAW, PERF_SAMPLE_IP);
	struct event *sw = evset_add(set, "soft");
	struct script_caps caps = { .callchain = true };
	struct err err = ERR_INIT;
	struct script_fields f;

	sw->attr.type = PERF_TYPE_SOFTWARE;
	sw->attr.sample_type = PERF_SAMPLE_IP;
	script_fields_init(&f);
	CHECK_INT(script_fields_parse(&f, "+addr", &err), 0);
	CHECK_INT(script_fields_check(&f, set, &caps, &err), -EINVAL);
	CHECK(strstr(err.msg, "'soft' event"));
	script_fields_release(&f);
	evset_free(set);
}
