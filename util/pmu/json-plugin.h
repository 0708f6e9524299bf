/*
 * The JSON plug-in's ops: the objects of a file one after another, as flat lists of members. It is only used
 * for event tables; the plug-in holds one object at a time, so a large file needs no more memory than its
 * text.
 */
#ifndef PERF_PMU_JSON_PLUGIN_H
#define PERF_PMU_JSON_PLUGIN_H

#include "../base/types.h"

struct json_member {
	const char *key;
	/* text of a string; numbers as written by %.15g; "true", "false"; "" for null; else compact JSON */
	const char *value;
};

/*
 * line: where the object begins, from 1. A value other than 0 ends the walk and is returned. The members are
 * freed afterwards
 */
typedef int (*json_object_fn)(void *ctx, unsigned int line, const struct json_member *m, size_t nr);

struct json_plugin_ops {
	/*
	 * The objects of the array in the text, or of every array that is a member of the object in the text
	 * ({"Header": {...}, "Events": [...]}). 0, what fn returned, or -EBADMSG: then the line and the error
	 * there.
	 */
	int (*walk)(const char *text, size_t len, json_object_fn fn, void *ctx, unsigned int *ret_line,
		    char *msg, size_t msg_size);
};

#endif
