/* Filters of samples: the text, and the program. */
#include "test.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include "../../util/bpf/bpf-filter-private.h"
#include "../../util/kernel/bpf-programs.h"

static struct err err;

static const char *mistake(const char *text)
{
	struct bpf_filter f = { 0 };

	err_clear(&err);
	CHECK_INT(bpf_filter_parse(&f, text, "cs", &err), -EINVAL);
	bpf_filter_release(&f);
	return err.msg;
}

TEST(texts_become_conditions)
{
	struct bpf_filter f = { 0 };

	REQUIRE(!bpf_filter_parse(&f, " cpu==1,mem_op == load||mem_op& store , ip <= 0xfFf ", "cs", &err));
	REQUIRE(!bpf_filter_parse(&f, "mem_snoop == peer", "cs", &err));
	REQUIRE(f.compare.nr == 5);
	CHECK_STR(f.compare.v[0].term->name, "cpu");
	CHECK_INT(f.compare.v[0].op, BPF_JEQ);
	CHECK(!f.compare.v[0].more && f.compare.v[1].more && !f.compare.v[2].more);
	CHECK_U64(f.compare.v[1].value, PERF_MEM_OP_LOAD);
	CHECK_INT(f.compare.v[2].op, BPF_JSET);
	CHECK_U64(f.compare.v[2].value, PERF_MEM_OP_STORE);
	CHECK_INT(f.compare.v[3].op, BPF_JLE);
	CHECK_U64(f.compare.v[3].value, 0xfff);
	CHECK_U64(f.compare.v[4].value, PERF_MEM_SNOOPX_PEER << 5);
	bpf_filter_release(&f);
}

TEST(mistakes_are_explained)
{
	CHECK_STR(mistake("cpi == 1"),
		  "filter of 'cs': a sample does not have this term (did you mean 'cpu', 'ip', 'pid'?)");
	CHECK(strstr(err.hints, "ip id tid"));
	CHECK_STR(mistake(""), "filter of 'cs': a term is expected here");
	CHECK_STR(mistake("cpu == 1,"), "filter of 'cs': a term is expected here");
	CHECK_STR(mistake("cpu = 1"), "filter of 'cs': an operator is expected here: == != < <= > >= &");
	CHECK_STR(mistake("cpu == load"), "filter of 'cs': a number is expected here");
	CHECK_STR(mistake("cpu == -1"), "filter of 'cs': a number is expected here");
	CHECK_STR(mistake("cpu == 1x"), "filter of 'cs': a number is expected here");
	CHECK_STR(mistake("cpu == 99999999999999999999999999999999999999999"),
		  "filter of 'cs': a number is expected here");
	CHECK_STR(mistake("mem_op == l1"),
		  "filter of 'cs': a number or a word of this term is expected here");
	CHECK_STR(err.hints, "words of mem_op: na load store pfetch exec");
	CHECK_STR(mistake("cpu == 1 && pid == 2"), "filter of 'cs': ',' (and) or '||' (or) is expected here");
}

TEST(many_conditions_are_refused)
{
	char text[64 * 10 + 10];
	struct bpf_filter f = { 0 };

	for (u32 i = 0; i < 64; i++)
		strcpy(text + i * 9, "cpu == 1,");
	text[64 * 9 - 1] = '\0';
	CHECK_INT(bpf_filter_parse(&f, text, "cs", &err), 0);
	CHECK_INT(bpf_filter_parse(&f, "cpu == 1", "cs", &err), -EINVAL);
	CHECK_STR(err.msg, "filter of 'cs': there are too many conditions: at most 64");
	bpf_filter_release(&f);
}

TEST(samples_must_have_the_number)
{
	struct bpf_filter f = { 0 };
	struct event ev = { .name = "cs", .attr = { .sample_type = PERF_SAMPLE_IP } };

	REQUIRE(!bpf_filter_parse(&f, "cpu == 1, weight > 3", "cs", &err));
	CHECK_INT(bpf_filter_check(&f, &ev, &err), -EINVAL);
	CHECK_STR(err.msg, "filter of 'cs': its samples have no weight");
	CHECK_STR(err.hints, "-W records it");
	ev.attr.sample_type |= PERF_SAMPLE_WEIGHT_STRUCT;
	CHECK_INT(bpf_filter_check(&f, &ev, &err), 0);
	bpf_filter_release(&f);
}

