/* Chain options: what -g says about call graphs: how they are shown, and what is left out. */
#ifndef PERF_HIST_CHAIN_OPTS_H
#define PERF_HIST_CHAIN_OPTS_H

#include "../base/err.h"
#include "../base/types.h"

enum chain_mode { CHAIN_MODE_NONE, CHAIN_MODE_FLAT, CHAIN_MODE_GRAPH, CHAIN_MODE_FRACTAL, CHAIN_MODE_FOLDED };
enum chain_key { CHAIN_KEY_FUNCTION, CHAIN_KEY_ADDRESS, CHAIN_KEY_SRCLINE };
enum chain_value { CHAIN_VALUE_PERCENT, CHAIN_VALUE_PERIOD, CHAIN_VALUE_COUNT };

struct chain_opts {
	enum chain_mode mode;
	enum chain_key key;
	enum chain_value value;
	bool caller;		/* order: caller first; else callee first */
	bool caller_set, key_set;	/* the user chose the order, the key */
	bool branch;		/* chains begin with the branches of branch stacks */
	double min_percent;
	u32 print_limit;	/* lines per entry; 0: no limit */
};
#define CHAIN_OPTS_INIT { .mode = CHAIN_MODE_GRAPH, .caller = true, .min_percent = 0.5 }

/*
 * "print_type,threshold,print_limit,order,sort_key,branch,value" in any order of words; 0 or negative errno
 */
int chain_opts_parse(struct chain_opts *o, const char *arg, struct err *err);
/* the same for the i-th configuration variable; its name is chain_config_key[i], NULL after the last one */
extern const char *const chain_config_key[];
int chain_opts_config(struct chain_opts *o, u32 i, const char *value, struct err *err);

#endif
