/* Modifiers: see parse-modifiers.h. */
#include "parse-modifiers.h"

#include <errno.h>

#define PRECISE_MAX 3
static const char modifier_letters[] = "ukhIGHpPSDWebRX";

bool modifiers_valid(struct span s)
{
	for (size_t i = 0; i < s.len; i++)
		if (!strchr(modifier_letters, s.s[i]))
			return false;
	return s.len > 0;
}

/* p may occur several times, the others once */
static int check_letter(struct parser *ps, struct span all, size_t i, u32 precise)
{
	struct span letter = { all.s + i, 1 };

	if (!strchr(modifier_letters, all.s[i]))
		return parse_err(ps, -EINVAL, letter,
				 "unknown modifier '%c' (modifiers: u k h I G H p P S D W e b R X)",
				 all.s[i]);
	if (all.s[i] == 'p')
		return precise < PRECISE_MAX ? 0 :
		       parse_err(ps, -EINVAL, letter, "the highest precision is %d: at most ppp",
				 PRECISE_MAX);
	return !memchr(all.s, all.s[i], i) ? 0 : parse_err(ps, -EINVAL, letter,
							   "modifier '%c' is given twice", all.s[i]);
}

int modifiers_parse(struct parser *ps, struct span s, struct modifiers *m)
{
	memset(m, 0, sizeof(*m));
	m->text = s;
	for (size_t i = 0; i < s.len; i++) {
		int ret = check_letter(ps, s, i, m->precise);

		if (ret)
			return ret;
		switch (s.s[i]) {
		case 'u': m->user = true; break;
		case 'k': m->kernel = true; break;
		case 'h': m->hv = true; break;
		case 'I': m->idle = true; break;
		case 'G': m->guest = true; break;
		case 'H': m->host = true; break;
		case 'p': m->precise++; break;
		case 'P': m->precise_max = true; break;
		case 'S': m->sample_read = true; break;
		case 'D': m->pinned = true; break;
		case 'W': m->weak = true; break;
		case 'e': m->exclusive = true; break;
		case 'b': m->bpf = true; break;
		case 'R': m->retire_lat = true; break;
		case 'X': m->keep_group = true; break;
		}
	}
	return 0;
}

/*
 * u, k and h select what is counted: the first of them excludes everything else, further ones (also those of
 * the group around it) include more. The same holds for G and H.
 */
void modifiers_apply(struct event *ev, const struct modifiers *m, bool is_leader)
{
	const u64 rings = ATTR_EXCLUDE_USER | ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV;
	const u64 sides = ATTR_EXCLUDE_GUEST | ATTR_EXCLUDE_HOST;
	u64 *flags = &ev->attr.flags;

	if ((m->user || m->kernel || m->hv) && !(*flags & rings))
		*flags |= rings;
	*flags &= ~((m->user ? ATTR_EXCLUDE_USER : 0) | (m->kernel ? ATTR_EXCLUDE_KERNEL : 0) |
		    (m->hv ? ATTR_EXCLUDE_HV : 0));
	if ((m->guest || m->host) && !(*flags & sides))
		*flags |= sides;
	*flags &= ~((m->guest ? ATTR_EXCLUDE_GUEST : 0) | (m->host ? ATTR_EXCLUDE_HOST : 0));
	if (m->idle)
		*flags |= ATTR_EXCLUDE_IDLE;
	if (m->precise)
		*flags = (*flags & ~ATTR_PRECISE_MASK) | (u64)m->precise << ATTR_PRECISE_SHIFT;
	if (m->pinned && is_leader)
		*flags |= ATTR_PINNED;
	if (m->exclusive && is_leader)
		*flags |= ATTR_EXCLUSIVE;
	ev->precise_max |= m->precise_max;
	ev->sample_read |= m->sample_read;
	ev->weak_group |= m->weak;
	ev->keep_group |= m->keep_group;
	ev->bpf_counter |= m->bpf;
	ev->retire_lat |= m->retire_lat;
}
