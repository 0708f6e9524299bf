/*
 * The JSON plug-in's ops: a file's objects one after the other, as flat lists of members. Only event tables are read with it;
 * the plug-in holds one object at a time, so a large file costs no more than its text.
 */
#ifndef PERF_PMU_JSON_PLUGIN_H
#define PERF_PMU_JSON_PLUGIN_H

#include "../base/types.h"

struct json_member {
	const char *key;
	const char *value;	/* text of a string; numbers as written by %.15g; "true", "false"; "" for null; else compact JSON */
};

/* line: where the object begins, from 1. Anything but 0 ends the walk with that value. The members are gone afterwards */
typedef int (*json_object_fn)(void *ctx, unsigned int line, const struct json_member *m, size_t nr);

struct json_plugin_ops {
	/*
	 * The objects of the array that the text is, or of every array that is a member of the object that the text is
	 * ({"Header": {...}, "Events": [...]}). 0, what fn returned, or -EBADMSG: then the line and what is wrong there.
	 */
	int (*walk)(const char *text, size_t len, json_object_fn fn, void *ctx, unsigned int *ret_line, char *msg,
		    size_t msg_size);
};

#endif
