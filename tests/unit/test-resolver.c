/* Resolver: the whole chain of a sample, whatever its parts were recorded as. */
#include "side.h"
#include "test.h"
#include "../../util/event/record-type.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <linux/perf_event.h>
#include "../../util/resolve/deferred.h"
#include "../../util/resolve/plain-chain.h"
#include "../../util/resolve/resolver.h"

static struct diag diag;
static struct arena scratch;
static struct data data = { .feat = { .e_machine = EM_X86_64 } };
static struct session session = { .data = &data, .has_time = true };
static struct resolver resolver;
static struct event event;

static void prepare(void)
{
	struct side s = { 0 };

	side_mmap2(&s, 1, CPUMODE_USER, 1, 1, 0x1000, 0x1000, 0, "/nowhere/prog");
	session.machine = side_machine(&s, &diag);
	resolver_init(&resolver, &session, &scratch);
}

/* the rest of a chain, as "k81000100 U1010"; '?': on neither side; capitals: return addresses */
static const char *frames(struct sample_chain *chain)
{
	static const char sides[][4] = { "?ku", "?KU" };
	static char text[256];
	struct chain_run run;
	size_t len = 0;

	text[0] = '\0';
	while (sample_chain_next(chain, &run))
		for (u64 i = 0; i < run.nr; i++)
			len += snprintf(text + len, sizeof(text) - len, "%s%c%lx", len ? " " : "",
					sides[chain_run_is_caller(&run, i)][run.cpumode], run.ip[i]);
	return text;
}

static const char *chain_of(const struct sample *s, u64 max)
{
	struct sample_ctx ctx = machine_sample_ctx(session.machine, 1, 1, (struct when){ .time = 5 });
	struct sample_chain chain = sample_chain_of(&resolver, s, &ctx, max), again = chain;
	static char first[256];

	snprintf(first, sizeof(first), "%s", frames(&chain));
	CHECK_STR(frames(&again), first);
	return first;
}

TEST(calls_of_the_processor_take_the_place_of_the_user_part)
{
	static const u64 ips[] = { CHAIN_KERNEL, 0x8100, CHAIN_USER, 0x1010, 0x1999 };
	static const struct branch_entry calls[] = { { .from = 0x1020 }, { .from = 0x1030 } };
	struct sample s = { .event = &event, .callchain = ips, .nr_callchain = 5, .branches = calls,
			    .nr_branches = 2, .cpumode = CPUMODE_KERNEL };

	prepare();
	CHECK_STR(chain_of(&s, 127), "k8100 u1010 U1999");
	event.attr.branch_sample_type = PERF_SAMPLE_BRANCH_CALL_STACK;
	CHECK_STR(chain_of(&s, 127), "k8100 u1010 u1020 u1030");
	CHECK_STR(chain_of(&s, 3), "k8100 u1010 u1020");
	CHECK(s.callchain == ips && s.nr_callchain == 5);
}

TEST(unwound_frames_follow_the_recorded_ones)
{
	static const u64 ips[] = { CHAIN_KERNEL, 0x8100, 0x8200 }, regs[] = { 0x7000, 0x1010 };	/* sp, ip */
	static const u8 stack[64];
	struct sample s = { .event = &event, .callchain = ips, .nr_callchain = 3, .user_abi = 2,
			    .user_regs = regs, .user_stack = stack, .user_stack_size = sizeof(stack),
			    .cpumode = CPUMODE_KERNEL };

	prepare();
	session.symbols = symbols_new(machine_dsos(session.machine), &(struct sym_opts)SYM_OPTS_INIT);
	event.attr.sample_regs_user = 1u << 7 | 1u << 8;
	CHECK_STR(chain_of(&s, 127), "k8100 K8200 u1010");
	CHECK_STR(chain_of(&s, 3), "k8100 K8200 u1010");
	CHECK_STR(chain_of(&s, 2), "k8100 K8200");
	CHECK_STR(chain_of(&s, 1), "k8100");
}

