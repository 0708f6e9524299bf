/* What the files of perf data share. */
#ifndef PERF_BUILTIN_DATA_H
#define PERF_BUILTIN_DATA_H

#include <stdio.h>
#include "builtin-session.h"
#include "builtin-wall.h"
#include "ui/format.h"
#include "util/cli/parse-options.h"
#include "util/fields/sample-filter.h"
#include "util/inject/redact-names.h"

struct data_cmd {
	struct session_opts session;
	struct sample_filter filter;
	const char *json, *ctf;		/* --to-json, --to-ctf; NULL: --to */
	bool to_ctf;			/* --to ctf: output is the directory */
	bool all, tod;			/* of CTF */
	const struct stacks_format *to;
	const struct importer *from;	/* --from */
	const char *output, *by, *labels, *fields;
	enum stacks_by by_what;
	enum stacks_value value;	/* --fields */
	struct { VEC(const char *); } label;	/* "KEY=VALUE" */
	struct wall_opts wall;
	bool inlines;
	bool samples;			/* --samples */
	struct redact_names redact;	/* --redact */
	bool quiet;			/* no progress is shown, and nothing is said of what was written */
	bool json_check;		/* check --json */
};

/* struct data_cmd: the names of formats; what frames are; a label */
int data_opt_to(const struct option *opt, const char *arg, bool unset);
int data_opt_from(const struct option *opt, const char *arg, bool unset);
int data_opt_by(const struct option *opt, const char *arg, bool unset);
int data_opt_fields(const struct option *opt, const char *arg, bool unset);
int data_opt_redact(const struct option *opt, const char *arg, bool unset);
int data_opt_label(const struct option *opt, const char *arg, bool unset);

/* a new file, or standard output (-); one that exists is kept unless --force. NULL with err */
FILE *output_create(const struct data_cmd *c, const char *path, struct err *err);
/* 0, or -EEXIST with err if path exists and is to be kept */
int output_check(const struct data_cmd *c, const char *path, struct err *err);
/* ret: of what wrote it, which may have set err. 0, or a negative errno with err: no file is there then */
int output_finish(FILE *f, const char *path, int ret, struct err *err);

/* --to: all inputs together as stacks; none: -i, or perf.data. Returns the exit status */
int data_convert_stacks(struct data_cmd *c, const char **input, int nr);
/* the same as tables: each input becomes rows */
int data_convert_tables(struct data_cmd *c, const char **input, int nr);

/*
 * Profiles of other tools among the inputs, which are added up before they are named. NULL: all inputs must
 * be read as recordings
 */
struct data_profiles;
struct data_profiles *data_profiles_new(const struct data_cmd *c);
/* false: the input is not such a profile, or something is wrong with it: reading it as any other says what */
bool data_profiles_take(struct data_profiles *p, const struct data_cmd *c, const char *path);
/* after all inputs: adds what was taken. 0, or a negative errno with err */
int data_profiles_add(struct data_profiles *p, struct stacks *st, struct err *err);
/*
 * An input by itself: its stacks, which belong to p and are to be settled (stacks_settle()); NULL: false, as
 * above. *ret: 0, or a negative errno with err
 */
struct stacks *data_profiles_next(struct data_profiles *p, const struct data_cmd *c, const char *path,
				  int *ret, struct err *err);
void data_profiles_free(struct data_profiles *p);

/* an input becomes an output, which is replaced; c->to says how. 0, or a negative errno with err */
int data_convert_file(struct data_cmd *c, const char *input, const char *output, struct err *err);

/* --from: an input, or NULL for -i or perf.data, becomes a recording. Returns the exit status */
int data_convert_from(struct data_cmd *c, const char *input);

/* perf data check, perf data repair: their exit status */
int data_check(struct data_cmd *c, const char **path, int nr);
int data_repair(struct data_cmd *c, const char *input);
/* perf data merge: the same */
int data_merge(struct data_cmd *c, const char **path, int nr);

#endif
