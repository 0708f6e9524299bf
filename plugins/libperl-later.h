/*
 * Entries of hashes that are made when the script reads them: scalars with get magic, as tied ones have. When
 * the call ends, those that the script has kept and not read are made, as they cannot be made later.
 */
#ifndef PERF_LIBPERL_LATER_H
#define PERF_LIBPERL_LATER_H

static SV *to_perl(const struct script_value *v);

static struct {
	SV **v;
	size_t nr, room;
} waiting;	/* entries of the call that is under way; each holds a reference */

/* mg_ptr: the value, valid during the call; NULL: it is made, or the script has written another one */
static int later_get(pTHX_ SV *sv, MAGIC *mg)
{
	const struct script_value *v = (const struct script_value *)mg->mg_ptr;
	SV *made;

	if (!v)
		return 0;
	mg->mg_ptr = NULL;
	made = to_perl(v);
	sv_setsv_flags(sv, made, 0);
	SvREFCNT_dec(made);
	return 0;
}

static int later_set(pTHX_ SV *sv, MAGIC *mg)
{
	PERL_UNUSED_ARG(sv);
	mg->mg_ptr = NULL;
	return 0;
}

static const MGVTBL later_vtbl = { .svt_get = later_get, .svt_set = later_set };

static SV *later_new(const struct script_value *v)
{
	SV *sv = newSV(0);

	sv_magicext(sv, NULL, PERL_MAGIC_ext, &later_vtbl, (const char *)v, 0);
	if (waiting.nr == waiting.room) {
		waiting.room = waiting.room * 2 + 64;
		Renew(waiting.v, waiting.room, SV *);
	}
	waiting.v[waiting.nr++] = SvREFCNT_inc(sv);
	return sv;
}

/* after a call, whose own references are gone */
static void later_end(void)
{
	/* what is made adds entries */
	for (size_t i = 0; i < waiting.nr; i++) {
		SV *sv = waiting.v[i];

		if (SvREFCNT(sv) > 1) {
			mg_get(sv);
			sv_unmagicext(sv, PERL_MAGIC_ext, (MGVTBL *)&later_vtbl);
		}
		SvREFCNT_dec(sv);
	}
	waiting.nr = 0;
}

#endif
