/* CTF writer: see ctf-writer.h. */
#include "ctf-writer.h"
#include "../base/alloc.h"
#include "../base/fs.h"
#include "../base/vec.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC 0xc1fc1fc1u
#define BEGIN "/* CTF 1.8 */\n"		/* of metadata, which the format asks for */
#define FILE_NAME "stream"
#define PACKET_BYTES (32u << 10)	/* a packet is written when it has as many */
#define CPUS_MAX 8192u			/* events of higher numbers are in the stream without a CPU */
#define HEADER_BYTES 40u		/* magic, stream id, two times, two sizes */
#define STREAM_ID '\001'			/* where the stream's number goes in the text of events */

struct ctf_stream {
	struct strbuf packet;		/* its events, without what is before them */
	u64 begin_ns, end_ns;		/* of the packet */
	bool made;			/* the file is there */
};

struct ctf_writer {
	char *dir;
	int fd;
	bool made;			/* the directory was made here */
	struct strbuf env, events;	/* parts of the metadata */
	s64 offset_ns;
	u32 nr_events;
	struct { VEC(char *); } field;	/* names in the event that is declared */
	struct { VEC(struct ctf_stream); } stream;	/* 0: without a CPU, else of CPU i - 1 */
	struct ctf_stream *at;		/* of the event that is written */
	u64 bytes;
};

/* --- the directory */

/* "metadata", "stream", "stream-12": nothing else is removed */
static bool is_own(const char *name)
{
	size_t len = strlen(FILE_NAME);

	return !strcmp(name, "metadata") || !strcmp(name, FILE_NAME) ||
	       (!strncmp(name, FILE_NAME "-", len + 1) && name[len + 1] &&
		!name[len + 1 + strspn(name + len + 1, "0123456789")]);
}

