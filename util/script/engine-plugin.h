/*
 * Ops of the plug-ins that run scripts, one for each language: a script in the one interpreter of the
 * process. Values are plain data of perf, valid during a call; text is UTF-8 as far as it can be.
 */
#ifndef PERF_SCRIPT_ENGINE_PLUGIN_H
#define PERF_SCRIPT_ENGINE_PLUGIN_H

#include "../base/types.h"

enum script_value_kind {
	VALUE_NONE, VALUE_INT, VALUE_UINT, VALUE_BOOL, VALUE_TEXT, VALUE_BYTES, VALUE_BYTEARRAY,
	VALUE_LIST, VALUE_TUPLE, VALUE_DICT,
	VALUE_CONTEXT,			/* what functions that ask about the sample are given */
	VALUE_LATER,			/* made by later() when it is needed */
	VALUE_MORE,			/* in a dictionary: the entries of the one that later() makes */
};

struct script_value {
	/* in a dictionary; the same address is always the same text. NULL: elsewhere */
	const char *key;
	enum script_value_kind kind;
	union {
		s64 i;
		u64 u;
		struct { const void *p; size_t len; } bytes;	/* of texts, too */
		struct { const struct script_value *v; u32 nr; } of;
		u32 later;		/* for later(), while the call lasts */
	};
};

/* what functions of scripts ask about the sample in hand */
enum script_question {
	ASK_COMMON_PC, ASK_COMMON_FLAGS, ASK_COMMON_LOCK_DEPTH, ASK_INSN, ASK_SRCLINE, ASK_SRCCODE,
	NR_SCRIPT_QUESTIONS
};

struct engine_script {
	const char *path;
	const char *program;		/* the interpreter whose library it is; NULL: unknown */
	int argc;			/* argv[0] is the path */
	char **argv;
	/* the answer is VALUE_NONE where there is none; valid until the next question */
	struct script_value (*ask)(void *ctx, enum script_question q);
	/* a VALUE_LATER, or the dictionary of a VALUE_MORE; valid as long as the call */
	struct script_value (*later)(void *ctx, u32 what);
	/*
	 * the words of a tracepoint's field, by the name of its function ("sched__sched_switch",
	 * "prev_state"); "" where it has none
	 */
	const char *(*words)(void *ctx, const char *event, const char *field, u64 value, bool flags);
	/* the name of a system call of the recorded machine; NULL: not known */
	const char *(*syscall)(void *ctx, int nr);
	/* a value of the user's configuration; NULL: it has none */
	const char *(*config)(const char *name);
	/* 0, or a negative errno for what --itrace does not know */
	int (*check_itrace)(const char *opts);
	void *ctx;
};

/* returned by begin(), call() and end() besides 0 */
#define ENGINE_EXIT 1			/* the script called exit(), with the status in *ret_status */
/*
 * or a negative errno: -ECANCELED after a traceback on the standard error, -EPIPE where nobody reads the
 * output any more
 */

struct engine_plugin_ops {
	/* runs the file, which defines functions */
	int (*begin)(const struct engine_script *s, int *ret_status);
	/*
	 * number of a function of the script; -1: it has none. *ret_nr: the positional arguments that it
	 * names; 0 where the language does not tell
	 */
	int (*find)(const char *name, u32 *ret_nr);
	int (*call)(int function, const struct script_value *arg, u32 nr, int *ret_status);
	/* writes what the script has printed, and ends the interpreter. Once only */
	int (*end)(void);
};

#endif