TEST(a_cookie_stays_where_nothing_was_recorded_later)
{
	static const u64 ips[] = { CHAIN_KERNEL, 0x8100, CHAIN_USER_DEFERRED, 77 };
	struct sample s = { .event = &event, .callchain = ips, .nr_callchain = 4, .deferred_cookie = 77,
			    .tid = 1 };
	struct sample_ctx ctx = { .when.time = 5 };
	struct sample_chain chain;

	prepare();
	chain = sample_chain_of(&resolver, &s, &ctx, 127);
	CHECK_STR(frames(&chain), "k8100");
	REQUIRE(chain.walk.cookie);
	CHECK_U64(*chain.walk.cookie, 77);
}

/* "1 2 3": the unwound frames after user was spliced on them */
static const char *spliced(u64 nr, const u64 *unwound, u64 nr_user, const u64 *user)
{
	static char text[256];
	u64 all[16];
	int len = 0;

	memcpy(all, unwound, nr * sizeof(*all));
	nr = chain_splice(all, nr, 8, user, nr_user);
	text[0] = '\0';
	for (u64 i = 0; i < nr; i++)
		len += snprintf(text + len, sizeof(text) - len, i ? " %lx" : "%lx", all[i]);
	return text;
}

TEST(frame_pointers_continue_a_cut_stack)
{
	/* callers are unwound to the byte before the return address */
	static const u64 unwound[] = { 0x10, 0x1f, 0x2f }, twice[] = { 0x10, 0x2f, 0x2f };

	/* a frame that the kernel did not see */
	CHECK_STR(spliced(3, unwound, 3, (u64[]){ 0x10, 0x30, 0x40 }), "10 1f 2f 40");
	CHECK_STR(spliced(3, unwound, 2, (u64[]){ 0x10, 0x30 }), "10 1f 2f");
	/* not there, or several times: nothing is proven */
	CHECK_STR(spliced(3, unwound, 3, (u64[]){ 0x10, 0x20, 0x40 }), "10 1f 2f");
	CHECK_STR(spliced(3, unwound, 4, (u64[]){ 0x10, 0x30, 0x30, 0x40 }), "10 1f 2f");
	CHECK_STR(spliced(3, twice, 3, (u64[]){ 0x10, 0x30, 0x40 }), "10 2f 2f");
	/* unless both agree from the start */
	CHECK_STR(spliced(3, twice, 5, (u64[]){ 0x10, 0x30, 0x30, 0x30, 0x40 }), "10 2f 2f 30 40");
	/* no more than there is room for */
	CHECK_STR(spliced(3, unwound, 9, (u64[]){ 0x10, 0x30, 1, 2, 3, 4, 5, 6, 7 }), "10 1f 2f 1 2 3 4 5");
	CHECK_STR(spliced(0, unwound, 1, (u64[]){ 0x10 }), "");
}

TEST(frame_pointers_are_not_shown_beside_unwound_frames)
{
	static const u64 ips[] = { CHAIN_KERNEL, 0x8100, CHAIN_USER, 0x1010, 0x1030, 0x1040 };
	static const u64 regs[] = { 0, 0x7000, 0x1010 };	/* BP, SP, IP */
	static const u8 stack[8];
	struct event dump = { .attr = { .sample_regs_user = 0x1c0 } };
	struct sample s = { .event = &dump, .callchain = ips, .nr_callchain = 6, .user_abi = 2,
			    .user_regs = regs, .user_stack = stack, .user_stack_size = 8 };
	struct sample_chain chain;
	struct sample_ctx ctx;

	prepare();
	ctx = machine_sample_ctx(session.machine, 1, 1, (struct when){ .time = 5 });
	session.symbols = symbols_new(machine_dsos(session.machine), &(struct sym_opts)SYM_OPTS_INIT);
	chain = sample_chain_of(&resolver, &s, &ctx, 127);
	/* a frame pointer of 0: the program says that this is its first function */
	CHECK_STR(frames(&chain), "k8100 u1010");
	CHECK_INT(sample_chain_why(&chain), STACK_COMPLETE);
}