static bool is_trace(int fd)
{
	char begin[sizeof(BEGIN) - 1];
	int file = openat(fd, "metadata", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool ret = file >= 0 && read(file, begin, sizeof(begin)) == sizeof(begin) &&
		   !memcmp(begin, BEGIN, sizeof(begin));

	if (file >= 0)
		close(file);
	return ret;
}

static void remove_files(int fd)
{
	DIR *d = fdopendir(openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	struct dirent *de;

	while (d && (de = readdir(d)))
		if (is_own(de->d_name))
			unlinkat(fd, de->d_name, 0);
	if (d)
		closedir(d);
}

static int open_dir(struct ctf_writer *w, bool force, struct err *err)
{
	w->made = !mkdir(w->dir, 0777);
	if (!w->made && errno != EEXIST)
		return err_sys(err, errno, "cannot create the directory %s", w->dir);
	if (!w->made && !force) {
		err_set(err, -EEXIST, "%s exists already", w->dir);
		err_hint(err, "--force replaces it");
		return -EEXIST;
	}
	w->fd = open(w->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (w->fd < 0)
		return err_sys(err, errno, "cannot open the directory %s", w->dir);
	if (!w->made && !is_trace(w->fd))
		return err_set(err, -EEXIST, "%s is not a trace that could be replaced", w->dir);
	remove_files(w->fd);
	return 0;
}

static void writer_free(struct ctf_writer *w)
{
	if (w->fd >= 0)
		close(w->fd);
	vec_foreach(&w->stream, s)
		strbuf_release(&s->packet);
	vec_release(&w->stream);
	strbuf_release(&w->env);
	strbuf_release(&w->events);
	free(w->dir);
	free(w);
}

struct ctf_writer *ctf_writer_new(const char *dir, bool force, struct err *err)
{
	struct ctf_writer *w = xcalloc(1, sizeof(*w));

	w->dir = xstrdup(dir);
	w->fd = -1;
	if (!open_dir(w, force, err))
		return w;
	writer_free(w);
	return NULL;
}

/* --- packets */

static void put_number(struct strbuf *out, u64 v, u32 bytes)
{
	u8 b[8];

	for (u32 i = 0; i < bytes; i++)
		b[i] = v >> 8 * i;
	strbuf_add(out, b, bytes);
}

static int append(struct ctf_writer *w, const char *name, const struct strbuf *text, int flags)
{
	int fd = openat(w->fd, name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | flags, 0666), ret;

	if (fd < 0)
		return -errno;
	ret = fd_write_all(fd, strbuf_str(text), text->len);
	if (close(fd) && !ret)
		ret = -errno;
	w->bytes += text->len;
	return ret;
}

/* the file is opened for each packet: there may be more CPUs than a process may have files */
static int flush(struct ctf_writer *w, u32 i)
{
	struct ctf_stream *s = &w->stream.v[i];
	struct strbuf out = STRBUF_INIT;
	u64 bits = (HEADER_BYTES + (i ? 4 : 0) + s->packet.len) * 8;
	char name[32] = FILE_NAME;
	int ret;

	if (!s->packet.len)
		return 0;
	if (i)
		snprintf(name, sizeof(name), FILE_NAME "-%u", i - 1);
	put_number(&out, MAGIC, 4);
	put_number(&out, i ? 1 : 0, 4);
	put_number(&out, s->begin_ns, 8);
	put_number(&out, s->end_ns, 8);
	put_number(&out, bits, 8);
	put_number(&out, bits, 8);
	if (i)
		put_number(&out, i - 1, 4);
	strbuf_add(&out, s->packet.buf, s->packet.len);
	ret = append(w, name, &out, s->made ? O_APPEND : O_EXCL);
	s->made = true;
	strbuf_release(&out);
	strbuf_reset(&s->packet);
	return ret;
}

int ctf_begin(struct ctf_writer *w, u32 event, u32 cpu, u64 time_ns)
{
	u32 i = cpu < CPUS_MAX ? cpu + 1 : 0;
	struct ctf_stream *s;
	int ret;

	while (w->stream.nr <= i)
		vec_push(&w->stream, (struct ctf_stream){ .made = false });
	s = &w->stream.v[i];
	if (s->packet.len >= PACKET_BYTES) {
		ret = flush(w, i);
		if (ret)
			return ret;
	}
	/* readers count signed nanoseconds */
	time_ns = MAX(MIN(time_ns, (u64)INT64_MAX), s->end_ns);
	if (!s->packet.len)
		s->begin_ns = time_ns;
	s->end_ns = time_ns;
	w->at = s;
	ctf_put(w, event, 4);
	ctf_put(w, time_ns, 8);
	return 0;
}

void ctf_put(struct ctf_writer *w, u64 value, u32 bytes)
{
	put_number(&w->at->packet, value, bytes);
}

void ctf_put_text(struct ctf_writer *w, const char *text)
{
	strbuf_add_safe(&w->at->packet, text);
	strbuf_addch(&w->at->packet, '\0');
}

void ctf_put_bytes(struct ctf_writer *w, const void *data, size_t len)
{
	strbuf_add(&w->at->packet, data, len);
}

/* --- metadata */

/* a string of the language: strbuf_add_safe() leaves backslashes and quotes to be escaped */
static void add_quoted(struct strbuf *out, const char *text)
{
	struct strbuf safe = STRBUF_INIT;

	strbuf_add_safe(&safe, text);
	strbuf_addch(out, '"');
	for (const char *p = strbuf_str(&safe); *p; p++) {
		if (*p == '"' || *p == '\\')
			strbuf_addch(out, '\\');
		strbuf_addch(out, *p);
	}
	strbuf_addch(out, '"');
	strbuf_release(&safe);
}

void ctf_set_env(struct ctf_writer *w, const char *key, const char *value)
{
	if (!value)
		return;
	strbuf_addf(&w->env, "\t%s = ", key);
	add_quoted(&w->env, value);
	strbuf_addstr(&w->env, ";\n");
}

void ctf_set_clock_offset(struct ctf_writer *w, s64 offset_ns)
{
	w->offset_ns = offset_ns;
}

u32 ctf_declare_event(struct ctf_writer *w, const char *name)
{
	strbuf_addstr(&w->events, "event {\n\tname = ");
	add_quoted(&w->events, name);
	strbuf_addf(&w->events, ";\n\tid = %u;\n\tstream_id = %c;\n\tfields := struct {\n", w->nr_events,
		    STREAM_ID);
	return w->nr_events++;
}

/*
 * a name that the language allows and that no other field of the event has; readers remove the first
 * underscore, which allows keywords of the language as names
 */
static const char *unique_name(struct ctf_writer *w, const char *name)
{
	char *own = xasprintf("_%s", name);

	for (char *p = own; *p; p++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", *p))
			*p = '_';
	vec_foreach(&w->field, f)
		if (!strcmp(*f, own)) {
			free(own);
			own = xasprintf("_field_%zu", w->field.nr);
			break;
		}
	vec_push(&w->field, own);
	return own;
}

static void add_integer(struct strbuf *out, enum ctf_kind kind, u32 bytes, bool big_endian)
{
	strbuf_addf(out, "\t\tinteger { size = %u; align = 8; signed = %s; base = %d; byte_order = %s; }",
		    bytes * 8, kind == CTF_SIGNED ? "true" : "false", kind == CTF_HEX ? 16 : 10,
		    big_endian ? "be" : "le");
}

void ctf_declare_field(struct ctf_writer *w, const char *name, enum ctf_kind kind, u32 bytes)
{
	if (kind == CTF_TEXT)
		strbuf_addstr(&w->events, "\t\tstring { encoding = UTF8; }");
	else
		add_integer(&w->events, kind, bytes, false);
	strbuf_addf(&w->events, " %s;\n", unique_name(w, name));
}

void ctf_declare_array(struct ctf_writer *w, const char *name, enum ctf_kind kind, u32 bytes,
		       bool big_endian)
{
	char *size = xasprintf("%s_size", name);
	const char *len;

	ctf_declare_field(w, size, CTF_UNSIGNED, 4);
	len = w->field.v[w->field.nr - 1];
	add_integer(&w->events, kind, bytes, big_endian);
	strbuf_addf(&w->events, " %s[%s];\n", unique_name(w, name), len);
	free(size);
}

void ctf_declare_end(struct ctf_writer *w)
{
	strbuf_addstr(&w->events, "\t};\n};\n");
	vec_foreach(&w->field, f)
		free(*f);
	vec_release(&w->field);
}

/* a class of streams, with or without a CPU, and all events in it */
static void add_stream(const struct ctf_writer *w, struct strbuf *out, u32 id)
{
	strbuf_addf(out, "stream {\n\tid = %u;\n\tpacket.context := struct {\n"
		    "\t\ttime timestamp_begin;\n\t\ttime timestamp_end;\n\t\tu64 content_size;\n"
		    "\t\tu64 packet_size;\n%s\t};\n"
		    "\tevent.header := struct {\n\t\tu32 id;\n\t\ttime timestamp;\n\t};\n};\n", id,
		    id ? "\t\tu32 cpu_id;\n" : "");
	for (const char *p = strbuf_str(&w->events), *at; *p; p = at + 1) {
		at = strchr(p, STREAM_ID);
		if (!at) {
			strbuf_addstr(out, p);
			break;
		}
		strbuf_add(out, p, at - p);
		strbuf_addf(out, "%u", id);
	}
}

static int write_metadata(struct ctf_writer *w)
{
	struct strbuf out = STRBUF_INIT;
	int ret;

	strbuf_addstr(&out, BEGIN "typealias integer { size = 32; align = 8; signed = false; } := u32;\n"
		      "typealias integer { size = 64; align = 8; signed = false; } := u64;\n"
		      "trace {\n\tmajor = 1;\n\tminor = 8;\n\tbyte_order = le;\n"
		      "\tpacket.header := struct {\n\t\tu32 magic;\n\t\tu32 stream_id;\n\t};\n};\n");
	strbuf_addf(&out, "env {\n%s};\n", strbuf_str(&w->env));
	strbuf_addf(&out, "clock {\n\tname = perf_clock;\n\tdescription = \"perf clock\";\n"
		    "\tfreq = 1000000000;\n\toffset = %lld;\n};\n"
		    "typealias integer { size = 64; align = 8; signed = false; "
		    "map = clock.perf_clock.value; } := time;\n", (long long)w->offset_ns);
	add_stream(w, &out, 0);
	add_stream(w, &out, 1);
	ret = append(w, "metadata", &out, O_EXCL);
	strbuf_release(&out);
	return ret;
}

int ctf_writer_finish(struct ctf_writer *w, int ret, u64 *ret_bytes, struct err *err)
{
	for (u32 i = 0; i < w->stream.nr && !ret; i++)
		ret = flush(w, i);
	if (!ret)
		ret = write_metadata(w);
	if (ret && !err->code)
		err_sys(err, -ret, "cannot write %s", w->dir);
	if (ret) {
		remove_files(w->fd);
		if (w->made)
			rmdir(w->dir);
	} else {
		*ret_bytes = w->bytes;
	}
	writer_free(w);
	return ret;
}
