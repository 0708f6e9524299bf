/* Parsers of single record options: call graph, branch filter, registers, clock. */
#include "sample-parse.h"
#include "callgraph-words.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include "../kernel/open.h"
#include "../base/option-words.h"
#include "../base/fs.h"
#include "../base/units.h"
#include "../../arch/arch.h"

#define STACK_DUMP_MAX 65528u	/* maximum, because the record's size field has 16 bits */
#define STACK_DUMP_DEFAULT 8192u

static int parse_dump_size(const char *word, struct callgraph_opts *ret, struct err *err)
{
	u64 size;

	if (parse_size(word, &size) || !size || size > STACK_DUMP_MAX)
		return err_set(err, -EINVAL,
			       "stack dump size '%s' is not possible: 8 to %u bytes, in steps of 8", word,
			       STACK_DUMP_MAX);
	ret->dump_size = ALIGN_UP((u32)size, 8);
	return 0;
}

static const struct {
	const char *name;
	enum callgraph_mode mode;
} modes[] = {
	{ "fp", CALLGRAPH_FP }, { "dwarf", CALLGRAPH_DWARF }, { "lbr", CALLGRAPH_LBR },
	{ "no", CALLGRAPH_NONE },
};

void callgraph_words_add(struct strbuf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		strbuf_addf(out, "%s\n", modes[i].name);
}

int parse_callgraph(const char *s, struct callgraph_opts *ret, struct err *err)
{
	char word[64] = "";
	size_t i = ARRAY_SIZE(modes);

	if (next_word(&s, word, sizeof(word)))
		for (i = 0; i < ARRAY_SIZE(modes) && strcmp(word, modes[i].name); i++)
			;
	if (i == ARRAY_SIZE(modes)) {
		err_set(err, -EINVAL, "unknown call-graph mode '%s': fp, dwarf[,SIZE][,fp] or lbr",
			*word ? word : s);
		return -EINVAL;
	}
	ret->mode = modes[i].mode;
	ret->max_stack = 0;
	ret->defer = ret->user_chain = false;
	ret->dump_size = ret->mode == CALLGRAPH_DWARF ? STACK_DUMP_DEFAULT : 0;
	while (next_word(&s, word, sizeof(word))) {
		u64 v;

		if (ret->mode == CALLGRAPH_DWARF && !strcmp(word, "fp")) {
			ret->user_chain = true;
		} else if (ret->mode == CALLGRAPH_DWARF) {
			int rc = parse_dump_size(word, ret, err);

			if (rc)
				return rc;
		} else if (ret->mode == CALLGRAPH_FP && !strcmp(word, "defer")) {
			ret->defer = true;
		} else if (ret->mode == CALLGRAPH_FP && !parse_u64(word, &v) && v && v <= UINT16_MAX) {
			ret->max_stack = v;
		} else {
			return err_set(err, -EINVAL, "call-graph mode %s does not take '%s'", modes[i].name,
				       word);
		}
	}
	return 0;
}

/* ---- clocks ---- */

static const struct {
	const char *name, *alias;
	s32 id;
} clocks[] = {
	{ "realtime", "real", CLOCK_REALTIME },
	{ "monotonic", "mono", CLOCK_MONOTONIC },
	{ "monotonic_raw", "raw", CLOCK_MONOTONIC_RAW },
	{ "boottime", "boot", CLOCK_BOOTTIME },
	{ "tai", NULL, CLOCK_TAI },
};

int parse_clockid(const char *s, s32 *ret, struct err *err)
{
	const char *name = strncasecmp(s, "CLOCK_", 6) ? s : s + 6;
	u64 v;

	bool number = !parse_u64(s, &v);

	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++)
		if ((number && v == (u64)clocks[i].id) || !strcasecmp(name, clocks[i].name) ||
		    (clocks[i].alias && !strcasecmp(name, clocks[i].alias)) ||
		    (clocks[i].id == CLOCK_MONOTONIC_RAW && !strcasecmp(name, "mono_raw"))) {
			*ret = clocks[i].id;
			return 0;
		}
	return err_set(err, -EINVAL, "'%s' is not a clock that the kernel supports for events: monotonic, "
		       "monotonic_raw, realtime, boottime, tai, or a clock's number", s);
}

const char *clockid_name(s32 clockid)
{
	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++)
		if (clocks[i].id == clockid)
			return clocks[i].name;
	return "unknown";
}

/* ---- registers ---- */

/*
 * Vector registers and the like are sampled only if the CPU has them and the kernel knows the bit: this is
 * tried with an event of the calling thread, which is closed at once.
 */
static u64 intr_regs_available(const struct arch *a)
{
	struct pe_attr attr = {
		.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES, .sample_period = 1,
		.sample_regs_intr = a->intr_regs_extra,
		.sample_type = PERF_SAMPLE_REGS_INTR,
		.flags = ATTR_DISABLED | ATTR_EXCLUDE_KERNEL | 1ull << ATTR_PRECISE_SHIFT,
	};
	int fd;

	if (!a->intr_regs_extra)
		return a->user_regs_default;
	attr.size = attr_size_needed(&attr);
	fd = open_raw(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0)
		close_raw(fd);
	return a->user_regs_default | (fd >= 0 ? a->intr_regs_extra : 0);
}

static int list_regs(const struct arch *a, u64 avail, struct err *err)
{
	struct strbuf sb = STRBUF_INIT;

	for (u32 i = 0; i < a->nr_regs && i < 64; i++)
		if ((avail & (1ull << i)) && arch_reg_name(a, i))
			strbuf_addf(&sb, " %s", arch_reg_name(a, i));
	err_set(err, -ECANCELED, "available registers:%s", strbuf_str(&sb));
	strbuf_release(&sb);
	return -ECANCELED;
}

int parse_sample_regs(const char *s, bool intr, u64 *ret_mask, struct err *err)
{
	const struct arch *a = arch_native();
	u64 avail, mask = 0;
	char word[64];

	if (!a)
		return err_set(err, -EOPNOTSUPP, "registers of this architecture are not known");
	avail = intr ? intr_regs_available(a) : a->user_regs_default;
	if (s && !strcmp(s, "?"))
		return list_regs(a, avail, err);
	while (s && next_word(&s, word, sizeof(word))) {
		u32 i;

		for (i = 0; i < a->nr_regs && i < 64; i++)
			if ((avail & (1ull << i)) && arch_reg_name(a, i) &&
			    !strcasecmp(word, arch_reg_name(a, i)))
				break;
		if (i == a->nr_regs || i == 64) {
			err_set(err, -EINVAL, "unknown register '%s' ('%s' lists them)", word,
				intr ? "--intr-regs=?" : "--user-regs=?");
			return -EINVAL;
		}
		mask |= 1ull << i;
	}
	/* no list: the registers that any kernel provides; vector registers only by name */
	*ret_mask = mask ? mask : a->user_regs_default;
	return 0;
}
