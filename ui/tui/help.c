/* Help: the keys of a screen, from their rows. */
#include "screen.h"

static void add_key(struct strbuf *sb, const char *keys, const char *help)
{
	if (help)
		strbuf_addf(sb, "%-16s %s\n", keys, help);
}

void help_open(struct tui *t, struct screen *s)
{
	struct strbuf sb = STRBUF_INIT;

	for (u32 i = 0; !s->below && i < t->nr_command_keys; i++)
		add_key(&sb, t->command_key[i].keys, t->command_key[i].help);
	for (u32 i = 0; s->keys[i]; i++)
		for (const struct tui_key *k = s->keys[i]; k->keys; k++)
			add_key(&sb, k->keys, k->help);
	text_open(t, s->kind->title, strbuf_str(&sb));
	strbuf_release(&sb);
}
