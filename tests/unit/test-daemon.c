/* Daemon: words of a run, settings, messages. */
#include "test.h"
#include "../../util/base/fs.h"
#include "../../util/daemon/client.h"
#include "../../util/daemon/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static void check_words(const char *run, const char *want)
{
	struct daemon_words words = { 0 };
	struct strbuf got = STRBUF_INIT;

	CHECK_INT(daemon_words_split(&words, run, NULL), 0);
	vec_foreach(&words, w)
		strbuf_addf(&got, "[%s]", *w);
	CHECK_STR(strbuf_str(&got), want);
	strbuf_release(&got);
	daemon_words_release(&words);
}

TEST(words_are_split_without_a_shell)
{
	struct daemon_words words = { 0 };
	struct err err = ERR_INIT;

	check_words("", "");
	check_words(" \t", "");
	check_words("-a  -e\tcpu-clock ", "[-a][-e][cpu-clock]");
	check_words("--filter 'prev_pid > 0' \"a 'b\" ''", "[--filter][prev_pid > 0][a 'b][]");
	check_words("a\\ b 'c\\d' \"e\\\"f\" g\\", "[a b][c\\d][e\"f][g\\]");
	check_words("$HOME `x` *;|", "[$HOME][`x`][*;|]");
	check_words("x'y 'z", "[xy z]");
	CHECK_INT(daemon_words_split(&words, "a 'b c", &err), -EINVAL);
	CHECK_STR(err.msg, "the quote in ''b c' is not closed");
	daemon_words_release(&words);
}

static int settings_of(const char *text, struct daemon_settings *s, struct err *err)
{
	int fd = open("c", O_CREAT | O_TRUNC | O_WRONLY, 0600);

	REQUIRE(fd >= 0 && !fd_write_all(fd, text, strlen(text)));
	close(fd);
	return daemon_settings_read(s, "c", err);
}

TEST(settings_are_sections)
{
	struct daemon_settings s;

	CHECK_INT(settings_of("[daemon]\nbase = /x y\n[report]\nchildren = false\n[session-One]\nrun = -a\n"
			      "[session-b.2]\nrun = -e 'x y'\n", &s, NULL), 0);
	CHECK_STR(s.base, "/x y");
	REQUIRE(s.session.nr == 2);
	CHECK_STR(s.session.v[0].name, "one");
	CHECK_STR(s.session.v[1].name, "b.2");
	CHECK(daemon_setting_find(&s, "b.2") == &s.session.v[1]);
	CHECK_STR(s.session.v[1].run, "-e 'x y'");
	CHECK(!daemon_setting_find(&s, "report"));
	daemon_settings_release(&s);
	CHECK_INT(settings_of("", &s, NULL), 0);
	CHECK(!s.base && !s.session.nr);
	daemon_settings_release(&s);
}

TEST(keys_of_settings_become_options)
{
	struct daemon_settings s;

	CHECK_INT(settings_of("[session-a]\nlabel = build=1, env=my shop\nrun = -a -- sleep 1\nfold = pprof\n"
			      "keep = 7d,2G\n", &s, NULL), 0);
	REQUIRE(s.session.nr == 1);
	CHECK_STR(s.session.v[0].run, "--fold=pprof --fold-keep=7d,2G --fold-label=build=1 "
		  "--fold-label='env=my shop' --fold-lock=../fold-lock -a -- sleep 1");
	daemon_settings_release(&s);
}

