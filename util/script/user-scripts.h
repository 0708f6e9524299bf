/*
 * User-scripts: scripts by name (perf script NAME), files of the user or of a package in these folders, the
 * first one that has the file NAME.py or NAME.pl:
 *
 *	those of script.path in the configuration
 *	~/.config/perf/scripts
 *	EXEC_PATH/scripts/python, EXEC_PATH/scripts/perl: each has the scripts of its language
 *
 * The folder bin beside a script can have wrappers: NAME-record runs perf record with the events that the
 * script reads, NAME-report runs perf script with it. Both append their arguments. Comments of the wrapper
 * NAME-report, or else of the script, say what 'perf script -l' shows: "# description: TEXT", "# args: TEXT".
 *
 * Files are trusted as plug-ins are: they and their folders belong to root or to the user, and not everybody
 * may write to them.
 */
#ifndef PERF_SCRIPT_USER_SCRIPTS_H
#define PERF_SCRIPT_USER_SCRIPTS_H

#include "../base/err.h"
#include "../base/vec.h"

struct language;

struct user_script_places {
	const char *configured;		/* script.path: absolute paths or ~/..., between colons; or NULL */
	const char *home;		/* NULL: unknown */
	const char *exec_path;
};

/* owns its texts */
struct user_script {
	char *name, *file;
	const struct language *language;
	char *record, *report;		/* wrappers; NULL: it has none */
	char *args, *summary;		/* without what would harm a terminal; "" */
};
struct user_scripts { VEC(struct user_script); };

/* where packages have perf's scripts: $PERF_EXEC_PATH, or the folder that there is */
const char *user_script_exec_path(void);
/* 0; -ENOENT without err: no folder has it; -EACCES with err: it is not trusted */
int user_script_find(const struct user_script_places *p, const char *name, struct user_script *ret,
		     struct err *err);
void user_script_release(struct user_script *s);
/*
 * appends all that are trusted, sorted by name, each name once. Folders of packages have modules, too: of
 * these only scripts with a wrapper
 */
void user_scripts_list(const struct user_script_places *p, struct user_scripts *ret);
void user_scripts_release(struct user_scripts *s);
/* how many words of its arguments must be given: each is written as <WORD> */
int user_script_nr_needed(const struct user_script *s);

#endif
