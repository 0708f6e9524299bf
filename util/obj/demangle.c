/*
 * Demangle: libiberty's demanglers within limits. Output comes piece by piece, so that a short name cannot
 * grow without bounds.
 */
#include "demangle.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include "demangle-text.h"

#define MAX_NAME 16384		/* the recursion depth of the demanglers grows with the name */

#ifdef HAVE_LIBIBERTY
#include <libiberty/demangle.h>

#define MAX_D_NAME 2048
#define MAX_OUT 65536

struct sink {
	struct strbuf *out;
	size_t start;
	jmp_buf full;
};

/* the callback demanglers keep everything on the stack, so leaving them with longjmp leaks nothing */
static void take(const char *s, size_t len, void *opaque)
{
	struct sink *k = opaque;

	if (k->out->len - k->start + len > MAX_OUT)
		longjmp(k->full, 1);
	strbuf_add(k->out, s, len);
}

static bool is_rust_legacy(const char *name, size_t len)
{
	/* _ZN...17h<16 hex digits>E */
	return len > 23 && !strncmp(name, "_ZN", 3) && strstr(name, "17h");
}

static bool demangle_itanium_or_rust(const char *name, struct strbuf *out)
{
	struct sink k = { .out = out, .start = out->len };
	volatile int done = 0;

	if (setjmp(k.full) == 0) {
		if (!strncmp(name, "_R", 2) || is_rust_legacy(name, strlen(name)))
			done = rust_demangle_callback(name, 0, take, &k);
		if (!done) {
			strbuf_setlen(out, k.start);
			done = cplus_demangle_v3_callback(name, DMGL_PARAMS | DMGL_ANSI, take, &k);
		}
	} else {
		done = 0;
	}
	if (!done || out->len == k.start)
		strbuf_setlen(out, k.start);
	return done && out->len > k.start;
}

static bool demangle_d(const char *name, struct strbuf *out)
{
	char *s = dlang_demangle(name, 0);

	if (!s)
		return false;
	strbuf_add(out, s, MIN(strlen(s), (size_t)MAX_OUT));
	free(s);
	return true;
}

static bool demangle_compiled(const char *name, size_t len, struct strbuf *out)
{
	if (name[1] == 'D')
		return len <= MAX_D_NAME && demangle_d(name, out);
	if (name[1] == 'Z' || name[1] == 'R' || (name[1] == '_' && name[2] == 'Z'))
		return demangle_itanium_or_rust(name, out);
	return false;
}
#else
static bool demangle_compiled(const char *name, size_t len, struct strbuf *out)
{
	return false;
}
#endif

static bool demangle_plain(const char *name, size_t len, struct strbuf *out)
{
	switch (name[0]) {
	case '_': return demangle_compiled(name, len, out);
	case 'L': return demangle_java(name, out);
	case 'c': return demangle_ocaml(name, out);
	default: return false;
	}
}

bool demangle(const char *name, struct strbuf *out)
{
	const char *at;
	struct strbuf plain = STRBUF_INIT;
	size_t len;
	bool done;

	if (name[0] != '_' && name[0] != 'L' && name[0] != 'c')	/* most names: nothing else is examined */
		return false;
	len = strlen(name);
	if (len > MAX_NAME)
		return false;
	at = strchr(name, '@');
	if (!at)
		return demangle_plain(name, len, out);
	strbuf_add(&plain, name, at - name);
	done = demangle_plain(strbuf_str(&plain), at - name, out);
	if (done)
		strbuf_addstr(out, at);
	strbuf_release(&plain);
	return done;
}