TEST(budgets_are_read_and_written)
{
	struct strbuf text = STRBUF_INIT;
	struct budget b = { 0 };
	static const char *const bad[] = { "", "1", "%", "0%", "-1%", "1%/", "1%/0s", "1%/2d", "1%%", "1e9%",
					   "99999999999999999999%" };

	CHECK(!budget_limits(&b));
	CHECK_INT(budget_parse(&b.limit[BUDGET_CPU], BUDGET_CPU, "0.5%/10s", NULL), 0);
	CHECK_INT(budget_parse(&b.limit[BUDGET_MEMORY], BUDGET_MEMORY, "100M", NULL), 0);
	CHECK_INT(b.limit[BUDGET_CPU].amount, 5000);
	CHECK_INT(b.limit[BUDGET_CPU].window_ns, 10000000000ull);
	CHECK_INT(b.limit[BUDGET_MEMORY].amount, 100 << 20);
	CHECK_INT(b.limit[BUDGET_MEMORY].window_ns, 60000000000ull);
	budget_text(&text, &b, BUDGET_CPU);
	CHECK_STR(strbuf_str(&text), "cpu = 0.5000%");
	strbuf_reset(&text);
	budget_text(&text, &b, BUDGET_MEMORY);
	CHECK_STR(strbuf_str(&text), "memory = 100M");
	strbuf_release(&text);
	for (u32 i = 0; i < ARRAY_SIZE(bad); i++)
		CHECK_INT(budget_parse(&b.limit[BUDGET_CPU], BUDGET_CPU, bad[i], NULL), -EINVAL);
	CHECK_INT(budget_parse(&b.limit[BUDGET_MEMORY], BUDGET_MEMORY, "1%", NULL), -EINVAL);
	CHECK_INT(budget_parse(&b.limit[BUDGET_MEMORY], BUDGET_MEMORY, "100", NULL), -EINVAL);
}

TEST(a_budget_is_measured_after_its_first_window)
{
	struct budget b = { .limit[BUDGET_MEMORY] = { 1, 1000 } };
	struct budget_meter m;

	budget_start(&m, &b, 100);
	CHECK_INT(budget_next(&m), 1100);
	CHECK_INT(budget_check(&m, &b, getpid(), 1099), BUDGET_KINDS);
	CHECK_INT(budget_check(&m, &b, getpid(), 1100), BUDGET_KINDS);
	CHECK_INT(budget_next(&m), 2100);
	CHECK_INT(budget_check(&m, &b, getpid(), 2100), BUDGET_MEMORY);
	b.limit[BUDGET_MEMORY].amount = 1ull << 50;
	CHECK_INT(budget_check(&m, &b, getpid(), 3100), BUDGET_KINDS);
	/* a process that is gone uses nothing */
	b.limit[BUDGET_MEMORY].amount = 1;
	CHECK_INT(budget_check(&m, &b, -1, 4100), BUDGET_KINDS);
}

static void check_refused(const char *text, int code, const char *want)
{
	struct daemon_settings s;
	struct err err = ERR_INIT;

	CHECK_INT(settings_of(text, &s, &err), code);
	CHECK_STR(err.msg, want);
}

TEST(settings_with_errors_are_refused)
{
	check_refused("[session-a]\nrun = -a\n[session-b]\nrun = -a\n[session-A]\nrun = -b\n", -EEXIST,
		      "c:6: the session 'a' was set before, in line 2");
	check_refused("[session-a]\nruns = -a\n", -EINVAL,
		      "c:2: sessions of perf daemon have only the keys 'run', 'fold', 'keep', "
		      "'label', 'cpu' and 'memory'");
	check_refused("[session-a]\nfold = pprof\n", -EINVAL, "the session 'a' has no key 'run'");
	check_refused("[session-a]\nrun = -a\nlabel = a='b'\n", -EINVAL,
		      "c:3: label has no value, or one that is too long or contains quotes");
	check_refused("[session-a]\nrun = -a --switch-output\ncpu = 1\n", -EINVAL,
		      "c:3: cpu: '1' is not a percentage of one CPU, maybe with a time of 1s "
		      "to 1d to measure it (1%, 0.5%/10s)");
	check_refused("[session-a]\nrun = -a\nmemory = 1M\n", -EINVAL,
		      "the session 'a': cpu and memory need --switch-output or --timestamp-filename in run, "
		      "because a recorder that is started again would replace its file");
	check_refused("[session-a]\nrun = \" \"\n", -EINVAL, "c:2: run has no value");
	check_refused("[session-a]\nrun = 'x\n", -EINVAL, "c:2: the quote in ''x' is not closed");
	check_refused("[session-]\nrun = x\n", -EINVAL, "c:2: '' cannot be the name of a session: it must "
		      "be 1 to 63 letters, digits, '-', '_' or '.'");
	check_refused("[session-a \"../b\"]\nrun = x\n", -EINVAL, "c:2: 'a.../b' cannot be the name of a "
		      "session: it must be 1 to 63 letters, digits, '-', '_' or '.'");
}