static struct bpf_insn loaded[64];
static u32 nr_loaded;

static long take_program(int cmd, void *attr, unsigned int size UNUSED)
{
	const union bpf_attr *a = attr;

	if (cmd != BPF_PROG_LOAD || a->insn_cnt > ARRAY_SIZE(loaded))
		return -EINVAL;
	nr_loaded = a->insn_cnt;
	memcpy(loaded, (const void *)(uintptr_t)a->insns, nr_loaded * sizeof(*loaded));
	return -EPERM;
}

/* runs what a filter without helpers but these two needs: 1 if it keeps a sample of that CPU and task */
static u64 run_program(u64 cpu, u64 task)
{
	u64 reg[11] = { 0 };

	for (u32 at = 0, steps = 0; at < nr_loaded && steps < 1000; at++, steps++) {
		const struct bpf_insn *i = &loaded[at];
		bool x = BPF_SRC(i->code) == BPF_X, jump = false;
		u64 *dst = &reg[i->dst_reg], src = x ? reg[i->src_reg] : (u64)(s64)i->imm;

		if (i->code == (BPF_JMP | BPF_EXIT))
			return reg[0];
		if (i->code == (BPF_LD | BPF_DW | BPF_IMM)) {
			*dst = (u32)i->imm | (u64)(u32)loaded[++at].imm << 32;
			continue;
		}
		if (i->code == (BPF_JMP | BPF_CALL)) {
			reg[0] = i->imm == BPF_FUNC_get_smp_processor_id ? cpu : task;
			continue;
		}
		if (BPF_CLASS(i->code) == BPF_ALU64) {
			*dst = BPF_OP(i->code) == BPF_MOV ? src : BPF_OP(i->code) == BPF_RSH ? *dst >> src :
			       BPF_OP(i->code) == BPF_AND ? *dst & src : 99;
			continue;
		}
		switch (BPF_OP(i->code)) {
		case BPF_JA: jump = true; break;
		case BPF_JEQ: jump = *dst == src; break;
		case BPF_JNE: jump = *dst != src; break;
		case BPF_JGT: jump = *dst > src; break;
		case BPF_JGE: jump = *dst >= src; break;
		case BPF_JLT: jump = *dst < src; break;
		case BPF_JLE: jump = *dst <= src; break;
		case BPF_JSET: jump = *dst & src; break;
		}
		at += jump ? i->off : 0;
	}
	return 99;
}

static void program_of(const char *text)
{
	struct bpf_filter f = { 0 };
	struct bpf_prog p = BPF_PROG_INIT;

	bpf_set_syscall_for_test(take_program);
	REQUIRE(!bpf_filter_parse(&f, text, "cs", &err));
	CHECK_INT(bpf_filter_load(&f, NULL, (struct filter_count){ NULL }, &p, &err), -EPERM);
	bpf_filter_release(&f);
}

TEST(comma_is_and_bars_are_or)
{
	program_of("cpu == 1 || cpu == 3, tid > 10, pid & 4");
	CHECK_U64(run_program(1, 4ull << 32 | 11), 1);
	CHECK_U64(run_program(3, 7ull << 32 | 11), 1);
	CHECK_U64(run_program(2, 4ull << 32 | 11), 0);
	CHECK_U64(run_program(1, 4ull << 32 | 10), 0);
	CHECK_U64(run_program(1, 8ull << 32 | 11), 0);
	program_of("cpu != 1, cpu >= 1, cpu <= 5, cpu < 5");
	CHECK_U64(run_program(0, 0), 0);
	CHECK_U64(run_program(1, 0), 0);
	CHECK_U64(run_program(4, 0), 1);
	CHECK_U64(run_program(5, 0), 0);
}
