/*
 * The modules that scripts in Perl use: Perf::Trace::Core, Context and Util. Their functions are in C, so
 * that no file of them is needed: the names are there, and %INC has them, before a script is read.
 */
#ifndef PERF_LIBPERL_MODULES_H
#define PERF_LIBPERL_MODULES_H

#define NSECS_PER_SEC 1000000000

#define NEEDS(nr, usage) do { if (items != (nr)) croak_xs_usage(cv, usage); } while (0)

/* ---- Perf::Trace::Context ---- */

static SV *answer_to(enum script_question q)
{
	struct script_value v = pl.script->ask(pl.script->ctx, q);

	return sv_2mortal(to_perl(&v));
}

static XS(common_pc)
{
	dXSARGS;

	NEEDS(1, "context");
	ST(0) = answer_to(ASK_COMMON_PC);
	XSRETURN(1);
}

static XS(common_flags)
{
	dXSARGS;

	NEEDS(1, "context");
	ST(0) = answer_to(ASK_COMMON_FLAGS);
	XSRETURN(1);
}

static XS(common_lock_depth)
{
	dXSARGS;

	NEEDS(1, "context");
	ST(0) = answer_to(ASK_COMMON_LOCK_DEPTH);
	XSRETURN(1);
}

/* ---- Perf::Trace::Core ---- */

static SV *words_of(SV *event, SV *field, SV *value, bool flags)
{
	u64 number = SvIOK(value) && !SvUOK(value) ? (u64)SvIV(value) : (u64)SvUV(value);

	return sv_2mortal(newSVpv(pl.script->words(pl.script->ctx, SvPV_nolen(event), SvPV_nolen(field),
						   number, flags), 0));
}

static XS(flag_str)
{
	dXSARGS;

	NEEDS(3, "event_name, field_name, value");
	ST(0) = words_of(ST(0), ST(1), ST(2), true);
	XSRETURN(1);
}

static XS(symbol_str)
{
	dXSARGS;

	NEEDS(3, "event_name, field_name, value");
	ST(0) = words_of(ST(0), ST(1), ST(2), false);
	XSRETURN(1);
}

static XS(trace_flag_str)
{
	static const char *const names[] = { "IRQS_OFF", "IRQS_NOSUPPORT", "NEED_RESCHED", "HARDIRQ",
					     "SOFTIRQ" };
	UV value;
	SV *text;
	dXSARGS;

	NEEDS(1, "value");
	value = SvUV(ST(0));
	text = sv_2mortal(newSVpv(value ? "" : "NONE", 0));
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (value >> i & 1)
			sv_catpvf(text, "%s%s", SvCUR(text) ? " | " : "", names[i]);
	ST(0) = text;
	XSRETURN(1);
}

/* ---- Perf::Trace::Util ---- */

static XS(avg)
{
	NV nr;
	dXSARGS;

	NEEDS(2, "total, n");
	nr = SvNV(ST(1));
	if (!nr)
		croak("Illegal division by zero");
	XSRETURN_NV(SvNV(ST(0)) / nr);
}

static XS(nsecs)
{
	dXSARGS;

	NEEDS(2, "secs, nsecs");
	/* wraps around where the numbers are nonsense */
	XSRETURN_IV((IV)((UV)SvIV(ST(0)) * NSECS_PER_SEC + (UV)SvIV(ST(1))));
}

static XS(nsecs_secs)
{
	dXSARGS;

	NEEDS(1, "nsecs");
	XSRETURN_NV(SvNV(ST(0)) / NSECS_PER_SEC);
}

static XS(nsecs_nsecs)
{
	dXSARGS;

	NEEDS(1, "nsecs");
	XSRETURN_UV(SvUV(ST(0)) % NSECS_PER_SEC);
}

static XS(nsecs_str)
{
	UV value;
	dXSARGS;

	NEEDS(1, "nsecs");
	value = SvUV(ST(0));
	ST(0) = sv_2mortal(newSVpvf("%5" UVuf ".%09" UVuf, value / NSECS_PER_SEC, value % NSECS_PER_SEC));
	XSRETURN(1);
}

static XS(clear_term)
{
	dXSARGS;

	NEEDS(0, "");
	PerlIO_printf(PerlIO_stdout(), "\x1b[H\x1b[2J");
	XSRETURN_YES;
}

/* ---- the modules ---- */

struct perl_function {
	const char *module, *name;
	XSUBADDR_t function;
	bool on_request;	/* not among the names that "use" gives without a list */
};

static const struct perl_function module_functions[] = {
	{ "Core", "flag_str", flag_str },
	{ "Core", "symbol_str", symbol_str },
	{ "Core", "trace_flag_str", trace_flag_str },
	{ "Context", "common_pc", common_pc },
	{ "Context", "common_flags", common_flags },
	{ "Context", "common_lock_depth", common_lock_depth },
	{ "Util", "avg", avg },
	{ "Util", "nsecs", nsecs },
	{ "Util", "nsecs_secs", nsecs_secs },
	{ "Util", "nsecs_nsecs", nsecs_nsecs },
	{ "Util", "nsecs_str", nsecs_str, .on_request = true },
	{ "Util", "clear_term", clear_term },
};

#define NR_MODULE_FUNCTIONS (sizeof(module_functions) / sizeof(*module_functions))

static void export_function(pTHX_ const char *package, const struct perl_function *f)
{
	SV *name = sv_2mortal(newSVpvf("%s::%s", package, f->name));

	if (!get_cv(SvPV_nolen(name), 0))
		newXS(SvPV_nolen(name), f->function, __FILE__);
}

/* "use": the names of a list, or all that are for everybody */
static XS(import)
{
	const char *package = HvNAME(CopSTASH(PL_curcop)), *module;
	dXSARGS;

	module = items ? strrchr(SvPV_nolen(ST(0)), ':') : NULL;
	for (size_t i = 0; package && module && i < NR_MODULE_FUNCTIONS; i++) {
		const struct perl_function *f = &module_functions[i];
		bool wanted = items == 1 && !f->on_request;

		for (int k = 1; k < items; k++)
			wanted |= !strcmp(SvPV_nolen(ST(k)), f->name);
		if (wanted && !strcmp(module + 1, f->module))
			export_function(aTHX_ package, f);
	}
	XSRETURN_EMPTY;
}

static void add_function(pTHX_ const char *module, const char *name, XSUBADDR_t function)
{
	newXS(SvPV_nolen(sv_2mortal(newSVpvf("Perf::Trace::%s::%s", module, name))), function, __FILE__);
}

static void add_modules(pTHX)
{
	static const char *const modules[] = { "Core", "Context", "Util" };

	for (size_t i = 0; i < NR_MODULE_FUNCTIONS; i++)
		add_function(aTHX_ module_functions[i].module, module_functions[i].name,
			     module_functions[i].function);
	for (size_t i = 0; i < sizeof(modules) / sizeof(*modules); i++) {
		SV *file = sv_2mortal(newSVpvf("Perf/Trace/%s.pm", modules[i]));

		add_function(aTHX_ modules[i], "import", import);
		hv_store(get_hv("INC", GV_ADD), SvPV_nolen(file), (I32)SvCUR(file),
			 newSVpvs("(a part of perf)"), 0);
	}
}

#endif
