/* Fake machines for unit tests. */
#include "fake-root.h"
#include "test.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "../../util/base/fs.h"
#include "../../util/kernel/tracefs.h"

void fake_file(const char *path, const char *text)
{
	char buf[512];
	FILE *f;

	snprintf(buf, sizeof(buf), "root%s", path);
	for (char *p = strchr(buf, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		mkdir(buf, 0755);
		*p = '/';
	}
	f = fopen(buf, "w");
	REQUIRE(f);
	fputs(text, f);
	fclose(f);
	fs_set_root("root");
	tracefs_forget();
}

void fake_pmu(const char *name, const char *type, ...)
{
	char path[256];
	const char *s;
	va_list ap;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", name);
	fake_file(path, type);
	va_start(ap, type);
	while ((s = va_arg(ap, const char *))) {
		const char *eq = strchr(s, '=');

		REQUIRE(eq);
		snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/%.*s", name, (int)(eq - s), s);
		fake_file(path, eq + 1);
	}
	va_end(ap);
}

void fake_tracepoint(const char *sys, const char *name, const char *id)
{
	char path[256], text[256];

	snprintf(path, sizeof(path), "/sys/kernel/tracing/events/%s/%s/id", sys, name);
	fake_file(path, id);
	snprintf(path, sizeof(path), "/sys/kernel/tracing/events/%s/%s/format", sys, name);
	snprintf(text, sizeof(text),
		 "name: %s\nID: %s\nformat:\n\tfield:int pid;\toffset:8;\tsize:4;\tsigned:1;\n\n"
		 "print fmt: \"pid=%%d\", REC->pid\n", name, id);
	fake_file(path, text);
}
