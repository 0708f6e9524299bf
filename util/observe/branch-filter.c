/* Branch filters: record -j words to PERF_SAMPLE_BRANCH_* bits. */
#include "sample-parse.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <strings.h>
#include "../base/option-words.h"

int parse_branch_filter(const char *s, u64 *ret, struct err *err)
{
	static const struct {
		const char *name;
		u64 bit;
	} words[] = {
#define BRANCH(name, bit) { name, 1ull << (bit) },
#include "branch-filter.def"
#undef BRANCH
	};
	const u64 privilege = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_KERNEL | PERF_SAMPLE_BRANCH_HV;
	char word[64];
	u64 mask = 0;

	while (next_word(&s, word, sizeof(word))) {
		size_t i;

		for (i = 0; i < ARRAY_SIZE(words) && strcasecmp(word, words[i].name); i++)
			;
		if (i == ARRAY_SIZE(words)) {
			err_set(err, -EINVAL, "unknown branch filter '%s'", word);
			err_hint(err, "filters: any any_call any_ret ind_call ind_jmp cond call abort_tx "
				 "in_tx no_tx stack no_flags no_cycles save_type hw_index priv counter, "
				 "and for privilege u k hv");
			return -EINVAL;
		}
		mask |= words[i].bit;
	}
	/* only privilege levels are given: all kinds of branches at these levels */
	if (!(mask & ~privilege))
		mask |= PERF_SAMPLE_BRANCH_ANY;
	*ret = mask;
	return 0;
}
