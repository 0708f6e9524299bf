/*
 * Client of perf daemon: asks the daemon of a base directory, and makes the text of its answer. Owns the rows
 * of the answer. Never prints.
 */
#ifndef PERF_DAEMON_CLIENT_H
#define PERF_DAEMON_CLIENT_H

#include "../base/strbuf.h"
#include "protocol.h"

struct daemon_row {
	enum daemon_kind kind;
	enum daemon_state state;
	s32 pid, code;
	u64 age_s;
	char *name, *text, *note;
};

struct daemon_answer {
	VEC(struct daemon_row);
};

/*
 * session: NULL for all. Rows come in the order of the configuration. With DAEMON_STOP it returns when the
 * daemon and all of its recorders have ended
 */
int daemon_ask(const char *base, enum daemon_kind request, const char *session, struct daemon_answer *ret,
	       struct err *err);
void daemon_answer_release(struct daemon_answer *a);

/* the lines of perf daemon's list, with separator 0 for people, else fields between separators */
void daemon_list_text(struct strbuf *out, const struct daemon_answer *a, char separator, bool verbose);
/* a line per session that got a signal; "" if there is none */
void daemon_signal_text(struct strbuf *out, const struct daemon_answer *a);
/* a line per session: OK or FAIL; returns how many failed */
u32 daemon_ping_text(struct strbuf *out, const struct daemon_answer *a);
/* why a session does not run or does not listen, with where its output is; "" for one that runs */
void daemon_row_reason(struct strbuf *out, const struct daemon_row *row, const char *base);

#endif
