/* Handlers: names of functions in the text of a script. See handlers.h. */
#include "handlers.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../base/fs.h"
#include "language.h"

/* system and event around what the language has between them; takes event */
static void add_event(struct handlers *h, char *event)
{
	vec_foreach(&h->event, have)
		if (!strcmp(*have, event)) {
			free(event);
			return;
		}
	vec_push(&h->event, event);
}

static void add_function(struct handlers *h, const struct language *l, const char *name)
{
	const char *scope = strstr(name, l->scope);
	bool stat = scope == name + strlen("stat") && !strncmp(name, "stat", strlen("stat"));

	if (!strcmp(name, "process_event"))
		h->samples = true;
	else if (stat || !strncmp(name, "process_stat", strlen("process_stat")))
		h->counts = true;
	else if (scope && scope > name && scope[strlen(l->scope)])
		add_event(h, xasprintf("%.*s:%s", (int)(scope - name), name, scope + strlen(l->scope)));
}

/* the function that the line begins to define */
static void read_line(struct handlers *h, const struct language *l, char *line)
{
	size_t word = strlen(l->define), len;

	if (strncmp(line, l->define, word) || !isblank((u8)line[word]))
		return;
	line += word + strspn(line + word, " \t");
	for (len = 0; isalnum((u8)line[len]) || line[len] == '_' || strchr(l->scope, line[len] ?: '\n');)
		len++;
	if (!strchr("({ \t\r\n", line[len]))
		return;
	line[len] = '\0';
	add_function(h, l, line);
}

int handlers_read(struct handlers *ret, const struct language *l, const char *file, struct err *err)
{
	struct stat st;
	int fd = open_regular(file, &st, err);
	FILE *in = fd < 0 ? NULL : fdopen(fd, "r");
	char *line = NULL;
	size_t room = 0;

	*ret = (struct handlers){ 0 };
	if (fd < 0)
		return fd;
	if (!in) {
		close(fd);
		return err_sys(err, ENOMEM, "cannot read %s", file);
	}
	while (getline(&line, &room, in) > 0)
		read_line(ret, l, line);
	free(line);
	fclose(in);
	return 0;
}

void handlers_release(struct handlers *h)
{
	vec_foreach(&h->event, event)
		free(*event);
	vec_release(&h->event);
}