TEST(settings_that_others_can_write_are_refused)
{
	struct daemon_settings s;
	struct err err = ERR_INIT;

	CHECK_INT(settings_of("[session-a]\nrun = -a\n", &s, NULL), 0);
	daemon_settings_release(&s);
	REQUIRE(!chmod("c", 0666));
	CHECK_INT(daemon_settings_read(&s, "c", &err), -EPERM);
	CHECK_INT(daemon_settings_read(&s, "missing", &err), -ENOENT);
	CHECK_INT(daemon_settings_read(&s, ".", &err), -EINVAL);
}

TEST(messages_are_checked)
{
	struct daemon_message m, good;
	const size_t head = offsetof(struct daemon_message, text);

	daemon_message_set(&good, DAEMON_ROW_SESSION, "one", "-a");
	CHECK_INT(daemon_message_check(&good, head + 3, NULL), 0);
	CHECK_INT(daemon_message_check(&good, head + 2, NULL), -EBADMSG);
	CHECK_INT(daemon_message_check(&good, head, NULL), -EBADMSG);
	CHECK_INT(daemon_message_check(&good, 0, NULL), -EBADMSG);
	CHECK_INT(daemon_message_check(&good, sizeof(good) + 1, NULL), -EBADMSG);
#define WITHOUT(change) (m = good, change, CHECK_INT(daemon_message_check(&m, head + 3, NULL), -EBADMSG))
	WITHOUT(m.signature[7]++);
	WITHOUT(m.kind = 0);
	WITHOUT(m.kind = DAEMON_KINDS);
	WITHOUT(m.state = DAEMON_STATES);
	WITHOUT(m.text_size = 2);
	WITHOUT(m.text_size = ~0u);
	WITHOUT(m.text[2] = 'x');
	WITHOUT(m.text[1] = 0);
	WITHOUT(memset(m.name, 'x', sizeof(m.name)));
#undef WITHOUT
}

TEST(messages_pass_a_socket)
{
	struct daemon_message m;
	struct err err = ERR_INIT;
	int fds[2];

	REQUIRE(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds));
	daemon_message_set(&m, DAEMON_PING, "one", NULL);
	CHECK_INT(daemon_message_send(fds[0], &m), 0);
	daemon_message_set(&m, DAEMON_END, NULL, NULL);
	CHECK_INT(daemon_message_receive(fds[1], &m, &err), 0);
	CHECK_INT(m.kind, DAEMON_PING);
	CHECK_STR(m.name, "one");
	CHECK_INT(send(fds[0], "hello", 5, 0), 5);
	CHECK_INT(daemon_message_receive(fds[1], &m, &err), -EBADMSG);
	daemon_socket_timeout(fds[1], 1);
	CHECK_INT(daemon_message_receive(fds[1], &m, &err), -ETIMEDOUT);
	close(fds[0]);
	CHECK_INT(daemon_message_receive(fds[1], &m, &err), -EPIPE);
}

TEST(answers_are_lines)
{
	struct daemon_row rows[] = {
		{ DAEMON_ROW_DAEMON, DAEMON_RUNS, 10, 0, 59, (char *)"", (char *)"/b" },
		{ DAEMON_ROW_SESSION, DAEMON_RUNS, 11, 0, 120, (char *)"one", (char *)"-a" },
		{ DAEMON_ROW_SESSION, DAEMON_ENDED, 0, 129 << 8, 120, (char *)"two", (char *)"-x" },
		{ DAEMON_ROW_SESSION, DAEMON_SILENT, 13, 0, 120, (char *)"three", (char *)"-c" },
	};
	struct daemon_answer a = { .v = rows, .nr = ARRAY_SIZE(rows) };
	struct strbuf sb = STRBUF_INIT;

	daemon_list_text(&sb, &a, ';', false);
	CHECK_STR(strbuf_str(&sb), "10;daemon;/b;/b/output;/b/lock;0\n11;one;-a;/b/session-one;"
		  "/b/session-one/output;/b/session-one/control;/b/session-one/ack;2\n");
	strbuf_reset(&sb);
	CHECK_INT(daemon_ping_text(&sb, &a), 2);
	CHECK_STR(strbuf_str(&sb), "OK   one\nFAIL two\nFAIL three\n");
	strbuf_reset(&sb);
	daemon_row_reason(&sb, &rows[2], "/b");
	CHECK_STR(strbuf_str(&sb), "session 'two' exited with status 129: see /b/session-two/output");
	strbuf_release(&sb);
}