TEST(sides_of_addresses_before_the_first_marker)
{
	static const u64 ips[] = { 0x1010, 0x9010 };
	struct sample s = { .event = &event, .callchain = ips, .nr_callchain = 2 };
	struct sample_ctx ctx = { .when.time = 5 };
	struct frame_loc found[4];

	prepare();
	ctx = machine_sample_ctx(session.machine, 1, 1, (struct when){ .time = 5 });
	CHECK_INT(chain_resolve(&resolver, &s, &ctx, found, 4), 2);
	CHECK_INT(found[0].loc.cpumode, CPUMODE_USER);
	CHECK_STR(dsos_at(machine_dsos(session.machine), found[0].loc.dso)->long_name, "/nowhere/prog");
	CHECK_INT(found[1].loc.cpumode, CPUMODE_KERNEL);
	CHECK(found[1].loc.dso == ID_NONE);
}

/* a SAMPLE of 20 words at most: what is before the chain, the chain, what is between it and the dump, ... */
TEST(sample_with_a_stack_becomes_one_with_a_chain)
{
	static const u64 words[] = {
		0x1010, (u64)1 << 32 | 1, 5,			/* ip; pid, tid; time */
		3, CHAIN_KERNEL, 0x8100, CHAIN_USER,		/* chain */
		2, 0, 0x7000, 0x1010, 16, 0x7010, 0x1031, 16,	/* ABI, registers, stack */
		77,						/* weight */
	};
	struct {
		struct rec_header h;
		u64 words[ARRAY_SIZE(words)];
	} raw = { .h = { REC_SAMPLE, 2, sizeof(raw) } };
	struct evset *set = evset_new();
	struct event *ev = evset_add(set, "dump");
	struct rec rec = { .p = (const u8 *)&raw, .size = sizeof(raw), .type = REC_SAMPLE, .misc = 2 };
	struct strbuf out = STRBUF_INIT;
	struct sample s;
	struct sample_ctx ctx;

	prepare();
	memcpy(raw.words, words, sizeof(words));
	ctx = machine_sample_ctx(session.machine, 1, 1, (struct when){ .time = 5 });
	session.symbols = symbols_new(machine_dsos(session.machine), &(struct sym_opts)SYM_OPTS_INIT);
	ev->attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN |
			       PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_WEIGHT;
	ev->attr.sample_regs_user = 0x1c0;
	ev->attr.sample_stack_user = 16;
	REQUIRE(!sample_decode(sample_plan_new(set), &rec, &s, &scratch));
	REQUIRE(!sample_plain_chain(&resolver, &rec, &s, &ctx, &out));
	plain_chain_attr(&ev->attr);
	rec = (struct rec){ .p = (const u8 *)out.buf, .size = out.len, .type = REC_SAMPLE, .misc = 2 };
	CHECK_INT(((const struct rec_header *)(out.buf))->size, out.len);
	REQUIRE(!sample_decode(sample_plan_new(set), &rec, &s, &scratch));
	CHECK_U64(s.ip, 0x1010);
	CHECK_U64(s.time, 5);
	CHECK_U64(s.weight, 77);
	CHECK(!s.user_stack && !s.user_regs);
	CHECK_U64(s.nr_callchain, 4);
	CHECK_U64(s.callchain[1], 0x8100);
	CHECK_U64(s.callchain[2], CHAIN_USER);
	CHECK_U64(s.callchain[3], 0x1010);
	/* the other byte order is not converted */
	rec.swap = true;
	s.user_stack = out.buf;
	CHECK_INT(sample_plain_chain(&resolver, &rec, &s, &ctx, &out), -ENOTSUP);
}
